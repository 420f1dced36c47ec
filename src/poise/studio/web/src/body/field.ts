/** A distance field on a grid: the cones of each segment joined, segments blended over joints. */

import { type Cone, distance } from "./cones";

export interface Grid {
  cell: number;
  origin: [number, number, number];
  size: [number, number, number];
  values: Float32Array;
}

const FINEST = 0.0065; // of a human's skin [m]
const MOST_POINTS = 12e6;
const BLEND = 0.5; // of the thinnest radius of a segment

type Box = { low: [number, number, number]; high: [number, number, number] };

export function fieldOf(cones: Cone[]): Grid {
  const box = boxOf(cones, 0.03);
  const extent = box.high.map((high, i) => high - box.low[i]!) as [number, number, number];
  const height = Math.max(...extent);
  const volume = extent[0] * extent[1] * extent[2];
  const cell = Math.max(FINEST * Math.max(height / 1.8, 0.2), Math.cbrt(volume / MOST_POINTS));
  const size = extent.map((length) => Math.ceil(length / cell) + 1) as [number, number, number];
  const grid = {
    cell,
    origin: box.low,
    size,
    values: new Float32Array(size[0] * size[1] * size[2]),
  };
  grid.values.fill(1);
  for (const own of bySegment(cones)) blendIn(grid, own);
  return grid;
}

export function bySegment(cones: Cone[]): Cone[][] {
  const groups = new Map<number, Cone[]>();
  for (const cone of cones) groups.set(cone.segment, [...(groups.get(cone.segment) ?? []), cone]);
  return [...groups.values()];
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

function blendIn(grid: Grid, cones: Cone[]): void {
  const { cell, origin, size, values } = grid;
  const blend = BLEND * Math.min(...cones.map((c) => Math.min(c.startRadius, c.endRadius)));
  const box = boxOf(cones, blend + 2 * cell);
  const from = box.low.map((low, i) => Math.max(0, Math.floor((low - origin[i]!) / cell)));
  const to = box.high.map((high, i) =>
    Math.min(size[i]! - 1, Math.ceil((high - origin[i]!) / cell)),
  );
  for (let k = from[2]!; k <= to[2]!; k++) {
    const z = origin[2] + k * cell;
    for (let j = from[1]!; j <= to[1]!; j++) {
      const y = origin[1] + j * cell;
      for (let i = from[0]!; i <= to[0]!; i++) {
        const x = origin[0] + i * cell;
        let own = Infinity;
        for (const cone of cones) {
          const away = distance(cone, x, y, z);
          if (away < own) own = away;
        }
        const at = i + size[0] * (j + size[1] * k);
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
