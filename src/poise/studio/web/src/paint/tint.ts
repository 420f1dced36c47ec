/** Colours a skin by a number of each segment, from 0 to 1, fading where segments meet. */

import { BufferAttribute, type BufferGeometry, type Color } from "three";

/** `ends`: the colours of 0 and of 1. */
export function tint(geometry: BufferGeometry, values: number[], ends: [Color, Color]): void {
  const indices = geometry.getAttribute("skinIndex");
  const shares = geometry.getAttribute("skinWeight");
  const colours = new Float32Array(3 * indices.count);
  const [from, to] = ends.map((colour) => colour.toArray());
  for (let v = 0; v < indices.count; v++) {
    let value = 0;
    for (let k = 0; k < 4; k++)
      value += shares.getComponent(v, k) * values[indices.getComponent(v, k)]!;
    for (let c = 0; c < 3; c++) colours[3 * v + c] = from![c]! + value * (to![c]! - from![c]!);
  }
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
}
