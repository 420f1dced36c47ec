"""Figures and checks that the tests of the goals share."""

from functools import cache

import numpy as np

import poise
from poise import joint

FEET = ("left_foot", "right_foot")


@cache
def human():
    return poise.figures.human()


@cache
def arm():
    return poise.figures.arm()


@cache
def drone():
    """A body that slides along X, Y, Z and turns about Y and then X; its nose looks along +Z."""
    segments = [
        poise.Segment("ground", None),
        poise.Segment("body", "ground", joint.channels("YX", "XYZ"), mass=1.0),
    ]
    return poise.Figure("drone", segments, [poise.Site("nose", "body", (0.0, 0.0, 0.5))])


def at(**angles):
    """The drone with some DOFs set: tx, ty, tz, ry, rx."""
    return drone().pose({f"body_{name}": value for name, value in angles.items()})


def feet():
    """Goals that keep the feet where they are at rest."""
    rest = human().rest()
    return [poise.Pose6D(foot, rest.position(foot), rest.rotation(foot)) for foot in FEET]


def solve_standing(*goals, **options):
    """Solve on the human with its feet pinned, and check what holds of every answer."""
    solution = poise.solve(human(), [*feet(), *goals], trace=True, **options)
    assert_honest(solution)
    return solution


def assert_honest(solution):
    """Limits hold exactly at every iterate, the value never rises, and is that of the pose."""
    figure = solution.problem.figure
    angles = np.array([point.angles for point in solution.trace] + [solution.angles])
    assert (angles >= figure.lower).all()
    assert (angles <= figure.upper).all()
    assert solution.pose.is_inside_limits
    before = {}
    for point in solution.trace:
        assert point.value <= before.get(point.attempt, np.inf)
        before[point.attempt] = point.value
    assert np.isfinite(solution.value)
    np.testing.assert_allclose(
        solution.value, solution.problem.value(solution.pose), rtol=1e-9, atol=1e-15
    )
    tolerance = np.array(solution.problem.tolerance)
    if any((np.array(error) > tolerance).any() for error in solution.errors.values()):
        # Only then: a pose that meets all goals counts more than one with a lower value.
        assert solution.value <= min(before.values()) * (1 + 1e-12)


def random_pose(figure, seed):
    """Somewhere inside the limits; DOFs without limits near rest."""
    rng = np.random.default_rng(seed)
    rest = figure.rest().angles
    lower = np.maximum(figure.lower, rest - 1.0)
    upper = np.minimum(figure.upper, rest + 1.0)
    return rng.uniform(lower, upper)
