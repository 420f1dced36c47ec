/** The controls that the page is made of. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "./icons";

interface ButtonProps {
  icon: IconName;
  title: string;
  onClick(): void;
  on?: boolean;
  disabled?: boolean;
}

export function IconButton({ icon, title, onClick, on, disabled }: ButtonProps) {
  return (
    <button
      type="button"
      class={on ? "icon-button on" : "icon-button"}
      title={title}
      aria-label={title}
      aria-pressed={on}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface NumberProps {
  label: string;
  value: number;
  digits?: number;
  unit?: string;
  /** What an empty field stands for; without it, a field must not be empty. */
  open?: string;
  onCommit(value: number): void;
  onOpen?(): void;
}

/** A number that is sent when the field is left or Enter is pressed. */
export function NumberField({
  label,
  value,
  digits = 2,
  unit,
  open,
  onCommit,
  onOpen,
}: NumberProps) {
  const [text, setText] = useState<string | null>(null);
  const shown = Number.isFinite(value) ? value.toFixed(digits) : "";
  const commit = () => {
    if (text === null) return;
    const number = Number(text);
    if (text.trim() === "") onOpen?.();
    else if (Number.isFinite(number) && text !== shown) onCommit(number);
    setText(null);
  };
  return (
    <label class="number">
      <input
        aria-label={label}
        inputMode="decimal"
        placeholder={open}
        value={text ?? shown}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") setText(null);
        }}
      />
      {unit !== undefined && <span>{unit}</span>}
    </label>
  );
}

interface SliderProps {
  label: string;
  value: number;
  from: number;
  to: number;
  onMove?(value: number): void;
  onEnd(value: number): void;
}

export function Slider({ label, value, from, to, onMove, onEnd }: SliderProps) {
  const [held, setHeld] = useState<number | null>(null);
  const shown = held ?? value;
  const share = to > from ? (shown - from) / (to - from) : 0;
  return (
    <input
      type="range"
      aria-label={label}
      min={from}
      max={to}
      step="any"
      value={shown}
      style={{ "--share": `${100 * Math.max(0, Math.min(1, share))}%` }}
      onInput={(event) => {
        const moved = Number(event.currentTarget.value);
        setHeld(moved);
        onMove?.(moved);
      }}
      onChange={(event) => {
        setHeld(null);
        onEnd(Number(event.currentTarget.value));
      }}
    />
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChange(value: T): void;
}

export function Choice<T extends string>({ label, value, choices, onChange }: ChoiceProps<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = event.currentTarget.value as T;
        event.currentTarget.value = value; // until it is so: the choice may be refused
        onChange(chosen);
      }}
    >
      {choices.map(([key, text]) => (
        <option key={key} value={key} selected={key === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function Switch({
  label,
  on,
  onChange,
}: {
  label: string;
  on: boolean;
  onChange(on: boolean): void;
}) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

export function Row({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="row">
      <span class="row-label">{label}</span>
      {children}
    </div>
  );
}
