"""glTF accessors: arrays in buffers, read with every bound checked, and written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.formats.gltf_container import Container, Json, padded
from poise.formats.text import LARGEST_LENGTH

Array = NDArray[np.float64]
COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
FLOAT, SHORT = 5126, 5123
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
MOST = 20_000_000
"""Numbers in one accessor; more mean a broken file."""


def accessor(file: Container, index: int, width: int) -> Array:
    """(count, width) the numbers of an accessor; normalised integers become their fractions."""
    accessors = file.items(file.json, "accessors")
    place = f"accessors[{index}]"
    own = accessors[index]
    kind, count = own.get("type"), own.get("count")
    if WIDTHS.get(kind if isinstance(kind, str) else "") != width:
        raise file.error(f"{place}.type", kind, f"{width} numbers an element")
    if isinstance(count, bool) or not isinstance(count, int) or not 0 < count <= MOST // width:
        raise file.error(f"{place}.count", count, "how many elements there are")
    component = _component(file, own, place)
    if "bufferView" in own:
        values = _elements(file, own, component, (count, width), place)
    else:
        values = np.zeros((count, width), component)
    if "sparse" in own:
        values = _with_sparse(file, own, values, place)
    with np.errstate(invalid="ignore"):  # NaN of some kinds is warned about
        result = values.astype(float)
    if not (np.abs(result) < LARGEST_LENGTH).all():
        raise file.error(place, "NaN, infinite or huge numbers", "finite ones")
    if own.get("normalized") is True and component.kind in "iu":
        result = np.maximum(result / np.iinfo(component).max, -1.0)
    return result


def _component(file: Container, own: Json, place: str) -> np.dtype[Any]:
    code = own.get("componentType")
    if not isinstance(code, int) or code not in COMPONENTS:
        raise file.error(
            f"{place}.componentType", code, f"one of {', '.join(map(str, COMPONENTS))}"
        )
    return np.dtype(COMPONENTS[code])


def _elements(
    file: Container, own: Json, component: np.dtype[Any], shape: tuple[int, int], place: str
) -> NDArray[Any]:
    """The elements in a buffer view, which may lie apart."""
    views = file.items(file.json, "bufferViews")
    number = file.checked_index(own.get("bufferView"), len(views), f"{place}.bufferView")
    view, view_place = views[number], f"bufferViews[{number}]"
    buffer = file.buffers[
        file.checked_index(view.get("buffer"), len(file.buffers), f"{view_place}.buffer")
    ]
    start = _bytes(file, view, "byteOffset", 0, view_place)
    size = _bytes(file, view, "byteLength", None, view_place)
    inside = _bytes(file, own, "byteOffset", 0, place)
    count, width = shape
    tight = width * component.itemsize
    stride = _bytes(file, view, "byteStride", tight, view_place)
    needed = inside + (count - 1) * stride + tight
    if stride < tight or start + size > len(buffer) or needed > size:
        raise file.error(
            place, f"{needed} bytes in {view_place}", f"at most its {size}, in {len(buffer)} in all"
        )
    return np.ndarray(shape, component, buffer, start + inside, (stride, component.itemsize))


def _bytes(file: Container, owner: Json, key: str, default: int | None, place: str) -> int:
    value = owner.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**40:
        raise file.error(f"{place}.{key}", value, "a number of bytes")
    return value


def _with_sparse(file: Container, own: Json, values: NDArray[Any], place: str) -> NDArray[Any]:
    """The values with those replaced that a sparse accessor lists."""
    sparse = file.part(own, "sparse", place)
    count = sparse.get("count")
    if isinstance(count, bool) or not isinstance(count, int) or not 0 < count <= len(values):
        raise file.error(f"{place}.sparse.count", count, f"1 to {len(values)}")
    where = file.part(sparse, "indices", f"{place}.sparse")
    other = file.part(sparse, "values", f"{place}.sparse")
    component = _component(file, where, f"{place}.sparse.indices")
    at = _elements(file, where, component, (count, 1), f"{place}.sparse.indices")[:, 0]
    if component.kind == "f" or at.min() < 0 or at.max() >= len(values):
        raise file.error(f"{place}.sparse.indices", f"index {at.max()}", f"below {len(values)}")
    replaced = values.copy()
    shape = (count, values.shape[1])
    replaced[at.astype(int)] = _elements(file, other, values.dtype, shape, f"{place}.sparse.values")
    return replaced


class Writer:
    """Adds arrays to a document; what is there already stays where it is, in one buffer."""

    def __init__(self, document: Json, buffers: list[bytes]) -> None:
        self.document = document
        starts, data = [], b""
        for buffer in buffers:
            starts.append(len(data))
            data += padded(buffer)
        self._parts = [data]
        self.length = len(data)
        self.views: list[Json] = []
        for view in document.get("bufferViews", []):
            start = starts[view["buffer"]] + view.get("byteOffset", 0)
            self.views.append({**view, "buffer": 0, "byteOffset": start})
        self.accessors: list[Json] = list(document.get("accessors", []))

    @property
    def buffer(self) -> bytes:
        return b"".join(self._parts)

    def bytes(self, data: bytes, target: int | None = None) -> int:
        """A new buffer view."""
        view = {"buffer": 0, "byteOffset": self.length, "byteLength": len(data)}
        self.views.append(view if target is None else {**view, "target": target})
        self._parts.append(padded(data))
        self.length += len(self._parts[-1])
        return len(self.views) - 1

    def array(
        self,
        values: NDArray[Any],
        code: int = FLOAT,
        bounds: bool = False,
        target: int | None = None,
    ) -> int:
        """A new accessor of (count,), (count, 3), (count, 4) or (count, 4, 4) values.

        `bounds` adds the least and the largest, which glTF wants of times and positions.
        """
        data = np.ascontiguousarray(values, COMPONENTS[code])
        if data.ndim == 3:  # glTF keeps matrices column by column
            data = np.ascontiguousarray(np.swapaxes(data, 1, 2)).reshape(-1, 16)
        flat = data.reshape(len(data), -1)
        kind = next(name for name, width in WIDTHS.items() if width == flat.shape[1])
        own: Json = {
            "bufferView": self.bytes(data.tobytes(), target),
            "componentType": code,
            "count": len(flat),
            "type": kind,
        }
        if bounds:
            own |= {"min": flat.min(0).tolist(), "max": flat.max(0).tolist()}
        self.accessors.append(own)
        return len(self.accessors) - 1

    def finished(self) -> Json:
        """The document with all that was added."""
        return {**self.document, "bufferViews": self.views, "accessors": self.accessors}
