"""What methods say they can take, what problems ask for, and the error when these do not meet."""

import numpy as np
import pytest
from solve.cases import METHODS, figure_named, goals_at, stage

import poise
from poise.solve.capabilities import ROW_GOALS, Feature, LimitRule, features_of

GOALS = {
    Feature.POSITION: "position",
    Feature.ORIENTATION: "orientation",
    Feature.POSE6D: "pose6d",
    Feature.AIM: "aim",
    Feature.LINE: "line",
    Feature.PLANE: "plane",
    Feature.HALF_SPACE: "half_space",
    Feature.DISTANCE: "distance",
    Feature.RELATIVE: "relative",
    Feature.POSTURE: "posture",
}


def arm_problem(kind):
    arm = figure_named("arm")
    return poise.Problem(arm, goals_at(arm.rest(), ("hand",), kind))


@pytest.mark.parametrize(("feature", "kind"), GOALS.items())
def test_every_goal_asks_for_its_own_kind(feature, kind):
    asked = features_of(arm_problem(kind))
    assert list(asked) == [feature]
    assert "hand" in asked[feature]


def test_alternatives_ask_for_what_they_are_made_of():
    asked = features_of(arm_problem("any_of"))
    assert set(asked) == {Feature.ANY_OF, Feature.POSITION, Feature.PLANE}


def test_a_centre_of_mass_asks_for_itself():
    human = figure_named("human")
    asked = features_of(poise.Problem(human, poise.CenterOfMass((0.0, 1.0, 0.0))))
    assert set(asked) == {Feature.CENTER_OF_MASS, Feature.SLIDES}


def test_a_goal_of_one_s_own_is_known_by_what_it_derives_from():
    class Grip(poise.Position):
        """As the position it is."""

    problem = poise.Problem(figure_named("arm"), Grip("hand", (0.1, 0.2, 0.3)))
    assert set(features_of(problem)) == {Feature.POSITION}


def test_figures_and_options_ask_too():
    goal = poise.Position("tip", (0.0, 1.0, 0.0))
    assert Feature.CONES in features_of(poise.Problem(figure_named("every_joint"), goal))
    table = poise.Position("table", (0.1, 0.0, 0.0))
    weighed = poise.Problem(stage((-1, 1)), table, weight_matrix=np.eye(3))
    assert set(features_of(weighed)) == {Feature.POSITION, Feature.WEIGHT_MATRIX, Feature.SLIDES}
    held = stage((-1, 1)).with_rigidity({"*": 1.0})
    assert Feature.SLIDES not in features_of(poise.Problem(held, table))
    assert Feature.RESTARTS in features_of(weighed, restarts=2)
    assert Feature.RESTARTS not in features_of(weighed, restarts=0)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_says_what_it_takes(method):
    able = poise.methods()[method].capabilities
    assert isinstance(able.limits, LimitRule)
    assert able.takes & ROW_GOALS
    assert able.holds_limits_always == (able.limits is not LimitRule.AFTER_SOLVE)
    assert poise.methods()[method].restarts == 0 or Feature.RESTARTS in able.takes


@pytest.mark.parametrize("member", [*Feature, *LimitRule])
def test_every_member_explains_itself(member):
    assert str(member) == member.value
    assert len(str(member).split()) > 1 or member is Feature.RESTARTS


def test_the_default_takes_everything_but_limits_that_depend_on_the_pose():
    takes = poise.methods()["auto"].capabilities.takes
    assert set(Feature) - takes == {Feature.DYNAMIC_LIMITS}


def test_groups_and_linear_relations_are_asked_for_apart():
    arm = figure_named("arm")
    group = poise.JointGroup("both", {"shoulder_elevation": 1.0, "elbow_flexion": 0.5})
    limit = poise.LinearLimit("sum", {"shoulder_elevation": 1.0, "elbow_flexion": 1.0}, upper=2.0)
    goal = poise.Position("hand", (0.2, 0.3, 0.2))

    def asked(*relations):
        return features_of(poise.Problem(arm.with_relations(*relations), goal))

    assert set(asked(group)) == {Feature.POSITION, Feature.GROUPS}
    assert set(asked(limit)) == {Feature.POSITION, Feature.RELATIONS}
    assert "'both'" in asked(group, limit)[Feature.GROUPS]
    assert "'sum'" in asked(group, limit)[Feature.RELATIONS]


@pytest.mark.parametrize("method", METHODS)
def test_linear_relations_are_refused_by_methods_that_would_break_them(method):
    limit = poise.LinearLimit("sum", {"shoulder_elevation": 1.0, "elbow_flexion": 1.0}, upper=2.0)
    arm, goal = figure_named("arm").with_relations(limit), poise.Position("hand", (0.2, 0.3, 0.2))
    if poise.methods()[method].takes(Feature.RELATIONS):
        poise.Solver(arm, goal, method=method)
        return
    with pytest.raises(poise.OptionError, match=rf"{method}.*linear relations \('sum'.*auto"):
        poise.Solver(arm, goal, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_restarts_are_refused_by_methods_that_have_none(method):
    known = poise.methods()[method]
    arm, goal = figure_named("arm"), poise.Position("hand", (0.2, 0.3, 0.2))
    if known.takes(Feature.RESTARTS):
        poise.Solver(arm, goal, method=method, restarts=1)
        return
    with pytest.raises(poise.OptionError, match=rf"{method}.*restarts.*use one of: auto"):
        poise.Solver(arm, goal, method=method, restarts=1)
    poise.Solver(arm, goal, method=method, restarts=0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [*GOALS.values(), "any_of"])
def test_goals_that_a_method_cannot_take_are_refused_before_solving(method, kind):
    known, problem = poise.methods()[method], arm_problem(kind)
    refused = [feature for feature in features_of(problem) if not known.takes(feature)]
    if not refused:
        known.check(problem)
        return
    with pytest.raises(poise.OptionError, match=f"{method}.*cannot take {refused[0]}") as caught:
        poise.Solver(problem.figure, problem.goals, method=method)
    named = str(caught.value).split("use one of: ")[1].split(", ")
    assert named
    assert "auto" in named
    for other in named:
        poise.methods()[other].check(problem)
