import { BufferAttribute, BufferGeometry, Color } from "three";
import { expect, test } from "vitest";
import type { FigureInfo } from "../src/messages";
import { jointOf, rigidities } from "../src/paint/rigidity";
import { tint } from "../src/paint/tint";

const FIGURE = {
  segments: [
    { parent: -1, dofs: [] },
    { parent: 0, dofs: [0, 1] },
    { parent: 1, dofs: [] },
    { parent: 2, dofs: [2] },
  ],
  dofs: [{ rigidity: 0.5 }, { rigidity: 1 }, { rigidity: 0 }],
} as unknown as FigureInfo;

test("a segment without a joint is moved by the one above", () => {
  expect([0, 1, 2, 3].map((own) => jointOf(FIGURE, own))).toEqual([null, 1, 1, 3]);
  expect(rigidities(FIGURE)).toEqual([1, 0.75, 0.75, 0]);
});

test("a vertex has the colours of its segments, by its shares", () => {
  const geometry = new BufferGeometry();
  const indices = new Uint16Array([0, 1, 0, 0, 1, 0, 0, 0]);
  geometry.setAttribute("skinIndex", new BufferAttribute(indices, 4));
  const shares = new Float32Array([0.75, 0.25, 0, 0, 1, 0, 0, 0]);
  geometry.setAttribute("skinWeight", new BufferAttribute(shares, 4));
  tint(geometry, [0, 1], [new Color(0, 0, 0), new Color(1, 0.5, 0)]);
  expect([...geometry.getAttribute("color").array]).toEqual([0.25, 0.125, 0, 1, 0.5, 0]);
});
