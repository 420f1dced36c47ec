/** Puts encoded pictures into an MP4 file: one track, whose first picture stands alone. */

import { Bytes } from "./bytes";

/** What the encoder says of its pictures. */
export interface Track {
  width: number;
  height: number;
  /** Pictures a second. */
  rate: number;
  /** As the browser names it: "avc1.42e01f", "vp09.00.31.08". */
  codec: string;
  /** The encoder's own header (H.264); VP9 has none. */
  description: Uint8Array | null;
}

export interface Picture {
  bytes: Uint8Array;
  /** Whether it can be shown without those before it. */
  alone: boolean;
}

const UPRIGHT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const INCH = 0x480000; // 72 pixels
const TICKS = 1000; // a picture

export function mp4Of(track: Track, pictures: Picture[]): Uint8Array<ArrayBuffer> {
  const named = box("ftyp", letters("isom"), u32(0x200), letters("isomiso2mp41"));
  const shape = (start: number) => moov(track, pictures, start);
  const start = named.length + shape(0).length + 8; // of the first picture
  const sizes = pictures.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const file = new Bytes();
  for (const part of [named, shape(start), u32(8 + sizes), letters("mdat")]) file.append(part);
  for (const { bytes } of pictures) file.append(bytes);
  return file.taken();
}

function moov(track: Track, pictures: Picture[], start: number): Uint8Array {
  const { width, height, rate } = track;
  const scale = u32(Math.round(TICKS * rate));
  const length = u32(TICKS * pictures.length);
  const turned = u32(...UPRIGHT);
  const head = [u32(0, 0), scale, length];
  return box(
    "moov",
    full(
      "mvhd",
      0,
      ...head,
      u32(0x10000),
      u16(0x100, 0),
      u32(0, 0),
      turned,
      u32(0, 0, 0, 0, 0, 0, 2),
    ),
    box(
      "trak",
      full(
        "tkhd",
        3,
        u32(0, 0, 1, 0),
        length,
        u32(0, 0, 0, 0),
        turned,
        u32(width << 16, height << 16),
      ),
      box(
        "mdia",
        full("mdhd", 0, ...head, u16(0x55c4, 0)), // of no language
        full("hdlr", 0, u32(0), letters("vide"), u32(0, 0, 0), letters("Poise\0")),
        box(
          "minf",
          full("vmhd", 1, u16(0, 0, 0, 0)),
          box("dinf", full("dref", 0, u32(1), full("url ", 1))),
          samples(track, pictures, start),
        ),
      ),
    ),
  );
}

/** Where each picture is, how long it is, and how to read it. */
function samples(track: Track, pictures: Picture[], start: number): Uint8Array {
  const count = pictures.length;
  const alone = pictures.flatMap((own, k) => (own.alone ? [k + 1] : []));
  const sizes = pictures.map(({ bytes }) => bytes.length);
  return box(
    "stbl",
    full("stsd", 0, u32(1), entry(track)),
    full("stts", 0, u32(1, count, TICKS)),
    full("stss", 0, u32(alone.length, ...alone)),
    full("stsc", 0, u32(1, 1, count, 1)), // all in one piece
    full("stsz", 0, u32(0, count, ...sizes)),
    full("stco", 0, u32(1, start)),
  );
}

function entry({ width, height, codec, description }: Track): Uint8Array {
  const [kind, profile, level, depth] = codec.split(".");
  const isVp9 = kind === "vp09";
  // Profile, level, eight bits, colour halved both ways, and no more said of colours.
  const vp9 = [Number(profile), Number(level), (Number(depth ?? 8) << 4) | 2, 1, 1, 1, 0, 0];
  return box(
    kind!,
    u16(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, width, height),
    u32(INCH, INCH, 0),
    u16(1),
    new Uint8Array(32), // the encoder's name: none
    u16(24, 0xffff),
    isVp9 ? full("vpcC", 1 << 24, new Uint8Array(vp9)) : box("avcC", description!),
  );
}

function box(kind: string, ...parts: Uint8Array[]): Uint8Array {
  const out = new Bytes();
  out.append(u32(8 + parts.reduce((sum, part) => sum + part.length, 0)));
  for (const part of [letters(kind), ...parts]) out.append(part);
  return out.taken();
}

/** A box with a version (its highest byte) and flags. */
function full(kind: string, flags: number, ...parts: Uint8Array[]): Uint8Array {
  return box(kind, u32(flags), ...parts);
}

const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const u16 = (...values: number[]) =>
  new Uint8Array(values.flatMap((v) => [(v >> 8) & 255, v & 255]));
const u32 = (...values: number[]) =>
  new Uint8Array(
    values.flatMap((v) => [(v >>> 24) & 255, (v >>> 16) & 255, (v >>> 8) & 255, v & 255]),
  );
