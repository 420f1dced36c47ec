import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import poise
from poise import joint
from poise.errors import FigureError
from poise.figure.builtin import arm, human
from poise.figure.figure import Figure
from poise.figure.relations import LinearLimit
from poise.figure.segment import Segment, Site

INF = np.inf


@pytest.fixture(scope="module")
def body():
    return human()


def branched():
    """root -> (left -> (left_tip), right), with limits of every sort."""
    return Figure(
        "branched",
        [
            Segment("root", None, joint.planar(limits=[(-1, 1), (-INF, 2), (-INF, INF)])),
            Segment("left", "root", joint.revolute("X", (0.2, 1.0), rest=0.4), (1, 0, 0)),
            Segment("left_tip", "left", joint.fixed(), (0, 1, 0)),
            Segment("right", "root", joint.swing_twist(0.5, (-0.3, 0.1)), (-1, 0, 0)),
        ],
        [Site("hook", "left_tip", (0, 0.5, 0)), Site("left", "right", (0, 0, 0.5))],
        up="Z",
    )


# -- order and names ---------------------------------------------------------------------------


@given(data=st.data(), count=st.integers(1, 12))
def test_segments_are_depth_first_with_siblings_in_the_order_given(data, count):
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, count)]
    given_order = data.draw(st.permutations(range(count)))
    made = [Segment(f"s{i}", None if p is None else f"s{p}") for i, p in enumerate(parents)]
    figure = Figure("tree", [made[i] for i in given_order])

    def walk(i):
        children = [j for j in given_order if parents[j] == i]
        return [i] + [k for child in children for k in walk(child)]

    assert figure.segment_names == tuple(f"s{i}" for i in walk(0))
    for segment, parent in zip(figure.segments, figure.parents, strict=True):
        assert segment.parent == (None if parent < 0 else figure.segment_names[parent])


def test_dofs_follow_the_segments():
    figure = branched()
    assert figure.dof_names == (
        *("root_slide_1", "root_slide_2", "root_turn", "left"),
        *("right_swing_x", "right_swing_y", "right_twist"),
    )
    assert [dof.name for dof in figure.dofs[3:]] == ["", "swing_x", "swing_y", "twist"]
    np.testing.assert_array_equal(figure.lower, [-1, -INF, -INF, 0.2, -0.5, -0.5, -0.3])
    np.testing.assert_array_equal(figure.upper, [1, 2, INF, 1.0, 0.5, 0.5, 0.1])
    np.testing.assert_array_equal(figure.rigidity, np.zeros(7))
    assert figure.cones == ((4, 0.5),)


def test_indices_find_what_the_names_say():
    figure = branched()
    assert [figure.dof_index(name) for name in figure.dof_names] == list(range(7))
    assert [figure.segment_index(name) for name in figure.segment_names] == list(range(4))


def test_a_site_goes_before_a_segment_of_the_same_name():
    figure = branched()
    assert figure.effector_names == ("hook", "left", "root", "left_tip", "right")
    assert figure.effector("left").segment == "right"
    alone = figure.effector("right")
    assert alone.segment == "right"
    np.testing.assert_array_equal(alone.offset, np.zeros(3))


@pytest.mark.parametrize(
    ("lookup", "wrong", "near"),
    [
        (Figure.dof_index, "left_elbow_flexon", "left_elbow_flexion"),
        (Figure.segment_index, "left_forarm", "left_forearm"),
        (Figure.effector, "left_hnd", "left_hand"),
        (Figure.match_dofs, "left_elbow_flexon", "left_elbow_flexion"),
    ],
)
def test_unknown_names_are_answered_with_near_ones(body, lookup, wrong, near):
    with pytest.raises(FigureError, match=f"unknown .* of human '{wrong}'; did you mean '{near}'"):
        lookup(body, wrong)


def test_patterns_match_dofs_by_shell_rules(body):
    assert body.match_dofs("*") == list(range(71))
    assert body.match_dofs("root_*") == list(range(6))
    spine = [i for i, name in enumerate(body.dof_names) if name.startswith("spine_")]
    assert body.match_dofs("spine_*") == spine
    both = body.match_dofs(["left_elbow_*", "head_*", "left_elbow_flexion"])
    assert both == sorted({*body.match_dofs("head_*"), *body.match_dofs("left_elbow_*")})
    assert body.match_dofs("[lr]*_elbow_flexion") == sorted(
        body.dof_index(f"{side}_elbow_flexion") for side in ("left", "right")
    )
    assert body.match_dofs([]) == []


def test_a_list_with_one_pattern_that_matches_nothing_is_an_error(body):
    with pytest.raises(FigureError, match="'nothing_\\*'"):
        body.match_dofs(["spine_*", "nothing_*"])


def test_patterns_respect_case(body):
    with pytest.raises(FigureError):
        body.match_dofs("SPINE_*")


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([], "at least one segment"),
        ([("a", None), ("b", None)], "exactly one root.*found 'a', 'b'"),
        ([("a", "b"), ("b", "a")], "exactly one root.*found none"),
        ([("a", "a")], "exactly one root.*found none"),
        ([("a", None), ("b", "c"), ("c", "b")], "'b' is its own ancestor"),
        ([("a", None), ("b", "b")], "'b' is its own ancestor"),
        ([("pelvis", None), ("b", "pelvsi")], "unknown parent of segment 'b'.*'pelvis'"),
        ([("a", None), ("b", "a"), ("b", "a")], "segment name 'b'.*twice"),
        ([("a", None), ("a", "a")], "segment name 'a'.*twice"),
        ([("a", None), ("b", "a"), ("b", "b")], "segment name 'b'.*twice"),
        ([("a", None), ("a", None)], "segment name 'a'.*twice"),
    ],
)
def test_what_is_not_a_tree_is_refused(segments, message):
    with pytest.raises(FigureError, match=message):
        Figure("f", [Segment(*names) for names in segments])


def test_equal_names_of_dofs_are_refused():
    segments = [
        Segment("a", None, joint.revolute("X"), joint_name="hinge"),
        Segment("b", "a", joint.revolute("Y"), joint_name="hinge"),
    ]
    with pytest.raises(FigureError, match="DOF name 'hinge' of figure 'f' is used twice"):
        Figure("f", segments)


def test_equal_names_of_sites_are_refused():
    with pytest.raises(FigureError, match="site name 'tip' of figure 'f' is used twice"):
        Figure("f", [Segment("a", None)], [Site("tip", "a"), Site("tip", "a")])


def test_a_site_on_an_unknown_segment_is_refused():
    with pytest.raises(FigureError, match="unknown segment of f 'hnad'; did you mean 'hand'"):
        Figure("f", [Segment("hand", None)], [Site("tip", "hnad")])


@pytest.mark.parametrize("up", ["X", "y", "", None])
def test_up_is_y_or_z(up):
    with pytest.raises(FigureError, match="not 'Y' or 'Z'"):
        Figure("f", [Segment("a", None)], up=up)


# -- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lower", "upper", "rigidity", "middle_angles"])
def test_arrays_are_read_only(body, name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(body, name)[0] = 0.0


@pytest.mark.parametrize(
    "name", ["segments", "sites", "dofs", "dof_names", "segment_names", "parents"]
)
def test_lists_are_tuples(body, name):
    assert isinstance(getattr(body, name), tuple)


def test_the_callers_lists_are_not_kept():
    segments, sites = [Segment("a", None)], [Site("tip", "a")]
    figure = Figure("f", segments, sites)
    segments.clear()
    sites.clear()
    assert (len(figure.segments), len(figure.sites)) == (1, 1)


def test_rest_and_middle():
    figure = branched()
    np.testing.assert_array_equal(figure.rest().angles, [0, 0, 0, 0.4, 0, 0, 0])
    np.testing.assert_allclose(figure.middle().angles, [0, 0, 0, 0.6, 0, 0, -0.1], atol=1e-15)


# -- poses from mappings -----------------------------------------------------------------------


def test_a_mapping_sets_dofs_on_the_rest_pose():
    pose = branched().pose({"left": 0.9, "root_turn": -7.0})
    np.testing.assert_array_equal(pose.angles, [0, 0, -7.0, 0.9, 0, 0, 0])


def test_an_unknown_name_in_a_mapping_is_an_error():
    with pytest.raises(FigureError, match="unknown DOF of branched 'lift'; did you mean 'left'"):
        branched().pose({"lift": 0.9})


@pytest.mark.parametrize("value", [np.nan, INF, "much", None, (1.0, 2.0)])
def test_a_bad_value_in_a_mapping_is_our_own_error(value):
    with pytest.raises(FigureError, match="'left'"):
        branched().pose({"left": value})


# -- changed copies ----------------------------------------------------------------------------


def assert_same(one, other):
    assert one.dof_names == other.dof_names
    np.testing.assert_array_equal(one.lower, other.lower)
    np.testing.assert_array_equal(one.upper, other.upper)
    np.testing.assert_array_equal(one.rigidity, other.rigidity)
    np.testing.assert_array_equal(one.rest().angles, other.rest().angles)
    assert [s.name for s in one.sites] == [s.name for s in other.sites]


def test_with_limits_changes_only_what_it_names():
    figure = branched()
    changed = figure.with_limits({"left": (0.5, 0.7), "root_*": (-2, 3)})
    np.testing.assert_array_equal(changed.lower, [-2, -2, -2, 0.5, -0.5, -0.5, -0.3])
    np.testing.assert_array_equal(changed.upper, [3, 3, 3, 0.7, 0.5, 0.5, 0.1])
    assert changed.rest()["left"] == 0.5  # moved to the nearest value inside
    assert changed.cones == figure.cones
    assert changed.up == "Z"
    assert_same(figure, branched())


def test_the_later_of_two_matching_patterns_counts():
    changed = branched().with_limits({"root_*": (-2, 3), "root_turn": (-1, 1)})
    np.testing.assert_array_equal(changed.lower[:3], [-2, -2, -1])


def test_with_limits_can_open_a_side():
    changed = branched().with_limits({"left": (-INF, INF)})
    assert (changed.lower[3], changed.upper[3]) == (-INF, INF)
    assert changed.rest()["left"] == 0.4


@pytest.mark.parametrize(
    "limits",
    [
        {"left": (1.0, 0.5)},
        {"left": (np.nan, 1.0)},
        {"left": (0.0, np.nan)},
        {"left": (INF, INF)},
        {"left": (-INF, -INF)},
        {"right_swing_*": (0.45, 0.5)},  # a corner outside the cone
        {"lefft": (0, 1)},
        {"left": 1.0},
        {"left": (0, 1, 2)},
        {"left": ("a", "b")},
    ],
)
def test_bad_limits_change_nothing(limits):
    figure = branched()
    with pytest.raises(FigureError):
        figure.with_limits({"root_turn": (-1, 1)} | limits)
    assert_same(figure, branched())


def test_limits_inside_a_cone_move_the_rest_into_both():
    changed = branched().with_limits({"right_swing_x": (0.4, 0.5)})
    assert changed.rest().is_inside_limits
    assert changed.rest()["right_swing_x"] == 0.4


@pytest.mark.parametrize("name", ["right_swing_x", "right_swing_y", "right_*"])
def test_with_cones_changes_the_cone_and_its_sides(name):
    figure = branched()
    changed = figure.with_cones({name: 0.8})
    assert changed.cones == ((4, 0.8),)
    assert changed.lower[4:6].tolist() == [-0.8, -0.8]
    assert changed.upper[4:6].tolist() == [0.8, 0.8]
    others = [i for i in range(len(figure.dofs)) if i not in (4, 5)]
    assert [changed.dofs[i] for i in others] == [figure.dofs[i] for i in others]
    assert figure.cones == ((4, 0.5),)


def test_with_cones_keeps_tighter_boxes():
    figure = branched().with_limits({"right_swing_x": (-0.2, 0.5)})
    wider = figure.with_cones({"right_swing_x": 0.8})
    assert (wider.lower[4], wider.upper[4]) == (-0.2, 0.8)
    narrower = figure.with_cones({"right_swing_x": 0.1})
    assert (narrower.lower[4], narrower.upper[4]) == (-0.1, 0.1)


@pytest.mark.parametrize(
    "cones",
    [
        {"left": 0.5},
        {"lefft": 0.5},
        {"right_swing_x": 0.0},
        {"right_swing_x": 4.0},
        {"right_swing_x": np.nan},
        {"right_swing_x": (0.1, 0.2)},
    ],
)
def test_bad_cones_are_refused(cones):
    with pytest.raises(FigureError):
        branched().with_cones(cones)


def test_a_cone_of_zero_is_named():
    with pytest.raises(FigureError, match=r"cone of 'right_swing_x' is 0\.0; give a half-angle"):
        branched().with_cones({"right_swing_x": 0.0})


def test_with_rigidity():
    figure = branched()
    changed = figure.with_rigidity({"right_*": 0.5, "left": 1})
    np.testing.assert_array_equal(changed.rigidity, [0, 0, 0, 1, 0.5, 0.5, 0.5])
    np.testing.assert_array_equal(changed.lower, figure.lower)
    assert_same(figure, branched())


@pytest.mark.parametrize(
    "rigidity", [{"left": -0.1}, {"left": 1.1}, {"left": np.nan}, {"x": 0.5}, {"left": "a"}]
)
def test_bad_rigidity_changes_nothing(rigidity):
    figure = branched()
    with pytest.raises(FigureError):
        figure.with_rigidity({"root_turn": 0.5} | rigidity)
    assert_same(figure, branched())


def test_with_sites_adds_and_replaces():
    figure = branched()
    changed = figure.with_sites([Site("hook", "root", (1, 2, 3)), Site("new", "right")])
    assert [site.name for site in changed.sites] == ["left", "hook", "new"]
    assert changed.effector("hook").segment == "root"
    assert figure.effector("hook").segment == "left_tip"


def test_with_sites_refuses_an_unknown_segment():
    with pytest.raises(FigureError, match="unknown segment"):
        branched().with_sites([Site("new", "nowhere")])


def test_changed_copies_move_as_the_original(body):
    rng = np.random.default_rng(2)
    angles = rng.normal(size=71)
    changed = body.with_rigidity({"spine_*": 0.5}).with_limits({"*": (-INF, INF)})
    np.testing.assert_array_equal(changed.pose(angles).frames[0], body.pose(angles).frames[0])
    np.testing.assert_array_equal(changed.pose(angles).frames[1], body.pose(angles).frames[1])


def test_repr_says_how_large():
    assert repr(arm()) == f"<Figure arm: {len(arm().segments)} segments, 7 DOFs>"


def test_the_public_face_is_this_figure():
    assert poise.Figure is Figure


def test_wider_cones_keep_the_relations():
    figure = Figure(
        "coned",
        [
            Segment("base", None, joint.swing_twist(0.5)),
            Segment("tip", "base", joint.channels("XY"), (0.0, 1.0, 0.0)),
        ],
        relations=[LinearLimit("sum", {"tip_rx": 1.0, "tip_ry": 1.0}, upper=1.0)],
    )
    assert figure.with_cones({"base_*": 0.7}).relations == figure.relations


def test_errors_name_a_dof_in_full():
    human = poise.figures.human()
    with pytest.raises(FigureError, match="'left_elbow_flexion'"):
        human.with_limits({"left_elbow_flexion": (1.0, 0.0)})
    with pytest.raises(FigureError, match="'spine_1_flexion'"):
        human.with_rigidity({"torso": 2.0})
