"""A manner of walking laid over the frames of a gait: chains that do less of their part, a posture,
a leg that does not bend. What a foot does on the ground stays, or it would slip."""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.walk_frame import (
    BALL,
    CYCLE,
    DRIVE_NAMES,
    DRIVES,
    FEET,
    FOOT_SIZE,
    FRAME_SIZE,
    HEEL,
    PELVIS_AT,
    PELVIS_TURN,
    PITCH,
    SOLE_TURN,
    TOES,
)
from poise.kernels.walk_state import above, smooth

DRIVE_COUNT = len(DRIVE_NAMES)
# A manner as one row of floats.
WEIGHTS = 0  # of each drive: how much of it is done
POSTURE = WEIGHTS + DRIVE_COUNT  # of each drive: a turn that is added [rad]
HEEL_RISE = POSTURE + DRIVE_COUNT  # left and right: how much of its turn a sole on its ball does
LURCH = HEEL_RISE + 2  # left and right: how far the trunk leans over the leg that stands [rad]
SHORTEST = LURCH + 2  # left and right: from hip to ankle with the knee bent as far as it does [m]
CROUCH = SHORTEST + 2  # how much lower the pelvis is while walking [m]
TILT = CROUCH + 1  # how far the pelvis tilts at most to lift a leg [rad]
CIRCLE = TILT + 1  # how far a foot swings out at most [m]
HIP_X = CIRCLE + 1
ANKLE_Y, ANKLE_Z = HIP_X + 1, HIP_X + 2  # the heel from the ankle, in the sole
HURRY = ANKLE_Z + 1  # left and right: how much faster it goes while that leg stands
MANNER_SIZE = HURRY + 2

STANCE = 0.6  # the share of a cycle in which a foot stands, or nearly
GROUNDED = 0.45  # of a heel that rises less, how much it is that already on the ground
SOFT = 0.05  # [rad]


@kernel
def hump(x):
    """Up to 1 in the middle, from nothing at the ends, over x from 0 to 1."""
    if x <= 0.0 or x >= 1.0:
        return 0.0
    return 64.0 * (x * (1.0 - x)) ** 3


@kernel
def pitch_about_ball(row, foot, up):
    """Turn the sole about its ball: the toes up, so the heel down."""
    heel, ball, turn = foot + HEEL, foot + BALL, foot + SOLE_TURN
    cos, sin = math.cos(up), math.sin(up)
    y, z = 0.0, 0.0
    for i in range(3):
        way = row[heel + i] - row[ball + i]
        y += way * row[turn + 3 * i + 1]
        z += way * row[turn + 3 * i + 2]
    for i in range(3):
        high, ahead = row[turn + 3 * i + 1], row[turn + 3 * i + 2]
        row[turn + 3 * i + 1] = high * cos - ahead * sin
        row[turn + 3 * i + 2] = ahead * cos + high * sin
        row[heel + i] = row[ball + i] + row[turn + 3 * i + 1] * y + row[turn + 3 * i + 2] * z
    row[foot + PITCH] += up
    row[foot + TOES] = max(row[foot + TOES] - up, 0.0)


@kernel
def leg_now(row, manner, side):
    """How long the way from hip to ankle is, and how much of it goes out to the side [m]."""
    foot, sign = FEET + side * FOOT_SIZE, 1.0 - 2.0 * side
    square, out = 0.0, 0.0
    for i in range(3):
        turn = foot + SOLE_TURN + 3 * i
        ankle = row[foot + HEEL + i] - (
            row[turn + 1] * manner[ANKLE_Y] + row[turn + 2] * manner[ANKLE_Z]
        )
        left = row[PELVIS_TURN + 3 * i]
        way = ankle - row[PELVIS_AT + i] - left * sign * manner[HIP_X]
        square += way * way
        if i != 1:
            out += way * left * sign
    return math.sqrt(square), out


@kernel
def tilt(row, up):
    """Lift the pelvis' left side, turning it about its middle [rad]."""
    cos, sin = math.cos(up), math.sin(up)
    for i in range(3):
        left, high = row[PELVIS_TURN + 3 * i], row[PELVIS_TURN + 3 * i + 1]
        row[PELVIS_TURN + 3 * i] = left * cos + high * sin
        row[PELVIS_TURN + 3 * i + 1] = high * cos - left * sin


@kernel
def lift_stiff_leg(row, manner, side):
    """A leg in the air that bends too little: the pelvis lifts it, and it swings out."""
    foot, sign = FEET + side * FOOT_SIZE, 1.0 - 2.0 * side
    swing = (row[foot + CYCLE] - STANCE) / (1.0 - STANCE)
    window = smooth((swing + 0.1) / 0.3) * smooth((1.0 - swing) / 0.35)
    length, _ = leg_now(row, manner, side)
    lack = above(manner[SHORTEST + side] - length, 0.01) * window
    if lack <= 0.0:
        return
    tilted = manner[TILT] * math.tanh(lack / (2.0 * manner[HIP_X] * manner[TILT]))
    tilt(row, sign * tilted)
    row[PELVIS_AT + 1] += manner[HIP_X] * math.sin(tilted)
    row[DRIVES + 1] -= sign * 1.2 * tilted
    length, out = leg_now(row, manner, side)
    lack = above(manner[SHORTEST + side] - length, 0.01)
    wide = math.sqrt(out * out + 2.0 * lack * length + lack * lack) - out
    wide = manner[CIRCLE] * math.tanh(wide / manner[CIRCLE]) * window
    for i in range(0, 3, 2):
        left = row[PELVIS_TURN + 3 * i]
        row[foot + HEEL + i] += sign * wide * left
        row[foot + BALL + i] += sign * wide * left


@entry
def lay_manner(planned, manner, active, row):
    """row <- what is `planned`, in a manner; `active` says how much it walks, from 0 to 1."""
    for i in range(FRAME_SIZE):
        row[i] = planned[i]
    for i in range(DRIVE_COUNT):
        row[DRIVES + i] = manner[WEIGHTS + i] * row[DRIVES + i] + manner[POSTURE + i]
    row[PELVIS_AT + 1] -= manner[CROUCH]
    for side in range(2):
        foot, sign = FEET + side * FOOT_SIZE, 1.0 - 2.0 * side
        if manner[HEEL_RISE + side] < 1.0:
            less = 1.0 - manner[HEEL_RISE + side]
            # On the ground the leg must still reach.
            less *= GROUNDED + (1.0 - GROUNDED) * smooth((row[foot + CYCLE] - STANCE) / 0.15)
            pitch_about_ball(row, foot, less * above(-row[foot + PITCH], SOFT))
        standing = active * hump((row[foot + CYCLE] + 0.1) / 0.75)
        # A turn about the axis ahead lifts the left: the other way leans over it.
        row[DRIVES + 1] -= sign * manner[LURCH + side] * standing
    for side in range(2):
        if manner[SHORTEST + side] > 0.0 and active > 0.0:
            lift_stiff_leg(row, manner, side)


@entry
def hurried(row, manner, active, dt):
    """How much of its time a walker goes on: more while one leg stands, less while the other."""
    share = 1.0
    for side in range(2):
        middle = row[FEET + side * FOOT_SIZE + CYCLE] - 0.5 * STANCE
        share += active * manner[HURRY + side] * math.cos(2.0 * math.pi * middle)
    return share * dt
