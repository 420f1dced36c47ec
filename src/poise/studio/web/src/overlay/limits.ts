/** Limits: joints that are at one, and the range of one joint with where it stands now. */

import { Vector3 } from "three";
import { segmentPosition } from "../anatomy";
import { inDegrees } from "../format";
import type { PoseFrame } from "../frames";
import { type FigureInfo, type LimitShape, PRESSES } from "../messages";
import type { View } from "../view/camera";
import { across, arc, type Brush } from "./brush";
import { toLine } from "./gizmo";

const RADIUS = 58; // of an arc [px]
const REACH = 8;

/** Segments whose joints are at a limit; true where the limit holds a goal off. */
export function limitedSegments(figure: FigureInfo, pose: PoseFrame): Map<number, boolean> {
  const found = new Map<number, boolean>();
  figure.dofs.forEach((dof, i) => {
    const bits = pose.limits[i]!;
    if (bits === 0) return;
    found.set(dof.segment, (found.get(dof.segment) ?? false) || (bits & PRESSES) !== 0);
  });
  return found;
}

export function drawLimited(brush: Brush, figure: FigureInfo, pose: PoseFrame): void {
  for (const [segment, presses] of limitedSegments(figure, pose)) {
    const at = segmentPosition(pose, segment);
    brush.glow(at, presses ? 26 : 16, brush.palette.limit);
    brush.dot(at, presses ? 4 : 2.5, brush.palette.limit, brush.palette.halo);
  }
}

interface Dial {
  origin: Vector3;
  axis: Vector3;
  /** Where the joint points now, as long as the dial's radius. */
  pointer: Vector3;
}

function dialOf(shape: LimitShape, view: View): Dial {
  const origin = new Vector3(...shape.origin);
  const axis = new Vector3(...shape.axis).normalize();
  const length = RADIUS * view.pixelAt(origin);
  const given = new Vector3(...shape.pointer);
  const pointer = shape.kind === "arc" ? across(axis, given) : given.normalize();
  return { origin, axis, pointer: pointer.multiplyScalar(length) };
}

/** The ring under the pointer, as an index into `shapes`; null if none. */
export function ringNear(shapes: LimitShape[], view: View, x: number, y: number): number | null {
  let best: number | null = null;
  let least = REACH;
  shapes.forEach((shape, i) => {
    if (shape.kind !== "arc") return;
    const { origin, axis, pointer } = dialOf(shape, view);
    const ring = arc(origin, axis, pointer, [-Math.PI, Math.PI]).map((p) => view.project(p));
    const away = toLine(ring, x, y);
    if (away < least) {
      least = away;
      best = i;
    }
  });
  return best;
}

/** Where each ring can be taken: at its pointer, on the screen. */
export function ringTips(
  shapes: LimitShape[],
  view: View,
): { dof: number; x: number; y: number }[] {
  return shapes
    .filter((shape) => shape.kind === "arc")
    .map((shape) => {
      const { origin, pointer } = dialOf(shape, view);
      const { x, y } = view.project(pointer.add(origin));
      return { dof: shape.dofs[0]!, x, y };
    });
}

/** The ranges of a joint. `hot` is the ring under the pointer; `names` those of the DOFs. */
export function drawRanges(
  brush: Brush,
  shapes: LimitShape[],
  names: (dof: number) => string,
  { rings, hot }: { rings: boolean; hot: number | null },
): void {
  let colour = 0;
  shapes.forEach((shape, i) => {
    if (shape.kind === "cone") drawCone(brush, shape);
    else if (shape.kind === "arc") {
      const look = { colour: brush.palette.axes[colour++ % 3]!, rings, lit: hot === i };
      drawArc(brush, shape, names(shape.dofs[0]!), look);
    }
  });
}

function drawArc(
  brush: Brush,
  shape: LimitShape,
  name: string,
  { colour, rings, lit }: { colour: string; rings: boolean; lit: boolean },
): void {
  const { origin, axis, pointer } = dialOf(shape, brush.view);
  const from = (shape.lower ?? shape.value - Math.PI) - shape.value;
  const to = (shape.upper ?? shape.value + Math.PI) - shape.value;
  const range = arc(origin, axis, pointer, [from, to]);
  const open = shape.lower === null || shape.upper === null;
  brush.area([origin, ...range], colour, lit ? 0.26 : 0.12);
  if (rings)
    brush.line(arc(origin, axis, pointer, [-Math.PI, Math.PI]), { colour, width: 1, alpha: 0.35 });
  brush.rimmed(range, { colour, width: lit ? 4 : 2.2, dash: open ? [4, 5] : [] });
  const tip = pointer.clone().add(origin);
  brush.line([origin, tip], { colour, width: 1.5, alpha: 0.8 });
  brush.dot(tip, lit ? 5.5 : 4, colour, brush.palette.halo);
  if (lit || !rings) brush.label(tip, `${name} ${inDegrees(shape.value)}`, brush.palette.text);
}

function drawCone(brush: Brush, shape: LimitShape): void {
  const { origin, axis, pointer } = dialOf(shape, brush.view);
  const half = shape.upper ?? Math.PI;
  const side = across(axis, pointer);
  const length = pointer.length();
  const edge = axis.clone().multiplyScalar(length * Math.cos(half));
  edge.addScaledVector(side, length * Math.sin(half));
  const rim = arc(origin, axis, edge, [-Math.PI, Math.PI]);
  const colour = brush.palette.limit;
  brush.area(rim, colour, 0.12);
  brush.rimmed(rim, { colour, width: 2 });
  for (const k of [0, 16, 32, 48]) brush.line([origin, rim[k]!], { colour, width: 1, alpha: 0.5 });
  const tip = pointer.add(origin);
  brush.line([origin, tip], { colour: brush.palette.text, width: 2 });
  brush.dot(tip, 4, colour, brush.palette.halo);
}
