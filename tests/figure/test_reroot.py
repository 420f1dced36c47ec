import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure

from poise.errors import FigureError
from poise.figure.builtin import arm, human


def assert_same_places(one, other, atol=1e-11):
    for name in one.figure.effector_names:
        np.testing.assert_allclose(other.transform(name), one.transform(name), atol=atol)


@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_every_segment_stays_where_it_is(data, seed):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=6))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    pose = figure.pose(rng.uniform(-1.2, 1.2, len(figure.dofs)))
    root = data.draw(st.sampled_from(figure.segment_names))
    free = figure.rerooted(root)
    assert free.segment_names[0] == root
    assert_same_places(pose, pose.on(free))
    anchored = figure.rerooted(root, anchor=pose)
    assert_same_places(pose, pose.on(anchored))
    np.testing.assert_array_equal(anchored.rest().position(root), pose.on(anchored).position(root))


@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_there_and_back_gives_the_same_pose(data, seed):
    body = human()
    rng = np.random.default_rng(seed)
    angles = np.where(np.isfinite(body.lower), rng.uniform(-0.3, 0.3, 71), rng.normal(size=71))
    pose = body.pose(angles).clamped()
    root = data.draw(st.sampled_from(body.segment_names))
    back = body.rerooted(root).rerooted(body.segment_names[0])
    assert_same_places(pose, pose.on(body.rerooted(root)).on(back))


def test_joints_keep_their_names_limits_and_angles():
    body = human()
    foot = body.rerooted("left_foot")
    assert set(foot.dof_names) == set(body.dof_names)
    pose = body.pose(np.random.default_rng(3).uniform(-0.2, 0.2, 71)).clamped()
    carried = pose.on(foot)
    for name in body.dof_names:
        if not name.startswith("root_"):
            i, j = body.dof_index(name), foot.dof_index(name)
            assert carried[name] == pose[name]
            assert (foot.lower[j], foot.upper[j]) == (body.lower[i], body.upper[i])
            assert foot.rigidity[j] == body.rigidity[i]
    assert carried.is_inside_limits


def test_the_rest_pose_is_the_same():
    body = human()
    assert_same_places(body.rest(), body.rerooted("right_hand").rest())


def test_standing_on_a_foot_keeps_it_where_the_anchor_has_it():
    body = human()
    rng = np.random.default_rng(4)
    anchor = body.pose(rng.uniform(-0.2, 0.2, 71)).clamped()
    standing = body.rerooted("left_foot", anchor)
    assert not any(name.startswith("root_") for name in standing.dof_names)
    other = standing.pose(rng.uniform(-0.2, 0.2, len(standing.dofs)))
    place = other.frames[0][0], other.frames[1][0]
    s = body.segment_index("left_foot")
    np.testing.assert_allclose(place[0], anchor.frames[0][s], atol=1e-14)
    np.testing.assert_allclose(place[1], anchor.frames[1][s], atol=1e-14)


def test_a_pose_that_does_not_stand_there_cannot_be_carried_over():
    body = human()
    standing = body.rerooted("left_foot", body.rest())
    moved = body.rest().with_angles({"root_tx": 0.5})
    with pytest.raises(FigureError, match="'left_foot' is fixed elsewhere"):
        moved.on(standing)


def test_a_pose_of_another_figure_cannot_be_carried_over():
    with pytest.raises(FigureError, match="segments differ"):
        human().rest().on(arm())


def test_an_unknown_segment():
    with pytest.raises(FigureError, match="did you mean 'left_foot'"):
        human().rerooted("left_fot")
