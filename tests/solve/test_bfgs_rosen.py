"""`bfgs-rosen`: the appendix of ZB replayed with dense matrices, and its Kuhn-Tucker points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from solve import planar
from solve.cases import links, trial
from solve.planar import LENGTHS
from solve.test_relations import kkt_residual, random_case

import poise
from poise import Status
from poise.kernels import layout
from poise.kernels.rosen_face import AT_CONE, AT_LOWER, AT_UPPER, FROZEN
from poise.solve.method import method_named
from poise.solve.workspace import Workspace

METHOD = "bfgs-rosen"
START = np.array([0.3, 0.6, -0.4])


# -- the appendix, replayed -----------------------------------------------------------------------


class Replay:
    """Steps 0 to 5 as printed, for aᵀθ <= b: all active constraints in one matrix A, H by (30),
    (32), (33) and (34). `seen` collects what happened."""

    def __init__(self, value, slope, rows, sides, H_0=0.1, sigma_1=1e-4, sigma_2=0.5):
        self.value, self.slope = value, slope
        norms = np.linalg.norm(rows, axis=1)
        self.rows, self.sides = rows / norms[:, None], sides / norms
        self.H_0, self.sigma_1, self.sigma_2 = H_0, sigma_1, sigma_2
        self.seen = set()

    def iterates(self, x, count):
        f, g = self.value(x), self.slope(x)
        scale = self.H_0 * 2 * f / (g @ g)
        H = scale * np.eye(x.size)
        active = []
        for j in np.flatnonzero(self.rows @ x >= self.sides - 1e-12):
            H = self.held(H, j)
            active.append(j)
        made = [x]
        for _ in range(count):
            H, s, most, blocking = self.direction(x, g, H, active, scale)
            alpha = self.search(x, f, g, s, most)
            after = x + alpha * s
            y = self.slope(after) - g
            if alpha == most and blocking is not None:
                self.seen.add("added")
                H = self.held(H, blocking)
                active.append(blocking)
            elif alpha * s @ y > 0:
                H = self.updated(H, alpha * s, y)
            x, f, g = after, self.value(after), self.slope(after)
            made.append(x)
        return np.array(made)

    def held(self, H, j):
        a = self.rows[j]
        return H - np.outer(H @ a, H @ a) / (a @ H @ a)  # (32)

    def direction(self, x, g, H, active, scale):
        while active:
            A = self.rows[active].T
            inverse = np.linalg.inv(A.T @ A)
            strength = inverse @ A.T @ g / np.sqrt(np.diag(inverse))
            q = int(np.argmax(strength))
            if strength[q] <= 0 or np.linalg.norm(H @ g) > 0.5 * strength[q]:
                break
            self.seen.add("dropped")
            a, rest = A[:, q], np.delete(A, q, axis=1)
            P = np.eye(x.size) - rest @ np.linalg.pinv(rest)
            H = H + scale * np.outer(P @ a, P @ a) / (a @ P @ a)  # (30)
            del active[q]
        s = -H @ g
        most, blocking = 1.0, None
        for j in set(range(len(self.rows))) - set(active):
            if self.rows[j] @ s > 1e-12:
                room = (self.sides[j] - self.rows[j] @ x) / (self.rows[j] @ s)
                if room < most:
                    most, blocking = room, j
        return H, s, most, blocking

    def search(self, x, f, g, s, most):
        """(31), with a cubic through the values and slopes at the ends of the interval."""
        near, far, alpha = (0.0, f, g @ s), None, most
        while True:
            v, d = self.value(x + alpha * s), self.slope(x + alpha * s) @ s
            falls = v <= f + self.sigma_1 * alpha * (g @ s)
            if falls and (d >= self.sigma_2 * (g @ s) or alpha == most):
                return alpha
            self.seen.add("searched")
            near, far = ((alpha, v, d), far) if falls else (near, (alpha, v, d))
            (a, va, da), (b, vb, db) = near, far
            # the cubic p(t) with p, p' given at 0 and w: its coefficients, then p' = 0
            w = b - a
            c2 = (3 * (vb - va) / w - 2 * da - db) / w
            c3 = (da + db - 2 * (vb - va) / w) / w**2
            roots = np.roots([3 * c3, 2 * c2, da])
            least = [t.real for t in roots if abs(t.imag) < 1e-12 and 2 * c2 + 6 * c3 * t.real > 0]
            t = least[0] if least else 0.5 * w
            alpha = a + min(max(t, 0.1 * w), 0.9 * w)

    def updated(self, H, sigma, y):
        sy, yHy = sigma @ y, y @ H @ y
        if sy >= yHy:  # (33)
            self.seen.add("BFGS")
            cross = np.outer(sigma, H @ y)
            return H + ((1 + yHy / sy) * np.outer(sigma, sigma) - cross - cross.T) / sy
        self.seen.add("DFP")
        return H + np.outer(sigma, sigma) / sy - np.outer(H @ y, H @ y) / yHy  # (34)


def replay_of(lengths, target, limits, H_0, extra=()):
    n = len(lengths)
    rows = np.vstack([np.eye(n), -np.eye(n), *(row for row, _ in extra)])
    sides = np.array([limits[1]] * n + [-limits[0]] * n + [side for _, side in extra])
    return Replay(
        lambda x: planar.value(lengths, x, target),
        lambda x: planar.slope(lengths, x, target),
        rows,
        sides,
        H_0,
    )


def solved(figure, target, start, **options):
    goal = poise.Position("tip", (target.real, target.imag, 0.0))
    return poise.solve(figure, goal, start=start, method=METHOD, **options)


CASES = {
    "two links": ((0.6, 0.5), 0.2 + 0.75j, (-3.0, 3.0), START[:2]),
    "two links, out of reach": ((0.6, 0.5), 0.9 + 0.9j, (-0.5, 0.7), START[:2]),
    "three links": (LENGTHS, 0.55 + 0.5j, (-3.0, 3.0), START),
    "three links, limited": (LENGTHS, 0.3 + 0.9j, (-0.9, 0.9), START),
    "three links, out of reach": (LENGTHS, -0.8 + 1.1j, (-0.9, 0.9), START),
    "three links, from the limits": (LENGTHS, 0.9 - 0.5j, (-0.9, 0.9), np.array([0.9, 0.9, -0.9])),
}


def replayed(lengths, target, limits, start, relation=None, H_0=0.1):
    """(the kernel's iterates, the replay's, what the replay saw)."""
    figure, extra = links(*lengths, limits=limits), []
    if relation is not None:
        factors, high = relation
        named = dict(zip(figure.dof_names, factors, strict=True))
        figure = figure.with_relations(poise.LinearLimit("sum", named, upper=high))
        extra = [(np.array(factors), high)]
    options = {"parameters": {"H_0": H_0}, "max_iterations": 6, "tolerance": 1e-12}
    solution = solved(figure, target, start, trace=True, **options)
    made = {point.iterations: point.angles for point in solution.trace}
    replay = replay_of(lengths, target, limits, H_0, extra)
    return np.array(list(made.values())), replay.iterates(start, len(made) - 1), replay.seen


@pytest.mark.parametrize("H_0", [0.1, 3.0])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_steps_are_those_of_the_paper(case, H_0):
    made, expected, _ = replayed(*case, H_0=H_0)
    assert len(made) >= 5
    np.testing.assert_allclose(made, expected, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("high", [0.75, 1.0])
def test_linear_limits_are_part_of_the_active_set(high):
    case = (LENGTHS, 0.3 + 0.9j, (-0.9, 0.9), START, ((1.0, 1.0, 0.5), high))
    made, expected, seen = replayed(*case)
    assert "added" in seen
    np.testing.assert_allclose(made, expected, rtol=1e-7, atol=1e-8)
    assert (made @ (1.0, 1.0, 0.5)).max() == pytest.approx(high, abs=1e-9)


def test_every_part_of_the_appendix_was_replayed():
    every = [replayed(*case, H_0=H_0)[2] for case in CASES.values() for H_0 in (0.1, 3.0)]
    seen = set().union(*every)
    assert seen == {"added", "dropped", "searched", "BFGS", "DFP"}


# -- the projected inverse Hessian ----------------------------------------------------------------


def active_normals(workspace):
    """The unit normals of what is held, in the DOF metric, over the DOFs that move (rows)."""
    held = layout.ints_at(workspace.ints, layout.HELD)
    sides = layout.ints_at(workspace.ints, layout.RELATION_HELD)
    normals = workspace.section(layout.RELATION_STEPS).reshape(sides.size, held.size)
    bounds = np.eye(held.size)[np.isin(held, (AT_LOWER, AT_UPPER, AT_CONE))]
    rows = np.vstack([bounds, normals[sides != 0]])
    return rows[:, held != FROZEN], held != FROZEN


@pytest.mark.parametrize("figure_name", ["arm", "every_joint", "human"])
@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), iterations=st.integers(1, 40))
def test_h_is_a_positive_definite_matrix_on_the_face_of_the_active_limits(
    figure_name, seed, iterations
):
    case = random_case(figure_name, seed)
    if case is None:
        return
    figure, goals, start = case
    method = method_named(METHOD)
    workspace = Workspace(poise.Problem(figure, goals), method, method.checked({}))
    limits = {"optimality": 1e-9, "max_time": None, "restarts": 0, "seed": 0}
    workspace.run(start, max_iterations=iterations, **limits)
    A, moves = active_normals(workspace)
    H = workspace.section(layout.HESSIAN).reshape(moves.size, -1)[np.ix_(moves, moves)]
    size = np.abs(H).max() if H.size else 0.0
    if size == 0.0:
        return
    np.testing.assert_allclose(H, H.T, atol=1e-9 * size)
    assert np.abs(H @ A.T).max(initial=0.0) <= 1e-7 * size
    assert np.linalg.eigvalsh(H).min() >= -1e-7 * size


# -- where it ends --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_optimum_under_linear_limits_is_scipy_s(seed):
    """A limit and an equality between the joints of an arm, a goal out of reach: SLSQP agrees."""
    rng = np.random.default_rng(seed)
    figure = links(*LENGTHS, limits=(-0.9, 0.9))
    names = figure.dof_names
    figure = figure.with_relations(
        poise.LinearLimit("sum", {names[0]: 1.0, names[1]: 1.0}, upper=0.8),
        poise.LinearLimit("tied", {names[1]: 1.0, names[2]: -0.5}, 0.1, 0.1),
    )
    target = 1.6 * np.exp(1j * rng.uniform(-1.0, 1.5))
    solution = solved(figure, target, rng.uniform(-0.5, 0.5, 3), optimality=1e-9)
    assert solution.status is Status.OPTIMAL
    expected = minimize(
        lambda x: planar.value(LENGTHS, x, target),
        solution.angles,
        jac=lambda x: planar.slope(LENGTHS, x, target),
        method="SLSQP",
        bounds=[(-0.9, 0.9)] * 3,
        constraints=[
            {"type": "ineq", "fun": lambda x: 0.8 - x[0] - x[1]},
            {"type": "eq", "fun": lambda x: x[1] - 0.5 * x[2] - 0.1},
        ],
        options={"ftol": 1e-15, "maxiter": 200},
    )
    assert solution.value <= expected.fun * (1 + 1e-8)
    np.testing.assert_allclose(solution.angles, expected.x, atol=1e-5)


@pytest.mark.parametrize("figure_name", ["arm", "every_joint", "spider"])
def test_it_stops_at_kuhn_tucker_points(figure_name):
    """Whatever limits, cones and relations there are: those that hold explain the slope."""
    proven = 0
    for seed in range(20):
        case = random_case(figure_name, seed)
        if case is None:
            continue
        figure, goals, start = case
        solution = poise.solve(figure, goals, start=start, method=METHOD, max_iterations=3000)
        assert solution.status in (Status.REACHED, Status.OPTIMAL)
        if solution.status is Status.OPTIMAL:
            assert kkt_residual(solution) <= 1e-5 * max(solution.start_residual, 1e-3)
            proven += 1
    assert proven >= 2


@pytest.mark.parametrize("seed", range(4))
def test_it_goes_along_the_rim_of_a_cone(seed):
    """Goals out of reach press swings against their cone: as good an optimum as the default's."""
    figure, goals, start = trial("every_joint", "position", seed, stretch=1.0)
    solution = poise.solve(figure, goals, start=start, method=METHOD)
    other = poise.solve(figure, goals, start=solution.pose, restarts=0)
    assert solution.status is Status.OPTIMAL
    assert other.value >= solution.value * (1 - 1e-6)


def test_its_line_search_never_lets_the_human_rise():
    figure, goals, start = trial("human", "pose6d", 3, stretch=0.5)
    solution = poise.solve(figure, goals, start=start, method=METHOD, trace=True)
    values = [point.value for point in solution.trace]
    assert values == sorted(values, reverse=True)
    assert solution.status is Status.OPTIMAL
