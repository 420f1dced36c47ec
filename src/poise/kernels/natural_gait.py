"""The natural gait, one step of time in one compiled call.

The body goes over the ground as it is told; the feet are planned to meet it in the middle of their
stance, and stay where they came down; the pelvis rides on a smooth arc over both.
"""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.walk_course import keep_time, steer
from poise.kernels.walk_frame import FEET, FOOT_SIZE
from poise.kernels.walk_ground import find_foothold, fit_sole
from poise.kernels.walk_pelvis import carry
from poise.kernels.walk_stance import stand
from poise.kernels.walk_state import (
    ACTIVITY,
    CYCLE_TIME,
    DUTY,
    FEET_STATE,
    FIT,
    FIT_SIZE,
    FOOT_STATE,
    HEADING,
    PHASE,
    SCALE,
    SLOPE,
    STANDS,
    STEPPING,
    X,
    Z,
    follow,
)
from poise.kernels.walk_steps import begin_or_end, home, step_feet

LONGEST_STEP_OF_TIME = 1.0 / 60.0


@kernel
def on(state, build, values, shape, command, dt, row, fit, spot, found):
    """One short step of time."""
    keep_time(state, build, command, dt)
    speed = steer(state, build, values, shape, command, dt, found)
    if state[STEPPING] > 0.0:
        state[PHASE] = (state[PHASE] + dt / state[CYCLE_TIME]) % 1.0
    root = math.sqrt(build[SCALE])
    follow(state, ACTIVITY, state[STEPPING], 7.0 / root, dt)
    struck = step_feet(state, build, values, shape, speed, dt, row, fit, spot)
    begin_or_end(state, build, speed, struck, spot)
    left, right = FEET_STATE + FIT, FEET_STATE + FOOT_STATE + FIT
    slope = 0.5 * (state[left + 4] + state[right + 4])
    follow(state, SLOPE, slope, 3.0 / root, dt)
    carry(state, build, dt, row)


@entry
def natural_advance(state, build, values, shape, command, dt, row, scratch):
    """Go on by dt [s], in steps of at most a sixtieth; `row` is the frame (walk_frame.py)."""
    count = max(1, math.ceil(dt / LONGEST_STEP_OF_TIME - 1e-9))
    fit, spot, found = scratch[:6], scratch[6:22], scratch[22:24]
    for _ in range(count):
        on(state, build, values, shape, command, dt / count, row, fit, spot, found)


@entry
def natural_reset(state, build, values, shape, x, z, heading, row, scratch):
    """Stand at a place with both feet on the ground."""
    fit, spot = scratch[:6], scratch[6:22]
    state[:] = 0.0
    state[X], state[Z], state[HEADING] = x, z, heading
    state[CYCLE_TIME], state[DUTY] = 1.6 * math.sqrt(build[SCALE]), 0.66
    state[PHASE] = 0.2
    for side in range(2):
        foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
        home(state, build, side, 0.0, 0.0, spot)
        fit_sole(build, values, shape, spot[0], spot[1], spot[2], fit)
        if side == 1:
            beside = state[FEET_STATE + FIT + 1]
            find_foothold(build, values, shape, spot, spot[2], beside, fit)
        for i in range(FIT_SIZE):
            state[foot + FIT + i] = fit[i]
        state[foot + STANDS] = 1.0
        stand(state, foot, build, 0.3, True, row, out)
    carry(state, build, 0.0, row)
