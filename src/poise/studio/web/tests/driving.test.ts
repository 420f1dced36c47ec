import { expect, test } from "vitest";
import { driveOfKeys, driveOfPad, FASTEST, paced, SLOWEST } from "../src/walk/driving";

const NONE = { value: 0 };

test("keys go forward, turn, run and halt", () => {
  expect(driveOfKeys(new Set(), 1.3)).toEqual({ speed: 0, turn: 0 });
  expect(driveOfKeys(new Set(["KeyW"]), 1.3)).toEqual({ speed: 1.3, turn: 0 });
  expect(driveOfKeys(new Set(["ArrowUp", "KeyA"]), 1).turn).toBeGreaterThan(0);
  expect(driveOfKeys(new Set(["ArrowRight"]), 1).turn).toBeLessThan(0);
  expect(driveOfKeys(new Set(["KeyA", "KeyD"]), 1).turn).toBe(0);
  expect(driveOfKeys(new Set(["KeyW", "ShiftLeft"]), 1).speed).toBeGreaterThan(1.5);
  expect(driveOfKeys(new Set(["KeyW", "KeyS"]), 1).speed).toBe(0);
});

test("a stick drives by how far it is moved, and rests in the middle", () => {
  const buttons = Array.from({ length: 8 }, () => NONE);
  expect(driveOfPad({ axes: [0.05, -0.05], buttons }, 1.3)).toBeNull();
  const full = driveOfPad({ axes: [0, -1], buttons }, 1.3)!;
  expect(full).toEqual({ speed: 1.3, turn: 0 });
  const half = driveOfPad({ axes: [-0.5, -0.5], buttons }, 1.3)!;
  expect(half.speed).toBeGreaterThan(0.3);
  expect(half.speed).toBeLessThan(0.9);
  expect(half.turn).toBeGreaterThan(0);
  const run = driveOfPad({ axes: [0, -1], buttons: [...buttons.slice(0, 7), { value: 1 }] }, 1.3)!;
  expect(run.speed).toBeGreaterThan(2);
  expect(driveOfPad({ axes: [0, 1], buttons }, 1.3)!.speed).toBe(0);
});

test("the pace stays between slowest and fastest", () => {
  expect(paced(1.3, 1)).toBeCloseTo(1.4);
  expect(paced(1.3, -100)).toBe(SLOWEST);
  expect(paced(1.3, 100)).toBe(FASTEST);
});
