"""DynamicLimit: the range of a DOF depends on what another one is during the solve (HJ).

Meredith & Maddock keep a foot pointing ahead without solving for its orientation by limits of the
hip that follow the pose. Those who can take them (half-jacobian) narrow the range anew at every
iteration; the figure's own limits hold besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from poise.errors import OptionError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.kernels import layout


@dataclass(frozen=True, eq=False)
class DynamicLimit:
    """`dof` stays in a range that depends on the angle of the DOF `on`.

    `ranges` has rows (angle of `on`, lower, upper), ascending; between them the limits are linear,
    beyond them as at the first and last [rad or m]. One row is a range that does not depend.

    >>> DynamicLimit("left_hip_rotation", "left_hip_flexion", [(0.0, -0.4, 0.4), (1.0, -0.1, 0.1)])
    """

    dof: str
    on: str
    ranges: Sequence[tuple[float, float, float]]

    def __post_init__(self) -> None:
        rows = float_array(self.ranges)
        shaped = rows.ndim == 2 and rows.shape[1:] == (3,) and len(rows) > 0
        if not (shaped and np.isfinite(rows).all()):
            raise OptionError(
                f"ranges of the dynamic limit of {self.dof!r} are {self.ranges!r};"
                f" give rows (angle of {self.on!r}, lower, upper) of finite numbers"
            )
        if (np.diff(rows[:, 0]) <= 0).any() or (rows[:, 1] > rows[:, 2]).any():
            raise OptionError(
                f"ranges of the dynamic limit of {self.dof!r} need ascending angles of"
                f" {self.on!r}, and lower <= upper in each row"
            )
        object.__setattr__(self, "ranges", rows)

    def at(self, angle: float) -> tuple[float, float]:
        """(lower, upper) while the other DOF is at `angle`."""
        angles, lower, upper = np.transpose(self.ranges)
        return float(np.interp(angle, angles, lower)), float(np.interp(angle, angles, upper))


def checked_dynamic_limits(
    figure: Figure, limits: Iterable[DynamicLimit]
) -> tuple[DynamicLimit, ...]:
    """The limits, if `figure` has their DOFs; those of swings belong to a cone and are refused."""
    given = tuple(limits) if isinstance(limits, Iterable) else (limits,)
    swings = {figure.dof_names[dof + k] for dof, _ in figure.cones for k in range(2)}
    for limit in given:
        if not isinstance(limit, DynamicLimit):
            raise OptionError(f"{limit!r} is not a poise.DynamicLimit")
        figure.dof_index(limit.dof)
        figure.dof_index(limit.on)
        if limit.dof in swings:
            raise OptionError(
                f"{limit.dof!r} is a swing with a cone; give a dynamic limit to a hinge or a"
                " slide, or narrow the cone with figure.with_cones"
            )
    return given


def dynamic_sections(figure: Figure, limits: Sequence[DynamicLimit]) -> dict[int, np.ndarray | int]:
    """The limits' sections of the arenas (kernels/layout.py)."""
    first = np.cumsum([0] + [len(limit.ranges) for limit in limits])
    rows = [
        (figure.dof_index(limit.dof), figure.dof_index(limit.on), first[i], first[i + 1])
        for i, limit in enumerate(limits)
    ]
    knots = [row for limit in limits for row in limit.ranges]
    return {
        layout.DYNAMIC_LIMIT: np.array(rows, int),
        layout.DYNAMIC_KNOT: np.array(knots, float),
    }
