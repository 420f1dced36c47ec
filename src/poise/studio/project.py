"""The project folder: what the studio may read and write, and nothing else."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from poise.errors import FileError
from poise.figure.figure import Figure
from poise.formats import registry
from poise.formats.gltf_kept import Kept
from poise.motion.clip import Clip
from poise.motion.document import Document
from poise.motion.markers import Markers
from poise.studio.opening import opened_clip, opened_figure
from poise.studio.sections import FileInfo

UPLOAD = "upload:"
"""Begins the path of a file that was dropped onto the page."""
MOST_UPLOAD = 256 * 2**20
"""The largest file that can be dropped onto the page [bytes]."""
MOST_LISTED = 1000
_DEEPEST = 4


class Project:
    """A folder, and a place of its own for files that were dropped onto the page."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).resolve()
        if not self.folder.is_dir():
            raise FileError(f"there is no folder {self.folder}; make it first")
        self._uploads = tempfile.TemporaryDirectory(prefix="poise-")

    def close(self) -> None:
        """Delete what was dropped onto the page."""
        self._uploads.cleanup()

    def inside(self, path: str) -> Path:
        """A path of the page as a path of the machine; an error if it leads out of the folder."""
        base = self.folder
        if path.startswith(UPLOAD):
            base, path = Path(self._uploads.name).resolve(), path.removeprefix(UPLOAD)
        outside = FileError(
            f"{path!r} is outside the project folder; give a path within {self.folder}"
        )
        if not path or "\0" in path or Path(path).is_absolute():
            raise outside
        try:
            found = (base / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise outside from error
        if not found.is_relative_to(base) or found == base:
            raise outside
        return found

    def shown(self, path: Path) -> str:
        """A path of the machine as the page has it."""
        return path.relative_to(self.folder).as_posix()

    def files(self) -> list[FileInfo]:
        """What can be opened, by name."""
        known = set(registry.suffixes("reads"))
        found: list[FileInfo] = []
        for folder, folders, names in os.walk(self.folder):
            depth = len(Path(folder).relative_to(self.folder).parts)
            hidden = depth >= _DEEPEST
            folders[:] = [] if hidden else sorted(f for f in folders if not f.startswith("."))
            for name in sorted(names):
                if Path(name).suffix.lower() in known and not name.startswith("."):
                    found += self._described(Path(folder) / name)
                    if len(found) == MOST_LISTED:
                        return found
        return found

    def _described(self, path: Path) -> list[FileInfo]:
        """A file as the page lists it; none if it leads out of the folder, or has just gone."""
        try:
            known = self.inside(self.shown(path)).stat()
        except (FileError, OSError):
            return []
        return [FileInfo(self.shown(path), known.st_size, known.st_mtime)]

    def upload(self, name: str, data: bytes) -> str:
        """Keep a file that was dropped onto the page; its path for `open`."""
        plain = name.replace("\\", "/").rsplit("/", 1)[-1].lstrip(".")
        suffix = Path(plain).suffix.lower()
        if suffix not in registry.suffixes("reads"):
            raise FileError(
                f"cannot open {name!r}: Poise reads {', '.join(registry.suffixes('reads'))}"
            )
        path = f"{UPLOAD}{plain}"
        self.inside(path).write_bytes(data)
        return path

    def open(self, path: str, also: str | None = None) -> tuple[Document, list[str]]:
        """The document of a file, and what its reader has to say. `also`: the .asf of an .amc."""
        options = {} if also is None else {"figure": self.inside(also)}
        loaded = registry.read(self.inside(path), **options)
        loaded, notes = _drawable(loaded)
        if isinstance(loaded.value, Document):
            return loaded.value, notes
        if isinstance(loaded.value, Markers):
            raise FileError(
                f"{path} holds markers, which the studio does not open; `poise track {path} --out"
                " motion.poise` makes a motion of them"
            )
        if isinstance(loaded.value, Clip):
            return opened_clip(loaded.value), notes
        assert isinstance(loaded.value, Figure)
        return opened_figure(loaded.value, source=loaded.source), notes

    def save(self, document: Document, path: str) -> None:
        """Write a document in the format of the path's ending."""
        if path.startswith(UPLOAD):
            raise FileError("a file that was dropped onto the page has no place; choose one")
        registry.save(document, self.inside(path))

    def exported(self, document: Document, suffix: str) -> bytes:
        """A document as the bytes of a file."""
        if suffix not in registry.suffixes("writes"):
            known = ", ".join(registry.suffixes("writes"))
            raise FileError(f"Poise does not write {suffix!r}; it writes {known}")
        with tempfile.TemporaryDirectory(prefix="poise-") as folder:
            target = Path(folder) / f"document{suffix}"
            registry.save(document, target)
            return target.read_bytes()


def _drawable(loaded: registry.Loaded) -> tuple[registry.Loaded, list[str]]:
    """What was read, without a character whose pictures are missing; and what to say of it."""
    source, notes = loaded.source, list(loaded.source.notes)
    kept = source.details.get("gltf")
    if not isinstance(kept, Kept):
        return loaded, notes
    try:
        _ = kept.packed
        return loaded, notes
    except FileError as error:
        details = {name: part for name, part in source.details.items() if name != "gltf"}
        source = replace(source, details=details)
        value = loaded.value
        if isinstance(value, Clip):
            value = Clip(value.figure, value.angles, value.frame_time, value.name, source)
        return registry.Loaded(value, source), [*notes, f"its mesh is not drawn: {error}"]
