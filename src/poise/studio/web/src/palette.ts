/** The colours of the page, the scene and what is drawn over it, in one place. */

import type { Theme } from "./store";

const LIGHT = {
  // the page
  page: "#f4f3f0",
  surface: "#ffffff",
  raised: "#f3f2ee",
  line: "#e2e0da",
  text: "#23262b",
  muted: "#6f747c",
  accent: "#0d7f78",
  onAccent: "#ffffff",
  warning: "#c2500a",
  // the scene
  sky: "#f6f5f2",
  horizon: "#e3e2de",
  ground: "#e9e8e4",
  grid: "#b9b7b0",
  body: "#ccd1d6",
  frozen: "#1f4fd1",
  ghost: "#6f93ad",
  // over the body
  handle: "#0d7f78",
  pin: "#2456c7",
  pole: "#7a5cc4",
  halo: "#ffffff",
  limit: "#e8710a",
  gap: "#d23b3b",
  bone: "#4a4f57",
  axes: ["#d8434a", "#4c9a2a", "#2f6fd6"] as [string, string, string],
};

const DARK: typeof LIGHT = {
  page: "#15171a",
  surface: "#1d2024",
  raised: "#272b30",
  line: "#32373d",
  text: "#e7e8ea",
  muted: "#969ca5",
  accent: "#3cc0b4",
  onAccent: "#08211f",
  warning: "#ff9a4d",
  sky: "#1b1e22",
  horizon: "#23272c",
  ground: "#1f2226",
  grid: "#464c54",
  body: "#b3bac2",
  frozen: "#2f63ff",
  ghost: "#5f8fb3",
  handle: "#46d3c6",
  pin: "#7aa5ff",
  pole: "#b79bff",
  halo: "#0f1114",
  limit: "#ff9a3d",
  gap: "#ff6b6b",
  bone: "#d5d8dc",
  axes: ["#ff6b70", "#86cf5f", "#6ea5ff"],
};

export type Palette = typeof LIGHT;

export const PALETTES: Record<Theme, Palette> = { light: LIGHT, dark: DARK };

const PAGE_COLOURS = [
  "page",
  "surface",
  "raised",
  "line",
  "text",
  "muted",
  "accent",
  "onAccent",
  "warning",
  "limit",
  "pin",
  "pole",
] as const;

/** Hands the page's colours to the style sheet, as --page, --surface, … */
export function applyPalette(theme: Theme): void {
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.style.colorScheme = theme;
  for (const name of PAGE_COLOURS) root.style.setProperty(`--${name}`, PALETTES[theme][name]);
}
