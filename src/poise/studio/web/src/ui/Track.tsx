/** The track of the timeline: scrub on it, select keys, drag them to other times. */

import { useEffect, useRef, useState } from "preact/hooks";
import { selectedKeys, timed } from "../actions";
import type { KeyInfo, TimelineInfo } from "../messages";
import { goTo, scrub } from "../playback";
import { send } from "../session";
import * as store from "../store";

const HEIGHT = 56;
const MARGIN = 22; // left and right of the first and last frame [px]
const RULER = 20;
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300]; // between numbers of the ruler [s]
const CLICK = 3; // [px]

export function Track({ timeline }: { timeline: TimelineInfo }) {
  const [width, root] = useWidth();
  const [shift, setShift] = useState(0); // of the selected keys, while they are dragged [s]
  const span = Math.max(timeline.duration, 1 / timeline.fps);
  const scale = Math.max(1, width - 2 * MARGIN) / span; // [px/s]
  const x = (at: number) => MARGIN + at * scale;
  const scrubTo = (event: PointerEvent) => {
    const left = root.current!.getBoundingClientRect().left;
    goTo((event.clientX - left - MARGIN) / scale);
  };
  return (
    <div
      class="track"
      ref={root}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        if (!event.shiftKey) selectedKeys.value = [];
        scrub(true);
        scrubTo(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) scrubTo(event);
      }}
      onPointerUp={() => scrub(false)}
    >
      <svg width={width} height={HEIGHT} role="img" aria-label="Timeline">
        <Ruler span={span} scale={scale} />
        {timeline.clip !== null && (
          <rect
            class="clip"
            x={x(0)}
            y={RULER + 4}
            width={timeline.clip.duration * scale}
            height={8}
            rx={4}
          />
        )}
        {timeline.fixes.map((fix) => (
          <rect
            key={fix.id}
            class="fix"
            x={x(fix.time - fix.ease_in)}
            y={RULER + 4}
            width={(fix.ease_in + fix.ease_out) * scale}
            height={8}
            rx={4}
          />
        ))}
        {timeline.keys.map((key) => (
          <Key key={key.id} info={key} x={x} scale={scale} shift={shift} setShift={setShift} />
        ))}
        <g class="playhead" transform={`translate(${x(store.time.value)} 0)`}>
          <line y1={4} y2={HEIGHT} />
          <path d="M-5 0H5V7L0 12-5 7Z" />
        </g>
      </svg>
    </div>
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

function Ruler({ span, scale }: { span: number; scale: number }) {
  const step = STEPS.find((own) => own * scale > 48) ?? 600;
  const count = Math.floor(span / step + 1e-9);
  const digits = step < 1 ? 1 : 0;
  return (
    <g class="ruler">
      {Array.from({ length: count + 1 }, (_, k) => (
        <g key={k} transform={`translate(${MARGIN + k * step * scale} 0)`}>
          <line y1={RULER - 5} y2={HEIGHT} />
          <text y={12} x={4}>
            {(k * step).toFixed(digits)}
          </text>
        </g>
      ))}
    </g>
  );
}

interface KeyProps {
  info: KeyInfo;
  x(at: number): number;
  scale: number;
  shift: number;
  setShift(shift: number): void;
}

/** A key: click selects it (Shift adds), dragging moves all that are selected. */
function Key({ info, x, scale, shift, setShift }: KeyProps) {
  const pressed = useRef<number | null>(null);
  const selected = selectedKeys.value.includes(info.id);
  const moved = (event: PointerEvent) => event.clientX - (pressed.current ?? event.clientX);
  return (
    <path
      class={`key ${info.ease}${selected ? " selected" : ""}`}
      data-key={info.id}
      transform={`translate(${x(info.time + (selected ? shift : 0))} ${RULER + 22})`}
      d={info.ease === "hold" ? "M-6-6H6V6H-6Z" : "M0-8 7 0 0 8-7 0Z"}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        pressed.current = event.clientX;
        if (event.shiftKey) selectedKeys.value = [...new Set([...selectedKeys.value, info.id])];
        else if (!selected) selectedKeys.value = [info.id];
      }}
      onPointerMove={(event) => {
        if (pressed.current !== null) setShift(onFrames(moved(event) / scale));
      }}
      onPointerUp={(event) => {
        const by = onFrames(moved(event) / scale);
        const far = Math.abs(moved(event)) > CLICK;
        pressed.current = null;
        setShift(0);
        if (far && by !== 0) void send({ type: "move-keys", keys: selectedKeys.value, by });
        else if (!far && !event.shiftKey) goTo(info.time);
      }}
    />
  );
}

/** A shift by whole frames that leaves no selected key before the start [s]. */
function onFrames(by: number): number {
  const fps = store.timeline.value?.fps ?? 30;
  const first = Math.min(
    ...timed()
      .filter((own) => selectedKeys.value.includes(own.id))
      .map((own) => own.time),
  );
  return Math.max(Math.round(by * fps) / fps, -first);
}
