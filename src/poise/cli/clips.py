"""The clip that a command names, and where its answer goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.cli.figures import is_file, loaded_from, print_notes
from poise.errors import OptionError
from poise.files import check_writable

if TYPE_CHECKING:
    from poise.motion import Clip


def clip_named(name: str, **options: Any) -> Clip:
    """The motion in a file; what had to be assumed is said on standard error."""
    if not is_file(name):
        raise OptionError(f"{name!r} is not a file with a motion; give a .bvh, .amc or .glb file")
    loaded = loaded_from(name, **options)
    print_notes(name, loaded.source.notes)
    if loaded.clip is None:
        raise OptionError(f"{name} holds no motion; give a .bvh, .amc or .glb file")
    return loaded.clip


def check_out(path: Path | None, suffixes: list[str] | None = None) -> None:
    """Say before the work if its result cannot be written."""
    from poise.formats.registry import suffixes as written

    known = written("writes") if suffixes is None else suffixes
    if path is None:
        return
    if path.suffix.lower() not in known:
        raise OptionError(f"{path}: this version writes {', '.join(known)}; name the file so")
    check_writable(path)


def kept_character(figure: str, out: Path) -> dict[str, Any]:
    """Options of `save` that keep the mesh of the character that a figure is of."""
    from poise.formats.registry import of_one_format

    return {"character": figure} if of_one_format("gltf", figure, out) else {}


def as_qpos(figure: str, out: Path) -> dict[str, Any]:
    """Options of `save` that write the table of a MuJoCo model as its qpos."""
    from poise.formats.registry import of_one_format

    return {"robot": figure} if of_one_format("mjcf", figure) and out.suffix == ".csv" else {}


def prepared() -> None:
    """Compile the engine, and say so, if that has not been done on this machine."""
    from poise.cli.progress import compiling
    from poise.solve import prepare

    with compiling() as report:
        prepare(report)
