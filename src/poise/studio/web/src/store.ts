/** What the page knows: the session's state, section by section, and the person's view of it. */

import { computed, signal } from "@preact/signals";
import type { CrowdFrame, GhostFrame, PoseFrame, WalkFrame } from "./frames";
import type {
  ChoicesInfo,
  Explanation,
  FigureInfo,
  GhostMode,
  GoalInfo,
  HistoryInfo,
  LimitShape,
  RecoveryInfo,
  SelectionInfo,
  SettingsInfo,
  SiteInfo,
  TimelineInfo,
  WalkInfo,
} from "./messages";

// -- the session's state -------------------------------------------------------------------------

export const connected = signal(false);
export const editable = signal(true);
export const version = signal("");
/** The token of an address at which others may look on; null in their windows. */
export const watch = signal<string | null>(null);
export const figure = signal<FigureInfo | null>(null);
export const goals = signal<GoalInfo[]>([]);
export const timeline = signal<TimelineInfo | null>(null);
export const settings = signal<SettingsInfo | null>(null);
export const history = signal<HistoryInfo>({
  undo: null,
  redo: null,
  name: "",
  path: null,
  saved: true,
});
export const selection = signal<SelectionInfo>({ effector: null, segment: null });
export const choices = signal<ChoicesInfo | null>(null);
export const recovery = signal<RecoveryInfo | null>(null);
export const pose = signal<PoseFrame | null>(null);
export const ghosts = signal<GhostFrame | null>(null);
export const walk = signal<WalkInfo | null>(null);
export const walkFrame = signal<WalkFrame | null>(null);
export const crowd = signal<CrowdFrame | null>(null);
export const explanation = signal<Explanation | null>(null);

// -- the person's view ---------------------------------------------------------------------------

export type Theme = "light" | "dark";
/** "paint" is the rigidity brush. */
export type Tool = "move" | "turn" | "paint";
export type Space = "world" | "local";

export const theme = signal<Theme>(preferred("theme", systemTheme()));
export const skeletonShown = signal(preferred("skeleton", false));
export const panelShown = signal(preferred("panel", true));
/** Plots of the joint, the goals and the solves. */
export const plotsShown = signal(preferred("plots", false));
export const tool = signal<Tool>("move");
export const space = signal<Space>("world");
export const ghostMode = signal<GhostMode>("off");
/** Green and red, where the feet of a walker should be. */
export const marksShown = signal(true);
export const helpShown = signal(false);
/** The dialog in which a movie of the view is made. */
export const movieShown = signal(false);
/** What the dialog of the project folder is for; null while it is closed. */
export const folderShown = signal<"open" | "save" | null>(null);
/** Where in the tour of the first minute the person is; null when not in it. */
export const tourStep = signal<number | null>(preferred("tour", false) ? null : 0);
export const hovered = signal<{ effector: string | null; segment: number | null }>({
  effector: null,
  segment: null,
});
/** Limits of the segment under the pointer, or of the selected one, as they are now. */
export const limitShapes = signal<{ segment: number; shapes: LimitShape[] } | null>(null);
export const dragging = signal(false);
export const playing = signal(false);
export const speed = signal(1);
export const time = signal(0); // what the person asked to see [s]; pose.time is what they see
export const notices = signal<{ id: number; message: string; level: string }[]>([]);

export const sites = computed(() => {
  const found = new Map<string, SiteInfo>();
  for (const site of figure.value?.sites ?? []) found.set(site.name, site);
  return found;
});

/** The goal of an effector, if it has one. */
export function goalOf(effector: string): GoalInfo | undefined {
  return goals.value.find((goal) => goal.effector === effector);
}

let noticeCount = 0;

/** Tells the person something for a few seconds. */
export function notify(message: string, level: "info" | "warning" = "info"): void {
  const notice = { id: ++noticeCount, message, level };
  notices.value = [...notices.value.slice(-3), notice];
  setTimeout(
    () => {
      notices.value = notices.value.filter((other) => other.id !== notice.id);
    },
    level === "info" ? 3500 : 8000,
  );
}

export function remember(key: string, value: unknown): void {
  localStorage.setItem(`poise.${key}`, JSON.stringify(value));
}

function preferred<T>(key: string, fallback: T): T {
  const stored = localStorage.getItem(`poise.${key}`);
  return stored === null ? fallback : (JSON.parse(stored) as T);
}

function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
