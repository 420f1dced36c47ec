/** Keys and fixes on the track: click selects (Shift adds), dragging moves all selected ones. */

import { useRef, useState } from "preact/hooks";
import { selectedKeys, timed } from "../actions";
import type { FixInfo, KeyInfo } from "../messages";
import { goTo } from "../playback";
import { send } from "../session";
import * as store from "../store";

const CLICK = 3; // [px]
const GRIP = 5; // half the width in which the end of a fix can be taken [px]
const BELL = 12; // straight pieces on each side of a fix

/** From seconds to pixels of the track. */
export interface Scale {
  /** [px/s] */
  pixels: number;
  x(at: number): number;
}

export interface Moving {
  scale: Scale;
  /** Of the selected keys and fixes, while they are dragged [s]. */
  shift: number;
  setShift(shift: number): void;
}

export function Key({ info, y, moving }: { info: KeyInfo; y: number; moving: Moving }) {
  const { scale, shift } = moving;
  const selected = selectedKeys.value.includes(info.id);
  return (
    <path
      class={`key ${info.ease}${selected ? " selected" : ""}`}
      data-key={info.id}
      transform={`translate(${scale.x(info.time + (selected ? shift : 0))} ${y})`}
      d={info.ease === "hold" ? "M-6-6H6V6H-6Z" : "M0-8 7 0 0 8-7 0Z"}
      {...useMoved(info, moving)}
    >
      <title>Key at {info.time.toFixed(2)} s</title>
    </path>
  );
}

interface FixProps {
  info: FixInfo;
  top: number;
  height: number;
  moving: Moving;
}

/** A fix: how much it counts over time, a mark at its time, and ends that can be dragged. */
export function Fix({ info, top, height, moving }: FixProps) {
  const { scale, shift } = moving;
  const [eased, setEased] = useState<{ ease_in?: number; ease_out?: number }>({});
  const selected = selectedKeys.value.includes(info.id);
  const x = scale.x(info.time + (selected ? shift : 0));
  const before = (eased.ease_in ?? info.ease_in) * scale.pixels;
  const after = (eased.ease_out ?? info.ease_out) * scale.pixels;
  const ends = [
    { name: "ease_in", x: x - before, sign: -1 },
    { name: "ease_out", x: x + after, sign: 1 },
  ] as const;
  return (
    <g class={selected ? "fix selected" : "fix"}>
      <g data-fix={info.id} {...useMoved(info, moving)}>
        <path class="fix-bell" d={bell(x, before, after, top, height)} />
        <path class="fix-mark" transform={`translate(${x} ${top + height / 2})`} d={DIAMOND} />
        <title>Fix at {info.time.toFixed(2)} s: drag to move, drag its ends to ease it</title>
      </g>
      {selected &&
        ends.map(({ name, x: end, sign }) => (
          <FixEnd
            key={name}
            name={name}
            at={{ x: end, top, height }}
            seconds={(clientX, left) => Math.max(0, (sign * (clientX - left - x)) / scale.pixels)}
            onMove={(seconds) => setEased({ [name]: seconds })}
            onEnd={(seconds) => {
              setEased({});
              void send({ type: "change-fix", fix: info.id, [name]: seconds });
            }}
          />
        ))}
    </g>
  );
}

const DIAMOND = "M0-6 5 0 0 6-5 0Z";

interface FixEndProps {
  name: "ease_in" | "ease_out";
  at: { x: number; top: number; height: number };
  seconds(clientX: number, left: number): number;
  onMove(seconds: number): void;
  onEnd(seconds: number): void;
}

function FixEnd({ name, at, seconds, onMove, onEnd }: FixEndProps) {
  const held = useRef<number | null>(null);
  const now = (event: PointerEvent) => {
    const { left } = (event.currentTarget as SVGElement).ownerSVGElement!.getBoundingClientRect();
    return Math.round(1000 * seconds(event.clientX, left)) / 1000;
  };
  return (
    <g
      class="fix-end"
      data-fix-end={name}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = event.clientX;
      }}
      onPointerMove={(event) => {
        if (held.current === null) return;
        event.stopPropagation();
        onMove(now(event));
      }}
      onPointerUp={(event) => {
        if (held.current !== null && Math.abs(event.clientX - held.current) > 0) onEnd(now(event));
        held.current = null;
      }}
    >
      <rect x={at.x - GRIP} y={at.top - 2} width={2 * GRIP} height={at.height + 4} opacity={0} />
      <rect class="fix-grip" x={at.x - 1.5} y={at.top} width={3} height={at.height} rx={1.5} />
    </g>
  );
}

/** The area under the share of a fix that counts, as `Fix.share` has it. */
function bell(x: number, before: number, after: number, top: number, height: number): string {
  const side = (width: number, sign: number) =>
    Array.from({ length: BELL + 1 }, (_, k) => {
      const share = k / BELL;
      const high = share * share * (3 - 2 * share) * height;
      return `${x + sign * width * (1 - share)} ${top + height - high}`;
    });
  return `M${[...side(before, -1), ...side(after, 1).reverse()].join("L")}Z`;
}

/** What makes a mark selectable, and movable with the others. */
function useMoved(info: { id: number; time: number }, { scale, setShift }: Moving) {
  const pressed = useRef<number | null>(null);
  const moved = (event: PointerEvent) => event.clientX - (pressed.current ?? event.clientX);
  return {
    onPointerDown(event: PointerEvent) {
      event.stopPropagation();
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      pressed.current = event.clientX;
      const { value } = selectedKeys;
      if (event.shiftKey) selectedKeys.value = [...new Set([...value, info.id])];
      else if (!value.includes(info.id)) selectedKeys.value = [info.id];
    },
    onPointerMove(event: PointerEvent) {
      if (pressed.current === null) return;
      event.stopPropagation(); // the playhead stays
      setShift(onFrames(moved(event) / scale.pixels));
    },
    onPointerUp(event: PointerEvent) {
      if (pressed.current === null) return;
      const by = onFrames(moved(event) / scale.pixels);
      const far = Math.abs(moved(event)) > CLICK;
      pressed.current = null;
      setShift(0);
      if (far && by !== 0) void send({ type: "move-keys", keys: selectedKeys.value, by });
      else if (!far && !event.shiftKey) goTo(info.time);
    },
  };
}

/** A shift by whole frames that leaves nothing selected before the start [s]. */
function onFrames(by: number): number {
  const fps = store.timeline.value?.fps ?? 30;
  const first = Math.min(
    ...timed()
      .filter((own) => selectedKeys.value.includes(own.id))
      .map((own) => own.time),
  );
  return Math.max(Math.round(by * fps) / fps, -first);
}
