/** What can be said of the selected fix: how long it eases, and which feet it holds. */

import { selectedKeys } from "../actions";
import { words } from "../format";
import { send } from "../session";
import * as store from "../store";
import { NumberField, Switch } from "./controls";

export function FixTools() {
  const timeline = store.timeline.value;
  const fix = timeline?.fixes.find((own) => selectedKeys.value.includes(own.id));
  if (fix === undefined) return null;
  const eases = [
    ["Ease in", "ease_in"],
    ["out", "ease_out"],
  ] as const;
  return (
    <div class="fix-tools" role="group" aria-label="Fix">
      {eases.map(([label, side]) => (
        <span key={side} class="number">
          {label}
          <NumberField
            label={`${label} of the fix`}
            value={fix[side]}
            unit="s"
            onCommit={(seconds) => void send({ type: "change-fix", fix: fix.id, [side]: seconds })}
          />
        </span>
      ))}
      {timeline?.clip?.feet.map((foot) => (
        <Switch
          key={foot}
          label={`Hold ${words(foot)}`}
          on={fix.held.includes(foot)}
          onChange={(on) => {
            const others = fix.held.filter((own) => own !== foot);
            const held = on ? [...others, foot] : others;
            void send({ type: "change-fix", fix: fix.id, held });
          }}
        />
      ))}
    </div>
  );
}
