"""FABRIK (Aristidou & Lasenby 2011) on a tree of joints with limits.

A node is the centre of a joint that may move, or an effector; a link is what lies between a node
and the one above it, with the length that it has. One iteration:

- forward reaching: effectors are set on their targets, and from there to the root every node is
  put on the line to its old place, a link away from the node below. Where links meet (a sub-base),
  the node goes to the centroid of what they ask for, weighed as their goals are;
- backward reaching: from the root, which stays unless it may slide, each joint is moved to where
  the nodes that it carries come nearest to the places reached, DOF by DOF and inside its limits
  (`turns.py`). On free balls this is what the paper does: it puts the next node on the line to its
  place, a link away. A segment that carries several nodes stays rigid besides.

Two things are added for limits and hinges, which the places reached know nothing of. A link that
its joint could not turn as asked keeps its direction in the next forward reaching, so that the
joints above make up for it. And nodes after next count too (`twist`): the next ones alone leave the
twist of a limb open, which a hinge below needs. Still the value may rise.
"""

from poise.kernels.compiled import entry, kernel
from poise.kernels.layout import (
    ANGLES,
    COUNTERS,
    EVALUATIONS,
    FRAMES,
    GOAL_EFFECTOR,
    GOAL_SEGMENT,
    GOAL_TARGET,
    GOAL_WEIGHT,
    INDICES,
    PARAMETERS,
    PHASE,
    RUNNING,
    SCALARS,
    SEGMENT_AFTER,
    SEGMENT_MOTIONS,
    STALLED,
    STATUS,
    TARGET_SIZE,
    TRIAL,
    VECTORS,
    floats_at,
    ints_at,
)
from poise.kernels.potentials import norm, point_of
from poise.kernels.state import copy, differ, evaluate_trial
from poise.kernels.stepping import BEGIN, PATIENCE, end, is_running, start, take
from poise.kernels.turns import PULL_SIZE, move_motion

# SCALARS of this method.
TWIST = PARAMETERS
# INDICES: the number of joints and of nodes; then NODE_SIZE of each node, joints first, those
# above before those below; then the nodes that joints carry; then 0, 1, 2, …
JOINT_COUNT, NODE_COUNT, FIRST_NODE = range(3)
# A node: its segment or, of an effector, its goal; the node above or -1; and the first of the nodes
# that it carries, the first of those after next, and last + 1.
OF, ABOVE, NEXT, AFTER_NEXT, LAST, NODE_SIZE = range(6)
# VECTORS: the share of its best step that each DOF takes (n); then of each node NODE_FLOATS; then
# the pulls of one joint.
PLACE, REACHED, LINK, WEIGHT, HELD, MOTION, NODE_FLOATS = 0, 3, 6, 7, 8, 9, 21
MISSED = 1e-6  # 1 - the cosine of an angle that counts as missed
PASSENGERS = 4  # rows that only show how a joint has moved: the origin and three axes


@kernel
def set_places(floats, ints, lists, nodes):
    """Where the nodes are, and how long their links."""
    frames = floats_at(floats, ints, FRAMES)
    after = floats_at(floats, ints, SEGMENT_AFTER)
    segment = ints_at(ints, GOAL_SEGMENT)
    effector = floats_at(floats, ints, GOAL_EFFECTOR)
    for i in range(lists[NODE_COUNT]):
        node = lists[FIRST_NODE + NODE_SIZE * i :]
        here = nodes[NODE_FLOATS * i :]
        if i < lists[JOINT_COUNT]:
            f, t = frames[12 * node[OF] :], after[12 * node[OF] + 9 :]
            for c in range(3):
                turned = f[3 * c] * t[0] + f[3 * c + 1] * t[1] + f[3 * c + 2] * t[2]
                here[PLACE + c] = f[9 + c] - turned
        else:
            x, y, z = point_of(frames, segment[node[OF]], effector, node[OF])
            here[PLACE], here[PLACE + 1], here[PLACE + 2] = x, y, z
        if node[ABOVE] >= 0:
            above = nodes[NODE_FLOATS * node[ABOVE] :]
            here[LINK] = norm(here[0] - above[0], here[1] - above[1], here[2] - above[2])


@kernel
def ask(here, above):
    """Ask the node above to be a link away from here, on the line to where it was."""
    x, y, z = above[0] - here[REACHED], above[1] - here[REACHED + 1], above[2] - here[REACHED + 2]
    length = norm(x, y, z)
    if here[HELD] == 1.0 or length < 1e-12 * here[LINK]:  # the link keeps its direction
        x, y, z, length = above[0] - here[0], above[1] - here[1], above[2] - here[2], here[LINK]
    scale = here[LINK] / length if length > 0.0 else 0.0
    above[REACHED] += here[WEIGHT] * (here[REACHED] + scale * x)
    above[REACHED + 1] += here[WEIGHT] * (here[REACHED + 1] + scale * y)
    above[REACHED + 2] += here[WEIGHT] * (here[REACHED + 2] + scale * z)
    above[WEIGHT] += here[WEIGHT]


@kernel
def reach_forward(floats, ints, lists, nodes):
    """From the effectors, set on their targets, to the root."""
    target = floats_at(floats, ints, GOAL_TARGET)
    weight = floats_at(floats, ints, GOAL_WEIGHT)
    for i in range(lists[JOINT_COUNT]):
        here = nodes[NODE_FLOATS * i :]
        here[REACHED] = here[REACHED + 1] = here[REACHED + 2] = here[WEIGHT] = 0.0
    for i in range(lists[NODE_COUNT] - 1, -1, -1):
        node = lists[FIRST_NODE + NODE_SIZE * i :]
        here = nodes[NODE_FLOATS * i :]
        if i >= lists[JOINT_COUNT]:
            here[WEIGHT] = weight[4 * node[OF]] ** 2
            for c in range(3):
                here[REACHED + c] = target[TARGET_SIZE * node[OF] + c]
        else:
            for c in range(3):
                here[REACHED + c] /= here[WEIGHT]
        if node[ABOVE] >= 0:
            ask(here, nodes[NODE_FLOATS * node[ABOVE] :])


@kernel
def set_pulls(lists, nodes, i, twist, pulls):
    """What joint i carries, as if nothing above it had moved. Returns the number of rows.

    MOTION of a joint is where it takes the world: p -> Rp + t, R (9) and t (3).
    """
    node = lists[FIRST_NODE + NODE_SIZE * i :]
    carried = lists[FIRST_NODE + NODE_SIZE * lists[NODE_COUNT] :]
    for row in range(PASSENGERS):
        pull = pulls[PULL_SIZE * row : PULL_SIZE * row + PULL_SIZE]
        for c in range(PULL_SIZE):
            pull[c] = 0.0
        if row > 0:
            pull[row - 1] = 1.0
        else:
            pull[7] = 1.0
    row = PASSENGERS
    for j in range(node[NEXT], node[LAST]):
        other = nodes[NODE_FLOATS * carried[j] :]
        pull = pulls[PULL_SIZE * row : PULL_SIZE * row + PULL_SIZE]
        x, y, z = other[REACHED], other[REACHED + 1], other[REACHED + 2]
        if node[ABOVE] >= 0:  # back by the motion of the joint above
            motion = nodes[NODE_FLOATS * node[ABOVE] + MOTION :]
            x, y, z = x - motion[9], y - motion[10], z - motion[11]
            x, y, z = (
                motion[0] * x + motion[3] * y + motion[6] * z,
                motion[1] * x + motion[4] * y + motion[7] * z,
                motion[2] * x + motion[5] * y + motion[8] * z,
            )
        pull[0], pull[1], pull[2] = other[PLACE], other[PLACE + 1], other[PLACE + 2]
        pull[3], pull[4], pull[5] = x, y, z
        pull[6], pull[7] = other[WEIGHT] * (1.0 if j < node[AFTER_NEXT] else twist), 1.0
        row += 1
    return row


@kernel
def note_held(lists, nodes, i, pulls):
    """HELD of the next nodes: whether joint i could not turn their links as it was asked to."""
    node = lists[FIRST_NODE + NODE_SIZE * i :]
    carried = lists[FIRST_NODE + NODE_SIZE * lists[NODE_COUNT] :]
    own = pulls[PULL_SIZE * PASSENGERS :]
    for j in range(node[NEXT] + 1, node[AFTER_NEXT]):
        pull = pulls[PULL_SIZE * (PASSENGERS + j - node[NEXT]) :]
        x, y, z = pull[0] - own[0], pull[1] - own[1], pull[2] - own[2]
        gx, gy, gz = pull[3] - own[0], pull[4] - own[1], pull[5] - own[2]
        along = x * gx + y * gy + z * gz
        whole = norm(x, y, z) * norm(gx, gy, gz)
        held = along < (1.0 - MISSED) * whole
        nodes[NODE_FLOATS * carried[j] + HELD] = 1.0 if held else 0.0


@kernel
def set_motion(lists, nodes, i, pulls):
    """MOTION of joint i from that of the joint above and from the passengers of its own."""
    node = lists[FIRST_NODE + NODE_SIZE * i :]
    motion = nodes[NODE_FLOATS * i + MOTION :]
    for column in range(4):
        own = pulls[PULL_SIZE * ((column + 1) % 4) :]  # three axes, then the origin
        x, y, z = own[0], own[1], own[2]
        if node[ABOVE] >= 0:
            above = nodes[NODE_FLOATS * node[ABOVE] + MOTION :]
            x, y, z = (
                above[0] * x + above[1] * y + above[2] * z,
                above[3] * x + above[4] * y + above[5] * z,
                above[6] * x + above[7] * y + above[8] * z,
            )
            if column == 3:
                x, y, z = x + above[9], y + above[10], z + above[11]
        if column < 3:
            motion[column], motion[3 + column], motion[6 + column] = x, y, z
        else:
            motion[9], motion[10], motion[11] = x, y, z


@kernel
def reach_backward(floats, ints):
    """Backward reaching: TRIAL <- the joints moved, from the root outwards, towards REACHED."""
    lists = ints_at(ints, INDICES)
    first_motion = ints_at(ints, SEGMENT_MOTIONS)
    trial = floats_at(floats, ints, TRIAL)
    vectors = floats_at(floats, ints, VECTORS)
    twist = floats_at(floats, ints, SCALARS)[TWIST]
    n, count = trial.size, lists[NODE_COUNT]
    ease, nodes = vectors[:n], vectors[n : n + NODE_FLOATS * count]
    pulls = vectors[n + NODE_FLOATS * count :]
    rows = lists[lists.size - pulls.size // PULL_SIZE :]
    copy(floats_at(floats, ints, ANGLES), trial)
    for i in range(lists[JOINT_COUNT]):
        which = rows[: set_pulls(lists, nodes, i, twist, pulls)]
        segment = lists[FIRST_NODE + NODE_SIZE * i + OF]
        for m in range(first_motion[segment + 1] - 1, first_motion[segment] - 1, -1):
            move_motion(floats, ints, m, which, pulls, ease, trial)
        note_held(lists, nodes, i, pulls)
        set_motion(lists, nodes, i, pulls)


@kernel
def reach(floats, ints):
    """TRIAL <- the next iterate. False if it is the same."""
    lists = ints_at(ints, INDICES)
    angles = floats_at(floats, ints, ANGLES)
    trial = floats_at(floats, ints, TRIAL)
    nodes = floats_at(floats, ints, VECTORS)[angles.size :]
    set_places(floats, ints, lists, nodes)
    reach_forward(floats, ints, lists, nodes)
    reach_backward(floats, ints)
    return differ(trial, angles)


@kernel
def release(floats, ints):
    """No link is held yet."""
    n = floats_at(floats, ints, ANGLES).size
    nodes = floats_at(floats, ints, VECTORS)[n:]
    for i in range(ints_at(ints, INDICES)[NODE_COUNT]):
        nodes[NODE_FLOATS * i + HELD] = 0.0


@entry
def advance_fabrik(floats, ints, budget):
    """Run for at most `budget` evaluations. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    limit = counters[EVALUATIONS] + budget
    start(floats, ints)
    if counters[PHASE] == BEGIN:
        release(floats, ints)
    while is_running(ints, limit):
        value, worst = evaluate_trial(floats, ints)
        take(floats, ints, value, worst, PATIENCE)
        if counters[STATUS] == RUNNING and not reach(floats, ints):
            end(floats, ints, STALLED)
    return counters[STATUS]
