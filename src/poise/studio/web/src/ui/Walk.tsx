/** The walk: how and where the figure goes, and the recording of it. */

import { seconds, words } from "../format";
import type { Ground, Jacobian, Stride, WalkChange, WalkInfo } from "../messages";
import { send } from "../session";
import * as store from "../store";
import { pace, stride } from "../walk/control";
import { FASTEST, SLOWEST } from "../walk/driving";
import { Choice, NumberField, Row, Slider, Switch } from "./controls";

const GROUNDS: [Ground, string][] = [
  ["flat", "Flat"],
  ["hills", "Hills"],
  ["stairs", "Stairs"],
  ["ramp", "Ramp"],
];
const STRIDES: [Stride, string][] = [
  ["natural", "Natural"],
  ["paper", "MovingIK's"],
];
const MODES: [Jacobian, string][] = [
  ["auto", "Auto"],
  ["half", "Half Jacobian"],
  ["full", "Full Jacobian"],
  ["hybrid", "Hybrid"],
];
const KEYS = [
  ["W or ↑", "Forward"],
  ["A D or ← →", "Turn"],
  ["Shift", "Run"],
  ["+ −", "Faster, slower"],
  ["Gamepad", "Left stick; a trigger runs"],
] as const;

export function Walk() {
  const walk = store.walk.value;
  if (walk !== null) return <Walking walk={walk} />;
  return (
    <section class="section">
      <h2>Walk</h2>
      <p class="hint">
        The figure walks in real time where you drive it, by keys or a gamepad. What it did can be
        kept as a clip.
      </p>
      <button type="button" class="primary wide" onClick={() => void send({ type: "walk-begin" })}>
        Let it walk
      </button>
    </section>
  );
}

function Walking({ walk }: { walk: WalkInfo }) {
  const change = (values: Omit<WalkChange, "type" | "id">) =>
    void send({ type: "walk-change", ...values });
  return (
    <>
      <section class="section">
        <h2>Walk</h2>
        {walk.stopped !== null && <p class="hint stopped">Stopped: {walk.stopped}.</p>}
        <Row label="Ground">
          <Choice
            label="Ground"
            value={walk.ground}
            choices={GROUNDS}
            onChange={(ground) => change({ ground })}
          />
        </Row>
        <Row label="Stride">
          <Choice
            label="Stride"
            value={walk.stride}
            choices={STRIDES}
            onChange={(chosen) => change({ stride: chosen })}
          />
        </Row>
        <Row label="Legs">
          <Choice
            label="Legs solved by"
            value={walk.jacobian}
            choices={MODES}
            onChange={(jacobian) => change({ jacobian })}
          />
        </Row>
        <Row label="Speed">
          <Slider
            label="Walking speed"
            value={pace.value}
            from={SLOWEST}
            to={FASTEST}
            onMove={setPace}
            onEnd={setPace}
          />
          <span class="reading">{pace.value.toFixed(1)} m/s</span>
        </Row>
        <Row label="Length">
          <NumberField
            label="Stride length"
            value={stride.value ?? Number.NaN}
            open="auto"
            unit="m"
            onCommit={(length) => {
              stride.value = Math.max(0.2, Math.min(4, length));
            }}
            onOpen={() => {
              stride.value = null;
            }}
          />
        </Row>
        <Row label="Company">
          <NumberField
            label="How many others walk along"
            value={walk.company}
            digits={0}
            onCommit={(count) => change({ company: Math.round(Math.max(0, Math.min(99, count))) })}
          />
        </Row>
        <Switch
          label="Mark where the feet should be"
          on={store.marksShown.value}
          onChange={(on) => {
            store.marksShown.value = on;
          }}
        />
      </section>
      <Recording walk={walk} />
      <section class="section">
        <h2>Keys</h2>
        <dl class="walk-keys">
          {KEYS.map(([keys, what]) => (
            <div key={what}>
              <dt>{keys}</dt>
              <dd>{words(what)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

function Recording({ walk }: { walk: WalkInfo }) {
  const time = store.walkFrame.value?.time ?? 0;
  return (
    <section class="section">
      <h2>Clip</h2>
      {walk.recording ? (
        <button
          type="button"
          class="primary wide recording"
          onClick={() => void send({ type: "walk-record", on: false })}
        >
          Keep the recording
        </button>
      ) : (
        <button
          type="button"
          class="wide"
          onClick={() => void send({ type: "walk-record", on: true })}
        >
          Record
        </button>
      )}
      <button type="button" class="wide" onClick={() => void send({ type: "walk-end" })}>
        End the walk
      </button>
      <p class="hint">{seconds(time, 60)}</p>
    </section>
  );
}

function setPace(speed: number): void {
  pace.value = Math.round(10 * speed) / 10;
}
