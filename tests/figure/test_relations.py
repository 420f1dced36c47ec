"""Joint groups, linear limits and polygons of a figure: what they mean, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import poise
from poise import FigureError, JointGroup, LinearLimit, PolygonLimit, Segment, joint

SQUARE = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]


def table(*limits):
    """Four slides along X in a row, so that DOFs are just numbers."""
    limits = limits or [(-2.0, 2.0)] * 4
    rests = [min(max(0.0, low), high) for low, high in limits]
    segments = [Segment("base", None)]
    for name, pair, rest in zip("abcd", limits, rests, strict=False):
        slide = joint.prismatic("X", pair, name="x", rest=rest)
        segments.append(Segment(name, segments[-1].name, slide, (0.1, 0, 0)))
    return poise.Figure("table", segments)


def test_a_group_moves_as_one():
    figure = table().with_relations(JointGroup("all", {"a_x": 1.0, "b_x": 2.0, "d_x": -0.5}))
    pose = figure.pose({"a_x": 0.4, "b_x": 0.8, "c_x": 1.0, "d_x": -0.2})
    assert pose.is_inside_limits
    assert not pose.with_angles({"b_x": 0.81}).is_inside_limits
    brought = pose.with_angles({"b_x": 0.9}).clamped()
    assert brought["b_x"] == 2.0 * brought["a_x"]
    assert brought["d_x"] == -0.5 * brought["a_x"]
    assert brought["c_x"] == 1.0


def test_offsets_shift_the_members():
    group = JointGroup("two", {"a_x": 2.0, "b_x": 1.0}, offsets={"a_x": 0.5, "b_x": -0.25})
    figure = table().with_relations(group)
    for q in (-0.6, 0.0, 0.7):
        assert figure.pose({"a_x": 2.0 * q + 0.5, "b_x": q - 0.25}).clamped() == figure.pose(
            {"a_x": 2.0 * q + 0.5, "b_x": q - 0.25}
        )


def test_a_group_goes_as_far_as_its_first_limit():
    group = JointGroup("two", {"a_x": 1.0, "b_x": 4.0})
    figure = table().with_relations(group)
    assert figure.upper[0] == 0.5
    assert figure.lower[0] == -0.5
    assert figure.dofs[0].upper == 2.0


@given(
    ratio=st.floats(-50, 50).filter(lambda x: abs(x) > 1e-3),
    low=st.floats(-3, 0),
    width=st.floats(0.01, 5),
    offset=st.floats(-1, 1),
    q=st.floats(-9, 9),
)
def test_no_follower_leaves_its_own_limits_by_a_bit(ratio, low, width, offset, q):
    group = JointGroup("two", {"a_x": 1.0, "b_x": ratio}, offsets={"b_x": offset})
    limits = ((-8.0, 8.0), (low, low + width))
    try:
        figure = table(*limits).with_relations(group)
    except FigureError:
        return  # nothing left of the group
    pose = figure.pose({"a_x": q}).clamped()
    assert low <= pose["b_x"] <= low + width
    assert pose.is_inside_limits


def test_patterns_name_all_members():
    figure = poise.figures.human().with_relations(JointGroup("s", {"spine_*_flexion": 1.0}))
    assert len(figure.relation_tables.followers) == 4


def test_a_linear_limit_holds_between_its_sides():
    figure = table().with_relations(LinearLimit("sum", {"a_x": 1.0, "b_x": 1.0}, -1.0, 1.5))
    assert figure.pose({"a_x": 1.0, "b_x": 0.5}).is_inside_limits
    far = figure.pose({"a_x": 2.0, "b_x": 1.0}).clamped()
    np.testing.assert_allclose([far["a_x"], far["b_x"]], [1.25, 0.25], atol=1e-11)
    assert far["a_x"] + far["b_x"] <= 1.5


def test_an_equality_holds_to_1e_9():
    figure = table().with_relations(LinearLimit("same", {"a_x": 1.0, "b_x": -3.0}, 0.2, 0.2))
    pose = figure.pose({"a_x": 1.0, "b_x": -1.0, "c_x": 2.0}).clamped()
    assert abs(pose["a_x"] - 3.0 * pose["b_x"] - 0.2) < 1e-9
    assert pose["c_x"] == 2.0


def test_limits_on_followers_act_on_their_leader():
    figure = table().with_relations(
        JointGroup("two", {"a_x": 1.0, "b_x": 2.0}, offsets={"b_x": 0.1}),
        LinearLimit("b and c", {"b_x": 1.0, "c_x": 1.0}, upper=1.0),
    )
    pose = figure.pose({"a_x": 1.0, "b_x": 2.0, "c_x": 1.0}).clamped()
    assert pose["b_x"] + pose["c_x"] <= 1.0 + 1e-15
    assert pose["b_x"] == 2.0 * pose["a_x"] + 0.1


def test_a_polygon_holds_its_two_dofs():
    figure = table().with_relations(PolygonLimit("p", ("a_x", "c_x"), SQUARE))
    pose = figure.pose({"a_x": 1.7, "b_x": 1.7, "c_x": -3.0}).clamped()
    np.testing.assert_allclose([pose["a_x"], pose["b_x"], pose["c_x"]], [1, 1.7, -1], atol=1e-11)
    assert pose["a_x"] <= 1.0


def test_corners_inside_the_hull_do_not_matter():
    polygon = PolygonLimit("p", ("a_x", "b_x"), [*SQUARE, (0.2, 0.3), (0.0, -1.0)])
    assert len(polygon.edges()) == 4


def test_the_rest_pose_holds_the_relations():
    figure = table().with_relations(LinearLimit("off", {"a_x": 1.0, "b_x": 1.0}, lower=1.0))
    rest = figure.rest()
    assert rest.is_inside_limits
    assert rest["a_x"] == pytest.approx(0.5)


def test_relations_survive_changed_copies():
    figure = poise.figures.human().with_relations(JointGroup("s", {"spine_*_flexion": 1.0}))
    for copy in (
        figure.with_rigidity({"spine_*": 0.5}),
        figure.with_limits({"spine_1_flexion": (-0.1, 0.1)}),
        figure.with_sites([]),
        figure.rerooted("left_foot"),
        figure.with_chains({"nod": "neck"}),
    ):
        assert copy.relations == figure.relations
        assert copy.rest().is_inside_limits
    assert figure.without_relations().relations == ()
    assert figure.without_relations("s").relations == ()


def test_relations_survive_other_cones():
    swing = joint.swing_twist(0.5, (-1.0, 1.0))
    segments = [Segment("a", None, swing), Segment("b", "a", joint.revolute("X", (-1.0, 1.0)))]
    group = JointGroup("g", {"a_twist": 1.0, "b": 1.0})
    figure = poise.Figure("two", segments).with_relations(group)
    assert figure.with_cones({"a_swing_x": 0.3}).relations == (group,)


def test_a_relation_of_the_same_name_is_replaced():
    figure = table().with_relations(LinearLimit("sum", {"a_x": 1.0}, upper=1.0))
    changed = figure.with_relations(LinearLimit("sum", {"a_x": 1.0}, upper=0.5))
    assert changed.pose({"a_x": 0.9}).clamped()["a_x"] <= 0.5


REFUSED = {
    "an unknown DOF": (lambda: JointGroup("g", {"a_x": 1.0, "q_x": 1.0}), "unknown DOF.*'q_x'"),
    "no members": (lambda: JointGroup("g", {}), "empty"),
    "a share of 0": (lambda: JointGroup("g", {"a_x": 0.0, "b_x": 1.0}), "must not be 0"),
    "a share that is no number": (lambda: JointGroup("g", {"a_x": math.nan}), "finite"),
    "shares that are no mapping": (lambda: JointGroup("g", ["a_x"]), "names of DOFs"),
    "an open relation": (lambda: LinearLimit("l", {"a_x": 1.0}), "open on both sides"),
    "crossed sides": (lambda: LinearLimit("l", {"a_x": 1.0}, 1.0, 0.0), "lower <= upper"),
    "a side that is NaN": (lambda: LinearLimit("l", {"a_x": 1.0}, math.nan, 0.0), "lower <= upper"),
    "no coefficients": (lambda: LinearLimit("l", {}, 0.0, 1.0), "empty"),
    "a relation out of the boxes' reach": (
        lambda: LinearLimit("l", {"a_x": 1.0, "b_x": 1.0}, lower=5.0),
        "no pose.*'l'.*'a_x', 'b_x'",
    ),
    "coefficients that cancel": (
        lambda: LinearLimit("l", {"a_x": 0.0}, lower=5.0),
        "cancel",
    ),
    "a polygon of two corners": (lambda: PolygonLimit("p", ("a_x", "b_x"), SQUARE[:2]), "three"),
    "a polygon in line": (
        lambda: PolygonLimit("p", ("a_x", "b_x"), [(0, 0), (1, 1), (2, 2)]),
        "no interior",
    ),
    "a polygon on one DOF": (lambda: PolygonLimit("p", ("a_x", "a_x"), SQUARE), "two different"),
    "a polygon with a NaN": (
        lambda: PolygonLimit("p", ("a_x", "b_x"), [(0, 0), (1, math.nan), (1, 1)]),
        "not finite",
    ),
    "a polygon outside the boxes": (
        lambda: PolygonLimit("p", ("a_x", "b_x"), [(5, 5), (6, 5), (6, 6)]),
        "no pose",
    ),
    "something else": (lambda: "a_x", "not a relation"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_relations_are_named(case):
    make, message = REFUSED[case]
    figure = table()
    with pytest.raises(FigureError, match=message):
        figure.with_relations(make())
    assert figure.relations == ()


def test_contradictory_equalities_are_named():
    with pytest.raises(FigureError, match="'one', 'two'"):
        table().with_relations(
            LinearLimit("one", {"a_x": 1.0, "b_x": 1.0}, 0.5, 0.5),
            LinearLimit("two", {"a_x": 2.0, "b_x": 2.0}, 0.7, 0.7),
        )


def test_one_dof_in_two_groups_is_refused():
    with pytest.raises(FigureError, match="'b_x' is in two joint groups, 'one' and 'two'"):
        table().with_relations(
            JointGroup("one", {"a_x": 1.0, "b_x": 1.0}), JointGroup("two", {"b_x": 1.0, "c_x": 1.0})
        )


def test_limits_that_leave_nothing_of_a_group_are_named():
    figure = table((-1.0, 1.0), (1.5, 2.0))
    with pytest.raises(FigureError, match="'b_x' leave nothing of joint group 'two'"):
        figure.with_relations(JointGroup("two", {"a_x": 1.0, "b_x": 1.0}))


@pytest.mark.parametrize("dof", ["root_rx", "root_rz"])
def test_coordinates_of_a_rotation_vector_are_refused(dof):
    with pytest.raises(FigureError, match=f"'{dof}', a coordinate of a rotation vector"):
        poise.figures.human().with_relations(JointGroup("g", {dof: 1.0, "neck_flexion": 1.0}))


def test_swings_of_a_cone_are_refused():
    figure = poise.Figure(
        "boom", [Segment("base", None), Segment("boom", "base", joint.swing_twist(0.5))]
    )
    with pytest.raises(FigureError, match="of a cone"):
        figure.with_relations(LinearLimit("l", {"boom_swing_x": 1.0}, upper=0.1))
