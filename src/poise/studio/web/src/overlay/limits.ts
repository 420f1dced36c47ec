/** Limits: joints that are at one, and the range of one joint with where it stands now. */

import { Vector3 } from "three";
import { segmentPosition } from "../anatomy";
import { inDegrees, length } from "../format";
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
  const pointer = turnsJoint(shape) ? across(axis, given) : given.normalize();
  return { origin, axis, pointer: pointer.multiplyScalar(length) };
}

/** Whether a shape is one that the joint can be turned by. */
function turnsJoint({ kind }: LimitShape): boolean {
  return kind === "arc" || kind === "ring";
}

/** The ring under the pointer, as an index into `shapes`; null if none. */
export function ringNear(shapes: LimitShape[], view: View, x: number, y: number): number | null {
  let best: number | null = null;
  let least = REACH;
  shapes.forEach((shape, i) => {
    if (!turnsJoint(shape)) return;
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

const BESIDE = 0.6; // of its pointer, where rings about other axes may meet [rad]

/** Where each ring can be taken, on the screen. */
export function ringTips(
  shapes: LimitShape[],
  view: View,
): { dof: number; x: number; y: number }[] {
  return shapes.filter(turnsJoint).map((shape) => {
    const { origin, axis, pointer } = dialOf(shape, view);
    const { x, y } = view.project(pointer.applyAxisAngle(axis, BESIDE).add(origin));
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
    else if (shape.kind === "slide") drawSlide(brush, shape);
    else if (shape.kind === "arc" || rings) {
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
  if (shape.lower !== null || shape.upper !== null || lit)
    brush.area([origin, ...range], colour, lit ? 0.26 : 0.12);
  if (rings)
    brush.line(arc(origin, axis, pointer, [-Math.PI, Math.PI]), { colour, width: 1, alpha: 0.35 });
  brush.rimmed(range, { colour, width: lit ? 4 : 2.2, dash: open ? [4, 5] : [] });
  const tip = pointer.clone().add(origin);
  brush.line([origin, tip], { colour, width: 1.5, alpha: 0.8 });
  brush.dot(tip, lit ? 5.5 : 4, colour, brush.palette.halo);
  const label = shape.kind === "ring" ? name : `${name} ${inDegrees(shape.value)}`;
  if (lit || !rings) brush.label(tip, label, brush.palette.text);
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
  const label = `swing ${inDegrees(shape.value)} of ${inDegrees(half)}`;
  brush.label(tip, label, brush.palette.text, 14, 24); // below those of the rings
}

/** From end to end, where both are; a joint that slides freely has nothing to show. */
function drawSlide(brush: Brush, shape: LimitShape): void {
  if (shape.lower === null || shape.upper === null) return;
  const start = new Vector3(...shape.origin);
  const axis = new Vector3(...shape.axis).normalize();
  const at = (value: number) => start.clone().addScaledVector(axis, value);
  const colour = brush.palette.limit;
  brush.rimmed([at(shape.lower), at(shape.upper)], { colour, width: 2.2 });
  for (const end of [shape.lower, shape.upper]) brush.dot(at(end), 3, colour, brush.palette.halo);
  brush.dot(at(shape.value), 4, brush.palette.text, brush.palette.halo);
  brush.label(at(shape.value), length(shape.value), brush.palette.text);
}
