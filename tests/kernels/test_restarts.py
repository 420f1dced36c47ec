"""Where restarts begin: arms with their wrists turned, and inside the limits always."""

import numpy as np
import pytest

import poise
from poise import Segment, Site, joint

WIDE, NARROW = (-2.9, 2.9), (-1.7, 1.7)


def wide(dof):
    return dof in (0, 2, 4, 6)


@pytest.fixture(scope="module")
def arm():
    """Seven hinges, every other one wide, as many robot arms have them."""
    segments, parent = [], None
    for k in range(7):
        hinge = joint.revolute("Z" if wide(k) else "Y", WIDE if wide(k) else NARROW)
        offset = (0.0, 0.0, 0.15 + 0.02 * k)
        segments.append(Segment(f"link_{k}", parent, hinge, offset, joint_name=f"turn_{k}"))
        parent = f"link_{k}"
    return poise.Figure("robot", segments, [Site("tool", "link_6", (0.05, 0.0, 0.1))], up="Z")


@pytest.fixture(scope="module")
def goals(arm):
    draw = np.random.default_rng(0)
    poses = [arm.pose(draw.uniform(arm.lower, arm.upper)) for _ in range(80)]
    return [(pose.position("tool"), pose.rotation("tool")) for pose in poses]


def solver(arm, goals, **options):
    return poise.Solver(arm, poise.Pose6D("tool", *goals[0]), **options)


def test_restarts_reach_what_one_start_misses(arm, goals):
    reached = []
    for restarts in (0, 3, 40):
        own = solver(arm, goals, restarts=restarts)
        found = [own.solve({"tool": goal}, start=arm.middle()) for goal in goals]
        assert all(one.restarts <= restarts for one in found)
        assert all(one.pose.is_inside_limits for one in found)
        reached.append(sum(one.reached for one in found))
    assert reached[0] < reached[1] <= reached[2] == len(goals)


def test_the_first_restarts_turn_the_wrist_of_the_best_pose(arm, goals):
    own, turned = solver(arm, goals, restarts=3), {1: [4, 6], 2: [6], 3: [4]}
    seen = set()
    for goal in goals:
        trace = own.solve({"tool": goal}, start=arm.middle(), trace=True).trace
        best = min(trace[: _attempt(trace, 1)], key=lambda point: point.value, default=None)
        for attempt, dofs in turned.items():
            at = _attempt(trace, attempt)
            if at == len(trace):
                break
            expected = best.angles.copy()
            expected[dofs] -= np.copysign(np.pi, expected[dofs])
            inside = np.clip(expected, arm.lower, arm.upper)
            np.testing.assert_allclose(trace[at].angles, inside, atol=1e-12)
            seen.add(attempt)
            ended = trace[at : _attempt(trace, attempt + 1)]
            best = min([best, *ended], key=lambda point: point.value)
    assert seen == {1, 2, 3}


def _attempt(trace, attempt):
    """The first point of an attempt."""
    return next((k for k, point in enumerate(trace) if point.attempt >= attempt), len(trace))


def test_a_frozen_wrist_is_not_turned(arm, goals):
    frozen = arm.with_rigidity({"turn_6": 1.0})
    own = solver(frozen, goals, restarts=6)
    for goal in goals[:20]:
        trace = own.solve({"tool": goal}, start=frozen.middle(), trace=True).trace
        assert {point.angles[6] for point in trace} == {frozen.middle().angles[6]}


def test_the_same_seed_gives_the_same_bits(arm, goals):
    one, other = (solver(arm, goals, restarts=40, seed=5) for _ in range(2))
    for goal in goals[:20]:
        answers = [own.solve({"tool": goal}, start=arm.middle()).angles for own in (one, other)]
        assert answers[0].tobytes() == answers[1].tobytes()
