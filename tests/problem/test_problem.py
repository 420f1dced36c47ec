import numpy as np
import pytest
from derivatives import GOALS, WEIGHABLE, problem_of
from joints import JOINTS

from poise.errors import FigureError, GoalError, OptionError, PoiseError
from poise.figure.builtin import arm, human
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.goals import Orientation, Plane, Pose6D, Position, Posture
from poise.problem import Problem, Tolerance

UP = (0.0, 1.0, 0.0)


@pytest.fixture(scope="module")
def body():
    return human()


def hand(side="left", **options):
    return Position(f"{side}_hand", (0.3, 1.2, 0.4), **options)


# -- goals -------------------------------------------------------------------------------------


def test_one_goal_needs_no_list_and_a_list_may_be_anything_that_can_be_gone_through(body):
    goal = hand()
    for given in (goal, [goal], (goal,), iter([goal])):
        assert Problem(body, given).goals == (goal,)


def test_rows_follow_the_goals(body):
    goals = [Position("head", (1, 2, 3)), Orientation("left_hand", x=(1, 0, 0)), hand("right")]
    problem = Problem(body, goals)
    assert problem.row_count == 12
    rows = problem.residuals(body.rest())
    np.testing.assert_array_equal(rows[:3], Problem(body, goals[0]).residuals(body.rest()))
    np.testing.assert_array_equal(rows[3:9], Problem(body, goals[1]).residuals(body.rest()))
    np.testing.assert_array_equal(rows[9:], Problem(body, goals[2]).residuals(body.rest()))
    values = [Problem(body, goal).value(body.rest()) for goal in goals]
    np.testing.assert_allclose(problem.value(body.rest()), sum(values), rtol=1e-14)


@pytest.mark.parametrize("goals", [[], (), None, 5, "left_hand", ["left_hand"], [hand(), None]])
def test_what_is_not_goals_is_our_own_error(body, goals):
    with pytest.raises(GoalError):
        Problem(body, goals)


def test_an_unknown_effector_is_answered_with_near_names(body):
    with pytest.raises(
        PoiseError, match=r"unknown site or segment of human 'left_hnd'.*'left_hand'"
    ):
        Problem(body, Position("left_hnd", (0, 1, 0)))


def test_an_unknown_chain_is_answered_with_near_names(body):
    with pytest.raises(
        FigureError,
        match=r"unknown DOF, segment or chain of human 'left_elbow_flexon'.*did you mean",
    ):
        Problem(body, hand(chain=["spine_*", "left_elbow_flexon"]))


def test_a_second_goal_on_an_effector_is_named_after_its_kind(body):
    problem = Problem(body, [hand(), Orientation("left_hand", y=UP)])
    assert problem.goal_names == ("left_hand", "left_hand:orientation")
    assert list(problem.errors(body.rest())) == ["left_hand", "left_hand:orientation"]


def test_equal_names_are_refused(body):
    with pytest.raises(GoalError, match="two goals are called 'left_hand:position'"):
        Problem(body, [hand(), hand(), hand()])
    with pytest.raises(GoalError, match=r"give one of them another name="):
        Problem(body, [hand(name="a"), hand(name="a:position"), hand(name="a")])
    assert Problem(body, [hand(name="a"), hand(name="b")]).goal_names == ("a", "b")


# -- the weight matrix -------------------------------------------------------------------------


def test_the_identity_changes_nothing(body):
    goals = [hand(), Orientation("head", y=UP)]
    plain, weighted = Problem(body, goals), Problem(body, goals, weight_matrix=np.eye(9))
    angles = np.random.default_rng(0).normal(size=71)
    assert weighted.has_weight_matrix
    assert not plain.has_weight_matrix
    np.testing.assert_allclose(weighted.value(angles), plain.value(angles), rtol=1e-14)
    np.testing.assert_allclose(weighted.jacobian(angles), plain.jacobian(angles), atol=1e-15)
    np.testing.assert_allclose(weighted.hessian(angles), plain.hessian(angles), atol=1e-12)


def test_a_diagonal_is_weights_of_the_rows(body):
    diagonal = np.array([4.0, 1.0, 0.25])
    weighted = Problem(body, hand(), weight_matrix=np.diag(diagonal))
    plain = Problem(body, hand())
    e = plain.residuals(body.rest())
    np.testing.assert_allclose(weighted.residuals(body.rest()), np.sqrt(diagonal) * e, rtol=1e-14)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(2), r"shape \(2, 2\); the goals have 3 rows: give \(3, 3\)"),
        (np.ones(3), "shape"),
        ("heavy", "shape"),
        (np.diag([1.0, np.nan, 1.0]), "finite entries and symmetry"),
        (np.diag([1.0, np.inf, 1.0]), "finite entries and symmetry"),
        (np.eye(3) + np.eye(3, k=1), "symmetry"),
        (np.diag([1.0, 0.0, 1.0]), "not positive definite"),
        (np.diag([1.0, -1.0, 1.0]), "not positive definite"),
        (np.ones((3, 3)), "not positive definite"),
    ],
)
def test_a_bad_weight_matrix(body, matrix, message):
    with pytest.raises(GoalError, match=message):
        Problem(body, hand(), weight_matrix=matrix)


@pytest.mark.parametrize("goal", [Plane("left_hand", (0, 1, 0), UP), Posture(human().rest())])
def test_a_weight_matrix_takes_only_goals_whose_rows_are_always_there(body, goal):
    count = Problem(body, [hand("right"), goal]).row_count
    with pytest.raises(GoalError, match="weight_matrix cannot be mixed with"):
        Problem(body, [hand("right"), goal], weight_matrix=np.eye(count))


def test_the_matrix_is_not_kept(body):
    matrix = 2.0 * np.eye(3)
    problem = Problem(body, hand(), weight_matrix=matrix)
    before = problem.value(body.rest())
    matrix[:] = 0.0
    assert problem.value(body.rest()) == before


# -- poses -------------------------------------------------------------------------------------

QUESTIONS = ("value", "residuals", "gradient", "jacobian", "hessian", "errors")


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_pose_or_its_angles(body, question):
    problem = Problem(body, [hand(), Pose6D("head", (0, 1.6, 0), np.eye(3))])
    pose = body.pose(np.random.default_rng(1).normal(size=71))
    ask = getattr(problem, question)
    for same in (pose.angles, pose.angles.tolist(), pose.angles[None][0]):
        np.testing.assert_equal(ask(same), ask(pose))


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "bad",
    [np.zeros(70), np.full(71, np.nan), "pose", None, arm().rest()],
    ids=lambda b: type(b).__name__,
)
def test_a_wrong_pose_is_our_own_error(body, question, bad):
    """A pose of another figure above all: the kernels would read beyond their tables."""
    with pytest.raises(PoiseError):
        getattr(Problem(body, hand()), question)(bad)


def test_a_pose_of_a_changed_copy_of_the_figure_is_welcome(body):
    pose = body.with_limits({"spine_*": (-2, 2)}).rest()
    assert Problem(body, hand()).value(pose) == Problem(body, hand()).value(body.rest())


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_the_callers_own(body, question):
    problem = Problem(body, hand())
    ask = getattr(problem, question)
    first = ask(body.rest())
    if isinstance(first, np.ndarray):
        kept = first.copy()
        first[:] = 7.0
        np.testing.assert_array_equal(ask(body.rest()), kept)
    else:
        assert ask(body.rest()) == first


def test_looking_changes_neither_figure_nor_pose(body):
    pose = body.rest()
    angles, lower = pose.angles.copy(), body.lower.copy()
    problem = Problem(body, hand())
    for question in QUESTIONS:
        getattr(problem, question)(pose)
    np.testing.assert_array_equal(pose.angles, angles)
    np.testing.assert_array_equal(body.lower, lower)


def test_a_goal_that_is_met_has_no_error(body):
    rest = body.rest()
    problem = Problem(
        body, [Pose6D(n, rest.position(n), rest.rotation(n)) for n in ("head", "left_hand")]
    )
    assert problem.value(rest) < 1e-28
    for errors in problem.errors(rest).values():
        assert errors.position < 1e-14
        assert errors.angle < 1e-7
    np.testing.assert_allclose(problem.gradient(rest), 0.0, atol=1e-13)


def test_repr_names_the_goals(body):
    made = Problem(body, [hand(), hand("right")])
    assert repr(made) == "<Problem: human, 6 rows, goals left_hand, right_hand>"


def test_a_figure_without_dofs():
    stone = Figure("stone", [Segment("s", None, offset=(1, 0, 0))])
    problem = Problem(stone, Position("s", (0, 0, 0)))
    assert problem.value([]) == 1.0
    assert problem.gradient([]).shape == (0,)
    assert problem.jacobian([]).shape == (3, 0)
    assert problem.hessian([]).shape == (0, 0)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf, "tight", None, (1e-3, 1e-2)])
def test_a_bad_tolerance(body, bad):
    with pytest.raises(OptionError, match="tolerance"):
        Problem(body, hand(), tolerance=bad)


def test_tolerances_do_not_change_the_value(body):
    loose, tight = (Problem(body, hand(), tolerance=t) for t in (1.0, Tolerance(1e-6, 1e-6)))
    assert loose.value(body.rest()) == tight.value(body.rest())


@pytest.mark.parametrize("kind", WEIGHABLE)
def test_the_weight_of_a_goal_scales_its_potential(kind):
    problem, angles = problem_of(JOINTS[-1], [GOALS[kind]], np.random.default_rng(3))
    goal = problem.goals[0]
    heavier = type(goal)(**{**vars(goal), "weight": 5.0 * goal.weight})
    weighed = Problem(problem.figure, heavier)
    np.testing.assert_allclose(weighed.value(angles), 5.0 * problem.value(angles), rtol=1e-13)
    np.testing.assert_allclose(weighed.gradient(angles), 5.0 * problem.gradient(angles), rtol=1e-11)
