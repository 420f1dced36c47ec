"""`lbfgs-b`: what SciPy does when called by hand, with our ends, budgets and refusals."""

import sys

import numpy as np
import pytest
from scipy.optimize import minimize
from solve import planar
from solve.cases import figure_named, links, same_bits, trial
from solve.planar import LENGTHS

import poise
from poise import Status

METHOD = "lbfgs-b"


@pytest.mark.parametrize("m", [3, 10])
@pytest.mark.parametrize("target", [0.55 + 0.5j, 1.3 + 0.8j])
def test_the_iterates_are_scipy_s(m, target):
    limits, start = (-1.2, 1.2), np.array([0.3, 0.6, -0.4])
    solution = poise.solve(
        links(*LENGTHS, limits=limits),
        poise.Position("tip", (target.real, target.imag, 0.0)),
        start=start,
        method=METHOD,
        parameters={"m": m},
        trace=True,
    )
    iterates = [start]
    result = minimize(
        lambda x: (planar.value(LENGTHS, x, target), planar.slope(LENGTHS, x, target)),
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[limits] * 3,
        callback=lambda x: iterates.append(x.copy()),
        options={"maxcor": m, "ftol": 0.0, "gtol": 0.0, "maxiter": solution.iterations},
    )
    made = {point.iterations: point.angles for point in solution.trace}
    assert list(made) == list(range(len(iterates)))
    np.testing.assert_allclose(list(made.values()), iterates, rtol=1e-7, atol=1e-9)
    assert solution.evaluations == result.nfev
    assert solution.status is (Status.REACHED if abs(target) < 1 else Status.OPTIMAL)


def test_a_missing_scipy_is_said_before_anything_is_solved(monkeypatch):
    arm = figure_named("arm")
    goal = poise.Position("hand", (0.2, 0.3, 0.2))
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(poise.OptionError, match=r"lbfgs-b.*SciPy.*pip install scipy"):
        poise.Solver(arm, goal, method=METHOD)
    poise.Solver(arm, goal)


def test_cones_are_refused():
    figure, goals, start = trial("every_joint")
    with pytest.raises(poise.OptionError, match=r"lbfgs-b.*swing cones.*auto"):
        poise.solve(figure, goals, start=start, method=METHOD)


def test_joint_groups_are_substituted():
    group = poise.JointGroup("both", {"shoulder_elevation": 1.0, "elbow_flexion": 0.5})
    arm = figure_named("arm").with_relations(group)
    goal = poise.Position("hand", arm.rest().position("hand") + np.array([0.5, 0.4, 1.0]))
    solution = poise.solve(arm, goal, method=METHOD, trace=True)
    follower = arm.relation_tables.followers[0]
    for point in solution.trace:
        assert point.angles[follower.dof] == follower.at(point.angles[follower.leader])
    assert solution.status is Status.OPTIMAL
    assert solution.value == pytest.approx(poise.solve(arm, goal).value, rel=1e-6)


def test_an_error_of_the_user_s_own_goal_comes_through_and_changes_nothing():
    arm, calls = figure_named("arm"), []

    def fails(pose):
        calls.append(pose)
        if len(calls) == 4:
            raise RuntimeError("no value here")
        x = pose.angles - 0.3
        return float(x @ x), 2 * x

    solver = poise.Solver(arm, poise.Custom(fails, name="own"), method=METHOD)
    before = solver.pose
    with pytest.raises(poise.GoalError, match="no value here"):
        solver.solve()
    assert solver.pose == before
    solution = solver.solve()
    assert solution.status is Status.OPTIMAL or solution.reached
    assert solution.pose.is_inside_limits


def test_rigid_and_sliding_dofs_are_scaled_by_their_metric():
    """SciPy knows nothing of rigidity: a frozen joint keeps its bits, a stiffer one moves less."""
    human = figure_named("human")
    hand = human.rest().position("left_hand")
    goal = poise.Position("left_hand", hand + np.array([0.1, 0.2, 0.2]))
    stiff = human.with_rigidity({"root_*": 1.0, "left_elbow_*": 0.9})
    loose = poise.solve(human, goal, method=METHOD).require()
    solution = poise.solve(stiff, goal, method=METHOD).require()
    root, elbow = human.match_dofs("root_*"), human.match_dofs("left_elbow_*")
    assert same_bits(solution.angles[root], human.rest().angles[root])
    rest = human.rest().angles[elbow]
    assert np.abs(solution.angles[elbow] - rest).max() < np.abs(loose.angles[elbow] - rest).max()
