"""How the pelvis rides over the feet: sway, arc, yaw and list, low enough for both legs."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_frame import PELVIS_AT, PELVIS_TURN
from poise.kernels.walk_reach import low_for_legs, raise_for_pelvis
from poise.kernels.walk_state import (
    ACTIVITY,
    AIM,
    BOUNCE,
    BOUNCE_LEAD,
    CYCLE_TIME,
    DUTY,
    FEET_STATE,
    FIT,
    FOOT_STATE,
    HEADING,
    HEEL_Y,
    HEEL_Z,
    LIFT_PHASE,
    LOW_RIDE,
    PHASE,
    RUN,
    SCALE,
    SHANK,
    SPEED,
    STANDS,
    THIGH,
    X,
    Z,
    smooth,
    turn_matrix,
)
from poise.kernels.walk_steps import foot_phase
from poise.kernels.walk_trunk import dress

GRAVITY = 9.81


@kernel
def support(state, build, side):
    """(height of the ground under a foot or on its way, [m])."""
    foot = FEET_STATE + side * FOOT_STATE
    if state[foot + STANDS] > 0.0:
        return state[foot + FIT + 1] - build[HEEL_Z] * math.sin(state[foot + FIT + 4])
    s = (foot_phase(state, side) - state[foot + LIFT_PHASE]) / (1.0 - state[foot + LIFT_PHASE])
    start = state[foot + FIT + 1] - build[HEEL_Z] * math.sin(state[foot + FIT + 4])
    end = state[foot + AIM + 1] - build[HEEL_Z] * math.sin(state[foot + AIM + 4])
    return start + (end - start) * smooth(s)


@kernel
def carry(state, build, dt, row):
    """The pelvis: sway, arc, yaw and list, low enough for both legs."""
    scale = build[SCALE]
    root = math.sqrt(scale)
    active = min(max(state[ACTIVITY], 0.0), 1.0)
    run = min(max(state[RUN], 0.0), 1.0)
    pace = state[SPEED] / root
    brisk = min(pace / 1.3, 1.3)
    cycle = 2.0 * math.pi * state[PHASE]
    # The middle of the left stance, in phase.
    middle = cycle - 2.0 * math.pi * 0.5 * state[DUTY]
    yaw = -active * (0.03 + 0.065 * brisk) * math.cos(cycle - 0.1)
    listed = active * (0.025 + 0.035 * brisk) * math.cos(cycle - 2.0 * math.pi * 0.17)
    lean = 0.03 + 0.02 * brisk * active + 0.05 * run
    heading = state[HEADING] + yaw
    turn_matrix(heading, -lean, listed, 0.0, row, PELVIS_TURN)
    sway = scale * active * (0.032 - 0.011 * min(pace, 1.6)) * math.cos(middle)
    surge = scale * active * 0.012 * brisk * math.sin(2.0 * middle)
    ch, sh = math.cos(state[HEADING]), math.sin(state[HEADING])
    row[PELVIS_AT] = state[X] + sway * ch + surge * sh
    row[PELVIS_AT + 2] = state[Z] - sway * sh + surge * ch
    weight = 0.5 + 0.27 * active * math.cos(middle)
    ground = weight * support(state, build, 0) + (1.0 - weight) * support(state, build, 1)
    leg = build[THIGH] + build[SHANK]
    stretched = leg - build[HEEL_Y]
    walk_bounce = build[BOUNCE] * scale * min(brisk, 1.15) ** 1.3
    run_bounce = min(GRAVITY * (state[CYCLE_TIME] / (4.0 * math.pi)) ** 2, 0.045 * scale)
    bounce = active * ((1.0 - run) * walk_bounce - run * run_bounce)
    standing = 0.990 * stretched
    walking = stretched * (0.985 - build[LOW_RIDE] * brisk)
    running = 0.925 * stretched
    height = (1.0 - active) * standing + active * ((1.0 - run) * walking + run * running)
    height += ground + bounce * math.cos(2.0 * middle + build[BOUNCE_LEAD])
    height = low_for_legs(state, build, height, dt, row)
    row[PELVIS_AT + 1] = height
    for side in range(2):
        raise_for_pelvis(state, build, side, dt, row)
    dress(state, active, run, brisk, yaw, listed, lean, row)
