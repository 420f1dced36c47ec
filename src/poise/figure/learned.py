"""Limits learned from a motion: what it uses, and a margin."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.errors import FigureError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.joint import MotionKind

CONES = 1e-6, np.pi - 1e-6
"""A cone is open, but not all the way round [rad]."""


def learned_limits(figure: Figure, motion: Any, margin: float, translation_margin: float) -> Figure:
    """See `Figure.with_limits_from`."""
    angles = float_array(getattr(motion, "angles", motion))
    if angles.ndim != 2 or angles.shape[1] != len(figure.dofs) or not len(angles):
        raise FigureError(
            f"limits of {figure.name} need a clip or an array (frames, {len(figure.dofs)}) with at"
            f" least one frame, not one of shape {angles.shape}"
        )
    if not np.isfinite(angles).all():
        raise FigureError("limits cannot be learned from angles that are not finite")
    for name, value in (("margin", margin), ("translation_margin", translation_margin)):
        if not (np.isfinite(value) and value >= 0.0):
            raise FigureError(f"{name}={value!r}: give 0 or more [rad or m]")
    lowest, highest = angles.min(0), angles.max(0)
    limits: dict[str, tuple[float, float]] = {}
    cones: dict[str, float] = {}
    first = 0
    for segment in figure.segments:
        for motion_ in segment.joint.motions:
            dofs = range(first, first + len(motion_.dofs))
            first += len(dofs)
            if segment.parent is None or motion_.kind == MotionKind.ROTATION_VECTOR:
                continue
            if motion_.kind == MotionKind.SWING:
                widest = float(np.hypot(*angles[:, dofs].T).max())
                cones[figure.dof_names[dofs[0]]] = float(np.clip(widest + margin, *CONES))
            room = translation_margin if motion_.kind.is_translation else margin
            for dof in dofs:
                pair = float(lowest[dof] - room), float(highest[dof] + room)
                if not motion_.kind.is_translation and pair[1] - pair[0] >= 2.0 * np.pi:
                    pair = -np.inf, np.inf
                limits[figure.dof_names[dof]] = pair
    return figure.with_cones(cones).with_limits(limits) if cones else figure.with_limits(limits)
