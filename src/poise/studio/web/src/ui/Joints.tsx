/** The joints: a slider for each angle, with its limits, and how readily a joint moves. */

import { useRef, useState } from "preact/hooks";
import { words } from "../format";
import { angleGesture } from "../interaction/gestures";
import type { DofInfo, SegmentInfo } from "../messages";
import { send } from "../session";
import * as store from "../store";
import { NumberField, Row, Slider } from "./controls";

const DEGREES = 180 / Math.PI;

export function Joints() {
  const [filter, setFilter] = useState("");
  const figure = store.figure.value;
  const chosen = store.selection.value.segment;
  const wanted = filter.trim().toLowerCase();
  const shown = (figure?.segments ?? []).filter(
    (segment) =>
      segment.dofs.length > 0 &&
      segment.dofs.some((dof) => words(figure!.dofs[dof]!.name).toLowerCase().includes(wanted)),
  );
  return (
    <section class="section">
      <h2>Joints</h2>
      <input
        class="filter"
        aria-label="Find a joint"
        placeholder="Find a joint …"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {shown.map((segment) => (
        <Joint
          key={segment.name}
          segment={segment}
          open={segment.name === chosen || wanted !== ""}
        />
      ))}
    </section>
  );
}

function Joint({ segment, open }: { segment: SegmentInfo; open: boolean }) {
  const [unfolded, setUnfolded] = useState(false);
  const limits = store.pose.value?.limits;
  const held = segment.dofs.some((dof) => limits?.[dof]);
  const isOpen = open || unfolded;
  return (
    <div class={isOpen ? "joint open" : "joint"}>
      <button
        type="button"
        class="joint-name"
        aria-expanded={isOpen}
        onClick={() => setUnfolded(!unfolded)}
      >
        {words(segment.name)}
        {held && <i class="at-limit" title="At a limit" />}
      </button>
      {isOpen && <JointDetails segment={segment} />}
    </div>
  );
}

function JointDetails({ segment }: { segment: SegmentInfo }) {
  const dofs = store.figure.value!.dofs;
  const names = segment.dofs.map((dof) => dofs[dof]!.name);
  return (
    <div class="joint-details">
      {segment.dofs.map((dof) => (
        <Dof key={dof} index={dof} dof={dofs[dof]!} />
      ))}
      <Row label="Rigidity">
        <Slider
          label={`Rigidity of ${words(segment.name)}`}
          value={dofs[segment.dofs[0]!]!.rigidity}
          from={0}
          to={1}
          onEnd={(rigidity) => void send({ type: "set-rigidity", dofs: names, rigidity })}
        />
      </Row>
    </div>
  );
}

function Dof({ index, dof }: { index: number; dof: DofInfo }) {
  const turn = useRef<ReturnType<typeof angleGesture> | null>(null);
  const value = store.pose.value?.angles[index] ?? dof.rest;
  const held = (store.pose.value?.limits[index] ?? 0) !== 0;
  const turns = dof.kind === "rotation";
  const scale = turns ? DEGREES : 100;
  const reach = turns ? Math.PI : 3;
  const limits = { lower: dof.lower, upper: dof.upper };
  const setLimits = (changed: Partial<typeof limits>) =>
    void send({ type: "set-limits", dof: dof.name, ...limits, ...changed });
  return (
    <div class={held ? "dof held" : "dof"}>
      <div class="dof-name">
        <span>{words(dof.name)}</span>
        <NumberField
          label={`${words(dof.name)} value`}
          value={scale * value}
          digits={1}
          unit={turns ? "°" : "cm"}
          onCommit={(entered) =>
            void send({ type: "set-angles", angles: { [dof.name]: entered / scale } })
          }
        />
      </div>
      <div class="dof-range">
        {(["lower", "upper"] as const).map((side) => (
          <NumberField
            key={side}
            label={`${words(dof.name)} ${side} limit`}
            value={dof[side] === null ? Number.NaN : scale * dof[side]}
            digits={0}
            open="open"
            onCommit={(entered) => setLimits({ [side]: entered / scale })}
            onOpen={() => setLimits({ [side]: null })}
          />
        ))}
        <Slider
          label={words(dof.name)}
          value={value}
          from={dof.lower ?? dof.rest - reach}
          to={dof.upper ?? dof.rest + reach}
          onMove={(moved) => {
            turn.current ??= angleGesture(index);
            turn.current.set(moved);
          }}
          onEnd={() => {
            turn.current?.end(false);
            turn.current = null;
          }}
        />
      </div>
    </div>
  );
}
