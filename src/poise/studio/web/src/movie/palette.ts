/** The colours that stand for those of some pictures: the median cut. */

const CHANNELS = [0, 1, 2] as const;
const CELLS = 1 << 18; // six bits a channel

/** Pixels that look alike, as one: how many they are, and the sums of their channels. */
interface Cell {
  count: number;
  sums: [number, number, number];
}

type Box = Cell[];

/** The number of the cell of the pixel that begins at `at`. */
export function cellOf(pixels: Uint8ClampedArray, at: number): number {
  return ((pixels[at]! >> 2) << 12) | ((pixels[at + 1]! >> 2) << 6) | (pixels[at + 2]! >> 2);
}

/** Up to `most` colours (r, g, b), each the mean of those that it stands for. */
export function paletteOf(pictures: Uint8ClampedArray[], most: number): Uint8Array {
  const boxes: Box[] = [cellsOf(pictures)];
  while (boxes.length < most) {
    const widest = boxes
      .map(spread)
      .reduce((best, own, k, all) => (own > all[best]! ? k : best), 0);
    const halves = cut(boxes[widest]!);
    if (halves === null) break;
    boxes.splice(widest, 1, ...halves);
  }
  return new Uint8Array(boxes.flatMap(mean));
}

function cellsOf(pictures: Uint8ClampedArray[]): Box {
  const found = new Map<number, Cell>();
  for (const pixels of pictures) {
    for (let at = 0; at < pixels.length; at += 4) {
      const number = cellOf(pixels, at);
      let cell = found.get(number);
      if (cell === undefined) {
        cell = { count: 0, sums: [0, 0, 0] };
        found.set(number, cell);
      }
      cell.count++;
      for (const c of CHANNELS) cell.sums[c] += pixels[at + c]!;
    }
  }
  return [...found.values()];
}

/** How much a box would gain from being cut: its width, and a little how many pixels it has. */
function spread(box: Box): number {
  const count = box.reduce((sum, cell) => sum + cell.count, 0);
  return box.length < 2 ? 0 : width(box, longest(box)) * count ** 0.25;
}

function width(box: Box, channel: 0 | 1 | 2): number {
  let [low, high] = [255, 0];
  for (const cell of box) {
    const value = cell.sums[channel] / cell.count;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high - low;
}

function longest(box: Box): 0 | 1 | 2 {
  const [red, green, blue] = [width(box, 0), width(box, 1), width(box, 2)];
  return green >= red && green >= blue ? 1 : red >= blue ? 0 : 2;
}

/** A box as two, with half of the pixels each; null if all of it is one cell. */
function cut(box: Box): [Box, Box] | null {
  if (box.length < 2) return null;
  const channel = longest(box);
  const sorted = [...box].sort((a, b) => a.sums[channel] / a.count - b.sums[channel] / b.count);
  const half = box.reduce((sum, cell) => sum + cell.count, 0) / 2;
  let [seen, at] = [0, 0];
  while (at < sorted.length - 1 && (at === 0 || seen + sorted[at]!.count <= half))
    seen += sorted[at++]!.count;
  return [sorted.slice(0, at), sorted.slice(at)];
}

function mean(box: Box): number[] {
  const count = box.reduce((sum, cell) => sum + cell.count, 0);
  return CHANNELS.map((c) =>
    Math.round(box.reduce((sum, cell) => sum + cell.sums[c], 0) / Math.max(1, count)),
  );
}

/** Finds the colour of a palette that is nearest to that of a pixel. */
export class Matcher {
  private readonly known = new Int16Array(CELLS).fill(-1);

  constructor(private readonly palette: Uint8Array) {}

  nearest(pixels: Uint8ClampedArray, at: number): number {
    const cell = cellOf(pixels, at);
    if (this.known[cell]! < 0) this.known[cell] = this.searched(pixels, at);
    return this.known[cell]!;
  }

  private searched(pixels: Uint8ClampedArray, at: number): number {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (let k = 0; 3 * k < this.palette.length; k++) {
      let away = 0;
      for (const c of CHANNELS) away += (pixels[at + c]! - this.palette[3 * k + c]!) ** 2;
      if (away < least) [best, least] = [k, away];
    }
    return best;
  }
}
