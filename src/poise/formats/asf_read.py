"""Acclaim skeletons (.asf): bones with axes, DOFs and limits of their own.

A bone's `axis` turns C from the world, in which all directions are given, to the axes of its DOFs.
"XYZ" means first about X: C = Rz Ry Rx, and so for the DOFs, in the order in which they are listed.
The bone turns by C M Cᵀ at its beginning, which is the end of its parent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError
from poise.figure.figure import Figure
from poise.figure.joint import UNLIMITED, Joint, Range, channels
from poise.figure.rotation import from_euler
from poise.figure.segment import Segment, Site
from poise.formats.asf_syntax import AsfFile, Bone, parse_skeleton
from poise.formats.guesses import guess_up
from poise.formats.registry import Loaded
from poise.motion.source import Source
from poise.motion.world import site_positions

Array = NDArray[np.float64]
INCH = 0.0254


def read(path: Path) -> Loaded:
    """The figure of an ASF file, with its limits."""
    file = parse_skeleton(path)
    skeleton = Skeleton(file)
    source = Source(str(path), "asf", skeleton.unit, notes=tuple(file.notes))
    return Loaded(skeleton.figure(path.stem), source)


@dataclass
class Skeleton:
    """What an ASF file says, as a figure; `widened` bones get all three rotations."""

    file: AsfFile
    widened: frozenset[str] = field(default_factory=frozenset)

    @property
    def unit(self) -> float:
        """Metres per unit of the file: lengths are given in 1/length inches."""
        return INCH / self.file.length

    @property
    def bones(self) -> list[Bone]:
        return [
            replace(bone, dofs=_all_rotations(bone), limits=_all_limits(bone))
            if bone.name in self.widened
            else bone
            for bone in self.file.bones
        ]

    def figure(self, name: str) -> Figure:
        ends = {bone.name: self.unit * bone.length * np.array(bone.direction)
                for bone in self.file.bones}  # fmt: skip
        segments, sites = [], []
        for bone in self.bones:
            parent = self.file.parents.get(bone.name)
            offset = self.unit * np.array(bone.position)
            if parent is not None:
                offset = ends[parent]
            segments.append(Segment(bone.name, parent, self._joint(bone), offset))
            if parent is not None:
                sites.append(Site(f"{bone.name}_End", bone.name, ends[bone.name]))
        try:
            figure = Figure(name, segments, sites)
        except FigureError as error:
            raise self.file.text.error(None, str(error), "a skeleton that is one tree") from error
        zero = np.zeros((1, len(figure.dofs)))
        up, _ = guess_up(site_positions(figure, zero, sites)[0], np.zeros((0, 0, 3)))
        return figure if up == "Y" else Figure(name, segments, sites, up)

    def _joint(self, bone: Bone) -> Joint:
        slides = [dof for dof in bone.dofs if dof[0] == "t"]
        turns = [dof for dof in reversed(bone.dofs) if dof[0] == "r"]
        limits = dict(zip(bone.dofs, self._limits(bone), strict=True))
        ordered = [*slides, *turns]
        return channels(
            "".join(dof[1].upper() for dof in turns),
            "".join(dof[1].upper() for dof in slides),
            limits=[limits[dof] for dof in ordered],
            names=ordered,
            rest=[float(np.clip(0.0, *limits[dof])) for dof in ordered],
            frame=self._frame(bone),
        )

    def _frame(self, bone: Bone) -> Array:
        angles = np.array(bone.axis) * self.file.angle
        return from_euler(bone.axis_order[::-1], angles[::-1])

    def _limits(self, bone: Bone) -> Iterator[Range]:
        for dof, (low, high) in zip(bone.dofs, bone.limits, strict=True):
            scale = self.unit if dof[0] == "t" else self.file.angle
            yield low * scale, high * scale

    def columns(self) -> dict[str, list[str]]:
        """The DOFs of every bone in the order of an AMC file's numbers."""
        return {bone.name: list(bone.dofs) for bone in self.bones}


def _all_rotations(bone: Bone) -> list[str]:
    return [dof for dof in bone.dofs if dof[0] == "t"] + ["rx", "ry", "rz"]


def _all_limits(bone: Bone) -> list[Range]:
    known = dict(zip(bone.dofs, bone.limits, strict=True))
    return [known.get(dof, UNLIMITED) for dof in _all_rotations(bone)]
