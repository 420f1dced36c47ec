/** Over the body while it is painted: a dot at each joint, and what the one under the brush has. */

import { segmentPosition } from "../anatomy";
import { words } from "../format";
import type { PoseFrame } from "../frames";
import type { FigureInfo } from "../messages";
import type { Brush } from "../overlay/brush";
import { theme } from "../store";
import { colourOf, jointOf } from "./rigidity";

export function drawRigidities(
  brush: Brush,
  figure: FigureInfo,
  pose: PoseFrame,
  { values, hovered }: { values: number[]; hovered: number | null },
): void {
  figure.segments.forEach(({ dofs }, segment) => {
    if (dofs.length === 0) return;
    const colour = colourOf(values[segment]!, theme.value);
    brush.dot(segmentPosition(pose, segment), 3.5, colour, brush.palette.bone);
  });
  const joint = hovered === null ? null : jointOf(figure, hovered);
  if (joint === null) return;
  const at = segmentPosition(pose, joint);
  brush.dot(at, 6, colourOf(values[joint]!, theme.value), brush.palette.text);
  const text = `${words(figure.segments[joint]!.name)} ${values[joint]!.toFixed(2)}`;
  brush.label(at, text, brush.palette.text);
}
