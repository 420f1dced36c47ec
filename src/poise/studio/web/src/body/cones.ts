/** The round cones that make up a body, in the world of the bind pose [m]. */

import { Matrix4, Quaternion, Vector3 } from "three";
import type { FigureInfo } from "../messages";

export interface Cone {
  segment: number;
  start: Vector3;
  end: Vector3;
  startRadius: number;
  endRadius: number;
}

const SKIN_SPACING = 0.02; // between the layers that fill the trunk [m]

/** Position and rotation of each segment as matrices. `rows`: 7 numbers a segment, w x y z last. */
export function matricesOf(rows: ArrayLike<number>, count: number): Matrix4[] {
  const one = new Vector3(1, 1, 1);
  return Array.from({ length: count }, (_, i) => {
    const [x, y, z, qw, qx, qy, qz] = Array.from({ length: 7 }, (_, k) => rows[7 * i + k]!);
    const turn = new Quaternion(qx, qy, qz, qw);
    return new Matrix4().compose(new Vector3(x, y, z), turn, one);
  });
}

/** All cones of a figure, and those between the segments of its trunk. */
export function bodyCones(figure: FigureInfo): Cone[] {
  const frames = matricesOf(figure.bind.flat(), figure.segments.length);
  const cones = figure.limbs.map((limb) => ({
    segment: limb.segment,
    start: new Vector3(...limb.start).applyMatrix4(frames[limb.segment]!),
    end: new Vector3(...limb.end).applyMatrix4(frames[limb.segment]!),
    startRadius: limb.start_radius,
    endRadius: limb.end_radius,
  }));
  return [...cones, ...trunkLayers(cones, figure.trunk)];
}

function trunkLayers(cones: Cone[], trunk: number[]): Cone[] {
  const first = trunk.map((segment) => cones.find((cone) => cone.segment === segment)!);
  return first.slice(1).flatMap((high, i) => {
    const low = first[i]!;
    const layers = 1 + Math.floor(low.start.distanceTo(high.start) / SKIN_SPACING);
    return Array.from({ length: layers - 1 }, (_, k) => between(low, high, (k + 1) / layers));
  });
}

function between(low: Cone, high: Cone, share: number): Cone {
  const mix = (a: number, b: number) => a + share * (b - a);
  return {
    segment: share < 0.5 ? low.segment : high.segment,
    start: low.start.clone().lerp(high.start, share),
    end: low.end.clone().lerp(high.end, share),
    startRadius: mix(low.startRadius, high.startRadius),
    endRadius: mix(low.endRadius, high.endRadius),
  };
}

/** How far a point is outside a cone [m]; negative inside. */
export function distance(cone: Cone, x: number, y: number, z: number): number {
  const { start, end } = cone;
  const dx = end.x - start.x;
  const dy = end.y - start.y;
  const dz = end.z - start.z;
  const px = x - start.x;
  const py = y - start.y;
  const pz = z - start.z;
  const along = (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz || 1);
  const t = Math.max(0, Math.min(1, along));
  const away = Math.sqrt((px - t * dx) ** 2 + (py - t * dy) ** 2 + (pz - t * dz) ** 2);
  return away - cone.startRadius - t * (cone.endRadius - cone.startRadius);
}
