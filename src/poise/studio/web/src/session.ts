/** The page's side of the session: what it says goes to the store, what the person does to it. */

import { batch } from "@preact/signals";
import type { Move, OutFrame } from "./frames";
import { type FigureInfo, type Patch, PROTOCOL, type State } from "./messages";
import { type Reply, type Request, Socket } from "./socket";
import * as store from "./store";

const token = new URLSearchParams(location.search).get("token") ?? "";
const scheme = location.protocol === "https:" ? "wss" : "ws";

const socket = new Socket(`${scheme}://${location.host}/ws?token=${encodeURIComponent(token)}`, {
  message(message) {
    if (message.type === "notice") store.notify(message.message, message.level);
    else applyState(message);
  },
  frame: applyFrame,
  failure(message) {
    store.notify(message, "warning");
  },
  connection(open) {
    store.connected.value = open;
  },
});

/** Sends a command; resolves with its reply, or null when it was refused (and the person told). */
export function send(command: Request): Promise<Reply | null> {
  if (!store.editable.value && !LOOKS.has(command.type)) return Promise.resolve(null);
  return socket.request(command);
}

/** What every window may ask. */
const LOOKS = new Set<Request["type"]>(["explain", "limits-of", "list-files", "take-over"]);

/** Asks for a pose with the display; only the newest counts. */
export function move(move: Move): void {
  if (store.editable.value) socket.move(move);
}

/** Whether the session has not answered all that it was asked. */
export function isBehind(): boolean {
  return socket.isBusy;
}

/** An address of the server with the token that it wants. */
export function address(path: string, query: Record<string, string>): string {
  return `${path}?${new URLSearchParams({ token, ...query })}`;
}

const SECTIONS = {
  editable: store.editable,
  figure: store.figure,
  goals: store.goals,
  timeline: store.timeline,
  settings: store.settings,
  history: store.history,
  selection: store.selection,
  recovery: store.recovery,
  walk: store.walk,
};

function applyState(message: State | Patch): void {
  if (message.type === "state" && message.protocol !== PROTOCOL) {
    store.notify("The studio was updated: reload this page.", "warning");
    return;
  }
  batch(() => {
    for (const [name, section] of Object.entries(SECTIONS)) {
      const value = message[name as keyof typeof SECTIONS];
      if (value !== undefined) (section as { value: unknown }).value = value;
    }
    if (message.type === "state") {
      store.choices.value = message.choices;
      store.version.value = message.version;
      store.watch.value = message.watch;
    }
    if (message.figure !== undefined) forgetOthers(message.figure);
  });
}

/** Lets go of what was drawn of a figure of another build; its own pose follows. */
function forgetOthers(figure: FigureInfo): void {
  const pose = store.pose.value;
  store.ghosts.value = null;
  store.limitShapes.value = null;
  store.explanation.value = null;
  const fits =
    pose?.transforms.length === 7 * figure.segments.length &&
    pose.angles.length === figure.dofs.length;
  if (!fits) store.pose.value = null;
}

function applyFrame(frame: OutFrame): void {
  if (frame.revision !== store.figure.value?.revision) return;
  if ("sequence" in frame) store.pose.value = frame;
  else if ("marks" in frame) store.walkFrame.value = frame;
  else if ("walkers" in frame) store.crowd.value = frame;
  else store.ghosts.value = frame;
}
