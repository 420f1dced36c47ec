"""`load` and `save`: which module reads and writes which suffix.

A format is a module with `read(path, **options) -> Loaded` and, if it can be written,
`write(thing, path, **options)`, and a line in FORMATS.
"""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from poise.errors import FileError, FileWarning, OptionError, unknown_name
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.files import check_writable
from poise.motion.clip import Clip
from poise.motion.document import Document
from poise.motion.source import Source

StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Format:
    """A kind of file: its suffixes in lower case, its module, and what it can do."""

    name: str
    suffixes: tuple[str, ...]
    module: str
    reads: bool = True
    writes: bool = True
    holds: type = Clip
    """What its writer takes."""


FORMATS = (
    Format("Biovision hierarchy", (".bvh",), "poise.formats.bvh"),
    Format("Acclaim skeleton", (".asf",), "poise.formats.asf"),
    Format("Acclaim motion", (".amc",), "poise.formats.amc"),
    Format("glTF and VRM", (".glb", ".gltf", ".vrm"), "poise.formats.gltf"),
    Format("Robot description", (".urdf",), "poise.formats.urdf", writes=False),
    Format("MuJoCo model", (".xml", ".mjcf"), "poise.formats.mjcf", writes=False),
    Format("Table of angles", (".csv",), "poise.formats.angles_csv", reads=False),
    Format("Captured markers", (".c3d",), "poise.formats.c3d", writes=False),
    Format("OpenSim markers", (".trc",), "poise.formats.trc", writes=False),
    Format("OpenSim motion", (".mot",), "poise.formats.mot", reads=False),
    Format("Poise document", (".poise",), "poise.formats.poise_document", holds=Document),
)


REMEDIES = {
    ".fbx": "; Blender imports it and exports glTF (.glb), which Poise reads",
    ".usd": "; Blender imports it and exports glTF (.glb), which Poise reads",
    ".xacro": "; `xacro robot.xacro > robot.urdf` makes a file that Poise reads",
}
"""What to do with kinds of files that are not read."""


@dataclass(frozen=True)
class Loaded:
    """What a reader found, a Clip, a Figure, Markers or a Document, and where it came from."""

    value: Any
    source: Source

    @property
    def figure(self) -> Figure | None:
        return self.value if isinstance(self.value, Figure) else getattr(self.value, "figure", None)

    @property
    def clip(self) -> Clip | None:
        return self.value if isinstance(self.value, Clip) else None


def load(path: StrPath, **options: Any) -> Any:
    """What a file holds: a Clip (.bvh, .amc), a Figure (.asf, .urdf, .xml and .mjcf of MuJoCo),
    either (.glb, .gltf, .vrm), Markers (.c3d, .trc) or a Document (.poise).

    What had to be assumed, such as the unit of a BVH file, is warned about (`FileWarning`) and kept
    in `clip.source.notes`. Options depend on the format: BVH takes `unit` [m per unit], `up` ("Y"
    or "Z"), `fps`, and `incomplete=True` to read as many frames as there are; AMC takes `figure`
    (its .asf file, if that does not lie beside it) and `fps`; glTF takes `animation` (a name or
    number) and `fps`; URDF takes `base` ("fixed" or "free") and `up` ("Z" if not given), MuJoCo's
    models `keyframe`; markers take `unit` and `fps`. All with a figure take `limits`, the name of a
    side-car (`poise.formats.limits`).
    """
    loaded = read(path, **options)
    for note in loaded.source.notes:
        warnings.warn(f"{path}: {note}", FileWarning, stacklevel=2)
    return loaded.value


def read(path: StrPath, *, limits: StrPath | None = None, **options: Any) -> Loaded:
    """As `load`, without warnings; the notes are in `.source.notes`."""
    loaded = _read(path, options)
    if limits is None:
        return loaded
    from poise.formats.limits import with_limits_of

    value = loaded.value
    if isinstance(value, Figure):
        return Loaded(with_limits_of(value, Path(limits)), loaded.source)
    if isinstance(value, Clip):
        return Loaded(value.on(with_limits_of(value.figure, Path(limits))), loaded.source)
    raise OptionError(f"limits= needs a file with a figure or a clip; {path} has none")


def _read(path: StrPath, options: dict[str, Any]) -> Loaded:
    source = Path(path)
    reader = _function(_format_of(source, "reads"), "read", options)
    if not source.exists():
        raise FileError(f"cannot read {source}: there is no such file")
    if source.is_dir():
        raise FileError(f"cannot read {source}: it is a folder; give the name of a file")
    try:
        return reader(source, **options)
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(f"cannot read {source}: {reason}") from error


def read_target(path: StrPath, up: str | None = None) -> Loaded:
    """A figure that a motion is put on: the base of a robot moves, where the file leaves that open.

    up: of a robot's file, which does not say.
    """
    options: dict[str, Any] = {} if up is None else {"up": up}
    if of_one_format("urdf", path):
        options["base"] = "free"
    return read(path, **options)


def read_clip(path: StrPath) -> Clip:
    """The clip of a file, without warnings."""
    found = read(path).clip
    if found is None:
        raise FileError(f"{path} holds no clip; give a file with frames, such as .bvh")
    return found


def save(
    thing: Clip | Pose | Figure | Document,
    path: StrPath,
    *,
    limits: StrPath | None = None,
    **options: Any,
) -> None:
    """Write a clip, a pose (one frame), a figure (its rest pose) or a document, whole or not at
    all.

    The suffix chooses the format: a document becomes frames in all formats but its own (.poise).
    BVH takes `unit` [m per unit; else that of the file the clip came from, else centimetres] and
    `decimals` (6); .amc takes `figure`, the name of its .asf file, which else is written beside it,
    and `decimals`; glTF takes `character`, a file whose mesh is kept; .csv takes `robot`, a URDF
    file whose order of joints is kept or a MuJoCo model whose qpos is written, and `degrees`;
    .poise takes `embed`, whether a clip is in the file or only named by it. `limits` names a
    side-car to write, with the limits and relations of a clip that came from such a file: those of
    any figure fit into a .poise file alone.
    """
    target = Path(path)
    format_ = _format_of(target, "writes")
    writer = _function(format_, "write", options)
    if limits is not None:
        _check_side_car(thing, target, format_, Path(limits))
    writer(_as_document(thing) if format_.holds is Document else _as_clip(thing), target, **options)
    if limits is not None:
        from poise.formats.limits import write_limits

        write_limits(_as_clip(thing).figure, Path(limits))


def _check_side_car(thing: Any, target: Path, format_: Format, limits: Path) -> None:
    """Limits are by DOF: they hold for what is read only where that has the same DOFs."""
    came_from = _as_clip(thing).source.format
    if not came_from or not format_.module.endswith(f".{came_from}"):
        raise OptionError(
            f"cannot write {limits}: the DOFs that {target.suffix} files hold are other than those"
            f" of this clip, which came from no such file; save a .poise file to keep its limits"
        )
    check_writable(limits)


def suffixes(what: str) -> list[str]:
    """The suffixes of all formats that `what` ("reads" or "writes") holds for."""
    return [suffix for format_ in FORMATS if getattr(format_, what) for suffix in format_.suffixes]


def of_one_format(name: str, *paths: StrPath) -> bool:
    """Whether all paths have suffixes of the format that the module `name` reads."""
    known = next(f.suffixes for f in FORMATS if f.module.endswith(f".{name}"))
    return all(Path(path).suffix.lower() in known for path in paths)


def _format_of(path: Path, what: str) -> Format:
    suffix = path.suffix.lower()
    found = [f for f in FORMATS if suffix in f.suffixes]
    if found and getattr(found[0], what):
        return found[0]
    verb = "read" if what == "reads" else "write"
    kind = f"{found[0].name} files ({suffix})" if found else f"files ending in {suffix!r}"
    remedy = REMEDIES.get(suffix, "")
    raise FileError(
        f"cannot {verb} {path}: Poise does not {verb} {kind}; it {what}"
        f" {', '.join(suffixes(what))}{remedy}"
    )


def _function(format_: Format, name: str, options: dict[str, Any]) -> Callable[..., Any]:
    function = getattr(import_module(format_.module), name)
    known = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind == parameter.KEYWORD_ONLY
    ]
    for option in options:
        if option not in known:
            what = f"option of {format_.suffixes[0]} files"
            raise OptionError(unknown_name(what, option, known))
    return function


def _as_document(thing: Clip | Pose | Figure | Document) -> Document:
    if isinstance(thing, Document):
        return thing
    if isinstance(thing, Figure):
        return Document(thing, thing.rest_angles, name=thing.name)
    if isinstance(thing, Pose):
        return Document(thing.figure, thing.angles, name=thing.figure.name)
    clip = _as_clip(thing)
    first = clip.angles[0] if len(clip) else clip.figure.rest_angles
    duration = max(clip.duration, clip.frame_time)
    return Document(clip.figure, first, clip=clip, fps=clip.fps, duration=duration, name=clip.name)


def _as_clip(thing: Clip | Pose | Figure | Document) -> Clip:
    if isinstance(thing, Clip):
        return thing
    if isinstance(thing, Document):
        from poise.motion.export import sampled

        return sampled(thing)
    if isinstance(thing, Figure):
        return Clip(thing, thing.rest_angles[None], name=thing.name)
    if isinstance(thing, Pose):
        return Clip(thing.figure, thing.angles[None], name=thing.figure.name)
    raise OptionError(f"{thing!r} cannot be saved; give a Clip, a Pose or a Figure")
