"""DynamicLimit: ranges by the angle of another DOF."""

import numpy as np
import pytest
from solve.cases import figure_named

import poise
from poise import DynamicLimit, FigureError, OptionError

ROWS = [(-1.0, -0.5, 0.2), (0.0, -0.1, 0.4), (2.0, 0.0, 0.1)]


@pytest.mark.parametrize(
    ("angle", "expected"),
    [
        (-5.0, (-0.5, 0.2)),
        (-1.0, (-0.5, 0.2)),
        (-0.5, (-0.3, 0.3)),
        (0.0, (-0.1, 0.4)),
        (1.0, (-0.05, 0.25)),
        (9.0, (0.0, 0.1)),
    ],
)
def test_ranges_are_linear_between_the_rows_and_constant_beyond(angle, expected):
    assert DynamicLimit("a", "b", ROWS).at(angle) == pytest.approx(expected)


@pytest.mark.parametrize("angle", np.linspace(-1.5, 2.5, 17))
def test_the_kernel_agrees(angle):
    """A solve that has nothing to do but crop its start."""
    figure = figure_named("arm").with_limits({"shoulder_*": (-3.0, 3.0), "elbow_*": (-3.0, 3.0)})
    limit = DynamicLimit("elbow_flexion", "shoulder_elevation", ROWS)
    for elbow in (-2.0, 2.0):
        start = figure.rest().with_angles({"shoulder_elevation": angle, "elbow_flexion": elbow})
        solution = poise.solve(
            figure,
            poise.Position("hand", (0.0, 9.0, 0.0)),
            start=start,
            method="half-jacobian",
            dynamic_limits=[limit],
            max_iterations=0,
        )
        expected = np.clip(elbow, *limit.at(angle))
        assert solution.pose["elbow_flexion"] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    "ranges",
    [
        [],
        [(0.0, 1.0)],
        [(0.0, -np.inf, 1.0)],
        "abc",
        None,
        [(0.0, 0.2, 0.1)],
        [(0.0, 0.0, 1.0), (0.0, 0.0, 2.0)],
        [(1.0, 0.0, 1.0), (0.0, 0.0, 2.0)],
    ],
)
def test_bad_ranges_are_refused(ranges):
    with pytest.raises(OptionError, match="ranges of the dynamic limit of 'a'"):
        DynamicLimit("a", "b", ranges)


def problem(*limits, figure="arm", effector="hand"):
    goal = poise.Position(effector, (0.0, 1.0, 0.0))
    return poise.Problem(figure_named(figure), goal, dynamic_limits=limits)


def test_unknown_joints_are_refused():
    with pytest.raises(FigureError, match="elbow_flexion"):
        problem(DynamicLimit("elbow_flexon", "shoulder_elevation", ROWS))
    with pytest.raises(FigureError, match="shoulder_elevation"):
        problem(DynamicLimit("elbow_flexion", "shoulder_elevatio", ROWS))
    with pytest.raises(OptionError, match=r"not a poise\.DynamicLimit"):
        problem(("elbow_flexion", "shoulder_elevation", ROWS))


def test_swings_belong_to_their_cone():
    figure = figure_named("every_joint")
    other = next(name for name in figure.dof_names if name.startswith("gimbal"))
    limit = DynamicLimit("boom_swing_x", other, ROWS)
    with pytest.raises(OptionError, match=r"boom_swing_x.*with_cones"):
        problem(limit, figure="every_joint", effector="tip")
