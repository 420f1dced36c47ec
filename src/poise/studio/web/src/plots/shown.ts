/** The rows that are shown: of the joint whose limb is selected, or of what moves most. */

import { computed } from "@preact/signals";
import * as store from "../store";
import { record } from "./record";
import { type Row, rowsOf } from "./rows";

export const shownRows = computed<Row[]>(() => {
  const figure = store.figure.value;
  if (figure === null) return [];
  const { segment } = store.selection.value;
  const named = figure.segments.findIndex((own) => own.name === segment);
  const pinned = new Set(store.goals.value.filter((own) => own.pinned).map(({ id }) => id));
  return rowsOf(record.value, figure, named < 0 ? null : named, pinned);
});
