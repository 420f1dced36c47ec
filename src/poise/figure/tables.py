"""A figure as the flat tables that the kernels read (kernels/layout.py)."""

from __future__ import annotations

import numpy as np

from poise.errors import FigureError
from poise.figure.figure import Figure
from poise.figure.once import once_a_figure
from poise.kernels import layout


@once_a_figure
def figure_sections(figure: Figure) -> dict[int, np.ndarray | int]:
    """The sections of the figure itself and the state that forward kinematics fills."""
    segments, n = figure.segments, len(figure.dofs)
    motions = [motion for segment in segments for motion in segment.joint.motions]
    before = np.array([np.asarray(s.rotation) @ s.joint.frame for s in segments])
    after = np.array([s.joint.frame.T @ np.asarray(s.after_rotation) for s in segments])
    after_offset = np.array([s.after_offset for s in segments])
    has_before = np.abs(before - np.eye(3)).max((1, 2)) > 0
    has_after = (np.abs(after - np.eye(3)).max((1, 2)) > 0) | after_offset.any(1)
    first_dofs = np.cumsum([0] + [len(motion.dofs) for motion in motions])[:-1]
    return {
        layout.SEGMENT_PARENT: np.array(figure.parents),
        layout.SEGMENT_MOTIONS: np.cumsum([0] + [len(s.joint.motions) for s in segments]),
        layout.SEGMENT_DOFS: np.cumsum([0] + [len(s.joint.dofs) for s in segments]),
        layout.SEGMENT_FLAGS: has_before * layout.HAS_BEFORE + has_after * layout.HAS_AFTER,
        layout.MOTION_KIND: np.array([motion.kind for motion in motions], int),
        layout.MOTION_DOF: first_dofs,
        layout.DISC_DOF: np.array([dof for dof, _ in figure.cones], int),
        layout.DISC_PLAIN: np.zeros(len(figure.cones), int),
        layout.SEGMENT_OFFSET: np.array([s.offset for s in segments]),
        layout.SEGMENT_BEFORE: before,
        layout.SEGMENT_AFTER: np.concatenate([after.reshape(-1, 9), after_offset], 1),
        layout.SEGMENT_MASS: _mass_shares(figure),
        layout.MOTION_SIGN: np.array([-1.0 if m.reversed else 1.0 for m in motions]),
        layout.DISC_RADIUS: np.array([radius for _, radius in figure.cones]),
        layout.LOWER: figure.lower,
        layout.UPPER: figure.upper,
        layout.SINES: n,
        layout.COSINES: n,
        layout.FRAMES: 12 * len(segments),
        layout.AXES: 6 * n,
        layout.CHARTS: 12 * len(motions),
    } | figure.relation_tables.sections()


def check_room(figure: Figure) -> None:
    """Raise an error that names the relations if no pose holds them, or none but single points."""
    from poise.kernels.relations import has_room

    ints, floats = layout.pack(figure_sections(figure))
    for k, (dofs, rows) in enumerate(figure.relation_tables.parts):
        angles = np.array([dof.rest for dof in figure.dofs])
        if not has_room(floats, ints, k, angles):
            names = ", ".join(repr(row.name) for row in rows)
            limited = ", ".join(repr(figure.dof_names[d]) for d in dofs)
            raise FigureError(
                f"no pose of {figure.name!r} holds the relations {names} inside the limits of"
                f" {limited}; widen one of them, and write what must be equal as one equality"
            )


def _mass_shares(figure: Figure) -> np.ndarray:
    """(segments, 4) each segment's share of the mass, and its centre; equal shares if massless."""
    masses = np.array([s.mass for s in figure.segments])
    total = masses.sum()
    shares = masses / total if total > 0 else np.full(len(masses), 1.0 / len(masses))
    return np.column_stack([shares, np.array([s.center for s in figure.segments])])
