/** The clock: where in time the person is, scrubbing and playing. Nothing of it can be undone. */

import { effect } from "@preact/signals";
import { isBehind, move } from "./session";
import { connected, dragging, playing, pose, speed, time, timeline } from "./store";

let scrubbing = false;

/** Shows the document at a time [s], at a whole frame of it. */
export function goTo(wanted: number): void {
  const { fps, duration } = timeline.value ?? { fps: 30, duration: 0 };
  const last = Math.round(duration * fps);
  show(Math.max(0, Math.min(last, Math.round(wanted * fps))) / fps);
}

/** Steps by so many frames. */
export function step(frames: number): void {
  goTo(time.value + frames / (timeline.value?.fps ?? 30));
}

/** To the next key or fix (+1), or the one before (-1). */
export function stepKey(direction: 1 | -1): void {
  const { keys, fixes } = timeline.value ?? { keys: [], fixes: [] };
  const times = [...keys, ...fixes].map((own) => own.time).sort((a, b) => a - b);
  const later = times.filter((at) => (at - time.value) * direction > 1e-4);
  const next = direction > 0 ? later[0] : later.at(-1);
  if (next !== undefined) goTo(next);
}

export function scrub(on: boolean): void {
  scrubbing = on;
  if (on) playing.value = false;
}

export function togglePlay(): void {
  const end = timeline.value?.duration ?? 0;
  if (!playing.value && time.value >= end - 1e-6) show(0);
  playing.value = !playing.value && end > 0;
}

function show(at: number): void {
  time.value = at;
  move({ kind: "time", time: at });
}

/** Shows a time that need not be a frame's [s]; done when its pose is here. */
export async function showAt(at: number): Promise<void> {
  show(at);
  while (connected.value && isBehind()) await new Promise((go) => setTimeout(go, 1));
}

/** Moves with the display while playing, and takes over the session's time while not. */
export function keepTime(): void {
  let last = 0;
  const tick = (now: number) => {
    if (!playing.value) return;
    const { duration, loop } = timeline.value ?? { duration: 0, loop: false };
    const next = time.value + ((now - last) / 1000) * speed.value;
    last = now;
    if (next < duration) show(next);
    else if (loop && duration > 0) show(next % duration);
    else {
      show(duration);
      playing.value = false;
    }
    requestAnimationFrame(tick);
  };
  effect(() => {
    if (!playing.value) return;
    last = performance.now();
    requestAnimationFrame(tick);
  });
  effect(() => {
    const shown = pose.value;
    if (shown !== null && !playing.peek() && !scrubbing && !isBehind()) time.value = shown.time;
  });
  effect(() => {
    if (dragging.value) playing.value = false;
  });
}
