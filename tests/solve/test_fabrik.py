"""FABRIK: reaching by hand, several effectors, limits and hinges, and what it cannot do."""

import itertools

import numpy as np
import pytest
from solve.cases import assert_inside_limits, figure_named, iterates, links, stage, trial

import poise
from poise import OptionError, Segment, Site, Status, joint

METHOD = "fabrik"
LENGTHS = (0.5, 0.4, 0.25)
START = np.array([0.3, 0.6, -0.4])
PAPER = {"twist": 0.0}


def nodes_of(angles, lengths):
    """The joints and the tip of a planar arm, as complex numbers."""
    ends = np.cumsum(np.asarray(lengths) * np.exp(1j * np.cumsum(angles)))
    return np.concatenate([[0.0], ends])


def reached(nodes, lengths, target):
    """One iteration as Aristidou & Lasenby print it (their Algorithm 1)."""
    p, root = nodes.copy(), nodes[0]
    p[-1] = target
    for i in reversed(range(len(lengths))):
        p[i] = p[i + 1] + lengths[i] * (p[i] - p[i + 1]) / abs(p[i] - p[i + 1])
    p[0] = root
    for i in range(len(lengths)):
        p[i + 1] = p[i] + lengths[i] * (p[i + 1] - p[i]) / abs(p[i + 1] - p[i])
    return p


@pytest.mark.parametrize("lengths", [(0.6, 0.5), LENGTHS], ids=["two links", "three links"])
@pytest.mark.parametrize("target", [0.35 + 0.6j, 2.0 + 0.5j], ids=["near", "out of reach"])
def test_on_free_hinges_it_is_the_paper_s_algorithm(lengths, target):
    goal = poise.Position("tip", (target.real, target.imag, 0.0))
    made = iterates(METHOD, links(*lengths), goal, START[: len(lengths)], 4, **PAPER)
    assert len(made) >= 4
    for before, after in itertools.pairwise(made):
        expected = reached(nodes_of(before, lengths), lengths, target)
        np.testing.assert_allclose(nodes_of(after, lengths), expected, atol=1e-12)


def test_a_sub_base_goes_to_the_centroid_of_what_its_links_ask_for():
    """A trunk of 1 m with two arms of 0.5 m, in the plane; one iteration by hand."""
    turn = joint.revolute("Z")
    segments = [
        Segment("base", None),
        Segment("trunk", "base", turn),
        Segment("left", "trunk", turn, (0, 1, 0)),
        Segment("right", "trunk", turn, (0, 1, 0)),
    ]
    sites = [Site("l", "left", (0, 0.5, 0)), Site("r", "right", (0, 0.5, 0))]
    figure = poise.Figure("Y", segments, sites)
    targets = {"l": -0.2 + 1.4j, "r": 0.6 + 1.2j}
    weights = {"l": 1.0, "r": 3.0}
    goals = [
        poise.Position(name, (g.real, g.imag, 0.0), weight=weights[name])
        for name, g in targets.items()
    ]
    angles = {"trunk": 0.1, "left": 0.4, "right": -0.5}
    after = iterates(METHOD, figure, goals, figure.pose(angles), 1, **PAPER)[1]
    neck = 1j * np.exp(0.1j)  # both arms are on it: two nodes at one place
    asked = {name: g + 0.5 * (neck - g) / abs(neck - g) for name, g in targets.items()}
    neck_at = 1j * np.exp(1j * after[0])
    centroid = sum(weights[name] * asked[name] for name in targets) / 4.0
    assert after[0] == pytest.approx(np.angle(centroid * np.conj(1j)), abs=1e-12)
    for i, name in enumerate(targets, 1):
        arm = targets[name] - neck_at
        assert np.exp(1j * (after[0] + after[i])) * 1j == pytest.approx(arm / abs(arm), abs=1e-12)


def test_a_root_that_slides_follows():
    solution = poise.solve(
        stage((-9, 9), (-9, 9)), poise.Position("table", (3, -2, 0)), method=METHOD
    )
    assert solution.reached
    np.testing.assert_allclose(solution.angles, (3, -2), atol=1e-9)
    held = poise.solve(stage((-1, 1), (-9, 9)), poise.Position("table", (3, -2, 0)), method=METHOD)
    np.testing.assert_allclose(held.angles, (1, -2), atol=1e-9)
    assert held.status is Status.OPTIMAL


@pytest.mark.parametrize(("name", "least"), [("arm", 18), ("snake", 18), ("human", 12)])
def test_it_reaches_most_goals_inside_the_limits(name, least):
    """Random poses from random poses, six goals for the human; hinges and limits everywhere."""
    count = 0
    for seed in range(20):
        figure, goals, start = trial(name, "position", seed)
        solution = poise.solve(figure, goals, start=start, method=METHOD, max_iterations=1000)
        assert_inside_limits(figure, solution.angles)
        count += solution.reached
    assert count >= least


def test_a_link_that_cannot_turn_keeps_its_direction():
    """A wrist at its limit: the arm must bring the hand there, not the hand itself."""
    segments = [
        Segment("base", None),
        Segment("upper", "base", joint.revolute("Z")),
        Segment("fore", "upper", joint.revolute("Z", (0.0, 2.5), rest=0.5), (0.3, 0, 0)),
        Segment("hand", "fore", joint.revolute("Z", (-0.05, 0.05)), (0.25, 0, 0)),
    ]
    figure = poise.Figure("stiff wrist", segments, [Site("tip", "hand", (0.2, 0, 0))])
    start = figure.pose({"upper": 0.2, "fore": 0.3})
    aim = figure.pose({"upper": -0.5, "fore": 2.1, "hand": 0.04}).position("tip")
    solution = poise.solve(figure, poise.Position("tip", aim), start=start, method=METHOD)
    assert solution.reached


def test_hinges_below_a_ball_need_the_twist():
    """By the next nodes alone the twist of a shoulder stays, and an elbow cannot bend there."""
    reached = {0.0: 0, 1.0: 0}
    for twist, seed in itertools.product(reached, range(12)):
        figure, goals, start = trial("arm", "position", seed)
        solution = poise.solve(
            figure, goals, start=start, method=METHOD, parameters={"twist": twist}
        )
        reached[twist] += solution.reached
    assert reached[1.0] > reached[0.0]


def test_it_says_what_it_cannot_take():
    arm, rest = figure_named("arm"), figure_named("arm").rest()
    at, rotation = rest.position("hand"), rest.rotation("hand")
    for goal in (poise.Pose6D("hand", at, rotation), poise.Orientation("hand", rotation)):
        with pytest.raises(OptionError, match=f"'fabrik' cannot take {type(goal).__name__}"):
            poise.solve(arm, goal, method=METHOD)
    tip = poise.Position("tip", (0.0, 1.0, 0.0))
    with pytest.raises(OptionError, match="slide below others that move"):
        poise.solve(figure_named("every_joint"), tip, method=METHOD)
    stiff = arm.with_rigidity({"elbow_flexion": 0.5})
    with pytest.raises(OptionError, match=r"joints that are stiff \('elbow_flexion'"):
        poise.solve(stiff, poise.Position("hand", at), method=METHOD)
