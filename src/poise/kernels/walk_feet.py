"""The feet of the natural gait in the air: that their way clears the ground, and their frame."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.terrain import height_at
from poise.kernels.walk_frame import (
    BALL,
    BALL_GRIP,
    CONTACT,
    CYCLE,
    FEET,
    FOOT_SIZE,
    HEEL,
    HEEL_GRIP,
    NO_ROCKER,
    PITCH,
    ROCKER,
    SOLE_TURN,
    TOES,
)
from poise.kernels.walk_stance import MOST_TOES, lying_toes
from poise.kernels.walk_state import (
    AIM,
    AIM_RATE,
    BALL_Y,
    BALL_Z,
    CYCLE_TIME,
    EARLY,
    FEET_STATE,
    FIT,
    FIT_SIZE,
    FOOT_STATE,
    HEEL_Y,
    HEEL_Z,
    LATE,
    REPLANNED,
    RISE,
    RISE_RATE,
    RISE_WANTED,
    SCALE,
    START,
    START_BEND,
    START_SPEED,
    STEPS,
    TOE_RAISE,
    TOE_Z,
    WANTED_AT,
    above,
    fading,
    follow,
    follow_apart,
    smooth,
)
from poise.kernels.walk_way import (
    SPOT_GROUND,
    SPOT_PITCH,
    SPOT_TURN,
    bump,
    hip_then,
    swing_share,
    swing_way,
)

CLEARANCE = 0.018  # of the sole above the ground in the middle of a swing [m]
TOUCH = 0.006  # that a sole may come nearer than that at the ends of a swing [m]
ASIDE = 0.02  # how far from an edge a sole passes it [m]
AIRBORNE = 0.002  # how much a foot in the air counts: it never pulls the other one off its place
SAMPLES = 32  # of a swing, in search of what it might hit
PLANNING = 0.05  # the share of a swing in which its way is still open
EDGE = 0.03  # a ground that rises or falls by more than this at once has steps [m]
HIGHEST_RISE = 0.3  # [m]
UNBENT = 0.45  # the share of a swing in which the toes come to rest
LAGS, LAG = 5, 0.08  # how late it goes ahead, and how early it is there: so many, so far apart
LEAST_WAY = 0.6  # that is left for going ahead


@kernel
def bent_toes(state, foot, build, values, shape, s, spot):
    """How far the toes of a foot in the air bend up so as not to drag [rad]."""
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    toes = build[TOE_Z] - build[BALL_Z]
    heading = spot[SPOT_GROUND]
    if state[foot + STEPS] > 0.0:  # the ground jumps: take the way from level to level
        start = state[foot + FIT + 1] + z * math.sin(state[foot + FIT + 4])
        end = state[foot + AIM + 1] + z * math.sin(state[foot + AIM + 4])
        # It leaves the lower level at once, and is above the upper one for long.
        ground = start + (end - start) * smooth((s - 0.25) / 0.4 if end > start else 2.0 * s - 1.0)
    else:
        x_tip = spot[0] + spot[SPOT_TURN + 1] * y + spot[SPOT_TURN + 2] * z
        z_tip = spot[2] + spot[SPOT_TURN + 7] * y + spot[SPOT_TURN + 8] * z
        x_tip, z_tip = x_tip + toes * math.sin(heading), z_tip + toes * math.cos(heading)
        ground = height_at(values, shape, x_tip, z_tip) - toes * math.sin(spot[SPOT_GROUND + 1])
    ball = spot[1] + spot[SPOT_TURN + 4] * y + spot[SPOT_TURN + 5] * z
    down = max(-spot[SPOT_PITCH], 0.0)
    free = (ball - ground) / toes - build[TOE_RAISE] * (1.0 - math.cos(down))
    # They unbend little by little, as the ground allows; at once where they face a step.
    resting = 0.0
    if state[foot + STEPS] == 0.0:
        resting = lying_toes(build, state[foot + START + 6]) * (1.0 - smooth(s / UNBENT))
        resting -= fading(s, state[foot + START_SPEED + 3], state[foot + START_BEND + 3])
    needed = down - math.asin(min(max(free, -1.0), 1.0))
    width = 0.02 + 0.28 * smooth(s / UNBENT)
    return min(resting + above(needed - resting, width), MOST_TOES)


@kernel
def shortfall(state, side, build, values, shape, now, row, spot):
    """By how much more a swing that is at `now` must rise so as to clear the ground everywhere [m],
    and how much is missing where no rise helps."""
    foot = FEET_STATE + side * FOOT_STATE
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    toes = build[TOE_Z] - build[BALL_Z]
    joint = build[TOE_RAISE] * toes
    more, stuck = 0.0, 0.0
    for k in range(2, SAMPLES - 2):
        s = k / SAMPLES
        hip = hip_then(state, build, side, now, s, row)
        swing_way(state, foot, build, s, hip, True, spot)
        lifted = bump(s)
        margin = build[SCALE] * (CLEARANCE * lifted - TOUCH * (1.0 - lifted))
        aside = ASIDE * build[SCALE] * min(1.0, 3.0 * s * (1.0 - s)) * state[foot + STEPS]
        ahead_x, ahead_z = math.sin(spot[SPOT_GROUND]), math.cos(spot[SPOT_GROUND])
        for i in range(4):
            up, on = 0.5 * min(i, 2) * y, 0.5 * min(i, 2) * z
            if i == 3:  # the tip of the toes, which bend up
                bent = bent_toes(state, foot, build, values, shape, s, spot)
                up += toes * math.sin(bent) + joint * (1.0 - math.cos(bent))
                on += toes * math.cos(bent) + joint * math.sin(bent)
            x_there = spot[0] + spot[SPOT_TURN + 1] * up + spot[SPOT_TURN + 2] * on
            y_there = spot[1] + spot[SPOT_TURN + 4] * up + spot[SPOT_TURN + 5] * on
            z_there = spot[2] + spot[SPOT_TURN + 7] * up + spot[SPOT_TURN + 8] * on
            ground = height_at(values, shape, x_there, z_there)
            if aside > 0.0:
                away = aside if i > 1 else -aside
                x_there, z_there = x_there + away * ahead_x, z_there + away * ahead_z
                ground = max(ground, height_at(values, shape, x_there, z_there))
            lack = max(ground + margin - y_there, 0.0)
            if lifted > 0.3:
                more = max(more, lack / lifted)
            else:
                stuck += lack
    return more, stuck


@kernel
def has_steps(state, foot, build, values, shape):
    """Whether the ground jumps between where a foot stood and where it will."""
    start, end = foot + FIT, foot + WANTED_AT
    x, z = state[start], state[start + 2]
    on_x, on_z = state[end] - x, state[end + 2] - z
    way = math.hypot(on_x, on_z)
    length = build[TOE_Z] - build[HEEL_Z]
    count = math.ceil((way + length) / (0.04 * build[SCALE]))
    share = (1.0 + length / max(way, 1e-6)) / count
    before = height_at(values, shape, x, z)
    for k in range(count):
        there = (k + 1) * share
        here = height_at(values, shape, x + there * on_x, z + there * on_z)
        if abs(here - before) > EDGE * build[SCALE]:
            return True
        before = here
    return False


@kernel
def plan_swing(state, side, build, values, shape, now, row, spot):
    """STEPS, LATE, EARLY and RISE_WANTED of a swing that clears the ground: the least that does."""
    foot = FEET_STATE + side * FOOT_STATE
    steps = has_steps(state, foot, build, values, shape)
    state[foot + STEPS] = 1.0 if steps else 0.0
    best, best_late, best_early, best_rise = 1e9, 0.0, 1.0, 0.0
    for k in range(LAGS * LAGS if steps else 1):
        late, early = LAG * (k // LAGS), 1.0 - LAG * (k % LAGS)
        if early - late < LEAST_WAY:
            continue
        state[foot + LATE], state[foot + EARLY], state[foot + RISE_WANTED] = late, early, 0.0
        lack = clear(state, side, build, values, shape, now, row, spot)
        cost = state[foot + RISE_WANTED] + 0.12 * (1.0 - early + late) + 4.0 * lack
        if cost < best:
            best, best_late, best_early = cost, late, early
            best_rise = state[foot + RISE_WANTED]
    state[foot + LATE], state[foot + EARLY] = best_late, best_early
    state[foot + RISE_WANTED] = best_rise


@kernel
def clear(state, side, build, values, shape, now, row, spot):
    """Let a swing rise until it clears the ground; gives what is still missing [m]."""
    foot = FEET_STATE + side * FOOT_STATE
    more, stuck = 0.0, 0.0
    for _ in range(4):
        more, stuck = shortfall(state, side, build, values, shape, now, row, spot)
        if more < 1e-3:
            break
        rise = min(state[foot + RISE_WANTED] + more, HIGHEST_RISE * build[SCALE])
        more -= rise - state[foot + RISE_WANTED]
        state[foot + RISE_WANTED] = rise
    return max(more, stuck)


@kernel
def steer_swing(state, side, build, values, shape, now, dt, row, spot):
    """Where the foot is to come down, and how high it goes, follow what is wanted of it."""
    foot = FEET_STATE + side * FOOT_STATE
    if now < PLANNING:
        plan_swing(state, side, build, values, shape, now, row, spot)
    elif state[foot + REPLANNED] > 0.0:
        clear(state, side, build, values, shape, now, row, spot)
    state[foot + REPLANNED] = 0.0
    swing_time = 0.38 * state[CYCLE_TIME]
    if now < PLANNING and state[foot + STEPS] > 0.0:
        # It has hardly moved yet: there is nothing to be smoothed.
        state[foot + RISE], state[foot + RISE_RATE] = state[foot + RISE_WANTED], 0.0
        for i in range(FIT_SIZE):
            state[foot + AIM + i], state[foot + AIM_RATE + i] = state[foot + WANTED_AT + i], 0.0
        return
    for i in range(FIT_SIZE):
        wanted = state[foot + WANTED_AT + i]
        follow_apart(state, foot + AIM + i, foot + AIM_RATE + i, wanted, 20.0 / swing_time, dt)
    follow(state, foot + RISE, state[foot + RISE_WANTED], 16.0 / swing_time, dt)


@kernel
def swing(state, side, build, values, shape, phase, dt, spot, row):
    """Write the frame of a foot in the air."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    s = swing_share(state, foot, phase)
    steer_swing(state, side, build, values, shape, s, dt, row, spot)
    hip = hip_then(state, build, side, s, s, row)
    swing_way(state, foot, build, s, hip, False, spot)
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    for i in range(9):
        row[out + SOLE_TURN + i] = spot[SPOT_TURN + i]
    for i in range(3):
        at = SPOT_TURN + 3 * i
        row[out + HEEL + i] = spot[i]
        row[out + BALL + i] = spot[i] + spot[at + 1] * y + spot[at + 2] * z
    row[out + ROCKER], row[out + CONTACT] = NO_ROCKER, 0.0
    grip = AIRBORNE + (1.0 - AIRBORNE) * smooth((s - 0.7) / 0.3)
    row[out + HEEL_GRIP] = row[out + BALL_GRIP] = grip
    row[out + TOES] = bent_toes(state, foot, build, values, shape, s, spot)
    row[out + CYCLE] = phase
    row[out + PITCH] = spot[SPOT_PITCH]
