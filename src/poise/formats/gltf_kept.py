"""A glTF file that a figure came from, kept whole: mesh, materials and what else it has."""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property

from poise.formats.gltf_accessors import Writer
from poise.formats.gltf_container import Container, Json, packed
from poise.formats.gltf_nodes import Bound

OWN = "Poise"
"""The generator of the files that we write with a body of our own."""


@dataclass(frozen=True)
class Kept:
    """What the writer needs to write a clip into the file that it came from."""

    file: Container
    bound: dict[str, Bound]
    """By segment."""

    @property
    def has_mesh(self) -> bool:
        """Whether it brings a body; the bones that we write in place of one are none."""
        own = self.file.json["asset"].get("generator") == OWN
        return bool(self.file.items(self.file.json, "meshes")) and not own

    @cached_property
    def packed(self) -> bytes:
        """The file with all that it names, in one: binary glTF."""
        document: Json = dict(self.file.json)
        writer = Writer(document, self.file.buffers)
        embed_images(document, writer, self.file)
        return packed(writer.finished(), writer.buffer, binary=True)

    @cached_property
    def key(self) -> str:
        """Names the content of the file."""
        return hashlib.sha256(self.packed).hexdigest()[:16]


def embed_images(document: Json, writer: Writer, file: Container) -> None:
    """Pictures that lie in files beside the document come with it."""
    images = [dict(image) for image in file.items(document, "images")]
    for i, image in enumerate(images):
        uri = image.get("uri", "data:")
        if not str(uri).startswith("data:"):
            data = file.resource(uri, f"images[{i}].uri")
            kind = mimetypes.guess_type(str(uri))[0] or "image/png"
            image |= {"bufferView": writer.bytes(data), "mimeType": kind}
            del image["uri"]
    if images:
        document["images"] = images
