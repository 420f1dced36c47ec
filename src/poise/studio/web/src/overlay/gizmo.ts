/** Arrows, planes and rings about the selected handle: move or turn along one thing at a time. */

import { type Quaternion, Vector3 } from "three";
import type { Tool } from "../store";
import type { View } from "../view/camera";
import { across, arc, type Brush } from "./brush";

type GizmoTool = Exclude<Tool, "paint">;

export interface Gizmo {
  at: Vector3;
  /** The directions of its three axes. */
  axes: [Vector3, Vector3, Vector3];
  tool: GizmoTool;
}

/** A part of a gizmo. The axis of a plane is its normal, that of a ring what it turns about. */
export interface Part {
  shape: "arrow" | "plane" | "ring";
  axis: 0 | 1 | 2;
}

const ARROW = [18, 76] as const; // from, to [px]
const PLANE = [26, 42] as const;
const RING = 64;
const REACH = 8;

const PARTS: Record<GizmoTool, Part[]> = {
  move: [0, 1, 2].flatMap((axis) => [
    { shape: "arrow", axis: axis as Part["axis"] },
    { shape: "plane", axis: axis as Part["axis"] },
  ]),
  turn: [0, 1, 2].map((axis) => ({ shape: "ring", axis: axis as Part["axis"] })),
};

export function gizmoAt(at: Vector3, tool: GizmoTool, frame: Quaternion | null): Gizmo {
  const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
  if (frame !== null) for (const axis of axes) axis.applyQuaternion(frame);
  return { at, axes: axes as Gizmo["axes"], tool };
}

/** The lines of a part in the world. */
function lines(gizmo: Gizmo, part: Part, view: View): Vector3[] {
  const pixel = view.pixelAt(gizmo.at);
  const axis = gizmo.axes[part.axis];
  const out = (direction: Vector3, pixels: number) =>
    direction.clone().multiplyScalar(pixels * pixel);
  if (part.shape === "arrow") return ARROW.map((px) => out(axis, px).add(gizmo.at));
  if (part.shape === "ring") {
    const from = out(across(axis, view.forward().negate()), RING);
    return arc(gizmo.at, axis, from, [-Math.PI, Math.PI]);
  }
  const u = gizmo.axes[(part.axis + 1) % 3]!;
  const v = gizmo.axes[(part.axis + 2) % 3]!;
  const corners = [
    [PLANE[0], PLANE[0]],
    [PLANE[1], PLANE[0]],
    [PLANE[1], PLANE[1]],
    [PLANE[0], PLANE[1]],
  ] as const;
  return corners.map(([a, b]) => out(u, a).add(out(v, b)).add(gizmo.at));
}

/** Where each part can be taken, on the screen. */
export function partPlaces(gizmo: Gizmo, view: View): (Part & { x: number; y: number })[] {
  return PARTS[gizmo.tool].map((part) => {
    const points = lines(gizmo, part, view);
    const chosen = part.shape === "ring" ? points[points.length >> 1]! : points.at(-1)!;
    const { x, y } = view.project(chosen);
    return { ...part, x, y };
  });
}

/** The part under the pointer, and how far it is from it [px]. */
export function partNear(
  gizmo: Gizmo,
  view: View,
  x: number,
  y: number,
): { part: Part; away: number } | null {
  let best: { part: Part; away: number } | null = null;
  let least = REACH;
  for (const part of PARTS[gizmo.tool]) {
    const points = lines(gizmo, part, view).map((point) => view.project(point));
    // Of a ring only the half that faces the person: its points are nearest in the middle.
    const seen = part.shape === "ring" ? points.slice(16, 49) : points;
    const away = part.shape === "plane" ? toPlane(seen, x, y) : toLine(seen, x, y);
    if (away < least) {
      least = away;
      best = { part, away };
    }
  }
  return best;
}

type Flat = { x: number; y: number };

function toPlane(corners: Flat[], x: number, y: number): number {
  const mid = { x: 0, y: 0 };
  for (const corner of corners) {
    mid.x += corner.x / 4;
    mid.y += corner.y / 4;
  }
  return Math.max(0, Math.hypot(x - mid.x, y - mid.y) - REACH / 2);
}

/** The distance from a pixel to a line of several points [px]. */
export function toLine(points: Flat[], x: number, y: number): number {
  let least = Infinity;
  for (let k = 1; k < points.length; k++) {
    const a = points[k - 1]!;
    const b = points[k]!;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const share = ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1);
    const t = Math.max(0, Math.min(1, share));
    least = Math.min(least, Math.hypot(x - a.x - t * dx, y - a.y - t * dy));
  }
  return least;
}

export function drawGizmo(brush: Brush, gizmo: Gizmo, hot: Part | null): void {
  for (const part of PARTS[gizmo.tool]) {
    const lit = hot?.shape === part.shape && hot.axis === part.axis;
    const colour = brush.palette.axes[part.axis];
    const points = lines(gizmo, part, brush.view);
    if (part.shape === "plane") {
      brush.area(points, colour, lit ? 0.75 : 0.3);
    } else if (part.shape === "ring") {
      brush.line(points, { colour, width: 1.2, alpha: 0.3 });
      brush.rimmed(points.slice(16, 49), { colour, width: lit ? 4 : 2.2 });
    } else {
      brush.rimmed(points, { colour, width: lit ? 4 : 2.2 });
      brush.dot(points[1]!, lit ? 6.5 : 5, colour, brush.palette.halo);
    }
  }
}
