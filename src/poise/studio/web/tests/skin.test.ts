import { Vector3 } from "three";
import { expect, test } from "vitest";
import { type Cone, distance } from "../src/body/cones";
import { COARSE, fieldOf } from "../src/body/field";
import { surfaceOf } from "../src/body/surface";
import { weightsOf } from "../src/body/weights";
import type { SegmentInfo } from "../src/messages";

const CONES: Cone[] = [0, 1, 2].map((i) => ({
  segment: i,
  start: new Vector3(0, 0.4 * i, 0),
  end: new Vector3(0, 0.4 * (i + 1), 0),
  startRadius: 0.08,
  endRadius: 0.06,
}));
const SEGMENTS = CONES.map((_, i) => ({ parent: i - 1 })) as SegmentInfo[];

test("the skin is closed, faces outwards and lies near the cones", () => {
  const { points, triangles } = surfaceOf(fieldOf(CONES, COARSE));
  const edges = new Map<string, number>();
  let volume = 0;
  const at = (v: number) => new Vector3().fromArray(points, 3 * v);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!];
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      edges.set(`${from} ${to}`, (edges.get(`${from} ${to}`) ?? 0) + 1);
    }
    volume += at(a).dot(at(b).cross(at(c))) / 6;
  }
  for (const edge of edges.keys())
    expect(edges.has(edge.split(" ").reverse().join(" "))).toBe(true);
  expect(volume).toBeGreaterThan(0.015);
  for (let v = 0; v < points.length / 3; v++) {
    const [x, y, z] = at(v).toArray();
    const away = Math.min(...CONES.map((cone) => distance(cone, x, y, z)));
    expect(Math.abs(away)).toBeLessThan(0.03);
  }
});

test("every vertex follows the segments about it, in shares that sum to one", () => {
  const surface = surfaceOf(fieldOf(CONES, COARSE));
  const { indices, shares } = weightsOf(surface, CONES, SEGMENTS);
  for (let v = 0; v < surface.nearest.length; v++) {
    const own = shares.subarray(4 * v, 4 * v + 4);
    expect(own.reduce((sum, share) => sum + share)).toBeCloseTo(1, 5);
    const y = surface.points[3 * v + 1]!;
    if (y > 0.1 && y < 0.3) expect(indices[4 * v]).toBe(0);
    if (y > 0.9) expect(indices[4 * v]).toBe(2);
  }
});
