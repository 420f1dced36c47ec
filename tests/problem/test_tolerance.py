import numpy as np
import pytest

from poise.errors import OptionError
from poise.problem import Tolerance


def test_a_number_is_metres_with_ten_times_as_many_radians():
    assert Tolerance.of(1e-3) == Tolerance(1e-3, 1e-2)
    assert Tolerance.of(2) == Tolerance(2.0, 20.0)
    assert Tolerance() == Tolerance.of(1e-3)


def test_a_tolerance_stays_what_it_is():
    made = Tolerance(1e-4, 0.5)
    assert Tolerance.of(made) is made


@pytest.mark.parametrize(
    "bad",
    [
        *(0, 0.0, -1e-3, np.nan, np.inf, "1e-3", None, (1e-3, 1e-2)),
        *(
            Tolerance(0.0, 1.0),
            Tolerance(1.0, -1.0),
            Tolerance(np.nan, 1.0),
            Tolerance(1.0, np.inf),
        ),
        *(Tolerance("a", 1.0), Tolerance(None, 1.0)),
    ],
)
def test_what_is_not_above_zero_is_refused(bad):
    with pytest.raises(OptionError, match="tolerance"):
        Tolerance.of(bad)


def test_numpy_numbers_are_numbers():
    assert Tolerance.of(np.float64(1e-3)) == Tolerance.of(1e-3)
    assert Tolerance.of(np.float32(0.5)) == Tolerance.of(0.5)
