import { length } from "../format";
import { limitedSegments } from "../overlay/limits";
import { send } from "../session";
import * as store from "../store";

/** One line: how well the goals are met, what holds, and how long it took. */
export function StatusBar() {
  const pose = store.pose.value;
  const figure = store.figure.value;
  if (!store.connected.value)
    return <footer class="status-bar lost">Not connected; trying again …</footer>;
  if (pose === null || figure === null) return <footer class="status-bar">Loading …</footer>;
  const worst = Math.max(0, ...pose.goals.map((goal) => goal.position));
  const limited = limitedSegments(figure, pose).size;
  return (
    <footer class="status-bar">
      <span class={worst > 0.001 ? "status bad" : "status"}>
        {worst > 0.001 ? `${length(worst)} off` : "All goals met"}
      </span>
      <span title="Joints at a limit">
        {["No joint", "1 joint"][limited] ?? `${limited} joints`} at a limit
      </span>
      <span class="spring" />
      {!store.editable.value && <ReadOnly />}
      <span title="Time of the last solve">{pose.solveTime.toFixed(2)} ms</span>
      <span>{figure.dofs.length} DOFs</span>
      <span>{store.history.value.saved ? "Saved" : "Not saved"}</span>
      <span>Poise {store.version.value}</span>
    </footer>
  );
}

/** Why nothing can be changed here, and the way to change it where there is one. */
function ReadOnly() {
  if (store.watch.value === null) return <span class="badge">Read only: you watch</span>;
  return (
    <>
      <span class="badge">Read only: open in another window</span>
      <button type="button" class="edit-here" onClick={() => void send({ type: "take-over" })}>
        Edit here
      </button>
    </>
  );
}
