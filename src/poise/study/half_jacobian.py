"""`poise study half-jacobian`: the measurements of Meredith & Maddock, redone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from poise.motion.clip import Clip
from poise.study import driving, flops, gait_curves, iterations
from poise.study.report import ready_folder, write_report

TEXT = """\
# Meredith & Maddock's measurements

M. Meredith, S. Maddock: *Using a Half-Jacobian for Real-Time Inverse Kinematics*. Their walker,
MovingIK, solves one chain a leg and a frame: to place the leading foot, and to anchor the trailing
toes. A full Jacobian has six rows for it, position and orientation; a half one the three of the
position.

## Flops of an iteration: their Table 1.2

Ours are counted on the kernels, run uncompiled on numbers that count what is done with them; the
rest of the table is theirs. The rows of their 3-D column add up to 222, not to the 252 that is
printed; the 6-D column adds up. Ours solves with JJᵀ instead of inverting it, which saves most of
their stage 3, and its stage 7 has the whole figure with its limits, not the chain alone.

{flops}
## Time of a solve: their Table 1.4

The stride of MovingIK at {{speed}} m/s, driven for {{seconds}} s over flat ground, and as long over
each of two random hills and a flight of steps. In the half mode each foot is placed by its ankle
and then turned (the paper's trick of the penultimate link), and the hips have limits that follow
the pose. `auto` is our engine: pelvis and both legs in one solve, with the limits inside it. The
paper's times are those of a Pentium 4 at 1.4 GHz: the ratio is what can be compared.

{times}
{ratios}
An iteration there has its share of what every solve costs besides, which is most of it where few
iterations are needed. Alone, on limbs of ball joints from random poses to random poses:

{iteration}
Where half needs more iterations than full, they are those of two solves a foot, placing and
turning. Their full mode took 180 of the 200 iterations that it may: most of its solves did not end.
Ours run into that cap only where a leg is stretched or at a limit. Cropping after the step is why
feet are missed: a joint at its limit is asked again and again for what it cannot give.

![Intended and reached feet](feet.png)

## The walk itself

Hip, knee and ankle over a stride on flat ground at 1.3 m/s, from the places of the joints; zero is
how each stands. {{captured}}

![Hip, knee and ankle](curves.png)

{curves}
"""


def run(
    folder: Path,
    *,
    clip: Clip | None = None,
    seconds: float = driving.SECONDS,
    timing: tuple[int, int] = (300, 9),
    report: driving.Report | None = None,
) -> dict[str, Any]:
    """Count, drive and draw into `folder`; returns what the JSON holds.

    `clip` is a captured walk, drawn under the curves; `seconds` is how long each drive lasts,
    `timing` how many solves of how many repeats an iteration is timed by.
    """
    ready_folder(folder)
    runs = driving.driven(seconds, report)
    strides = gait_curves.all_strides(clip)
    tables = [
        flops.flop_table(flops.counted_uncompiled()),
        driving.time_table(runs),
        driving.ratio_table(runs),
        iterations.iteration_table(*timing),
        gait_curves.range_table(strides),
    ]
    figures = {"feet": gait_curves.feet_figure(runs), "curves": gait_curves.curve_figure(strides)}
    captured = "" if clip is None else f"Behind them, in grey, the captured walk {clip.name}."
    text = TEXT.replace("{{captured}}", captured)
    text = text.replace("{{speed}}", str(driving.SPEED)).replace("{{seconds}}", f"{seconds:g}")
    return write_report(folder, "half-jacobian", text, tables, figures)
