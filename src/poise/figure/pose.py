"""A Pose: the values of all DOFs of a figure, and where that puts its segments and sites."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import FigureError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.figure.rotation import to_quaternion
from poise.figure.segment import vector3
from poise.figure.tables import figure_sections
from poise.kernels import layout
from poise.kernels.forward import forward

Array = NDArray[np.float64]


class Pose:
    """Angles [rad] and translations [m] on a figure. A value: `angles` is read-only."""

    def __init__(self, figure: Figure, angles: ArrayLike) -> None:
        values = float_array(angles)
        if values.shape != (len(figure.dofs),):
            raise FigureError(
                f"a pose of {figure.name} needs {len(figure.dofs)} values (figure.dof_names),"
                f" not an array of shape {values.shape}"
            )
        if not np.isfinite(values).all():
            bad = figure.dof_names[int(np.flatnonzero(~np.isfinite(values))[0])]
            raise FigureError(f"DOF {bad!r} of the pose is not finite; give a number [rad or m]")
        self.figure = figure
        self.angles = values

    def __repr__(self) -> str:
        return f"<Pose of {self.figure.name}: {self.angles.size} DOFs>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return self.figure is other.figure and np.array_equal(self.angles, other.angles)

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, dof: str) -> float:
        """The value of one DOF by name [rad or m]."""
        return float(self.angles[self.figure.dof_index(dof)])

    def with_angles(self, angles: Mapping[str, float]) -> Pose:
        """A copy with some DOFs set by name."""
        values = self.angles.copy()
        for name, value in angles.items():
            number = float_array(value)
            values[self.figure.dof_index(name)] = number if number.shape == () else np.nan
        return Pose(self.figure, values)

    def on(self, figure: Figure) -> Pose:
        """The same pose on another rooting of the figure (`Figure.rerooted`)."""
        from poise.figure.reroot import carried_over

        return carried_over(self, figure)

    def clamped(self) -> Pose:
        """The nearest pose inside all limits: boxes, cones, joint groups and linear relations."""
        from poise.kernels.limits import bring_inside

        ints, floats = pack_figure(self.figure)
        values = self.angles.copy()
        bring_inside(floats, ints, values)
        return Pose(self.figure, values)

    @property
    def is_inside_limits(self) -> bool:
        """Whether all limits hold, exactly: boxes, cones, joint groups and linear relations."""
        return np.array_equal(self.clamped().angles, self.angles)

    def position(self, name: str, offset: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """World position [m] of a site or segment, or of a point `offset` in its frame."""
        rotation, origin = self._frame(name)
        return origin + rotation @ vector3(offset, "offset")

    def rotation(self, name: str) -> Array:
        """World rotation (3x3) of a site or segment."""
        return self._frame(name)[0]

    def quaternion(self, name: str) -> Array:
        """World rotation as a quaternion (w, x, y, z), w >= 0."""
        return to_quaternion(self.rotation(name))

    def transform(self, name: str) -> Array:
        """World transform (4x4) of a site or segment."""
        rotation, origin = self._frame(name)
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = rotation, origin
        return matrix

    @cached_property
    def frames(self) -> tuple[Array, Array]:
        """Rotations (segments, 3, 3) and origins (segments, 3) of all segments in the world."""
        ints, floats = pack_figure(self.figure)
        forward(floats, ints, self.angles.copy())
        table = layout.floats_at(floats, ints, layout.FRAMES).reshape(-1, 12)
        return float_array(table[:, :9].reshape(-1, 3, 3)), float_array(table[:, 9:])

    def _frame(self, name: str) -> tuple[Array, Array]:
        site = self.figure.effector(name)
        rotations, origins = self.frames
        s = self.figure.segment_index(site.segment)
        return rotations[s] @ site.rotation, origins[s] + rotations[s] @ site.offset


def pack_figure(figure: Figure) -> tuple[np.ndarray, np.ndarray]:
    """Private arenas with only the figure in them; the packing is done once a figure."""
    ints, floats = _packed(figure)
    return ints.copy(), floats.copy()


@once_a_figure
def _packed(figure: Figure) -> tuple[np.ndarray, np.ndarray]:
    return layout.pack(figure_sections(figure))
