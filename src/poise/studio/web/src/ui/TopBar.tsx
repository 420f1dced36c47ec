import * as actions from "../actions";
import { chooseFiles, copyWatchLink, download, save, showFolder } from "../files";
import { words } from "../format";
import type { GhostMode } from "../messages";
import { send } from "../session";
import * as store from "../store";
import { Choice, IconButton } from "./controls";
import { Menu, MenuItem } from "./Menu";

const GHOSTS: [GhostMode, string][] = [
  ["off", "No ghost"],
  ["reference", "Pose at drag start"],
  ["previous-key", "Key before"],
  ["onion", "Onion skin"],
];

export function TopBar() {
  return (
    <header class="top-bar">
      <span class="brand">Poise</span>
      <FileMenu />
      <ExampleMenu />
      <DocumentName />
      <span class="spring" />
      <History />
      <Tools />
      <ViewButtons />
    </header>
  );
}

function FileMenu() {
  const choices = store.choices.value;
  return (
    <Menu title="File">
      {choices?.figures.map((name) => (
        <MenuItem
          key={name}
          text={`New ${words(name)}`}
          onClick={() => void send({ type: "new-document", figure: name })}
        />
      ))}
      <hr />
      <MenuItem text="Project folder…" about="Ctrl+O" onClick={() => showFolder("open")} />
      <MenuItem text="Open…" about={choices?.read.join(" ")} onClick={chooseFiles} />
      <MenuItem text="Save" about="Ctrl+S" onClick={() => void save()} />
      <MenuItem text="Save as…" about="Ctrl+Shift+S" onClick={() => showFolder("save")} />
      {choices?.write.map((ending) => (
        <MenuItem key={ending} text={`Download ${ending}`} onClick={() => void download(ending)} />
      ))}
      <hr />
      <MenuItem text="Picture of the view" about=".png" onClick={actions.screenshot} />
      <MenuItem
        text="Movie of the view…"
        about="A turn-table, or the motion: .gif .mp4"
        onClick={() => {
          store.movieShown.value = true;
        }}
      />
      {store.watch.value !== null && (
        <MenuItem
          text="Copy a link to watch"
          about="Who opens it sees all, live, and changes nothing"
          onClick={() => void copyWatchLink()}
        />
      )}
    </Menu>
  );
}

function ExampleMenu() {
  return (
    <Menu title="Examples">
      {store.choices.value?.examples.map((example) => (
        <MenuItem
          key={example.name}
          text={example.title}
          about={example.about}
          onClick={() => void send({ type: "open-example", name: example.name })}
        />
      ))}
    </Menu>
  );
}

function DocumentName() {
  const { path, saved, name: own } = store.history.value;
  const name = path ?? words(own || (store.figure.value?.name ?? ""));
  return (
    <span class="document-name" title={saved ? "Saved" : "Changed since it was saved"}>
      {name}
      {!saved && <i class="unsaved" />}
    </span>
  );
}

function History() {
  const { undo, redo } = store.history.value;
  return (
    <div class="button-group">
      <IconButton
        icon="undo"
        title={undo === null ? "Nothing to undo" : `Undo ${undo} (Ctrl+Z)`}
        disabled={undo === null}
        onClick={actions.undo}
      />
      <IconButton
        icon="redo"
        title={redo === null ? "Nothing to redo" : `Redo ${redo} (Ctrl+Y)`}
        disabled={redo === null}
        onClick={actions.redo}
      />
    </div>
  );
}

function Tools() {
  const { tool, space } = store;
  const local = space.value === "local";
  const pinned = store.goalOf(store.selection.value.effector ?? "")?.pinned === true;
  return (
    <div class="button-group tools">
      <IconButton
        icon="move"
        title="Move (G)"
        on={tool.value === "move"}
        onClick={() => {
          tool.value = "move";
        }}
      />
      <IconButton
        icon="turn"
        title="Turn (R)"
        on={tool.value === "turn"}
        onClick={() => {
          tool.value = "turn";
        }}
      />
      <IconButton
        icon="brush"
        title="Rigidity brush (Y)"
        on={tool.value === "paint"}
        onClick={actions.togglePaint}
      />
      <IconButton
        icon="globe"
        title={local ? "Axes of the handle (L)" : "Axes of the world (L)"}
        on={!local}
        onClick={actions.toggleSpace}
      />
      <IconButton
        icon="pin"
        title="Pin the selected handle (P)"
        on={pinned}
        onClick={actions.togglePin}
      />
    </div>
  );
}

function ViewButtons() {
  const dark = store.theme.value === "dark";
  return (
    <div class="button-group">
      <Choice
        label="Ghost"
        value={store.ghostMode.value}
        choices={GHOSTS}
        onChange={actions.setGhosts}
      />
      <IconButton
        icon="bone"
        title="Skeleton (B)"
        on={store.skeletonShown.value}
        onClick={actions.toggleSkeleton}
      />
      <IconButton
        icon="plot"
        title="Plots (C)"
        on={store.plotsShown.value}
        onClick={actions.togglePlots}
      />
      <IconButton icon="frame" title="Frame the selection (F)" onClick={actions.frameSelection} />
      <IconButton icon="camera" title="Picture of the view" onClick={actions.screenshot} />
      <IconButton
        icon={dark ? "sun" : "moon"}
        title={dark ? "Light (T)" : "Dark (T)"}
        onClick={actions.toggleTheme}
      />
      <IconButton
        icon="panel"
        title="Side panel (N)"
        on={store.panelShown.value}
        onClick={actions.togglePanel}
      />
      <IconButton
        icon="help"
        title="Keys and mouse (?)"
        onClick={() => {
          store.helpShown.value = true;
        }}
      />
    </div>
  );
}
