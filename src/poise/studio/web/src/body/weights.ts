/** How much each vertex of the skin follows each segment: four at most, fading over joints. */

import type { SegmentInfo } from "../messages";
import type { Cone } from "./cones";
import { bySegment, nearestDistance } from "./field";
import type { Surface } from "./surface";

export interface Weights {
  indices: Uint16Array; // four a vertex
  shares: Float32Array; // four a vertex, of sum 1
}

const FADE = 0.3; // of the radius of the nearest segment
const MOST = 4; // segments that a vertex follows
const ROUNDS = 4; // of smoothing over the surface

export function weightsOf(surface: Surface, cones: Cone[], segments: SegmentInfo[]): Weights {
  let shares = sharesOf(surface, cones, segments);
  for (let round = 0; round < ROUNDS; round++)
    shares = smoothed(shares, surface.triangles, segments.length);
  return strongest(shares, segments.length);
}

/** The share of each segment in each vertex, from the distances of their cones. */
function sharesOf(surface: Surface, cones: Cone[], segments: SegmentInfo[]): Float32Array {
  const { points, nearest } = surface;
  const bodies = new Map(bySegment(cones).map((own) => [own[0]!.segment, own] as const));
  const relatives = relativesOf(segments).map((own) => own.filter((s) => bodies.has(s)));
  const shares = new Float32Array(nearest.length * segments.length);
  for (let v = 0; v < nearest.length; v++) {
    const [x, y, z] = [points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!];
    const { startRadius, endRadius } = bodies.get(nearest[v]!)![0]!;
    const fade = FADE * Math.max(startRadius, endRadius);
    const own = relatives[nearest[v]!]!;
    const away = own.map((segment) => nearestDistance(bodies.get(segment)!, x, y, z));
    const least = Math.min(...away);
    own.forEach((segment, n) => {
      shares[v * segments.length + segment] = Math.exp((least - away[n]!) / fade);
    });
  }
  return shares;
}

/** Every vertex with the mean of its neighbours added: no crease tears. */
function smoothed(shares: Float32Array, triangles: Uint32Array, count: number): Float32Array {
  const sums = shares.slice();
  for (let t = 0; t < triangles.length; t++) {
    const from = triangles[t]! * count;
    const to = triangles[t - (t % 3) + ((t + 1) % 3)]! * count;
    for (let s = 0; s < count; s++) sums[to + s]! += shares[from + s]!;
  }
  return normalized(sums, count);
}

function normalized(shares: Float32Array, count: number): Float32Array {
  for (let at = 0; at < shares.length; at += count) {
    let sum = 0;
    for (let s = at; s < at + count; s++) sum += shares[s]!;
    for (let s = at; s < at + count; s++) shares[s]! /= sum;
  }
  return shares;
}

/** The four largest shares of each vertex, made to sum to one. */
function strongest(shares: Float32Array, count: number): Weights {
  const vertices = shares.length / count;
  const indices = new Uint16Array(MOST * vertices);
  const kept = new Float32Array(MOST * vertices);
  for (let v = 0; v < vertices; v++) {
    const own = shares.subarray(v * count, (v + 1) * count);
    for (let n = 0; n < MOST; n++) {
      let best = 0;
      for (let s = 1; s < count; s++) if (own[s]! > own[best]!) best = s;
      indices[MOST * v + n] = best;
      kept[MOST * v + n] = own[best]!;
      own[best] = 0;
    }
  }
  return { indices, shares: normalized(kept, MOST) };
}

/** For each segment those at most two joints away, and itself: only these may share a vertex. */
function relativesOf(segments: SegmentInfo[]): number[][] {
  const near = segments.map((own, i) =>
    segments.flatMap((other, j) => (j === i || j === own.parent || other.parent === i ? [j] : [])),
  );
  return near.map((own) => [...new Set(own.flatMap((segment) => near[segment]!))]);
}
