/** Plots of what moves, over the view: each row a name, how it is now, and its last seconds. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { PALETTES } from "../palette";
import { drawRow } from "../plots/draw";
import type { Row } from "../plots/rows";
import { shownRows } from "../plots/shown";
import * as store from "../store";

export function Plots() {
  if (!store.plotsShown.value) return null;
  return (
    <section class="plots" aria-label="Plots">
      {shownRows.value.map((row) => (
        <Plot key={row.name} row={row} />
      ))}
    </section>
  );
}

function Plot({ row }: { row: Row }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = PALETTES[store.theme.value];
  useLayoutEffect(() => drawRow(canvas.current!, row, palette), [row, palette]);
  return (
    <div class="plot">
      <span>{row.name}</span>
      <output>{row.reading}</output>
      <canvas ref={canvas} />
    </div>
  );
}
