"""`poise study pls`: the experiments of Engell-Nørregård & Erleben (section 5), redone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from poise.motion.clip import Clip
from poise.motion.examples import gymnastics
from poise.solve import methods
from poise.study.film import film_figure
from poise.study.flip import descents, flip_figure, flip_table
from poise.study.following import (
    INTERVALS,
    SLOTS,
    TOLERANCE,
    WHOLE_SLOT,
    Followed,
    Setting,
    follow,
    passes_of,
    reference_of,
)
from poise.study.leg import leg_figure, leg_table, legs
from poise.study.pls_plots import box_figure, slot_figure
from poise.study.pls_tables import bar_table, outcome_table, slot_table
from poise.study.report import ready_folder, write_report

Report = Callable[[int, int], None]

TEXT = """\
# Engell-Nørregård & Erleben's experiments

M. Engell-Nørregård, K. Erleben: *A Projected Back-tracking Line-search for Constrained Interactive
Inverse Kinematics*, section 5. The motion is {{clip}}, {{duration}} s long, on the built-in human:
{{dofs}} DOFs, of which the {{limited}} of the joints have limits ({{limits}} in all); the root is
free, as that of a figure that leaps and turns must be. Hands, feet, pelvis and head of the motion
are the goals. It is inside the limits, so that every goal can be met exactly. Frames are taken
every 0.05, 0.7 and 1.0 s, each solved from the answer before in a fixed slot of time. The longer
intervals leave few frames, so the motion is passed up to ten times, each beginning a part of the
interval later. Lengths are in the paper's units: 9 are 1.80 m, and its tolerance of 0.05 units is
1 cm. The paper's machine was of about 2009 and its code not ours: the numbers of this table compare
methods with each other, all compiled alike and run on the machine named below.

## In 15 ms: to the paper's tolerance, and with the whole slot

The paper stops at 0.05 units: then all that reach it end just below it, and the question is how
often and when they do. On the right the methods go on, up to 1 µm, until the slot is over: that
shows how well they converge. Errors are sums of squares over all six goals. A box has the quartiles
and the median, whiskers reach 1.5 times as far, crosses are frames beyond. The dashed line: above
it some goal is farther than 0.05 units; the dotted one: below it all are within 1 µm. The paper's
plots are linear; these are logarithmic, or only the failures could be seen.

![As Figure 8](boxes_0.05.png)

![As Figure 9](boxes_0.7.png)

![As Figure 10](boxes_1.png)

{tolerance}
Jitter is that of all points of the figure, over the reference's: 1 is as smooth. From reference is
the mean distance of all joints from where the reference has them; six goals do not tell elbows,
knees and spine where to be.

{whole}
## The bar

{bar}
## Shorter slots

![Errors against the slot](slots.png)

{slots}
## Selected frames

As Figure 11, every 0.7 s in 15 ms to the paper's tolerance. Rings are goals that are missed by more
than 1 cm.

![Selected frames](film.png)

## Too long steps

As Figure 6: with a step of 0.005 the Jacobian transpose converges; with a longer one it ends up
going to and fro between poses.

![The flip](flip.png)

{flip}
## The leg in its extreme positions

As Figure 4: the right leg alone reaches for the orange ball. The ghost is the answer without
limits, where it differs.

![The leg](leg.png)

{leg}
"""

STRIPS = {
    "auto": "auto (ours)",
    "projected-gradient": "projected\nline search",
    "pseudo-inverse": "SVD pseudo-\ninverse",
    "jacobian-transpose": "Jacobian\ntranspose",
}
"""The rows of the film, below the reference."""
FILM_INTERVAL = 0.7


def run(
    folder: Path,
    *,
    clip: Clip | None = None,
    names: Sequence[str] | None = None,
    report: Report | None = None,
) -> dict[str, Any]:
    """Solve everything and write tables and figures into `folder`; returns what the JSON holds.

    `clip` is followed instead of a gymnastics routine of our own; `names` are methods to compare,
    all by default; `report` is called with the number of runs that are done, and of all.
    """
    ready_folder(folder)
    reference = reference_of(gymnastics() if clip is None else clip)
    stopped, whole = compare(reference, list(names or methods()), report)
    longest = [one for one in whole if one.setting.slot == max(SLOTS)]
    flips, positions = descents(reference), legs()
    tables = [
        outcome_table("tolerance", "In 15 ms, stopping at 0.05 units", stopped),
        outcome_table("whole", "In 15 ms, using the whole slot", longest),
        bar_table(whole),
        slot_table(whole),
        flip_table(flips),
        leg_table(positions),
    ]
    figures = {
        f"boxes_{interval:g}": box_figure(_at(stopped, interval), _at(longest, interval))
        for interval in INTERVALS
    }
    film = {one.method: one for one in _at(stopped, FILM_INTERVAL)}
    figures |= {
        "slots": slot_figure(whole),
        "film": film_figure([(title, film[name]) for name, title in STRIPS.items()]),
        "flip": flip_figure(flips),
        "leg": leg_figure(positions),
    }
    return write_report(folder, "pls", _text(reference), tables, figures)


def compare(
    reference: Clip, names: Sequence[str], report: Report | None = None
) -> tuple[list[Followed], list[Followed]]:
    """Every method in every setting: with the paper's stop in its slot, and in whole slots."""
    to_tolerance = [Setting(interval, max(SLOTS), TOLERANCE) for interval in INTERVALS]
    to_the_end = [Setting(i, slot, WHOLE_SLOT) for slot in SLOTS for i in INTERVALS]
    passes = {interval: passes_of(reference, interval) for interval in INTERVALS}
    found: list[Followed] = []
    wanted = [(s, name) for s in to_tolerance + to_the_end for name in names]
    for done, (setting, name) in enumerate(wanted):
        if report is not None:
            report(done, len(wanted))
        found.append(follow(passes[setting.interval], setting, name))
    count = len(to_tolerance) * len(names)
    return found[:count], found[count:]


def _at(found: Sequence[Followed], interval: float) -> list[Followed]:
    return [one for one in found if one.setting.interval == interval]


def _text(reference: Clip) -> str:
    figure = reference.figure
    limited = np.isfinite(figure.lower), np.isfinite(figure.upper)
    facts = {
        "clip": reference.name or "a clip without a name",
        "duration": f"{reference.duration:.1f}",
        "dofs": len(figure.dofs),
        "limited": int((limited[0] | limited[1]).sum()),
        "limits": int(limited[0].sum() + limited[1].sum()),
    }
    text = TEXT
    for name, value in facts.items():
        text = text.replace(f"{{{{{name}}}}}", str(value))
    return text
