/** What can be said of the selected fix: how long it eases, and which feet it holds. */

import { deleteKeys, selectedKeys } from "../actions";
import { words } from "../format";
import { send } from "../session";
import * as store from "../store";
import { IconButton, NumberField, Row, Switch } from "./controls";

const EASES = [
  ["Ease in", "ease_in"],
  ["Ease out", "ease_out"],
] as const;

export function FixTools() {
  const timeline = store.timeline.value;
  const fix = timeline?.fixes.find((own) => selectedKeys.value.includes(own.id));
  if (fix === undefined) return null;
  return (
    <section class="section fix-tools" aria-label="Fix">
      <div class="fix-head">
        <h2>Fix at {fix.time.toFixed(2)} s</h2>
        <IconButton icon="trash" title="Delete this fix (Del)" onClick={deleteKeys} />
      </div>
      {EASES.map(([label, side]) => (
        <Row key={side} label={label}>
          <NumberField
            label={label}
            value={fix[side]}
            unit="s"
            onCommit={(seconds) => void send({ type: "change-fix", fix: fix.id, [side]: seconds })}
          />
        </Row>
      ))}
      {timeline?.clip?.feet.map((foot) => (
        <Switch
          key={foot}
          label={`${words(foot)} stays as in the clip`}
          on={fix.held.includes(foot)}
          onChange={(on) => {
            const others = fix.held.filter((own) => own !== foot);
            const held = on ? [...others, foot] : others;
            void send({ type: "change-fix", fix: fix.id, held });
          }}
        />
      ))}
    </section>
  );
}
