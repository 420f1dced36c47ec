"""When feet leave and come down, and where they should: the steps of the natural gait."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_course import MOST_TURN
from poise.kernels.walk_feet import EDGE, PLANNING, swing
from poise.kernels.walk_frame import FEET, FOOT_SIZE, PITCH
from poise.kernels.walk_ground import find_foothold
from poise.kernels.walk_stance import MOST_RAISED, lift, stand, strike
from poise.kernels.walk_state import (
    ACTIVITY,
    BEHIND,
    CYCLE_TIME,
    DIP,
    DIP_DEPTH,
    DUTY,
    FEET_STATE,
    FIT,
    FIT_SIZE,
    FOOT_STATE,
    HEADING,
    HEEL_OFF,
    HEEL_Z,
    HELD,
    HIP_X,
    LAND_PITCH,
    LANDING,
    LIFT_PHASE,
    PHASE,
    PLANNED,
    PULL,
    PUSH,
    PUSH_OFF,
    REPLANNED,
    RUN,
    SCALE,
    SEARCHED,
    SPEED,
    STANDS,
    START,
    STEEP,
    STEPPING,
    STEPS,
    STRIKE_PITCH,
    TURN,
    WANTED_AT,
    X,
    Z,
    follow,
    smooth,
    wrapped,
)
from poise.kernels.walk_way import swing_share

FIRST_LIFT = 0.36  # share of the cycle at which the first foot to lift begins
MIDDLE_OF_STANCE = 0.46
SETTLED = 0.045  # a foot this near to where it should stand needs no step [m]


@kernel
def foot_phase(state, side):
    return (state[PHASE] + 0.5 * side) % 1.0


@kernel
def home(state, build, side, speed, ahead, spot):
    """spot[0:3] <- x, z and heading where a foot belongs `ahead` [s] from now."""
    root = math.sqrt(build[SCALE])
    rate = 1.6 / root
    share = (1.0 - math.exp(-rate * ahead)) / (rate * ahead) if ahead > 0.0 else 1.0
    way = (speed + (state[SPEED] - speed) * share) * ahead
    turned = min(max(state[TURN] * ahead, -MOST_TURN), MOST_TURN)
    heading = state[HEADING] + 0.5 * turned
    sign = 1.0 - 2.0 * side
    pace = state[SPEED] / root
    narrow = min(pace / 1.0, 1.0)
    apart = build[HIP_X] * (0.9 - 0.32 * narrow - 0.2 * state[RUN])
    # Where it is steep or goes slowly, feet come down farther ahead.
    level = 1.0 - smooth(state[STEEP] / 0.3)
    fast = 0.4 * narrow + 0.6 * level * smooth((pace - 0.95) / 0.35)
    behind = build[SCALE] * (-0.035 - build[BEHIND] * fast)
    then = state[HEADING] + turned
    spot[0] = (
        state[X] + way * math.sin(heading) + sign * apart * math.cos(then) + behind * math.sin(then)
    )
    spot[1] = (
        state[Z] + way * math.cos(heading) - sign * apart * math.sin(then) + behind * math.cos(then)
    )
    spot[2] = then + sign * 0.10 * (1.0 - 0.6 * narrow)


@kernel
def out_of_place(state, build, side, speed, spot):
    """How far a foot is from where it belongs when the body stands [m]."""
    foot = FEET_STATE + side * FOOT_STATE
    home(state, build, side, speed, 0.0, spot)
    heading = state[foot + FIT + 3]
    x = state[foot + FIT] - build[HEEL_Z] * math.sin(heading) - spot[0]
    z = state[foot + FIT + 2] - build[HEEL_Z] * math.cos(heading) - spot[1]
    return math.hypot(x, z) + 0.25 * abs(wrapped(heading - spot[2]))


@kernel
def begin_or_end(state, build, speed, struck, spot):
    """Take the first step, or stay where the last one led."""
    still = speed <= 0.0 and state[SPEED] < 0.04 and abs(state[TURN]) < 0.08
    scale = build[SCALE]
    left = out_of_place(state, build, 0, 0.0, spot)
    right = out_of_place(state, build, 1, 0.0, spot)
    if state[STEPPING] > 0.0:
        near = max(left, right) < SETTLED * scale
        if struck >= 0 and still and near:
            state[STEPPING] = 0.0
        return
    moved = max(left, right) > 1.6 * SETTLED * scale
    if still and not moved:
        return
    if speed <= 0.02 and abs(state[TURN]) < 0.05 and not moved:
        return
    state[STEPPING] = 1.0
    if state[ACTIVITY] > 0.03:
        return  # it has hardly stopped: go on
    first = 0 if left >= right else 1
    if abs(state[TURN]) > 0.05 and abs(left - right) < 0.5 * SETTLED * scale:
        first = 0 if state[TURN] > 0.0 else 1
    state[PHASE] = (FIRST_LIFT + 0.5 * first) % 1.0
    for side in range(2):
        foot = FEET_STATE + side * FOOT_STATE
        state[foot + STRIKE_PITCH] = 0.0
        state[foot + PUSH] = 0.0
        state[foot + HELD] = 0.0 if side == first else 1.0


@kernel
def plan_foot(state, build, values, shape, side, speed, fit, spot):
    """Where a foot in the air is wanted; gives how soon that is the middle of its stance [s]."""
    foot = FEET_STATE + side * FOOT_STATE
    other = FEET_STATE + (1 - side) * FOOT_STATE
    phase = foot_phase(state, side)
    ahead = (1.0 - phase + MIDDLE_OF_STANCE * state[DUTY]) * state[CYCLE_TIME]
    home(state, build, side, speed, ahead, spot)
    under_way = swing_share(state, foot, phase) > PLANNING
    if state[foot + SEARCHED] > 0.0:
        moved = math.hypot(spot[0] - state[foot + PLANNED], spot[1] - state[foot + PLANNED + 1])
        moved += abs(wrapped(spot[2] - state[foot + PLANNED + 2]))
        # On its way over steps it keeps to the one that it goes to.
        patient = under_way and state[foot + STEPS] > 0.0
        if moved < (0.15 if patient else 0.02) * build[SCALE]:
            return ahead
    shift = find_foothold(build, values, shape, spot, spot[2], state[other + FIT + 1], fit)
    if under_way and abs(fit[1] - state[foot + WANTED_AT + 1]) > EDGE * build[SCALE]:
        return ahead  # too late for another level
    state[foot + SEARCHED] = 0.0 if shift == 0.0 else 1.0
    state[foot + REPLANNED] = state[foot + SEARCHED]
    for i in range(3):
        state[foot + PLANNED + i] = spot[i]
    for i in range(FIT_SIZE):
        state[foot + WANTED_AT + i] = fit[i]
    # No full turns between the headings of a swing.
    state[foot + WANTED_AT + 3] = state[foot + START + 3] + wrapped(
        fit[3] - state[foot + START + 3]
    )
    return ahead


@kernel
def pull_on(state, build, side, ahead, dt):
    """Let the body be above its next foothold when that is in the middle of its stance."""
    foot = FEET_STATE + side * FOOT_STATE
    shift = 0.0
    if state[foot + SEARCHED] > 0.0:
        ahead_x, ahead_z = math.sin(state[HEADING]), math.cos(state[HEADING])
        heading = state[foot + WANTED_AT + 3]
        x = state[foot + WANTED_AT] - build[HEEL_Z] * math.sin(heading)
        z = state[foot + WANTED_AT + 2] - build[HEEL_Z] * math.cos(heading)
        shift = (x - state[foot + PLANNED]) * ahead_x + (z - state[foot + PLANNED + 1]) * ahead_z
    state[PULL] = state[PULL] + (shift / ahead - state[PULL]) * (1.0 - math.exp(-12.0 * dt))


@kernel
def land_pitch(state, build, foot, other):
    """The pitch a sole comes down with: heel first on even ground, flat up, ball first down."""
    pace = min(state[SPEED] / math.sqrt(build[SCALE]), 2.0)
    climb = (state[foot + WANTED_AT + 1] - state[other + FIT + 1]) / build[SCALE]
    slope = state[foot + WANTED_AT + 4]
    apart = math.hypot(
        state[foot + WANTED_AT] - state[other + FIT],
        state[foot + WANTED_AT + 2] - state[other + FIT + 2],
    )
    stepped = climb - math.tan(slope) * apart / build[SCALE]
    pitch = build[LANDING] * smooth(pace / 1.4) * (1.0 - 0.55 * state[RUN])
    pitch = max(pitch - 1.1 * max(slope, 0.0), 0.0)
    if state[foot + STEPS] > 0.0:
        pitch = 0.0  # the heel would meet the edge behind it
    if stepped > 0.0:
        return pitch - (pitch + 0.14) * smooth(stepped / 0.12)
    return pitch - (pitch + 0.30) * smooth(-stepped / 0.14)


@kernel
def push_off(state, build, foot, other):
    """By how much the heel has risen when the toes leave."""
    pace = min(state[SPEED] / math.sqrt(build[SCALE]), 3.0)
    climb = abs(state[foot + FIT + 1] - state[other + FIT + 1]) / build[SCALE]
    push = 0.30 + build[PUSH_OFF] * smooth((pace + 0.2) / 1.5)
    return push * (1.0 - 0.35 * smooth(climb / 0.2))


@kernel
def leaves(state, foot, other, phase, row, out):
    """Whether a standing foot lifts: at its time, or as soon as its heel can rise no more while
    the other foot stands."""
    if phase > 0.97:
        return False
    spent = row[out + PITCH] < 0.08 - MOST_RAISED and state[other + STANDS] > 0.0
    return phase >= state[DUTY] or (spent and phase > 0.5)


@kernel
def step_feet(state, build, values, shape, speed, dt, row, fit, spot):
    """Move both feet on; gives the one that struck, or -1."""
    struck = -1
    for side in range(2):
        foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
        other = FEET_STATE + (1 - side) * FOOT_STATE
        phase = foot_phase(state, side)
        if state[foot + STANDS] == 0.0 and phase < 0.5 * state[foot + LIFT_PHASE]:
            strike(state, foot)
            state[foot + STANDS] = 1.0
            struck = side
        elif state[foot + HELD] > 0.0 and phase < 0.5 * state[DUTY]:
            state[foot + HELD] = 0.0
            struck = side
        elif (
            state[foot + STANDS] > 0.0
            and state[foot + HELD] == 0.0
            and state[STEPPING] > 0.0
            and leaves(state, foot, other, phase, row, out)
        ):
            lift(state, foot, build, phase, row, out)
            state[foot + STANDS], state[foot + SEARCHED] = 0.0, 0.0
            state[foot + DIP] = (
                build[DIP_DEPTH] * build[SCALE] * smooth(state[SPEED] / math.sqrt(build[SCALE]))
            )
        if state[foot + STANDS] > 0.0:
            wanted = push_off(state, build, foot, other) if state[STEPPING] > 0.0 else 0.0
            if phase < state[DUTY] * (build[HEEL_OFF] + 0.25) or state[STEPPING] == 0.0:
                follow(state, foot + PUSH, wanted, 9.0, dt)
            if state[STEPPING] == 0.0:
                state[foot + STRIKE_PITCH] *= math.exp(-9.0 * dt)
            stand(state, foot, build, phase, state[foot + HELD] > 0.0, row, out)
            continue
        s = swing_share(state, foot, phase)
        if s < 0.55:
            ahead = plan_foot(state, build, values, shape, side, speed, fit, spot)
            pull_on(state, build, side, ahead, dt)
        if s < 0.3:
            state[foot + LAND_PITCH] = land_pitch(state, build, foot, other)
        swing(state, side, build, values, shape, phase, dt, spot, row)
    return struck
