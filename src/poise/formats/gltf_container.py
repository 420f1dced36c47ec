"""The container of glTF 2.0: JSON and buffers, in one binary file (.glb, .vrm) or as text (.gltf).

The JSON is kept as it is, so that all that Poise does not know of (meshes, materials, extensions)
is written back unchanged. Every look into it is checked, and errors name the place:
`nodes[3].rotation`.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError
from poise.formats.text import LARGEST_LENGTH, decoded, shown

Array = NDArray[np.float64]
Json = dict[str, Any]
MAGIC = b"glTF"
JSON_CHUNK, BINARY_CHUNK = b"JSON", b"BIN\0"
MOST_NODES = 100_000


@dataclass
class Container:
    """The JSON of a file, the binary chunk if there is one, and where the file is."""

    path: Path
    json: Json
    binary: bytes | None = None

    def error(self, place: str, found: object, expected: str) -> FileError:
        """An error that names the file, the place in its JSON, what is there and should be."""
        text = found if isinstance(found, str) else json.dumps(found, default=str)
        return FileError(f"{self.path}, {place}: found {shown(text)}, expected {expected}")

    def items(self, owner: Json, key: str, place: str = "") -> list[Json]:
        """The objects of a list, empty where it is missing."""
        values = owner.get(key, [])
        if not (isinstance(values, list) and all(isinstance(v, dict) for v in values)):
            raise self.error(place + key, values, "a list of objects")
        return values

    def part(self, owner: Json, key: str, place: str) -> Json:
        """An object in an object, empty where it is missing."""
        value = owner.get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"{place}.{key}", value, "an object")
        return value

    def index(self, owner: Json, key: str, count: int, place: str) -> int | None:
        """The index of one of `count` things, or None where it is missing."""
        if key not in owner:
            return None
        return self.checked_index(owner[key], count, f"{place}.{key}")

    def checked_index(self, value: object, count: int, place: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
            raise self.error(place, value, f"an index from 0 to {count - 1}")
        return value

    def indices(self, owner: Json, key: str, count: int, place: str) -> list[int]:
        """A list of indices, empty where it is missing."""
        values = owner.get(key, [])
        if not isinstance(values, list):
            raise self.error(f"{place}.{key}", values, "a list of indices")
        return [self.checked_index(v, count, f"{place}.{key}[{i}]") for i, v in enumerate(values)]

    def vector(self, owner: Json, key: str, default: Sequence[float], place: str) -> Array:
        """As many numbers as the default has."""
        values = owner.get(key, default)
        fine = isinstance(values, Sequence) and len(values) == len(default)
        if not (
            fine and all(isinstance(v, int | float) and abs(v) < LARGEST_LENGTH for v in values)
        ):
            wanted = f"{len(default)} numbers below {LARGEST_LENGTH:g}"
            raise self.error(f"{place}.{key}", values, wanted)
        return np.array(values, float)

    @cached_property
    def buffers(self) -> list[bytes]:
        """The content of all buffers."""
        return [self._buffer(i, b) for i, b in enumerate(self.items(self.json, "buffers"))]

    def check_views(self) -> None:
        """That all buffer views lie in their buffers."""
        for i, view in enumerate(self.items(self.json, "bufferViews")):
            place = f"bufferViews[{i}]"
            number = self.checked_index(view.get("buffer"), len(self.buffers), f"{place}.buffer")
            start, size = view.get("byteOffset", 0), view.get("byteLength")
            whole = all(isinstance(n, int) and not isinstance(n, bool) for n in (start, size))
            if not whole or min(start, size) < 0 or start + size > len(self.buffers[number]):
                found = f"bytes {start} to {start}+{size}"
                raise self.error(place, found, f"bytes within {len(self.buffers[number])}")

    def _buffer(self, i: int, buffer: Json) -> bytes:
        place = f"buffers[{i}]"
        if "uri" in buffer:
            data = self.resource(buffer["uri"], f"{place}.uri")
        elif i == 0 and self.binary is not None:
            data = self.binary
        else:
            raise self.error(place, "no uri", "the uri of a buffer that is not in the file")
        length = buffer.get("byteLength")
        if isinstance(length, bool) or not isinstance(length, int) or not 0 < length <= len(data):
            raise self.error(f"{place}.byteLength", length, f"1 to the {len(data)} bytes there are")
        return data[:length]

    def resource(self, uri: object, place: str) -> bytes:
        """The bytes behind a data URI, or those of a file in the folder of this one."""
        if isinstance(uri, str) and uri.startswith("data:"):
            head, _, body = uri.partition(",")
            try:
                return base64.b64decode(body, validate=True) if head.endswith(";base64") else b""
            except (binascii.Error, ValueError) as error:
                raise self.error(place, uri, f"base64 data ({error})") from error
        name = unquote(uri) if isinstance(uri, str) else ""
        inside = name and "\0" not in name and "://" not in name and not Path(name).is_absolute()
        if not inside or ".." in Path(name).parts:
            raise self.error(place, uri, "a file beside this one or below, or a data URI")
        try:
            return (self.path.parent / name).read_bytes()
        except OSError as error:
            raise self.error(place, uri, f"a file that can be read ({error.strerror})") from error


def read_container(path: Path) -> Container:
    """The file, of either form, whatever its suffix says."""
    return container_of(path.read_bytes(), path)


def container_of(data: bytes, path: Path) -> Container:
    """The bytes of a file; `path` is what errors call it, and beside it lies what it names."""
    text, binary = _chunks(path, data) if data.startswith(MAGIC) else (data, None)
    container = Container(path, {}, binary)
    try:
        document = json.loads(decoded(text), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FileError(f"{path}, {place} of the JSON: expected glTF ({error.msg})") from error
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: found JSON that cannot be read ({error})") from error
    if not isinstance(document, dict) or not isinstance(document.get("asset"), dict):
        raise container.error("asset", document, "an object with the version of glTF")
    version = document["asset"].get("version")
    if not (isinstance(version, str) and version.startswith("2.")):
        raise container.error("asset.version", version, '"2.0"; convert older files first')
    container.json = document
    return container


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    """The JSON and the binary chunk of a binary file."""
    if len(data) < 20:
        raise FileError(f"{path}, byte {len(data)}: found the end of the file, expected its header")
    version, length = struct.unpack("<II", data[4:12])
    if version != 2:
        raise FileError(f"{path}, byte 4: found version {version}, expected 2")
    if length > len(data):
        raise FileError(
            f"{path}, byte {len(data)}: found the end of the file, expected {length} bytes:"
            " it is cut off"
        )
    chunks: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= length:
        size, kind = struct.unpack("<I4s", data[at : at + 8])
        if at + 8 + size > length:
            raise FileError(
                f"{path}, byte {at}: found a chunk of {size} bytes, expected at most"
                f" {length - at - 8}"
            )
        chunks.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size
    if JSON_CHUNK not in chunks:
        raise FileError(f"{path}, byte 12: found no JSON chunk, expected one")
    return chunks[JSON_CHUNK], chunks.get(BINARY_CHUNK)


def packed(document: Json, buffer: bytes, binary: bool) -> bytes:
    """A whole file of the one form or the other, with all data in it."""
    document = {**document, "buffers": [{"byteLength": len(buffer)}]}
    if not binary:
        uri = "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()
        document["buffers"] = [{"byteLength": len(buffer), "uri": uri}]
        return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    chunks = ((JSON_CHUNK, text + b" " * (-len(text) % 4)), (BINARY_CHUNK, padded(buffer)))
    body = b"".join(struct.pack("<I4s", len(data), kind) + data for kind, data in chunks)
    return MAGIC + struct.pack("<II", 2, 12 + len(body)) + body


def padded(data: bytes) -> bytes:
    """With zeros up to the next multiple of 4 bytes."""
    return data + b"\0" * (-len(data) % 4)
