"""SkeletonMap: which segment of one figure moves as which of another; it can be edited."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from poise.errors import MotionError, PoiseError, unknown_name
from poise.figure.figure import Figure
from poise.files import atomic_write
from poise.motion.feet import assumed_feet
from poise.motion.map_file import VERSION, MapFile
from poise.motion.roles import Body, body_of

_NEEDED = ("pelvis", "chest", "head", "left_thigh", "right_thigh", "left_upper_arm")


class Pair(NamedTuple):
    """A segment moves as `first` does, or so far on the way (0 to 1) from `first` to `second`."""

    first: str
    second: str
    share: float = 0.0


@dataclass(frozen=True, eq=False)
class SkeletonMap:
    """For segments of the target figure what they follow in the source."""

    source: str
    target: str
    pairs: Mapping[str, Pair]
    """By the name of the target's segment."""
    doubts: tuple[str, ...] = ()
    """What is uncertain or missing, each a sentence for people."""
    file: MapFile | None = None
    """Where it was read from."""

    @classmethod
    def between(cls, source: Figure, target: Figure) -> SkeletonMap:
        """Match the segments of two figures by name: the same name, or the same role."""
        if source.segment_names == target.segment_names:
            same = {name: Pair(name, name) for name in target.segment_names}
            return cls(source.name, target.name, same)
        theirs, ours = body_of(source), body_of(target)
        pairs = {
            name: Pair(theirs.roles[role], theirs.roles[role])
            for role, name in ours.roles.items()
            if role in theirs.roles
        }
        for mine, other, ends in (
            (ours.spine, theirs.spine, ("pelvis", "chest")),
            (ours.neck, theirs.neck, ("chest", "head")),
        ):
            pairs |= _along(mine, other, theirs, ends)
        for name in target.segment_names:
            if name not in pairs and name in source.segment_names:
                pairs[name] = Pair(name, name)
        ordered = {name: pairs[name] for name in target.segment_names if name in pairs}
        return cls(source.name, target.name, ordered, tuple(_doubts(theirs, ours, ordered)))

    def checked(self, source: Figure, target: Figure) -> SkeletonMap:
        """This map, if all its names are there and the root follows something."""
        for name, pair in self.pairs.items():
            if name not in target.segment_names:
                what = f"segment of {target.name}"
                raise self._wrong(name, unknown_name(what, name, target.segment_names))
            for other in pair[:2]:
                if other not in source.segment_names:
                    what = f"segment of {source.name}"
                    raise self._wrong(name, unknown_name(what, other, source.segment_names))
            if not 0.0 <= pair.share <= 1.0:
                what = f"share {pair.share!r} of segment {name!r} must be from 0 to 1"
                raise self._wrong(name, what)
        if not self.pairs:
            origin = "" if self.file is None else f"{self.file.path}: "
            raise MotionError(
                f"{origin}nothing of {target.name} is found in {source.name} by name; write a"
                f' mapping, e.g. {{"pairs": {{"{target.segment_names[0]}":'
                f' "{source.segment_names[0]}"}}}}'
            )
        return self

    def document(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "poise": "skeleton map",
            "version": VERSION,
            "source": self.source,
            "target": self.target,
            "pairs": {
                name: pair.first if pair.share == 0.0 else list(pair)
                for name, pair in self.pairs.items()
            },
            "doubts": list(self.doubts),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, to be edited and given back."""
        text = json.dumps(self.document(), indent=2, ensure_ascii=False)
        on_one_line = re.sub(r"\[\s+([^\[\]{}]*?),\s+([\d.]+)\s+\]", _on_one_line, text)
        atomic_write(path, on_one_line + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SkeletonMap:
        """Read what `save` wrote; only "pairs" is needed."""
        file = MapFile.read(path, "pairs", '{"pairs": {"target segment": "source segment"}}')
        pairs = {name: _pair(value, name, file) for name, value in file.entries.items()}
        source, target = (str(file.document.get(key, "")) for key in ("source", "target"))
        return cls(source, target, pairs, file.doubts, file)

    def _wrong(self, name: str, message: str) -> PoiseError:
        """An error about what segment `name` follows."""
        return MotionError(message) if self.file is None else self.file.wrong(name, message)


def _on_one_line(match: re.Match[str]) -> str:
    names = ", ".join(part.strip() for part in match.group(1).split(","))
    return f"[{names}, {match.group(2)}]"


def _pair(value: Any, name: str, file: MapFile) -> Pair:
    if isinstance(value, str):
        return Pair(value, value)
    if isinstance(value, list) and len(value) == 3 and all(isinstance(v, str) for v in value[:2]):
        share = value[2]
        if isinstance(share, int | float) and not isinstance(share, bool):
            return Pair(value[0], value[1], float(share))
    raise file.wrong(
        name, f'follows {value!r}; give the name of a segment, ["one", "other", share], or null'
    )


def _along(
    mine: list[str], other: list[str], theirs: Body, ends: tuple[str, str]
) -> dict[str, Pair]:
    """A run of segments spread evenly over a run of another length, e.g. the spine."""
    if ends[0] not in theirs.roles or ends[1] not in theirs.roles:
        return {}
    knots = [theirs.roles[ends[0]], *other, theirs.roles[ends[1]]]
    found = {}
    for k, name in enumerate(mine, 1):
        place = k / (len(mine) + 1) * (len(knots) - 1)
        before = min(int(place), len(knots) - 2)
        share = float(np.round(place - before, 6))
        found[name] = Pair(knots[before], knots[before + 1] if share else knots[before], share)
    return found


def _doubts(theirs: Body, ours: Body, pairs: Mapping[str, Pair]) -> list[str]:
    found = [f"{theirs.figure.name}: {doubt}" for doubt in theirs.doubts]
    found += [f"{ours.figure.name}: {doubt}" for doubt in ours.doubts]
    for body in (theirs, ours):
        for foot in assumed_feet(body):
            found.append(f"{body.figure.name}: where heel and ball of {foot!r} are is assumed")
    for role, name in ours.roles.items():
        if name not in pairs:
            found.append(f"nothing in {theirs.figure.name} is found for {name!r} ({role})")
    for role in _NEEDED:
        if role not in ours.roles:
            found.append(f"no {role} is found in {ours.figure.name}")
    return found
