/** A movie of the view: what it shows, how large it is, and how far it has come. */

import { useState } from "preact/hooks";
import * as actions from "../actions";
import { documentName, offer } from "../files";
import { cancelMovie, movieOf, progress } from "../movie/making";
import type { Wish } from "../movie/shots";
import * as store from "../store";
import { Choice, NumberField, Row, Switch } from "./controls";
import { Dialog } from "./Dialog";

const FORMATS = [
  ["gif", "GIF"],
  ["mp4", "MP4"],
] as const;
const HEIGHTS = ["360", "480", "720", "1080"].map((own) => [own, `${own} px high`] as const);
const LONGEST = 600; // [s]

export function Movie() {
  return store.movieShown.value ? <Sheet /> : null;
}

function close(): void {
  if (!cancelMovie()) store.movieShown.value = false;
}

function Sheet() {
  const moves = isMotion() && store.editable.value;
  const [wish, setWish] = useState<Wish>({
    format: "gif",
    turns: true,
    plays: moves,
    seconds: 4,
    height: 480,
  });
  const change = (given: Partial<Wish>) => setWish({ ...wish, ...given });
  const done = progress.value;
  return (
    <Dialog title="Movie of the view" onClose={close} narrow>
      <div class="movie">
        <Switch label="Go around once" on={wish.turns} onChange={(turns) => change({ turns })} />
        {moves && (
          <Switch label="Play the motion" on={wish.plays} onChange={(plays) => change({ plays })} />
        )}
        {!wish.plays && (
          <Row label="Lasts">
            <NumberField
              label="Seconds"
              value={wish.seconds}
              digits={1}
              unit="s"
              onCommit={(entered) => change({ seconds: Math.max(0.1, Math.min(entered, LONGEST)) })}
            />
          </Row>
        )}
        <Row label="Format">
          <Choice
            label="Format"
            value={wish.format}
            choices={FORMATS}
            onChange={(format) => change({ format })}
          />
        </Row>
        <Row label="Size">
          <Choice
            label="Size"
            value={String(wish.height)}
            choices={HEIGHTS}
            onChange={(height) => change({ height: Number(height) })}
          />
        </Row>
        {done === null ? (
          <button type="button" class="primary" onClick={() => void make(wish)}>
            Make the movie
          </button>
        ) : (
          <Row label={`${Math.floor(100 * done)} %`}>
            <progress value={done} aria-label="Progress" />
            <button type="button" onClick={cancelMovie}>
              Cancel
            </button>
          </Row>
        )}
      </div>
    </Dialog>
  );
}

/** Whether there is more to show than a pose. */
function isMotion(): boolean {
  const { keys, clip } = store.timeline.value ?? { keys: [], clip: null };
  return store.walk.value === null && (clip !== null || keys.length > 1);
}

async function make(wish: Wish): Promise<void> {
  const workspace = actions.workspace.value;
  if (workspace === null) return;
  try {
    const movie = await movieOf(workspace, wish);
    if (movie === null) return;
    offer(movie, `${documentName()}.${wish.format}`);
    store.movieShown.value = false;
  } catch (error) {
    store.notify(`No movie was made: ${(error as Error).message}`, "warning");
  }
}
