/** Questions to the session that follow what the person looks at: limits, explanations, ghosts. */

import { effect } from "@preact/signals";
import { MET } from "./messages";
import { send } from "./session";
import * as store from "./store";

const CALM = 150; // an explanation waits until the pose has stood for so long [ms]

/** Answers to the newest question only: while one is under way, the next one waits. */
function newest(ask: () => Promise<void>): () => void {
  let busy = false;
  let again = false;
  const run = () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    void ask().finally(() => {
      busy = false;
      if (!again) return;
      again = false;
      run();
    });
  };
  return run;
}

/** The segment whose limits are shown: the one under the pointer, else the selected one. */
function segmentOfInterest(): string | null {
  const { segment, effector } = store.hovered.value;
  const selected = store.selection.value.segment;
  const known = selected !== null || store.dragging.value;
  if (known || (effector !== null && effector === store.selection.value.effector)) return selected;
  if (segment === null || (effector === null && store.playing.value)) return null;
  return store.figure.value?.segments[segment]?.name ?? null;
}

const askLimits = newest(async () => {
  const segment = segmentOfInterest();
  const reply = segment === null ? null : await send({ type: "limits-of", segment });
  store.limitShapes.value = reply?.type === "limits" ? reply : null;
});

const askWhy = newest(async () => {
  const reply = await send({ type: "explain" });
  if (reply?.type === "explanation" && !isMet()) store.explanation.value = reply;
});

function isMet(): boolean {
  return ((store.pose.value?.flags ?? MET) & MET) !== 0;
}

/** Keeps `limitShapes` and `explanation` up to date. */
export function followInterest(): void {
  effect(() => {
    segmentOfInterest();
    store.pose.value;
    askLimits();
  });
  let calm = 0;
  effect(() => {
    store.pose.value;
    clearTimeout(calm);
    if (isMet()) store.explanation.value = null;
    else calm = setTimeout(askWhy, CALM);
  });
}
