/** How rigid each segment's joint is, and the colours that show it. */

import { Color } from "three";
import type { FigureInfo } from "../messages";
import { PALETTES } from "../palette";
import type { Theme } from "../store";

/** The segment whose joint moves a segment: its own, or the nearest above; null if none moves. */
export function jointOf(figure: FigureInfo, segment: number): number | null {
  for (let own = segment; own >= 0; own = figure.segments[own]!.parent)
    if (figure.segments[own]!.dofs.length > 0) return own;
  return null;
}

/** Of each segment the rigidity of the joint that moves it: the mean over its DOFs. */
export function rigidities(figure: FigureInfo): number[] {
  return figure.segments.map((_, segment) => {
    const joint = jointOf(figure, segment);
    if (joint === null) return 1;
    const { dofs } = figure.segments[joint]!;
    return dofs.reduce((sum, dof) => sum + figure.dofs[dof]!.rigidity, 0) / dofs.length;
  });
}

/** Free and frozen; what is between is mixed of them. */
export function endColours(theme: Theme): [Color, Color] {
  const { body, frozen } = PALETTES[theme];
  return [new Color(body), new Color(frozen)];
}

/** A rigidity's colour, for style sheets. */
export function colourOf(rigidity: number, theme: Theme): string {
  const [free, frozen] = endColours(theme);
  return free.lerp(frozen, rigidity).getStyle();
}
