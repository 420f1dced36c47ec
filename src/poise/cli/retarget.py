"""`poise retarget`: the motion of one skeleton on another figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from poise.cli.clips import as_qpos, check_out, clip_named, kept_character, prepared
from poise.cli.figures import target_named
from poise.cli.options import Axis, Json, Out, Skeleton, Unit, named_numbers
from poise.cli.output import console, to_json
from poise.cli.progress import counting
from poise.errors import OptionError

if TYPE_CHECKING:
    from poise.motion.retarget import Retargeted

NAME = "retarget"
EXAMPLES = """\
Examples:
  poise retarget walk.bvh --to human --out human_walk.bvh
  poise retarget walk.bvh --to human --save-mapping map.json
  poise retarget walk.bvh --to other.bvh --mapping map.json --out other_walk.bvh
  poise retarget walk.bvh --to human --stiff "left_knee*=0.9" --out limping.bvh
  poise retarget walk.bvh --to robot.urdf --out angles.csv
  poise retarget walk.bvh --to humanoid.xml --out qpos.csv"""


def run(
    source: Annotated[str, Parameter(help="The motion (.bvh, .amc).")],
    /,
    *,
    to: Annotated[str, Parameter(help="A built-in figure, or a file with a skeleton.")],
    to_up: Annotated[
        Axis | None, Parameter(help="The axis of a robot's .urdf file that is up; Z if not given.")
    ] = None,
    mapping: Annotated[
        Path | None, Parameter(help="What follows what (.json); matched by name if not given.")
    ] = None,
    save_mapping: Annotated[
        Path | None, Parameter(help="Write what follows what to this .json file, to be edited.")
    ] = None,
    contacts: Annotated[
        bool | None,
        Parameter(
            help="Lock heels and balls where they stand still; if not given, on other skeletons."
        ),
    ] = None,
    stiff: Annotated[
        list[str] | None,
        Parameter(
            help="How much joints stay at rest, 0 to 1: PATTERN=SHARE. Repeat for more.",
            negative="",
            consume_multiple=True,
        ),
    ] = None,
    figure: Skeleton = None,
    unit: Unit = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Put the motion of one skeleton on another figure, inside its limits.

    Names, proportions and rest poses may differ. What is uncertain about the
    match is said, and --save-mapping writes it to a file that --mapping reads.
    """
    from poise.formats import save
    from poise.motion.retarget import retarget
    from poise.motion.skeleton_map import SkeletonMap

    if out is None and save_mapping is None:
        raise OptionError("nothing to write: give --out, --save-mapping or both")
    check_out(out)
    check_out(save_mapping, [".json"])
    stiffness = named_numbers("--stiff", stiff, "'left_knee*=0.9'")
    given = None if mapping is None else SkeletonMap.load(mapping)
    clip = clip_named(source, figure=figure, unit=unit)
    target = target_named(to, to_up)
    if out is None and save_mapping is not None:
        chosen = (given or SkeletonMap.between(clip.figure, target)).checked(clip.figure, target)
        chosen.save(save_mapping)
        _print_mapping(chosen, save_mapping, json)
        return
    prepared()
    with counting("Retargeting") as report:
        moved = retarget(clip, target, given, contacts=contacts, stiffness=stiffness, report=report)
    if out is not None:
        save(moved.clip, out, **kept_character(to, out), **as_qpos(to, out))
    if save_mapping is not None:
        moved.mapping.save(save_mapping)
    if json:
        print(to_json({"source": source, "to": to} | moved.document()), end="")
    else:
        _print(moved, [path for path in (out, save_mapping) if path is not None])


def _print_mapping(mapping: object, path: Path, json: bool) -> None:
    from poise.motion.skeleton_map import SkeletonMap

    assert isinstance(mapping, SkeletonMap)
    if json:
        print(to_json(mapping.document()), end="")
        return
    screen = console()
    screen.print(f"{len(mapping.pairs)} segments of {mapping.target} follow {mapping.source}")
    for doubt in mapping.doubts:
        screen.print(f"doubt: {doubt}", markup=False)
    screen.print(f"written: {path}", soft_wrap=True, markup=False)


def _print(moved: Retargeted, written: list[Path]) -> None:
    import math

    screen = console()
    screen.print(
        f"{len(moved.clip)} frames on {moved.clip.figure.name}: {len(moved.mapping.pairs)} segments"
        f" follow, off by {math.degrees(moved.turn_error):.1f}° on average; legs"
        f" {moved.scale:.2f} times as long",
        style="bold",
        markup=False,
    )
    if moved.feet is not None:
        screen.print(
            f"{moved.feet.count} contacts: slip at most {1000 * moved.feet.slip:.1f} mm,"
            f" penetration at most {1000 * moved.feet.penetration:.1f} mm"
        )
    for note in moved.notes:
        screen.print(note, markup=False)
    for path in written:
        screen.print(f"written: {path}", soft_wrap=True, markup=False)
