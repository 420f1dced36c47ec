import { MOUSE, SHORTCUTS } from "../shortcuts";
import { helpShown, tourStep } from "../store";
import { IconButton } from "./controls";

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
    <div class="veil" onPointerDown={close}>
      <div
        class="help"
        role="dialog"
        aria-label="Keys and mouse"
        onPointerDown={(event) => event.stopPropagation()}
      >
        <div class="help-head">
          <h1>Keys and mouse</h1>
          <span class="spring" />
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
          <IconButton icon="close" title="Close (Esc)" onClick={close} />
        </div>
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
      </div>
    </div>
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
