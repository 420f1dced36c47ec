/** The project folder: open what is in it, or save beside it. */

import { useEffect, useRef, useState } from "preact/hooks";
import { documentName, listFiles, openPath, savePath } from "../files";
import { size, when } from "../format";
import type { Files } from "../messages";
import * as store from "../store";
import { Choice, Row } from "./controls";
import { Dialog } from "./Dialog";

const OWN = ".poise";

export function Folder() {
  const why = store.folderShown.value;
  return why === null ? null : <Sheet key={why} why={why} />;
}

function close(): void {
  store.folderShown.value = null;
}

function Sheet({ why }: { why: "open" | "save" }) {
  const [found, setFound] = useState<Files | null>(null);
  const [name, setName] = useState(why === "save" ? documentName() : "");
  const [ending, setEnding] = useState(OWN);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.select();
    void listFiles().then((files) => (files === null ? close() : setFound(files)));
  }, []);
  const files = found?.files ?? [];
  const wanted = name.trim().toLowerCase();
  const shown = files.filter(({ path }) =>
    why === "save" ? path.toLowerCase().endsWith(ending) : path.toLowerCase().includes(wanted),
  );
  const target = name.trim().toLowerCase().endsWith(ending) ? name.trim() : name.trim() + ending;
  const taken = why === "save" && files.some(({ path }) => path === target);
  const open = (path: string) => void openPath(path).then((done) => done && close());
  const submit = (event: Event) => {
    event.preventDefault();
    if (why === "save") void savePath(target).then((done) => done && close());
    else if (shown[0] !== undefined) open(shown[0].path);
  };
  const choose = (path: string) => {
    if (why === "open") open(path);
    else setName(path.slice(0, -ending.length));
  };
  const folder = found === null ? "…" : found.folder;
  return (
    <Dialog title={why === "open" ? `Open from ${folder}` : `Save into ${folder}`} onClose={close}>
      <form class="folder" onSubmit={submit}>
        <input
          ref={field}
          class="filter"
          aria-label={why === "open" ? "Find a file" : "Name"}
          placeholder={why === "open" ? "Find a file …" : "Name"}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <div class="files">
          {shown.map(({ path, size: bytes, modified }) => (
            <button key={path} type="button" class="file" onClick={() => choose(path)}>
              <span>{path}</span>
              <small>{size(bytes)}</small>
              <small>{when(modified)}</small>
            </button>
          ))}
          {found !== null && shown.length === 0 && <p class="hint">{EMPTY[why]}</p>}
        </div>
        {why === "open" && !store.history.value.saved && (
          <p class="hint">Changes of this document that are not saved go when another is opened.</p>
        )}
        {why === "save" && (
          <Row label="Format">
            <Choice
              label="Format"
              value={ending}
              choices={(store.choices.value?.write ?? [OWN]).map((own) => [own, own] as const)}
              onChange={setEnding}
            />
            <button type="submit" class="primary" disabled={name.trim() === ""}>
              {taken ? `Replace ${target}` : "Save"}
            </button>
          </Row>
        )}
      </form>
    </Dialog>
  );
}

const EMPTY = {
  open: "Nothing here that Poise reads. Drop a file onto the page, or choose File, Open.",
  save: "No file of this format yet.",
};
