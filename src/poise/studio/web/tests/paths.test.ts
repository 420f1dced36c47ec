import { Vector3 } from "three";
import { expect, test } from "vitest";
import { linePath, planePath, turnAngle } from "../src/interaction/paths";
import { FINE, FinePointer } from "../src/interaction/pointer";
import { View } from "../src/view/camera";

function view(): View {
  const own = new View();
  own.resize(800, 600);
  return own;
}

const START = new Vector3(0.2, 1.2, 0.1);

test("a free drag stays under the pointer, on the plane it began on", () => {
  const own = view();
  const { x, y } = own.project(START);
  const taken = new FinePointer(x + 5, y - 3); // beside the handle: nothing may jump
  const path = planePath(own, START, own.forward(), taken);
  expect(path(taken).distanceTo(START)).toBeLessThan(1e-9);
  taken.follow(x + 105, y + 47, false);
  const end = path(taken);
  expect(own.project(end).x).toBeCloseTo(x + 100, 3);
  expect(own.project(end).y).toBeCloseTo(y + 50, 3);
  expect(own.forward().dot(end.sub(START))).toBeCloseTo(0, 9);
});

test("a drag along an axis changes nothing else", () => {
  const own = view();
  const { x, y } = own.project(START);
  const taken = new FinePointer(x, y);
  const path = linePath(own, START, new Vector3(0, 1, 0), taken);
  taken.follow(x + 30, y - 80, false);
  const end = path(taken);
  expect([end.x, end.z]).toEqual([START.x, START.z]);
  expect(end.y).toBeGreaterThan(START.y + 0.1);
});

test("a turn about an axis towards the eye follows the pointer round, more than once", () => {
  const own = view();
  const { x, y } = own.project(START);
  const pointer = new FinePointer(x + 50, y);
  const angle = turnAngle(own, START, own.forward().negate(), pointer);
  let turned = 0;
  for (let k = 1; k <= 50; k++) {
    const at = (2.5 * Math.PI * k) / 50; // against the clock, y down
    pointer.follow(x + 50 * Math.cos(at), y - 50 * Math.sin(at), false);
    turned = angle(pointer);
  }
  expect(turned).toBeCloseTo(2.5 * Math.PI, 6);
});

test("Shift slows the pointer down and nothing jumps when it is let go", () => {
  const pointer = new FinePointer(0, 0);
  pointer.follow(100, 0, true);
  expect(pointer.x).toBeCloseTo(100 * FINE);
  pointer.follow(110, 0, false);
  expect(pointer.x).toBeCloseTo(100 * FINE + 10);
});
