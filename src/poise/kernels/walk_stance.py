"""The feet on the ground: how a sole rolls over heel, ball and toes, and how it leaves."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_frame import (
    BALL,
    BALL_GRIP,
    BALL_ROCKER,
    CONTACT,
    CYCLE,
    HEEL,
    HEEL_GRIP,
    HEEL_ROCKER,
    PITCH,
    ROCKER,
    SOLE_ROCKER,
    SOLE_TURN,
    TOES,
)
from poise.kernels.walk_state import (
    AIM,
    AIM_RATE,
    BALL_Y,
    BALL_Z,
    CYCLE_TIME,
    DUTY,
    FIT,
    FIT_SIZE,
    FLAT_FROM,
    HEEL_OFF,
    HEEL_Y,
    HEEL_Z,
    LAND_PITCH,
    LIFT_PHASE,
    PUSH,
    PUSH_RATE,
    PUSH_SPEED,
    RAISED,
    RAISED_RATE,
    RISE,
    RISE_RATE,
    START,
    START_BALL,
    START_BEND,
    START_SPEED,
    STEPS,
    STRIKE_PITCH,
    SUPPORT_START,
    TOE_RAISE,
    smooth,
    turn_matrix,
)

MOST_TOES = 1.2  # how far the toes bend up [rad]
MOST_RAISED, MOST_RAISED_ON_STEPS = 0.75, 0.5  # pitch of a sole on its ball [rad]
LOOSE = 0.03  # and a point of the sole that is not on the ground


@kernel
def rise_of_heel(y, speed):
    """How far the heel has risen, its speed and bend, y from 0 to 1: ends at 1 with a speed."""
    third, fourth, fifth = 10.0 - 4.0 * speed, 7.0 * speed - 15.0, 6.0 - 3.0 * speed
    return (
        y**3 * (third + y * (fourth + fifth * y)),
        y**2 * (3.0 * third + y * (4.0 * fourth + 5.0 * fifth * y)),
        y * (6.0 * third + y * (12.0 * fourth + 20.0 * fifth * y)),
    )


@kernel
def stance_pitch(state, build, foot, phase):
    """The pitch of a standing sole against the ground, toes up, and how far the heel's rise is."""
    flat_from, heel_off = build[FLAT_FROM], build[HEEL_OFF]
    x = phase / state[DUTY]
    if x < flat_from:
        return state[foot + STRIKE_PITCH] * (1.0 - smooth(x / flat_from)), 0.0
    y = min(max((x - heel_off) / (1.0 - heel_off), 0.0), 1.1)
    return -state[foot + PUSH] * rise_of_heel(y, build[PUSH_SPEED])[0], y


@kernel
def most_raised(state, foot):
    """How far a heel rises for its leg's sake: less where the toes would meet the next step."""
    return MOST_RAISED_ON_STEPS if state[foot + STEPS] > 0.0 else MOST_RAISED


@kernel
def lying_toes(build, pitch):
    """How far the toes bend up to lie on the ground: their joint is above the sole, and goes down
    as the heel rises [rad]."""
    down = max(-pitch, 0.0)
    return min(down + build[TOE_RAISE] * (1.0 - math.cos(down)), MOST_TOES)


@kernel
def place_sole(build, fit, at, bend, row, foot):
    """Write heel, ball and turn of a sole that stands on `fit[at:]`, bent against the ground: about
    the heel when the toes are up, about the ball when the heel is."""
    turn_matrix(fit[at + 3], fit[at + 4], fit[at + 5], 0.0, row, foot + SOLE_TURN)
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    heel, ball, turn = foot + HEEL, foot + BALL, foot + SOLE_TURN
    for i in range(3):
        row[heel + i] = fit[at + i]
        row[ball + i] = fit[at + i] + row[turn + 3 * i + 1] * y + row[turn + 3 * i + 2] * z
    turn_matrix(fit[at + 3], fit[at + 4], fit[at + 5], bend, row, turn)
    for i in range(3):
        way = row[turn + 3 * i + 1] * y + row[turn + 3 * i + 2] * z
        if bend >= 0.0:
            row[ball + i] = row[heel + i] + way
        else:
            row[heel + i] = row[ball + i] - way


@kernel
def stand(state, foot, build, phase, held, row, out):
    """Write the frame of a foot on the ground."""
    row[out + CONTACT] = 1.0
    row[out + CYCLE] = phase
    hold(state, foot, build, 0.0 if held else stance_pitch(state, build, foot, phase)[0], row, out)


@kernel
def hold(state, foot, build, pitch, row, out):
    """Write how a foot at a pitch holds the ground: by heel, sole or ball."""
    place_sole(build, state, foot + FIT, pitch, row, out)
    up, down = pitch > 1e-4, pitch < -1e-4
    row[out + ROCKER] = HEEL_ROCKER if up else (BALL_ROCKER if down else SOLE_ROCKER)
    row[out + HEEL_GRIP] = LOOSE if down else 1.0
    row[out + BALL_GRIP] = LOOSE if up else 1.0
    row[out + TOES] = lying_toes(build, pitch)
    row[out + PITCH] = pitch


@kernel
def lift(state, foot, build, phase, row, out):
    """Leave the ground: remember where, how fast and how bent the way of the heel is."""
    pitch, y = stance_pitch(state, build, foot, phase)
    # Over the whole swing, as fast as the heel rises at the end of the stance.
    swing = (1.0 - phase) / ((1.0 - build[HEEL_OFF]) * state[DUTY])
    swing_time = (1.0 - phase) * state[CYCLE_TIME]
    _, first, second = rise_of_heel(y, build[PUSH_SPEED])
    speed = -state[foot + PUSH] * first * swing
    bend = -state[foot + PUSH] * second * swing**2
    pitch -= state[foot + RAISED]
    speed -= state[foot + RAISED_RATE] * swing_time
    place_sole(build, state, foot + FIT, pitch, row, out)
    for i in range(3):
        state[foot + START + i] = row[out + HEEL + i]
        state[foot + START_BALL + i] = row[out + BALL + i]
        state[foot + START + 3 + i] = state[foot + FIT + 3 + i]
    state[foot + START + 6] = pitch
    state[foot + START_SPEED + 3] = speed
    state[foot + START_BEND + 3] = bend
    # The heel turns about the ball: heel = ball - Ry Rx Rz Rx(-pitch) (0, y, z).
    y, z = build[BALL_Y] - build[HEEL_Y], build[BALL_Z] - build[HEEL_Z]
    turn = out + SOLE_TURN
    for i in range(3):
        up, ahead = row[turn + 3 * i + 1], row[turn + 3 * i + 2]
        first = -(up * z - ahead * y)
        second = up * y + ahead * z
        state[foot + START_SPEED + i] = first * speed
        state[foot + START_BEND + i] = first * bend + second * speed * speed
    state[foot + LIFT_PHASE] = phase
    state[foot + SUPPORT_START] = state[foot + FIT + 1]
    for i in range(FIT_SIZE):
        state[foot + AIM + i] = state[foot + FIT + i]
        state[foot + AIM_RATE + i] = 0.0
    state[foot + RISE], state[foot + RISE_RATE] = 0.0, 0.0


@kernel
def strike(state, foot):
    """Come down: where the foot is aimed is where it stands."""
    for i in range(FIT_SIZE):
        state[foot + FIT + i] = state[foot + AIM + i]
    state[foot + STRIKE_PITCH] = state[foot + LAND_PITCH]
    state[foot + PUSH_RATE] = 0.0
