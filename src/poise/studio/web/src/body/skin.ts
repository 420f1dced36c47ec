/** The skin of a figure, laid about its cones: plain arrays, so that a worker can make it. */

import type { FigureInfo } from "../messages";
import { bodyCones } from "./cones";
import { fieldOf } from "./field";
import { surfaceOf } from "./surface";
import { type Weights, weightsOf } from "./weights";

export interface Skin extends Weights {
  points: Float32Array; // three a vertex, in the bind pose [m]
  triangles: Uint32Array;
}

/** `detail`: FINE or COARSE of field.ts. */
export function skinOf(figure: FigureInfo, detail: number): Skin {
  const cones = bodyCones(figure);
  const { points, nearest, triangles } = surfaceOf(fieldOf(cones, detail));
  return {
    points,
    triangles,
    ...weightsOf({ points, nearest, triangles }, cones, figure.segments),
  };
}
