"""The methods of the papers: their steps worked out by hand, and what becomes of them.

The steps are those of planar arms, in complex numbers straight from the papers' formulas: nothing
of the engine is used to find what it should do.
"""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize
from solve.cases import METHODS, MONOTONE, able, links, same_bits, stage, trial, two_link

import poise
from poise import Status
from poise.solve.capabilities import Feature

LENGTHS = (0.5, 0.4, 0.25)
START = np.array([0.3, 0.6, -0.4])
TARGET = 0.55 + 0.5j
UNIT = 0.2  # [m] of PLS


def planar(lengths, angles):
    """The tip F (2,) and its Jacobian (2, links): column i turns the tip about joint i."""
    ends = np.cumsum(np.asarray(lengths) * np.exp(1j * np.cumsum(angles)))
    joints = np.concatenate([[0.0], ends[:-1]])
    columns = 1j * (ends[-1] - joints)
    return np.array([ends[-1].real, ends[-1].imag]), np.array([columns.real, columns.imag])


def displacement(lengths, angles, target):
    tip, J = planar(lengths, angles)
    return np.array([target.real, target.imag]) - tip, J


def reach(figure, target, **options):
    goal = poise.Position("tip", (target.real, target.imag, 0.0))
    return poise.solve(figure, goal, **options)


def steps_of(method, parameters, lengths, start, target, count=4, limits=None):
    """The first iterates of a method, one row each."""
    solution = reach(
        links(*lengths, limits=limits),
        target,
        start=start,
        method=method,
        parameters=parameters,
        max_iterations=count,
        tolerance=1e-12,
        trace=True,
    )
    return np.array([point.angles for point in solution.trace])


# -- a step of each, by hand ----------------------------------------------------------------------


def transpose_step(e, J, tau=0.005):
    """PLS 26 and 27: -τ∇f = 2τJᵀe, with lengths in units."""
    return 2.0 * tau * (J / UNIT).T @ (e / UNIT)


def buss_step(e, J):
    """PLS 28."""
    z = J @ J.T @ e
    return (e @ z) / (z @ z) * J.T @ e


def inverse_step(e, J, dt=0.5, cut=1e-3):
    """JPI §2.6: dt J⁺e."""
    return dt * np.linalg.pinv(J, rcond=cut) @ e


def damped_step(e, J, damping=0.1, **_):
    """PLS 15."""
    return np.linalg.solve(J.T @ J + damping**2 * np.eye(J.shape[1]), J.T @ e)


def clamped(vector, most):
    return vector * min(1.0, most / np.linalg.norm(vector))


def selective_step(e, J, gamma_max=np.pi / 4):
    """Buss & Kim 2005, one effector: φ = ClampMaxAbs(α v / σ, γ), γ = γ_max min(1, N/M)."""
    U, S, Vt = np.linalg.svd(J, full_matrices=False)
    total = np.zeros(J.shape[1])
    for u, sigma, v in zip(U.T, S, Vt, strict=True):
        N = np.linalg.norm(u)
        M = np.abs(v) @ np.linalg.norm(J, axis=0) / sigma
        phi = (u @ e) / sigma * v
        gamma = gamma_max * min(1.0, N / M)
        total += phi * min(1.0, gamma / np.abs(phi).max())
    return total * min(1.0, gamma_max / np.abs(total).max())


RULES = {
    "transpose": ("jacobian-transpose", {}, transpose_step),
    "transpose, longer": (
        "jacobian-transpose",
        {"tau": 0.02},
        lambda e, J: transpose_step(e, J, 0.02),
    ),
    "transpose, Buss": ("jacobian-transpose", {"step": "buss"}, buss_step),
    "inverse": ("pseudo-inverse", {}, inverse_step),
    "inverse, dt": ("pseudo-inverse", {"dt": 1.0}, lambda e, J: inverse_step(e, J, 1.0)),
    "inverse, cut": (
        "pseudo-inverse",
        {"cut": 0.9, "dt": 1.0},
        lambda e, J: inverse_step(e, J, 1.0, 0.9),
    ),
    "damped": ("damped-least-squares", {}, damped_step),
    "damped more": ("damped-least-squares", {"lambda": 0.7}, lambda e, J: damped_step(e, J, 0.7)),
    "damped, clamped goal": (
        "damped-least-squares",
        {"D_max": 0.05},
        lambda e, J: damped_step(clamped(e, 0.05), J),
    ),
    "damped, clamped step": (
        "damped-least-squares",
        {"max_step": 0.1},
        lambda e, J: clamped(damped_step(e, J), 0.1),
    ),
    "selectively damped": ("selectively-damped", {}, selective_step),
    "selectively damped, small steps": (
        "selectively-damped",
        {"gamma_max": 0.05},
        lambda e, J: selective_step(e, J, 0.05),
    ),
}


@pytest.mark.parametrize("lengths", [(0.6, 0.5), LENGTHS], ids=["two links", "three links"])
@pytest.mark.parametrize(("method", "parameters", "rule"), RULES.values(), ids=RULES)
def test_the_steps_are_those_of_the_paper(method, parameters, rule, lengths):
    made = steps_of(method, parameters, lengths, START[: len(lengths)], TARGET)
    assert len(made) == 5
    for before, after in itertools.pairwise(made):
        e, J = displacement(lengths, before, TARGET)
        np.testing.assert_allclose(after - before, rule(e, J), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("method", "parameters", "rule"), RULES.values(), ids=RULES)
def test_steps_are_projected_onto_the_limits(method, parameters, rule):
    limits = (-0.42, 0.62)
    made = steps_of(method, parameters, LENGTHS, START, TARGET, limits=limits)
    clipped = 0
    for before, after in itertools.pairwise(made):
        step = rule(*displacement(LENGTHS, before, TARGET))
        np.testing.assert_allclose(after, np.clip(before + step, *limits), rtol=1e-9, atol=1e-12)
        clipped += (np.abs(before + step - after) > 1e-9).sum()
    assert clipped > 0


def test_an_adapted_damping_follows_the_ratio_of_falls():
    """Levenberg & Marquardt with Nielsen's rule, replayed."""
    made = steps_of("damped-least-squares", {"damping": "adapted"}, LENGTHS, START, TARGET, 6)
    angles, square, growth, replayed = START, 0.1**2, 2.0, [START]
    for _ in range(6):
        e, J = displacement(LENGTHS, angles, TARGET)
        step = damped_step(e, J, np.sqrt(square))
        after, _ = displacement(LENGTHS, angles + step, TARGET)
        expected = e - J @ step
        ratio = (e @ e - after @ after) / (e @ e - expected @ expected)
        if after @ after < e @ e:
            angles = angles + step
            square, growth = square * max(1 / 3, 1 - (2 * min(ratio, 1.0) - 1) ** 3), 2.0
        else:
            square, growth = square * growth, 2.0 * growth
        replayed.append(angles)
    np.testing.assert_allclose(made, replayed[: len(made)], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_an_adapted_damping_never_lets_the_value_rise(seed):
    figure, goals, start = trial("human", "pose6d", seed, stretch=0.5)
    solution = poise.solve(
        figure,
        goals,
        start=start,
        method="damped-least-squares",
        parameters={"damping": "adapted"},
        max_iterations=100,
        trace=True,
    )
    values = [point.value for point in solution.trace]
    assert values == sorted(values, reverse=True)


# -- divergence, and what is answered then --------------------------------------------------------


@pytest.mark.parametrize(("tau", "grows"), [(0.99, False), (1.01, True)])
def test_the_transpose_diverges_above_its_limit_step(tau, grows):
    """A sliding table has J = I: e <- (1 - 2τ)e. The step 2τ of Jᵀe has its limit at 2 / σ²."""
    figure = stage((-np.inf, np.inf), (-np.inf, np.inf), (-np.inf, np.inf))
    solution = poise.solve(
        figure,
        poise.Position("table", (0.3, -0.2, 0.5)),
        method="jacobian-transpose",
        parameters={"tau": tau},
        max_iterations=50,
        tolerance=1e-9,
        trace=True,
    )
    values = np.array([point.value for point in solution.trace])
    np.testing.assert_allclose(values[1:] / values[:-1], (1 - 2 * tau) ** 2, rtol=1e-9)
    assert (np.diff(values) > 0).all() == grows
    best = values.argmin()
    assert same_bits(solution.angles, solution.trace[best].angles)
    assert (best == 0) == grows


@pytest.mark.parametrize(("share", "grows"), [(0.95, False), (1.05, True)])
def test_so_it_does_near_the_goal_of_an_arm(share, grows):
    """The limit is 2 / σ_max² of the arm's own Jacobian, here where it nearly is at the goal."""
    angles = np.array([0.3, 0.6, -0.4])
    tip, J = planar(LENGTHS, angles)
    sigma = np.linalg.norm(J, 2)
    tau = share / (sigma / UNIT) ** 2  # half of 2 / σ², as ∇f has the factor 2
    u = np.linalg.svd(J)[0][:, 0]
    near = complex(*(tip + 1e-5 * u))
    solution = reach(
        links(*LENGTHS),
        near,
        start=angles,
        method="jacobian-transpose",
        parameters={"tau": tau},
        max_iterations=20,
        tolerance=1e-12,
        trace=True,
    )
    values = np.array([point.value for point in solution.trace])
    assert (np.diff(values) > 0).all() == grows
    assert (np.diff(values) < 0).all() != grows


def test_a_step_ten_times_too_long_flips_to_and_fro():
    """PLS Fig. 6: τ = 0.05 instead of 0.005 on the human never settles, and says so."""
    human = poise.figures.human()
    rest = human.rest()
    goals = [
        poise.Position(name, rest.position(name) + shift)
        for name, shift in (("left_hand", (0.1, 0.3, 0.2)), ("right_hand", (-0.1, 0.2, 0.3)))
    ]
    solution = poise.solve(
        human,
        goals,
        method="jacobian-transpose",
        parameters={"tau": 0.05},
        max_iterations=1000,
        trace=True,
    )
    values = np.array([point.value for point in solution.trace])
    assert solution.status in (Status.STALLED, Status.OUT_OF_ITERATIONS)
    assert (np.diff(values[-20:]) > 0).any()
    assert solution.value == values.min()
    assert solution.pose.is_inside_limits


def test_overflow_ends_the_solve_with_the_best_pose():
    """Nothing bounds a table that slides away: it ends before the numbers do."""
    solution = poise.solve(
        stage((-np.inf, np.inf)),
        poise.Position("table", (1.0, 0.0, 0.0)),
        method="jacobian-transpose",
        parameters={"tau": 1e3},
    )
    assert solution.status is Status.STALLED
    assert solution.iterations < 100
    np.testing.assert_array_equal(solution.angles, (0.0,))
    assert (solution.value, solution.residual) == (1.0, 2.0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_but_finite_numbers_comes_out(method, seed):
    figure, goals, start = trial("arm", "position", seed, stretch=5.0)
    solution = poise.solve(figure, goals, start=start, method=method, max_iterations=200)
    for number in (solution.angles, solution.gradient, solution.value, solution.residual):
        assert np.isfinite(number).all()
    assert solution.status in (Status.OPTIMAL, Status.STALLED, Status.OUT_OF_ITERATIONS)


def test_the_inverse_jitters_at_a_goal_out_of_reach_and_damping_calms_it():
    """Stretched out towards a goal, J loses its rank: J⁺e leaps. A λ that suits the distance calms
    it, one that does not leaps too; damping each singular vector needs none (Buss & Kim)."""

    def unrest(method, **parameters):
        made = steps_of(method, parameters, LENGTHS, START, 2.0 + 0.5j, 60)
        return np.abs(np.diff(made[-20:], axis=0)).max()

    leaps = unrest("pseudo-inverse")
    assert leaps > 1.0
    assert unrest("damped-least-squares") > 0.1
    assert unrest("damped-least-squares", **{"lambda": 1.0}) < 1e-3 * leaps
    assert unrest("selectively-damped") < 1e-3 * leaps


# -- where they all should end --------------------------------------------------------------------


@pytest.mark.parametrize("method", able(Feature.POSITION))
def test_they_reach_what_is_near(method):
    solution = reach(links(*LENGTHS), TARGET, start=START, method=method)
    assert solution.status is Status.REACHED
    e, _ = displacement(LENGTHS, solution.angles, TARGET)
    assert np.linalg.norm(e) <= 1e-3


def planar_value(lengths, angles, target):
    e, J = displacement(lengths, angles, target)
    return e @ e, -2.0 * J.T @ e


@pytest.mark.parametrize("method", MONOTONE)
@pytest.mark.parametrize("seed", range(6))
def test_scipy_finds_no_better_optimum_nearby(method, seed):
    """Goals out of reach of an arm with limits, against SciPy's bounded solver from the answer
    and from the start."""
    rng = np.random.default_rng(seed)
    limits, start = (-0.9, 0.9), rng.uniform(-0.8, 0.8, 3)
    target = 1.6 * np.exp(1j * rng.uniform(-1.0, 1.0))
    figure = links(*LENGTHS, limits=limits)
    solution = reach(figure, target, start=start, method=method, optimality=1e-7)
    assert solution.status is Status.OPTIMAL
    for begin in (solution.angles, start):
        expected = minimize(
            lambda angles: planar_value(LENGTHS, angles, target),
            begin,
            jac=True,
            method="L-BFGS-B",
            bounds=[limits] * 3,
            options={"ftol": 1e-15, "gtol": 1e-10},
        )
        assert solution.value <= expected.fun * (1 + 1e-9)
        np.testing.assert_allclose(solution.angles, expected.x, atol=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_limited_elbow_holds_the_tip_off(method):
    """The elbow may not stretch beyond 0.8 rad: no method breaks that, and all say what is left."""
    solution = reach(two_link(0.8, 2.5), 0.0 + 1.95j, method=method)
    assert not solution.reached
    assert solution.angles[1] >= 0.8
    least = (1.95 - 2.0 * np.cos(0.4)) ** 2
    assert solution.value >= least * (1 - 1e-9)
    if method in MONOTONE:
        assert solution.status is Status.OPTIMAL
        assert solution.value == pytest.approx(least, rel=1e-6)


@pytest.mark.parametrize("method", ["pseudo-inverse", "damped-least-squares", "selectively-damped"])
def test_projecting_after_the_step_stops_short_of_the_optimum(method):
    """What PLS §2 says of it: the projection disregards the optimality of the projected iterate."""
    solution = reach(two_link(0.8, 2.5), 0.0 + 1.95j, method=method)
    assert solution.status is Status.STALLED
    assert solution.value > 1.1 * (1.95 - 2.0 * np.cos(0.4)) ** 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_a_budget_of_time_changes_nothing_but_when_it_ends(method, seed):
    """Solved in pieces of any size, the bits are the same."""
    figure, goals, start = trial("arm", "position", seed, stretch=0.3)
    options = {"start": start, "method": method, "max_iterations": 80}
    whole = poise.solve(figure, goals, **options)
    pieces = poise.solve(figure, goals, max_time=1e3, **options)
    traced = poise.solve(figure, goals, trace=True, **options)
    for other in (pieces, traced):
        assert same_bits(whole.angles, other.angles)
        assert (whole.status, whole.value, whole.evaluations, whole.iterations) == (
            other.status,
            other.value,
            other.evaluations,
            other.iterations,
        )
