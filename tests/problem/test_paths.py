"""DOF runs and shared columns against their definitions, by brute force."""

from itertools import pairwise
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from joints import JOINTS, random_figure

from poise.figure.builtin import human
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.problem import paths
from poise.problem.paths import common_ancestors, dof_offsets, runs_above, runs_to, shared_columns


@st.composite
def figures(draw):
    cases = draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=9))
    parents = [None] + [draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    return random_figure(cases, parents, np.random.default_rng(0))


def owners(figure):
    """The segment of each DOF."""
    return [s for s, segment in enumerate(figure.segments) for _ in segment.joint.dofs]


def ancestors(figure, s):
    found = []
    while s >= 0:
        found.append(s)
        s = figure.parents[s]
    return found


def dofs_of(runs):
    return [d for begin, end in runs for d in range(begin, end)]


def assert_well_formed(runs):
    for begin, end in runs:
        assert begin < end
    for (_, end), (begin, _) in pairwise(runs):
        assert end < begin  # ascending, and joined where they touch


@given(figures())
def test_offsets(figure):
    offsets = dof_offsets(figure)
    assert offsets.shape == (len(figure.segments) + 1,)
    for s in range(len(figure.segments)):
        assert list(range(offsets[s], offsets[s + 1])) == [
            d for d, owner in enumerate(owners(figure)) if owner == s
        ]


@given(figures())
def test_runs_to_a_segment(figure):
    for s in range(len(figure.segments)):
        runs = runs_to(figure, s)
        assert_well_formed(runs)
        path = ancestors(figure, s)
        assert dofs_of(runs) == [d for d, owner in enumerate(owners(figure)) if owner in path]


@given(figures())
def test_runs_above_a_segment(figure):
    for s, runs in enumerate(runs_above(figure)):
        assert_well_formed(runs)
        path = ancestors(figure, figure.parents[s])
        assert dofs_of(runs) == [d for d, owner in enumerate(owners(figure)) if owner in path]


@given(figures(), st.data())
def test_shared_columns(figure, data):
    segments = data.draw(st.lists(st.integers(0, len(figure.segments) - 1), min_size=1, max_size=5))
    runs = [runs_to(figure, s) for s in segments]
    shared = shared_columns(figure, segments)
    np.testing.assert_array_equal(shared, shared.T)
    for a, one in enumerate(runs):
        for b, other in enumerate(runs):
            common = set(dofs_of(one)) & set(dofs_of(other))
            assert shared[a, b] == max(common, default=-1) + 1


def test_the_legs_of_the_human_share_only_the_root():
    body = human()
    feet = [body.segment_index(body.effector(f"{side}_foot").segment) for side in ("left", "right")]
    shared = shared_columns(body, feet)
    assert shared[0, 1] == 6
    assert shared[0, 0] > 6


@given(figures())
def test_common_ancestors(figure):
    segments = range(len(figure.segments))
    in_a_table = common_ancestors(figure, segments)
    with patch.object(paths, "MOST_IN_A_TABLE", 0):
        one_by_one = common_ancestors(figure, segments)
    for a in segments:
        for b in segments:
            wanted = max(set(ancestors(figure, a)) & set(ancestors(figure, b)))
            assert in_a_table[a, b] == one_by_one[a, b] == wanted


def test_without_dofs():
    stone = Figure("stone", [Segment("s", None)])
    assert runs_to(stone, 0) == []
    np.testing.assert_array_equal(shared_columns(stone, [0]), [[0]])
