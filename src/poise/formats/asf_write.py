"""Figures and clips to Acclaim files: a skeleton (.asf) and values for its bones (.amc).

A bone begins where its parent ends, so a segment that begins elsewhere gets a bone without DOFs
that leads there. Joints that are Euler angles keep their DOFs and limits; others turn by three
Euler angles without limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError
from poise.figure.figure import Figure
from poise.figure.joint import UNLIMITED, Joint, MotionKind, Range
from poise.figure.pose import Pose
from poise.formats.asf_read import INCH
from poise.formats.asf_syntax import ROOT
from poise.formats.names import distinct
from poise.motion.clip import Clip
from poise.motion.equivalent import Group
from poise.motion.rotations import euler_angles
from poise.motion.segments import site_point
from poise.motion.world import segment_frames

Array = NDArray[np.float64]
DEGREE = np.pi / 180.0
USUAL_LENGTH = 0.45
"""Units per inch of the CMU recordings."""
PLAIN = "ZYX"
"""The product of the rotations of a joint that is no Euler angles; listed as rx ry rz."""


@dataclass
class Bone:
    """A segment as a bone, or a bone without DOFs that leads to one."""

    name: str
    parent: str
    end: Array
    """From its beginning to its end, in the world where all DOFs are 0 [m]."""
    frame: Array
    """(3, 3) the axes of its DOFs there."""
    dofs: list[str]
    limits: list[Range]
    segment: int = -1
    euler: bool = True
    """Whether its DOFs are those of the segment."""


class Bones:
    """A figure as bones, the root first."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        zero = Pose(figure, np.zeros(len(figure.dofs)))
        self.rotations, origins = zero.frames
        afters = np.array([s.after_offset for s in figure.segments], float)
        self.pivots = origins - np.einsum("sij,sj->si", self.rotations, afters)
        self.zero = zero
        plain = ["_".join(name.split()).replace("#", "_") for name in figure.segment_names[1:]]
        self.names = [ROOT, *distinct(plain, [ROOT])]
        self.bones: list[Bone] = []
        for s in range(len(figure.segments)):
            self._add(s)

    def _add(self, s: int) -> None:
        segment, parent = self.figure.segments[s], self.figure.parents[s]
        above = self.rotations[parent] if parent >= 0 else np.eye(3)
        frame = above @ np.asarray(segment.rotation) @ segment.joint.frame
        dofs, limits, euler = _dofs(segment.name, segment.joint)
        start = self.names[parent] if parent >= 0 else ""
        if parent >= 0:
            gap = self.pivots[s] - self.pivots[parent] - self._end(parent)
            if np.linalg.norm(gap) > 1e-9:
                taken = [bone.name for bone in self.bones] + self.names
                start = distinct([f"{self.names[s]}_base"], taken)[0]
                self.bones.append(Bone(start, self.names[parent], gap, np.eye(3), [], []))
        self.bones.append(Bone(self.names[s], start, self._end(s), frame, dofs, limits, s, euler))

    def _end(self, s: int) -> Array:
        """Where a bone ends: at its own "…_End", where the first on it begins, or at a site."""
        figure, name = self.figure, self.figure.segment_names[s]
        if s == 0:
            return np.zeros(3)
        sites = [site for site in figure.sites if site.segment == name]
        told = [site for site in sites if site.name == f"{name}_End"]
        below = [k for k, parent in enumerate(figure.parents) if parent == s]
        if not told and below:
            return self.pivots[below[0]] - self.pivots[s]
        ends = told or sites
        return site_point(self.zero, ends[0]) - self.pivots[s] if ends else np.zeros(3)

    def values(self, clip: Clip) -> dict[str, Array]:
        """By bone with DOFs, (frames, DOFs) in the order of its DOFs [m, rad]."""
        rotations, _ = segment_frames(clip.figure, clip.angles)
        found = {}
        for bone in self.bones:
            if not bone.dofs:
                continue
            joint = self.figure.segments[bone.segment].joint
            first = self.figure.dof_index(self.figure.segments[bone.segment].dof_names[0])
            own = clip.angles[:, first : first + len(joint.dofs)]
            slides = sum(dof[0] == "t" for dof in bone.dofs)
            turns = own[:, slides:] if bone.euler else self._turns(bone, rotations)
            found[bone.name] = np.concatenate([own[:, :slides], turns[:, ::-1]], 1)
        return found

    def _turns(self, bone: Bone, rotations: Array) -> Array:
        s, parent = bone.segment, self.figure.parents[bone.segment]
        now = rotations[:, s] @ self.rotations[s].T
        if parent >= 0:
            above = rotations[:, parent] @ self.rotations[parent].T
            now = np.swapaxes(above, 1, 2) @ now
        angles = euler_angles(PLAIN, bone.frame.T @ now @ bone.frame)
        return Group("euler", slice(0, 3)).unwrapped(angles)


def skeleton_text(bones: Bones, unit: float, name: str) -> str:
    """The .asf file; `unit` in metres."""
    root, *others = bones.bones
    lines = [
        ":version 1.10", f":name {'_'.join(name.split()) or 'figure'}", ":units", "  mass 1.0",
        f"  length {_number(INCH / unit)}", "  angle deg", ":documentation", "  written by Poise",
        ":root", f"  order {' '.join(root.dofs).upper()}", "  axis XYZ",
        f"  position {_numbers(bones.pivots[0] / unit)}",
        f"  orientation {_numbers(_axis(root.frame))}", ":bonedata",
    ]  # fmt: skip
    for number, bone in enumerate(others, 1):
        length = float(np.linalg.norm(bone.end))
        direction = bone.end / length if length > 0.0 else np.array([0.0, 1.0, 0.0])
        lines += [
            "  begin", f"    id {number}", f"    name {bone.name}",
            f"    direction {_numbers(direction)}", f"    length {_number(length / unit)}",
            f"    axis {_numbers(_axis(bone.frame))} XYZ",
        ]  # fmt: skip
        if bone.dofs:
            limits = zip(bone.dofs, bone.limits, strict=True)
            pairs = [_pair(limit, unit if dof[0] == "t" else DEGREE) for dof, limit in limits]
            lines += [f"    dof {' '.join(bone.dofs)}", f"    limits {' '.join(pairs)}"]
        lines.append("  end")
    lines += [":hierarchy", "  begin"]
    for bone in bones.bones:
        below = [other.name for other in others if other.parent == bone.name]
        if below:
            lines.append(f"    {bone.name} {' '.join(below)}")
    return "\n".join([*lines, "  end"]) + "\n"


def _dofs(name: str, joint: Joint) -> tuple[list[str], list[Range], bool]:
    """What an AMC file lists of a joint, its limits, and whether that is what the joint has."""
    slides = [m for m in joint.motions if m.kind.is_translation]
    turns = [m for m in joint.motions if not m.kind.is_translation]
    if list(joint.motions) != slides + turns or any(m.reversed for m in slides):
        raise FileError(
            f"joint {name!r} slides after it turns, or backwards; an .asf file cannot hold that:"
            " save a .bvh or .glb file"
        )
    listed = [f"t{'xyz'[m.kind % 3]}" for m in slides]
    limits = [(m.dofs[0].lower, m.dofs[0].upper) for m in slides]
    if not turns:
        return listed, limits, True
    letters = ["xyz"[m.kind % 3] for m in turns]
    simple = all(m.kind <= MotionKind.ROTATE_Z and not m.reversed for m in turns)
    if not simple or len(set(letters)) < len(letters):
        return [*listed, "rx", "ry", "rz"], [*limits, *[UNLIMITED] * 3], False
    limits += [(m.dofs[0].lower, m.dofs[0].upper) for m in reversed(turns)]
    return [*listed, *(f"r{letter}" for letter in reversed(letters))], limits, True


def _axis(frame: Array) -> Array:
    """[°] the angles about X, Y and Z, in this order, that make a frame."""
    return np.degrees(euler_angles(PLAIN, frame[None])[0, ::-1])


def _pair(limits: Range, scale: float) -> str:
    return "(" + " ".join(limit_text(value, scale) for value in limits) + ")"


def limit_text(value: float, scale: float) -> str:
    """A limit in file units: the shortest number that is read back as the same, if one is."""
    if np.isinf(value):
        return "inf" if value > 0 else "-inf"
    exact = value / scale
    for digits in (3, 6, 9, 12, 15):
        short = round(exact, digits)
        if short * scale == value:
            return _number(short)
    return _number(exact)


def _numbers(values: Array) -> str:
    return " ".join(_number(value) for value in values.tolist())


def _number(value: float) -> str:
    rounded = round(float(value), 15)
    return repr(0.0 if rounded == 0.0 else rounded)
