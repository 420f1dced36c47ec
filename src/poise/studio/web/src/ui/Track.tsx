/** The track of the timeline: scrub on it, select keys and fixes, drag them to other times. */

import { useEffect, useRef, useState } from "preact/hooks";
import { selectedKeys } from "../actions";
import type { TimelineInfo } from "../messages";
import { goTo, scrub } from "../playback";
import * as store from "../store";
import { Fix, Key, type Scale } from "./Marks";

const HEIGHT = 62;
const MARGIN = 22; // left of the first frame [px]
const BEYOND = 34; // right of the last one, where its number stands [px]
const RULER = 20;
const CLIP = { top: 24, height: 16 };
const KEYS = 51; // the middle of their row
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300]; // between numbers of the ruler [s]
const CLOSEST = 0.25; // the shortest time that fills the track [s]
const ZOOM = 0.002; // of the wheel

/** The part of the time that the track shows; null for all of it [s]. */
interface Part {
  from: number;
  span: number;
}

export function Track({ timeline }: { timeline: TimelineInfo }) {
  const [width, root] = useWidth();
  const [part, setPart] = useState<Part | null>(null);
  const whole = Math.max(timeline.duration, 1 / timeline.fps);
  const span = Math.min(part?.span ?? whole, whole);
  const from = Math.max(0, Math.min(part?.from ?? 0, whole - span));
  const pixels = Math.max(1, width - MARGIN - BEYOND) / span;
  const scale: Scale = { pixels, x: (at) => MARGIN + (at - from) * pixels };
  const timeAt = (event: MouseEvent) =>
    from + (event.clientX - root.current!.getBoundingClientRect().left - MARGIN) / pixels;
  const zoom = (event: WheelEvent) => {
    event.preventDefault();
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      setPart({ from: from + sideways / pixels, span });
      return;
    }
    const wanted = span * Math.exp(ZOOM * event.deltaY);
    const closer = Math.max(Math.min(CLOSEST, whole), wanted);
    const at = timeAt(event);
    const share = closer / span;
    setPart(closer >= whole ? null : { from: at - (at - from) * share, span: closer });
  };
  return (
    <div
      class="track"
      ref={root}
      onWheel={zoom}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        if (!event.shiftKey) selectedKeys.value = [];
        scrub(true);
        goTo(timeAt(event));
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) goTo(timeAt(event));
      }}
      onPointerUp={() => scrub(false)}
      onPointerCancel={() => scrub(false)}
    >
      <svg width={width} height={HEIGHT} role="img" aria-label="Timeline">
        <Ruler from={from} span={span} scale={scale} />
        {timeline.clip !== null && (
          <rect
            class="clip"
            x={scale.x(0)}
            y={CLIP.top}
            width={timeline.clip.duration * pixels}
            height={CLIP.height}
            rx={5}
          >
            <title>{timeline.clip.name}: never altered; fixes lie over it</title>
          </rect>
        )}
        <Marks timeline={timeline} scale={scale} />
        <g class="playhead" transform={`translate(${scale.x(store.time.value)} 0)`}>
          <line y1={4} y2={HEIGHT} />
          <path d="M-5 0H5V7L0 12-5 7Z" />
        </g>
      </svg>
    </div>
  );
}

/** Fixes on the clip, keys below; those that are selected move together. */
function Marks({ timeline, scale }: { timeline: TimelineInfo; scale: Scale }) {
  const [shift, setShift] = useState(0); // of the selected ones, while they are dragged [s]
  const moving = { scale, shift, setShift };
  return (
    <>
      {timeline.fixes.map((fix) => (
        <Fix key={fix.id} info={fix} top={CLIP.top} height={CLIP.height} moving={moving} />
      ))}
      {timeline.keys.map((key) => (
        <Key key={key.id} info={key} y={KEYS} moving={moving} />
      ))}
    </>
  );
}

function useWidth() {
  const [width, setWidth] = useState(600);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(root.current!.clientWidth));
    observer.observe(root.current!);
    return () => observer.disconnect();
  }, []);
  return [width, root] as const;
}

interface RulerProps extends Part {
  scale: Scale;
}

function Ruler({ from, span, scale }: RulerProps) {
  const step = STEPS.find((own) => own * scale.pixels > 48) ?? 600;
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor((from + span) / step + 1e-9) - first;
  const digits = step < 1 ? 1 : 0;
  return (
    <g class="ruler">
      {Array.from({ length: count + 1 }, (_, k) => {
        const at = (first + k) * step;
        return (
          <g key={first + k} transform={`translate(${scale.x(at)} 0)`}>
            <line y1={RULER - 5} y2={HEIGHT} />
            <text y={12} x={7}>
              {at.toFixed(digits)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
