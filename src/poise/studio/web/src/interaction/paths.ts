/** What a drag follows: a plane, a line, or a turn. Each maps the pointer to a place in the world. */

import { Plane, type Ray, Vector3 } from "three";
import type { View } from "../view/camera";
import type { FinePointer } from "./pointer";

/** A place for a pointer; keeps the distance to where it was taken, so that nothing jumps. */
export type Path = (pointer: FinePointer) => Vector3;

export function planePath(view: View, start: Vector3, normal: Vector3, taken: FinePointer): Path {
  const plane = new Plane().setFromNormalAndCoplanarPoint(normal, start);
  const hit = (pointer: FinePointer) =>
    view.ray(pointer.x, pointer.y).intersectPlane(plane, new Vector3());
  const shift = start.clone().sub(hit(taken) ?? start);
  let last = start.clone();
  return (pointer) => {
    const at = hit(pointer);
    if (at !== null) last = at.add(shift);
    return last.clone();
  };
}

export function linePath(view: View, start: Vector3, axis: Vector3, taken: FinePointer): Path {
  const along = (pointer: FinePointer) => alongLine(view.ray(pointer.x, pointer.y), start, axis);
  const shift = along(taken);
  return (pointer) => start.clone().addScaledVector(axis, along(pointer) - shift);
}

/** Where on a line a ray comes nearest to it [m from `start`]. */
function alongLine(ray: Ray, start: Vector3, axis: Vector3): number {
  const between = start.clone().sub(ray.origin);
  const across = ray.direction.dot(axis);
  const parallel = 1 - across * across;
  if (parallel < 1e-6) return 0;
  return (across * ray.direction.dot(between) - axis.dot(between)) / parallel;
}

/** The angle [rad] that a pointer has turned about an axis through `center`; may exceed a turn. */
export function turnAngle(
  view: View,
  center: Vector3,
  axis: Vector3,
  taken: FinePointer,
): (pointer: FinePointer) => number {
  const middle = view.project(center);
  const facing = axis.dot(view.forward()) < 0 ? -1 : 1; // y points down on the screen
  const angleOf = (p: FinePointer) => Math.atan2(p.y - middle.y, p.x - middle.x);
  let last = angleOf(taken);
  let total = 0;
  return (pointer) => {
    const now = angleOf(pointer);
    total += Math.atan2(Math.sin(now - last), Math.cos(now - last));
    last = now;
    return facing * total;
  };
}
