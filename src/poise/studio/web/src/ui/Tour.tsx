/** The first minute: what to try, one thing after the other; each is done by doing it. */

import { useEffect } from "preact/hooks";
import * as store from "../store";

interface Step {
  title: string;
  text: string;
  /** Whether the person has done it; null where one cannot tell. */
  done: (() => boolean) | null;
}

const STEPS: Step[] = [
  {
    title: "Drag a hand",
    text: "Take one of the rings on the body. The rest follows, inside its limits; the feet stay.",
    done: () => store.history.value.undo?.startsWith("drag") === true,
  },
  {
    title: "Look around",
    text: "Drag beside the body to orbit, turn the wheel to zoom; F frames what is selected.",
    done: null,
  },
  {
    title: "Pin it",
    text: "Press P: the selected handle stays where it is, whatever else you drag.",
    done: () =>
      store.goals.value.some(({ pinned, effector }) => pinned && !effector.includes("foot")),
  },
  {
    title: "Make it move",
    text: "Press K to key the pose. Go on with the arrow keys, drag, press K again; Space plays.",
    done: () => (store.timeline.value?.keys.length ?? 0) > 0,
  },
];

function show(step: number | null): void {
  store.tourStep.value = step !== null && step < STEPS.length ? step : null;
  if (store.tourStep.value === null) store.remember("tour", true);
}

export function Tour() {
  const at = store.tourStep.value;
  const step = at === null ? undefined : STEPS[at];
  const done = step?.done?.() === true && !store.dragging.value;
  useEffect(() => {
    if (done && at !== null) show(at + 1);
  }, [done, at]);
  if (step === undefined || at === null || !store.editable.value) return null;
  const last = at === STEPS.length - 1;
  return (
    <aside class="tour" aria-label="First steps">
      <small>
        {at + 1} of {STEPS.length}
      </small>
      <h2>{step.title}</h2>
      <p>{step.text}</p>
      <div>
        <button type="button" class="primary small" onClick={() => show(at + 1)}>
          {last ? "Done" : "Next"}
        </button>
        {!last && (
          <button type="button" onClick={() => show(null)}>
            Skip
          </button>
        )}
      </div>
    </aside>
  );
}
