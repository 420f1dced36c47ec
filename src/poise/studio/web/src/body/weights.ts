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

export function weightsOf(surface: Surface, cones: Cone[], segments: SegmentInfo[]): Weights {
  const { points, nearest } = surface;
  const bodies = new Map(bySegment(cones).map((own) => [own[0]!.segment, own] as const));
  const relatives = relativesOf(segments).map((own) => own.filter((s) => bodies.has(s)));
  const weights = {
    indices: new Uint16Array(MOST * nearest.length),
    shares: new Float32Array(MOST * nearest.length),
  };
  for (let v = 0; v < nearest.length; v++) {
    const [x, y, z] = [points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!];
    const { startRadius, endRadius } = bodies.get(nearest[v]!)![0]!;
    const fade = FADE * Math.max(startRadius, endRadius);
    const best = relatives[nearest[v]!]!.map((segment) => ({
      segment,
      away: nearestDistance(bodies.get(segment)!, x, y, z),
    }))
      .sort((a, b) => a.away - b.away)
      .slice(0, MOST);
    const shares = best.map((own) => Math.exp((best[0]!.away - own.away) / fade));
    const sum = shares.reduce((total, share) => total + share, 0);
    best.forEach(({ segment }, n) => {
      weights.indices[MOST * v + n] = segment;
      weights.shares[MOST * v + n] = shares[n]! / sum;
    });
  }
  return weights;
}

/** For each segment those at most two joints away, and itself: only these may share a vertex. */
function relativesOf(segments: SegmentInfo[]): number[][] {
  const near = segments.map((own, i) =>
    segments.flatMap((other, j) => (j === i || j === own.parent || other.parent === i ? [j] : [])),
  );
  return near.map((own) => [...new Set(own.flatMap((segment) => near[segment]!))]);
}
