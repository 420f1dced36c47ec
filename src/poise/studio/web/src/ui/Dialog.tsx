import type { ComponentChildren } from "preact";
import { IconButton } from "./controls";

interface DialogProps {
  title: string;
  onClose(): void;
  /** Buttons beside the title. */
  tools?: ComponentChildren;
  narrow?: boolean;
  children: ComponentChildren;
}

/** A sheet over the page; Esc, or a press beside it, closes it. */
export function Dialog({ title, onClose, tools, narrow, children }: DialogProps) {
  return (
    <div class="veil" onPointerDown={onClose}>
      <div
        class={narrow ? "dialog narrow" : "dialog"}
        role="dialog"
        aria-label={title}
        onPointerDown={(event) => event.stopPropagation()}
      >
        <div class="dialog-head">
          <h1>{title}</h1>
          <span class="spring" />
          {tools}
          <IconButton icon="close" title="Close (Esc)" onClick={onClose} />
        </div>
        {children}
      </div>
    </div>
  );
}
