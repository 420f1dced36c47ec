"""The paper's modes: half, full and hybrid under a walker, and switched while it walks."""

import numpy as np
import pytest

import poise
from poise.walk.build import Build
from poise.walk.jacobian_riding import hip_limits, leading_foot
from poise.walk.terrain import hills
from poise.walk.walker import Walker

DT = 1.0 / 60.0
MODES = ("half", "full", "hybrid")


@pytest.fixture(scope="module")
def human():
    return poise.figures.human()


def misses(walker, state):
    """How far each ball of a foot is from where the gait wants it [m]."""
    feet = zip(walker.build.feet, walker.gait.frame.feet, strict=True)
    return [
        float(np.linalg.norm(state.pose.position(build.ball_site.name) - foot.ball))
        for build, foot in feet
    ]


@pytest.mark.parametrize("mode", MODES)
def test_feet_go_where_the_stride_wants_them_inside_all_limits(human, mode):
    walker = Walker(human, hills(3), stride="paper", jacobian=mode)
    walker.drive(speed=1.2)
    worst = []
    for _ in range(240):
        state = walker.step(DT)
        assert state.pose.is_inside_limits
        worst.append(max(misses(walker, state)))
    assert np.median(worst) < 1.5e-3
    assert np.percentile(worst, 95) < 2e-2  # their limits come after the step, and may hold it off
    assert state.solution.problem.goal_names == ("leading foot", "trailing toes")


def test_modes_are_switched_while_it_walks_without_a_leap(human):
    walker = Walker(human, stride="paper")
    walker.drive(speed=1.2)
    before, leaps = None, []
    for k in range(240):
        walker.jacobian = (None, *MODES)[k // 15 % 4]
        state = walker.step(DT)
        now = np.array([state.pose.position(f"{s}_knee") for s in ("left", "right")])
        if before is not None:
            leaps.append(np.abs(now - before).max())
        before = now
    assert max(leaps) < 0.12


def test_an_unknown_mode_names_those_there_are(human):
    walker = Walker(human, stride="paper")
    with pytest.raises(poise.OptionError, match="hybrid"):
        walker.jacobian = "hybird"


def test_the_hips_of_the_human_have_limits_that_follow_the_pose(human):
    left, right = hip_limits(Build.of(human))
    assert (left.dof, left.on) == ("left_hip_internal_rotation", "left_hip_flexion")
    assert (right.dof, right.on) == ("right_hip_internal_rotation", "right_hip_flexion")
    low, high = left.at(0.0)
    assert low == -high
    narrow = left.at(1.4)
    assert narrow[1] - narrow[0] < high - low


def test_half_mode_holds_the_knees_ahead(human):
    walker = Walker(human, stride="paper", jacobian="half")
    walker.drive(speed=1.3)
    limit = hip_limits(walker.build)[0]
    for _ in range(180):
        pose = walker.step(DT).pose
        low, high = limit.at(pose[limit.on])
        assert low - 1e-9 <= pose[limit.dof] <= high + 1e-9


def test_one_foot_leads_from_its_take_off_to_the_other_ones(human):
    walker = Walker(human, stride="paper")
    walker.drive(speed=1.3)
    leads = []
    for _ in range(400):
        walker.step(DT)
        leads.append(leading_foot(walker.gait.frame))
    changes = np.flatnonzero(np.diff(leads[100:]))
    assert len(changes) > 4
    assert np.ptp(np.diff(changes)) <= 2
