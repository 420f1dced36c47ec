"""Mirroring left and right.

Let S reflect the world, and let segment s have the mirror image p. In the zero pose their frames
are W_s and W_p, and Q_s = W_sᵀ S W_p takes directions on p to those on s. If every segment of the
mirrored pose is to be turned by S R_p Q_sᵀ, the motions of its joint are P M_p Pᵀ with
P = B_sᵀ Q_parent B_p, where B is what comes before the motions. A turn about the axis a becomes one
by the same angle about -P a, a slide along a one along P a: where the joints of both sides are made
of the same motions, mirroring is a linear map of the DOFs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.figure.figure import Figure
from poise.figure.joint import Motion, MotionKind
from poise.figure.segment import Segment
from poise.motion.joint_values import can_turn_any_way, dof_places, rotation_values
from poise.motion.sides import lateral_axis, partners
from poise.motion.world import joint_rotations, segment_frames

if TYPE_CHECKING:
    from poise.motion.clip import Clip

Array = NDArray[np.float64]

EXACT = 1e-6
"""Axes that are mirror images but for this much are taken as such."""
ALIKE = 0.95
"""The cosine up to which the axes of a joint with too few DOFs to make up for it may differ."""


def mirrored(clip: Clip, pairs: Mapping[str, str] | None) -> Clip:
    """See `Clip.mirrored`."""
    mirror = _Mirror(clip.figure, partners(clip.figure, pairs))
    return clip._with(angles=mirror.applied(clip.angles))


@dataclass
class _Mirror:
    figure: Figure
    images: list[int]

    def __post_init__(self) -> None:
        self.reflection = np.eye(3)
        axis = lateral_axis(self.figure, self.images)
        self.reflection[axis, axis] = -1.0
        rotations, _ = segment_frames(self.figure, np.zeros((1, len(self.figure.dofs))))
        zero = rotations[0]
        swapped = zero[self.images]
        self.frame_maps = np.swapaxes(zero, 1, 2) @ self.reflection @ swapped
        self.first = np.cumsum([0] + [len(s.joint.dofs) for s in self.figure.segments])

    def applied(self, angles: Array) -> Array:
        """(frames, dofs) the DOFs of the mirrored poses."""
        result = np.empty_like(angles)
        turned = None
        for s, p in enumerate(self.images):
            mine = slice(self.first[s], self.first[s + 1])
            theirs = angles[:, self.first[p] : self.first[p + 1]]
            mapping = self._linear(s, p)
            if mapping is not None:
                result[:, mine] = theirs @ mapping.T + self._shift(s, p)
                continue
            if turned is None:
                turned = joint_rotations(self.figure, angles)
            result[:, mine] = self._decomposed(s, p, theirs, turned[:, p])
        return result

    def _linear(self, s: int, p: int) -> Array | None:
        """The map (dofs, dofs) from the DOFs of p to those of s, if there is one."""
        mine, theirs = (self.figure.segments[i].joint.motions for i in (s, p))
        if [_shape(m) for m in mine] != [_shape(m) for m in theirs]:
            return None
        between = self._joint_map(s, p)
        slack = EXACT if can_turn_any_way(self.figure.segments[s].joint) else 1.0 - ALIKE
        blocks = [_block(a, b, between, slack) for a, b in zip(mine, theirs, strict=True)]
        if any(block is None for block in blocks):
            return None
        size = sum(len(m.dofs) for m in mine)
        mapping, at = np.zeros((size, size)), 0
        for block in blocks:
            assert block is not None
            mapping[at : at + len(block), at : at + len(block)] = block
            at += len(block)
        return mapping

    def _joint_map(self, s: int, p: int) -> Array:
        """P: what takes directions in the joint's frame of p to those in the frame of s."""
        mine, theirs = self.figure.segments[s], self.figure.segments[p]
        parent = self.figure.parents[s]
        outer = self.reflection if parent < 0 else self.frame_maps[parent]
        return _before(mine).T @ outer @ _before(theirs)

    def _shift(self, s: int, p: int) -> Array:
        """What the slides of a root that is not in the middle at zero make up for."""
        segment = self.figure.segments[s]
        shift = np.zeros(len(segment.joint.dofs))
        offset = np.asarray(segment.offset)
        if self.figure.parents[s] < 0 and s == p and offset.any():
            lack = _before(segment).T @ (self.reflection @ offset - offset)
            axes = [
                _axis(m) if m.kind.is_translation else np.zeros(3)
                for m in segment.joint.motions
                for _ in m.dofs
            ]
            shift = np.array(axes) @ lack
        return shift

    def _decomposed(self, s: int, p: int, theirs: Array, turned: Array) -> Array:
        """The DOFs of s where its joint is made of other motions than that of p."""
        mine = self.figure.segments[s]
        other = self.figure.segments[p]
        slides, turning = dof_places(mine.joint)
        if slides or dof_places(other.joint)[0] or not can_turn_any_way(mine.joint):
            raise MotionError(
                f"the joints of {mine.name!r} and {other.name!r} are not mirror images of each"
                " other, and one of them cannot follow the other; give both the same DOFs"
            )
        between = self._joint_map(s, p)
        values = np.zeros((len(theirs), len(mine.joint.dofs)))
        values[:, turning] = rotation_values(mine.joint, between @ turned @ between.T)
        return values


def _before(segment: Segment) -> Array:
    return np.asarray(segment.rotation) @ segment.joint.frame


def _shape(motion: Motion) -> str:
    """Motions of the same shape may be mirror images: about whichever axis, decides the map."""
    if motion.kind.is_translation:
        return "slide"
    return "turn" if motion.kind <= MotionKind.ROTATE_Z else motion.kind.name


def _axis(motion: Motion) -> Array:
    sign = -1.0 if motion.reversed else 1.0
    return sign * np.eye(3)[motion.kind % 3]


def _block(mine: Motion, theirs: Motion, between: Array, slack: float) -> Array | None:
    """How the DOFs of one motion follow from those of its mirror image, or None."""
    if len(mine.dofs) == 1:
        image = between @ _axis(theirs)
        along = float(_axis(mine) @ (image if mine.kind.is_translation else -image))
        if abs(along) < 1.0 - slack:
            return None
        return np.array([[np.sign(along)]])
    size = len(mine.dofs)
    signs = (-1.0 if mine.reversed else 1.0) * (-1.0 if theirs.reversed else 1.0)
    block = -signs * between[:size, :size]
    if np.abs(block @ block.T - np.eye(size)).max() > EXACT:
        return None
    return block
