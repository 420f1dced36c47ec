/** The keyboard: one table, which the help under "?" shows as it is. */

import * as actions from "./actions";
import { save, showFolder } from "./files";
import { goTo, step, stepKey, togglePlay } from "./playback";
import { folderShown, helpShown, movieShown, timeline, tool } from "./store";

interface Shortcut {
  /** As `chord` writes it; any of them. */
  keys: string[];
  what: string;
  run(): void;
}

export const SHORTCUTS: Record<string, Shortcut[]> = {
  Pose: [
    { keys: ["G"], what: "Move: arrows and planes", run: () => setTool("move") },
    { keys: ["R"], what: "Turn: rings", run: () => setTool("turn") },
    { keys: ["L"], what: "Axes of the world, or of the handle", run: actions.toggleSpace },
    { keys: ["Y"], what: "Rigidity brush", run: actions.togglePaint },
    { keys: ["P"], what: "Pin the selected handle, or let it go", run: actions.togglePin },
    { keys: ["Escape"], what: "Cancel the drag; deselect", run: actions.cancel },
  ],
  View: [
    { keys: ["F"], what: "Frame the selection", run: () => actions.frameSelection() },
    { keys: ["B"], what: "Skeleton", run: actions.toggleSkeleton },
    { keys: ["C"], what: "Plots: angles, goals, solves", run: actions.togglePlots },
    { keys: ["N"], what: "Side panel", run: actions.togglePanel },
    { keys: ["T"], what: "Light or dark", run: actions.toggleTheme },
  ],
  Time: [
    { keys: ["Space"], what: "Play or stop", run: togglePlay },
    { keys: ["K"], what: "Key the pose and the targets", run: () => actions.addKey() },
    { keys: ["ArrowLeft"], what: "One frame back", run: () => step(-1) },
    { keys: ["ArrowRight"], what: "One frame on", run: () => step(1) },
    { keys: ["Shift+ArrowLeft", "ArrowDown"], what: "To the key before", run: () => stepKey(-1) },
    { keys: ["Shift+ArrowRight", "ArrowUp"], what: "To the next key", run: () => stepKey(1) },
    { keys: ["Home"], what: "To the start", run: () => goTo(0) },
    { keys: ["End"], what: "To the end", run: () => goTo(timeline.value?.duration ?? 0) },
    { keys: ["Delete", "Backspace"], what: "Delete the selected keys", run: actions.deleteKeys },
    { keys: ["Ctrl+C"], what: "Copy the selected keys", run: actions.copyKeys },
    { keys: ["Ctrl+V"], what: "Paste them at the current time", run: actions.pasteKeys },
  ],
  Document: [
    { keys: ["Ctrl+Z"], what: "Undo", run: () => actions.undo() },
    { keys: ["Ctrl+Y", "Ctrl+Shift+Z"], what: "Redo", run: () => actions.redo() },
    { keys: ["Ctrl+O"], what: "Open from the project folder", run: () => showFolder("open") },
    { keys: ["Ctrl+S"], what: "Save", run: () => void save() },
    { keys: ["Ctrl+Shift+S"], what: "Save under another name", run: () => showFolder("save") },
    { keys: ["?"], what: "This list", run: () => toggleHelp() },
  ],
};

/** What the mouse does, for the help. */
export const MOUSE = [
  ["Drag a handle", "Move it; the body follows"],
  ["Shift while dragging", "Finer"],
  ["Click a limb", "Turn its joint by rings"],
  ["With the rigidity brush: drag; Alt or right", "Stiffen joints; free them"],
  ["Alt + left, middle, or drag beside the body", "Orbit"],
  ["Right, or Shift + middle", "Pan"],
  ["Wheel", "Zoom"],
  ["Touch: one finger", "Drag a handle, or orbit"],
  ["Touch: two fingers", "Orbit; pinch to zoom"],
] as const;

function setTool(wanted: "move" | "turn"): void {
  tool.value = wanted;
}

function toggleHelp(): void {
  helpShown.value = !helpShown.value;
}

/** "Ctrl+Shift+Z" of an event; Cmd counts as Ctrl. */
export function chord(event: KeyboardEvent): string {
  const key =
    event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift = event.shiftKey && key !== "?" ? "Shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${shift}${key}`;
}

export function listenToKeys(): void {
  const table = new Map(
    Object.values(SHORTCUTS)
      .flat()
      .flatMap((own) => own.keys.map((key) => [key, own] as const)),
  );
  addEventListener("keydown", (event) => {
    const typing = (event.target as HTMLElement).matches(
      "input:not([type=range], [type=checkbox]), select, textarea",
    );
    const pressed = chord(event);
    const shortcut = table.get(pressed);
    const always = pressed === "Escape" || (pressed.startsWith("Ctrl+") && pressed.endsWith("S"));
    if (shortcut === undefined || (typing && !always)) return;
    const inDialog = folderShown.value !== null || movieShown.value;
    const elsewhere = inDialog && pressed !== "Escape";
    if (elsewhere && !event.ctrlKey) return;
    event.preventDefault();
    if (!elsewhere) shortcut.run();
  });
}
