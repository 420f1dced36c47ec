/** Numbers as people read them. */

export function inDegrees(radians: number): string {
  return `${((radians * 180) / Math.PI).toFixed(1)}°`;
}

/** A length with the unit that suits it. */
export function length(metres: number): string {
  if (metres < 0.01) return `${(1000 * metres).toFixed(1)} mm`;
  if (metres < 1) return `${(100 * metres).toFixed(1)} cm`;
  return `${metres.toFixed(2)} m`;
}

/** "left_elbow_flexion" as "left elbow flexion". */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

export function seconds(time: number, fps: number): string {
  const frame = Math.round(time * fps);
  return `${time.toFixed(2)} s · ${frame}`;
}

export function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A time in seconds since 1970, to the minute. */
export function when(time: number): string {
  return new Date(1000 * time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
