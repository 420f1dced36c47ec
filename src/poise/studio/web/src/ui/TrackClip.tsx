/** The clip of the document, and tracking it: solved anew inside limits. */

import { useState } from "preact/hooks";
import { words } from "../format";
import type { ClipInfo } from "../messages";
import { send } from "../session";
import { Choice, NumberField, Row, Switch } from "./controls";

const LIMITS = [
  ["learned", "What the clip uses"],
  ["figure", "As they are"],
] as const;
const RADIANS = Math.PI / 180;

export function TrackClip({ clip }: { clip: ClipInfo }) {
  const [limits, setLimits] = useState<"figure" | "learned">("learned");
  const [margin, setMargin] = useState(10); // [°]
  const [contacts, setContacts] = useState(false);
  const [busy, setBusy] = useState(false);
  const track = () => {
    setBusy(true);
    const options = { effectors: [], limits, margin: margin * RADIANS, contacts };
    void send({ type: "track-clip", ...options }).finally(() => setBusy(false));
  };
  return (
    <section class="section">
      <h2>Clip</h2>
      <p class="hint">
        {words(clip.name)}: {clip.frames} frames, {clip.fps.toFixed(0)} a second. Tracking solves it
        anew, so that hands, feet, head and pelvis stay where they are and every joint within its
        limits.
      </p>
      <Row label="Limits">
        <Choice label="Limits" value={limits} choices={LIMITS} onChange={(own) => setLimits(own)} />
      </Row>
      {limits === "learned" && (
        <Row label="Margin">
          <NumberField label="Margin" value={margin} digits={0} unit="°" onCommit={setMargin} />
        </Row>
      )}
      <Switch label="Lock feet where they stand" on={contacts} onChange={setContacts} />
      <button type="button" class="wide" disabled={busy} onClick={track}>
        {busy ? "Tracking …" : "Track the clip"}
      </button>
    </section>
  );
}
