"""`poise track`: let a figure follow a motion by a few of its points, or markers, inside limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from poise.cli import DONE, FAILED
from poise.cli.clips import check_out, clip_named, prepared
from poise.cli.marker_task import MARKERS, MarkerOptions, Task, is_markers, marker_task
from poise.cli.options import POSITIVE, Json, Out, Tolerance, Unit
from poise.cli.output import console, to_json
from poise.cli.progress import counting
from poise.errors import OptionError

if TYPE_CHECKING:
    from poise.motion.track import Tracked

NAME = "track"
EXAMPLES = """\
Examples:
  poise track walk.bvh --out tracked.bvh
  poise track walk.bvh --effectors LeftHand RightHand LeftFoot RightFoot --limits learned:10
  poise track dance.bvh --interval 0.05 --contacts --smooth 6 --out dance_clean.bvh --json
  poise track trial.c3d --static standing.c3d --save-markers me.json --out trial.bvh
  poise track other.trc --markers me.json --weights LTHI=0.2 RTHI=0.2 --out other.glb"""
SLIDING = 0.005
"""A foot that stands and slides farther than this gets a hint [m]."""


def run(
    clip: Annotated[str, Parameter(help="The motion (.bvh, .amc, …) or markers (.c3d, .trc).")],
    /,
    *,
    effectors: Annotated[
        list[str] | None,
        Parameter(
            help="Sites, segments or markers that are followed; if not given hands, feet, head and"
            " pelvis, or all markers that are known.",
            negative="",
            consume_multiple=True,
        ),
    ] = None,
    limits: Annotated[
        str | None,
        Parameter(
            help="file: as the file has them; learned:DEG: what the motion uses and so many"
            " degrees more; human: as far as people turn; none. If not given learned:10, or for"
            " markers those of the figure."
        ),
    ] = None,
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
    tolerance: Tolerance = 1e-3,
    figure: Annotated[
        str | None,
        Parameter(
            help="What follows markers, built in or a file; human if not given. Or the .asf file"
            " of an .amc file, if not beside it."
        ),
    ] = None,
    unit: Unit = None,
    markers: Annotated[
        MarkerOptions | None, Parameter(name="*", group=MARKERS, help="Of marker files.")
    ] = None,
    out: Out = None,
    json: Json = False,
) -> int:
    """Let a skeleton follow its own motion by a few points, or a figure markers.

    Limits hold in every frame. A rest pose that a file puts before its motion
    is left out. The exit code is 0 if every point is followed to 1 cm, markers
    to 2 cm on average, none of them 3 cm off in most frames, and no names look
    exchanged; else 1, and the closest motion is written all the same.
    """
    from poise.formats import save
    from poise.motion.track import track

    check_out(out)
    if is_markers(clip):
        task = marker_task(clip, figure, unit, effectors, limits, markers or MarkerOptions())
    elif markers is not None and markers != MarkerOptions():
        raise OptionError(f"{clip} holds no markers; --markers, --static, --weights and the like"
                          " go with .c3d and .trc files")  # fmt: skip
    else:
        task = clip_task(clip, figure, unit, effectors, limits or "learned:10")
    body = task.figure
    names = zip(body.dof_names, body.dofs, strict=True)
    turning = [name for name, dof in names if dof.kind == "rotation"]
    fastest = None if max_velocity is None else dict.fromkeys(turning, math.radians(max_velocity))
    with counting("Tracking") as report:
        tracked = track(
            task.source,
            figure=body,
            effectors=task.effectors,
            weights=task.weights,
            start=task.start,
            interval=interval,
            contacts=contacts,
            cutoff=smooth,
            tolerance=tolerance,
            max_velocity=fastest,
            report=report,
        )
    if out is not None:
        save(tracked.clip, out)
    faults = task.faults(tracked)
    good = faults is None
    task.notes.extend(faults or [])
    slid = tracked.report.slip_after
    if not contacts and slid is not None and slid.slip > SLIDING:
        task.notes.append("feet slide where they should stand: --contacts locks them there")
    if json:
        print(to_json({"clip": clip} | task.told | tracked.report.document()), end="")
    else:
        _print(tracked, good, [*task.notes, *([f"written: {out}"] if out else [])])
    return DONE if good else FAILED


def clip_task(
    name: str, figure: str | None, unit: float | None, effectors: list[str] | None, limits: str
) -> Task:
    """What to do with a clip: follow it on its own skeleton."""
    from poise.motion.limit_choice import limited
    from poise.motion.rest_frame import without_rest_frame

    wanted = clip_named(name, figure=figure, unit=unit)
    moving = without_rest_frame(wanted)
    left_out = len(wanted) - len(moving)
    notes = ["frame 0 is a rest pose that is no part of the motion: left out"] if left_out else []
    told = {"limits": limits, "rest_frames_left_out": left_out}
    body = limited(moving, limits)
    prepared()
    return Task(moving, body, effectors, None, None, notes, told)


def _print(tracked: Tracked, good: bool, notes: list[str]) -> None:
    screen = console()
    first, *others = str(tracked.report).splitlines()
    screen.print(first, style="bold green" if good else "bold red", markup=False)
    for line in [*others, *notes]:
        screen.print(line, soft_wrap=True, markup=False)
