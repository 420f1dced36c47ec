/** Keys over time: transport on the left, the track with its keys and the playhead. */

import * as actions from "../actions";
import { seconds } from "../format";
import type { Ease } from "../messages";
import { stepKey, togglePlay } from "../playback";
import { send } from "../session";
import * as store from "../store";
import { Choice, IconButton, NumberField } from "./controls";
import { Track } from "./Track";

const EASES: [Ease, string][] = [
  ["smooth", "Smooth"],
  ["linear", "Linear"],
  ["hold", "Hold"],
];
const SPEEDS = ["0.1", "0.25", "0.5", "1", "2", "4"].map((speed) => [speed, `${speed}×`] as const);

export function Timeline() {
  const timeline = store.timeline.value;
  if (timeline === null) return <div class="timeline" />;
  return (
    <div class="timeline">
      <div class="transport">
        <Transport />
        <span class="clock">{seconds(store.time.value, timeline.fps)}</span>
        <KeyTools />
        <span class="spring" />
        <Pace />
      </div>
      <Track timeline={timeline} />
    </div>
  );
}

function Transport() {
  const loop = store.timeline.value?.loop ?? false;
  const playing = store.playing.value;
  return (
    <div class="button-group">
      <IconButton icon="first" title="To the key or fix before (↓)" onClick={() => stepKey(-1)} />
      <IconButton
        icon={playing ? "pause" : "play"}
        title={playing ? "Stop (Space)" : "Play (Space)"}
        on={playing}
        onClick={togglePlay}
      />
      <IconButton icon="last" title="To the next key or fix (↑)" onClick={() => stepKey(1)} />
      <IconButton
        icon="loop"
        title="Loop"
        on={loop}
        onClick={() => void send({ type: "change-timeline", loop: !loop })}
      />
    </div>
  );
}

function KeyTools() {
  const chosen = actions.selectedKeys.value;
  const keys = store.timeline.value?.keys ?? [];
  const first = keys.find((key) => chosen.includes(key.id));
  const clip = store.timeline.value?.clip != null;
  const about = clip ? "Keep this frame as it is now (K)" : "Key the pose and the targets (K)";
  return (
    <div class="button-group">
      <button type="button" class="primary small" title={about} onClick={actions.addKey}>
        Key
      </button>
      {first !== undefined && (
        <Choice
          label="Ease"
          value={first.ease}
          choices={EASES}
          onChange={(ease) => void send({ type: "ease-keys", keys: chosen, ease })}
        />
      )}
      {chosen.length > 0 && (
        <>
          <IconButton
            icon="copy"
            title="Copy (Ctrl+C); paste with Ctrl+V"
            onClick={actions.copyKeys}
          />
          <IconButton icon="trash" title="Delete (Del)" onClick={actions.deleteKeys} />
        </>
      )}
    </div>
  );
}

function Pace() {
  const { fps, duration } = store.timeline.value!;
  return (
    <div class="button-group">
      <Choice
        label="Speed"
        value={String(store.speed.value)}
        choices={SPEEDS}
        onChange={(speed) => {
          store.speed.value = Number(speed);
        }}
      />
      <NumberField
        label="Frame rate"
        value={fps}
        digits={0}
        unit="fps"
        onCommit={(entered) => void send({ type: "change-timeline", fps: entered })}
      />
      <NumberField
        label="Duration"
        value={duration}
        unit="s"
        onCommit={(entered) => void send({ type: "change-timeline", duration: entered })}
      />
    </div>
  );
}
