import { expect, test } from "vitest";
import { Gif } from "../src/movie/gif";
import { packed } from "../src/movie/lzw";
import { mp4Of } from "../src/movie/mp4";
import { paletteOf } from "../src/movie/palette";
import { shotsOf, sizeOf } from "../src/movie/shots";

/** What LZW packed, by a reader of its own. */
function unpacked(bytes: Uint8Array): number[] {
  const stream: number[] = [];
  for (let at = 0; bytes[at] !== 0; at += bytes[at]! + 1)
    stream.push(...bytes.subarray(at + 1, at + 1 + bytes[at]!));
  let [held, count, at] = [0, 0, 0];
  const read = (width: number) => {
    while (count < width) {
      held |= stream[at++]! << count;
      count += 8;
    }
    const code = held & ((1 << width) - 1);
    held >>>= width;
    count -= width;
    return code;
  };
  const out: number[] = [];
  let table: number[][] = [];
  let before: number[] | null = null;
  let width = 9;
  for (;;) {
    const code = read(width);
    if (code === 257) return out;
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, k) => [k]);
      [before, width] = [null, 9];
      continue;
    }
    const word: number[] = table[code] ?? [...before!, before![0]!];
    out.push(...word);
    if (before !== null && table.length < 4096) table.push([...before, word[0]!]);
    if (table.length === 1 << width && width < 12) width++;
    before = word;
  }
}

test("what is packed comes out again, also when the table is full", () => {
  let seed = 1;
  const noise = Uint8Array.from({ length: 30_000 }, () => {
    seed = (seed * 48271) % 2147483647;
    return seed & 255;
  });
  for (const values of [noise, new Uint8Array(5000), Uint8Array.of(7), noise.subarray(0, 300)])
    expect(unpacked(packed(values))).toEqual([...values]);
});

test("a palette has the very colours of a picture of few", () => {
  const pixels = new Uint8ClampedArray([...[10, 20, 30, 255], ...[200, 100, 0, 255]].flat());
  const palette = paletteOf([pixels], 255);
  expect([palette.subarray(0, 3), palette.subarray(3)].map((own) => [...own]).sort()).toEqual([
    [10, 20, 30],
    [200, 100, 0],
  ]);
});

test("a pixel that stays is left as it was", () => {
  const picture = (...reds: number[]) =>
    new Uint8ClampedArray(reds.flatMap((red) => [red, 0, 0, 255]));
  const gif = new Gif(2, 1, 4, [picture(0, 255)]);
  gif.add(picture(0, 0));
  const before = gif.finished().length;
  gif.add(picture(0, 255));
  const frame = gif.finished().subarray(before);
  const values = unpacked(frame.subarray(frame.lastIndexOf(8, 20) + 1));
  expect(values[0]).toBe(255);
  expect(values[1]).not.toBe(255);
});

test("a movie goes once around, and through the motion", () => {
  const wish = { format: "gif", turns: true, plays: true, seconds: 9, height: 480 } as const;
  const shots = shotsOf(wish, 2);
  expect(shots.length).toBe(50);
  expect(shots[0]).toEqual({ turned: 0, time: 0 });
  expect(shots[25]!.turned).toBeCloseTo(Math.PI, 12);
  expect(shots.at(-1)!.time).toBeLessThan(2); // the next is the first again
  const still = shotsOf({ ...wish, turns: false }, 2);
  expect(still.at(-1)).toEqual({ turned: 0, time: 2 });
  expect(shotsOf({ ...wish, plays: false, seconds: 1 }, 2)[3]!.time).toBeNull();
  expect(sizeOf({ width: 723, height: 411 }, 361)).toEqual({ width: 636, height: 362 });
});

test("an mp4 says where its pictures are", () => {
  const track = { width: 4, height: 2, rate: 30, codec: "vp09.00.10.08", description: null };
  const file = mp4Of(track, [
    { bytes: Uint8Array.of(1, 2, 3), alone: true },
    { bytes: Uint8Array.of(4, 5), alone: false },
  ]);
  const view = new DataView(file.buffer);
  const find = (name: string) => String.fromCharCode(...file).indexOf(name);
  const start = view.getUint32(find("stco") + 12);
  expect([...file.subarray(start)]).toEqual([1, 2, 3, 4, 5]);
  const sizes = [0, 4, 8, 12].map((k) => view.getUint32(find("stsz") + 8 + k));
  expect(sizes).toEqual([0, 2, 3, 2]); // none for all, how many, and each
});
