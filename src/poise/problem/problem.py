"""The Problem: a figure and goals, flattened into the tables that the kernels read.

It can be looked at unsolved: value, gradient, residuals, Jacobian and errors at any pose.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import FigureError, GoalError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.figure.pose import Pose
from poise.figure.tables import figure_sections
from poise.goals import Custom, Goal
from poise.kernels import derivatives, layout, rows
from poise.kernels import hessian as hessians
from poise.problem.dynamic_limit import (
    DynamicLimit,
    checked_dynamic_limits,
    dynamic_sections,
)
from poise.problem.given import checked_goals, distinct_names
from poise.problem.goal_rows import GoalRows
from poise.problem.goal_table import GoalTable
from poise.problem.levels import checked_levels
from poise.problem.metric import characteristic_length, mobility
from poise.problem.tolerance import Tolerance

Array = NDArray[np.float64]


class GoalErrors(NamedTuple):
    """How far a goal is from being met."""

    position: float
    """[m]"""
    angle: float
    """[rad]"""


class Problem:
    """minimise f(θ) = Σ wₖ Pₖ(eₖ(θ)) over the poses of `figure` inside its limits.

    `weight_matrix` is PLS's W: symmetric positive definite over all residual rows, f = eᵀWe, where
    e is already scaled by the goals' own weights. `dynamic_limits` narrow a DOF's range by what
    another DOF is at the moment.
    """

    def __init__(
        self,
        figure: Figure,
        goals: Goal | Sequence[Goal],
        *,
        tolerance: Tolerance | float = 1e-3,
        weight_matrix: ArrayLike | None = None,
        dynamic_limits: Sequence[DynamicLimit] = (),
    ) -> None:
        given = checked_goals(goals)
        if not given:
            raise GoalError(
                "a problem needs at least one goal, e.g. poise.Position('left_hand', (x, y, z))"
            )
        tolerance = Tolerance.of(tolerance)
        rows = [GoalRows(figure, goal) for goal in given]
        self._fill(figure, rows, tolerance, weight_matrix, dynamic_limits)

    @classmethod
    def of(
        cls,
        figure: Figure,
        goal_rows: Sequence[GoalRows],
        tolerance: Tolerance,
        weight_matrix: ArrayLike | None = None,
        dynamic_limits: Sequence[DynamicLimit] = (),
    ) -> Problem:
        """A problem of goals whose rows are made already. It may have none."""
        made = cls.__new__(cls)
        made._fill(figure, goal_rows, tolerance, weight_matrix, dynamic_limits)
        return made

    def _fill(
        self,
        figure: Figure,
        goal_rows: Sequence[GoalRows],
        tolerance: Tolerance,
        weight_matrix: ArrayLike | None,
        dynamic_limits: Sequence[DynamicLimit],
    ) -> None:
        self.figure = figure
        self.table = GoalTable(figure, goal_rows)
        self.goals = self.table.goals
        self.tolerance = tolerance
        self.goal_names = distinct_names(self.goals)
        self.levels = checked_levels(self.goals)
        self.row_count = self.table.row_count
        self._weight_factor = _factor(weight_matrix, self.row_count)
        if self._weight_factor.size:
            self.table.check_weight_matrix()
            if self.level_count > 1:
                raise GoalError(
                    "weight_matrix weighs all goals against each other, and levels do not;"
                    " put all goals on one level, or give them weights of their own"
                )
        self.mobility = mobility(figure, goal_rows)
        self.dynamic_limits = checked_dynamic_limits(figure, dynamic_limits)
        self._arenas: tuple[np.ndarray, np.ndarray] | None = None

    def __repr__(self) -> str:
        names = ", ".join(self.goal_names)
        return f"<Problem: {self.figure.name}, {self.row_count} rows, goals {names}>"

    @property
    def level_count(self) -> int:
        return max(self.levels, default=1)

    @property
    def custom_names(self) -> list[str]:
        """The names of the goals that the user wrote."""
        named = zip(self.goal_names, self.goals, strict=True)
        return [name for name, goal in named if isinstance(goal, Custom)]

    @property
    def has_weight_matrix(self) -> bool:
        return self._weight_factor.size > 0

    @property
    def characteristic_length(self) -> float:
        """The figure's size [m]: 1 rad counts as so much."""
        return characteristic_length(self.figure)

    def with_goal(self, k: int, goal: Goal) -> Problem:
        """The same problem with goal `k` moved or re-weighted: of the same kind, name and chain."""
        made = copy.copy(self)
        goal_rows = list(self.table.goal_rows)
        goal_rows[k] = goal_rows[k].changed(self.figure, goal)
        made.table = GoalTable(self.figure, goal_rows)
        made.goals = made.table.goals
        made._arenas = None
        return made

    def sections(self) -> dict[int, np.ndarray | int]:
        """The tables of figure and goals, for `layout.pack`; methods add their own scratch."""
        figure, n = self.figure, len(self.figure.dofs)
        half_range, spread = _restart_ranges(figure)
        goals = self.table.sections(self.has_weight_matrix)
        return (
            figure_sections(figure)
            | goals
            | {
                layout.GOAL_TOLERANCE: np.tile(self.tolerance, len(self.table.atoms)),
                layout.MOBILITY: self.mobility,
                layout.MIDDLE: figure.middle_angles,
                layout.HALF_RANGE: np.where(self.mobility > 0, half_range, 0.0),
                layout.SPREAD: np.where(self.mobility > 0, spread, 0.0),
                layout.WEIGHT_FACTOR: self._weight_factor,
                layout.ROW_SHIFT: self.row_count if self.level_count > 1 else 0,
                layout.ROWS: self.row_count,
                layout.WRENCHES: 6 * len(figure.segments),
                layout.GRADIENT: n,
                layout.JACOBIAN: self.row_count * n,
            }
            | dynamic_sections(figure, self.dynamic_limits)
        )

    def value(self, pose: Pose | ArrayLike) -> float:
        """f at a pose."""
        return self._evaluated(pose)[2]

    def residuals(self, pose: Pose | ArrayLike) -> Array:
        """The rows e (rows,) with f = e·e."""
        ints, floats, _ = self._evaluated(pose)
        return layout.floats_at(floats, ints, layout.ROWS).copy()

    def gradient(self, pose: Pose | ArrayLike) -> Array:
        """∇f (dofs,), by force and moment sums up the tree."""
        ints, floats, _ = self._evaluated(pose)
        result = np.empty(len(self.figure.dofs))
        residuals = layout.floats_at(floats, ints, layout.ROWS)
        custom = layout.floats_at(floats, ints, layout.CUSTOM)
        derivatives.gradient(floats, ints, self._angles(pose).copy(), residuals, custom, result)
        return result

    def jacobian(self, pose: Pose | ArrayLike) -> Array:
        """∂e/∂θ (rows, dofs)."""
        ints, floats, _ = self._evaluated(pose)
        derivatives.jacobian(floats, ints)
        matrix = layout.floats_at(floats, ints, layout.JACOBIAN)
        return matrix.reshape(self.row_count, len(self.figure.dofs)).copy()

    def hessian(self, pose: Pose | ArrayLike) -> Array:
        """∇²f (dofs, dofs), exact; that of `Custom` goals by differences of their gradients."""
        n = len(self.figure.dofs)
        extra = {
            layout.ANGLES: self._angles(pose),
            layout.COMPOSITES: hessians.COMPOSITE_SIZE * len(self.figure.segments),
            layout.HESSIAN: n * n,
            layout.STEP: n,
        }
        ints, floats = layout.pack(self.sections() | extra)
        angles = layout.floats_at(floats, ints, layout.ANGLES)
        rows.evaluate(floats, ints, angles, layout.floats_at(floats, ints, layout.ROWS))
        derivatives.jacobian(floats, ints)
        hessians.hessian(floats, ints, True)
        lower = np.tril(layout.floats_at(floats, ints, layout.HESSIAN).reshape(n, n))
        matrix = 2.0 * (lower + np.tril(lower, -1).T)
        custom = self.table.custom
        return matrix + custom.curvature(self._angles(pose)) if custom.size else matrix

    def errors(self, pose: Pose | ArrayLike) -> dict[str, GoalErrors]:
        """How far each goal is from being met, by name."""
        ints, floats, _ = self._evaluated(pose)
        table = layout.floats_at(floats, ints, layout.GOAL_ERRORS).reshape(-1, 2)
        return self.errors_by_name(table)

    def errors_by_name(self, table: Array) -> dict[str, GoalErrors]:
        """The worst of each goal's atoms (atoms, 2), by the goal's name."""
        return {
            name: GoalErrors(*map(float, table[atoms].max(0)))
            for name, atoms in zip(self.goal_names, self.table.ranges, strict=True)
            if atoms.stop > atoms.start
        }

    def _evaluated(self, pose: Pose | ArrayLike) -> tuple[np.ndarray, np.ndarray, float]:
        angles = self._angles(pose).copy()
        if self._arenas is None:
            self._arenas = layout.pack(self.sections())
        ints, floats = self._arenas[0].copy(), self._arenas[1].copy()
        value, _ = rows.evaluate(floats, ints, angles, layout.floats_at(floats, ints, layout.ROWS))
        if self.table.custom.size:
            custom = layout.floats_at(floats, ints, layout.CUSTOM)
            self.table.custom.write(angles, custom)
            value += custom[layout.CUSTOM_SUM]
        return ints, floats, float(value)

    def _angles(self, pose: Pose | ArrayLike) -> Array:
        if not isinstance(pose, Pose):
            return self.figure.pose(pose).angles
        if pose.figure is not self.figure and pose.figure.dof_names != self.figure.dof_names:
            raise FigureError(
                f"the pose is one of {pose.figure.name!r}, not of {self.figure.name!r};"
                " give a pose of the same figure"
            )
        return pose.angles


@once_a_figure
def _restart_ranges(figure: Figure) -> tuple[Array, Array]:
    """(dofs,) how far restarts spread DOFs: half the range of those with two limits, half a turn
    for hinges without; roots and slides keep their place."""
    with np.errstate(invalid="ignore"):
        half_range = 0.5 * (figure.upper - figure.lower)
    half_range = np.where(np.isfinite(half_range), half_range, 0.0)
    hinge = [
        len(motion.dofs) == 1 and not motion.kind.is_translation
        for segment in figure.segments
        for motion in segment.joint.motions
        for _ in motion.dofs
    ]
    free = np.array(hinge, bool) & (half_range == 0) & np.isinf(figure.upper - figure.lower)
    return half_range, np.where(free, np.pi, 0.0)


def _factor(weight_matrix: ArrayLike | None, count: int) -> Array:
    if weight_matrix is None:
        return np.empty(0)
    matrix = float_array(weight_matrix)
    if matrix.shape != (count, count):
        raise GoalError(
            f"weight_matrix has shape {matrix.shape}; the goals have {count} rows:"
            f" give ({count}, {count})"
        )
    if (
        not np.isfinite(matrix).all()
        or np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max()
    ):
        raise GoalError("weight_matrix needs finite entries and symmetry: W[i, j] == W[j, i]")
    try:
        return np.asarray(np.linalg.cholesky(matrix), np.float64)
    except np.linalg.LinAlgError:
        raise GoalError(
            "weight_matrix is not positive definite: all its eigenvalues must be above 0"
        ) from None
