/** How much each vertex of the skin follows each segment: four at most, fading over joints. */

import type { SegmentInfo } from "../messages";
import { type Cone, distance } from "./cones";
import { bySegment } from "./field";

export interface Weights {
  indices: Uint16Array; // four a vertex
  shares: Float32Array; // four a vertex, of sum 1
}

const FADE = 0.3; // of the radius of the nearest segment
const NEIGHBOURS = 4;

export function weightsOf(points: Float32Array, cones: Cone[], segments: SegmentInfo[]): Weights {
  const groups = bySegment(cones);
  const count = points.length / 3;
  const weights = {
    indices: new Uint16Array(NEIGHBOURS * count),
    shares: new Float32Array(NEIGHBOURS * count),
  };
  const away = new Float64Array(segments.length);
  for (let v = 0; v < count; v++) {
    away.fill(Infinity);
    for (const group of groups) {
      let least = Infinity;
      for (const cone of group) {
        const d = distance(cone, points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!);
        if (d < least) least = d;
      }
      away[group[0]!.segment] = least;
    }
    spread(weights, v, away, related(nearestOf(away), segments), fadeOf(groups, away));
  }
  return weights;
}

function nearestOf(away: Float64Array): number {
  let nearest = 0;
  for (let s = 1; s < away.length; s++) if (away[s]! < away[nearest]!) nearest = s;
  return nearest;
}

const relatedCache = new WeakMap<SegmentInfo[], number[][]>();

/** A segment, its parent, children and siblings: only these may share a vertex. */
function related(segment: number, segments: SegmentInfo[]): number[] {
  let table = relatedCache.get(segments);
  if (table === undefined) {
    table = segments.map((own, i) =>
      segments.flatMap((other, j) => {
        const kin = j === i || j === own.parent || other.parent === i;
        return kin || (own.parent >= 0 && other.parent === own.parent) ? [j] : [];
      }),
    );
    relatedCache.set(segments, table);
  }
  return table[segment]!;
}

function fadeOf(groups: Cone[][], away: Float64Array): number {
  const nearest = nearestOf(away);
  const group = groups.find((own) => own[0]!.segment === nearest)!;
  return FADE * Math.max(group[0]!.startRadius, group[0]!.endRadius);
}

function spread(
  weights: Weights,
  vertex: number,
  away: Float64Array,
  candidates: number[],
  fade: number,
): void {
  const least = Math.min(...candidates.map((s) => away[s]!));
  const best = candidates
    .map((s) => ({ s, share: Math.exp(-(away[s]! - least) / fade) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, NEIGHBOURS);
  const sum = best.reduce((total, { share }) => total + share, 0);
  best.forEach(({ s, share }, n) => {
    weights.indices[NEIGHBOURS * vertex + n] = s;
    weights.shares[NEIGHBOURS * vertex + n] = share / sum;
  });
}
