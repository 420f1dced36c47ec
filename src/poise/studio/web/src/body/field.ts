/** A distance field on a grid: the cones of each segment joined, segments blended over joints. */

import { type Cone, distance } from "./cones";

export interface Grid {
  cell: number;
  origin: Triple;
  size: Triple;
  /** About how far each point is outside the body [m]; exact enough only near the surface. */
  values: Float32Array;
  /** The segment nearest to each point. */
  nearest: Uint16Array;
}

type Triple = [number, number, number];
type Box = { low: Triple; high: Triple };

/** The side of a cell of a figure of 1.8 m [m]: for the eye, and for shadows, ghosts and haste. */
export const FINE = 0.0085;
export const COARSE = 0.022;
const MOST_POINTS = 8e6;
const BLEND = 0.5; // of the thinnest radius of a segment
const BLOCK = 4; // points along the side of a block that is left out whole
const MARGIN = 0.03; // about the body [m]

export function fieldOf(cones: Cone[], detail: number): Grid {
  const box = boxOf(cones, MARGIN);
  const extent = box.high.map((high, i) => high - box.low[i]!) as Triple;
  const volume = extent[0] * extent[1] * extent[2];
  const wanted = detail * Math.max(Math.max(...extent) / 1.8, 0.2);
  const cell = Math.max(wanted, Math.cbrt(volume / MOST_POINTS));
  const size = extent.map((length) => Math.ceil(length / cell) + 1) as Triple;
  const count = size[0] * size[1] * size[2];
  const values = new Float32Array(count).fill(1);
  const grid = { cell, origin: box.low, size, values, nearest: new Uint16Array(count) };
  for (const own of bySegment(cones)) blendIn(grid, own);
  return grid;
}

export function bySegment(cones: Cone[]): Cone[][] {
  const groups = new Map<number, Cone[]>();
  for (const cone of cones) groups.set(cone.segment, [...(groups.get(cone.segment) ?? []), cone]);
  return [...groups.values()];
}

/** How far a point is outside the nearest of some cones [m]. */
export function nearestDistance(cones: Cone[], x: number, y: number, z: number): number {
  let least = Infinity;
  for (const cone of cones) {
    const away = distance(cone, x, y, z);
    if (away < least) least = away;
  }
  return least;
}

function boxOf(cones: Cone[], margin: number): Box {
  const box: Box = {
    low: [Infinity, Infinity, Infinity],
    high: [-Infinity, -Infinity, -Infinity],
  };
  for (const cone of cones) {
    const reach = Math.max(cone.startRadius, cone.endRadius) + margin;
    for (const point of [cone.start, cone.end]) {
      point.toArray().forEach((value, i) => {
        box.low[i] = Math.min(box.low[i]!, value - reach);
        box.high[i] = Math.max(box.high[i]!, value + reach);
      });
    }
  }
  return box;
}

/** Blends the cones of one segment into the field, leaving out blocks that they do not reach. */
function blendIn(grid: Grid, cones: Cone[]): void {
  const { cell, origin, size } = grid;
  const blend = BLEND * Math.min(...cones.map((c) => Math.min(c.startRadius, c.endRadius)));
  const box = boxOf(cones, blend + 2 * cell);
  const from = box.low.map((low, i) => Math.max(0, Math.floor((low - origin[i]!) / cell)));
  const to = box.high.map((high, i) => Math.min(size[i]!, Math.ceil((high - origin[i]!) / cell)));
  const half = 0.5 * (BLOCK - 1);
  const far = blend + 2 * cell + half * cell * Math.sqrt(3);
  for (let k = from[2]!; k < to[2]!; k += BLOCK) {
    for (let j = from[1]!; j < to[1]!; j += BLOCK) {
      for (let i = from[0]!; i < to[0]!; i += BLOCK) {
        const middle = [i, j, k].map((n, axis) => origin[axis]! + (n + half) * cell) as Triple;
        if (nearestDistance(cones, ...middle) < far) blendBlock(grid, cones, blend, [i, j, k]);
      }
    }
  }
}

function blendBlock(grid: Grid, cones: Cone[], blend: number, [i0, j0, k0]: Triple): void {
  const { cell, origin, size, values, nearest } = grid;
  const { segment } = cones[0]!;
  for (let k = k0; k < Math.min(k0 + BLOCK, size[2]); k++) {
    for (let j = j0; j < Math.min(j0 + BLOCK, size[1]); j++) {
      for (let i = i0; i < Math.min(i0 + BLOCK, size[0]); i++) {
        const at = i + size[0] * (j + size[1] * k);
        const [x, y, z] = [origin[0] + i * cell, origin[1] + j * cell, origin[2] + k * cell];
        const own = nearestDistance(cones, x, y, z);
        if (own < values[at]!) nearest[at] = segment;
        values[at] = smoothMinimum(values[at]!, own, blend);
      }
    }
  }
}

/** Quadratic: at most a quarter of `width` below both. */
function smoothMinimum(a: number, b: number, width: number): number {
  const overlap = Math.max(width - Math.abs(a - b), 0) / width;
  return Math.min(a, b) - 0.25 * overlap * overlap * width;
}
