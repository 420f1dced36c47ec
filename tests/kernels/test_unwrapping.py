"""Unwrapping by a kernel: the bits of doing it frame by frame."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels.unwrapping import unwrap_euler
from poise.motion.equivalent import Group


@pytest.mark.parametrize("kind", ["euler", "repeated euler"])
@given(seed=st.integers(0, 10**6), frames=st.integers(0, 30), wild=st.floats(0.0, 9.0))
def test_every_frame_is_the_equivalent_nearest_to_the_one_before(kind, seed, frames, wild):
    angles = np.random.default_rng(seed).normal(0.0, wild, (frames, 3))
    group, wanted = Group(kind, slice(0, 3)), angles.copy()
    for i in range(1, frames):
        wanted[i] = group.nearest(wanted[i - 1 : i], wanted[i : i + 1])[0]
    found = angles.copy()
    unwrap_euler(found, kind == "repeated euler")
    np.testing.assert_array_equal(found, wanted)
