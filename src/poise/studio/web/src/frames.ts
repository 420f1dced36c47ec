/** The binary frames of the wire; messages.ts describes their layout. */

import {
  ANGLE,
  CROWD,
  GHOSTS,
  GHOSTS_HEADER,
  GOAL,
  POSE,
  POSE_HEADER,
  TIME,
  TURNED,
  WALK,
} from "./messages";

/** What the page asks for with the display; `drag` is the number of the drag it belongs to. */
export type Move =
  | { kind: "goal"; drag: number; position: Triple; rotation?: Quadruple }
  | { kind: "angle"; drag: number; dof: number; value: number }
  | { kind: "time"; time: number };

export type Triple = readonly [number, number, number];
/** A quaternion w x y z. */
export type Quadruple = readonly [number, number, number, number];

export interface GoalError {
  id: number;
  position: number; // [m]
  angle: number; // [rad]
}

export interface PoseFrame {
  flags: number;
  sequence: number;
  revision: number;
  time: number; // [s]
  solveTime: number; // [ms]
  centerOfMass: Float32Array; // (3,) [m]
  transforms: Float32Array; // (segments, 7)
  angles: Float32Array; // (dofs,) [rad or m]
  goals: GoalError[];
  limits: Uint8Array; // (dofs,)
}

export interface GhostFrame {
  revision: number;
  poses: { time: number; transforms: Float32Array }[];
}

/** Where a walker is, and where its feet should be. */
export interface WalkFrame {
  revision: number;
  leading: number; // 0 left, 1 right
  time: number; // [s]
  speed: number; // [m/s]
  heading: number; // [rad]
  /** The body on the ground, the leading foot, the trailing toes [m]. */
  marks: [number, number, number][];
}

/** Those who walk about the figure. */
export interface CrowdFrame {
  revision: number;
  walkers: number;
  transforms: Float32Array; // (walkers, segments, 7)
}

export type OutFrame = PoseFrame | GhostFrame | WalkFrame | CrowdFrame;

const HEAD = 8;

export function encodeMove(move: Move, sequence: number): ArrayBuffer {
  const numbers = move.kind === "goal" ? [...move.position, ...(move.rotation ?? [])] : [];
  const body = move.kind === "goal" ? 4 + 4 * numbers.length : move.kind === "angle" ? 12 : 8;
  const view = new DataView(new ArrayBuffer(HEAD + body));
  view.setUint8(0, { goal: GOAL, angle: ANGLE, time: TIME }[move.kind]);
  view.setUint32(4, sequence, true);
  if (move.kind === "time") view.setFloat64(HEAD, move.time, true);
  else view.setUint32(HEAD, move.drag, true);
  if (move.kind === "goal") {
    view.setUint8(1, move.rotation ? TURNED : 0);
    numbers.forEach((value, i) => {
      view.setFloat32(HEAD + 4 + 4 * i, value, true);
    });
  } else if (move.kind === "angle") {
    view.setUint32(HEAD + 4, move.dof, true);
    view.setFloat32(HEAD + 8, move.value, true);
  }
  return view.buffer;
}

export function decodeFrame(data: ArrayBuffer): OutFrame {
  const view = new DataView(data);
  const kind = view.getUint8(0);
  if (kind === POSE) return decodePose(view);
  if (kind === GHOSTS) return decodeGhosts(view);
  if (kind === WALK) return decodeWalk(view);
  if (kind === CROWD) return decodeCrowd(view);
  throw new Error(`a frame of the unknown kind ${kind}`);
}

function decodePose(view: DataView): PoseFrame {
  const count = view.getUint16(2, true);
  const segments = view.getUint16(12, true);
  const dofs = view.getUint16(14, true);
  const angles = POSE_HEADER + 28 * segments;
  const goals = angles + 4 * dofs;
  const data = view.buffer as ArrayBuffer;
  return {
    flags: view.getUint8(1),
    sequence: view.getUint32(4, true),
    revision: view.getUint32(8, true),
    time: view.getFloat32(16, true),
    solveTime: view.getFloat32(20, true),
    centerOfMass: new Float32Array(data, 24, 3),
    transforms: new Float32Array(data, POSE_HEADER, 7 * segments),
    angles: new Float32Array(data, angles, dofs),
    goals: Array.from({ length: count }, (_, k) => ({
      id: view.getUint32(goals + 12 * k, true),
      position: view.getFloat32(goals + 12 * k + 4, true),
      angle: view.getFloat32(goals + 12 * k + 8, true),
    })),
    limits: new Uint8Array(data, goals + 12 * count, dofs),
  };
}

function decodeGhosts(view: DataView): GhostFrame {
  const count = view.getUint16(2, true);
  const numbers = 7 * view.getUint16(8, true);
  const poses = Array.from({ length: count }, (_, k) => {
    const at = GHOSTS_HEADER + k * (4 + 4 * numbers);
    const data = view.buffer as ArrayBuffer;
    return {
      time: view.getFloat32(at, true),
      transforms: new Float32Array(data, at + 4, numbers),
    };
  });
  return { revision: view.getUint32(4, true), poses };
}

function decodeCrowd(view: DataView): CrowdFrame {
  const walkers = view.getUint16(2, true);
  const numbers = 7 * view.getUint16(8, true) * walkers;
  const transforms = new Float32Array(view.buffer as ArrayBuffer, GHOSTS_HEADER, numbers);
  return { revision: view.getUint32(4, true), walkers, transforms };
}

function decodeWalk(view: DataView): WalkFrame {
  const number = (i: number) => view.getFloat32(HEAD + 4 * i, true);
  return {
    revision: view.getUint32(4, true),
    leading: view.getUint8(1),
    time: number(0),
    speed: number(1),
    heading: number(2),
    marks: [3, 6, 9].map((i) => [number(i), number(i + 1), number(i + 2)]),
  };
}
