"""MuJoCo's qpos: one number of a hinge or slide, the quaternion of a ball, and the place and the
quaternion of a free joint; and the same as DOFs of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.rotation import quaternion_matrices
from poise.motion.clip import Clip
from poise.motion.rotations import (
    quaternion_product,
    quaternion_vectors,
    swing_twist_angles,
    vector_quaternions,
)

Array = NDArray[np.float64]

QUATERNION = ("_qw", "_qx", "_qy", "_qz")
PARTS = {"hinge": ("",), "slide": ("",), "ball": QUATERNION,
         "free": ("_tx", "_ty", "_tz", *QUATERNION)}  # fmt: skip
"""What is added to the name of a joint for each of its numbers."""


class QposJoint(NamedTuple):
    """A joint of a model, in the order of qpos."""

    name: str
    kind: str
    limited: bool
    """A ball that is limited has a swing and a twist on the figure, else a rotation vector."""
    rest: tuple[float, ...]
    """Its numbers in the file; they stay where the figure has no such joint."""
    dofs: tuple[str, ...]
    """What it is on the figure."""

    @property
    def names(self) -> list[str]:
        """Of its numbers."""
        return [self.name + part for part in PARTS[self.kind]]

    def numbers(self, clip: Clip) -> Array:
        """(frames, numbers) in all frames."""
        if not self.dofs:
            return np.tile(self.rest, (len(clip), 1))
        values = clip.angles[:, [clip.figure.dof_index(name) for name in self.dofs]]
        if self.kind in ("hinge", "slide"):
            return values
        turns = values[:, -3:]
        turned = vector_quaternions(turns)
        if self.limited:
            swing, twist = turns * [1.0, 1.0, 0.0], turns * [0.0, 0.0, 1.0]
            turned = quaternion_product(vector_quaternions(swing), vector_quaternions(twist))
        return np.concatenate([values[:, :-3], np.where(turned[:, :1] < 0.0, -turned, turned)], 1)


def dof_values(kind: str, numbers: Sequence[float], limited: bool) -> list[float]:
    """What the DOFs of a joint are where it has these numbers."""
    if kind in ("hinge", "slide"):
        return list(numbers)
    turn = np.array(numbers[-4:], float)
    turn /= np.linalg.norm(turn)
    found = swing_twist_angles(quaternion_matrices(turn)) if limited else quaternion_vectors(turn)
    return [*numbers[:-4], *found.tolist()]
