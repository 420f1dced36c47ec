"""Other files that a clip is read from: the skeleton of an .amc, the buffers of a .gltf file."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import msgspec

from poise.batch.settings import Settings


class _Buffer(msgspec.Struct):
    uri: str = ""


class _Container(msgspec.Struct):
    """As much of a .gltf file as names other files."""

    buffers: tuple[_Buffer, ...] = ()


def companions(source: Path, settings: Settings) -> list[Path]:
    """Those that are there; what is missing is for the reader to say."""
    match source.suffix.lower():
        case ".amc" if settings.figure is None:
            from poise.formats.amc_read import skeleton_beside

            found = skeleton_beside(source)
            return [] if found is None else [found]
        case ".gltf":
            return _buffers(source)
    return []


def _buffers(source: Path) -> list[Path]:
    try:
        container = msgspec.json.decode(source.read_bytes(), type=_Container)
    except (OSError, msgspec.DecodeError):
        return []
    named = [unquote(b.uri) for b in container.buffers if b.uri and not b.uri.startswith("data:")]
    return [path for name in dict.fromkeys(named) if (path := source.parent / name).is_file()]
