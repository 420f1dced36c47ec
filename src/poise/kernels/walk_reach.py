"""Legs that are too short: the heel of a hind foot rises, a foot in the air is drawn up, and only
then the pelvis drops."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_frame import (
    BALL,
    CYCLE,
    FEET,
    FOOT_SIZE,
    HEEL,
    PELVIS_AT,
    PELVIS_TURN,
    PITCH,
    SOLE_TURN,
)
from poise.kernels.walk_heel import hip_from_ball, leg_length, raise_for_ankle, raise_for_reach
from poise.kernels.walk_stance import hold, most_raised, place_sole, stance_pitch
from poise.kernels.walk_state import (
    ACTIVITY,
    DROP,
    DROP_RATE,
    DUTY,
    FEET_STATE,
    FIT,
    FOOT_STATE,
    HEEL_Y,
    HEEL_Z,
    HELD,
    HIP_X,
    PUSH_FROM,
    PUSH_KNEE,
    RAISED,
    RAISED_RATE,
    RUN,
    SCALE,
    STANDS,
    STEPS,
    above,
    follow,
    smooth,
)
from poise.kernels.walk_way import swing_share

LEAST_KNEE = math.radians(5.0)
SWING_KNEE = math.radians(12.0)  # while the foot is in the air
RAISED_FROM, RAISED_FULLY = 0.35, 0.65  # shares of a stance between which a heel begins to rise
RECOVERY = 16.0  # how fast a pelvis that dropped comes up again [1/s]
FREED, BOUND_AGAIN = 0.15, 0.75  # shares of a swing between which the foot gives way alone


@kernel
def low_for_legs(state, build, height, dt, row):
    """How high the pelvis can be that should be at a height [m]; moves the feet that can be.

    It drops as it must, and comes up again little by little."""
    longest = leg_length(build, LEAST_KNEE)
    for side in range(2):
        if state[FEET_STATE + side * FOOT_STATE + STANDS] > 0.0:
            raise_for_leg(state, build, side, height, row)
        else:
            draw_up(state, build, side, height, leg_length(build, SWING_KNEE), row)
    lowest = height
    for side in range(2):
        highest = highest_hip(build, side, longest, row)
        lowest -= above(lowest - highest, 0.03 * build[SCALE])
    before = state[DROP]
    follow(state, DROP, 0.0, RECOVERY / math.sqrt(build[SCALE]), dt)
    if height - lowest > state[DROP]:
        state[DROP] = height - lowest
        if dt > 0.0:
            state[DROP_RATE] = (state[DROP] - before) / dt
    return height - state[DROP]


@kernel
def _hip_to_ankle(build, side, height, i, row):
    """A component of the way from hip to ankle, the pelvis at a height [m]."""
    out = FEET + side * FOOT_SIZE
    hip, turn = (1.0 - 2.0 * side) * build[HIP_X], out + SOLE_TURN + 3 * i
    ankle = row[out + HEEL + i] - row[turn + 1] * build[HEEL_Y] - row[turn + 2] * build[HEEL_Z]
    return ankle - (height if i == 1 else row[PELVIS_AT + i]) - row[PELVIS_TURN + 3 * i] * hip


@kernel
def highest_hip(build, side, longest, row):
    """How high the pelvis may be for a leg to reach its foot [m]."""
    x, z = _hip_to_ankle(build, side, 0.0, 0, row), _hip_to_ankle(build, side, 0.0, 2, row)
    square = longest**2 - x * x - z * z
    return _hip_to_ankle(build, side, 0.0, 1, row) + math.sqrt(max(square, 0.05 * longest**2))


@kernel
def draw_up(state, build, side, height, longest, row):
    """Draw a foot in the air to its hip as far as the leg is too short; over steps it keeps to its
    way."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    if state[foot + STEPS] > 0.0:
        return
    s = swing_share(state, foot, row[out + CYCLE])
    free = smooth(s / FREED) * (1.0 - smooth((s - BOUND_AGAIN) / (1.0 - BOUND_AGAIN)))
    x, z = _hip_to_ankle(build, side, height, 0, row), _hip_to_ankle(build, side, height, 2, row)
    y = _hip_to_ankle(build, side, height, 1, row)
    away = math.sqrt(x * x + y * y + z * z)
    share = free * above(away - longest, 0.04 * build[SCALE]) / away
    for point in (out + HEEL, out + BALL):
        row[point] -= share * x
        row[point + 1] -= share * y
        row[point + 2] -= share * z


@kernel
def lateness(state, foot, row, out):
    """From 0 to 1 in the second half of a stance, when it walks."""
    if state[foot + HELD] > 0.0:
        return 0.0
    share = row[out + CYCLE] / state[DUTY] - RAISED_FROM
    return min(state[ACTIVITY], 1.0) * smooth(share / (RAISED_FULLY - RAISED_FROM))


@kernel
def raise_for_leg(state, build, side, height, row):
    """Let the heel of the hind foot rise before the pelvis must drop, and so that the knee of a
    leg that pushes off bends as it should."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    late = lateness(state, foot, row, out)
    if late == 0.0:
        return
    pitch = row[out + PITCH]
    place_sole(build, state, foot + FIT, 0.0, row, out)
    x, y, z = hip_from_ball(build, side, height, row)
    pushed = max(row[out + CYCLE] / state[DUTY] - build[PUSH_FROM], 0.0) / (1.0 - build[PUSH_FROM])
    knee = LEAST_KNEE + (1.0 - min(state[RUN], 1.0)) * build[PUSH_KNEE] * min(pushed, 1.0) ** 2
    needed = above(raise_for_reach(build, x, y, z, leg_length(build, knee)) + pitch, 0.05)
    pitch -= late * (needed - above(needed - most_raised(state, foot) - pitch, 0.1))
    hold(state, foot, build, pitch, row, out)


@kernel
def raise_for_pelvis(state, build, side, dt, row):
    """Let the heel of a standing foot rise as soon as the ankle would bend beyond its range; and
    remember by how much more than on its own way it has risen."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    if state[foot + STANDS] == 0.0:
        state[foot + RAISED], state[foot + RAISED_RATE] = 0.0, 0.0
        return
    pitch = row[out + PITCH]
    place_sole(build, state, foot + FIT, 0.0, row, out)
    x, y, z = hip_from_ball(build, side, row[PELVIS_AT + 1], row)
    needed = min(above(raise_for_ankle(build, x, y, z) + pitch, 0.05), most_raised(state, foot))
    # A foot that has just come down gives way little by little.
    if state[foot + HELD] == 0.0:
        needed *= smooth(row[out + CYCLE] / 0.05)
    pitch -= needed
    own = 0.0
    if state[foot + HELD] == 0.0:
        own = stance_pitch(state, build, foot, row[out + CYCLE])[0]
    # Late in the stance it does not come down again.
    kept = lateness(state, foot, row, out) * state[foot + RAISED]
    kept = min(kept, own + most_raised(state, foot))
    raised = max(own - pitch, kept)
    hold(state, foot, build, own - raised, row, out)
    if dt > 0.0:
        state[foot + RAISED_RATE] = (raised - state[foot + RAISED]) / dt
    state[foot + RAISED] = raised
