/** What goes on while a button is down: camera moves, drags of handles, turns of joints. */

import { batch, signal } from "@preact/signals";
import type { Quaternion, Vector3 } from "three";
import { Quaternion as Turn } from "three";
import type { Move } from "../frames";
import type { LimitShape } from "../messages";
import { move, send } from "../session";
import { dragging, limitShapes } from "../store";
import type { View } from "../view/camera";
import { type Path, turnAngle } from "./paths";
import type { FinePointer } from "./pointer";

export interface Gesture {
  move(x: number, y: number, fine: boolean): void;
  end(): void;
  cancel(): void;
}

/** The goal that is being dragged, and where to. */
export const dragged = signal<{ effector: string; target: Vector3 } | null>(null);

let drags = 0;

export function cameraGesture(
  view: View,
  x: number,
  y: number,
  how: "turn" | "pan",
  changed: () => void,
): Gesture {
  let last = { x, y };
  return {
    move(x, y) {
      view[how](x - last.x, y - last.y);
      last = { x, y };
      changed();
    },
    end() {},
    cancel() {},
  };
}

/** Two fingers on the view: together they orbit, apart and nearer they zoom. */
export class Pinch {
  private last: { x: number; y: number; apart: number } | null = null;

  constructor(
    private readonly view: View,
    private readonly changed: () => void,
  ) {}

  /** The places of both fingers now [px]. */
  move([a, b]: { x: number; y: number }[]): void {
    if (a === undefined || b === undefined) return;
    const apart = Math.max(10, Math.hypot(a.x - b.x, a.y - b.y));
    const now = { x: 0.5 * (a.x + b.x), y: 0.5 * (a.y + b.y), apart };
    if (this.last !== null) {
      this.view.turn(now.x - this.last.x, now.y - this.last.y);
      this.view.zoom(this.last.apart / now.apart);
      this.changed();
    }
    this.last = now;
  }
}

/** What is dragged: a site of the body, or the target of a goal that lies elsewhere. */
export interface Grip {
  effector: string;
  goal: number | null;
  at: Vector3;
}

/** A drag along a path. */
export function placeGesture(grip: Grip, path: Path, taken: FinePointer): Gesture {
  const drag = ++drags;
  const { effector, goal } = grip;
  dragged.value = { effector, target: grip.at };
  return gesture({ type: "drag-begin", drag, effector, goal }, taken, (pointer) => {
    const target = path(pointer);
    dragged.value = { effector, target };
    return { kind: "goal", drag, position: target.toArray() };
  });
}

/** A turn of a site about an axis. */
export function orientGesture(
  view: View,
  effector: string,
  from: { at: Vector3; turn: Quaternion; axis: Vector3 },
  taken: FinePointer,
): Gesture {
  const drag = ++drags;
  const angle = turnAngle(view, from.at, from.axis, taken);
  return gesture({ type: "drag-begin", drag, effector, turn: true }, taken, (pointer) => {
    const { w, x, y, z } = new Turn()
      .setFromAxisAngle(from.axis, angle(pointer))
      .multiply(from.turn);
    return { kind: "goal", drag, position: from.at.toArray(), rotation: [w, x, y, z] };
  });
}

const BEYOND = 1e-3; // a limit: the session then puts the joint exactly on it [rad]

/** A turn of one joint angle, or of a whole ball joint, by its ring. */
export function ringGesture(
  view: View,
  shape: LimitShape,
  center: Vector3,
  axis: Vector3,
  taken: FinePointer,
): Gesture {
  const drag = ++drags;
  const angle = turnAngle(view, center, axis, taken);
  const whole = shape.kind === "ring";
  const about = whole ? axis.toArray() : null;
  return gesture({ type: "turn-begin", drag, about }, taken, (pointer) => {
    const lower = (shape.lower ?? -Infinity) - BEYOND;
    const upper = (shape.upper ?? Infinity) + BEYOND;
    const reached = Math.max(lower, Math.min(upper, shape.value + angle(pointer)));
    const value = whole ? reached - shape.value : reached;
    return { kind: "angle", drag, dof: shape.dofs[0]!, value };
  });
}

/** A turn of one joint angle from elsewhere, such as a slider; `set` takes the new value. */
export function angleGesture(dof: number): {
  set(value: number): void;
  end(cancel: boolean): void;
} {
  const drag = ++drags;
  begin({ type: "turn-begin", drag });
  return {
    set(value) {
      move({ kind: "angle", drag, dof, value });
    },
    end(cancel) {
      finish(drag, cancel);
    },
  };
}

type Begin =
  | { type: "drag-begin"; drag: number; effector: string; goal?: number | null; turn?: boolean }
  | { type: "turn-begin"; drag: number; about?: [number, number, number] | null };

function gesture(
  command: Begin,
  pointer: FinePointer,
  at: (pointer: FinePointer) => Move,
): Gesture {
  begin(command);
  return {
    move(x, y, fine) {
      pointer.follow(x, y, fine);
      move(at(pointer));
    },
    end() {
      finish(command.drag, false);
    },
    cancel() {
      finish(command.drag, true);
    },
  };
}

function begin(command: Begin): void {
  dragging.value = true;
  void send(command);
}

function finish(drag: number, cancel: boolean): void {
  batch(() => {
    dragging.value = false;
    dragged.value = null;
    if (cancel) limitShapes.value = null;
  });
  void send({ type: "drag-end", drag, cancel });
}
