/** The points that can be dragged: where they are, which is under the pointer, how they look. */

import { Vector3 } from "three";
import { sitePosition } from "../anatomy";
import { words } from "../format";
import type { PoseFrame } from "../frames";
import type { GoalInfo, GoalKind, SiteInfo } from "../messages";
import type { Screen, View } from "../view/camera";
import type { Brush } from "./brush";

export interface Handle {
  effector: string;
  /** What it looks like; "target" is not on the body: a point to look at, say. */
  kind: SiteInfo["handle"] | "target";
  at: Vector3;
  screen: Screen;
  goal: GoalInfo | undefined;
}

const REACH = 12; // a handle is picked so near [px]
const SIZE = { end: 7, body: 6, pole: 5, none: 0, target: 6 };
/** Kinds whose target is not where the effector should be. */
const ELSEWHERE = new Set<GoalKind>(["aim", "line", "plane", "half-space"]);

/** Whether the target of a goal is drawn apart from its effector, and can be dragged. */
export function hasTarget(goal: GoalInfo): boolean {
  return goal.on && ELSEWHERE.has(goal.kind);
}

export function handlesOf(
  sites: Iterable<SiteInfo>,
  goals: GoalInfo[],
  pose: PoseFrame,
  view: View,
): Handle[] {
  const onBody = [...sites]
    .filter((site) => site.handle !== "none")
    .map((site) => {
      const at = sitePosition(pose, site);
      const goal = goals.find((own) => own.effector === site.name);
      return { effector: site.name, kind: site.handle, at, screen: view.project(at), goal };
    });
  const targets = goals.filter(hasTarget).map((goal) => {
    const at = new Vector3(...goal.position);
    const screen = view.project(at);
    return { effector: goal.effector, kind: "target" as const, at, screen, goal };
  });
  return [...onBody, ...targets];
}

/** The nearest handle within reach of the pointer. */
export function handleNear(handles: Handle[], x: number, y: number, reach = REACH): Handle | null {
  let best: Handle | null = null;
  let least = reach;
  for (const handle of handles) {
    const away = Math.hypot(handle.screen.x - x, handle.screen.y - y);
    if (away <= least && handle.screen.depth > 0) {
      least = away;
      best = handle;
    }
  }
  return best;
}

export function drawHandle(
  brush: Brush,
  handle: Handle,
  hovered: boolean,
  selected: boolean,
): void {
  const { palette, context } = brush;
  const pinned = handle.goal?.pinned === true && handle.goal.on;
  const colour = pinned ? palette.pin : handle.kind === "pole" ? palette.pole : palette.handle;
  const size = SIZE[handle.kind] + (hovered || selected ? 2 : 0);
  outline(brush, handle, size + 1.5);
  brush.stroke({ colour: palette.halo, width: 4.5, alpha: 0.85 });
  outline(brush, handle, size);
  context.fillStyle = hovered || selected || pinned ? colour : palette.halo;
  context.globalAlpha = hovered || selected || pinned ? 1 : 0.55;
  context.fill();
  context.globalAlpha = 1;
  brush.stroke({ colour, width: 2 });
  if (pinned) brush.dot(handle.at, 2.5, palette.halo);
  // Beside the handle, or below it where the arrows of a selected one are.
  const [right, down] = selected ? [-size, 24] : [size + 8, 0];
  if (hovered) brush.label(handle.at, title(handle), palette.text, right, down);
}

function outline(brush: Brush, handle: Handle, size: number): void {
  const { x, y } = handle.screen;
  const { context } = brush;
  context.beginPath();
  if (handle.kind === "end" || handle.kind === "target") context.arc(x, y, size, 0, 2 * Math.PI);
  else if (handle.kind === "body") context.roundRect(x - size, y - size, 2 * size, 2 * size, 3);
  else {
    context.moveTo(x, y - size - 1);
    context.lineTo(x + size + 1, y);
    context.lineTo(x, y + size + 1);
    context.lineTo(x - size - 1, y);
    context.closePath();
  }
}

function title(handle: Handle): string {
  const name = words(handle.effector);
  if (handle.kind === "target") return `${name} · target`;
  return handle.goal?.pinned === true && handle.goal.on ? `${name} · pinned` : name;
}
