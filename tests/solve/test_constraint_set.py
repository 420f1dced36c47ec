"""ConstraintSet: whatever was added, removed, switched, moved or changed, the answer is that of a
new Solver with the goals that are on; and what fails changes nothing."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from solve.cases import (
    METHODS,
    able,
    assert_inside_limits,
    custom_position,
    figure_named,
    same_bits,
)

import poise
from poise.solve.capabilities import Feature

NAMES = ("one", "two", "three", "four")
names = st.sampled_from(NAMES)
seeds = st.integers(0, 2**16)
weights = st.sampled_from([0.1, 1.0, 7.0])
chains = st.sampled_from([None, "elbow_*", ("shoulder", "wrist"), "*", (), "nothing", "base"])
levels = st.sampled_from([1, 1, 1, 3])
KINDS = ("position", "pose6d", "aim", "any_of", "half_space", "distance", "posture", "custom")


def goal_of(kind, seed, **options):
    """A goal of the arm, somewhere near a random pose."""
    arm = figure_named("arm")
    rng = np.random.default_rng(seed)
    lower, upper = arm.lower, arm.upper
    pose = arm.pose(lower + rng.random(lower.size) * (upper - lower))
    point = pose.position("hand") + 0.1 * rng.normal(size=3)
    match kind:
        case "position":
            return poise.Position("hand", point, **options)
        case "pose6d":
            return poise.Pose6D("hand", point, pose.rotation("hand"), **options)
        case "aim":
            return poise.Aim("hand", 2.0 * point, **options)
        case "any_of":
            plane = poise.Plane("elbow", point, rng.normal(size=3))
            return poise.AnyOf(poise.Position("hand", point), plane, **options)
        case "half_space":
            return poise.HalfSpace("elbow", point, rng.normal(size=3), **options)
        case "distance":
            return poise.Distance("hand", "base", exactly=float(rng.uniform(0.5, 1.5)), **options)
        case "posture":
            return poise.Posture(pose, **options)
        case "custom":
            return custom_position(arm, "hand", point, **options)


def target_of(kind, seed):
    """What moves a goal of a kind to where another one is."""
    goal = goal_of(kind, seed)
    match kind:
        case "position":
            return goal.position
        case "pose6d":
            return goal.position, goal.rotation
        case "aim":
            return goal.at
        case "any_of":
            return [goal.goals[0].position, None]
        case "half_space":
            return goal.point
        case "distance":
            return goal.exactly
        case "posture":
            return goal.pose
        case "custom":
            return goal.function


class Changes(RuleBasedStateMachine):
    """A model of a ConstraintSet: names, goals and switches, in the order of adding."""

    method = "auto"

    def __init__(self):
        super().__init__()
        self.figure = figure_named("arm")
        self.options = {"method": self.method, "max_iterations": 40}
        if poise.methods()[self.method].takes(Feature.RESTARTS):
            self.options["restarts"] = 1
        self.set = poise.ConstraintSet(self.figure, **self.options)
        self.model = {}
        self.kinds = {}
        self.rebuilt = True

    def solver_of(self, model):
        """A new Solver with what is on; None if nothing is."""
        on = [goal for goal, is_on in model.values() if is_on]
        ranks = {level: k for k, level in enumerate(sorted({goal.level for goal in on}), 1)}
        ranked = [goal.changed(level=ranks[goal.level]) for goal in on]
        start = self.set.pose
        return poise.Solver(self.figure, ranked, start=start, **self.options) if on else None

    def attempt(self, model, change):
        """Change the set as the model says; where a Solver would refuse that, so must the set."""
        try:
            self.solver_of(model)
        except poise.PoiseError as error:
            with pytest.raises(type(error)):
                change()
            return False
        change()
        self.model = model
        return True

    @rule(name=names, kind=st.sampled_from(KINDS), seed=seeds, chain=chains, level=levels)
    def add(self, name, kind, seed, chain, level):
        try:
            goal = goal_of(kind, seed, chain=chain, level=level, name=name)
            poise.Problem(self.figure, goal.changed(level=1))
        except poise.PoiseError as error:  # of the chain: refused even where it is off
            with pytest.raises(type(error)):
                self.set.add(goal, on=False)
            return
        if name in self.model:
            with pytest.raises(poise.GoalError, match="called"):
                self.set.add(goal, name=name)
            return
        if self.attempt({**self.model, name: (goal, True)}, lambda: self.set.add(goal, name=name)):
            self.kinds[name] = kind
            self.rebuilt = True

    @rule(name=names)
    def remove(self, name):
        if name not in self.model:
            with pytest.raises(poise.GoalError, match="unknown constraint"):
                self.set.remove(name)
            return
        left = {n: entry for n, entry in self.model.items() if n != name}
        self.rebuilt |= self.attempt(left, lambda: self.set.remove(name))

    @precondition(lambda self: self.model)
    @rule(name=names, on=st.booleans())
    def switch(self, name, on):
        if name in self.model:
            model = {**self.model, name: (self.model[name][0], on)}
            switch = self.set.switch_on if on else self.set.switch_off
            self.rebuilt |= self.attempt(model, lambda: switch(name))

    @precondition(lambda self: self.model)
    @rule(name=names, weight=st.one_of(weights, st.sampled_from([0.0, np.nan])))
    def reweigh(self, name, weight):
        self.change(name, weight=weight)

    @precondition(lambda self: self.model)
    @rule(name=names, chain=chains, level=levels)
    def restrict(self, name, chain, level):
        self.rebuilt |= self.change(name, chain=chain, level=level)

    def change(self, name, **settings):
        if name not in self.model:
            return False
        goal, on = self.model[name]
        try:
            changed = goal.changed(**settings)
            poise.Problem(self.figure, changed.changed(level=1))
        except poise.PoiseError as error:
            with pytest.raises(type(error)):
                self.set.change(name, **settings)
            return False
        model = {**self.model, name: (changed, on)}
        return self.attempt(model, lambda: self.set.change(name, **settings))

    @precondition(lambda self: self.model)
    @rule(name=names, seed=seeds, with_solve=st.booleans())
    def move(self, name, seed, with_solve):
        if name not in self.model:
            return
        goal, on = self.model[name]
        target = target_of(self.kinds[name], seed)
        self.model[name] = goal.moved(target), on
        if with_solve:
            self.compare({name: target})
        else:
            self.set.move(name, target)

    @precondition(lambda self: self.model)
    @rule(name=names)
    def move_nowhere(self, name):
        for change in (self.set.move, lambda name, target: self.set.solve({name: target})):
            with pytest.raises(poise.PoiseError):
                change(name, (np.nan, 1.0, 2.0))

    @rule()
    def solve(self):
        self.compare(None)

    def compare(self, targets):
        start, solver = self.set.pose, self.solver_of(self.model)
        solution = self.set.solve(targets)
        assert_inside_limits(self.figure, solution.angles)
        assert same_bits(self.set.pose.angles, solution.angles)
        if solver is None:
            assert solution.reached
            assert same_bits(solution.angles, start.angles)
            return
        fresh = solver.solve()
        assert list(solution.errors) == list(fresh.errors)
        if self.rebuilt or solver.problem.level_count == 1:
            assert same_bits(solution.angles, fresh.angles)
            assert solution.status is fresh.status
            assert solution.errors == fresh.errors
            assert (solution.value, solution.residual) == (fresh.value, fresh.residual)
        self.rebuilt = False  # levels are warmer from now on: they know their last multipliers

    @invariant()
    def it_says_what_it_has(self):
        assert list(self.set) == list(self.model)
        for name, (goal, on) in self.model.items():
            assert self.set.is_on(name) is on
            held = self.set[name]
            assert (held.weight, held.level, held.chain) == (goal.weight, goal.level, goal.chain)
            for one, other in zip(held.atoms(), goal.atoms(), strict=True):
                assert same_bits(one.target, other.target)


def machine(method, examples):
    changes = type(f"Changes{method}", (Changes,), {"method": method})
    changes.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=15, deadline=None
    )
    return changes.TestCase


TestAuto = machine("auto", 60)
for _method in METHODS[1:]:
    globals()[f"Test{_method.title().replace('-', '')}"] = machine(_method, 8)


def hand(x=0.3, **options):
    return poise.Position("left_hand", (x, 1.2, 0.4), **options)


def standing(*goals):
    human = figure_named("human")
    rest = human.rest()
    feet = [poise.Position(f, rest.position(f)) for f in ("left_foot", "right_foot")]
    return poise.ConstraintSet(human, [*feet, *goals])


def test_what_is_off_has_no_say():
    """It counts for no error, is not explained, and frees no joint."""
    far = hand(3.0, chain="left_arm")
    constraints = standing(far)
    assert not constraints.solve().reached
    constraints.switch_off("left_hand")
    before = constraints.pose
    solution = constraints.solve(start=constraints.figure.rest())
    assert solution.reached
    assert list(solution.errors) == ["left_foot", "right_foot"]
    assert "left_hand" not in solution.explain()
    arm = constraints.figure.match_dofs("left_arm")
    assert same_bits(constraints.solve(start=before).angles[arm], before.angles[arm])
    constraints.move("left_hand", (0.3, 1.2, 0.4))
    constraints.switch_on("left_hand")
    assert constraints.solve().reached
    assert constraints["left_hand"].position == pytest.approx((0.3, 1.2, 0.4))


@pytest.mark.parametrize("method", METHODS)
def test_with_nothing_on_the_figure_stays(method):
    arm = figure_named("arm")
    start = arm.pose(arm.lower + 0.3 * (arm.upper - arm.lower))
    constraints = poise.ConstraintSet(arm, start=start, method=method)
    for _ in range(2):
        solution = constraints.solve()
        assert solution.status is poise.Status.REACHED
        assert same_bits(solution.angles, start.angles)
        assert solution.errors == {}
        assert solution.explanation.goals == ()
        constraints.add(poise.Position("hand", (0.2, 1.3, 0.3)), on=False)
        constraints.remove("hand")


def test_a_second_constraint_of_a_site_is_named_after_its_kind():
    constraints = standing(hand(), poise.Orientation("left_hand", y=(0, 1, 0)))
    names = ["left_foot", "right_foot", "left_hand", "left_hand:orientation"]
    assert list(constraints) == names
    assert constraints.add(poise.Aim("left_hand", (0, 1, 3))) == "left_hand:aim"
    assert constraints.add(poise.Aim("head", (0, 1, 3)), name="look") == "look"
    assert list(constraints.solve().errors) == [*names, "left_hand:aim", "look"]
    constraints.change("look", name="stare")
    assert "look" not in constraints
    assert "stare" in constraints.solve().errors
    with pytest.raises(poise.GoalError, match="'stare' already"):
        constraints.change("left_foot", name="stare")
    with pytest.raises(poise.GoalError, match="unknown setting 'wieght'; did you mean 'weight'"):
        constraints.change("stare", wieght=2.0)
    with pytest.raises(poise.GoalError, match="unknown constraint 'star'; did you mean 'stare'"):
        constraints.switch_off("star")


def test_levels_order_what_is_on():
    constraints = standing(hand(3.0, level=2))
    one = constraints.solve()
    assert one.problem.levels == (1, 1, 2)
    assert max(one.errors[f"{side}_foot"].position for side in ("left", "right")) <= 1.01e-3
    for side in ("left", "right"):
        constraints.switch_off(f"{side}_foot")
    assert constraints.problem.levels == (1,)
    assert constraints["left_hand"].level == 2
    assert constraints.solve().reached  # the free root follows


def test_a_weight_matrix_goes_with_its_rows():
    human, rng = figure_named("human"), np.random.default_rng(3)
    goals = [hand(3.0), poise.Position("right_hand", (-0.3, 1.0, 0.2), weight=2.0)]
    goals.append(poise.Orientation("head", y=(0.3, 1.0, 0.0)))
    root = rng.normal(size=(12, 12))
    matrix = root @ root.T + np.eye(12)
    constraints = poise.ConstraintSet(human, goals, weight_matrix=matrix)

    def fresh(kept, rows):
        part = matrix[np.ix_(rows, rows)]
        return poise.solve(human, kept, weight_matrix=part, start=constraints.pose)

    for change, kept, rows in (
        (lambda: constraints.move("left_hand", (0.3, 1.2, 0.4)), [hand(), *goals[1:]], range(12)),
        (
            lambda: constraints.switch_off("right_hand"),
            [hand(), goals[2]],
            [0, 1, 2, *range(6, 12)],
        ),
        (lambda: constraints.remove("left_hand"), goals[2:], range(6, 12)),
    ):
        change()
        expected = fresh(kept, list(rows))
        assert same_bits(constraints.solve().angles, expected.angles)
    constraints.switch_on("right_hand")
    assert same_bits(fresh(goals[1:], list(range(3, 12))).angles, constraints.solve().angles)
    for refused, words in (
        (lambda: constraints.add(hand()), "weight_matrix of this set has no rows for 'left_hand'"),
        (lambda: constraints.change("head", level=2), "weight_matrix weighs all goals against"),
    ):
        with pytest.raises(poise.GoalError, match=words):
            refused()
    constraints.remove("right_hand")
    constraints.remove("head")
    constraints.add(hand())  # nothing is left of the matrix
    half = poise.HalfSpace("head", (0, 1, 0), (0, 1, 0))
    with pytest.raises(poise.GoalError, match="weight_matrix cannot be mixed with the HalfSpace"):
        poise.ConstraintSet(human, [hand(), half], weight_matrix=np.eye(4))


def test_a_function_that_fails_leaves_all_as_it_was():
    arm = figure_named("arm")
    fails = []

    def function(pose):
        return (np.nan if fails else 0.1), np.zeros(7)

    near = poise.Position("hand", (0.2, 1.3, 0.3))
    constraints = poise.ConstraintSet(arm, [near, poise.Custom(function, name="mine")])
    constraints.add(poise.Position("elbow", (0, 1, 0)), on=False)
    before = constraints.solve()
    fails.append(True)
    with pytest.raises(poise.GoalError, match=r"'mine' returned the value nan"):
        constraints.solve({"hand": (0.1, 1.2, 0.3), "elbow": (0, 2, 0)})
    assert same_bits(constraints.pose.angles, before.angles)
    assert same_bits(constraints["hand"].position, near.position)
    assert same_bits(constraints["elbow"].position, (0.0, 1.0, 0.0))
    fails.clear()
    again = constraints.solve(start=arm.rest())
    assert same_bits(again.angles, poise.solve(arm, [near, constraints["mine"]]).angles)


def test_options_are_those_of_a_solver():
    human = figure_named("human")
    constraints = poise.ConstraintSet(human, hand(3.0), max_velocity=0.5, dt=0.1)
    for _ in range(3):
        before = constraints.pose.angles
        constraints.change("left_hand", weight=2.0)
        constraints.switch_off("left_hand")
        constraints.switch_on("left_hand")
        turns = np.abs(constraints.solve().angles - before)
        assert 0.0 < turns.max() <= 0.05 + 1e-12
    with pytest.raises(poise.OptionError, match="unknown option 'methd'"):
        poise.ConstraintSet(human, methd="auto")
    other = next(name for name in METHODS if name not in able(Feature.POSTURE))
    constraints = poise.ConstraintSet(human, hand(), method=other)
    with pytest.raises(poise.OptionError, match="cannot take Posture goals"):
        constraints.add(poise.Posture(human.rest()))
    assert list(constraints) == ["left_hand"]
