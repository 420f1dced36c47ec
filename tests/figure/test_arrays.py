import numpy as np
import pytest

from poise.figure.arrays import float_array


def test_is_a_read_only_copy():
    given = np.arange(3.0)
    kept = float_array(given)
    given[0] = 7.0
    np.testing.assert_array_equal(kept, [0.0, 1.0, 2.0])
    assert not kept.flags.writeable


@pytest.mark.parametrize("bad", ["abc", {"a": 1}, [[1, 2], [3]], [None, "x"], object()])
def test_what_is_not_numbers_is_empty(bad):
    assert float_array(bad).shape == (0,)
