/** The one WebSocket: commands with their answers, and moves of which only the newest counts. */

import { decodeFrame, encodeMove, type Move, type OutFrame } from "./frames";
import type { Command, Done, Explanation, Failure, Files, Limits, Outgoing } from "./messages";

export type Reply = Done | Explanation | Limits | Files;

type Answered = { [K in Command["type"]]: Omit<Extract<Command, { type: K }>, "id"> };
/** A command without the number that the socket gives it. */
export type Request = Answered[Command["type"]];

export interface Listener {
  message(message: Exclude<Outgoing, Reply | Failure>): void;
  frame(frame: OutFrame): void;
  /** The command or frame was refused; nothing changed. */
  failure(message: string): void;
  connection(open: boolean): void;
}

const RETRY = 1000; // [ms]
/** A command under way, and the last move sent before it: a reply to the one answers the other. */
interface Asked {
  resolve: (reply: Reply | null) => void;
  sequence: number;
}

/** A move that gets no answer for so long no longer holds the next one back [ms]. */
const PATIENCE = 250;

export class Socket {
  private socket: WebSocket | null = null;
  private commands = 0;
  private sequence = 0;
  private waiting: Move | null = null;
  private answered = 0;
  private sentAt = 0;
  private readonly asked = new Map<number, Asked>();

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    this.connect();
  }

  /** Sends a command; resolves with its reply, or null when it was refused. */
  request(command: Request): Promise<Reply | null> {
    const id = ++this.commands;
    return new Promise((resolve) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        resolve(null);
        return;
      }
      this.flush(true);
      this.asked.set(id, { resolve, sequence: this.sequence });
      this.socket.send(JSON.stringify({ ...command, id }));
    });
  }

  /** Asks for a pose; replaces a move that still waits to be sent. */
  move(move: Move): void {
    this.waiting = move;
    this.flush(false);
  }

  /** Whether something was asked for that has no answer yet. */
  get isBusy(): boolean {
    return this.waiting !== null || this.answered < this.sequence || this.asked.size > 0;
  }

  /** Sends the move that waits, once the last one was answered (or `now`). */
  private flush(now: boolean): void {
    if (this.waiting === null || this.socket?.readyState !== WebSocket.OPEN) return;
    const busy = this.answered < this.sequence && performance.now() - this.sentAt < PATIENCE;
    if (busy && !now) return;
    const move = this.waiting;
    this.waiting = null;
    this.sentAt = performance.now();
    this.socket.send(encodeMove(move, ++this.sequence));
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.listener.connection(true);
    };
    socket.onmessage = (event) => {
      this.receive(event.data);
    };
    socket.onclose = () => {
      this.waiting = null;
      this.answered = this.sequence;
      for (const { resolve } of this.asked.values()) resolve(null);
      this.asked.clear();
      this.listener.connection(false);
      setTimeout(() => {
        this.connect();
      }, RETRY);
    };
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      const frame = decodeFrame(data);
      if ("sequence" in frame) this.answered = Math.max(this.answered, frame.sequence);
      this.listener.frame(frame);
      this.flush(false);
      return;
    }
    const message = JSON.parse(data) as Outgoing;
    if (message.type === "state" || message.type === "patch" || message.type === "notice") {
      this.listener.message(message);
      return;
    }
    if (message.type === "failure") this.listener.failure(message.message);
    const asked = this.asked.get(message.id);
    this.asked.delete(message.id);
    this.answered = Math.max(this.answered, asked?.sequence ?? this.sequence);
    asked?.resolve(message.type === "failure" ? null : message);
    this.flush(false);
  }
}
