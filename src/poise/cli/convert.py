"""`poise convert`: from one kind of file to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from poise.cli.clips import check_out
from poise.cli.figures import built_in, is_file, loaded_from, print_notes
from poise.cli.options import POSITIVE, Json, Skeleton, Unit, Up
from poise.cli.output import console, to_json
from poise.cli.progress import working
from poise.errors import OptionError

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.motion import Clip

NAME = "convert"
EXAMPLES = """\
Examples:
  poise convert 87_03.amc backflip.bvh --figure 87.asf
  poise convert long.bvh short.bvh --frames 100:400 --fps 30
  poise convert dance.bvh dance.glb
  poise convert human human.bvh"""


def run(
    source: Annotated[
        str, Parameter(help="A file (.bvh, .amc, .glb, .urdf, …), or a built-in figure.")
    ],
    target: Annotated[Path, Parameter(help="The file to write (.bvh, .glb, .mot, .csv, …).")],
    /,
    *,
    figure: Skeleton = None,
    unit: Unit = None,
    up: Up = None,
    out_unit: Annotated[
        float | None,
        Parameter(
            help="Metres per unit of the file to write; as it came if not given.",
            validator=POSITIVE,
        ),
    ] = None,
    frames: Annotated[
        str | None, Parameter(help="Only these, counted from 0: FIRST:END, END not included.")
    ] = None,
    fps: Annotated[
        float | None, Parameter(help="Resample to so many frames a second.", validator=POSITIVE)
    ] = None,
    incomplete: Annotated[
        bool, Parameter(help="Read the whole frames of a .bvh file that is cut off.", negative="")
    ] = False,
    json: Json = False,
) -> None:
    """Convert a motion or a figure from one kind of file to another.

    Positions stay what they are. What a file leaves open and had to be
    assumed is said on standard error.
    """  # fmt: skip
    from poise.formats import save

    check_out(target)
    with working(f"Converting {source}"):
        thing, notes = _read(source, figure=figure, unit=unit, up=up, incomplete=incomplete or None)
        thing = _chosen(thing, frames, fps)
        chosen: dict[str, Any] = {} if out_unit is None else {"unit": out_unit}
        save(thing, target, **chosen)
    document = _document(source, target, thing, notes)
    if json:
        print(to_json(document), end="")
        return
    print_notes(source, notes)
    screen = console()
    screen.print(
        f"written: {target} ({document['frames']} frames, {document['dofs']} DOFs)", soft_wrap=True
    )


def _read(name: str, **options: Any) -> tuple[Any, list[str]]:
    if not is_file(name):
        return built_in(name), []
    loaded = loaded_from(name, **options)
    return loaded.value, list(loaded.source.notes)


def _chosen(thing: Any, frames: str | None, fps: float | None) -> Clip | Figure:
    """The frames that are asked for."""
    from poise.motion import Clip
    from poise.motion.markers import Markers

    if isinstance(thing, Markers):
        raise OptionError(
            "markers cannot be converted; `poise track` makes a motion of them, with --out"
        )
    if not isinstance(thing, Clip):
        if frames is not None or fps is not None:
            raise OptionError("--frames and --fps need a file with motion in it")
        return thing
    if frames is not None:
        thing = thing[_range(frames, len(thing))]
    return thing if fps is None else thing.resampled(fps)


def _range(text: str, count: int) -> slice:
    first, _, end = text.partition(":")
    numbers = [part for part in (first, end) if part]
    if ":" not in text or not all(part.isascii() and part.isdigit() for part in numbers):
        raise OptionError(f"--frames {text!r} is not FIRST:END; write for example 100:400")
    chosen = slice(int(first or 0), int(end) if end else count)
    if chosen.start >= chosen.stop or chosen.stop > count:
        raise OptionError(f"--frames {text!r} is not within the {count} frames of the file")
    return chosen


def _document(source: str, target: Path, thing: Any, notes: list[str]) -> dict[str, Any]:
    from poise.motion import Clip

    is_clip = isinstance(thing, Clip)
    figure = thing.figure if is_clip else thing
    return {
        "source": source,
        "target": str(target),
        "figure": figure.name,
        "dofs": len(figure.dofs),
        "frames": len(thing) if is_clip else 1,
        "fps": thing.fps if is_clip else None,
        "notes": notes,
    }
