"""The bound on how far apart effectors can be: never too small, and exact where it can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joints import JOINTS, random_figure

from poise import joint
from poise.figure.builtin import human
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals import AnyOf, Orientation, Pose6D, Position
from poise.problem.goal_rows import GoalRows
from poise.problem.reach import spans as spans_of_ways


def spans(figure, goals):
    ways = [way for goal in goals for way in GoalRows(figure, goal).ways]
    return spans_of_ways(figure, ways)


def limited(figure, size):
    return figure.with_limits({"*": (-size, size)}) if figure.dofs else figure


@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_no_pose_is_farther_apart(data, seed):
    drawn = st.sampled_from([case for case in JOINTS if not case.joint.kind.startswith("swing")])
    cases = data.draw(st.lists(drawn, min_size=1, max_size=6))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = limited(random_figure(cases, parents, rng), 1.5)
    names = [site.name for site in figure.sites]
    offsets = rng.normal(size=(len(names), 3))
    goals = [Position(n, (0, 0, 0), offset=o) for n, o in zip(names, offsets, strict=True)]
    bound = spans(figure, goals)
    np.testing.assert_allclose(bound, bound.T, rtol=1e-12)
    root = np.asarray(figure.segments[0].offset)
    for _ in range(20):
        pose = figure.pose(rng.uniform(-1.5, 1.5, len(figure.dofs)))
        points = [pose.position(n, o) for n, o in zip(names, offsets, strict=True)]
        for a, one in enumerate(points):
            assert np.linalg.norm(one - root) <= bound[a, a] + 1e-9
            for b, other in enumerate(points):
                if a != b:
                    assert np.linalg.norm(one - other) <= bound[a, b] + 1e-9


def test_a_stretched_chain_reaches_the_bound():
    hinge = joint.revolute("Z", (-2.0, 2.0))
    figure = Figure(
        "chain",
        [
            Segment("a", None, hinge),
            Segment("b", "a", hinge, (1.0, 0.0, 0.0)),
            Segment("c", "b", hinge, (2.0, 0.0, 0.0)),
        ],
    )
    tip = Position("c", (0, 0, 0), offset=(0.5, 0.0, 0.0))
    assert spans(figure, [tip])[0, 0] == pytest.approx(3.5)
    assert spans(figure, [tip, Position("b", (0, 0, 0))])[0, 1] == pytest.approx(2.5)


def test_sliders_add_their_travel():
    slide = joint.prismatic("X", (-0.5, 2.0))
    figure = Figure("rail", [Segment("a", None, slide), Segment("b", "a", offset=(0, 1, 0))])
    assert spans(figure, [Position("b", (0, 0, 0))])[0, 0] == pytest.approx(3.0)
    assert np.isinf(spans(figure.with_limits({"a": (0, np.inf)}), [Position("b", (0, 0, 0))])[0, 0])


def test_a_free_root_reaches_everywhere_but_does_not_part_its_limbs():
    body = human()
    hands = [Position(f"{side}_hand", (0, 0, 0)) for side in ("left", "right")]
    bound = spans(body, hands)
    assert np.isinf(np.diag(bound)).all()
    assert 1.0 < bound[0, 1] < 3.0


def test_only_goals_that_want_a_point_at_a_point_are_bounded():
    body = human()
    goals = [
        Position("head", (0, 0, 0)),
        Orientation("head", y=(0, 1, 0)),
        AnyOf(Position("left_hand", (0, 0, 0)), Position("right_hand", (0, 0, 0))),
        Pose6D("left_hand", (0, 0, 0), np.eye(3)),
    ]
    bound = spans(body, goals)
    finite = np.isfinite(bound)
    expected = np.zeros((5, 5), bool)
    expected[0, 4] = expected[4, 0] = True  # atoms: head, head, two alternatives, left hand
    np.testing.assert_array_equal(finite, expected)
