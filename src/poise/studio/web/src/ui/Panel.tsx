import { useEffect, useState } from "preact/hooks";
import * as actions from "../actions";
import { words } from "../format";
import { send } from "../session";
import * as store from "../store";
import { Choice, Row, Slider, Switch } from "./controls";
import { FixTools } from "./FixTools";
import { Goals } from "./Goals";
import { Joints } from "./Joints";
import { TrackClip } from "./TrackClip";
import { Walk } from "./Walk";

const TABS = ["Goals", "Joints", "Body", "Walk"] as const;

export function Panel() {
  const [tab, setTab] = useState<(typeof TABS)[number]>("Goals");
  const walks = store.walk.value !== null;
  useEffect(() => {
    if (walks) setTab("Walk");
  }, [walks]);
  return (
    <aside class="panel">
      <div class="tabs" role="tablist">
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="panel-body">
        <FixTools />
        {tab === "Goals" && <Goals />}
        {tab === "Joints" && <Joints />}
        {tab === "Body" && <BodySettings />}
        {tab === "Walk" && <Walk />}
      </div>
    </aside>
  );
}

function BodySettings() {
  const figure = store.figure.value;
  const settings = store.settings.value;
  if (figure === null || settings === null) return null;
  const figures = store.choices.value?.figures ?? [];
  const clip = store.timeline.value?.clip;
  return (
    <>
      <section class="section">
        <h2>Figure</h2>
        <Row label="Figure">
          <Choice
            label="Figure"
            value={figure.name}
            choices={[...new Set([figure.name, ...figures])].map((name) => [name, words(name)])}
            onChange={(name) => void send({ type: "new-document", figure: name })}
          />
        </Row>
        <p class="hint">
          {figure.segments.length} segments, {figure.dofs.length} degrees of freedom
        </p>
        <button type="button" class="wide" onClick={actions.restPose}>
          Back to the rest pose
        </button>
      </section>
      <section class="section">
        <h2>Behaviour</h2>
        <Switch
          label="Feet stay above the ground"
          on={settings.ground}
          onChange={(ground) => void send({ type: "change-settings", ground })}
        />
        <Switch
          label="Keep balance over the feet"
          on={settings.balance}
          onChange={(balance) => void send({ type: "change-settings", balance })}
        />
        <Row label="Stiff root">
          <Slider
            label="Stiff root"
            value={settings.stiff_root}
            from={0}
            to={1}
            onEnd={(stiff_root) => void send({ type: "change-settings", stiff_root })}
          />
        </Row>
        {figure.groups.map((group) => (
          <Switch
            key={group.name}
            label={`${words(group.name)} moves as one`}
            on={group.on}
            onChange={(on) => void send({ type: "set-group", name: group.name, on })}
          />
        ))}
      </section>
      {clip != null && <TrackClip clip={clip} />}
      <Advanced method={settings.method} />
    </>
  );
}

function Advanced({ method }: { method: string }) {
  const methods = store.choices.value?.methods ?? [];
  const chosen = methods.find(({ name }) => name === method);
  return (
    <details class="section">
      <summary>Advanced</summary>
      <Row label="Solver">
        <Choice
          label="Solver"
          value={method}
          choices={methods.map(({ name }) => [name, name] as const)}
          onChange={(own) => void send({ type: "change-settings", method: own })}
        />
      </Row>
      <p class="hint">{chosen?.source}</p>
      {chosen !== undefined && chosen.leaves_out.length > 0 && (
        <p class="hint">
          It leaves out {chosen.leaves_out.join(" and ")}
          {chosen.positions_only && ", and takes no goals of a turn"}.
        </p>
      )}
    </details>
  );
}
