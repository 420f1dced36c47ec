/** What drives a walk: keys that are held, or the stick of a gamepad. Knows no page. */

export interface Drive {
  speed: number; // [m/s]
  turn: number; // to the left [rad/s]
}

/** A gamepad as the browser gives it, as far as it matters here. */
export interface Pad {
  axes: readonly number[];
  buttons: readonly { value: number }[];
}

export const STEP = 0.1; // of the speed by + and - [m/s]
export const SLOWEST = 0.3;
export const FASTEST = 3.5;
const RUN = 1.8; // times as fast with shift, or with a trigger
const TURN = 1.1; // [rad/s]
const IDLE = 0.12; // a stick that is moved less is at rest
const TRIGGERS = [6, 7];

const FORWARD = ["ArrowUp", "KeyW"];
const LEFT = ["ArrowLeft", "KeyA"];
const RIGHT = ["ArrowRight", "KeyD"];
const FAST = ["ShiftLeft", "ShiftRight"];
const HALT = ["ArrowDown", "KeyS"];

/** Keys that a walk takes for itself, by `KeyboardEvent.code`. */
export const TAKEN = new Set([...FORWARD, ...LEFT, ...RIGHT, ...FAST, ...HALT]);

/** Where held keys go; `pace` is the speed that was chosen. */
export function driveOfKeys(held: ReadonlySet<string>, pace: number): Drive {
  const is = (codes: string[]) => codes.some((code) => held.has(code));
  const forward = is(FORWARD) && !is(HALT);
  const turn = TURN * (Number(is(LEFT)) - Number(is(RIGHT)));
  return { speed: forward ? pace * (is(FAST) ? RUN : 1) : 0, turn };
}

/** Where the left stick goes; null while it rests. */
export function driveOfPad(pad: Pad, pace: number): Drive | null {
  const [x, y] = [rested(pad.axes[0] ?? 0), rested(pad.axes[1] ?? 0)];
  if (x === 0 && y === 0) return null;
  const pull = Math.max(0, ...TRIGGERS.map((i) => pad.buttons[i]?.value ?? 0));
  const speed = Math.max(0, -y) * pace * (1 + (RUN - 1) * pull);
  return { speed, turn: x === 0 ? 0 : -x * TURN };
}

/** A speed faster or slower by so many steps. */
export function paced(pace: number, steps: number): number {
  return Math.max(SLOWEST, Math.min(FASTEST, pace + steps * STEP));
}

function rested(value: number): number {
  const beyond = Math.max(0, Math.abs(value) - IDLE) / (1 - IDLE);
  return Math.sign(value) * Math.min(1, beyond);
}
