/** What the plots say: the angles of a joint and its limits, how far off goals are, the solves. */

import { inDegrees, length, words } from "../format";
import type { DofInfo, FigureInfo } from "../messages";
import { jointOf } from "../paint/rigidity";
import { type Sample, SPAN } from "./record";

export interface Point {
  x: number; // from 0, SPAN ago, to 1, now
  y: number; // from 0, the bottom, to 1
  begins: boolean;
  atLimit: boolean;
}

export interface Row {
  name: string;
  reading: string;
  lines: { points: Point[]; colour: "accent" | "pin" | "muted" }[];
  /** Where limits are, from 0 to 1; what is beyond cannot be. */
  lower: number | null;
  upper: number | null;
  /** A mark that means something: a goal counts as met below it, or a solve as fast. */
  mark: number | null;
}

const ROOM = 0.08; // beyond a limit, of what is shown
const LEAST = 0.2; // of an open angle that is shown [rad or m]
const MOST_MOVED = 3; // rows when nothing is selected
const FINEST = 1e-5; // the bottom of the plot of the goals; its top is a metre [m]
const MET = 1e-3; // [m]
const FAST = 1; // [ms]

/** `segment`: whose joint is shown; null: what moves most. `pinned`: ids of goals. */
export function rowsOf(
  samples: Sample[],
  figure: FigureInfo,
  segment: number | null,
  pinned: ReadonlySet<number>,
): Row[] {
  if (samples.length === 0) return [];
  const joint = segment === null ? null : jointOf(figure, segment);
  const dofs = joint === null ? mostMoved(samples, figure) : figure.segments[joint]!.dofs;
  const angles = dofs.map((dof) => angleRow(samples, figure.dofs[dof]!, dof));
  const goals = samples.at(-1)!.pose.goals.length > 0 ? [goalRow(samples, pinned)] : [];
  return [...angles, ...goals, solveRow(samples)];
}

function mostMoved(samples: Sample[], figure: FigureInfo): number[] {
  const moved = figure.dofs.map((_, dof) => {
    const values = samples.map(({ pose }) => pose.angles[dof]!);
    return { dof, range: Math.max(...values) - Math.min(...values) };
  });
  moved.sort((a, b) => b.range - a.range);
  const first = moved.slice(0, MOST_MOVED).filter(({ range }) => range > 1e-6);
  return first.map(({ dof }) => dof).sort((a, b) => a - b);
}

function angleRow(samples: Sample[], { name, kind, lower, upper }: DofInfo, dof: number): Row {
  const values = samples.map(({ pose }) => pose.angles[dof]!);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const middle = 0.5 * (least + most);
  const low = lower ?? Math.min(least, middle - 0.5 * LEAST);
  const high = upper ?? Math.max(most, middle + 0.5 * LEAST);
  const room = ROOM * Math.max(high - low, 1e-9);
  const y = (value: number) => (value - low + room) / (high - low + 2 * room);
  const points = pointsOf(
    samples,
    (_, k) => y(values[k]!),
    (own) => own.pose.limits[dof] !== 0,
  );
  const now = values.at(-1)!;
  return {
    name: words(name),
    reading: kind === "rotation" ? inDegrees(now) : length(now),
    lines: [{ points, colour: "accent" }],
    lower: lower === null ? null : y(lower),
    upper: upper === null ? null : y(upper),
    mark: null,
  };
}

function goalRow(samples: Sample[], pinned: ReadonlySet<number>): Row {
  const now = samples.at(-1)!.pose.goals;
  const y = (error: number) =>
    Math.min(1, Math.max(0, 1 - Math.log10(Math.max(error, FINEST)) / Math.log10(FINEST)));
  const lines = now.map(({ id }) => {
    const own = samples.filter(({ pose }) => pose.goals.some((goal) => goal.id === id));
    const error = ({ pose }: Sample) => pose.goals.find((goal) => goal.id === id)!.position;
    const points = pointsOf(
      own,
      (sample) => y(error(sample)),
      () => false,
      samples,
    );
    return { points, colour: pinned.has(id) ? ("pin" as const) : ("accent" as const) };
  });
  const worst = Math.max(0, ...now.map(({ position }) => position));
  return {
    name: "goals off",
    reading: length(worst),
    lines,
    lower: null,
    upper: null,
    mark: y(MET),
  };
}

function solveRow(samples: Sample[]): Row {
  const times = samples.map(({ pose }) => pose.solveTime);
  const top = 1.2 * Math.max(FAST, ...times);
  return {
    name: "solve",
    reading: `${times.at(-1)!.toFixed(2)} ms`,
    lines: [
      {
        points: pointsOf(
          samples,
          (_, k) => times[k]! / top,
          () => false,
        ),
        colour: "muted",
      },
    ],
    lower: null,
    upper: null,
    mark: FAST / top,
  };
}

function pointsOf(
  samples: Sample[],
  y: (sample: Sample, k: number) => number,
  atLimit: (sample: Sample) => boolean,
  all = samples,
): Point[] {
  const now = all.at(-1)!.at;
  return samples.map((own, k) => ({
    x: 1 - (now - own.at) / SPAN,
    y: y(own, k),
    begins: own.begins,
    atLimit: atLimit(own),
  }));
}
