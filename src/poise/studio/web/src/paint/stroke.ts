/** A stroke of the rigidity brush: what it touches gets its strength, when the button goes up. */

import { computed, signal } from "@preact/signals";
import { segmentOnRay } from "../anatomy";
import type { Gesture } from "../interaction/gestures";
import type { FigureInfo } from "../messages";
import { send } from "../session";
import * as store from "../store";
import type { View } from "../view/camera";
import { jointOf, rigidities } from "./rigidity";

const STEP = 4; // between the places of a stroke that are looked at [px]

/** What the brush gives, from 0 (free) to 1 (frozen). */
export const strength = signal(1);

/** The stroke under way: the joints that it has touched, by their segments. */
const stroke = signal<{ joints: ReadonlySet<number>; rigidity: number } | null>(null);

/** Of each segment what is drawn of its rigidity; null while the brush is put away. */
export const painted = computed<number[] | null>(() => {
  const figure = store.figure.value;
  if (store.tool.value !== "paint" || figure === null) return null;
  const values = rigidities(figure);
  if (stroke.value === null) return values;
  const { joints, rigidity } = stroke.value;
  return values.map((own, segment) => {
    const joint = jointOf(figure, segment);
    return joint !== null && joints.has(joint) ? rigidity : own;
  });
});

/** A stroke that begins at (x, y) of the view; null where there is no body. */
export function strokeGesture(view: View, x: number, y: number, erases: boolean): Gesture | null {
  const rigidity = erases ? 0 : strength.value;
  let last = { x, y };
  if (jointAt(view, x, y) === null) return null;
  touch([jointAt(view, x, y)], rigidity);
  return {
    move(x, y) {
      touch(jointsAlong(view, last, { x, y }), rigidity);
      last = { x, y };
    },
    end() {
      void finish();
    },
    cancel() {
      stroke.value = null;
    },
  };
}

/** Frees every joint. */
export function freeAll(): void {
  void give(store.figure.value?.segments.map((_, segment) => segment) ?? [], 0);
}

function jointAt(view: View, x: number, y: number): number | null {
  const { figure, pose } = { figure: store.figure.value, pose: store.pose.value };
  if (figure === null || pose === null) return null;
  const segment = segmentOnRay(figure, pose, view.ray(x, y));
  return segment === null ? null : jointOf(figure, segment);
}

/** The joints on the way of the pointer: a fast hand leaves no gaps. */
function jointsAlong(
  view: View,
  from: { x: number; y: number },
  to: { x: number; y: number },
): (number | null)[] {
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP));
  return Array.from({ length: steps }, (_, k) => {
    const share = (k + 1) / steps;
    return jointAt(view, from.x + share * (to.x - from.x), from.y + share * (to.y - from.y));
  });
}

function touch(found: (number | null)[], rigidity: number): void {
  const joints = new Set(stroke.value?.joints);
  const before = joints.size;
  for (const joint of found) if (joint !== null) joints.add(joint);
  if (stroke.value === null || joints.size > before) stroke.value = { joints, rigidity };
}

async function finish(): Promise<void> {
  const { joints, rigidity } = stroke.value!;
  await give([...joints], rigidity);
  stroke.value = null; // not before: the body would show the old colours in between
}

async function give(joints: number[], rigidity: number): Promise<void> {
  const figure: FigureInfo = store.figure.value!;
  const dofs = joints
    .flatMap((joint) => figure.segments[joint]!.dofs)
    .map((dof) => figure.dofs[dof]!)
    .filter((dof) => dof.rigidity !== rigidity)
    .map((dof) => dof.name);
  if (dofs.length > 0) await send({ type: "set-rigidity", dofs, rigidity });
}
