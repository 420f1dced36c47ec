/** The goals: what each effector should do, how much it counts, and who helps. */

import { inDegrees, length, words } from "../format";
import type { Chain, ChangeGoal, GoalInfo, GoalKind } from "../messages";
import { send } from "../session";
import * as store from "../store";
import { Choice, IconButton, NumberField, Row, Slider, Switch } from "./controls";

const KINDS: [GoalKind, string][] = [
  ["position", "Position"],
  ["pose", "Position and turn"],
  ["orientation", "Turn only"],
  ["aim", "Look at"],
  ["line", "On a line"],
  ["plane", "On a plane"],
  ["half-space", "On one side of a plane"],
];
const CHAINS: Record<Chain, string> = {
  limb: "Limb",
  "limb+torso": "Limb and torso",
  all: "Whole body",
};
const WITH_DIRECTION = new Set<GoalKind>(["line", "plane", "half-space"]);

type Change = Omit<ChangeGoal, "type" | "id" | "goal">;

function change(goal: GoalInfo, values: Change): void {
  void send({ type: "change-goal", goal: goal.id, ...values });
}

const EMPTY = {
  pose: "Drag a handle of the body, or add a goal.",
  clip: "Drag a handle to fix this frame; the clip itself is not altered. A goal holds throughout.",
};

export function Goals() {
  const goals = store.goals.value;
  const clip = store.timeline.value?.clip != null;
  return (
    <section class="section">
      <h2>Goals</h2>
      {goals.length === 0 && <p class="hint">{EMPTY[clip ? "clip" : "pose"]}</p>}
      {goals.map((goal) => (
        <Goal key={goal.id} goal={goal} />
      ))}
      <AddGoal />
    </section>
  );
}

function Goal({ goal }: { goal: GoalInfo }) {
  const selected = store.selection.value.effector === goal.effector;
  const error = store.pose.value?.goals.find((own) => own.id === goal.id);
  const short = goal.on && (error?.position ?? 0) > 0.001;
  return (
    <article class={selected ? "goal selected" : "goal"}>
      <div class="goal-head">
        <button
          type="button"
          class="goal-name"
          onClick={() => void send({ type: "select", effector: goal.effector, segment: null })}
        >
          <i class={goal.pinned ? "mark pinned" : "mark"} />
          {words(goal.effector)}
        </button>
        <span class={short ? "error bad" : "error"}>
          {goal.on ? errorText(goal, error) : "off"}
        </span>
        <IconButton
          icon="pin"
          title={goal.pinned ? "Let it go" : "Pin it"}
          on={goal.pinned}
          onClick={() => change(goal, { pinned: !goal.pinned })}
        />
        <IconButton
          icon="close"
          title="Remove this goal"
          onClick={() => void send({ type: "remove-goal", goal: goal.id })}
        />
      </div>
      {selected && <GoalDetails goal={goal} />}
    </article>
  );
}

function errorText(goal: GoalInfo, error: { position: number; angle: number } | undefined): string {
  if (error === undefined) return "";
  const turns = goal.kind === "orientation" || goal.kind === "aim";
  return turns ? inDegrees(error.angle) : length(error.position);
}

function GoalDetails({ goal }: { goal: GoalInfo }) {
  const chains = store.sites.value.get(goal.effector)?.chains ?? ["all"];
  const segments = store.figure.value?.segments ?? [];
  const spaces = [["", "World"], ...segments.map((own) => [own.name, words(own.name)])];
  return (
    <div class="goal-details">
      <Switch label="On" on={goal.on} onChange={(on) => change(goal, { on })} />
      <Row label="Kind">
        <Choice
          label="Kind"
          value={goal.kind}
          choices={KINDS}
          onChange={(kind) => change(goal, { kind })}
        />
      </Row>
      <Vector name="Target" goal={goal} field="position" scale={100} unit="cm" />
      {WITH_DIRECTION.has(goal.kind) && (
        <Vector name="Direction" goal={goal} field="direction" scale={1} unit="" />
      )}
      <Row label="Weight">
        <NumberField
          label="Weight"
          value={goal.weight}
          onCommit={(weight) => change(goal, { weight })}
        />
      </Row>
      <Row label="Blend">
        <Slider
          label="Blend"
          value={goal.blend}
          from={0}
          to={1}
          onEnd={(blend) => change(goal, { blend })}
        />
      </Row>
      <Row label="Moves">
        <Choice
          label="Joints that move"
          value={goal.chain}
          choices={chains.map((chain) => [chain, CHAINS[chain]] as const)}
          onChange={(chain) => change(goal, { chain })}
        />
      </Row>
      <Row label="Moves with">
        <Choice
          label="Moves with"
          value={goal.space}
          choices={spaces as [string, string][]}
          onChange={(space) => change(goal, { space })}
        />
      </Row>
    </div>
  );
}

interface VectorProps {
  name: string;
  goal: GoalInfo;
  field: "position" | "direction";
  scale: number;
  unit: string;
}

function Vector({ name, goal, field, scale, unit }: VectorProps) {
  const values = goal[field];
  return (
    <Row label={unit === "" ? name : `${name} (${unit})`}>
      <div class="vector">
        {values.map((value, i) => (
          <NumberField
            key={"xyz"[i]}
            label={`${name} ${"xyz"[i]}`}
            value={scale * value}
            digits={unit === "" ? 2 : 1}
            onCommit={(entered) => {
              const changed: [number, number, number] = [...values];
              changed[i] = entered / scale;
              change(goal, { [field]: changed });
            }}
          />
        ))}
      </div>
    </Row>
  );
}

function AddGoal() {
  const taken = new Set(store.goals.value.map((goal) => goal.effector));
  const free = [...store.sites.value.keys()].filter((name) => !taken.has(name));
  if (free.length === 0) return null;
  return (
    <select
      aria-label="Add a goal"
      class="add"
      value=""
      onChange={(event) => {
        const effector = event.currentTarget.value;
        event.currentTarget.value = "";
        void send({ type: "add-goal", effector });
        void send({ type: "select", effector, segment: null });
      }}
    >
      <option value="">Add a goal …</option>
      {free.map((name) => (
        <option key={name} value={name}>
          {words(name)}
        </option>
      ))}
    </select>
  );
}
