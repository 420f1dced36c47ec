/** Files: open by choice or by drop, save as a download, a picture of the view. */

import type { Files } from "./messages";
import { address, send } from "./session";
import { choices, editable, figure, folderShown, history, notify, watch } from "./store";

/** Uploads files and opens them; an .asf is the skeleton of the .amc beside it. */
export async function openFiles(files: File[]): Promise<void> {
  const known = choices.value?.read ?? [];
  const wrong = files.find((file) => !known.some((end) => file.name.toLowerCase().endsWith(end)));
  if (wrong !== undefined) {
    notify(`${wrong.name} cannot be opened. Known are ${known.join(" ")}`, "warning");
    return;
  }
  const isSkeleton = (file: File) => file.name.toLowerCase().endsWith(".asf");
  const motion = files.find((file) => !isSkeleton(file)) ?? files[0];
  const skeleton = files.find((file) => isSkeleton(file) && file !== motion);
  if (motion === undefined) return;
  const also = skeleton === undefined ? null : await upload(skeleton);
  const path = await upload(motion);
  if (path === null || (skeleton !== undefined && also === null)) return;
  const done = await send({ type: "open-file", path, also });
  if (done !== null) notify(`Opened ${files.map((file) => file.name).join(" with ")}`);
}

async function upload(file: File): Promise<string | null> {
  const reply = await fetch(address("/upload", { name: file.name }), {
    method: "POST",
    body: file,
  });
  if (!reply.ok) {
    notify(`${file.name} was not taken: ${await reply.text()}`, "warning");
    return null;
  }
  return ((await reply.json()) as { path: string }).path;
}

/** Asks for files of this machine. */
export function chooseFiles(): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = (choices.value?.read ?? []).join(",");
  input.onchange = () => void openFiles([...(input.files ?? [])]);
  input.click();
}

/** Downloads the document; `ending` such as ".bvh". */
export async function download(ending: string): Promise<void> {
  const reply = await fetch(address("/download", { format: ending.replace(/^\./, "") }));
  if (!reply.ok) {
    notify(`Not saved: ${await reply.text()}`, "warning");
    return;
  }
  offer(await reply.blob(), `${documentName()}${ending}`);
}

/** Opens the dialog of the project folder. */
export function showFolder(why: "open" | "save"): void {
  if (editable.value) folderShown.value = why;
}

/** What is in the project folder; null when there is none, and the person told. */
export async function listFiles(): Promise<Files | null> {
  const reply = await send({ type: "list-files" });
  return reply?.type === "files" ? reply : null;
}

/** Opens a file of the project folder; an .amc finds its .asf beside it. */
export async function openPath(path: string): Promise<boolean> {
  const done = (await send({ type: "open-file", path })) !== null;
  if (done) notify(`Opened ${path}`);
  return done;
}

/** Saves into the project folder; the ending chooses the format. */
export async function savePath(path: string): Promise<boolean> {
  const done = (await send({ type: "save-file", path })) !== null;
  if (done) notify(`Saved ${path}`);
  return done;
}

/** Saves to the document's own file, or asks for a name when it has none. */
export async function save(): Promise<void> {
  const { path } = history.value;
  if (path === null) showFolder("save");
  else await savePath(path);
}

/** Copies the address at which others may look on. */
export async function copyWatchLink(): Promise<void> {
  const link = `${location.origin}/?${new URLSearchParams({ token: watch.value ?? "" })}`;
  try {
    await navigator.clipboard.writeText(link);
    notify("Copied: at this address one sees the studio live, and can change nothing");
  } catch {
    notify(`To look on, open ${link}`);
  }
}

export function saveImage(canvas: HTMLCanvasElement): void {
  canvas.toBlob((blob) => {
    if (blob !== null) offer(blob, `${documentName()}.png`);
  });
}

/** What a file of the document is called, without an ending. */
export function documentName(): string {
  const file = history.value.path
    ?.split("/")
    .at(-1)
    ?.replace(/\.\w+$/, "");
  return file ?? (history.value.name || figure.value?.name || "poise");
}

/** Hands a file to the browser's downloads. */
export function offer(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Opens what is dropped anywhere on the page. */
export function acceptDrops(over: (on: boolean) => void): void {
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) over(false);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    void openFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
