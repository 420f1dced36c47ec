"""The way of a foot in the air: where it is at s, from 0 to 1, of its swing."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_frame import PELVIS_AT, PELVIS_TURN
from poise.kernels.walk_heel import raise_for_ankle
from poise.kernels.walk_state import (
    AIM,
    BALL_Y,
    BALL_Z,
    CYCLE_TIME,
    DIP,
    DROP,
    EARLY,
    FEET_STATE,
    FIT,
    FOOT_STATE,
    GAIN,
    HEADING,
    HEEL_Y,
    HEEL_Z,
    HIP_X,
    LAND_PITCH,
    LATE,
    LIFT_PHASE,
    LOSS,
    PULL,
    RISE,
    RISE_WANTED,
    SPEED,
    START,
    START_BALL,
    START_BEND,
    START_SPEED,
    STEPS,
    TURN_GAIN,
    TURN_LOSS,
    WANTED_AT,
    above,
    fading,
    glide,
    smooth,
    turn_matrix,
)

# What is found of a foot: from 0 its heel [m], pitch of its sole against the ground, heading, pitch
# and roll of that ground [rad], and how the sole is turned.
SPOT_PITCH, SPOT_GROUND, SPOT_TURN = 3, 4, 7
RECOVERED = 0.4  # the share of a swing in which a pelvis that dropped comes up again
HANGING, TOES_UP = 0.35, 0.9  # between these shares of a swing over steps the toes come up


@kernel
def swing_share(state, foot, phase):
    """How much of its swing a foot in the air has done, from 0 to 1."""
    return (phase - state[foot + LIFT_PHASE]) / (1.0 - state[foot + LIFT_PHASE])


@kernel
def swing_way(state, foot, build, s, hip, planned, spot):
    """spot <- the foot at s of its swing, its hip at a point: on the way that is `planned`, or on
    the one that follows it."""
    aim, rise = foot + AIM, state[foot + RISE]
    if planned:
        aim, rise = foot + WANTED_AT, state[foot + RISE_WANTED]
    start, gone = foot + START, smooth(s)
    for i in range(3):
        ground = state[start + 3 + i]
        spot[SPOT_GROUND + i] = ground + gone * (state[aim + 3 + i] - ground)
    steps = state[foot + STEPS] > 0.0
    up = glide(s, build[TURN_GAIN], build[TURN_LOSS])
    if steps:
        up = smooth((s - HANGING) / (TOES_UP - HANGING))
    pitch = state[start + 6] + up * (state[foot + LAND_PITCH] - state[start + 6])
    pitch += fading(s, state[foot + START_SPEED + 3], state[foot + START_BEND + 3])
    spot[SPOT_PITCH] = pitch
    turn_matrix(spot[4], spot[5], spot[6], pitch, spot, SPOT_TURN)
    if steps:
        _over_steps(state, foot, build, s, aim, rise, spot)
    else:
        _over_ground(state, foot, build, s, aim, rise, spot)
    _hang(build, s, hip, spot)


@kernel
def _over_ground(state, foot, build, s, aim, rise, spot):
    """The heel leaves as fast as it rises, and comes to rest above its place."""
    start = foot + START
    land = state[foot + LAND_PITCH]
    # Where the heel is when the sole comes down: above its flat place if the ball comes first.
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    flat = state[aim + 4]
    bent = flat + min(land, 0.0)
    heel_up = y * (math.cos(flat) - math.cos(bent)) + z * (math.sin(flat) - math.sin(bent))
    heel_on = z * (math.cos(flat) - math.cos(bent)) - y * (math.sin(flat) - math.sin(bent))
    late, early = state[foot + LATE], state[foot + EARLY]
    forward = glide((s - late) / (early - late), build[GAIN], build[LOSS])
    gone = smooth(s)
    ground = state[foot + FIT + 1]
    spot[1] = ground + (state[aim + 1] - ground) * forward
    spot[1] += (state[start + 1] - ground) * (1.0 - gone) + heel_up * gone
    end = state[aim] + heel_on * math.sin(state[aim + 3])
    spot[0] = state[start] + (end - state[start]) * forward
    end = state[aim + 2] + heel_on * math.cos(state[aim + 3])
    spot[2] = state[start + 2] + (end - state[start + 2]) * forward
    for i in range(3):
        spot[i] += fading(s, state[foot + START_SPEED + i], state[foot + START_BEND + i])
    spot[1] += (rise - state[foot + DIP]) * bump(s)


@kernel
def _over_steps(state, foot, build, s, aim, rise, spot):
    """The ball, which is at rest at either end, goes up before it goes ahead, as LATE says, and
    ahead before it goes down, as EARLY says."""
    late, early = state[foot + LATE], state[foot + EARLY]
    forward = smooth((s - late) / (early - late))
    begin, end = 1.5 * (1.0 - early), 1.0 - 1.5 * late
    level = smooth((s - begin) / (end - begin))
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    ball = foot + START_BALL
    # Where the ball is when the sole comes down: above its flat place if the heel comes first.
    bent = state[aim + 4] + max(state[foot + LAND_PITCH], 0.0)
    on, up = z * math.cos(bent) - y * math.sin(bent), z * math.sin(bent) + y * math.cos(bent)
    x_end = state[aim] + on * math.sin(state[aim + 3])
    z_end = state[aim + 2] + on * math.cos(state[aim + 3])
    spot[0] = state[ball] + (x_end - state[ball]) * forward
    spot[1] = state[ball + 1] + (state[aim + 1] + up - state[ball + 1]) * level + rise * bump(s)
    spot[2] = state[ball + 2] + (z_end - state[ball + 2]) * forward
    for i in range(3):
        at = SPOT_TURN + 3 * i
        spot[i] -= spot[at + 1] * y + spot[at + 2] * z


@kernel
def hip_then(state, build, side, now, s, row):
    """Where the hip will be at s of a swing that is at `now`, from where it is in `row`."""
    foot = FEET_STATE + side * FOOT_STATE
    hip = (1.0 - 2.0 * side) * build[HIP_X]
    share = (s - now) * (1.0 - state[foot + LIFT_PHASE])
    way = share * state[CYCLE_TIME] * (state[SPEED] + state[PULL])
    climb = share * (state[foot + WANTED_AT + 1] - state[foot + FIT + 1])
    climb += state[DROP] * min((s - now) / RECOVERED, 1.0)
    return (
        row[PELVIS_AT] + row[PELVIS_TURN] * hip + way * math.sin(state[HEADING]),
        row[PELVIS_AT + 1] + row[PELVIS_TURN + 3] * hip + climb,
        row[PELVIS_AT + 2] + row[PELVIS_TURN + 6] * hip + way * math.cos(state[HEADING]),
    )


@kernel
def _hang(build, s, hip, spot):
    """Let the toes hang as far as the ankle needs, turning the sole about its ball."""
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    left, up, on = 0.0, 0.0, 0.0
    for i in range(3):
        at = SPOT_TURN + 3 * i
        way = hip[i] - spot[i] - spot[at + 1] * y - spot[at + 2] * z
        left, up, on = left + way * spot[at], up + way * spot[at + 1], on + way * spot[at + 2]
    cos, sin = math.cos(spot[SPOT_PITCH]), math.sin(spot[SPOT_PITCH])
    needed = raise_for_ankle(build, left, up * cos + on * sin, on * cos - up * sin)
    bent = above(needed + spot[SPOT_PITCH], 0.05) * smooth(s / 0.15) * smooth((1.0 - s) / 0.15)
    cos, sin = math.cos(bent), math.sin(bent)
    for i in range(3):
        at = SPOT_TURN + 3 * i
        up, on = spot[at + 1], spot[at + 2]
        spot[at + 1], spot[at + 2] = up * cos + on * sin, on * cos - up * sin
        spot[i] += (up - spot[at + 1]) * y + (on - spot[at + 2]) * z
    spot[SPOT_PITCH] -= bent


@kernel
def bump(s):
    """Up to 1 in the middle of a swing, from nothing at its ends."""
    return 64.0 * (s * (1.0 - s)) ** 3
