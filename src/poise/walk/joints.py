"""The joints of a body: the DOFs that turn a segment, about which axes, and where.

In most figures a segment has them all; robots have a link for every axis.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.figure.pose import Pose
from poise.motion.roles import Body, stack
from poise.motion.segments import segment_origin
from poise.motion.world import segment_frames

Array = NDArray[np.float64]


def links_of(body: Body, segment: str) -> list[str]:
    """A segment, and before it the links that turn for it."""
    return stack(body.figure, segment, set(body.roles.values()))[::-1]


def axes_of(body: Body, segment: str) -> dict[int, Array]:
    """The DOFs that turn a segment with their axes in the world at rest."""
    figure, small = body.figure, 1e-5
    dofs = [
        figure.dof_index(name)
        for link in links_of(body, segment)
        for name in figure.segments[figure.segment_index(link)].dof_names
        if figure.dofs[figure.dof_index(name)].kind == "rotation"
    ]
    angles = np.tile(figure.rest().angles, (len(dofs) + 1, 1))
    for i, dof in enumerate(dofs):
        angles[i + 1, dof] += small
    turned = segment_frames(figure, angles)[0][:, figure.segment_index(segment)]
    found = {}
    for i, dof in enumerate(dofs):
        rate = (turned[i + 1] @ turned[0].T - np.eye(3)) / small
        found[dof] = np.array([rate[2, 1], rate[0, 2], rate[1, 0]])
    return found


def pivot(body: Body, rest: Pose, segment: str, left: Array) -> Array:
    """Where a segment turns about the axis to the left: on the link that does [m]."""
    axes = axes_of(body, segment)
    if not axes:
        return segment_origin(rest, segment)
    bends = max(axes, key=lambda dof: abs(axes[dof] @ left))
    name = body.figure.dof_names[bends]
    link = next(s.name for s in body.figure.segments if name in s.dof_names)
    return segment_origin(rest, link)
