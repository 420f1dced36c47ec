"""The feet in the air: where they fly, and how high, so as to clear the ground."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.terrain import height_at
from poise.kernels.walk_frame import (
    BALL,
    BALL_GRIP,
    CONTACT,
    CYCLE,
    HEEL,
    HEEL_GRIP,
    NO_ROCKER,
    PITCH,
    ROCKER,
    SOLE_TURN,
    TOES,
)
from poise.kernels.walk_stance import lying_toes
from poise.kernels.walk_state import (
    AIM,
    AIM_RATE,
    BALL_Y,
    BALL_Z,
    CYCLE_TIME,
    DIP,
    EARLY,
    FIT,
    FIT_SIZE,
    GAIN,
    HEEL_Y,
    HEEL_Z,
    LAND_PITCH,
    LATE,
    LIFT_PHASE,
    LOSS,
    REPLANNED,
    RISE,
    RISE_WANTED,
    SCALE,
    SEARCHED,
    START,
    START_BEND,
    START_SPEED,
    STEPS,
    TOE_Z,
    TURN_GAIN,
    TURN_LOSS,
    above,
    fading,
    follow,
    glide,
    smooth,
    turn_matrix,
)

CLEARANCE = 0.018  # of the sole above the ground in the middle of a swing [m]
TOUCH = 0.006  # that a sole may come nearer than that at the ends of a swing [m]
AIRBORNE = 0.002  # how much a foot in the air counts: it never pulls the other one off its place
SAMPLES = 18  # of a swing, in search of what it might hit


@kernel
def swing_heel(state, foot, build, s, aim, aim_at, late, early, rise, spot):
    """spot[0:4] <- heel x, y, z and pitch against the ground in a swing, s from 0 to 1.

    It leaves with the motion of the heel that rises, and comes to rest above its place.
    """
    start = foot + START
    land = state[foot + LAND_PITCH]
    # Where the heel is when the sole comes down: above its flat place if the ball comes first.
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    flat = aim[aim_at + 4]
    bent = flat + min(land, 0.0)
    heel_up = y * (math.cos(flat) - math.cos(bent)) + z * (math.sin(flat) - math.sin(bent))
    heel_on = z * (math.cos(flat) - math.cos(bent)) - y * (math.sin(flat) - math.sin(bent))
    forward = glide((s - late) / (early - late), build[GAIN], build[LOSS])
    gone = smooth(s)
    level = gone if state[foot + STEPS] > 0.0 else forward
    ground = state[foot + FIT + 1]
    spot[1] = ground + (aim[aim_at + 1] - ground) * level
    spot[1] += (state[start + 1] - ground) * (1.0 - gone) + heel_up * gone
    end = aim[aim_at] + heel_on * math.sin(aim[aim_at + 3])
    spot[0] = state[start] + (end - state[start]) * forward
    end = aim[aim_at + 2] + heel_on * math.cos(aim[aim_at + 3])
    spot[2] = state[start + 2] + (end - state[start + 2]) * forward
    for i in range(3):
        spot[i] += fading(s, state[foot + START_SPEED + i], state[foot + START_BEND + i])
    rest = 1.0 - s
    spot[1] += (rise - state[foot + DIP]) * 64.0 * s * s * s * rest * rest * rest
    spot[3] = (
        state[start + 6]
        + fading(s, state[foot + START_SPEED + 3], state[foot + START_BEND + 3])
        + (land - state[start + 6]) * glide(s, build[TURN_GAIN], build[TURN_LOSS])
    )


@kernel
def bent_toes(state, foot, build, values, shape, s, pitch, ball):
    """How far the toes of a foot in the air bend up so as not to drag [rad]; `ball` is where its
    ball is, its heading and the slope below it."""
    toes = build[TOE_Z] - build[BALL_Z]
    if state[foot + STEPS] > 0.0:  # the ground jumps: take the way from level to level
        length = build[BALL_Z] - build[HEEL_Z]
        start = state[foot + FIT + 1] + length * math.sin(state[foot + FIT + 4])
        end = state[foot + AIM + 1] + length * math.sin(state[foot + AIM + 4])
        # Down a step, the foot is above the upper level for long.
        ground = start + (end - start) * smooth(s if end > start else 2.0 * s - 1.0)
    else:
        x, z = ball[0] + toes * math.sin(ball[3]), ball[2] + toes * math.cos(ball[3])
        ground = height_at(values, shape, x, z) - toes * math.sin(ball[4])
    clear = (ball[1] - ground) / toes
    free = 0.85 * math.asin(min(max(clear, 0.0), 1.0))
    return above(lying_toes(build, pitch) - free, 0.15)


@kernel
def shortfall(state, foot, build, values, shape, late, early, rise, spot):
    """By how much more the swing must rise so as to clear the ground everywhere [m]."""
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    length = build[TOE_Z] - build[HEEL_Z]
    most = 0.0
    wanted = CLEARANCE * build[SCALE]
    for k in range(2, SAMPLES - 2):
        s = k / SAMPLES
        swing_heel(state, foot, build, s, state, foot + WANTED_AT, late, early, rise, spot)
        gone = smooth(s)
        heading = state[foot + START + 3] + gone * (
            state[foot + WANTED_AT + 3] - state[foot + START + 3]
        )
        slope = state[foot + START + 4] + gone * (
            state[foot + WANTED_AT + 4] - state[foot + START + 4]
        )
        pitch = spot[3] + slope
        bump = 64.0 * (s * (1.0 - s)) ** 3
        margin = wanted * bump - TOUCH * build[SCALE] * (1.0 - bump)
        before = 0.045 * build[SCALE] * min(1.0, 3.0 * s * (1.0 - s)) * state[foot + STEPS]
        for i in range(4):
            along = z * min(i, 2) / 2.0
            up = spot[1] + along * math.sin(pitch) + y * math.cos(pitch)
            on = along * math.cos(pitch)
            if i == 3:  # the tip of the toes, which bend up
                x_ball, z_ball = spot[0] + on * math.sin(heading), spot[2] + on * math.cos(heading)
                ball = (x_ball, up, z_ball, heading, slope)
                lying = pitch + bent_toes(state, foot, build, values, shape, s, spot[3], ball)
                up += (length - z) * math.sin(lying)
                on += (length - z) * math.cos(lying)
            for far in (on, on + before):
                x_there = spot[0] + far * math.sin(heading)
                z_there = spot[2] + far * math.cos(heading)
                lack = height_at(values, shape, x_there, z_there) + margin - up
                if lack > 0.0:
                    most = max(most, lack / max(bump, 0.12))
    return min(most, 0.6 * build[SCALE])


WANTED_AT = 39  # WANTED of walk_state, under a name of its own beside `wanted`


@kernel
def plan_swing(state, foot, build, values, shape, spot):
    """LATE, EARLY and the rise of a swing that clears the ground: the least that does.

    Gives the rise [m].
    """
    state[foot + STEPS] = state[foot + SEARCHED]
    best, best_late, best_early, best_rise = 1e9, 0.0, 1.0, 0.0
    for choice in range(4):
        late = 0.0 if choice == 0 or choice == 3 else 0.16 * choice
        early = 0.82 if choice == 3 else 1.0
        rise = 0.0
        for _ in range(3):
            more = shortfall(state, foot, build, values, shape, late, early, rise, spot)
            rise += more
            if more < 1e-3:
                break
        cost = rise + 0.12 * late + 0.15 * (1.0 - early)
        if cost < best:
            best, best_late, best_early, best_rise = cost, late, early, rise
        if rise < 0.03 * build[SCALE]:
            break
    state[foot + LATE], state[foot + EARLY] = best_late, best_early
    return best_rise


@kernel
def swing(state, foot, build, values, shape, phase, dt, spot, fit, row, out):
    """Write the frame of a foot in the air; its aim follows what is WANTED of it."""
    s = (phase - state[foot + LIFT_PHASE]) / (1.0 - state[foot + LIFT_PHASE])
    for i in range(FIT_SIZE):
        rate = 20.0 / (0.38 * state[CYCLE_TIME])
        _follow_aim(state, foot, i, rate, dt)
    if s < 0.05:
        state[foot + RISE_WANTED] = plan_swing(state, foot, build, values, shape, spot)
    elif state[foot + REPLANNED] > 0.0:
        late, early, rise = state[foot + LATE], state[foot + EARLY], state[foot + RISE_WANTED]
        more = shortfall(state, foot, build, values, shape, late, early, rise, spot)
        state[foot + RISE_WANTED] = rise + more
    state[foot + REPLANNED] = 0.0
    follow(state, foot + RISE, state[foot + RISE_WANTED], 16.0 / (0.38 * state[CYCLE_TIME]), dt)
    swing_heel(
        state,
        foot,
        build,
        s,
        state,
        foot + AIM,
        state[foot + LATE],
        state[foot + EARLY],
        state[foot + RISE],
        spot,
    )
    gone = smooth(s)
    for i in range(3, 6):
        fit[i] = state[foot + START + i] + gone * (state[foot + AIM + i] - state[foot + START + i])
    turn = out + SOLE_TURN
    turn_matrix(fit[3], fit[4], fit[5], spot[3], row, turn)
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    for i in range(3):
        row[out + HEEL + i] = spot[i]
        row[out + BALL + i] = spot[i] + row[turn + 3 * i + 1] * y + row[turn + 3 * i + 2] * z
    row[out + ROCKER], row[out + CONTACT] = NO_ROCKER, 0.0
    row[out + HEEL_GRIP] = row[out + BALL_GRIP] = AIRBORNE + (1.0 - AIRBORNE) * smooth(
        (s - 0.7) / 0.3
    )
    at = out + BALL
    ball = (row[at], row[at + 1], row[at + 2], fit[3], fit[4])
    row[out + TOES] = bent_toes(state, foot, build, values, shape, s, spot[3], ball)
    row[out + CYCLE] = phase
    row[out + PITCH] = spot[3]
    return s


@kernel
def _follow_aim(state, foot, i, rate, dt):
    from_wanted = state[foot + WANTED_AT + i]
    away, speed = state[foot + AIM + i] - from_wanted, state[foot + AIM_RATE + i]
    fall = math.exp(-rate * dt)
    mixed = (speed + rate * away) * dt
    state[foot + AIM + i] = from_wanted + (away + mixed) * fall
    state[foot + AIM_RATE + i] = (speed - rate * mixed) * fall
