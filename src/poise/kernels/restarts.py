"""Where to begin again from a local minimum, and when that is proven to be of no use."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.layout import (
    AXES,
    BEST_ANGLES,
    BEST_VALUE,
    COUNTERS,
    GOAL_SPAN,
    GOAL_TARGET,
    GOAL_TOLERANCE,
    GOAL_WEIGHT,
    HALF_RANGE,
    LENGTH,
    MIDDLE,
    MOBILITY,
    PATH_FIRST,
    PATH_RUNS,
    RANDOM,
    RESTARTS_LEFT,
    RESTARTS_USED,
    SCALARS,
    SEGMENT_OFFSET,
    SPREAD,
    START,
    TARGET_SIZE,
    TRIAL,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project

FEW = 6  # restarts that any miss is worth
WRISTS = 3  # restarts that turn wrists: both of the last two wide hinges, the last, the other
WIDE = 0.8 * math.pi  # half the range of a hinge that can take either side of a half-turn
NEAR_MISS = 0.1  # a value below the square of this share of the figure's size


@kernel
def next_random(counters):
    """A number in [0, 1) from a 64-bit xorshift generator."""
    x = counters[RANDOM]
    x ^= x << 13
    x ^= (x >> 7) & 0x1FFFFFFFFFFFFFF
    x ^= x << 17
    counters[RANDOM] = x
    return ((x >> 11) & 0x1FFFFFFFFFFFFF) / 9007199254740992.0


@kernel
def is_turning(axes, d):
    """Whether DOF d turns: its axis has an angular part."""
    n = axes.size // 6
    return axes[3 * n + d] != 0.0 or axes[4 * n + d] != 0.0 or axes[5 * n + d] != 0.0


@kernel
def is_worth_restarting(floats, ints):
    """A near miss is worth many restarts, a wide one only a few."""
    scalars = floats_at(floats, ints, SCALARS)
    near = scalars[BEST_VALUE] < (NEAR_MISS * scalars[LENGTH]) ** 2
    return near or ints_at(ints, COUNTERS)[RESTARTS_USED] < FEW


@kernel
def restart(floats, ints):
    """TRIAL <- the best pose with its wrists turned, then near a random pose around the middle of
    the ranges, with the unlimited DOFs (the root) of the start and of the best pose in turns; after
    a few, some also turn it."""
    counters = ints_at(ints, COUNTERS)
    trial = floats_at(floats, ints, TRIAL)
    best = floats_at(floats, ints, BEST_ANGLES)
    home = floats_at(floats, ints, START)
    middle = floats_at(floats, ints, MIDDLE)
    half_range = floats_at(floats, ints, HALF_RANGE)
    unlimited = floats_at(floats, ints, SPREAD)
    mobility = floats_at(floats, ints, MOBILITY)
    axes = floats_at(floats, ints, AXES)
    counters[RESTARTS_LEFT] -= 1
    counters[RESTARTS_USED] += 1
    if counters[RESTARTS_USED] <= WRISTS and turn_wrists(floats, ints):
        project(floats, ints, trial)
        return
    spread = min(1.0, 0.3 * counters[RESTARTS_USED])
    odd = counters[RESTARTS_USED] % 2 == 1
    turned = counters[RESTARTS_USED] > FEW and counters[RESTARTS_USED] % 3 == 0
    for d in range(trial.size):
        trial[d] = home[d] if odd else best[d]
        if half_range[d] > 0.0:
            aim = middle[d] + spread * (2.0 * next_random(counters) - 1.0) * half_range[d]
            trial[d] = 0.2 * best[d] + 0.8 * aim
        elif unlimited[d] > 0.0:
            trial[d] = home[d] + spread * (2.0 * next_random(counters) - 1.0) * unlimited[d]
        elif turned and mobility[d] > 0.0 and is_turning(axes, d):
            trial[d] += 2.0 * next_random(counters) - 1.0
    project(floats, ints, trial)


@kernel
def turn_wrists(floats, ints):
    """TRIAL <- the best pose with wide hinges of robot arms turned by half a turn, away from the
    limit they are nearer to. Of each goal's chain the last two count. False if there are none.

    An arm mostly fails with its wrist against a limit, where the goal can be reached with the wrist
    the other way round.
    """
    used = ints_at(ints, COUNTERS)[RESTARTS_USED]
    pattern = 3 if used == 1 else used - 1  # 3: both, 1: the last, 2: the other
    first, runs = ints_at(ints, PATH_FIRST), ints_at(ints, PATH_RUNS)
    trial = floats_at(floats, ints, TRIAL)
    best = floats_at(floats, ints, BEST_ANGLES)
    middle = floats_at(floats, ints, MIDDLE)
    half_range = floats_at(floats, ints, HALF_RANGE)
    mobility = floats_at(floats, ints, MOBILITY)
    axes = floats_at(floats, ints, AXES)
    for d in range(trial.size):
        trial[d] = best[d]
    found = False
    for goal in range(first.size - 1):
        seen = 0
        for run in range(first[goal + 1] - 1, first[goal] - 1, -1):
            for d in range(runs[2 * run + 1] - 1, runs[2 * run] - 1, -1):
                wide = half_range[d] >= WIDE and mobility[d] > 0.0
                if wide and seen < 2 and is_turning(axes, d):
                    if (pattern >> seen) % 2 == 1:
                        trial[d] = best[d] - math.copysign(math.pi, best[d] - middle[d])
                        found = True
                    seen += 1
    return found


@kernel
def is_out_of_reach(floats, ints):
    """Whether two goals are farther apart than their effectors can be, or one from the root."""
    span = floats_at(floats, ints, GOAL_SPAN)
    target = floats_at(floats, ints, GOAL_TARGET)
    tolerance = floats_at(floats, ints, GOAL_TOLERANCE)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    root = floats_at(floats, ints, SEGMENT_OFFSET)
    goals = tolerance.size // 2
    for a in range(goals):
        for b in range(a + 1):
            if weight[4 * a] * weight[4 * b] == 0.0:  # a goal that is off is nowhere
                continue
            squared = 0.0
            for c in range(3):
                other = root[c] if a == b else target[TARGET_SIZE * b + c]
                squared += (target[TARGET_SIZE * a + c] - other) ** 2
            slack = tolerance[2 * a] + (0.0 if a == b else tolerance[2 * b])
            if math.sqrt(squared) > span[a * goals + b] + slack:
                return True
    return False
