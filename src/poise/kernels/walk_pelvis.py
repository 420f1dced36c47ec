"""How the pelvis rides over the feet: sway, arc, yaw and list, low enough for both legs."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_frame import (
    BALL_GRIP,
    BALL_ROCKER,
    CYCLE,
    FEET,
    FOOT_SIZE,
    HEEL,
    HEEL_GRIP,
    HEEL_ROCKER,
    PELVIS_AT,
    PELVIS_TURN,
    PITCH,
    ROCKER,
    SOLE_TURN,
    TOES,
)
from poise.kernels.walk_stance import LOOSE, lying_toes, place_sole
from poise.kernels.walk_state import (
    ACTIVITY,
    AIM,
    BALL_Z,
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
    HELD,
    HIP_X,
    LARGEST_DORSIFLEXION,
    LIFT_PHASE,
    LOW_RIDE,
    PHASE,
    RUN,
    SCALE,
    SHANK,
    SPEED,
    STANDS,
    THIGH,
    TIPTOE,
    TIPTOE_RATE,
    YIELD,
    YIELD_RATE,
    X,
    Z,
    above,
    low_of,
    smooth,
    turn_matrix,
)
from poise.kernels.walk_steps import foot_phase
from poise.kernels.walk_trunk import dress

GRAVITY = 9.81
MOST_TIPTOE = 0.65  # pitch of a sole on its ball [rad]


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
def highest_hip(build, side, longest, row):
    """How high the pelvis may be for a leg to reach its foot [m]."""
    out = FEET + side * FOOT_SIZE
    hip, turn = (1.0 - 2.0 * side) * build[HIP_X], out + SOLE_TURN
    flat, up = 0.0, 0.0
    for i in range(3):
        ankle = row[out + HEEL + i] - (
            row[turn + 3 * i + 1] * build[HEEL_Y] + row[turn + 3 * i + 2] * build[HEEL_Z]
        )
        if i == 1:
            up = ankle - row[PELVIS_TURN + 3] * hip
        else:
            flat += (row[PELVIS_AT + i] + row[PELVIS_TURN + 3 * i] * hip - ankle) ** 2
    return up + math.sqrt(max(longest**2 - flat, 0.05 * longest**2))


@kernel
def tiptoe(state, build, side, height, longest, dt, row):
    """Let the heel of the hind foot rise before the pelvis must drop."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    if state[foot + STANDS] == 0.0 or state[foot + HELD] > 0.0:
        state[foot + TIPTOE], state[foot + TIPTOE_RATE] = 0.0, 0.0
        return
    late = smooth((row[out + CYCLE] / state[DUTY] - 0.35) / 0.3)
    pitch, raised = row[out + PITCH], 0.0
    length = build[BALL_Z]
    if late > 0.0:
        for _ in range(3):
            lack = height - highest_hip(build, side, longest, row) + raised * length
            most = max(MOST_TIPTOE + pitch, 0.0)
            raised = min(above(lack - 0.015 * build[SCALE], 0.01 * build[SCALE]) / length, most)
            place_sole(build, state, foot + FIT, pitch - late * raised, row, out)
        raised *= late
    if raised > 0.0:
        row[out + PITCH] = pitch - raised
        row[out + ROCKER] = BALL_ROCKER
        row[out + HEEL_GRIP] = LOOSE
        row[out + TOES] = lying_toes(build, pitch - raised)
    if dt > 0.0:
        state[foot + TIPTOE_RATE] = (raised - state[foot + TIPTOE]) / dt
    state[foot + TIPTOE] = raised


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
    # No leg is stretched beyond a knee of 5 degrees.
    longest = math.sqrt(
        build[THIGH] ** 2
        + build[SHANK] ** 2
        + 2.0 * build[THIGH] * build[SHANK] * math.cos(math.radians(5.0))
    )
    for side in range(2):
        tiptoe(state, build, side, height, longest, dt, row)
    for side in range(2):
        allowed = highest_hip(build, side, longest, row)
        height = low_of(height, allowed, 0.004 * scale)
    row[PELVIS_AT + 1] = height
    for side in range(2):
        ease_ankle(state, build, side, dt, row)
    dress(state, active, run, brisk, yaw, listed, lean, row)


@kernel
def ease_ankle(state, build, side, dt, row):
    """Let the heel of a standing foot rise as soon as the ankle would bend beyond its range."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    if state[foot + STANDS] == 0.0:
        state[foot + YIELD], state[foot + YIELD_RATE] = 0.0, 0.0
        return
    hip = (1.0 - 2.0 * side) * build[HIP_X]
    turn, bent = out + SOLE_TURN, 0.0
    pitch = row[out + PITCH]
    most = build[LARGEST_DORSIFLEXION] - 0.055
    thigh, shank = build[THIGH], build[SHANK]
    for _ in range(5):
        ahead, up, square = 0.0, 0.0, 0.0
        for i in range(3):
            ankle = row[out + HEEL + i] - (
                row[turn + 3 * i + 1] * build[HEEL_Y] + row[turn + 3 * i + 2] * build[HEEL_Z]
            )
            way = row[PELVIS_AT + i] + row[PELVIS_TURN + 3 * i] * hip - ankle
            up += way * row[turn + 3 * i + 1]
            ahead += way * row[turn + 3 * i + 2]
            square += way * way
        knee = (square + shank * shank - thigh * thigh) / (2.0 * math.sqrt(square) * shank)
        bend = math.atan2(ahead, up) + math.acos(min(max(knee, -1.0), 1.0))
        bent = (
            min(max(above(bend + bent - most, 0.05), 0.0), 0.7)
            if bent == 0.0
            else min(max(bent + 1.2 * (above(bend + bent - most, 0.05) - bent), 0.0), 0.7)
        )
        place_sole(build, state, foot + FIT, pitch - bent, row, out)
    # A foot that has just come down gives way little by little.
    bent *= smooth(row[out + CYCLE] / 0.05) if state[foot + HELD] == 0.0 else 1.0
    place_sole(build, state, foot + FIT, pitch - bent, row, out)
    if bent > 1e-4:
        pitch -= bent
        row[out + ROCKER] = HEEL_ROCKER if pitch > 1e-4 else BALL_ROCKER
        row[out + HEEL_GRIP] = 1.0 if pitch > 1e-4 else LOOSE
        row[out + BALL_GRIP] = LOOSE if pitch > 1e-4 else 1.0
        row[out + TOES] = lying_toes(build, pitch)
    if dt > 0.0:
        state[foot + YIELD_RATE] = (bent - state[foot + YIELD]) / dt
    state[foot + YIELD] = bent
