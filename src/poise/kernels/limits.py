"""Projection onto the limits: boxes by clamping, swing cones radially, exact to the last bit;
linear relations by a small quadratic programme; and followers of joint groups from their leaders.
"""

import math

from poise.kernels.compiled import entry, exact_kernel, kernel
from poise.kernels.groups import follow, gather
from poise.kernels.layout import (
    DISC_DOF,
    DISC_RADIUS,
    FOLLOWER_DOF,
    LOWER,
    MOBILITY,
    PART_FIRST,
    UPPER,
    floats_at,
    ints_at,
)
from poise.kernels.relations import project_relations


@exact_kernel
def inside_disc(x, y, radius):
    """Whether (x, y) lies in the disc: the one test that solvers, poses and files share."""
    return x * x + y * y <= radius * radius


@exact_kernel
def project_disc(x, y, radius):
    """The nearest point of the disc; the result passes `inside_disc` exactly."""
    if inside_disc(x, y, radius):
        return x, y
    scale = radius / math.sqrt(x * x + y * y)
    px, py = x * scale, y * scale
    while not inside_disc(px, py, radius):
        scale *= 1.0 - 1.2e-16
        px, py = x * scale, y * scale
    return px, py


@exact_kernel
def project_chord(fixed, value, radius):
    """The nearest `value` with which (fixed, value) is in the disc; 0 if there is none."""
    if inside_disc(fixed, value, radius):
        return value
    length = math.sqrt(max(0.0, radius * radius - fixed * fixed))
    while length > 0.0 and not inside_disc(fixed, length, radius):
        length *= 1.0 - 1.2e-16
    return length if value > 0.0 else -length


@kernel
def project(floats, ints, angles):
    """Move `angles` to the nearest point inside all limits (PLS eq. 40). Returns the DOFs moved.

    Followers are set from their leaders, and DOFs that are frozen in a problem stay, except where
    they are outside their box.
    """
    return move_inside(floats, ints, angles, False)


@entry
def bring_inside(floats, ints, angles):
    """As `project`, for a pose from elsewhere: all DOFs may move, and all of a group count."""
    return move_inside(floats, ints, angles, True)


@kernel
def move_inside(floats, ints, angles, whole):
    moved, grouped = 0, ints_at(ints, FOLLOWER_DOF).size > 0
    if whole and grouped:
        gather(floats, ints, angles)
    moved += project_cones(floats, ints, angles)
    if ints_at(ints, PART_FIRST).size > 1:  # with their boxes; the other DOFs are clamped
        moved += project_relations(floats, ints, angles, whole)
    moved += clamp(floats, ints, angles)
    if grouped:
        moved += follow(floats, ints, angles)
    return moved


@exact_kernel
def clamp(floats, ints, angles):
    """Move every DOF into its box. Returns how many moved."""
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    moved = 0
    for d in range(angles.size):
        value = min(max(angles[d], lower[d]), upper[d])
        if value != angles[d]:
            moved += 1
        angles[d] = value
    return moved


@kernel
def project_cones(floats, ints, angles):
    """Move every swing into its cone and its box. Returns how many moved."""
    disc_dof = ints_at(ints, DISC_DOF)
    moved = 0
    for i in range(disc_dof.size):
        d = disc_dof[i]
        x, y = project_pair(floats, ints, i, angles[d], angles[d + 1])
        if x != angles[d] or y != angles[d + 1]:
            moved += 1
        angles[d], angles[d + 1] = x, y
    return moved


@kernel
def project_pair(floats, ints, i, x, y):
    """The swing (x, y) inside cone i and its boxes; one that is frozen stays."""
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    mobility = floats_at(floats, ints, MOBILITY)
    radius = floats_at(floats, ints, DISC_RADIUS)[i]
    d = ints_at(ints, DISC_DOF)[i]
    if mobility.size > 0 and (mobility[d] == 0.0) != (mobility[d + 1] == 0.0):
        if mobility[d] == 0.0:
            y = project_chord(x, y, radius)
            return x, min(max(y, lower[d + 1]), upper[d + 1])
        x = project_chord(y, x, radius)
        return min(max(x, lower[d]), upper[d]), y
    return project_swing(x, y, radius, lower[d : d + 2], upper[d : d + 2])


@exact_kernel
def project_swing(x, y, radius, lower, upper):
    """The nearest point inside the disc and the box, which must have one in common."""
    dx, dy = project_disc(x, y, radius)  # first: beside the rim, rounding takes a box for inside
    if lower[0] <= dx <= upper[0] and lower[1] <= dy <= upper[1]:
        return dx, dy
    bx, by = min(max(x, lower[0]), upper[0]), min(max(y, lower[1]), upper[1])
    if inside_disc(bx, by, radius):
        return bx, by
    # Neither is inside the other: the nearest point is a corner of box and circle.
    bx, by = min(max(0.0, lower[0]), upper[0]), min(max(0.0, lower[1]), upper[1])
    least = math.inf
    for side in range(4):
        value = lower[side // 2] if side % 2 == 0 else upper[side // 2]
        if abs(value) > radius:
            continue
        across = project_chord(value, math.copysign(radius, y if side < 2 else x), radius)
        for sign in (1.0, -1.0):
            cx, cy = (value, sign * across) if side < 2 else (sign * across, value)
            off = (cx - x) * (cx - x) + (cy - y) * (cy - y)
            within = lower[0] <= cx <= upper[0] and lower[1] <= cy <= upper[1]
            if within and inside_disc(cx, cy, radius) and off < least:
                bx, by, least = cx, cy, off
    return bx, by
