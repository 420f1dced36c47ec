"""Explanations: causes, limits, rivals, gains, multipliers and sentences."""

import math
from dataclasses import replace

import numpy as np
import pytest

import poise
from poise import (
    Aim,
    AnyOf,
    HalfSpace,
    Orientation,
    Pose6D,
    Position,
    Posture,
    Relative,
    Segment,
    Solver,
    joint,
    solve,
)
from poise.problem import GoalErrors
from poise.solve import ActiveLimit
from poise.solve.explanation import Cause, GoalExplanation

ARM = poise.figures.arm()
LOOSE = ARM.with_limits({"*": (-3.0, 3.0)})
"""The arm with limits that do not bind."""
HUMAN = poise.figures.human()
FEET = [Position(foot, HUMAN.rest().position(foot)) for foot in ("left_foot", "right_foot")]
TIGHT = {"tolerance": 1e-9, "optimality": 1e-13, "restarts": 0}


def slider(lower=-1.0, upper=1.0):
    """A cart on a rail along X."""
    rail = joint.prismatic("X", (lower, upper), "slide")
    return poise.Figure("slider", [Segment("rail", None), Segment("cart", "rail", rail)])


def only(solution):
    (goal,) = solution.explanation.goals
    return goal


def roomier(figure, limit, room):
    """The figure with so much more room [rad or m] behind a limit."""
    dof = figure.dofs[figure.dof_index(limit.dof)]
    below, above = (room, 0.0) if limit.side == "lower" else (0.0, room)
    return figure.with_limits({limit.dof: (dof.lower - below, dof.upper + above)})


# -- met ---------------------------------------------------------------------------------------


def test_met_goals_say_so():
    solution = solve(HUMAN, [Position("left_hand", (0.35, 1.3, 0.45)), *FEET])
    explanation = solution.explanation
    assert [goal.name for goal in explanation.goals] == ["left_hand", "left_foot", "right_foot"]
    for goal in explanation.goals:
        assert goal.met
        assert (goal.causes, goal.limits, goal.rivals, goal.gain) == ((), (), (), None)
        assert goal.error == solution.errors[goal.name]
        assert goal.sentence().startswith(f"{goal.name} is met")
    assert "presses" not in solution.explain()
    assert solution.explain().startswith("REACHED: every goal is met")


def test_met_and_unmet_are_told_apart():
    rails = [joint.prismatic("X", (-1.0, 1.0)) for _ in range(2)]
    segments = [Segment("a", "base", rails[0]), Segment("b", "base", rails[1])]
    figure = poise.Figure("two rails", [Segment("base", None), *segments])
    goals = [Position("a", (0.5, 0, 0)), Position("b", (3, 0, 0))]
    one, other = solve(figure, goals).explanation.goals
    assert (one.met, other.met) == (True, False)
    assert other.causes == (Cause.LIMITS,)
    assert other.rivals == ()


# -- stretched ---------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [(-3.0, 1.5, 1.0), (0.5, -2.0, 1.0), (0.0, 1.4, 5.0)])
def test_a_stretched_arm(target):
    solution = solve(LOOSE, Position("hand", target), optimality=1e-8)
    goal = only(solution)
    assert goal.causes == (Cause.STRETCHED,)
    assert (goal.limits, goal.rivals, goal.gain) == ((), (), None)
    assert solution.explanation.optimal
    assert "stretched out" in goal.sentence()
    pose = solution.pose  # shoulder, elbow and hand are in line with the target
    way = np.array(target) - pose.position("upper_arm")
    hand = pose.position("hand") - pose.position("upper_arm")
    assert np.linalg.norm(np.cross(way, hand)) < 1e-4 * np.linalg.norm(way)


# -- limits ------------------------------------------------------------------------------------


def test_one_limit_is_named_with_its_gain():
    goal = Position("hand", (0.0, 1.5, 0.1), chain="elbow_flexion")
    solution = solve(ARM, goal, optimality=1e-10)
    told = only(solution)
    assert told.causes == (Cause.LIMITS,)
    (limit,) = told.limits
    assert (limit.dof, limit.side, limit.kind) == ("elbow_flexion", "upper", "rotation")
    assert limit.value == ARM.upper[ARM.dof_index("elbow_flexion")]
    assert solution.explanation.limits[0] == limit
    wider = roomier(ARM, limit, math.radians(5.0))
    again = solve(wider, goal, start=solution.pose, restarts=0)
    assert told.gain > 0
    assert told.gain == pytest.approx(told.error.position - again.errors["hand"].position, abs=1e-9)
    text = told.sentence()
    assert text == (
        f"hand is {100 * told.error.position:.1f} cm short: elbow_flexion is at its 150.0° limit;"
        f" 5° more in elbow_flexion would gain {100 * told.gain:.1f} cm (re-solved)."
    )


def test_a_translation_by_hand():
    """The cart stops at 1 m, 2 m before the goal: 2 · 2 m per metre, and 5 cm more gain 5 cm."""
    solution = solve(slider(), Position("cart", (3, 0, 0)))
    told = only(solution)
    assert told.causes == (Cause.LIMITS,)
    (limit,) = told.limits
    assert (limit.dof, limit.side, limit.kind) == ("cart_slide", "upper", "translation")
    assert limit.multiplier == pytest.approx(4.0)
    assert told.gain == pytest.approx(0.05)
    assert told.sentence() == (
        "cart is 200.0 cm short: cart_slide is at its 1.000 m limit;"
        " 5 cm more in cart_slide would gain 5.0 cm (re-solved)."
    )
    assert limit.shown() == "1.000 m"


def test_lower_limits_too():
    told = only(solve(slider(), Position("cart", (-3, 0, 0), weight=2.0)))
    assert told.limits[0][:4] == ("cart_slide", "lower", -1.0, pytest.approx(8.0))
    assert told.gain == pytest.approx(0.05)


def test_an_angle_gains_in_degrees():
    hinge = joint.revolute("Z", (-1.0, 1.0))
    figure = poise.Figure("hinge", [Segment("base", None), Segment("door", "base", hinge)])
    told = only(solve(figure, Orientation("door", x=(math.cos(1.5), math.sin(1.5), 0.0))))
    assert told.causes == (Cause.LIMITS,)
    assert told.error == pytest.approx((0.0, 0.5))
    assert told.gain == pytest.approx(math.radians(5.0))
    assert told.sentence() == (
        "door is 28.6° short: door is at its 57.3° limit;"
        " 5° more in door would gain 5.0° (re-solved)."
    )


def test_a_cone_is_a_limit():
    swing = joint.swing_twist(0.5)
    segments = [Segment("base", None), Segment("bone", "base", swing)]
    figure = poise.Figure("cone", segments, [poise.Site("tip", "bone", (0, 0, 1))])
    x, y = 0.6 * math.sin(1.2), 0.8 * math.sin(1.2)
    solution = solve(figure, Position("tip", (x, y, math.cos(1.2))), optimality=1e-8)
    told = only(solution)
    assert Cause.LIMITS in told.causes
    (limit,) = told.limits
    assert (limit.side, limit.value) == ("cone", 0.5)
    # P = (2 sin((1.2 - 0.5)/2))² falls by 2 sin(0.7) per radian of the cone.
    assert limit.multiplier == pytest.approx(2.0 * math.sin(0.7), rel=1e-5)
    assert "28.6°" in told.sentence()


# -- conflict ----------------------------------------------------------------------------------


def test_two_goals_of_one_hand():
    goals = [
        Position("hand", (-0.3, 1.2, 0.3)),
        Position("hand", (-0.3, 1.5, 0.3), name="other"),
    ]
    solution = solve(ARM, goals)
    one, other = solution.explanation.goals
    assert one.causes == other.causes == (Cause.CONFLICT,)
    assert (one.rivals, other.rivals) == (("other",), ("hand",))
    assert one.sentence() == "hand is 15.0 cm short: other holds it back."
    assert one.error.position == pytest.approx(0.15, abs=1e-3)


def test_the_hand_against_the_feet():
    solution = solve(HUMAN, [*FEET, Position("left_hand", (0.3, 3.0, 0.1))])
    *feet, hand = solution.explanation.goals
    assert Cause.CONFLICT in hand.causes
    assert set(hand.rivals) == {"left_foot", "right_foot"}
    assert "hold it back" in hand.sentence()
    for foot in feet:
        assert foot.rivals == ("left_hand",)


def test_a_goal_that_nothing_could_reach_is_not_the_fault_of_another():
    """The palm's direction costs the stretched hand a millimetre of 32 cm."""
    chain = ["right_shoulder_*", "right_elbow_*", "right_wrist_*"]
    hand, palm = solve(
        HUMAN,
        [
            Position("right_hand", (-0.3, 0.9, 0.75), chain=chain, name="hand"),
            Orientation("right_hand", y=(-1.0, 0.0, 0.0), chain=chain, name="palm"),
        ],
    ).explanation.goals
    assert (hand.causes, hand.rivals) == ((Cause.STRETCHED,), ())
    assert (palm.causes, palm.rivals) == ((Cause.CONFLICT,), ("hand",))


def test_stretched_and_in_conflict_tells_what_is_left_without_the_others():
    far = {"ahead": (-0.19, 1.2, 1.5), "aside": (-1.7, 1.2, 0.0)}
    goals = [Position("hand", target, name=name) for name, target in far.items()]
    told = solve(ARM, goals).explanation.goals
    for goal, rival in zip(told, ("aside", "ahead"), strict=True):
        assert set(goal.causes) == {Cause.STRETCHED, Cause.CONFLICT}
        assert goal.rivals == (rival,)
        alone = solve(ARM, Position("hand", far[goal.name])).errors["hand"]
        assert goal.alone is not None
        assert goal.alone.position == pytest.approx(alone.position, abs=1e-4)
        left = f"{100 * goal.alone.position:.1f} cm"
        assert f"without the other goals it would be {left} short (re-solved)" in goal.sentence()


def test_a_gain_that_would_show_as_nothing_is_not_told():
    limit = ActiveLimit("elbow_flexion", "upper", 2.6, 0.1)
    goal = GoalExplanation("a", GoalErrors(0.3, 0.0), False, (Cause.LIMITS,), (limit,))
    assert "would gain 1.2 cm (re-solved)" in replace(goal, gain=0.012).sentence()
    for gain in (0.0003, 0.0, -0.01, None):
        assert "gain" not in replace(goal, gain=gain).sentence()


def test_only_rivals_are_named():
    """The two that want the cart at 0 are rivals of the third, not of each other."""
    goals = [
        Position("cart", (0.0, 0, 0)),
        Position("cart", (0.5, 0, 0), name="puller"),
        Position("cart", (0.0, 0.5, 0), name="lift"),  # no motion serves it
    ]
    cart, puller, lift = solve(slider(), goals).explanation.goals
    assert set(puller.rivals) == {"cart", "lift"}
    assert cart.rivals == ("puller",)
    assert Cause.LIMITS not in lift.causes


def test_a_posture_can_be_a_rival_but_is_never_unmet():
    goals = [Position("cart", (0.9, 0, 0)), Posture([0.0], weight=0.5)]
    told = only(solve(slider(), goals))
    assert told.causes == (Cause.CONFLICT,)
    assert told.rivals == ("posture",)
    assert told.error.position == pytest.approx(0.3, abs=1e-6)


# -- other kinds and ends ----------------------------------------------------------------------


def test_an_unfinished_solve_says_so():
    solution = solve(HUMAN, [*FEET, Position("left_hand", (0.3, 1.9, 0.5))], max_iterations=1)
    assert not solution.reached
    explanation = solution.explanation
    assert not explanation.optimal
    unmet = [goal for goal in explanation.goals if not goal.met]
    assert any(goal.causes[0] is Cause.UNFINISHED for goal in unmet)
    assert explanation.summary.startswith("OUT_OF_ITERATIONS: the iteration budget ran out")


@pytest.mark.parametrize(
    "goal",
    [
        Aim("eyes", (0.0, 1.6, -3.0), chain=("neck_*", "head_*")),
        Pose6D("left_hand", (3, 1, 0), np.eye(3)),
        HalfSpace("left_hand", (0, 4, 0), (0, 1, 0)),
        AnyOf(Position("left_hand", (3, 1, 0)), Position("left_hand", (-3, 1, 0)), name="either"),
        Relative("left_hand", "right_hand", (0, 0, 5)),
    ],
    ids=lambda goal: type(goal).__name__,
)
def test_every_kind_can_be_explained(goal):
    solution = solve(HUMAN, goal if goal.chain else [*FEET, goal])
    told = solution.explanation.goals[-1]
    assert not told.met
    assert told.causes
    assert told.error == solution.errors[goal.name]
    assert told.sentence().endswith(".")
    assert "nan" not in solution.explain()


def test_moved_targets_are_the_ones_explained():
    solver = Solver(slider(), Position("cart", (0.5, 0, 0)))
    assert only(solver.solve()).met
    far = solver.solve({"cart": (3, 0, 0)})
    near = solver.solve({"cart": (0, 0, 0)})
    told = only(far)  # asked only after the solver moved on
    assert not told.met
    assert told.limits[0].multiplier == pytest.approx(4.0)
    assert told.gain == pytest.approx(0.05)
    assert only(near).met


def test_moved_targets_of_other_kinds():
    wall = HalfSpace("cart", (0, 0, 0), (1, 0, 0))
    solution = Solver(slider(), wall).solve({"cart": (4, 0, 0)})
    told = only(solution)
    assert told.error.position == pytest.approx(3.0)
    assert told.limits[0].multiplier == pytest.approx(6.0)
    assert told.gain == pytest.approx(0.05)


def test_frozen_joints_are_no_limits():
    """What a chain leaves out can neither hold off nor help."""
    solution = solve(ARM, Position("hand", (0.0, 1.5, 0.1), chain="elbow_flexion"))
    assert {limit.dof for limit in solution.active_limits} == {"elbow_flexion"}


def test_an_error_carries_the_explanation():
    solution = solve(slider(), Position("cart", (3, 0, 0)))
    with pytest.raises(poise.UnreachedError, match=r"cart_slide is at its 1\.000 m limit"):
        solution.require()
    assert solution.explain() == str(solution.explanation)
    assert solution.explanation is solution.explanation


def test_the_text_lists_the_strongest_limits():
    solution = solve(HUMAN, [*FEET, Position("left_hand", (0.3, 3.0, 0.1))])
    lines = solution.explain().splitlines()
    pressing = [line for line in lines if "presses against" in line]
    assert len(pressing) == min(5, len(solution.active_limits))
    assert solution.active_limits[0].dof in pressing[0]
    multipliers = [limit.multiplier for limit in solution.explanation.limits]
    assert multipliers == sorted(multipliers, reverse=True)
    assert min(multipliers) > 0


def test_explaining_changes_nothing():
    solver = Solver(HUMAN, [*FEET, Position("left_hand", (0.3, 3.0, 0.1))])
    solution = solver.solve()
    before = solution.angles.tobytes(), solution.targets.tobytes(), solver.pose.angles.tobytes()
    solution.explain()
    after = solution.angles.tobytes(), solution.targets.tobytes(), solver.pose.angles.tobytes()
    assert before == after
