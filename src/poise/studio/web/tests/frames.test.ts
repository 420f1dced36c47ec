import { expect, test } from "vitest";
import { type CrowdFrame, decodeFrame, encodeMove, type PoseFrame } from "../src/frames";
import { CROWD, GHOSTS, GHOSTS_HEADER, GOAL, POSE, POSE_HEADER, TURNED } from "../src/messages";

test("a goal with a turn is laid out as the session reads it", () => {
  const move = { kind: "goal", drag: 7, position: [1, 2, 3], rotation: [1, 0, 0, 0] } as const;
  const view = new DataView(encodeMove(move, 42));
  expect(view.byteLength).toBe(8 + 4 + 7 * 4);
  expect([view.getUint8(0), view.getUint8(1)]).toEqual([GOAL, TURNED]);
  expect([view.getUint32(4, true), view.getUint32(8, true)]).toEqual([42, 7]);
  expect([12, 16, 20, 24].map((at) => view.getFloat32(at, true))).toEqual([1, 2, 3, 1]);
});

test("an angle and a time keep their values", () => {
  const angle = new DataView(encodeMove({ kind: "angle", drag: 1, dof: 5, value: 0.5 }, 2));
  expect([angle.getUint32(12, true), angle.getFloat32(16, true)]).toEqual([5, 0.5]);
  const time = new DataView(encodeMove({ kind: "time", time: 1 / 3 }, 3));
  expect(time.getFloat64(8, true)).toBe(1 / 3);
});

test("a pose is read part by part", () => {
  const view = new DataView(new ArrayBuffer(POSE_HEADER + 28 + 8 + 12 + 2));
  view.setUint8(0, POSE);
  view.setUint16(2, 1, true);
  view.setUint32(4, 9, true);
  view.setUint16(12, 1, true);
  view.setUint16(14, 2, true);
  view.setFloat32(POSE_HEADER, 1.5, true);
  view.setFloat32(POSE_HEADER + 28, 0.25, true);
  view.setUint32(POSE_HEADER + 36, 3, true);
  view.setFloat32(POSE_HEADER + 40, 0.125, true);
  view.setUint8(POSE_HEADER + 49, 2);
  const pose = decodeFrame(view.buffer) as PoseFrame;
  expect(pose.sequence).toBe(9);
  expect(pose.transforms[0]).toBe(1.5);
  expect([...pose.angles]).toEqual([0.25, 0]);
  expect(pose.goals).toEqual([{ id: 3, position: 0.125, angle: 0 }]);
  expect([...pose.limits]).toEqual([0, 2]);
});

test("ghosts are read, and other kinds are refused", () => {
  const view = new DataView(new ArrayBuffer(GHOSTS_HEADER + 2 * 32));
  view.setUint8(0, GHOSTS);
  view.setUint16(2, 2, true);
  view.setUint16(8, 1, true);
  view.setFloat32(GHOSTS_HEADER + 32, 0.5, true);
  const frame = decodeFrame(view.buffer);
  expect("poses" in frame && frame.poses.map((ghost) => ghost.time)).toEqual([0, 0.5]);
  expect(() => decodeFrame(new ArrayBuffer(8))).toThrow("kind 0");
});

test("a crowd is read in one run", () => {
  const view = new DataView(new ArrayBuffer(GHOSTS_HEADER + 3 * 2 * 28));
  view.setUint8(0, CROWD);
  view.setUint16(2, 3, true);
  view.setUint16(8, 2, true);
  view.setFloat32(GHOSTS_HEADER + 5 * 28, 1.5, true);
  const frame = decodeFrame(view.buffer) as CrowdFrame;
  expect(frame.walkers).toBe(3);
  expect(frame.transforms.length).toBe(42);
  expect(frame.transforms[35]).toBe(1.5);
});
