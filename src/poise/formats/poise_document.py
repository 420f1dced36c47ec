""".poise: Poise's own document in one readable JSON file (poise_schema.py).

The clip is in the file, or named by it where its own file lies in the same folder or below.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from poise.errors import FileError, MotionError, PoiseError
from poise.figure.plain import figure_from
from poise.files import atomic_write
from poise.formats.character import character_of, embedded_character
from poise.formats.json_parts import checked, parsed
from poise.formats.json_text import json_text, offset_of
from poise.formats.plain_document import Plain, document_from, plain_document
from poise.formats.poise_schema import FORMAT, VERSION, ClipPart, DocumentPart
from poise.formats.registry import Loaded, read_clip
from poise.formats.text import Text
from poise.motion.clip import Clip
from poise.motion.document import Document
from poise.motion.source import Source

UPGRADES: dict[int, Callable[[Plain], Plain]] = {}
"""By version: what makes a file of that version one of the next. Never take one out."""


def read(path: Path) -> Loaded:
    """The document of a file."""
    text = Text(path)
    plain = _upgraded(text, parsed(text, FORMAT, "a document"))
    checked(text, plain, DocumentPart)
    clip = None
    try:
        if plain.get("clip") is not None:
            clip = _clip(path, plain)
        document = document_from(plain, clip)
    except FileError:
        raise
    except PoiseError as error:
        raise FileError(f"{path}: {error}") from error
    return Loaded(document, Source(path=str(path), format="poise"))


def write(document: Document, path: Path, *, embed: bool | None = None) -> None:
    """Write a document. `embed` says whether its clip is in the file or only named; None: named
    where its own file is beside this one or below, and unchanged."""
    plain = plain_document(document)
    if document.clip is not None:
        plain["clip"] = _named(document.clip, path) if embed is not True else None
        if plain["clip"] is None and embed is False:
            raise FileError(
                f"cannot write {path}: the clip {document.clip.name!r} is in no file beside it or"
                " below, or differs from it; write it with embed=True"
            )
        plain["clip"] = plain["clip"] or embedded(document.clip)
    named = "file" in plain.get("clip", {}) and character_of(document.clip) is not None
    if not named and character_of(document) is not None:
        plain["character"] = embedded_character(document)
    atomic_write(path, json_text(plain) + "\n")


def embedded(clip: Clip) -> Plain:
    """A clip with its frames."""
    found: Plain = {"name": clip.name, "frame_time": clip.frame_time}
    if clip.source.unit != 1.0:
        found["unit"] = clip.source.unit
    return found | {"frames": clip.angles.tolist()}


def embedded_clip(plain: Plain) -> Clip | None:
    """The clip whose frames are in a document; None if they are not."""
    part = msgspec.convert(plain.get("clip") or {}, ClipPart)
    if part.frames is None:
        return None
    figure, rows = figure_from(plain["figure"]), part.frames
    for i, row in enumerate(rows):
        if len(row) != len(figure.dofs):
            raise MotionError(
                f"frame {i} of the clip has {len(row)} numbers;"
                f" {figure.name} has {len(figure.dofs)} DOFs"
            )
    source = Source(unit=part.unit)
    return Clip(figure, rows, part.frame_time or 1.0 / 30.0, part.name, source)


def _upgraded(text: Text, plain: Plain) -> Plain:
    version = plain.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        line = text.line_at(offset_of(text.content, "$.version"))
        raise text.error(line, repr(version), f"a version from 1 to {VERSION}")
    if version > VERSION:
        raise FileError(
            f"{text.path} was written by a newer Poise (version {version} of the format; this one"
            f" reads up to {VERSION}); update Poise to open it"
        )
    while version < VERSION:
        plain = UPGRADES[version](plain)
        version += 1
    return plain


def _clip(path: Path, plain: Plain) -> Clip:
    """The clip of a document, from its own frames or from the file that it names."""
    found = embedded_clip(plain)
    if found is not None:
        return found
    part = msgspec.convert(plain["clip"], ClipPart)
    if part.file is None:
        raise FileError(f"{path}: the clip has neither frames nor a file; give one of them")
    return _clip_of_file(path, part.file, part)


def _clip_of_file(path: Path, name: str, part: ClipPart) -> Clip:
    file = (path.parent / name).resolve()
    if not file.is_relative_to(path.parent.resolve()):
        raise FileError(f"{path}: the clip {name!r} lies outside this folder; move it into it")
    if not file.is_file():
        raise FileError(f"{path}: its clip {name!r} is missing; put that file back beside it")
    if part.sha256 is not None and _digest(file) != part.sha256:
        raise FileError(
            f"{path}: its clip {name!r} is not the file that it was; put the old one back"
        )
    return read_clip(file)


def _named(clip: Clip, path: Path) -> dict[str, Any] | None:
    """A clip by the name of its file; None if that cannot be."""
    if not clip.source.path:
        return None
    file, folder = Path(clip.source.path).resolve(), path.parent.resolve()
    if not file.is_file() or not file.is_relative_to(folder):
        return None
    try:
        found = read_clip(file)
    except PoiseError:
        return None
    same = np.array_equal(found.angles, clip.angles) and found.frame_time == clip.frame_time
    if not same or found.name != clip.name:
        return None
    return {"name": clip.name, "file": file.relative_to(folder).as_posix(), "sha256": _digest(file)}


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
