import time

import numpy as np
import pytest
from figure.builtin.checks import movement, position_jacobian

from poise.errors import FigureError
from poise.figure.builtin import snake


@pytest.mark.parametrize("n", [1, 2, 3, 7, 100])
def test_has_exactly_n_hinges_and_the_same_length(n):
    figure = snake(n)
    assert len(figure.dofs) == n
    straight = figure.pose(np.zeros(n))
    np.testing.assert_allclose(straight.position("tail"), np.zeros(3), atol=1e-12)
    np.testing.assert_allclose(straight.position("head"), [0.0, 0.0, 1.80], atol=1e-9)


def test_hinges_turn_left_and_up_in_turns():
    figure = snake(4)
    assert figure.dof_names == ("joint_1_yaw", "joint_2_pitch", "joint_3_yaw", "joint_4_pitch")
    straight = figure.pose(np.zeros(4))
    assert movement(figure, "joint_1_yaw", "head", start=straight)[0] > 0.99
    assert movement(figure, "joint_2_pitch", "head", start=straight)[1] > 0.99


def test_sites():
    assert [site.name for site in snake(3).sites] == ["head", "tail"]


@pytest.mark.parametrize("n", [*range(1, 13), 51, 1000])
def test_rest_is_bent_but_far_inside_the_limits(n):
    figure = snake(n)
    rest = figure.rest().angles
    assert np.rad2deg(np.abs(rest).max()) <= 30.0 + 1e-9
    np.testing.assert_allclose(np.rad2deg(figure.upper), 45.0)
    np.testing.assert_allclose(np.rad2deg(figure.lower), -45.0)
    assert figure.rest().position("head")[2] > 1.2  # it still leads forward
    singular = np.linalg.svd(position_jacobian(figure, "head", "*"), compute_uv=False)
    assert len(singular) == min(n, 3)
    assert singular[-1] > 0.1


@pytest.mark.parametrize("n", [0, -1, "x", 2.5, None, True, float("nan"), [3]])
def test_other_numbers_are_refused(n):
    with pytest.raises(FigureError, match="whole number of hinges"):
        snake(n)


def test_takes_any_integer_type():
    assert len(snake(np.int64(3)).dofs) == 3


def test_ten_thousand_hinges_build_in_well_under_a_second():
    times = []
    for _ in range(3):
        start = time.process_time()
        figure = snake(10_000)
        times.append(time.process_time() - start)
    assert len(figure.dofs) == 10_000
    assert min(times) < 1.0
    assert np.isfinite(figure.rest().position("head")).all()
