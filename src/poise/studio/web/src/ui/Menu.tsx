import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons";

/** A button that opens a list; closes when something in it is chosen, or elsewhere is clicked. */
export function Menu({ title, children }: { title: string; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", close, true);
    return () => removeEventListener("pointerdown", close, true);
  }, [open]);
  return (
    <div class="menu" ref={root}>
      <button type="button" class="menu-button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {title}
        <Icon name="chevron" />
      </button>
      {open && (
        <div class="menu-list" role="menu" onClick={() => setOpen(false)} onKeyDown={() => {}}>
          {children}
        </div>
      )}
    </div>
  );
}

interface ItemProps {
  text: string;
  about?: string;
  onClick(): void;
}

export function MenuItem({ text, about, onClick }: ItemProps) {
  return (
    <button type="button" role="menuitem" class="menu-item" onClick={onClick}>
      <span>{text}</span>
      {about !== undefined && <small>{about}</small>}
    </button>
  );
}
