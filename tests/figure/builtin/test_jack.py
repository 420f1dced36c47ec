import numpy as np
import pytest
from figure.builtin.checks import assert_symmetric, smallest_singular_value

from poise.figure.builtin import human, jack, shoulder_groups, spine_groups
from poise.figure.builtin.jack import ARM

VERTEBRAE = [f"t{i}" for i in range(1, 13)] + [f"l{i}" for i in range(1, 6)]


@pytest.fixture(scope="module")
def figure():
    return jack()


def count(figure, *patterns):
    return len(figure.match_dofs(list(patterns)))


def test_dofs_are_those_of_the_paper(figure):
    assert count(figure, "spine_*") == 51
    assert [count(figure, f"spine_{name}_*") for name in VERTEBRAE] == [3] * 17
    assert (count(figure, "neck_*"), count(figure, "head_*")) == (3, 2)
    assert [count(figure, f"left_{name}_*") for name in ARM] == [2, 3, 1, 3]
    assert [count(figure, f"left_{name}_*") for name in ("hip", "knee", "ankle", "toes")] == [
        3,
        2,
        3,
        2,
    ]
    assert len(figure.dofs) == 100


def test_upper_body_counts_70_once_the_collars_follow_the_shoulders(figure):
    legs = ("hip", "knee", "ankle", "toes")
    below = count(figure, "root_*", *(f"*_{name}_*" for name in legs))
    driven = count(figure, "*_collar_*")
    assert len(figure.dofs) - below - driven == 70
    assert 70 - count(figure, "spine_*") + 3 == 22  # with the spine as one group too


def test_spine_is_a_chain_from_the_sacrum_to_the_neck(figure):
    names = [*reversed([f"vertebra_{name}" for name in VERTEBRAE[12:]])]
    names += [*reversed([f"vertebra_{name}" for name in VERTEBRAE[:12]])]
    parents = {segment.name: segment.parent for segment in figure.segments}
    chain = ["pelvis", *names, "neck"]
    assert [parents[name] for name in chain[1:]] == chain[:-1]
    heights = [figure.rest().position(name)[1] for name in chain]
    assert np.all(np.diff(heights) > 0.01)


def test_vertebrae_rest_in_the_inner_half_of_their_ranges(figure):
    spine = figure.match_dofs("spine_*")
    rest, low, high = figure.rest().angles[spine], figure.lower[spine], figure.upper[spine]
    room = np.minimum(rest - low, high - rest) / (high - low)
    assert room.min() >= 0.25


def test_body_is_that_of_the_human(figure):
    other, rest = human(), figure.rest()
    assert [site.name for site in figure.sites] == [site.name for site in other.sites]
    for site in figure.sites:
        np.testing.assert_allclose(
            rest.position(site.name), other.rest().position(site.name), atol=1e-12
        )
    assert sum(segment.mass for segment in figure.segments) == pytest.approx(75.0)


def test_the_same_angles_give_the_mirror_image(figure):
    rng = np.random.default_rng(3)
    for _ in range(10):
        assert_symmetric(figure, rng)


def test_rest_is_not_singular(figure):
    assert smallest_singular_value(figure, "eyes", ["spine_*"]) > 0.1
    for side in ("left", "right"):
        arm = [f"{side}_{name}_*" for name in ("shoulder", "elbow", "wrist")]
        assert smallest_singular_value(figure, f"{side}_hand", arm) > 0.05


def test_groups_leave_the_22_dofs_of_the_paper(figure):
    grouped = figure.with_relations(*spine_groups(), *shoulder_groups())
    legs = ("hip", "knee", "ankle", "toes")
    below = count(figure, "root_*", *(f"*_{name}_*" for name in legs))
    followers = grouped.relation_tables.followers
    assert len(figure.dofs) - below - len(followers) == 22
    assert len(followers) == 48 + 4


def test_all_vertebrae_reach_their_limits_together(figure):
    grouped = figure.with_relations(*spine_groups())
    for motion in ("flexion", "lateral_bending", "axial_rotation"):
        leader = grouped.dof_index(f"spine_l5_{motion}")
        spine = grouped.match_dofs(f"spine_*_{motion}")
        for side in (grouped.lower, grouped.upper):
            pose = grouped.rest().with_angles({grouped.dof_names[leader]: side[leader]})
            shares = figure.upper[spine] / figure.upper[leader]
            at = shares * side[leader]
            own = figure.upper[spine] if side is grouped.upper else figure.lower[spine]
            np.testing.assert_allclose(at, own, rtol=1e-12)
            assert pose[grouped.dof_names[leader]] == side[leader]


def test_the_collar_follows_the_shoulder(figure):
    grouped = figure.with_relations(*shoulder_groups())
    pose = grouped.rest().with_angles({"left_shoulder_elevation": 2.0}).clamped()
    assert pose["left_collar_elevation"] == pytest.approx(0.3 * pose["left_shoulder_elevation"])
    assert pose.is_inside_limits
