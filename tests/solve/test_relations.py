"""Solving with joint groups, linear limits and polygons: they hold at every iterate, and the
answer is the optimum under them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls
from solve.cases import assert_inside_limits, effectors_of, figure_named, goals_at, random_pose

import poise
from poise import JointGroup, LinearLimit, PolygonLimit
from poise.solve import Feature

seeds = st.integers(0, 2**32 - 1)
FIGURES = ("human", "arm", "spider", "every_joint")
METHODS = tuple(name for name, method in poise.methods().items() if method.takes(Feature.RELATIONS))
SHOULDER = np.radians([(-30, -40), (60, -60), (140, -20), (150, 40), (60, 70), (-20, 30)])


def relatable(figure):
    """The DOFs that relations take."""
    chart = {d + k for d, _ in figure.cones for k in range(2)}
    chart |= {
        figure.dof_index(name)
        for name in figure.dof_names
        if name.endswith(("root_rx", "root_ry", "root_rz")) or name.startswith("pendulum_")
    }
    return [d for d in range(len(figure.dofs)) if d not in chart]


def random_relations(figure, rng):
    """Groups, linear limits, an equality and a polygon on random DOFs, that a pose holds."""
    inside = random_pose(figure, rng, inside=0.6).angles
    dofs = rng.permutation(relatable(figure))
    names = [figure.dof_names[d] for d in dofs]
    take = iter(range(len(names)))
    relations = []
    for g in range(rng.integers(0, 3)):
        members = [next(take) for _ in range(2 + g)]
        shares = rng.uniform(0.3, 2.0, len(members)) * rng.choice([-1, 1], len(members))
        offsets = {names[m]: float(inside[dofs[m]]) for m in members}
        shared = dict(zip((names[m] for m in members), map(float, shares), strict=True))
        relations.append(JointGroup(f"group {g}", shared, offsets))
    for i in range(rng.integers(0, 4)):
        members = rng.choice(len(names), size=min(3, len(names)), replace=False)
        factors = rng.normal(size=len(members))
        at = float(factors @ inside[dofs[members]])
        sides = [(at - 0.3, at + 0.2), (at, np.inf), (-np.inf, at), (at, at)][rng.integers(0, 4)]
        named = {names[m]: float(f) for m, f in zip(members, factors, strict=True)}
        relations.append(LinearLimit(f"limit {i}", named, *sides))
    if rng.random() < 0.5:
        a, b = next(take), next(take)
        corners = inside[dofs[[a, b]]] + 0.4 * rng.normal(size=(6, 2))
        corners = np.vstack([corners, 2 * inside[dofs[[a, b]]] - corners])
        relations.append(PolygonLimit("polygon", (names[a], names[b]), corners))
    return relations


def random_case(figure_name, seed):
    """A figure with random relations, and goals that need not be reachable. None if the relations
    leave no room."""
    rng = np.random.default_rng(seed)
    figure = figure_named(figure_name)
    try:
        related = figure.with_relations(*random_relations(figure, rng))
    except poise.FigureError:
        return None
    pose = random_pose(related, rng)
    goals = goals_at(pose, effectors_of(figure_name))
    off = rng.choice([0.0, 0.3])
    goals = [g.moved(g.position + off * rng.normal(size=3)) for g in goals]
    start = related.rest().angles + rng.choice([0.0, 1.0]) * rng.normal(size=len(figure.dofs))
    return related, goals, start


def assert_holds(figure, angles):
    """Boxes and cones to the bit, rows as stored, equalities to 1e-9, groups to the bit."""
    for row in np.atleast_2d(angles):
        assert_inside_limits(figure, row)
        own = np.array([(dof.lower, dof.upper) for dof in figure.dofs])
        assert (row >= own[:, 0]).all()
        assert (row <= own[:, 1]).all()
        for relation in figure.relation_tables.rows:
            value = sum(factor * row[d] for d, factor in relation.factors.items())
            slack = 1e-9 if relation.low == relation.high else 1e-15
            assert relation.low - slack * relation.scale <= value
            assert value <= relation.high + slack * relation.scale
        for follower in figure.relation_tables.followers:
            assert row[follower.dof] == follower.at(row[follower.leader])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("figure_name", FIGURES)
@given(seed=seeds)
@settings(max_examples=25)
def test_relations_hold_at_every_iterate_and_the_value_never_rises(figure_name, method, seed):
    case = random_case(figure_name, seed)
    if case is None:
        return
    figure, goals, start = case
    restarts = 1 if poise.methods()[method].takes(Feature.RESTARTS) else 0
    solution = poise.solve(
        figure, goals, start=start, method=method, max_iterations=60, restarts=restarts, trace=True
    )
    assert_holds(figure, [point.angles for point in solution.trace])
    assert_holds(figure, solution.angles)
    assert solution.pose.is_inside_limits
    if not poise.methods()[method].capabilities.monotone:
        return
    for attempt in {point.attempt for point in solution.trace}:
        values = [point.value for point in solution.trace if point.attempt == attempt]
        assert (np.diff(values) <= 0).all()


def kkt_residual(solution):
    """What of the gradient no force of a limit or relation within 1e-6 explains."""
    figure, n = solution.problem.figure, solution.angles.size
    free = solution.problem.mobility > 0
    normals = []
    for d in range(n):
        if solution.angles[d] <= figure.lower[d] + 1e-6:
            normals.append(-np.eye(n)[d])
        if solution.angles[d] >= figure.upper[d] - 1e-6:
            normals.append(np.eye(n)[d])
    for dof, radius in figure.cones:
        swing = solution.angles[dof : dof + 2]
        if np.hypot(*swing) >= radius - 1e-6:
            normals.append(np.zeros(n))
            normals[-1][dof : dof + 2] = swing / radius
    for row in figure.relation_tables.rows:
        normal = np.zeros(n)
        normal[list(row.factors)] = list(row.factors.values())
        value = normal @ solution.angles
        if value >= row.high - 1e-6:
            normals.append(normal)
        if value <= row.low + 1e-6:
            normals.append(-normal)
    matrix = np.array(normals).T[free] if normals else np.zeros((free.sum(), 1))
    return nnls(matrix, -solution.gradient[free])[1]


@pytest.mark.parametrize("figure_name", FIGURES)
def test_an_unreachable_goal_ends_at_a_proven_optimum(figure_name):
    ended = {}
    for seed in range(60):
        case = random_case(figure_name, seed)
        if case is None:
            continue
        figure, goals, start = case
        solution = poise.solve(figure, goals, start=start)
        assert_holds(figure, solution.angles)
        ended[solution.status] = ended.get(solution.status, 0) + 1
        if solution.status is poise.Status.OPTIMAL:
            assert kkt_residual(solution) <= 1e-4 * max(solution.start_residual, 1e-3)
    assert ended.get(poise.Status.STALLED, 0) <= 0.04 * sum(ended.values())
    assert len(ended) >= 2


def test_a_group_answers_as_the_same_equalities_do():
    """Substitution and equalities are two ways to say the same."""
    human, rng = figure_named("human"), np.random.default_rng(3)
    spine = [f"spine_{i}_flexion" for i in range(1, 6)]
    group = human.with_relations(JointGroup("bend", dict.fromkeys(spine, 1.0)))
    equal = human.with_relations(
        *(LinearLimit(n, {spine[0]: 1.0, n: -1.0}, 0.0, 0.0) for n in spine[1:])
    )
    far = [
        g.moved(g.position + rng.normal(size=3))
        for g in goals_at(random_pose(group, rng), effectors_of("human"))
    ]
    one, other = (poise.solve(figure, far, restarts=0) for figure in (group, equal))
    assert one.status is other.status is poise.Status.OPTIMAL
    assert one.value == pytest.approx(other.value, rel=1e-8)
    np.testing.assert_allclose(
        one.pose.position("left_hand"), other.pose.position("left_hand"), atol=1e-4
    )


def test_members_of_a_group_move_together_by_their_shares():
    human = figure_named("human")
    figure = human.with_relations(JointGroup("bend", {"spine_*_flexion": 1.0}))
    solution = poise.solve(figure, poise.Position("left_hand", (0.1, 0.2, 0.5))).require()
    assert len({solution.pose[f"spine_{i}_flexion"] for i in range(1, 6)}) == 1


def test_a_group_across_two_branches():
    figure = figure_named("human").with_relations(
        JointGroup("elbows", {"left_elbow_flexion": 1.0, "right_elbow_flexion": 1.0}),
        LinearLimit("knees", {"left_knee_flexion": 1.0, "right_knee_flexion": 1.0}, upper=2.0),
    )
    rng = np.random.default_rng(1)
    for _ in range(20):
        goals = goals_at(random_pose(figure, rng), effectors_of("human"))
        solution = poise.solve(figure, goals).require()
        assert solution.pose["left_elbow_flexion"] == solution.pose["right_elbow_flexion"]
    far = [poise.Position("left_hand", (2, 1, 0)), poise.Position("right_hand", (0, 1, 0.3))]
    assert poise.solve(figure, far).status is poise.Status.OPTIMAL


@pytest.mark.parametrize("method", ["auto", "projected-gradient"])
def test_a_chain_takes_a_group_as_one_joint_and_leaves_the_rest(method):
    human = figure_named("human")
    figure = human.with_relations(
        JointGroup("bend", {"spine_*_flexion": 1.0}),
        LinearLimit("lean", {"spine_1_lateral_bending": 1.0, "left_hip_flexion": 0.5}, upper=0.3),
    )
    goal = poise.Position("left_hand", (0.4, 0.8, 0.6), chain=["spine_1_flexion", "left_shoulder*"])
    solution = poise.solve(figure, goal, method=method, max_iterations=50)
    rest = figure.rest()
    moved = {n for n in figure.dof_names if solution.pose[n] != rest[n]}
    assert moved
    assert all(n.startswith("left_shoulder") or n.endswith("_flexion") for n in moved)
    assert {f"spine_{i}_flexion" for i in range(1, 6)} <= moved
    assert solution.pose["left_hip_flexion"] == rest["left_hip_flexion"]


def test_a_frozen_dof_of_a_relation_stays_and_the_others_hold_it():
    figure = figure_named("human").with_relations(
        LinearLimit("sum", {"left_elbow_flexion": 1.0, "left_shoulder_elevation": 1.0}, upper=1.0)
    )
    start = figure.pose({"left_elbow_flexion": 0.9, "left_shoulder_elevation": 0.1})
    goal = poise.Position("left_hand", (0.9, 1.9, 0.1), chain="left_shoulder*")
    solution = poise.solve(figure, goal, start=start)
    assert solution.pose["left_elbow_flexion"] == start["left_elbow_flexion"]
    assert_holds(figure, solution.angles)


def test_a_rigid_member_freezes_its_group():
    figure = (
        figure_named("human")
        .with_rigidity({"spine_3_flexion": 1.0})
        .with_relations(JointGroup("bend", {"spine_*_flexion": 1.0}))
    )
    solution = poise.solve(figure, poise.Position("left_hand", (0.2, 0.4, 0.7)))
    for i in range(1, 6):
        assert solution.pose[f"spine_{i}_flexion"] == figure.rest()[f"spine_{i}_flexion"]


def test_no_member_of_a_group_turns_faster_than_it_may():
    figure = figure_named("human").with_relations(
        JointGroup("nod", {"neck_flexion": 1.0, "head_flexion": 0.25}),
        PolygonLimit(
            "p", ("left_shoulder_elevation", "left_shoulder_horizontal_flexion"), SHOULDER
        ),
    )
    start = figure.rest()
    solver = poise.Solver(
        figure,
        poise.Aim("head", (0.0, 0.3, 1.0)),
        max_velocity={"*": 2.0, "head_flexion": 0.1},
        dt=0.1,
    )
    before = start
    for _ in range(5):
        solution = solver.solve()
        change = solution.pose["head_flexion"] - before["head_flexion"]
        assert abs(change) <= 0.01 * (1 + 1e-12)
        assert_holds(figure, solution.angles)
        before = solution.pose


def test_postures_pull_at_all_members():
    """The leader ends where the weighted sum over the group is least, not at its own target."""
    human = figure_named("human")
    figure = human.with_relations(JointGroup("two", {"neck_flexion": 1.0, "head_flexion": 1.0}))
    wanted = figure.rest().with_angles({"neck_flexion": 0.2, "head_flexion": 0.0})
    solution = poise.solve(figure, poise.Posture(wanted))
    assert solution.pose["neck_flexion"] == pytest.approx(0.1, abs=1e-6)


def test_the_polygon_of_a_shoulder_binds_on_its_edge():
    figure = figure_named("human").with_relations(
        PolygonLimit("p", ("left_shoulder_elevation", "left_shoulder_horizontal_flexion"), SHOULDER)
    )
    chain = "left_shoulder*"
    goal = poise.Position("left_hand", (-0.5, 1.4, -0.3), chain=chain)
    free = poise.solve(figure_named("human"), goal)
    held = poise.solve(figure, goal)
    assert held.status is poise.Status.OPTIMAL
    assert held.value > free.value
    assert_holds(figure, held.angles)


def test_the_same_input_gives_the_same_bits():
    figure, goals, start = random_case("human", 5) or pytest.fail("no case")
    one, other = (poise.solve(figure, goals, start=start) for _ in range(2))
    assert one.angles.tobytes() == other.angles.tobytes()


def test_a_long_snake_with_relations_needs_no_dense_matrix():
    snake = poise.figures.snake(700)
    names = snake.dof_names
    figure = snake.with_relations(
        JointGroup("tail", {names[0]: 1.0, names[1]: 0.5}),
        LinearLimit("bend", {names[4]: 1.0, names[7]: 1.0}, upper=0.01),
    )
    solution = poise.solve(figure, poise.Position("head", (0.0, 5.0, 0.0)), restarts=0)
    assert_holds(figure, solution.angles)
    assert solution.value < poise.Problem(figure, solution.problem.goals).value(figure.rest())
