"""A frame of a clip is fixed by dragging, without a browser."""

import numpy as np
import pytest
from studio.deeds import drag, path

from poise.errors import PoiseError
from poise.motion.posing import Posing
from poise.studio import commands
from poise.studio import frames as f
from poise.studio.session import Session


@pytest.fixture(scope="module")
def routine():
    from poise.motion.examples import gymnastics
    from poise.studio.opening import opened_clip

    return opened_clip(gymnastics())


@pytest.mark.parametrize(
    ("time", "effector", "shift"),
    [
        (0.35, "pelvis", (0.0, -0.15, 0.0)),
        (0.35, "left_foot", (0.1, 0.2, 0.0)),
        (5.0, "left_hand", (0.1, 0.25, 0.1)),
    ],
)
def test_a_frame_of_a_clip_is_fixed_by_dragging_and_nothing_pops(routine, time, effector, shift):
    session = Session(routine)
    session.frame(f.TimeFrame(1, time))
    before = session.posed.pose
    drag(session, effector, *path(*shift), release=False)
    while not session.is_settled:
        session.settle()
    shown = session.posed.pose
    session.apply(commands.DragEnd(1, 9))
    (fix,) = session.document.fixes
    assert session.document.clip is routine.clip
    assert np.abs(session.posed.pose.angles - shown.angles).max() < 2e-3
    for foot in fix.held:
        assert np.linalg.norm(shown.position(foot) - before.position(foot)) < 1e-4
    for far in (time - 0.3, time + 0.3):
        session.frame(f.TimeFrame(2, far))
        assert np.array_equal(session.posed.pose.angles, Posing(routine).at(far).pose.angles)


def test_a_joint_of_a_standing_leg_is_turned_over_a_clip(routine):
    session = Session(routine)
    session.frame(f.TimeFrame(1, 0.35))
    session.apply(commands.SetAngles(1, {"left_knee_flexion": 0.9}))
    assert session.posed.pose["left_knee_flexion"] == pytest.approx(0.9, abs=1e-3)
    assert session.document.fixes[0].held == ("right_foot",)


def test_a_fix_is_moved_eased_and_let_go(routine):
    session = Session(routine)
    session.frame(f.TimeFrame(1, 0.35))
    drag(session, "left_hand", *path(0.1, 0.2, 0.1))
    (shown,) = session.state().timeline.fixes
    session.apply(commands.ChangeFix(1, shown.id, ease_in=0.3, held=["left_foot"]))
    session.apply(commands.MoveKeys(2, [shown.id], 0.5))
    (changed,) = session.state().timeline.fixes
    assert (changed.time, changed.ease_in, changed.ease_out) == pytest.approx((0.85, 0.3, 0.15))
    assert changed.held == ["left_foot"]
    with pytest.raises(PoiseError, match="nowhere"):
        session.apply(commands.ChangeFix(3, shown.id, held=["nowhere"]))
    session.apply(commands.DeleteKeys(4, [shown.id]))
    assert session.state().timeline.fixes == []
