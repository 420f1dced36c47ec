import { expect, test } from "vitest";
import type { PoseFrame } from "../src/frames";
import type { FigureInfo } from "../src/messages";
import { recorded, type Sample, SPAN } from "../src/plots/record";
import { rowsOf } from "../src/plots/rows";

const FIGURE = {
  segments: [
    { parent: -1, dofs: [0] },
    { parent: 0, dofs: [1, 2] },
    { parent: 1, dofs: [] },
  ],
  dofs: [
    { name: "root_tx", kind: "translation", lower: null, upper: null },
    { name: "knee_flexion", kind: "rotation", lower: 0, upper: 2 },
    { name: "knee_twist", kind: "rotation", lower: -1, upper: 1 },
  ],
} as unknown as FigureInfo;

function pose(angles: number[], errors: number[] = [], revision = 0): PoseFrame {
  return {
    revision,
    solveTime: 0.25,
    angles: new Float32Array(angles),
    limits: new Uint8Array(angles.map((angle) => Number(angle === 2))),
    goals: errors.map((position, id) => ({ id, position, angle: 0 })),
  } as unknown as PoseFrame;
}

const samples = (poses: PoseFrame[], step = 1): Sample[] =>
  poses.map((own, k) => ({ at: k * step, begins: k === 0, pose: own }));

test("pauses are short in the record, and what is old is dropped", () => {
  let kept: Sample[] = [];
  let last = 0;
  for (const now of [0, 0.1, 9, 9.1]) {
    kept = recorded(kept, pose([0, 0, 0]), now, last);
    last = now;
  }
  expect(kept.map(({ at }) => Math.round(10 * at))).toEqual([0, 1, 5, 6]);
  expect(kept.map(({ begins }) => begins)).toEqual([true, false, true, false]);
  for (let k = 1; k < 200; k++) kept = recorded(kept, pose([0, 0, 0]), 10 + k / 10, 9.9 + k / 10);
  expect(kept.at(-1)!.at - kept[0]!.at).toBeLessThanOrEqual(SPAN + 1e-9);
  expect(kept.length).toBe(10 * SPAN + 1);
  expect(recorded(kept, pose([0, 0, 0], [], 1), 99, 98.9).length).toBe(1); // another figure
});

test("an angle is drawn between its limits, and said where it touches one", () => {
  const [knee] = rowsOf(
    samples([pose([0, 0, 0]), pose([0, 1, 0]), pose([0, 2, 0])]),
    FIGURE,
    2,
    new Set(),
  );
  expect(knee!.name).toBe("knee flexion");
  expect(knee!.reading).toBe("114.6°");
  const [first, middle, last] = knee!.lines[0]!.points;
  expect(first!.y).toBeCloseTo(knee!.lower!, 12);
  expect(middle!.y).toBeCloseTo(0.5, 12);
  expect(last!.y).toBeCloseTo(knee!.upper!, 12);
  expect([first!.atLimit, middle!.atLimit, last!.atLimit]).toEqual([false, false, true]);
  expect([last!.x, middle!.x, first!.x].map((x) => SPAN * (1 - x))).toEqual(
    [0, 1, 2].map((past) => expect.closeTo(past, 9)),
  );
});

test("without a selection what moves most is shown, and nothing that stands", () => {
  const rows = rowsOf(samples([pose([0, 0, 0.5]), pose([3, 0, 0.6])]), FIGURE, null, new Set());
  expect(rows.map(({ name }) => name)).toEqual(["root tx", "knee twist", "solve"]);
  expect(rows[0]!.reading).toBe("3.00 m");
  expect(rows[0]!.lower).toBeNull();
});

test("goals are drawn by how far off they are, a decade as high as the next", () => {
  const row = rowsOf(samples([pose([0, 0, 0], [1e-4, 1e-2])]), FIGURE, null, new Set([1]))[0]!;
  const heights = row.lines.map(({ points }) => points[0]!.y);
  expect(heights).toEqual([expect.closeTo(0.2, 9), expect.closeTo(0.6, 9)]);
  expect(row.mark).toBeCloseTo(0.4, 9);
  expect(row.lines.map(({ colour }) => colour)).toEqual(["accent", "pin"]);
  expect(row.reading).toBe("1.0 cm");
});
