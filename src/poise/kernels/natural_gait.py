"""The natural gait, one step of time in one compiled call.

The body goes over the ground as it is told; the feet are planned to meet it in the middle of their
stance, and stay where they came down; the pelvis rides on a smooth arc over both.
"""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.walk_feet import (
    LOOSE,
    lift,
    lying_toes,
    place_sole,
    raise_heel,
    stand,
    strike,
)
from poise.kernels.walk_frame import (
    BALL_GRIP,
    BALL_ROCKER,
    CYCLE,
    DRIVES,
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
from poise.kernels.walk_ground import find_foothold, fit_sole, look_ahead, steepness
from poise.kernels.walk_state import (
    ACTIVITY,
    AIM,
    BALL_Z,
    BEHIND,
    BLOCKED,
    BOUNCE,
    BOUNCE_LEAD,
    CADENCE,
    CYCLE_TIME,
    DIP,
    DIP_DEPTH,
    DUTY,
    FEET_STATE,
    FIT,
    FIT_SIZE,
    FOOT_STATE,
    FREE,
    HAS_HEADING,
    HEADING,
    HEEL_OFF,
    HEEL_Y,
    HEEL_Z,
    HELD,
    HIP_X,
    LAND_PITCH,
    LANDING,
    LARGEST_DORSIFLEXION,
    LIFT_PHASE,
    LOW_RIDE,
    PHASE,
    PLANNED,
    PULL,
    PUSH,
    PUSH_OFF,
    REPLANNED,
    RUN,
    RUNNING_WANTED,
    SCALE,
    SEARCHED,
    SHANK,
    SLOPE,
    SPEED,
    STANCE_SHARE,
    STANDS,
    START,
    STEPPING,
    STRIKE_PITCH,
    THIGH,
    TIPTOE,
    TIPTOE_RATE,
    TURN,
    WANTED_AT,
    WANTED_HEADING,
    WANTED_SPEED,
    WANTED_STRIDE,
    WANTED_TURN,
    YIELD,
    YIELD_RATE,
    X,
    Z,
    above,
    follow,
    low_of,
    smooth,
    turn_matrix,
    wrapped,
)
from poise.kernels.walk_swing import swing

LONGEST_STEP_OF_TIME = 1.0 / 60.0
GRAVITY = 9.81
HUMAN_LEG = 0.954
MOST_TURN = math.pi / 4.0  # of the body from one step to the next [rad]
FASTEST = 4.5  # of a human [m/s]
FIRST_LIFT = 0.36  # share of the cycle at which the first foot to lift begins
SLOW_BY_STEEPNESS = 0.33  # the speed on a slope of 1 [m/s]
MOST_TIPTOE = 0.65  # pitch of a sole on its ball [rad]
MIDDLE_OF_STANCE = 0.46
SETTLED = 0.045  # a foot this near to where it should stand needs no step [m]


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
        steep = steepness(build, values, shape, state[X], state[Z], state[HEADING])
        speed = min(speed, SLOW_BY_STEEPNESS * root / max(steep, 1e-3))
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
    behind = build[SCALE] * (-0.035 - build[BEHIND] * narrow)
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
    """WANTED, the pitch it comes down with and the rise of a foot in the air."""
    foot = FEET_STATE + side * FOOT_STATE
    other = FEET_STATE + (1 - side) * FOOT_STATE
    phase = foot_phase(state, side)
    ahead = (1.0 - phase + MIDDLE_OF_STANCE * state[DUTY]) * state[CYCLE_TIME]
    home(state, build, side, speed, ahead, spot)
    if state[foot + SEARCHED] > 0.0:
        moved = math.hypot(spot[0] - state[foot + PLANNED], spot[1] - state[foot + PLANNED + 1])
        if moved + abs(wrapped(spot[2] - state[foot + PLANNED + 2])) < 0.02 * build[SCALE]:
            return ahead
    shift = find_foothold(build, values, shape, spot, spot[2], state[other + FIT + 1], fit)
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
            and phase >= state[DUTY]
            and phase < 0.97
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
        s = (phase - state[foot + LIFT_PHASE]) / (1.0 - state[foot + LIFT_PHASE])
        if s < 0.55:
            ahead = plan_foot(state, build, values, shape, side, speed, fit, spot)
            pull_on(state, build, side, ahead, dt)
        if s < 0.3:
            state[foot + LAND_PITCH] = land_pitch(state, build, foot, other)
        swing(state, foot, build, values, shape, phase, dt, spot, row, out)
    return struck


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
def carry(state, build, dt, row, spot):
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
    """Let the heel of a foot rise as soon as the ankle would bend beyond its range."""
    foot, out = FEET_STATE + side * FOOT_STATE, FEET + side * FOOT_SIZE
    stands = state[foot + STANDS] > 0.0
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
        before = bent
        wanted = above(bend + bent - most, 0.05)
        bent = min(max(wanted if bent == 0.0 else bent + 1.2 * (wanted - bent), 0.0), 0.7)
        if stands:
            place_sole(build, state, foot + FIT, pitch - bent, row, out)
        else:
            raise_heel(build, bent - before, row, out)
    if not stands:
        s = (row[out + CYCLE] - state[foot + LIFT_PHASE]) / (1.0 - state[foot + LIFT_PHASE])
        raised = bent * smooth(s / 0.15) * smooth((1.0 - s) / 0.15)
        raise_heel(build, raised - bent, row, out)
        row[out + PITCH] = pitch - raised
        state[foot + YIELD], state[foot + YIELD_RATE] = 0.0, 0.0
        return
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


@kernel
def dress(state, active, run, brisk, yaw, listed, lean, row):
    """The upper body: the thorax against the pelvis, arms that lag, a steady head."""
    cycle = 2.0 * math.pi * state[PHASE]
    thorax = active * (0.02 + 0.06 * brisk) * math.cos(cycle - 0.25)
    into = 0.10 * math.tanh(state[TURN])  # the head looks where the turn leads
    slope = math.tanh(state[SLOPE])
    trunk = thorax - yaw
    row[DRIVES] = trunk
    row[DRIVES + 1] = -0.85 * listed
    leaning = 0.02 * active + 0.12 * run + 0.25 * slope
    row[DRIVES + 2] = leaning
    row[DRIVES + 3] = -thorax + into
    row[DRIVES + 4] = -0.15 * listed
    row[DRIVES + 5] = -0.6 * (lean + leaning) + 0.04
    wide = active * (0.06 + 0.25 * brisk + 0.12 * run)
    beat = math.cos(cycle - 0.35)
    row[DRIVES + 6] = -wide * beat + 0.05 * active
    row[DRIVES + 7] = wide * beat + 0.05 * active
    bent = 1.0 * run - 0.06 * active * (1.0 - run)
    flex = active * (0.05 + 0.10 * brisk) * (1.0 - 0.4 * run)
    late = math.cos(cycle - 0.75)
    row[DRIVES + 8] = bent + flex * (1.0 - late)
    row[DRIVES + 9] = bent + flex * (1.0 + late)


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
    carry(state, build, dt, row, spot)


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
    carry(state, build, 0.0, row, spot)
