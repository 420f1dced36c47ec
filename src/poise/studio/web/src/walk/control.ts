/** A walk under the person's hands: listens to keys and gamepads while there is one. */

import { effect, signal } from "@preact/signals";
import { send } from "../session";
import * as store from "../store";
import { type Drive, driveOfKeys, driveOfPad, paced, TAKEN } from "./driving";

/** The speed of walking on [m/s], and the length of a stride [m]; null: as people choose it. */
export const pace = signal(1.3);
export const stride = signal<number | null>(null);

const EVERY = 50; // a stick says something else at most so often [ms]
const CLOSE = 0.02; // what differs less is not said

const held = new Set<string>();
let said: Drive | null = null;
let saidAt = 0;

export function listenToDriver(): void {
  addEventListener("keydown", take, true); // before the shortcuts, which some of the keys have
  addEventListener("keyup", (event) => {
    held.delete(event.code);
    if (store.walk.value !== null) drive();
  });
  addEventListener("blur", () => {
    held.clear();
    if (store.walk.value !== null) drive();
  });
  let walked = false;
  effect(() => {
    const walks = store.walk.value !== null;
    if (walks && !walked) {
      held.clear();
      said = null;
      requestAnimationFrame(poll);
    }
    walked = walks;
  });
  effect(() => {
    pace.value;
    stride.value;
    if (store.walk.peek() !== null) drive(true);
  });
}

function take(event: KeyboardEvent): void {
  const typing = (event.target as HTMLElement).matches("input:not([type=range]), select, textarea");
  if (store.walk.value === null || typing || event.ctrlKey || event.metaKey) return;
  if (event.key === "+" || event.key === "=" || event.key === "-") {
    pace.value = paced(pace.value, event.key === "-" ? -1 : 1);
  } else if (TAKEN.has(event.code)) {
    held.add(event.code);
    drive();
  } else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function pads(): Gamepad[] {
  return [...(navigator.getGamepads?.() ?? [])].filter((pad) => pad !== null);
}

function poll(): void {
  if (store.walk.value === null) return;
  if (pads().length > 0) drive();
  requestAnimationFrame(poll);
}

/** Says where to go, if that is something else than before. */
function drive(again = false): void {
  if (!store.editable.value) return;
  const sticks = pads().map((pad) => driveOfPad(pad, pace.value));
  const stick = held.size > 0 ? undefined : sticks.find((own) => own !== null);
  const wanted = stick ?? driveOfKeys(held, pace.value);
  const now = performance.now();
  if (!again && said !== null) {
    const differs =
      Math.abs(said.speed - wanted.speed) > CLOSE || Math.abs(said.turn - wanted.turn) > CLOSE;
    const rests = wanted.speed === 0 && wanted.turn === 0;
    if (!differs && !(rests && (said.speed !== 0 || said.turn !== 0))) return;
    if (stick !== undefined && now - saidAt < EVERY) return;
  }
  [said, saidAt] = [wanted, now];
  void send({ type: "walk-drive", ...wanted, stride: stride.value });
}
