/** Writes an animated GIF that goes round: one palette for all frames, and of each frame only the
 * pixels that changed. */

import { Bytes } from "./bytes";
import { packed } from "./lzw";
import { Matcher, paletteOf } from "./palette";

const COLOURS = 256;
const KEPT = COLOURS - 1; // the index that leaves a pixel as it was

export class Gif {
  private readonly bytes = new Bytes();
  private readonly matcher: Matcher;
  private before: Uint8Array | null = null;

  /** `samples`: pictures that have the colours of all; `delay`: from frame to frame [1/100 s]. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly delay: number,
    samples: Uint8ClampedArray[],
  ) {
    const palette = paletteOf(samples, KEPT);
    this.matcher = new Matcher(palette);
    this.bytes.text("GIF89a");
    this.bytes.push(...short(width), ...short(height), 0xf7, 0, 0);
    this.bytes.append(palette);
    this.bytes.append(new Uint8Array(3 * COLOURS - palette.length));
    this.bytes.push(0x21, 0xff, 11);
    this.bytes.text("NETSCAPE2.0");
    this.bytes.push(3, 1, ...short(0), 0); // for ever
  }

  /** Adds a frame (r, g, b, a of each pixel). */
  add(pixels: Uint8ClampedArray): void {
    const indices = new Uint8Array(this.width * this.height);
    for (let k = 0; k < indices.length; k++) indices[k] = this.matcher.nearest(pixels, 4 * k);
    const { before } = this;
    this.before = indices;
    const shown =
      before === null ? indices : indices.map((own, k) => (own === before[k] ? KEPT : own));
    const leaves = before === null ? 4 : 5; // the frame before stays below; 1: one index is clear
    this.bytes.push(0x21, 0xf9, 4, leaves, ...short(this.delay), KEPT, 0);
    this.bytes.push(0x2c, ...short(0), ...short(0), ...short(this.width), ...short(this.height), 0);
    this.bytes.push(8);
    this.bytes.append(packed(shown));
  }

  finished(): Uint8Array<ArrayBuffer> {
    this.bytes.push(0x3b);
    return this.bytes.taken();
  }
}

/** Two bytes, the lower first. */
function short(value: number): [number, number] {
  return [value & 255, value >> 8];
}
