/** Makes a movie of the view: picture by picture, each when its pose is here. */

import { signal } from "@preact/signals";
import { Vector3 } from "three";
import { showAt } from "../playback";
import { playing, pose, time, timeline } from "../store";
import type { Workspace } from "../workspace";
import { Gif } from "./gif";
import { RATES, type Shot, shotsOf, sizeOf, type Wish } from "./shots";
import { encoding, Video } from "./video";

const SAMPLES = 6; // pictures whose colours a GIF has

/** The share that is done while a movie is made, else null. */
export const progress = signal<number | null>(null);
let cancelled = false;

export function cancelMovie(): boolean {
  cancelled = true;
  return progress.value !== null;
}

/** The movie as a file; null when the person has cancelled it. */
export async function movieOf(workspace: Workspace, wish: Wish): Promise<Blob | null> {
  const shots = shotsOf(wish, timeline.value?.duration ?? 0);
  const camera = new Camera(workspace, wish);
  cancelled = false;
  playing.value = false;
  progress.value = 0;
  try {
    return wish.format === "gif" ? await gifOf(camera, shots) : await videoOf(camera, shots);
  } finally {
    await camera.putAway();
    progress.value = null;
  }
}

async function gifOf(camera: Camera, shots: Shot[]): Promise<Blob | null> {
  const samples: Uint8ClampedArray[] = [];
  for (let k = 0; k < SAMPLES; k++)
    samples.push(await camera.pixels(shots[Math.floor((k * shots.length) / SAMPLES)]!));
  const { width, height } = camera.canvas;
  const gif = new Gif(width, height, 100 / RATES.gif, samples);
  const done = await each(shots, async (shot) => gif.add(await camera.pixels(shot)));
  return done ? new Blob([gif.finished()], { type: "image/gif" }) : null;
}

async function videoOf(camera: Camera, shots: Shot[]): Promise<Blob | null> {
  const { width, height } = camera.canvas;
  const config = await encoding(width, height, RATES.mp4);
  if (config === null) throw new Error("this browser encodes no video; choose GIF");
  const video = new Video(config);
  try {
    const done = await each(shots, async (shot) => {
      await camera.take(shot);
      await video.add(camera.canvas);
    });
    return done ? new Blob([await video.finished()], { type: "video/mp4" }) : null;
  } finally {
    video.close();
  }
}

/** Goes through all; whether it came to the end. */
async function each(shots: Shot[], make: (shot: Shot) => Promise<void>): Promise<boolean> {
  for (const [k, shot] of shots.entries()) {
    await make(shot);
    progress.value = (k + 1) / shots.length;
    await new Promise((go) => setTimeout(go)); // the page stays alive
    if (cancelled) return false;
  }
  return true;
}

/** Takes pictures of the scene alone, from about where the person looks at it. */
class Camera {
  readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly before: { target: Vector3; azimuth: number; time: number };
  private body: Vector3 | null = null;

  constructor(
    private readonly workspace: Workspace,
    private readonly wish: Wish,
  ) {
    const { view } = workspace.stage;
    Object.assign(this.canvas, sizeOf(view, wish.height));
    this.context = this.canvas.getContext("2d", { willReadFrequently: true })!;
    this.before = { target: view.target.clone(), azimuth: view.azimuth, time: time.value };
  }

  async pixels(shot: Shot): Promise<Uint8ClampedArray> {
    await this.take(shot);
    return this.context.getImageData(0, 0, this.canvas.width, this.canvas.height).data;
  }

  async take({ turned, time: at }: Shot): Promise<void> {
    if (at !== null) await showAt(at);
    const { stage } = this.workspace;
    this.look(turned);
    stage.render(1);
    this.context.drawImage(stage.renderer.domElement, 0, 0, this.canvas.width, this.canvas.height);
  }

  /** Looks at the body where it is, from as high as at first. */
  private look(turned: number): void {
    const { view } = this.workspace.stage;
    const body = new Vector3(...(pose.value?.centerOfMass ?? []));
    this.body ??= body;
    const gone = body.clone().sub(this.body);
    gone.projectOnPlane(view.camera.up);
    view.azimuth = this.before.azimuth;
    view.follow(gone.add(this.before.target), turned);
  }

  async putAway(): Promise<void> {
    const { stage } = this.workspace;
    if (this.wish.plays) await showAt(this.before.time);
    stage.view.azimuth = this.before.azimuth;
    stage.view.follow(this.before.target, 0);
    stage.invalidate();
  }
}
