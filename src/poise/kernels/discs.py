"""Swing cones inside a step: each pair of swing DOFs is turned to (radial, tangential).

Then the cone is a bound on the radial coordinate alone, and a boundary that bends away adds
-g_radial / (2 radius) to the tangential curvature while the pose presses against it.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    ANGLES,
    DISC_DOF,
    DISC_RADIUS,
    GRADIENT,
    HESSIAN,
    HIGH,
    JACOBIAN,
    LOW,
    MOBILITY,
    floats_at,
    ints_at,
)

EDGE = 1e-12  # a share of the cone's half-angle that counts as none


@kernel
def disc_direction(x, y):
    """(cosine, sine) of the radial direction at (x, y)."""
    length = math.sqrt(x * x + y * y)
    if length < 1e-12:
        return 1.0, 0.0
    return x / length, y / length


@kernel
def is_on_edge(out, radius):
    """Whether a swing is at its cone. Projecting onto the disc may end some 1e-16 inside it: a
    swing with so little room must count as held, or the step's matrix takes it for free."""
    return out >= radius * (1.0 - EDGE)


@kernel
def moves_freely(floats, ints, d):
    """Whether both swings of a cone may move; else they are not turned."""
    mobility = floats_at(floats, ints, MOBILITY)
    return mobility[d] > 0.0 and mobility[d + 1] > 0.0


@kernel
def turn_pair(values, at, stride, cosine, sine):
    """Turn the two entries at `at` and `at + stride` into (radial, tangential)."""
    a, b = values[at], values[at + stride]
    values[at] = cosine * a + sine * b
    values[at + stride] = cosine * b - sine * a


@kernel
def turn_discs(floats, ints, vector, inverse):
    """Turn the disc entries of a DOF vector to (radial, tangential), or back."""
    disc_dof = ints_at(ints, DISC_DOF)
    angles = floats_at(floats, ints, ANGLES)
    for i in range(disc_dof.size):
        d = disc_dof[i]
        if not moves_freely(floats, ints, d):
            continue
        cosine, sine = disc_direction(angles[d], angles[d + 1])
        turn_pair(vector, d, 1, cosine, -sine if inverse else sine)


@kernel
def turn_disc_derivatives(floats, ints, with_hessian):
    """Turn JACOBIAN, GRADIENT and, if asked, HESSIAN (lower triangle) to (radial, tangential)."""
    disc_dof = ints_at(ints, DISC_DOF)
    radius = floats_at(floats, ints, DISC_RADIUS)
    angles = floats_at(floats, ints, ANGLES)
    matrix = floats_at(floats, ints, JACOBIAN)
    hessian = floats_at(floats, ints, HESSIAN)
    slope = floats_at(floats, ints, GRADIENT)
    n = angles.size
    for i in range(disc_dof.size):
        d = disc_dof[i]
        if not moves_freely(floats, ints, d):
            continue
        x, y = angles[d], angles[d + 1]
        cosine, sine = disc_direction(x, y)
        for row in range(matrix.size // n):
            turn_pair(matrix, row * n + d, 1, cosine, sine)
        if with_hessian:
            hessian[d * n + d + 1] = hessian[(d + 1) * n + d]
            for j in range(d):
                turn_pair(hessian, d * n + j, n, cosine, sine)
            for j in range(d + 2, n):
                turn_pair(hessian, j * n + d, 1, cosine, sine)
            for k in range(2):
                turn_pair(hessian, (d + k) * n + d, 1, cosine, sine)
            for k in range(2):
                turn_pair(hessian, d * n + d + k, n, cosine, sine)
        turn_pair(slope, d, 1, cosine, sine)
        pressed = slope[d] < 0.0 and is_on_edge(math.sqrt(x * x + y * y), radius[i])
        if with_hessian and pressed:
            hessian[(d + 1) * n + d + 1] -= 0.5 * slope[d] / radius[i]


@kernel
def bound_discs(floats, ints):
    """The bounds of the (radial, tangential) step into LOW and HIGH."""
    disc_dof = ints_at(ints, DISC_DOF)
    radius = floats_at(floats, ints, DISC_RADIUS)
    angles = floats_at(floats, ints, ANGLES)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    for i in range(disc_dof.size):
        d = disc_dof[i]
        if not moves_freely(floats, ints, d):  # one of the two is frozen: a chord of the disc
            for k in range(d, d + 2):
                chord = radius[i] ** 2 - angles[2 * d + 1 - k] ** 2
                chord = math.sqrt(max(0.0, chord)) * (1.0 - 1e-15)
                low[k] = max(low[k], min(0.0, -chord - angles[k]))
                high[k] = min(high[k], max(0.0, chord - angles[k]))
            continue
        out = math.sqrt(angles[d] ** 2 + angles[d + 1] ** 2)
        room = 0.0 if is_on_edge(out, radius[i]) else radius[i] - out
        low[d], high[d] = -radius[i] - out, room
        low[d + 1], high[d + 1] = -radius[i], radius[i]
