/** The packing of GIF: Lempel, Ziv and Welch's, over bytes. */

import { Bytes } from "./bytes";

const CLEAR = 256;
const END = 257;
const MOST = 4096; // codes before the table is begun anew
const BLOCK = 255; // bytes

/** Packed bytes in blocks, each behind its length; the one of length 0 ends them. */
export function packed(values: Uint8Array): Uint8Array {
  const out = new Bits();
  // Of a code and the byte that follows: the code of both, and the table's number above it.
  const table = new Int32Array(MOST << 8);
  let [age, next, width] = [1, END + 1, 9];
  out.write(CLEAR, width);
  let prefix = values[0]!;
  for (let k = 1; k < values.length; k++) {
    const at = (prefix << 8) | values[k]!;
    const found = table[at]!;
    if (found >> 12 === age) {
      prefix = found & (MOST - 1);
      continue;
    }
    out.write(prefix, width);
    prefix = values[k]!;
    if (next === MOST) {
      out.write(CLEAR, width);
      [age, next, width] = [age + 1, END + 1, 9];
      continue;
    }
    if (next === 1 << width) width++;
    table[at] = (age << 12) | next++;
  }
  out.write(prefix, width);
  out.write(END, next === 1 << width && width < 12 ? width + 1 : width);
  return inBlocks(out.taken());
}

/** Codes of changing width, the lowest bit first. */
class Bits {
  private readonly bytes = new Bytes();
  private held = 0;
  private count = 0;

  write(code: number, width: number): void {
    this.held |= code << this.count;
    this.count += width;
    while (this.count >= 8) {
      this.bytes.byte(this.held & 255);
      this.held >>>= 8;
      this.count -= 8;
    }
  }

  taken(): Uint8Array {
    if (this.count > 0) this.bytes.byte(this.held & 255);
    return this.bytes.taken();
  }
}

function inBlocks(bytes: Uint8Array): Uint8Array {
  const out = new Bytes();
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK);
    out.push(block.length);
    out.append(block);
  }
  out.push(0);
  return out.taken();
}
