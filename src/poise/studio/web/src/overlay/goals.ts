/** Goals that are not where their handle is: the target, and the gap that is left. */

import { Vector3 } from "three";
import { sitePosition } from "../anatomy";
import { length } from "../format";
import type { PoseFrame } from "../frames";
import type { FigureInfo, GoalInfo, SiteInfo } from "../messages";
import type { Brush } from "./brush";
import { hasTarget } from "./handles";

const CLOSE = 0.002; // a gap smaller than this is not drawn [m]

export function drawGoals(
  brush: Brush,
  goals: GoalInfo[],
  sites: Map<string, SiteInfo>,
  pose: PoseFrame,
  /** Where the goal that is being dragged is now. */
  dragged: { effector: string; target: Vector3 } | null,
): void {
  for (const goal of goals) {
    const site = sites.get(goal.effector);
    if (site === undefined || !goal.on) continue;
    const at = sitePosition(pose, site);
    if (dragged?.effector === goal.effector) continue;
    const target = new Vector3(...goal.position);
    const error = pose.goals.find((own) => own.id === goal.id);
    if (hasTarget(goal)) drawElsewhere(brush, goal, at, target);
    else if ((error?.position ?? 0) > CLOSE) drawGap(brush, at, target);
  }
  const site = dragged === null ? undefined : sites.get(dragged.effector);
  if (dragged !== null && site !== undefined) {
    const at = sitePosition(pose, site);
    if (at.distanceTo(dragged.target) > CLOSE) drawGap(brush, at, dragged.target);
  }
}

function drawGap(brush: Brush, at: Vector3, target: Vector3): void {
  const { palette } = brush;
  brush.rimmed([at, target], { colour: palette.gap, width: 1.8, dash: [5, 5] });
  brush.dot(target, 5, palette.halo, palette.gap);
  brush.dot(target, 2, palette.gap);
  brush.label(target, length(at.distanceTo(target)), palette.gap);
}

/** An aim, a line or a plane: its own mark, tied to the handle by a thin line. */
function drawElsewhere(brush: Brush, goal: GoalInfo, at: Vector3, target: Vector3): void {
  const colour = brush.palette.handle;
  brush.line([at, target], { colour, width: 1.2, dash: [2, 5], alpha: 0.8 });
  const direction = new Vector3(...goal.direction).normalize().multiplyScalar(0.5);
  if (goal.kind === "line") {
    const ends = [target.clone().sub(direction), target.clone().add(direction)];
    brush.rimmed(ends, { colour, width: 2 });
  } else if (goal.kind !== "aim") {
    brush.rimmed([target, target.clone().addScaledVector(direction, 0.4)], { colour, width: 2 });
  }
}

/** Bones from joint to joint, and out to the last sites. */
export function drawSkeleton(brush: Brush, figure: FigureInfo, pose: PoseFrame): void {
  const joints = figure.segments.map((_, i) => new Vector3().fromArray(pose.transforms, 7 * i));
  figure.segments.forEach((segment, i) => {
    if (segment.parent < 0) return;
    brush.rimmed([joints[segment.parent]!, joints[i]!], { colour: brush.palette.bone, width: 2 });
  });
  for (const joint of joints) brush.dot(joint, 3, brush.palette.halo, brush.palette.bone);
}
