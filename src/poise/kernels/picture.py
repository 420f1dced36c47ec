"""A pose as it is drawn: where its segments are, its centre of mass, the limits it touches."""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.forward import forward
from poise.kernels.layout import (
    DISC_DOF,
    DISC_RADIUS,
    FRAMES,
    LOWER,
    SEGMENT_MASS,
    UPPER,
    floats_at,
    ints_at,
)

CENTER = 3
"""Numbers before the segments."""
PLACE = 7
"""Numbers of a segment: its position and its quaternion (w, x, y, z)."""
AT_LOWER, AT_UPPER, AT_CONE = 1, 2, 4
NEAR = 1e-6
"""A limit is touched from so near [rad or m]: an angle from the page has seven digits."""


@entry
def picture(floats, ints, angles, row, bits):
    """Fill `row` and `bits` for the pose `angles` (dofs,).

    row (CENTER + PLACE * segments + dofs): the centre of mass, the place of each segment, and the
    angles. bits (dofs): which limits each DOF touches.
    """
    forward(floats, ints, angles)
    frames = floats_at(floats, ints, FRAMES)
    masses = floats_at(floats, ints, SEGMENT_MASS)
    segments = frames.size // 12
    row[:CENTER] = 0.0
    for s in range(segments):
        at, to, load = 12 * s, CENTER + PLACE * s, 4 * s
        share, x, y, z = masses[load], masses[load + 1], masses[load + 2], masses[load + 3]
        for r in range(3):
            i = at + 3 * r
            origin = frames[at + 9 + r]
            row[to + r] = origin
            turned = frames[i] * x + frames[i + 1] * y + frames[i + 2] * z
            row[r] += share * (origin + turned)
        xx, yy, zz = frames[at], frames[at + 4], frames[at + 8]
        row[to + 3] = 0.5 * math.sqrt(max(0.0, 1.0 + xx + yy + zz))
        qx = 0.5 * math.sqrt(max(0.0, 1.0 + xx - yy - zz))
        qy = 0.5 * math.sqrt(max(0.0, 1.0 - xx + yy - zz))
        qz = 0.5 * math.sqrt(max(0.0, 1.0 - xx - yy + zz))
        row[to + 4] = math.copysign(qx, frames[at + 7] - frames[at + 5])
        row[to + 5] = math.copysign(qy, frames[at + 2] - frames[at + 6])
        row[to + 6] = math.copysign(qz, frames[at + 3] - frames[at + 1])
    _touched(floats, ints, angles, row[CENTER + PLACE * segments :], bits)


@kernel
def _touched(floats, ints, angles, copied, bits):
    lower, upper = floats_at(floats, ints, LOWER), floats_at(floats, ints, UPPER)
    for d in range(angles.size):
        copied[d] = angles[d]
        at_lower, at_upper = angles[d] <= lower[d] + NEAR, angles[d] >= upper[d] - NEAR
        bits[d] = AT_LOWER * at_lower + AT_UPPER * at_upper
    disc, radius = ints_at(ints, DISC_DOF), floats_at(floats, ints, DISC_RADIUS)
    for k in range(disc.size):
        d = disc[k]
        if math.hypot(angles[d], angles[d + 1]) >= radius[k] - NEAR:
            bits[d] |= AT_CONE
            bits[d + 1] |= AT_CONE
