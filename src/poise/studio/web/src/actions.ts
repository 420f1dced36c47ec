/** What buttons, menus and keys do: each once, by name. */

import { signal } from "@preact/signals";
import { saveImage } from "./files";
import type { GhostMode } from "./messages";
import { cancelMovie } from "./movie/making";
import { send } from "./session";
import * as store from "./store";
import type { Workspace } from "./workspace";

export const workspace = signal<Workspace | null>(null);
/** Keys and fixes that are selected on the timeline, by id. */
export const selectedKeys = signal<number[]>([]);
const copiedKeys = signal<number[]>([]);

export const undo = () => void send({ type: "undo" });
export const redo = () => void send({ type: "redo" });
export const addKey = () => void send({ type: "add-key" });
export const restPose = () => void send({ type: "rest-pose" });
export const frameSelection = () => workspace.value?.frameSelection();

export function screenshot(): void {
  if (workspace.value !== null) saveImage(workspace.value.picture());
}

export function deleteKeys(): void {
  if (selectedKeys.value.length === 0) return;
  void send({ type: "delete-keys", keys: selectedKeys.value });
  selectedKeys.value = [];
}

export function copyKeys(): void {
  copiedKeys.value = selectedKeys.value;
  if (copiedKeys.value.length > 0) store.notify("Copied; paste at another time with Ctrl+V");
}

export function pasteKeys(): void {
  const present = new Set(timed().map((own) => own.id));
  const keys = copiedKeys.value.filter((id) => present.has(id));
  if (keys.length > 0) void send({ type: "copy-keys", keys, time: store.time.value });
}

/** Keys and fixes: all that stands at a time. */
export function timed(): { id: number; time: number }[] {
  const { keys, fixes } = store.timeline.value ?? { keys: [], fixes: [] };
  return [...keys, ...fixes];
}

/** Pins the selected effector where it is, or lets it go. */
export function togglePin(): void {
  const { effector } = store.selection.value;
  if (effector === null) {
    store.notify("Select a handle first, then pin it");
    return;
  }
  const goal = store.goalOf(effector);
  if (goal === undefined) void send({ type: "add-goal", effector, pinned: true });
  else void send({ type: "change-goal", goal: goal.id, pinned: !goal.pinned, on: true });
}

export function toggleTheme(): void {
  store.theme.value = store.theme.value === "light" ? "dark" : "light";
  store.remember("theme", store.theme.value);
}

export function toggleSkeleton(): void {
  store.skeletonShown.value = !store.skeletonShown.value;
  store.remember("skeleton", store.skeletonShown.value);
}

export function togglePanel(): void {
  store.panelShown.value = !store.panelShown.value;
  store.remember("panel", store.panelShown.value);
}

export function togglePlots(): void {
  store.plotsShown.value = !store.plotsShown.value;
  store.remember("plots", store.plotsShown.value);
}

/** Takes the rigidity brush, or puts it away. */
export function togglePaint(): void {
  store.tool.value = store.tool.value === "paint" ? "move" : "paint";
}

export function toggleSpace(): void {
  store.space.value = store.space.value === "world" ? "local" : "world";
}

export function setGhosts(mode: GhostMode): void {
  store.ghostMode.value = mode;
  void send({ type: "set-ghosts", mode });
  if (mode === "off") store.ghosts.value = null;
}

/** Esc: ends the drag, else the dialog, else the selection. */
export function cancel(): void {
  if (workspace.value?.hand.cancel()) return;
  if (cancelMovie()) return;
  if (store.folderShown.value !== null) store.folderShown.value = null;
  else if (store.movieShown.value) store.movieShown.value = false;
  else if (store.helpShown.value) store.helpShown.value = false;
  else if (store.tool.value === "paint") togglePaint();
  else if (selectedKeys.value.length > 0) selectedKeys.value = [];
  else void send({ type: "select", effector: null, segment: null });
}
