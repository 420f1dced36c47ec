"""The one check of derivatives, and every kind of goal.

`GOALS` is the list over which the tests of derivatives run: a new kind of goal goes there.
"""

import numpy as np
from joints import JOINTS, Case, random_figure, random_rotation
from scipy.spatial.transform import Rotation

from poise import joint
from poise.goals import (
    Aim,
    AnyOf,
    CenterOfMass,
    Custom,
    Distance,
    HalfSpace,
    Line,
    Orientation,
    Plane,
    Pose6D,
    Position,
    Posture,
    Relative,
)
from poise.problem import Problem

STEP = 3e-4


def differences(function, angles):
    """d function / d angles by central differences of fourth order, one column a DOF."""
    columns = []
    for i in range(angles.size):

        def at(steps, i=i):
            moved = angles.copy()
            moved[i] += steps * STEP
            return function(moved)

        columns.append((8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * STEP))
    return np.stack(columns, axis=-1)


def assert_derivatives(problem, angles):
    """Value, residuals, gradient, Jacobian and Hessian agree with each other and with differences
    of the one before."""
    value, rows = problem.value(angles), problem.residuals(angles)
    slope, jacobian, hessian = (
        problem.gradient(angles),
        problem.jacobian(angles),
        problem.hessian(angles),
    )
    n = angles.size
    assert (rows.shape, slope.shape) == ((problem.row_count,), (n,))
    assert (jacobian.shape, hessian.shape) == ((problem.row_count, n), (n, n))
    size = 1.0 + value + np.abs(jacobian).max(initial=0.0) ** 2 + np.abs(hessian).max(initial=0.0)
    exact, near = {"rtol": 0.0, "atol": 1e-13 * size}, {"rtol": 0.0, "atol": 1e-9 * size}
    pull, pulled = _without_rows(problem, angles)
    np.testing.assert_allclose(value, rows @ rows + pull, **exact)
    np.testing.assert_allclose(slope, 2.0 * jacobian.T @ rows + pulled, **exact)
    np.testing.assert_array_equal(hessian, hessian.T)
    if n > 0:
        np.testing.assert_allclose(slope, differences(problem.value, angles), **near)
        np.testing.assert_allclose(jacobian, differences(problem.residuals, angles), **near)
        np.testing.assert_allclose(hessian, differences(problem.gradient, angles), **near)


def _without_rows(problem, angles):
    """Value and gradient of the goals that have no rows of their own."""
    value, slope = 0.0, np.zeros_like(angles)
    for goal in problem.goals:
        if isinstance(goal, Posture):
            weights, targets = goal.dof_terms(problem.figure)
            value += weights @ (angles - targets) ** 2
            slope += 2.0 * weights * (angles - targets)
        elif isinstance(goal, Custom):
            own = goal.evaluated(problem.figure.pose(angles))
            value, slope = value + goal.weight * own[0], slope + goal.weight * own[1]
    return value, slope


def _position(effector, place, rng):
    return Position(
        effector, place[:3, 3] + rng.normal(size=3), weight=2.5, offset=rng.normal(size=3)
    )


def _directions(*axes):
    def make(effector, place, rng):
        turned = random_rotation(rng)
        given = {axis: turned[:, "xy".index(axis)] for axis in axes}
        return Orientation(effector, **given, weight=0.7, degrees_per_metre=60.0)

    return make


def _less_than_half_a_turn(rng):
    """A rotation; at half a turn a rotation's residual (not its value) changes its sign."""
    return Rotation.from_rotvec(2.5 * rng.uniform(-1, 1, 3) / np.sqrt(3.0)).as_matrix()


def _pose(effector, place, rng):
    return Pose6D(
        effector,
        place[:3, 3] + rng.normal(size=3),
        _less_than_half_a_turn(rng) @ place[:3, :3],
        offset=rng.normal(size=3),
        orientation_share=0.3,
        degrees_per_metre=60.0,
    )


def _point(place, offset):
    return place[:3, :3] @ offset + place[:3, 3]


def _unit(rng):
    vector = rng.normal(size=3)
    return vector / np.linalg.norm(vector)


def _aim(effector, place, rng):
    offset = rng.normal(size=3)
    at = _point(place, offset) + rng.uniform(2.0, 3.0) * _unit(rng)
    return Aim(effector, at, offset=offset, degrees_per_metre=60.0)


def _line(effector, place, rng):
    point, offset = rng.normal(size=(2, 3))
    return Line(effector, place[:3, 3] + point, 2.0 * _unit(rng), weight=0.8, offset=offset)


def _plane(kind, heights=(-1.0, -0.1, 0.1, 1.0)):
    """At a height well away from zero, where a half-space has its kink."""

    def make(effector, place, rng):
        offset, normal = rng.normal(size=3), _unit(rng)
        point = _point(place, offset) - rng.choice(heights) * normal
        return kind(effector, point, 3.0 * normal, weight=1.7, offset=offset)

    return make


def _other(effector, pose):
    """A second effector."""
    return next(site.name for site in reversed(pose.figure.sites) if site.name != effector)


def _distance(effector, pose, rng):
    offsets = {"offset": rng.normal(size=3), "other_offset": rng.normal(size=3)}
    return Distance(effector, _other(effector, pose), exactly=0.5, weight=1.3, **offsets)


def _relative(effector, pose, rng):
    other = _other(effector, pose)
    position, offset = rng.normal(size=(2, 3))
    turned = pose.rotation(other).T @ _less_than_half_a_turn(rng) @ pose.rotation(effector)
    return Relative(effector, other, position, turned, offset=offset, degrees_per_metre=60.0)


def _center_of_mass(effector, place, rng):
    return CenterOfMass(rng.normal(size=3), weight=0.6)


def _alternatives(effector, place, rng):
    """One that is near and one that is far, in any order."""
    near, far = _plane(Plane, (-0.1, 0.1)), _plane(HalfSpace, (-2.0,))
    goals = [make(effector, place, rng) for make in rng.permutation([near, far])]
    return AnyOf(*goals, weight=1.5)


def wavy(phases):
    """A smooth function of all DOFs for a Custom goal: Σ (sin(θ + phase) + θ sin(next θ))²."""

    def function(pose):
        angles = pose.angles
        following = np.roll(angles, -1)
        rows = np.sin(angles + phases) + 0.5 * angles * np.sin(following)
        slope = 2.0 * rows * (np.cos(angles + phases) + 0.5 * np.sin(following))
        return rows @ rows, slope + np.roll(rows * angles * np.cos(following), 1)

    return function


def _custom(effector, pose, rng):
    phases = rng.uniform(-1.0, 1.0, pose.angles.size)
    return Custom(wavy(phases), weight=0.8, name=f"{effector} custom")


_ONE_EFFECTOR = {
    "position": _position,
    "one direction": _directions("y"),
    "two directions": _directions("x", "y"),
    "pose": _pose,
    "aim": _aim,
    "line": _line,
    "plane": _plane(Plane),
    "half-space": _plane(HalfSpace),
    "center of mass": _center_of_mass,
    "alternatives": _alternatives,
}
"""From an effector, where it is (4x4), and a generator."""

TWO_EFFECTORS = {"distance": _distance, "relative": _relative}
WITHOUT_ROWS = {"custom": _custom}


def _at(make):
    return lambda effector, pose, rng: make(effector, pose.transform(effector), rng)


GOALS = {kind: _at(make) for kind, make in _ONE_EFFECTOR.items()}
GOALS |= TWO_EFFECTORS | WITHOUT_ROWS
"""Makes a goal of each kind with a random target, from an effector, a pose and a generator."""

WEIGHABLE = ("position", "one direction", "two directions", "pose")
"""The kinds that a full weight matrix takes."""

_HINGES = (Case("", joint.revolute("X"), None), Case("", joint.universal("ZY"), None))


def row_count(goals):
    return sum(atom.row_count for goal in goals for atom in goal.atoms())


def problem_of(case, goals, rng, weighted=False):
    """A problem with the joint of `case` in the middle of a figure, and a pose inside it.

    The first goal holds the tip beyond the joint, the second a branch that begins before it, the
    third the joint's own segment.
    """
    hinge, universal = _HINGES
    figure = random_figure(
        [hinge, case, universal, hinge, universal], [None, 0, 1, 0, 3], np.random.default_rng(5)
    )
    angles = rng.uniform(-1.0, 1.0, len(figure.dofs))
    pose = figure.pose(angles)
    names = ["site2", "site4", "site1"][: len(goals)]
    made = [make(name, pose, rng) for make, name in zip(goals, names, strict=True)]
    count = row_count(made)
    matrix = None
    if weighted:
        factor = np.tril(rng.normal(size=(count, count))) + 2.0 * np.eye(count)
        matrix = factor @ factor.T
    return Problem(figure, made, weight_matrix=matrix), angles


def cases_of(kinds):
    """Arguments of `parametrize` for every joint × these kinds of goals."""
    cases = [(case, kind) for case in JOINTS for kind in kinds]
    return {"argvalues": cases, "ids": [f"{case.name}, {kind}" for case, kind in cases]}
