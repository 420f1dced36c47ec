"""Where the body goes over the ground, how fast, and in what time it takes its steps."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_ground import look_ahead, steepness
from poise.kernels.walk_state import (
    ACTIVITY,
    BALL_Z,
    BLOCKED,
    CADENCE,
    CYCLE_TIME,
    DUTY,
    FEET_STATE,
    FIT,
    FOOT_STATE,
    FREE,
    HAS_HEADING,
    HEADING,
    HEEL_Z,
    PULL,
    RUN,
    RUNNING_WANTED,
    SCALE,
    SPEED,
    STANCE_SHARE,
    STANDS,
    STEEP,
    TURN,
    WANTED_HEADING,
    WANTED_SPEED,
    WANTED_STRIDE,
    WANTED_TURN,
    X,
    Z,
    follow,
    smooth,
    wrapped,
)

GRAVITY = 9.81
HUMAN_LEG = 0.954
MOST_TURN = math.pi / 4.0  # of the body from one step to the next [rad]
FASTEST = 4.5  # of a human [m/s]
FORESIGHT = 0.8  # how long before a slope it slows down [s]
SLOW_BY_STEEPNESS = 0.33  # the speed on a slope of 1 [m/s]


@kernel
def steer(state, build, values, shape, command, dt, found):
    """Speed, turn and place of the body: towards what is wanted, no farther than the ground is."""
    root = math.sqrt(build[SCALE])
    speed = min(max(command[WANTED_SPEED], 0.0), FASTEST * root)
    if command[HAS_HEADING] > 0.0:
        away = wrapped(command[WANTED_HEADING] - state[HEADING])
        turn = 3.0 / root * away
        speed *= min(max(1.25 - abs(away) / 1.2, 0.0), 1.0)
    else:
        turn = command[WANTED_TURN]
    most = 0.85 * MOST_TURN / (0.5 * state[CYCLE_TIME])
    turn = min(max(turn, -most), most)
    state[BLOCKED] = FREE
    if speed > 0.0:
        soon = FORESIGHT * root * state[SPEED]
        steep = steepness(build, values, shape, state[X], state[Z], state[HEADING], soon)
        speed = min(speed, SLOW_BY_STEEPNESS * root / max(steep, 1e-3))
        state[STEEP] += (steep - state[STEEP]) * (1.0 - math.exp(-8.0 * dt / root))
        stopping = (0.55 + 0.75 * state[SPEED] / root) * build[SCALE]
        far = 0.45 * build[SCALE] + stopping
        heading = state[HEADING]
        code = look_ahead(build, values, shape, state[X], state[Z], heading, far, found)
        if code != FREE:
            room = max(found[0] - 0.42 * build[SCALE], 0.0)
            speed = min(speed, 1.6 * room / root)
            if room < 0.06 * build[SCALE]:
                speed = 0.0
                state[BLOCKED] = code
    follow(state, SPEED, speed, (1.7 + 1.5 * state[ACTIVITY]) / root, dt)
    follow(state, TURN, turn, 6.0 / root, dt)
    state[SPEED] = max(state[SPEED], 0.0)
    heading = state[HEADING] + 0.5 * state[TURN] * dt
    go = leash(state, build, max(state[SPEED] + state[PULL], 0.0))
    state[X] += go * math.sin(heading) * dt
    state[Z] += go * math.cos(heading) * dt
    state[HEADING] = wrapped(state[HEADING] + state[TURN] * dt)
    return speed


@kernel
def leash(state, build, speed):
    """How fast the body may go so that no foot on the ground stays too far behind."""
    ahead_x, ahead_z = math.sin(state[HEADING]), math.cos(state[HEADING])
    farthest = 0.0
    for side in range(2):
        foot = FEET_STATE + side * FOOT_STATE
        if state[foot + STANDS] > 0.0:
            heading = state[foot + FIT + 3]
            length = build[BALL_Z] - build[HEEL_Z]
            x = state[X] - state[foot + FIT] - length * math.sin(heading)
            z = state[Z] - state[foot + FIT + 2] - length * math.cos(heading)
            farthest = max(farthest, x * ahead_x + z * ahead_z)
    slack = farthest / build[SCALE] - 0.42 - 0.08 * state[RUN]
    return speed * (1.0 - smooth(slack / 0.14))


@kernel
def keep_time(state, build, command, dt):
    """How long a cycle lasts, how much of it a foot stands, and whether it is a run."""
    root = math.sqrt(build[SCALE])
    leg = HUMAN_LEG * build[SCALE]
    froude = state[SPEED] ** 2 / (GRAVITY * leg)
    if froude > 0.5:
        state[RUNNING_WANTED] = 1.0
    elif froude < 0.42:
        state[RUNNING_WANTED] = 0.0
    follow(state, RUN, state[RUNNING_WANTED], 5.0 / root, dt)
    run = min(max(state[RUN], 0.0), 1.0)
    soon = state[SPEED] + 0.6 * max(min(command[WANTED_SPEED], 2.0 * root) - state[SPEED], 0.0)
    pace = soon / root  # as a human's
    walking = math.sqrt(1.44 + build[CADENCE] * pace)
    running = 2.35 + 0.16 * pace
    turning = 0.35 * min(abs(state[TURN]) * root, 1.5) / (1.0 + 2.0 * pace)
    cadence = (1.0 - run) * (walking + turning) + run * running
    cycle = 2.0 / cadence
    if command[WANTED_STRIDE] > 0.0 and pace > 0.3:
        wanted = command[WANTED_STRIDE] / (build[SCALE] * pace)
        near = smooth((pace - 0.3) / 0.4)
        cycle += near * (min(max(wanted, 0.7 * cycle), 1.45 * cycle) - cycle)
    state[CYCLE_TIME] = cycle * root
    walk_share = build[STANCE_SHARE] - 0.031 * min(pace, 2.2)
    run_share = max(0.46 - 0.03 * pace, 0.3)
    state[DUTY] = (1.0 - run) * walk_share + run * run_share
