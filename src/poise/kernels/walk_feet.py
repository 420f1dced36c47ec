"""The feet of the natural gait in the air: the way of a swing, and that it clears the ground."""

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
    PELVIS_AT,
    PITCH,
    ROCKER,
    SOLE_TURN,
    TOES,
)
from poise.kernels.walk_heel import hip_from_ball, raise_for_ankle
from poise.kernels.walk_stance import lying_toes
from poise.kernels.walk_state import (
    AIM,
    AIM_RATE,
    BALL_Y,
    BALL_Z,
    CYCLE_TIME,
    DIP,
    EARLY,
    FEET_STATE,
    FIT,
    FIT_SIZE,
    FOOT_STATE,
    GAIN,
    HEEL_Y,
    HEEL_Z,
    LAND_PITCH,
    LATE,
    LIFT_PHASE,
    LOSS,
    REPLANNED,
    RISE,
    RISE_RATE,
    RISE_WANTED,
    SCALE,
    START,
    START_BALL,
    START_BEND,
    START_SPEED,
    STEPS,
    TOE_RAISE,
    TOE_Z,
    TURN_GAIN,
    TURN_LOSS,
    WANTED_AT,
    above,
    fading,
    follow,
    follow_apart,
    glide,
    smooth,
    turn_matrix,
)

CLEARANCE = 0.018  # of the sole above the ground in the middle of a swing [m]
TOUCH = 0.006  # that a sole may come nearer than that at the ends of a swing [m]
AIRBORNE = 0.002  # how much a foot in the air counts: it never pulls the other one off its place
SAMPLES = 32  # of a swing, in search of what it might hit
PLANNING = 0.05  # the share of a swing in which its way is still open
EDGE = 0.05  # a ground that rises or falls by more than this at once has steps [m]
ASIDE = 0.02  # how far from an edge a sole passes it [m]
HIGHEST_RISE = 0.3  # [m]
LAGS, LAG = 5, 0.08  # how many ways to go up before ahead are tried, and by how much they differ
HANGING, TOES_UP = 0.35, 0.9  # between these shares of a swing over steps the toes come up


@kernel
def swing_way(state, foot, build, s, aim, late, early, rise, spot):
    """spot[0:7] <- heel x, y, z, pitch against the ground, heading, pitch and roll of the ground,
    at s from 0 to 1 of a swing to the place at state[aim:]; spot[7:16] <- the turn of the sole."""
    start, gone = foot + START, smooth(s)
    for i in range(3):
        spot[4 + i] = state[start + 3 + i] + gone * (state[aim + 3 + i] - state[start + 3 + i])
    spot[3] = state[start + 6] + fading(
        s, state[foot + START_SPEED + 3], state[foot + START_BEND + 3]
    )
    turned = state[foot + LAND_PITCH] - state[start + 6]
    if state[foot + STEPS] > 0.0:
        spot[3] += turned * smooth((s - HANGING) / (TOES_UP - HANGING))
        turn_matrix(spot[4], spot[5], spot[6], spot[3], spot, 7)
        way_over_steps(state, foot, build, s, aim, late, early, rise, spot)
    else:
        spot[3] += turned * glide(s, build[TURN_GAIN], build[TURN_LOSS])
        turn_matrix(spot[4], spot[5], spot[6], spot[3], spot, 7)
        way_over_ground(state, foot, build, s, aim, late, early, rise, spot)


@kernel
def way_over_ground(state, foot, build, s, aim, late, early, rise, spot):
    """The heel leaves as fast as it rises, and comes to rest above its place."""
    start = foot + START
    land = state[foot + LAND_PITCH]
    # Where the heel is when the sole comes down: above its flat place if the ball comes first.
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    flat = state[aim + 4]
    bent = flat + min(land, 0.0)
    heel_up = y * (math.cos(flat) - math.cos(bent)) + z * (math.sin(flat) - math.sin(bent))
    heel_on = z * (math.cos(flat) - math.cos(bent)) - y * (math.sin(flat) - math.sin(bent))
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
def way_over_steps(state, foot, build, s, aim, late, early, rise, spot):
    """The ball, which is at rest at either end, goes up before it goes ahead (`late`), and ahead
    before it goes down (`early`)."""
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
        spot[i] -= spot[7 + 3 * i + 1] * y + spot[7 + 3 * i + 2] * z


@kernel
def hang(state, build, side, row):
    """Let the toes of a foot in the air hang as far as its ankle needs, the pelvis where it is."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    s = (row[out + CYCLE] - state[foot + LIFT_PHASE]) / (1.0 - state[foot + LIFT_PHASE])
    x, y, z = hip_from_ball(build, side, row[out + PITCH], row[PELVIS_AT + 1], row)
    bent = above(raise_for_ankle(build, x, y, z) + row[out + PITCH], 0.05)
    bent *= smooth(s / 0.15) * smooth((1.0 - s) / 0.15)
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    cos, sin = math.cos(bent), math.sin(bent)
    for i in range(3):
        at = out + SOLE_TURN + 3 * i
        up, ahead = row[at + 1], row[at + 2]
        row[at + 1], row[at + 2] = up * cos + ahead * sin, ahead * cos - up * sin
        row[out + HEEL + i] = row[out + BALL + i] - row[at + 1] * y - row[at + 2] * z
    row[out + PITCH] -= bent


@kernel
def bump(s):
    """Up to 1 in the middle of a swing, from nothing at its ends."""
    return 64.0 * (s * (1.0 - s)) ** 3


@kernel
def bent_toes(state, foot, build, values, shape, s, spot, ball):
    """How far the toes of a foot in the air bend up so as not to drag [rad]; `ball` is where its
    ball is."""
    toes = build[TOE_Z] - build[BALL_Z]
    if state[foot + STEPS] > 0.0:  # the ground jumps: take the way from level to level
        length = build[BALL_Z] - build[HEEL_Z]
        start = state[foot + FIT + 1] + length * math.sin(state[foot + FIT + 4])
        end = state[foot + AIM + 1] + length * math.sin(state[foot + AIM + 4])
        # Down a step, the foot is above the upper level for long.
        ground = start + (end - start) * smooth(s if end > start else 2.0 * s - 1.0)
    else:
        x, z = ball[0] + toes * math.sin(spot[4]), ball[2] + toes * math.cos(spot[4])
        ground = height_at(values, shape, x, z) - toes * math.sin(spot[5])
    clear = (ball[1] - ground) / toes
    free = 0.85 * math.asin(min(max(clear, 0.0), 1.0))
    return above(lying_toes(build, spot[3]) - free, 0.15)


@kernel
def shortfall(state, foot, build, values, shape, late, early, rise, spot):
    """By how much more the swing must rise so as to clear the ground everywhere [m], and how much
    is missing where no rise helps."""
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    toes = build[TOE_Z] - build[BALL_Z]
    joint = build[TOE_RAISE] * toes
    more, stuck = 0.0, 0.0
    wanted = CLEARANCE * build[SCALE]
    for k in range(2, SAMPLES - 2):
        s = k / SAMPLES
        swing_way(state, foot, build, s, foot + WANTED_AT, late, early, rise, spot)
        lifted = bump(s)
        margin = wanted * lifted - TOUCH * build[SCALE] * (1.0 - lifted)
        aside = ASIDE * build[SCALE] * min(1.0, 3.0 * s * (1.0 - s)) * state[foot + STEPS]
        for i in range(4):
            share = 0.5 * min(i, 2)
            up, on = share * y, share * z
            if i == 3:  # the tip of the toes, which bend up
                ball = (
                    spot[0] + spot[8] * y + spot[9] * z,
                    spot[1] + spot[11] * y + spot[12] * z,
                    spot[2] + spot[14] * y + spot[15] * z,
                )
                bent = bent_toes(state, foot, build, values, shape, s, spot, ball)
                up += toes * math.sin(bent) + joint * (1.0 - math.cos(bent))
                on += toes * math.cos(bent) + joint * math.sin(bent)
            x_there = spot[0] + spot[8] * up + spot[9] * on
            y_there = spot[1] + spot[11] * up + spot[12] * on
            z_there = spot[2] + spot[14] * up + spot[15] * on
            for j in range(2 if aside > 0.0 else 1):
                far = aside * j if i > 1 else -aside * j
                ground = height_at(
                    values,
                    shape,
                    x_there + far * math.sin(spot[4]),
                    z_there + far * math.cos(spot[4]),
                )
                lack = ground + margin - y_there
                if lack > 0.0:
                    if lifted > 0.12:
                        more = max(more, lack / lifted)
                    else:
                        stuck = max(stuck, lack)
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
def plan_swing(state, foot, build, values, shape, spot):
    """STEPS, LATE, EARLY and the rise of a swing that clears the ground: the least that does.

    Gives the rise [m].
    """
    steps = has_steps(state, foot, build, values, shape)
    state[foot + STEPS] = 1.0 if steps else 0.0
    climb = state[foot + WANTED_AT + 1] - state[foot + FIT + 1]
    best, best_late, best_early, best_rise = 1e9, 0.0, 1.0, 0.0
    for k in range(LAGS if steps else 1):
        lag = LAG * k
        late = min(max(climb / (0.1 * build[SCALE]) + 0.5, 0.0), 1.0) * lag
        early = 1.0 - (lag - late)
        rise, stuck = 0.0, 0.0
        for _ in range(4):
            more, stuck = shortfall(state, foot, build, values, shape, late, early, rise, spot)
            rise = min(rise + more, HIGHEST_RISE * build[SCALE])
            if more < 1e-3:
                break
        cost = rise + 0.12 * lag + 4.0 * max(stuck, more)
        if cost < best:
            best, best_late, best_early, best_rise = cost, late, early, rise
    state[foot + LATE], state[foot + EARLY] = best_late, best_early
    return best_rise


@kernel
def steer_swing(state, foot, build, values, shape, s, dt, spot):
    """Where the foot is to come down, and how high it goes, follow what is wanted of it."""
    swing_time = 0.38 * state[CYCLE_TIME]
    late, early = state[foot + LATE], state[foot + EARLY]
    if s < PLANNING:
        state[foot + RISE_WANTED] = plan_swing(state, foot, build, values, shape, spot)
    elif state[foot + REPLANNED] > 0.0:
        rise = state[foot + RISE_WANTED]
        more, _ = shortfall(state, foot, build, values, shape, late, early, rise, spot)
        state[foot + RISE_WANTED] = min(rise + more, HIGHEST_RISE * build[SCALE])
    state[foot + REPLANNED] = 0.0
    if s < PLANNING and state[foot + STEPS] > 0.0:
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
def swing(state, foot, build, values, shape, phase, dt, spot, row, out):
    """Write the frame of a foot in the air; its aim follows what is wanted of it."""
    s = (phase - state[foot + LIFT_PHASE]) / (1.0 - state[foot + LIFT_PHASE])
    steer_swing(state, foot, build, values, shape, s, dt, spot)
    late, early = state[foot + LATE], state[foot + EARLY]
    swing_way(state, foot, build, s, foot + AIM, late, early, state[foot + RISE], spot)
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    for i in range(9):
        row[out + SOLE_TURN + i] = spot[7 + i]
    for i in range(3):
        row[out + HEEL + i] = spot[i]
        row[out + BALL + i] = spot[i] + spot[7 + 3 * i + 1] * y + spot[7 + 3 * i + 2] * z
    row[out + ROCKER], row[out + CONTACT] = NO_ROCKER, 0.0
    row[out + HEEL_GRIP] = row[out + BALL_GRIP] = AIRBORNE + (1.0 - AIRBORNE) * smooth(
        (s - 0.7) / 0.3
    )
    at = out + BALL
    ball = (row[at], row[at + 1], row[at + 2])
    row[out + TOES] = bent_toes(state, foot, build, values, shape, s, spot, ball)
    row[out + CYCLE] = phase
    row[out + PITCH] = spot[3]
