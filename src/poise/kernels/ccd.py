"""Cyclic coordinate descent: one DOF after the other goes where the goals' sum is least.

One sweep runs from the effectors to the root, in the order of the DOFs reversed. What a DOF's axis
depends on lies above it and has not moved yet, so one forward kinematics serves a whole sweep; only
the goals' own points and directions move along (`turns.py`, where each optimum is in closed form).

No DOF makes the value worse, so that it never rises; the DOFs that come first, those next to the
effectors, move most (what HJ says of it). Goals: ‖r - p‖² and c²‖x̂ - g‖², and the rotation of a
Pose6D as half the sum over three axes.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    EVALUATIONS,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_KIND,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_WEIGHT,
    INDICES,
    PHASE,
    RUNNING,
    SCALARS,
    STALLED,
    STATUS,
    TARGET_SIZE,
    TRIAL,
    VALUE,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.potentials import POSE, axis_of, point_of
from poise.kernels.state import copy, differ, evaluate_trial
from poise.kernels.stepping import BEGIN, ENDLESS, end, is_running, reject, start, take
from poise.kernels.turns import PULL_SIZE, move_motion

# INDICES: the number of pulls and of motions; goal and axis of each pull, axis -1 for the point;
# each motion, first and last + 1 of its pulls; and the pulls of all motions.
# VECTORS: the share of its best step that each DOF takes (n), then the pulls.
POINT = -1


@kernel
def set_pull(floats, ints, k, axis, pull):
    """The pull of goal k on its point or one of its axes."""
    kind = ints_at(ints, GOAL_KIND)[k]
    segment = ints_at(ints, GOAL_SEGMENT)[k]
    frames = floats_at(floats, ints, FRAMES)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    target = floats_at(floats, ints, GOAL_TARGET)[TARGET_SIZE * k : TARGET_SIZE * (k + 1)]
    weight = floats_at(floats, ints, GOAL_WEIGHT)[4 * k : 4 * k + 4]
    if axis == POINT:
        x, y, z = point_of(frames, segment, effector, k)
        gx, gy, gz = target[0], target[1], target[2]
        square, is_point = weight[0] * weight[0], 1.0
    else:
        x, y, z = axis_of(frames, segment, effector, k, axis)
        is_point = 0.0
        if kind == POSE:
            gx, gy, gz = target[3 + axis], target[6 + axis], target[9 + axis]
            square = 0.5 * weight[1] * weight[1]
        else:
            gx, gy, gz = target[3 * axis], target[3 * axis + 1], target[3 * axis + 2]
            square = weight[axis] * weight[axis]
    pull[0], pull[1], pull[2] = x, y, z
    pull[3], pull[4], pull[5] = gx, gy, gz
    pull[6], pull[7] = square, is_point


@kernel
def sweep(floats, ints):
    """TRIAL <- ANGLES after every DOF has been moved once. False if none moved."""
    lists = ints_at(ints, INDICES)
    angles = floats_at(floats, ints, ANGLES)
    trial = floats_at(floats, ints, TRIAL)
    vectors = floats_at(floats, ints, VECTORS)
    n, pull_count, motion_count = angles.size, lists[0], lists[1]
    ease, pulls = vectors[:n], vectors[n:]
    copy(angles, trial)
    for i in range(pull_count):
        row = pulls[PULL_SIZE * i : PULL_SIZE * i + PULL_SIZE]
        set_pull(floats, ints, lists[2 + 2 * i], lists[3 + 2 * i], row)
    first = 2 + 2 * pull_count
    carried = lists[first + 3 * motion_count :]
    for j in range(motion_count):
        motion = lists[first + 3 * j]
        which = carried[lists[first + 3 * j + 1] : lists[first + 3 * j + 2]]
        move_motion(floats, ints, motion, which, pulls, ease, trial)
    return differ(trial, angles)


@entry
def advance_ccd(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        if counters[PHASE] == BEGIN or value < scalars[VALUE]:
            take(floats, ints, value, worst, ENDLESS)
        else:  # by rounding: there is nothing left to gain
            reject(floats, ints)
            if counters[STATUS] == RUNNING:
                end(floats, ints, STALLED)
        if counters[STATUS] == RUNNING and not sweep(floats, ints):
            end(floats, ints, STALLED)
    return counters[STATUS]
