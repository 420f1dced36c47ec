import { MOUSE, SHORTCUTS } from "../shortcuts";
import { helpShown, tourStep } from "../store";
import { Dialog } from "./Dialog";

const NAMES: Record<string, string> = {
  Escape: "Esc",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

function readable(chord: string): string {
  return chord
    .split("+")
    .map((key) => NAMES[key] ?? key)
    .join(" ");
}

/** The keys and the mouse, over the page. */
export function Help() {
  if (!helpShown.value) return null;
  const close = () => {
    helpShown.value = false;
  };
  return (
    <Dialog
      title="Keys and mouse"
      onClose={close}
      tools={
        <button
          type="button"
          class="tour-again"
          onClick={() => {
            tourStep.value = 0;
            close();
          }}
        >
          First steps
        </button>
      }
    >
      <div class="help-body">
        <Group title="Mouse" rows={MOUSE.map(([keys, what]) => [[keys], what])} />
        {Object.entries(SHORTCUTS).map(([title, list]) => (
          <Group
            key={title}
            title={title}
            rows={list.map((own) => [own.keys.map(readable), own.what])}
          />
        ))}
      </div>
    </Dialog>
  );
}

function Group({ title, rows }: { title: string; rows: [string[], string][] }) {
  return (
    <section>
      <h2>{title}</h2>
      <dl>
        {rows.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
