"""glTF animations: channels sampled at even times."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.errors import OptionError, unknown_name
from poise.formats.gltf_accessors import accessor
from poise.formats.gltf_container import Container, Json
from poise.motion.rotations import slerp

Array = NDArray[np.float64]
WIDTHS = {"rotation": 4, "translation": 3, "scale": 3}
USUAL_FPS = 30.0
SLOWEST_FPS, FASTEST_FPS = 10.0, 1000.0
"""Keys further apart than the first are poses to move between, not frames."""
MOST_FRAMES = 1_000_000
MOST_UNASKED = 100_000
"""So many frames are made where the file has fewer keys and nobody asked for them by fps=."""


@dataclass
class Channel:
    """The keys of one node: times (n,) [s] and values (n, 3 or 4)."""

    path: str
    times: Array
    values: Array
    interpolation: str

    def at(self, times: Array) -> Array:
        """(times, 3 or 4) the values, held before the first and after the last key."""
        cubic = self.interpolation == "CUBICSPLINE"
        keys = self.values.reshape(len(self.times), 3, -1)[:, 1] if cubic else self.values
        if len(self.times) == 1:
            return np.repeat(keys, len(times), 0)
        # Times are single precision in the file: a time on a key must not fall just before it.
        slack = 1e-6 * max(1.0, float(abs(self.times[-1])))
        i = np.searchsorted(self.times, times + slack, side="right") - 1
        i = np.clip(i, 0, len(self.times) - 2)
        span = self.times[i + 1] - self.times[i]
        share = np.clip((times - self.times[i]) / span, 0.0, 1.0)
        if self.interpolation == "STEP":
            return keys[np.where(share >= 1.0 - 1e-6, i + 1, i)]
        if cubic:
            return self._cubic(keys, i, span, share)
        if self.path == "rotation":
            unit = keys / np.linalg.norm(keys, axis=1, keepdims=True)
            return slerp(unit[i], unit[i + 1], share)
        return keys[i] + share[:, None] * (keys[i + 1] - keys[i])

    def _cubic(self, keys: Array, i: NDArray[np.intp], span: Array, share: Array) -> Array:
        """Hermite: each key has its tangent before and after it."""
        tangents = self.values.reshape(len(self.times), 3, -1)
        s, d = share[:, None], span[:, None]
        return (
            (2 * s**3 - 3 * s**2 + 1) * keys[i]
            + d * (s**3 - 2 * s**2 + s) * tangents[i, 2]
            + (3 * s**2 - 2 * s**3) * keys[i + 1]
            + d * (s**3 - s**2) * tangents[i + 1, 0]
        )


@dataclass
class Animation:
    """The channels of one animation, by node and path; quaternions are (w, x, y, z)."""

    name: str = ""
    channels: dict[tuple[int, str], Channel] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def frames(self, fps: float | None) -> tuple[Array, float]:
        """The times [s] to sample at, and the time of a frame [s]."""
        keys = np.unique(np.concatenate([channel.times for channel in self.channels.values()]))
        start, span = float(keys[0]), float(keys[-1] - keys[0])
        frame_time = 1.0 / fps if fps else self._frame_time(keys, span)
        count = int(np.floor(span / frame_time + 1e-3)) + 1
        most = MOST_FRAMES if fps else max(MOST_UNASKED, min(len(keys), MOST_FRAMES))
        if count > most:
            raise OptionError(
                f"animation {self.name!r} lasts {span:g} s, which makes {count} frames of"
                f" {len(keys)} keys; give fps= so that there are at most {MOST_FRAMES}"
            )
        return start + frame_time * np.arange(count, dtype=float), frame_time

    def _frame_time(self, keys: Array, span: float) -> float:
        if not span > 0.0:
            return 1.0 / USUAL_FPS
        steps = np.diff(keys)
        least = float(steps[steps > 1e-5 * max(1.0, span)].min(initial=span))
        count = max(round(span / least), 1)
        frame_time = span / count
        off = np.abs((keys - keys[0]) / frame_time - np.round((keys - keys[0]) / frame_time)).max()
        rate = 1.0 / frame_time
        if off > 0.01 or not SLOWEST_FPS <= rate * (1 + 1e-6) <= FASTEST_FPS:
            self.notes.append(
                f"the keys of the animation are not frames: sampled at {USUAL_FPS:g} fps; give fps="
            )
            return 1.0 / USUAL_FPS
        whole = round(rate)
        return 1.0 / whole if abs(rate / whole - 1.0) < 1e-5 else frame_time


def read_animation(file: Container, nodes: int, wanted: str | int | None) -> Animation | None:
    """The animation asked for, else the first; None where the file has none."""
    animations = file.items(file.json, "animations")
    names = [str(a.get("name") or f"animation{i}") for i, a in enumerate(animations)]
    if wanted is not None and wanted not in names and wanted not in range(len(names)):
        raise OptionError(unknown_name(f"animation of {file.path}", wanted, names))
    if not animations:
        return None
    index = names.index(wanted) if isinstance(wanted, str) else wanted or 0
    result = Animation(names[index])
    if wanted is None and len(names) > 1:
        result.notes.append(
            f"it has {len(names)} animations: {names[0]!r} is read; give animation= for another"
        )
    place = f"animations[{index}]"
    _fill(file, animations[index], result, nodes, place)
    return result if result.channels else None


def _fill(file: Container, own: Json, result: Animation, nodes: int, place: str) -> None:
    samplers = file.items(own, "samplers", f"{place}.")
    for c, channel in enumerate(file.items(own, "channels", f"{place}.")):
        here = f"{place}.channels[{c}]"
        target = file.part(channel, "target", here)
        node = file.index(target, "node", nodes, f"{here}.target")
        path = target.get("path")
        if node is None or path not in WIDTHS:
            continue  # blend shapes, and what extensions animate, are not of the skeleton
        sampler = file.checked_index(channel.get("sampler"), len(samplers), f"{here}.sampler")
        if (node, path) in result.channels:
            raise file.error(here, f"a second {path} of node {node}", "one")
        result.channels[node, path] = _channel(
            file, samplers[sampler], path, f"{place}.samplers[{sampler}]"
        )


def _channel(file: Container, sampler: Json, path: str, place: str) -> Channel:
    interpolation = sampler.get("interpolation", "LINEAR")
    if interpolation not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise file.error(f"{place}.interpolation", interpolation, "LINEAR, STEP or CUBICSPLINE")
    count = len(file.items(file.json, "accessors"))
    given = [file.checked_index(sampler.get(k), count, f"{place}.{k}") for k in ("input", "output")]
    times = accessor(file, given[0], 1)[:, 0]
    if (np.diff(times) <= 0.0).any() or times[0] < 0.0:
        raise file.error(f"{place}.input", "times that do not rise", "times that rise from 0 on")
    values = accessor(file, given[1], WIDTHS[path])
    if len(values) != len(times) * (3 if interpolation == "CUBICSPLINE" else 1):
        raise file.error(f"{place}.output", f"{len(values)} values", f"those of {len(times)} keys")
    if path == "rotation":
        values = np.roll(values, 1, axis=1)
        keys = values[1::3] if interpolation == "CUBICSPLINE" else values
        if not (np.linalg.norm(keys, axis=1) > 1e-6).all():
            raise file.error(f"{place}.output", "a quaternion of length 0", "length 1")
    return Channel(path, times, values, interpolation)
