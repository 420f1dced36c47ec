"""The character that a figure came from: its glTF file with mesh, materials and all, kept."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path

from poise.errors import FileError
from poise.formats.gltf_container import container_of
from poise.formats.gltf_kept import Kept
from poise.formats.gltf_read import loaded
from poise.motion.clip import Clip
from poise.motion.document import Document
from poise.motion.source import Source


def character_of(thing: Clip | Document | None) -> Kept | None:
    """The character of a document or a clip that came from a glTF file; None for others."""
    kept = None if thing is None else thing.source.details.get("gltf")
    return kept if isinstance(kept, Kept) else None


def embedded_character(document: Document) -> str:
    """The character of a document as text: base64 of a binary glTF file."""
    kept = character_of(document)
    assert kept is not None
    return base64.b64encode(kept.packed).decode()


def character_source(text: str) -> Source:
    """What `embedded_character` gave, as the source of a document."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise FileError(f"its character is not base64 ({error}); save it again") from error
    return loaded(container_of(data, Path("its character")), None, None).source
