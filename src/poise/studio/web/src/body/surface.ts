/** The surface where a field is zero, as triangles: naive surface nets (S. Gibson, 1998). */

import type { Grid } from "./field";

export interface Surface {
  points: Float32Array; // three a vertex [m]
  nearest: Uint16Array; // the segment nearest to each vertex
  triangles: Uint32Array;
}

const SMOOTHING_ROUNDS = 6;

export function surfaceOf(grid: Grid): Surface {
  const { points, cells, vertexOf } = vertices(grid);
  const surface = {
    points: new Float32Array(points),
    nearest: Uint16Array.from(cells, (cell) => grid.nearest[cell]!),
    triangles: new Uint32Array(faces(grid, cells, vertexOf)),
  };
  for (let round = 0; round < SMOOTHING_ROUNDS; round++) smooth(surface);
  return surface;
}

/** One vertex in each cell that the surface crosses, at the mean of where it crosses the edges. */
function vertices(grid: Grid): { points: number[]; cells: number[]; vertexOf: Int32Array } {
  const { size, values, origin, cell } = grid;
  const [nx, ny, nz] = size;
  const corners = cornerOffsets(nx, ny);
  const vertexOf = new Int32Array(values.length).fill(-1);
  const points: number[] = [];
  const cells: number[] = [];
  for (let k = 0; k < nz - 1; k++) {
    for (let j = 0; j < ny - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        const at = i + nx * (j + ny * k);
        if (Math.abs(values[at]!) > 2 * cell) continue; // too far from the surface to cross it
        const mean = crossing(values, at, corners);
        if (mean === null) continue;
        vertexOf[at] = cells.length;
        cells.push(at);
        points.push(
          origin[0] + cell * (i + mean[0]),
          origin[1] + cell * (j + mean[1]),
          origin[2] + cell * (k + mean[2]),
        );
      }
    }
  }
  return { points, cells, vertexOf };
}

/** Offsets of a cell's corners; bit 0 of the index is x, bit 1 y, bit 2 z. */
function cornerOffsets(nx: number, ny: number): number[] {
  return Array.from({ length: 8 }, (_, c) => (c & 1) + nx * (((c >> 1) & 1) + ny * (c >> 2)));
}

const EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((a) =>
  [1, 2, 4].filter((bit) => (a & bit) === 0).map((bit) => [a, a | bit] as const),
);

function crossing(
  values: Float32Array,
  at: number,
  corners: number[],
): [number, number, number] | null {
  let inside = 0;
  for (const offset of corners) if (values[at + offset]! < 0) inside++;
  if (inside === 0 || inside === 8) return null;
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const [a, b] of EDGES) {
    const va = values[at + corners[a]!]!;
    const vb = values[at + corners[b]!]!;
    if (va < 0 === vb < 0) continue;
    const share = va / (va - vb);
    for (let axis = 0; axis < 3; axis++) {
      const from = (a >> axis) & 1;
      sum[axis]! += from + share * (((b >> axis) & 1) - from);
    }
    count++;
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** Two triangles about each grid edge that the surface crosses, facing outwards. */
function faces(grid: Grid, cells: number[], vertexOf: Int32Array): number[] {
  const [nx, ny] = grid.size;
  const steps = [1, nx, nx * ny] as const;
  const triangles: number[] = [];
  for (const at of cells) {
    const inside = grid.values[at]! < 0;
    for (let axis = 0; axis < 3; axis++) {
      if (inside === grid.values[at + steps[axis]!]! < 0) continue;
      const u = steps[(axis + 1) % 3]!;
      const v = steps[(axis + 2) % 3]!;
      const quad = [at, at - u, at - u - v, at - v].map((cell) => vertexOf[cell]!);
      const [a, b, c, d] = inside ? quad : quad.reverse();
      triangles.push(a!, b!, c!, a!, c!, d!);
    }
  }
  return triangles;
}

/** Moves every vertex half way to the mean of its neighbours. */
function smooth(surface: Surface): void {
  const { points, triangles } = surface;
  const sums = new Float32Array(points.length);
  const counts = new Uint16Array(points.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const a = triangles[t + corner]!;
      const b = triangles[t + ((corner + 1) % 3)]!;
      for (let axis = 0; axis < 3; axis++) sums[3 * a + axis]! += points[3 * b + axis]!;
      counts[a]!++;
    }
  }
  for (let i = 0; i < points.length; i++) {
    const count = counts[Math.floor(i / 3)]!;
    if (count > 0) points[i] = 0.5 * points[i]! + (0.5 * sums[i]!) / count;
  }
}
