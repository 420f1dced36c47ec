/** What a movie shows: at each picture where the camera stands, and what time of the motion it is. */

/** What the person wants. */
export interface Wish {
  format: "gif" | "mp4";
  /** The camera goes once around. */
  turns: boolean;
  /** The motion is played, from its start to its end. */
  plays: boolean;
  /** How long it lasts if the motion is not played [s]. */
  seconds: number;
  height: number; // [px]
}

export interface Shot {
  /** How far the camera has gone around [rad]. */
  turned: number;
  /** Of the motion; null: as it stands [s]. */
  time: number | null;
}

/** Pictures a second: GIF counts hundredths of a second. */
export const RATES = { gif: 25, mp4: 30 } as const;

/** The pictures of a movie; the last one goes on into the first where the camera turns. */
export function shotsOf(wish: Wish, duration: number): Shot[] {
  const seconds = wish.plays ? duration : wish.seconds;
  const count = Math.max(1, Math.round(seconds * RATES[wish.format]));
  return Array.from({ length: count }, (_, k) => ({
    turned: wish.turns ? (2 * Math.PI * k) / count : 0,
    time: wish.plays ? (duration * k) / Math.max(1, wish.turns ? count : count - 1) : null,
  }));
}

/** The size of a picture of a view: as high as wished, and even, as encoders want it. */
export function sizeOf(view: { width: number; height: number }, height: number) {
  const even = (value: number) => 2 * Math.max(1, Math.round(value / 2));
  return { width: even((height * view.width) / view.height), height: even(height) };
}
