/** Draws on the canvas over the scene: points of the world in, strokes of constant width out. */

import { Vector3 } from "three";
import type { Palette } from "../palette";
import type { Screen, View } from "../view/camera";

export interface Stroke {
  colour: string;
  width?: number;
  dash?: number[];
  alpha?: number;
}

export class Brush {
  palette!: Palette;

  constructor(
    readonly context: CanvasRenderingContext2D,
    readonly view: View,
  ) {}

  /** Begins a new picture. */
  clear(palette: Palette): void {
    const ratio = this.context.canvas.width / this.view.width;
    this.palette = palette;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.view.width, this.view.height);
    this.context.lineCap = "round";
    this.context.lineJoin = "round";
  }

  line(points: Vector3[], stroke: Stroke): void {
    this.path(points.map((point) => this.view.project(point)));
    this.stroke(stroke);
  }

  /** A line with a rim, so that it shows on any ground. */
  rimmed(points: Vector3[], stroke: Stroke): void {
    const width = stroke.width ?? 1.5;
    this.line(points, { colour: this.palette.halo, width: width + 2.5, alpha: 0.7 });
    this.line(points, stroke);
  }

  area(points: Vector3[], colour: string, alpha: number): void {
    this.path(points.map((point) => this.view.project(point)));
    this.context.globalAlpha = alpha;
    this.context.fillStyle = colour;
    this.context.fill();
    this.context.globalAlpha = 1;
  }

  /** A soft light about a point; `radius` in pixels. */
  glow(point: Vector3, radius: number, colour: string): void {
    const { x, y } = this.view.project(point);
    const light = this.context.createRadialGradient(x, y, 0, x, y, radius);
    light.addColorStop(0, `${colour}d0`);
    light.addColorStop(0.35, `${colour}70`);
    light.addColorStop(1, `${colour}00`);
    this.context.fillStyle = light;
    this.context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  }

  dot(point: Vector3, radius: number, fill: string, rim?: string): void {
    const { x, y } = this.view.project(point);
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.context.fillStyle = fill;
    this.context.fill();
    if (rim !== undefined) this.stroke({ colour: rim, width: 1.5 });
  }

  /** Words on a plate, to the right of a point and below it [px]. */
  label(point: Vector3, text: string, colour: string, shift = 14, down = 0): void {
    const { x, y: height } = this.view.project(point);
    const y = height + down;
    const { context } = this;
    context.font = "500 11.5px Inter, system-ui, sans-serif";
    context.textBaseline = "middle";
    const width = context.measureText(text).width;
    context.globalAlpha = 0.88;
    context.fillStyle = this.palette.surface;
    context.beginPath();
    context.roundRect(x + shift, y - 10, width + 12, 20, 6);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.fillText(text, x + shift + 6, y + 0.5);
  }

  path(points: Screen[]): void {
    this.context.beginPath();
    for (const { x, y, depth } of points) if (depth > 0) this.context.lineTo(x, y);
  }

  stroke({ colour, width = 1.5, dash = [], alpha = 1 }: Stroke): void {
    this.context.globalAlpha = alpha;
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.setLineDash(dash);
    this.context.stroke();
    this.context.setLineDash([]);
    this.context.globalAlpha = 1;
  }
}

/** Points on a circle (or a part of one) about `axis`, from `from` turned by `start` to `end`. */
export function arc(
  origin: Vector3,
  axis: Vector3,
  from: Vector3,
  [start, end]: [number, number],
): Vector3[] {
  const steps = Math.max(2, Math.ceil((Math.abs(end - start) / Math.PI) * 32));
  return Array.from({ length: steps + 1 }, (_, k) => {
    const angle = start + ((end - start) * k) / steps;
    return from.clone().applyAxisAngle(axis, angle).add(origin);
  });
}

/** A direction across `axis`, as near to `wanted` as can be. */
export function across(axis: Vector3, wanted: Vector3): Vector3 {
  const part = wanted.clone().addScaledVector(axis, -wanted.dot(axis));
  if (part.lengthSq() > 1e-4) return part.normalize();
  const other = Math.abs(axis.x) < 0.8 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  return other.cross(axis).normalize();
}
