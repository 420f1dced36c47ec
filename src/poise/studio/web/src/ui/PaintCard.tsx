/** The rigidity brush: how strong it is, and what the colours of the body mean. */

import { colourOf } from "../paint/rigidity";
import { freeAll, strength } from "../paint/stroke";
import * as store from "../store";
import { Slider } from "./controls";

const STOPS = [0, 0.25, 0.5, 0.75, 1];

export function PaintCard() {
  if (store.tool.value !== "paint") return null;
  const colours = STOPS.map((own) => colourOf(own, store.theme.value)).join(", ");
  return (
    <section class="paint-card" aria-label="Rigidity brush">
      <h2>Rigidity</h2>
      <div class="legend" style={{ background: `linear-gradient(to right, ${colours})` }} />
      <div class="legend-ends">
        <span>0 free</span>
        <span>1 frozen</span>
      </div>
      {store.editable.value && (
        <>
          <div class="row">
            <Slider
              label="Strength of the brush"
              value={strength.value}
              from={0}
              to={1}
              onMove={setStrength}
              onEnd={setStrength}
            />
            <output class="reading">{strength.value.toFixed(2)}</output>
          </div>
          <p class="hint">Drag over the body. Alt, or the right button, frees.</p>
          <button type="button" class="wide" onClick={freeAll}>
            Free all joints
          </button>
        </>
      )}
    </section>
  );
}

function setStrength(wanted: number): void {
  strength.value = Math.round(20 * wanted) / 20;
}
