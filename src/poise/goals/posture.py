"""Posture: stay near a pose, DOF by DOF. P = Σ w (θ - θ_ref)²."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import GoalError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals.goal import Array, Atom, Goal


@dataclass(frozen=True, eq=False)
class Posture(Goal):
    """Stay near `pose`; among the poses that meet the other goals the nearest one wins.

    `weight` counts per rad² (or m²), small against the other goals; `weights` gives single DOFs
    (by name or pattern) another one. A posture is a preference: it is never "not met".
    """

    pose: Pose | ArrayLike
    weights: Mapping[str, float] | None = field(default=None, kw_only=True)
    weight: float = field(default=1e-3, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.name:
            self._set("name", "posture")
        if not isinstance(self.pose, Pose):
            self._set("pose", float_array(self.pose))
        angles = self.pose.angles if isinstance(self.pose, Pose) else np.asarray(self.pose)
        if angles.ndim != 1 or angles.size == 0 or not np.isfinite(angles).all():
            raise GoalError("pose of a Posture goal needs a Pose, or finite angles (dofs,)")
        if not isinstance(self.weights, Mapping | None):
            raise GoalError(
                "weights of a Posture goal need names or patterns of DOFs and a number for each,"
                f" not {self.weights!r}"
            )
        for pattern, weight in (self.weights or {}).items():
            self._number(weight, f"weight of {pattern!r}")

    def atoms(self) -> list[Atom]:
        return []

    def moved(self, target: Pose | ArrayLike) -> Posture:
        return replace(self, pose=target)

    def dof_terms(self, figure: Figure) -> tuple[Array, Array]:
        """Weights and targets (dofs,)."""
        angles = self.pose.angles if isinstance(self.pose, Pose) else np.asarray(self.pose)
        if angles.shape != (len(figure.dofs),):
            raise GoalError(
                f"pose of a Posture goal has {angles.size} angles;"
                f" {figure.name} has {len(figure.dofs)}"
            )
        weights = np.full(angles.size, float(self.weight))
        for pattern, weight in (self.weights or {}).items():
            weights[figure.match_dofs(pattern)] = weight
        return weights, angles
