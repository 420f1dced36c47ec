"""How far the heel of a standing foot must rise, in closed form: for the leg to reach the hip, and
for the ankle to stay in its range.

All of it in the frame of the sole that lies flat, from the ball: x left, y up, z ahead. A heel
that rises by r turns ankle and shank about the ball by r, forward.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_frame import BALL, FEET, FOOT_SIZE, PELVIS_AT, PELVIS_TURN, SOLE_TURN
from poise.kernels.walk_state import (
    BALL_Y,
    BALL_Z,
    HIP_X,
    LARGEST_DORSIFLEXION,
    SHANK,
    THIGH,
)

ANKLE_SPARE = 0.045  # of the ankle's range that is left to the solver [rad]


@kernel
def leg_length(build, knee):
    """From hip to ankle, the knee bent by so much [m]."""
    thigh, shank = build[THIGH], build[SHANK]
    return math.sqrt(thigh * thigh + shank * shank + 2.0 * thigh * shank * math.cos(knee))


@kernel
def hip_from_ball(build, side, height, row):
    """(x, y, z) of the hip, the pelvis at a height [m], for the flat sole that `row` has."""
    out = FEET + side * FOOT_SIZE
    hip, turn = (1.0 - 2.0 * side) * build[HIP_X], out + SOLE_TURN
    x, y, z = 0.0, 0.0, 0.0
    for i in range(3):
        at = height if i == 1 else row[PELVIS_AT + i]
        way = at + row[PELVIS_TURN + 3 * i] * hip - row[out + BALL + i]
        x += way * row[turn + 3 * i]
        y += way * row[turn + 3 * i + 1]
        z += way * row[turn + 3 * i + 2]
    return x, y, z


@kernel
def raise_for_reach(build, x, y, z, length):
    """For the ankle to be `length` from the hip; below 0 if it is nearer with the heel down."""
    ankle_y, ankle_z = -build[BALL_Y], -build[BALL_Z]
    along = y * ankle_y + z * ankle_z
    across = z * ankle_y - y * ankle_z
    square = x * x + y * y + z * z + ankle_y * ankle_y + ankle_z * ankle_z - length * length
    most = math.sqrt(along * along + across * across)
    return math.atan2(across, along) - math.acos(min(max(0.5 * square / most, -1.0), 1.0))


@kernel
def raise_for_ankle(build, x, y, z):
    """For the shank not to lean forward over the sole beyond the ankle's range."""
    ankle_y, ankle_z = -build[BALL_Y], -build[BALL_Z]
    # The leg leans sideways about the ankle.
    up = math.sqrt((y - ankle_y) ** 2 + x * x) + ankle_y
    most = build[LARGEST_DORSIFLEXION] - ANKLE_SPARE
    knee_y = ankle_y + build[SHANK] * math.cos(most)
    knee_z = ankle_z + build[SHANK] * math.sin(most)
    # The knee is on a circle about the ball, and on one about the hip.
    far = knee_y * knee_y + knee_z * knee_z
    hip = up * up + z * z
    cos = (far + hip - build[THIGH] ** 2) / (2.0 * math.sqrt(far * hip))
    knee = math.atan2(z, up) + math.acos(min(max(cos, -1.0), 1.0))
    return knee - math.atan2(knee_z, knee_y)
