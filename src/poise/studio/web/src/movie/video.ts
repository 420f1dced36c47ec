/** Encodes pictures with what the browser has: H.264, or else VP9. */

import { mp4Of, type Picture, type Track } from "./mp4";

const CODECS = ["avc1.640028", "avc1.42e028", "vp09.00.40.08"];
const APART = 60; // pictures between two that stand alone
const WAITING = 8; // pictures that may wait for the encoder
const BITS = 0.12; // a pixel

/** How this browser would encode such pictures; null if it cannot. */
export async function encoding(
  width: number,
  height: number,
  rate: number,
): Promise<VideoEncoderConfig | null> {
  if (!("VideoEncoder" in window)) return null;
  const bitrate = Math.round(BITS * width * height * rate);
  for (const codec of CODECS) {
    const config = { codec, width, height, bitrate, framerate: rate };
    if ((await VideoEncoder.isConfigSupported(config)).supported) return config;
  }
  return null;
}

export class Video {
  private readonly pictures: Picture[] = [];
  private description: Uint8Array | null = null;
  private failure: DOMException | null = null;
  private count = 0;
  private readonly encoder = new VideoEncoder({
    output: (chunk, about) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      this.pictures.push({ bytes, alone: chunk.type === "key" });
      const { description } = about?.decoderConfig ?? {};
      if (description !== undefined) this.description = copied(description);
    },
    error: (failure) => {
      this.failure = failure;
    },
  });

  constructor(private readonly config: VideoEncoderConfig) {
    this.encoder.configure(config);
  }

  async add(canvas: HTMLCanvasElement): Promise<void> {
    const timestamp = (1e6 * this.count) / this.config.framerate!; // [µs]
    const frame = new VideoFrame(canvas, { timestamp });
    this.encoder.encode(frame, { keyFrame: this.count++ % APART === 0 });
    frame.close();
    while (this.encoder.encodeQueueSize > WAITING && this.failure === null)
      await new Promise((go) => setTimeout(go, 5));
    if (this.failure !== null) throw this.failure;
  }

  async finished(): Promise<Uint8Array<ArrayBuffer>> {
    await this.encoder.flush();
    const { width, height, codec, framerate } = this.config;
    const track: Track = { width, height, codec, rate: framerate!, description: this.description };
    return mp4Of(track, this.pictures);
  }

  close(): void {
    if (this.encoder.state !== "closed") this.encoder.close();
  }
}

function copied(buffer: AllowSharedBufferSource): Uint8Array {
  if (ArrayBuffer.isView(buffer))
    return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).slice();
  return new Uint8Array(buffer).slice();
}
