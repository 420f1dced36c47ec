"""`poise track`: let a figure follow a motion by a few of its points, inside its limits."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from poise.cli import DONE, FAILED
from poise.cli.clips import check_out, clip_named, prepared
from poise.cli.output import console, to_json
from poise.cli.progress import counting

if TYPE_CHECKING:
    from poise.motion.track import Tracked

NAME = "track"
EXAMPLES = """\
Examples:
  poise track walk.bvh --out tracked.bvh
  poise track walk.bvh --effectors LeftHand RightHand LeftFoot RightFoot --limits learned:10
  poise track dance.bvh --interval 0.05 --contacts --smooth 6 --out dance_clean.bvh --json"""

POSITIVE = Number(gt=0)


def run(
    clip: Annotated[str, Parameter(help="The motion to follow (.bvh, .amc).")],
    /,
    *,
    effectors: Annotated[
        list[str] | None,
        Parameter(
            help="Sites or segments that are followed; hands, feet, head and pelvis if not given.",
            negative="",
            consume_multiple=True,
        ),
    ] = None,
    limits: Annotated[
        str,
        Parameter(
            help="file: as the file has them; learned:DEG: what the motion uses and so many"
            " degrees more; human: as far as people turn; none."
        ),
    ] = "learned:10",
    interval: Annotated[
        float | None,
        Parameter(help="Seconds between two solves; every frame if not given.", validator=POSITIVE),
    ] = None,
    contacts: Annotated[
        bool, Parameter(help="Lock heels and balls where they stand still.", negative="")
    ] = False,
    smooth: Annotated[
        float | None,
        Parameter(help="Take out what swings faster than so many hertz.", validator=POSITIVE),
    ] = None,
    max_velocity: Annotated[
        float | None,
        Parameter(help="No joint turns faster, in degrees a second.", validator=POSITIVE),
    ] = None,
    tolerance: Annotated[
        float, Parameter(help="How close counts as reached, in metres.", validator=POSITIVE)
    ] = 1e-3,
    figure: Annotated[
        Path | None, Parameter(help="The .asf file of an .amc file, if not beside it.")
    ] = None,
    unit: Annotated[
        float | None,
        Parameter(help="Metres per unit of a .bvh file; guessed if not given.", validator=POSITIVE),
    ] = None,
    out: Annotated[Path | None, Parameter(help="Write the tracked motion to this file.")] = None,
    json: Annotated[bool, Parameter(help="Print JSON for machines.", negative="")] = False,
) -> int:
    """Let a skeleton follow its own motion by a few points, inside its limits.

    A rest pose that a file puts before its motion is left out. The exit code
    is 0 if every point is followed to 1 cm, and 1 if one is not: the closest
    motion is written all the same.
    """
    from poise.formats import save
    from poise.motion.limit_choice import limited
    from poise.motion.rest_frame import without_rest_frame
    from poise.motion.track import track

    check_out(out)
    wanted = clip_named(clip, figure=figure, unit=unit)
    moving = without_rest_frame(wanted)
    body = limited(moving, limits)
    prepared()
    names = zip(body.dof_names, body.dofs, strict=True)
    turning = [name for name, dof in names if dof.kind == "rotation"]
    fastest = None if max_velocity is None else dict.fromkeys(turning, math.radians(max_velocity))
    with counting("Tracking") as report:
        tracked = track(
            moving,
            figure=body,
            effectors=effectors,
            interval=interval,
            contacts=contacts,
            cutoff=smooth,
            tolerance=tolerance,
            max_velocity=fastest,
            report=report,
        )
    if out is not None:
        save(tracked.clip, out)
    left_out = len(wanted) - len(moving)
    if json:
        told = {"clip": clip, "limits": limits, "rest_frames_left_out": left_out}
        print(to_json(told | tracked.report.document()), end="")
    else:
        _print(tracked, left_out, out)
    return DONE if tracked.report.frames_off == 0 else FAILED


def _print(tracked: Tracked, left_out: int, out: Path | None) -> None:
    screen = console()
    good = tracked.report.frames_off == 0
    first, *others = str(tracked.report).splitlines()
    screen.print(first, style="bold green" if good else "bold red", markup=False)
    for line in others:
        screen.print(line, markup=False)
    if left_out:
        screen.print("frame 0 is a rest pose that is no part of the motion: left out")
    if out is not None:
        screen.print(f"written: {out}", soft_wrap=True, markup=False)
