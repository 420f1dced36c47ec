"""The paper's method (PLS §4): replayed in plain NumPy, and on problems with known answers."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from solve.cases import FIGURES, GOAL_KINDS, figure_named, stage, trial, two_link

import poise

METHOD = "projected-gradient"


# -- the line search, replayed --------------------------------------------------------------------


def projected(figure, angles):
    """P(θ), written again: cones radially, then boxes by clamping."""
    result = angles.copy()
    for dof, radius in figure.cones:
        length = np.hypot(*result[dof : dof + 2])
        if length > radius:
            result[dof : dof + 2] *= radius / length
    return np.clip(result, figure.lower, figure.upper)


def replay(problem, start, count, alpha, beta, tau, unit, first_step="tau"):
    """The iterates of PLS §4 and how many values they took: θ(τ) = P(θ - τ∇f), τ <- βτ until
    f(θ(τ)) < f(θ) + α∇fᵀ(θ(τ) - θ). Lengths are in units, so a turn moves by τ∇f / unit².
    A spectral first step is sᵀs / sᵀy, in the same units."""
    figure = problem.figure
    slides = np.array([dof.kind == "translation" for dof in figure.dofs])
    scale = np.where(slides, 1.0, 1.0 / unit**2) * (problem.mobility > 0)
    angles = projected(figure, start)
    iterates, evaluations = [angles], 1
    last, last_slope = angles, None
    for _ in range(count):
        value, slope, step = problem.value(angles), problem.gradient(angles), tau
        if first_step == "spectral" and last_slope is not None:
            s, y = angles - last, slope - last_slope
            if s @ y > 0.0:
                move = scale > 0
                step = np.sum(s[move] ** 2 / scale[move]) / (s @ y)
        last, last_slope = angles, slope
        while True:
            tried = projected(figure, angles - step * scale * slope)
            evaluations += 1
            if problem.value(tried) < value + alpha * slope @ (tried - angles):
                break
            step *= beta
        angles = tried
        iterates.append(angles)
    return iterates, evaluations


@pytest.mark.parametrize("figure_name", FIGURES)
@pytest.mark.parametrize("kind", GOAL_KINDS)
@pytest.mark.parametrize(
    "parameters",
    [
        {"alpha": 1e-4, "beta": 0.5, "tau": 1.0, "unit": 0.2},
        {"alpha": 0.1, "beta": 0.8, "tau": 1.0, "unit": 0.2},
        {"alpha": 1e-3, "beta": 0.3, "tau": 0.05, "unit": 1.0},
        {"alpha": 1e-4, "beta": 0.5, "tau": 1.0, "unit": 0.2, "first_step": "spectral"},
    ],
)
def test_the_kernel_makes_the_paper_s_steps(figure_name, kind, parameters):
    for seed in (1, 2):
        figure, goals, start = trial(figure_name, kind, seed, outside=0.2, stretch=0.3)
        count = 6
        solution = poise.solve(
            figure,
            goals,
            start=start,
            method=METHOD,
            parameters=parameters,
            max_iterations=count,
            trace=True,
        )
        assert solution.iterations == count
        expected, evaluations = replay(solution.problem, start.angles, count, **parameters)
        made = {point.iterations: point.angles for point in solution.trace}
        for k in range(count + 1):
            np.testing.assert_allclose(made[k], expected[k], rtol=0, atol=1e-12)
        assert solution.evaluations == evaluations


def test_the_defaults_are_the_paper_s():
    parameters = poise.methods()[METHOD].checked({})
    assert parameters == {"alpha": 1e-4, "beta": 0.5, "tau": 1.0, "first_step": 0.0, "unit": 0.2}
    assert parameters["alpha"] <= parameters["beta"] < 1.0
    assert poise.methods()[METHOD].restarts == 0


# -- problems with known answers ------------------------------------------------------------------


def test_a_bowl_takes_one_iteration():
    """f = ‖x - t‖²: τ = 1 lands on the mirror image, as high as the start; τ = 1/2 at the goal."""
    figure = stage((-9, 9), (-9, 9), (-9, 9))
    target = np.array([0.5, -0.25, 2.0])
    solution = poise.solve(figure, poise.Position("table", target), method=METHOD)
    assert solution.reached
    assert (solution.iterations, solution.evaluations) == (1, 3)
    np.testing.assert_array_equal(solution.angles, target)


def test_a_bowl_in_a_box():
    """min ‖x - t‖² in a box is the clamped target."""
    figure = stage((-1.0, 1.0), (-0.5, 2.0), (0.0, 3.0))
    rng = np.random.default_rng(0)
    for _ in range(50):
        target = rng.normal(scale=2.0, size=3)
        solution = poise.solve(figure, poise.Position("table", target), method=METHOD)
        expected = np.clip(target, figure.lower, figure.upper)
        np.testing.assert_allclose(solution.angles, expected, atol=1e-3)
        inside = np.linalg.norm(target - expected) <= 1e-3
        assert solution.status is (poise.Status.REACHED if inside else poise.Status.OPTIMAL)


def test_a_stretched_bowl_in_a_box():
    """min (x - t)ᵀW(x - t) in a box, with a condition number of 100, against `lsq_linear`."""
    figure = stage((-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0))
    rng = np.random.default_rng(1)
    for _ in range(30):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        W = turn @ np.diag([1.0, 10.0, 100.0]) @ turn.T
        W = 0.5 * (W + W.T)
        target = rng.normal(scale=1.5, size=3)
        solution = poise.solve(
            figure, poise.Position("table", target), weight_matrix=W, method=METHOD
        )
        root = np.linalg.cholesky(W).T
        expected = lsq_linear(root, root @ target, bounds=(-1.0, 1.0), tol=1e-14, max_iter=500)
        if not solution.reached:
            assert solution.value <= 2.0 * expected.cost * (1 + 1e-9)
            np.testing.assert_allclose(solution.angles, expected.x, atol=1e-4)


@pytest.mark.parametrize("distance", [0.2, 0.9, 1.5])
@pytest.mark.parametrize("bend", [1.0, -1.0])
def test_two_links_in_closed_form(distance, bend):
    """cos q₂ = (d² - 2) / 2 by the law of cosines."""
    direction = 0.7
    target = (distance * np.cos(direction), distance * np.sin(direction), 0.0)
    solution = poise.solve(
        two_link(),
        poise.Position("tip", target),
        start=[0.3, 0.5 * bend],
        tolerance=1e-5,
        method=METHOD,
    )
    assert solution.reached
    elbow = abs((solution.angles[1] + np.pi) % (2 * np.pi) - np.pi)
    assert elbow == pytest.approx(np.arccos((distance**2 - 2.0) / 2.0), abs=1e-4)
    tip = np.exp(1j * solution.angles[0]) * (1 + np.exp(1j * solution.angles[1]))
    assert abs(tip - distance * np.exp(1j * direction)) <= 1e-5


def test_a_limited_elbow_in_closed_form():
    lower = 0.8
    solution = poise.solve(
        two_link(lower, 2.5), poise.Position("tip", (0.0, 1.95, 0.0)), method=METHOD
    )
    assert solution.status is poise.Status.OPTIMAL
    assert solution.angles[1] == lower
    shoulder = solution.angles[0] % (2 * np.pi)  # a first step of τ = 1 may turn it all the way
    assert shoulder == pytest.approx(np.pi / 2 - lower / 2, abs=1e-5)
    assert solution.value == pytest.approx((1.95 - 2.0 * np.cos(lower / 2)) ** 2, rel=1e-9)


def test_it_reaches_what_auto_reaches_only_slower():
    """A hundred times as many values, and the same goals met: why there is another default."""
    figure, rng = figure_named("human"), np.random.default_rng(1)
    rest = figure.rest()
    slow, fast = [], []
    for _ in range(10):
        goals = [
            poise.Position(e, rest.position(e) + rng.uniform(-0.1, 0.1, 3))
            for e in ("left_hand", "right_hand", "head")
        ]
        slow.append(poise.solve(figure, goals, method=METHOD).require().evaluations)
        fast.append(poise.solve(figure, goals).require().evaluations)
    assert np.median(slow) > 10 * np.median(fast)


def test_a_spectral_first_step_needs_fewer_values():
    """METHOD §4: about 40 to 200 iterations where the printed first step needs hundreds."""
    figure, rng = figure_named("human"), np.random.default_rng(2)
    rest, counts = figure.rest(), {"tau": [], "spectral": []}
    for _ in range(10):
        goals = [
            poise.Position(e, rest.position(e) + rng.uniform(-0.1, 0.1, 3))
            for e in ("left_hand", "right_hand", "left_foot", "right_foot", "head", "pelvis")
        ]
        for first_step, evaluations in counts.items():
            options = {"method": METHOD, "parameters": {"first_step": first_step}}
            evaluations.append(poise.solve(figure, goals, **options).evaluations)
    assert 3 * np.median(counts["spectral"]) < np.median(counts["tau"])


@pytest.mark.parametrize("tau", [np.inf, np.nan, 0.0, -1.0])
def test_a_first_step_must_be_finite(tau):
    """An infinite one would be halved for ever."""
    with pytest.raises(poise.OptionError, match="tau"):
        poise.solve(
            stage((-1, 1)),
            poise.Position("table", (1, 0, 0)),
            method=METHOD,
            parameters={"tau": tau},
        )
