import { useEffect, useRef, useState } from "preact/hooks";
import * as actions from "../actions";
import { exposeState } from "../debug";
import { acceptDrops } from "../files";
import { words } from "../format";
import { send } from "../session";
import * as store from "../store";
import { Workspace } from "../workspace";
import { Folder } from "./Folder";
import { Help } from "./Help";
import { Movie } from "./Movie";
import { PaintCard } from "./PaintCard";
import { Panel } from "./Panel";
import { Plots } from "./Plots";
import { StatusBar } from "./StatusBar";
import { Timeline } from "./Timeline";
import { TopBar } from "./TopBar";
import { Tour } from "./Tour";

export function App() {
  const [dropping, setDropping] = useState(false);
  useEffect(() => acceptDrops(setDropping), []);
  return (
    <div class={classes()}>
      <TopBar />
      <Viewport />
      {store.panelShown.value && <Panel />}
      <Timeline />
      <StatusBar />
      <Help />
      <Folder />
      <Movie />
      <Notices />
      {dropping && <div class="drop-here">Drop a motion or a figure to open it</div>}
    </div>
  );
}

function classes(): string {
  const panel = store.panelShown.value ? "" : " without-panel";
  return `app${panel}${store.editable.value ? "" : " read-only"}`;
}

function Viewport() {
  const scene = useRef<HTMLCanvasElement>(null);
  const sheet = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const workspace = new Workspace(scene.current!, sheet.current!);
    actions.workspace.value = workspace;
    exposeState(workspace);
  }, []);
  return (
    <main class="viewport">
      <canvas ref={scene} />
      <canvas ref={sheet} class="sheet" />
      <Recovery />
      <Sentence />
      <Tour />
      <PaintCard />
      <Plots />
    </main>
  );
}

/** Why a goal is not met, in words. */
function Sentence() {
  const why = store.explanation.value;
  if (why === null || store.dragging.value) return null;
  const off = why.goals.filter((goal) => !goal.met).map((goal) => goal.sentence);
  return <div class="sentence">{words(off[0] ?? why.summary)}</div>;
}

/** The work of a session that did not end well. */
function Recovery() {
  const found = store.recovery.value;
  if (found === null) return null;
  const answer = (accept: boolean) => void send({ type: "recover", accept });
  return (
    <div class="recovery" role="alertdialog" aria-label="Recover">
      <p>
        Poise ended without saving <b>{found.name}</b> ({found.when}, {found.steps} steps).
      </p>
      <button type="button" class="primary" onClick={() => answer(true)}>
        Recover
      </button>
      <button type="button" onClick={() => answer(false)}>
        Let it go
      </button>
    </div>
  );
}

function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {store.notices.value.map((notice) => (
        <div key={notice.id} class={`notice ${notice.level}`}>
          {notice.message}
        </div>
      ))}
    </div>
  );
}
