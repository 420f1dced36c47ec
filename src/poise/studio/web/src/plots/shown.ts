/** What is plotted: the last seconds of the joint whose limb is selected, or of what moves most. */

import { computed, effect, signal } from "@preact/signals";
import * as store from "../store";
import { recorded, type Sample } from "./record";
import { type Row, rowsOf } from "./rows";

const record = signal<Sample[]>([]);

export const shownRows = computed<Row[]>(() => {
  const figure = store.figure.value;
  if (figure === null) return [];
  const { segment } = store.selection.value;
  const named = figure.segments.findIndex((own) => own.name === segment);
  const pinned = new Set(store.goals.value.filter((own) => own.pinned).map(({ id }) => id));
  return rowsOf(record.value, figure, named < 0 ? null : named, pinned);
});

/** Keeps what is shown, while there are plots of it; they are drawn with the display. */
export function keepRecord(): void {
  let kept: Sample[] = [];
  let last = 0;
  let pending = false;
  effect(() => {
    const pose = store.pose.value;
    const now = performance.now() / 1000;
    kept = store.plotsShown.value && pose !== null ? recorded(kept, pose, now, last) : [];
    last = now;
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => {
      pending = false;
      record.value = kept;
    });
  });
}
