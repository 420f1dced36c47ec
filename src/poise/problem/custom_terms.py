"""The goals that users wrote, summed up in the form that the kernels read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Custom
from poise.kernels import layout

Array = NDArray[np.float64]

_STEP = 1e-3  # of differences [rad or m]


class CustomTerms:
    """Σ w P over the goals that users wrote, and its gradient, at any pose."""

    def __init__(self, figure: Figure, goals: Sequence[Custom]) -> None:
        self.figure = figure
        self.goals = list(goals)
        count = len(self.goals)
        self.size = layout.CUSTOM_GRADIENT + len(figure.dofs) + count if count else 0
        """The length of the sections CUSTOM, CUSTOM_TRIAL and CUSTOM_BEST."""

    def write(self, angles: Array, row: Array) -> None:
        """Call all functions at `angles`, then fill `row` (size,); nothing if one of them fails."""
        pose = Pose(self.figure, angles)
        answers = [goal.evaluated(pose) for goal in self.goals]
        end = row.size - len(answers)
        row[:end] = 0.0
        for k, (goal, (value, gradient)) in enumerate(zip(self.goals, answers, strict=True)):
            row[layout.CUSTOM_SUM] += goal.weight * value
            row[layout.CUSTOM_GRADIENT : end] += goal.weight * gradient
            row[end + k] = value
            if goal.met_below is None:
                row[layout.CUSTOM_PREFERENCE] = 1.0
            else:
                row[layout.CUSTOM_WORST] = max(row[layout.CUSTOM_WORST], value / goal.met_below)

    def values(self, row: Array) -> Array:
        """The single values P (goals,) in a row."""
        return row[row.size - len(self.goals) :]

    def curvature(self, angles: Array) -> Array:
        """∇² Σ w P (dofs, dofs), by central differences of the gradients, of fourth order."""
        n, first = angles.size, layout.CUSTOM_GRADIENT
        row, columns = np.zeros(self.size), np.zeros((n, n))
        for d in range(n):
            for steps, factor in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
                moved = angles.copy()
                moved[d] += steps * _STEP
                self.write(moved, row)
                columns[d] += factor / (12.0 * _STEP) * row[first : first + n]
        return 0.5 * (columns + columns.T)
