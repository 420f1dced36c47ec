"""Swing cones inside a step: each pair of swing DOFs is turned to (radial, tangential).

Then the cone is a bound on the radial coordinate alone, and a boundary that bends away adds
-g_radial / (2 radius) to the tangential curvature while the pose presses against it.

A swing with a box that has sides inside the cone is turned only while it presses against the cone.
Otherwise it stays in its own coordinates (DISC_PLAIN), in which its box is the bound.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    ANGLES,
    DISC_DOF,
    DISC_PLAIN,
    DISC_RADIUS,
    GRADIENT,
    HESSIAN,
    HIGH,
    JACOBIAN,
    LOW,
    LOWER,
    MOBILITY,
    UPPER,
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
def is_turned(floats, ints, i):
    """Whether disc i is turned in this step: both swings may move, and no box is in the way."""
    return (
        moves_freely(floats, ints, ints_at(ints, DISC_DOF)[i]) and ints_at(ints, DISC_PLAIN)[i] == 0
    )


@kernel
def has_side(floats, ints, d, radius):
    """Whether the box of a swing has a side inside its cone."""
    return floats_at(floats, ints, LOWER)[d] > -radius or floats_at(floats, ints, UPPER)[d] < radius


@kernel
def is_at_side(floats, ints, d, radius):
    """Whether a swing is at a side of its box that lies inside its cone."""
    value = floats_at(floats, ints, ANGLES)[d]
    lower, upper = floats_at(floats, ints, LOWER)[d], floats_at(floats, ints, UPPER)[d]
    near = EDGE * radius
    return (value <= lower + near and lower > -radius) or (value >= upper - near and upper < radius)


@kernel
def choose_coordinates(floats, ints):
    """Fill DISC_PLAIN at ANGLES; GRADIENT must not be turned yet."""
    plain = ints_at(ints, DISC_PLAIN)
    disc_dof = ints_at(ints, DISC_DOF)
    radius = floats_at(floats, ints, DISC_RADIUS)
    angles = floats_at(floats, ints, ANGLES)
    slope = floats_at(floats, ints, GRADIENT)
    for i in range(disc_dof.size):
        d, r = disc_dof[i], radius[i]
        x, y = angles[d], angles[d + 1]
        plain[i] = 0
        if has_side(floats, ints, d, r) or has_side(floats, ints, d + 1, r):
            at_x, at_y = is_at_side(floats, ints, d, r), is_at_side(floats, ints, d + 1, r)
            # The pressure on the cone; at a corner what is left of it when the box holds its own.
            pressure = -(0.0 if at_x else slope[d] * x) - (0.0 if at_y else slope[d + 1] * y)
            on_edge = is_on_edge(math.sqrt(x * x + y * y), r)
            plain[i] = 0 if on_edge and pressure > 0.0 else 1


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
        if not is_turned(floats, ints, i):
            continue
        d = disc_dof[i]
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
    choose_coordinates(floats, ints)
    for i in range(disc_dof.size):
        if not is_turned(floats, ints, i):
            continue
        d = disc_dof[i]
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
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    low = floats_at(floats, ints, LOW)
    high = floats_at(floats, ints, HIGH)
    for i in range(disc_dof.size):
        d = disc_dof[i]
        if not is_turned(floats, ints, i):  # a chord of the disc for each, and its box
            for k in range(d, d + 2):
                chord = radius[i] ** 2 - angles[2 * d + 1 - k] ** 2
                chord = math.sqrt(max(0.0, chord)) * (1.0 - 1e-15)
                low[k] = max(low[k], min(0.0, -chord - angles[k]))
                high[k] = min(high[k], max(0.0, chord - angles[k]))
            continue
        cosine, sine = disc_direction(angles[d], angles[d + 1])
        out = math.sqrt(angles[d] ** 2 + angles[d + 1] ** 2)
        room = 0.0 if is_on_edge(out, radius[i]) else radius[i] - out
        box = (  # without the sides that the cone leaves out of reach
            low[d] if lower[d] > -radius[i] else -math.inf,
            low[d + 1] if lower[d + 1] > -radius[i] else -math.inf,
            high[d] if upper[d] < radius[i] else math.inf,
            high[d + 1] if upper[d + 1] < radius[i] else math.inf,
        )
        inwards, outwards = along_box(box, cosine, sine)
        back, forth = along_box(box, -sine, cosine)
        low[d], high[d] = max(-radius[i] - out, inwards), min(room, outwards)
        low[d + 1], high[d + 1] = max(-radius[i], back), min(radius[i], forth)


@kernel
def along_box(box, x, y):
    """How far one may go from 0 along (x, y), backwards and forwards, inside a box."""
    back, forth = -math.inf, math.inf
    for low, high, part in ((box[0], box[2], x), (box[1], box[3], y)):
        if part > 0.0:
            back, forth = max(back, low / part), min(forth, high / part)
        elif part < 0.0:
            back, forth = max(back, high / part), min(forth, low / part)
    return back, forth
