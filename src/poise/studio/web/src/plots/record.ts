/** The last seconds of what was shown, kept while plots are seen. */

import type { PoseFrame } from "../frames";

/** What a plot shows [s]. */
export const SPAN = 6;
/** A longer pause is shown as one of this length [s]. */
const PAUSE = 0.4;
/** One that breaks the lines [s]. */
const BREAK = 1;

export interface Sample {
  /** When, without the pauses [s]. */
  at: number;
  /** Whether it follows a pause. */
  begins: boolean;
  pose: PoseFrame;
}

/** The record with one more pose, which came at `now` [s]; what is too old is dropped. */
export function recorded(before: Sample[], pose: PoseFrame, now: number, last: number): Sample[] {
  const newest = before.at(-1);
  const others = newest !== undefined && newest.pose.revision !== pose.revision;
  if (newest === undefined || others) return [{ at: 0, begins: true, pose }];
  const at = newest.at + Math.min(now - last, PAUSE);
  const kept = before.filter((own) => own.at >= at - SPAN);
  return [...kept, { at, begins: now - last > BREAK, pose }];
}
