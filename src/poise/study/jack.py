"""`poise study jack`: the experiments of Zhao & Badler (sections 11 and 12), redone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from poise.study import reach, tube
from poise.study.jack_figures import reach_figure, spine_figure, tube_figure
from poise.study.report import ready_folder, write_report
from poise.study.timing import REPEATS

TEXT = """\
# Zhao & Badler's experiments

J. Zhao, N. I. Badler: *Inverse Kinematics Positioning Using Nonlinear Programming for Highly
Articulated Figures*. The times of the paper are those of its workstations of 1990; ours are medians
of cold solves on the machine named below, without the loading of compiled code.

## Reaching for a box: chains and rigidities

The right hand should touch the right face of a box, palm towards it. The joints from the shoulder
to the hand are not enough; those from the waist are, and bend the torso as readily as the arm; with
rigidities of 0.5 in lateral bending and axial rotation the torso bends and twists less, and the
rest makes up for it. The table has the errors of hand and palm, and how far the torso went forward,
sideways and about its axis, and the arm: sums over their DOFs of the way from the start.

![The three reaches](reach.png)

{reach}
The solution of the first says why: "{{why}}"

{rigidity}
{reach_joints}
## Holding a tube: joint groups

Both hands hold a tube, palms against it; the elbows are on two planes beside it; the eyes are on
its axis and look at its bottom. From the hips up the figure has 70 DOFs: 51 of the spine, 3 of the
neck, 2 of the head, and on each side 3 of the shoulder complex, 1 of the elbow and 3 of the wrist.
With the vertebrae in three groups (flexion, lateral bending, axial rotation) 22 are left, as in the
paper. In both the collar follows the shoulder, which is the paper's shoulder complex. Limits held
means boxes and joint groups, to the bit.

![The tube](tube.png)

{tube}
{tube_goals}
## The angles along the spine: Figures 4 and 5

The paper draws the angles of the 17 joints from T1 at the top to L5 at the sacrum, for both solves,
as curves without numbers. What it says of them can be checked:

- "Regulated" when grouped (Figure 4). Every joint takes the same share of its own range: none bends
  against the rest, and what steps the curves have are those of the ranges, which grow towards the
  hips in flexion and shrink in axial rotation.
- "Irregular" when independent (Figure 5), though the same six goals are met. Joints bend against
  each other, curves turn, and some joints are at their limits while their neighbours hardly move.
- That is so for the paper's own method (`bfgs-rosen`), and less so for ours, by the steps between
  neighbours and by the joints at limits: its pull towards the middle of the ranges spreads the
  work. Ours, too, lets the upper spine bend back where the loins bend forward.

The poses themselves are not the paper's: its text does not say where the tube is.

![Angles along the spine](spine.png)

{tube_regularity}
{tube_spine}
"""


def run(folder: Path, *, repeats: int = REPEATS) -> dict[str, Any]:
    """Solve everything and write tables and figures into `folder`; returns what the JSON holds.

    `repeats` is how often a solve is timed.
    """
    ready_folder(folder)
    reaches, sweep = reach.three_reaches(repeats), reach.rigidity_sweep()
    found = tube.tubes(repeats)
    tables = [
        reach.outcome_table(reaches),
        reach.sweep_table(sweep),
        reach.joint_table(reaches),
        tube.outcome_table(found),
        tube.goal_table(found),
        tube.regularity_table(found),
        tube.spine_table(found),
    ]
    figures = {
        "reach": reach_figure(reaches),
        "tube": tube_figure(found),
        "spine": spine_figure(found),
    }
    why = reaches[0].solution.explanation.goals[0].sentence()
    return write_report(folder, "jack", TEXT.replace("{{why}}", why), tables, figures)
