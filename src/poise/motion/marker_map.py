"""MarkerMap: which marker sits where on a figure; it can be looked at, edited and calibrated."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError, FileError, MotionError, unknown_name
from poise.figure.figure import Figure
from poise.figure.segment import vector3
from poise.files import atomic_write
from poise.motion.map_file import VERSION, MapFile
from poise.motion.marker_names import carrier, rough_place, spot_named
from poise.motion.roles import body_of

Array = NDArray[np.float64]

ROUGH = 0.1
"""How much a marker counts, while a map is calibrated, whose place is hardly known before."""


@dataclass(frozen=True, eq=False)
class MarkerPlace:
    """A marker on a site or segment `on`, at an offset [m] in its frame."""

    on: str
    offset: Any = (0.0, 0.0, 0.0)
    weight: float = 1.0
    """How much it counts; 0: not at all."""
    sure: bool = True
    """Whether the offset is known well enough to calibrate others by it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", vector3(self.offset, f"offset of a marker on {self.on}"))
        if not (np.isfinite(self.weight) and self.weight >= 0.0):
            raise MotionError(
                f"weight {self.weight!r} of a marker on {self.on} must be a number from 0"
            )


@dataclass(frozen=True, eq=False)
class MarkerMap:
    """Where the markers of a set sit on a figure, by their names."""

    figure: str
    places: Mapping[str, MarkerPlace]
    doubts: tuple[str, ...] = ()
    """What is uncertain or left out, each a sentence for people."""
    scale: float = 1.0
    """How many times as large as the figure the subject is."""
    file: MapFile | None = None
    """Where it was read from."""

    @classmethod
    def guessed(cls, names: Iterable[str], figure: Figure) -> MarkerMap:
        """Places by the names of markers: sites or segments of the figure that are called so, or
        those of the usual marker sets. Other markers are left out, which is said in `doubts`."""
        body, rest = body_of(figure), figure.rest()
        places: dict[str, MarkerPlace] = {}
        unknown = []
        for name in names:
            if name in figure.effector_names:
                places[name] = MarkerPlace(name)
                continue
            known = spot_named(name)
            segment = None if known is None else carrier(body, *known)
            point = None if known is None else rough_place(body, *known, rest)
            if known is None or segment is None or point is None:
                unknown.append(name)
                continue
            # A site may be called as its segment is: the offset is in the site's frame then.
            offset = rest.rotation(segment).T @ (point - rest.position(segment))
            places[name] = MarkerPlace(segment, offset, sure=known[1].sure)
        doubts = []
        if unknown:
            listed = ", ".join(unknown[:12]) + (" …" if len(unknown) > 12 else "")
            doubts.append(
                f"{len(unknown)} markers are not known by name and left out: {listed};"
                " a map says where they sit"
            )
        return cls(figure.name, places, tuple(doubts))

    def checked(self, figure: Figure, names: Iterable[str]) -> MarkerMap:
        """This map without markers that are not among `names`, if all its places are there."""
        names = list(names)
        known = set(names)
        for name, place in self.places.items():
            try:
                figure.effector(place.on)
            except FigureError as error:
                raise (self.file.wrong(name, str(error)) if self.file else error) from None
        kept = {name: place for name, place in self.places.items() if name in known}
        if not kept:
            raise MotionError(
                "no marker of the map is there, and none is known by name; write a map that says"
                f" on which segment of {figure.name} each sits, like {_example(names, figure)}"
            )
        return replace(self, places=kept)

    def with_weights(self, weights: Mapping[str, float]) -> MarkerMap:
        """A copy with other weights of some markers."""
        places = dict(self.places)
        for name, weight in weights.items():
            if name not in places:
                raise MotionError(unknown_name("marker to weigh", name, places))
            places[name] = replace(places[name], weight=weight)
        return replace(self, places=places)

    @property
    def effectors(self) -> dict[str, tuple[str, Array]]:
        """What `poise.track` takes as `effectors`."""
        used = {name: place for name, place in self.places.items() if place.weight > 0.0}
        return {name: (place.on, place.offset) for name, place in used.items()}

    @property
    def weights(self) -> dict[str, float]:
        """What `poise.track` takes as `weights`."""
        return {n: place.weight for n, place in self.places.items() if place.weight > 0.0}

    def document(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        markers = {}
        for name, place in self.places.items():
            offset = [float(np.round(v, 6)) + 0.0 for v in place.offset]
            markers[name] = {"on": place.on, "offset": offset, "weight": place.weight}
            if not place.sure:
                markers[name]["sure"] = False
        return {
            "poise": "marker map",
            "version": VERSION,
            "figure": self.figure,
            "scale": float(np.round(self.scale, 6)),
            "markers": markers,
            "doubts": list(self.doubts),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, a marker a line, to be edited and given back."""
        document = self.document()
        rows = [f"    {json.dumps(n, ensure_ascii=False)}: {json.dumps(p, ensure_ascii=False)}"
                for n, p in document.pop("markers").items()]  # fmt: skip
        head = json.dumps(document | {"markers": 0}, indent=2, ensure_ascii=False)
        markers = "{\n" + ",\n".join(rows) + "\n  }"
        atomic_write(path, re.sub(r'"markers": 0', lambda _: f'"markers": {markers}', head) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> MarkerMap:
        """Read what `save` wrote; only "markers" is needed."""
        file = MapFile.read(path, "markers", '{"markers": {"LASI": "pelvis"}}')
        places = {name: _place(value, name, file) for name, value in file.entries.items()}
        scale = file.document.get("scale", 1.0)
        if not _is_number(scale) or scale <= 0:
            raise FileError(f"{file.path} has scale {scale!r}; give a number above 0")
        figure = str(file.document.get("figure", ""))
        return cls(figure, places, file.doubts, float(scale), file)


def _example(names: Sequence[str], figure: Figure) -> str:
    """A map of a few markers: by what a part of their names says, or else any segment."""
    body, rows = body_of(figure), {}
    for name in names:
        spots = (spot_named(name[i:]) for i in range(1, len(name)))
        on = next((carrier(body, *spot) for spot in spots if spot is not None), None)
        if on is not None:
            rows[name] = on
    few = dict(list(rows.items())[:2]) or {"NAME": figure.segment_names[0]}
    return json.dumps({"markers": few}, ensure_ascii=False)


def _place(value: Any, name: str, file: MapFile) -> MarkerPlace:
    if isinstance(value, str):
        return MarkerPlace(value, sure=False)
    if not isinstance(value, dict) or not isinstance(value.get("on"), str):
        raise file.wrong(
            name,
            f'is {value!r}; give the name of a segment, {{"on": NAME, "offset": [x, y, z],'
            ' "weight": 1}, or null',
        )
    offset, weight = value.get("offset", [0.0, 0.0, 0.0]), value.get("weight", 1.0)
    numbers: list[Any] = offset if isinstance(offset, list) else []
    if len(numbers) != 3 or not all(map(_is_number, [*numbers, weight])) or weight < 0:
        raise file.wrong(
            name,
            f"has offset {offset!r} and weight {weight!r}; give three metres and a number from 0",
        )
    sure = value.get("sure", "offset" in value) is not False
    return MarkerPlace(value["on"], [float(v) for v in numbers], float(weight), sure)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
