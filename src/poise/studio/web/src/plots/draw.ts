/** Draws one plot. */

import type { Palette } from "../palette";
import type { Point, Row } from "./rows";

const LINE = 1.5; // [px]
const DOT = 2.5;
const BEYOND = 0.16; // how much of the limits' colour what is beyond them has

export function drawRow(canvas: HTMLCanvasElement, row: Row, palette: Palette): void {
  const ratio = Math.min(devicePixelRatio, 2);
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(ratio * width);
  canvas.height = Math.round(ratio * height);
  const context = canvas.getContext("2d")!;
  context.scale(ratio, ratio);
  const place = ({ x, y }: { x: number; y: number }) =>
    [x * (width - 2 * DOT), DOT + (1 - y) * (height - 2 * DOT)] as const;
  const level = (y: number) => place({ x: 0, y })[1];
  if (row.lower !== null) beyond(level(row.lower), height);
  if (row.upper !== null) beyond(level(row.upper), 0);
  if (row.mark !== null) {
    context.setLineDash([2, 3]);
    across(level(row.mark), palette.line);
    context.setLineDash([]);
  }
  for (const { points, colour } of row.lines) {
    const own = palette[colour];
    stroke(points, own, () => true);
    stroke(points, palette.limit, (point) => point.atLimit);
    const last = points.at(-1);
    if (last !== undefined) {
      context.fillStyle = last.atLimit ? palette.limit : own;
      context.beginPath();
      context.arc(...place(last), DOT, 0, 2 * Math.PI);
      context.fill();
    }
  }

  function beyond(from: number, to: number): void {
    context.globalAlpha = BEYOND;
    context.fillStyle = palette.limit;
    context.fillRect(0, Math.min(from, to), width, Math.abs(to - from));
    context.globalAlpha = 1;
    across(from, palette.limit);
  }

  function across(y: number, colour: string): void {
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  }

  function stroke(points: Point[], colour: string, shown: (point: Point) => boolean): void {
    context.strokeStyle = colour;
    context.lineWidth = LINE;
    context.lineJoin = "round";
    context.beginPath();
    points.forEach((point, k) => {
      const before = points[k - 1];
      if (before === undefined || point.begins || !shown(before) || !shown(point))
        context.moveTo(...place(point));
      else context.lineTo(...place(point));
    });
    context.stroke();
  }
}
