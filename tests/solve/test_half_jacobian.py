"""Meredith & Maddock's method: its steps by hand, halving, caps, modes, chains, dynamic limits."""

import numpy as np
import pytest
from solve.cases import assert_inside_limits, figure_named, iterates, links, random_pose, stage

import poise
from poise import DynamicLimit, OptionError, Status
from poise.figure.rotation import from_vector

METHOD = "half-jacobian"
LENGTHS = (0.5, 0.4, 0.25)
START = np.array([0.3, 0.6, -0.4])


def planar_jacobian(angles, lengths=LENGTHS):
    """Tip (2), heading, and the Jacobian (3, links) of both: the last row turns with every link."""
    ends = np.cumsum(np.asarray(lengths) * np.exp(1j * np.cumsum(angles)))
    columns = 1j * (ends[-1] - np.concatenate([[0.0], ends[:-1]]))
    J = np.array([columns.real, columns.imag, np.ones(len(angles))])
    return np.array([ends[-1].real, ends[-1].imag]), np.sum(angles), J


def first_step(goal, start=START, figure=None, **parameters):
    """The step that the first iteration takes."""
    made = iterates(METHOD, figure or links(*LENGTHS), goal, start, 1, **parameters)
    return made[1] - made[0]


def turned(angle):
    return from_vector(np.array([0.0, 0.0, angle]))


# -- the step, by hand ----------------------------------------------------------------------------


def test_half_takes_the_inverse_of_the_position_rows():
    tip, _, J = planar_jacobian(START)
    e = np.array([0.55, 0.5]) - tip
    step = first_step(poise.Position("tip", (0.55, 0.5, 0.0)))
    np.testing.assert_allclose(step, J[:2].T @ np.linalg.solve(J[:2] @ J[:2].T, e), rtol=1e-9)


def test_steps_are_cropped():
    """Links with limits that the first step would leave."""
    limits = (-0.42, 0.62)
    goal = poise.Position("tip", (0.55, 0.5, 0.0))
    step = first_step(goal, figure=links(*LENGTHS, limits=limits))
    whole = first_step(goal)
    assert ((START + whole < limits[0]) | (START + whole > limits[1])).any()
    np.testing.assert_allclose(START + step, np.clip(START + whole, *limits), rtol=1e-12)


def test_full_takes_the_inverse_of_position_and_orientation():
    """Three links, three rows that can change: a square system."""
    tip, heading, J = planar_jacobian(START)
    wanted = np.array([0.7, 0.45, 0.9])
    e = wanted - np.array([*tip, heading])
    step = first_step(poise.Pose6D("tip", (*wanted[:2], 0.0), turned(wanted[2])), mode="full")
    np.testing.assert_allclose(step, np.linalg.solve(J, e), rtol=1e-8)


def test_an_orientation_takes_the_lower_rows_alone():
    _, heading, J = planar_jacobian(START)
    step = first_step(poise.Orientation("tip", turned(1.4)))
    np.testing.assert_allclose(step, J[2] * (1.4 - heading) / 3.0, rtol=1e-9)
    one = first_step(poise.Orientation("tip", x=(np.cos(1.4), np.sin(1.4), 0.0)))
    np.testing.assert_allclose(one, step, rtol=1e-9)


@pytest.mark.parametrize(("e", "most", "halvings"), [(0.3, 20, 0), (0.05, 20, 3), (0.05, 2, 2)])
def test_the_displacement_is_halved_while_the_inverse_errs(e, most, halvings):
    """A goal 0.3 m off the plane: (I - JJ⁺)dX is just that, and J⁺dX what is left in the plane."""
    tip, _, J = planar_jacobian(START)
    step = first_step(poise.Position("tip", (0.55, 0.5, 0.3)), e=e * (1 + 1e-6), max_inner=most)
    whole = np.linalg.pinv(J[:2]) @ (np.array([0.55, 0.5]) - tip)
    np.testing.assert_allclose(step, whole / 2**halvings, rtol=1e-6)


def test_rigidity_scales_the_columns():
    """Δθ = s J̃ᵀ(J̃J̃ᵀ)⁻¹dX with J̃ = J s: HJ's "weighted chains"."""
    figure = links(*LENGTHS).with_rigidity({"link_1": 0.6})
    tip, _, J = planar_jacobian(START)
    s = np.array([1.0, 0.4, 1.0])
    scaled = J[:2] * s
    expected = s * (np.linalg.pinv(scaled) @ (np.array([0.55, 0.5]) - tip))
    step = first_step(poise.Position("tip", (0.55, 0.5, 0.0)), figure=figure)
    np.testing.assert_allclose(step, expected, rtol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_the_inverses_are_inverses(seed):
    """In the world, on a limb in general position: JJ⁺ = I, so one small step goes all the way."""
    arm, rng = figure_named("arm"), np.random.default_rng(seed)
    start = random_pose(arm, rng, inside=0.6)
    shift, turn = 1e-5 * rng.normal(size=3), from_vector(1e-5 * rng.normal(size=3))
    goal = poise.Pose6D("hand", start.position("hand") + shift, turn @ start.rotation("hand"))
    for mode in ("half", "full"):
        solution = poise.solve(
            arm,
            goal if mode == "full" else poise.Position("hand", goal.position),
            start=start,
            method=METHOD,
            parameters={"mode": mode},
            tolerance=1e-8,
        )
        assert solution.reached
        assert solution.iterations == 1


# -- caps and the best seen -----------------------------------------------------------------------


@pytest.mark.parametrize("cap", [1, 7, 200])
def test_a_chain_ends_at_its_cap_with_the_nearest_pose_seen(cap):
    """Stretched towards a goal out of reach J⁺ leaps, so that the last pose is not the best."""
    solution = poise.solve(
        links(*LENGTHS),
        poise.Position("tip", (2.0, 0.5, 0.0)),
        start=START,
        method=METHOD,
        parameters={"max_outer": cap},
        trace=True,
    )
    values = [point.value for point in solution.trace]
    assert solution.status is Status.OUT_OF_ITERATIONS
    assert solution.value == min(values)
    assert solution.iterations in (cap, cap + 1)  # and back to the nearest pose
    assert values[-1] == min(values)


def test_the_printed_caps_are_the_defaults():
    parameters = poise.methods()[METHOD].checked({})
    assert (parameters["max_outer"], parameters["max_inner"]) == (200, 20)


# -- several chains -------------------------------------------------------------------------------


def feet():
    """Two Pose6D goals for the feet, each with its own leg."""
    human = figure_named("human")
    bent = {"hip_flexion": 0.5, "knee_flexion": 0.7, "ankle_inversion": 0.15}
    pose = human.rest().with_angles(
        {f"{side}_{name}": angle for name, angle in bent.items() for side in ("left", "right")}
    )
    return human, [
        poise.Pose6D(
            f"{side}_foot",
            pose.position(f"{side}_foot"),
            pose.rotation(f"{side}_foot"),
            chain=[f"{side}_hip*", f"{side}_knee*", f"{side}_ankle*"],
        )
        for side in ("left", "right")
    ]


def test_chains_are_solved_one_after_the_other():
    human, goals = feet()
    plain = [poise.Position(g.effector, g.position, chain=g.chain) for g in goals]
    solution = poise.solve(human, plain, method=METHOD, trace=True).require()
    angles = np.array([point.angles for point in solution.trace])
    moved = np.diff(angles, axis=0) != 0.0
    left = moved[:, human.match_dofs("left_*")].any(1)
    right = moved[:, human.match_dofs("right_*")].any(1)
    assert not (left & right).any()
    assert left.any()
    assert right.any()
    assert np.flatnonzero(left).max() < np.flatnonzero(right).min()


def test_the_last_of_two_goals_that_share_a_joint_wins_and_that_is_said():
    """One solve a chain, as in the paper; the answer is the better of the two poses."""
    figure = stage((-9, 9), (-9, 9), (-9, 9))
    goals = [
        poise.Position("table", (1, 0, 0)),
        poise.Position("table", (0, 1, 0), name="other"),
    ]
    solution = poise.solve(figure, goals, method=METHOD, trace=True)
    np.testing.assert_allclose(solution.trace[-1].angles, (0, 1, 0), atol=1e-9)
    assert solution.status is Status.OUT_OF_ITERATIONS


def test_more_rounds_bring_shared_chains_together():
    human = figure_named("human")
    pose = human.pose({"spine_1_flexion": 0.2, "left_shoulder_elevation": 0.6})
    chain = ["spine_*", "*_shoulder_*", "*_elbow_*"]
    goals = [
        poise.Position(f"{side}_hand", pose.position(f"{side}_hand"), chain=chain)
        for side in ("left", "right")
    ]
    once = poise.solve(human, goals, method=METHOD)
    often = poise.solve(human, goals, method=METHOD, parameters={"rounds": 30})
    assert often.value < once.value


def test_goals_cannot_be_weighed():
    goals = [
        poise.Position("table", (1, 0, 0)),
        poise.Position("table", (0, 1, 0), name="b", weight=2.0),
    ]
    with pytest.raises(OptionError, match=r"different weights .*weight=2 of goal 'b'.*auto"):
        poise.solve(stage((-9, 9)), goals, method=METHOD)


# -- modes ----------------------------------------------------------------------------------------


def errors_by_mode(mode):
    human, goals = feet()
    parameters = {"mode": mode, "last_link": "free"}
    solution = poise.solve(human, goals, method=METHOD, parameters=parameters)
    assert_inside_limits(human, solution.angles)
    return solution.errors["left_foot"], solution.errors["right_foot"]


def test_half_places_both_feet_full_turns_both_and_hybrid_the_first():
    """HJ: "the full Jacobian for the leading foot and the half-Jacobian for the trailing toes"."""
    for mode, turned_feet in (("half", (0, 0)), ("hybrid", (1, 0)), ("full", (1, 1))):
        for error, is_turned in zip(errors_by_mode(mode), turned_feet, strict=True):
            assert error.position <= 1e-3
            assert (error.angle <= 1e-2) == bool(is_turned)


def test_the_last_link_is_placed_by_its_joint_and_then_turned():
    arm = figure_named("arm")
    pose = arm.pose({"elbow_flexion": 1.0, "wrist_flexion": 0.3, "shoulder_elevation": 0.5})
    goal = poise.Pose6D("hand", pose.position("hand"), pose.rotation("hand"))
    solution = poise.solve(arm, goal, method=METHOD, trace=True).require()
    angles = np.array([point.angles for point in solution.trace])
    moved = np.diff(angles, axis=0) != 0.0
    wrist = np.zeros(len(arm.dofs), bool)
    wrist[arm.match_dofs("wrist_*")] = True
    by_wrist, by_others = moved[:, wrist].any(1), moved[:, ~wrist].any(1)
    assert by_wrist.any()
    assert np.flatnonzero(by_others).max() < np.flatnonzero(by_wrist).min()
    placed = arm.pose(angles[np.flatnonzero(by_wrist).min()])
    hand = arm.segment_index("hand")  # the segment, whose origin is the wrist; not the site
    np.testing.assert_allclose(placed.frames[1][hand], pose.frames[1][hand], atol=1.1e-4)


def test_a_last_link_that_is_no_ball_is_only_placed():
    goal = poise.Pose6D("tip", (0.7, 0.45, 0.0), turned(0.9))
    by_position = first_step(poise.Position("tip", (0.7, 0.45, 0.0)))
    np.testing.assert_array_equal(first_step(goal), by_position)


# -- dynamic limits -------------------------------------------------------------------------------


def test_dynamic_limits_hold_at_every_iterate():
    """The knee's cousin: the third link may bend the less, the more the second one does."""
    limit = DynamicLimit("link_2", "link_1", [(0.0, -0.8, 0.8), (1.0, -0.1, 0.1)])
    options = {"start": (0.2, 0.1, 0.5), "method": METHOD, "trace": True}
    goal = poise.Position("tip", (0.3, 0.6, 0.0))
    free = poise.solve(links(*LENGTHS), goal, **options)
    held = poise.solve(links(*LENGTHS), goal, dynamic_limits=[limit], **options)

    def outside(solution):
        rows = [(point.angles[2], *limit.at(point.angles[1])) for point in solution.trace]
        return max(max(low - angle, angle - high) for angle, low, high in rows)

    assert outside(free) > 0.1
    assert outside(held) <= 1e-15
    assert held.reached


def test_a_hip_that_stays_straight_keeps_the_foot_ahead():
    """What HJ does it for: by position alone the leg may turn about itself."""
    human = figure_named("human")
    rest = human.rest()
    chain = ["left_hip*", "left_knee*"]
    target = rest.position("left_foot") + np.array([0.05, 0.2, 0.3])
    goal = poise.Position("left_foot", target, chain=chain)
    twist = next(name for name in human.dof_names if name.startswith("left_hip_internal"))
    bend = next(name for name in human.dof_names if name.startswith("left_hip_flex"))
    start = rest.with_angles({twist: 0.5})
    limits = [DynamicLimit(twist, bend, [(-0.5, -0.3, 0.3), (0.5, -0.05, 0.05)])]
    loose = poise.solve(human, goal, start=start, method=METHOD)
    kept = poise.solve(human, goal, start=start, method=METHOD, dynamic_limits=limits)
    assert loose.reached
    assert kept.reached
    low, high = limits[0].at(kept.pose[bend])
    assert low <= kept.pose[twist] <= high
    low, high = limits[0].at(loose.pose[bend])
    assert not low <= loose.pose[twist] <= high


def test_the_figure_s_own_limits_come_first():
    figure = links(*LENGTHS, limits=(-0.4, 0.4))
    limit = DynamicLimit("link_2", "link_1", [(0.0, 1.0, 2.0)])
    goal = poise.Position("tip", (0.3, 0.6, 0.0))
    solution = poise.solve(figure, goal, method=METHOD, dynamic_limits=[limit], trace=True)
    assert_inside_limits(figure, [point.angles for point in solution.trace])
    assert solution.angles[2] == 0.4


def test_other_methods_refuse_limits_that_depend_on_the_pose():
    limit = DynamicLimit("link_2", "link_1", [(0.0, -0.1, 0.1)])
    goal = poise.Position("tip", (0.3, 0.6, 0.0))
    with pytest.raises(OptionError, match=r"depend on the pose .*link_2.*half-jacobian"):
        poise.solve(links(*LENGTHS), goal, dynamic_limits=[limit])
