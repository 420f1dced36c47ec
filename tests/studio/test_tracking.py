"""A clip is tracked inside limits: as a command of the session, and one step of undo."""

import numpy as np
import pytest

from poise.errors import PoiseError
from poise.motion.examples import run
from poise.studio import commands
from poise.studio import frames as f
from poise.studio.opening import opened_clip
from poise.studio.session import Session


def test_a_clip_is_tracked_inside_limits_that_it_keeps_to_itself():
    session = Session(opened_clip(run(1)))
    before = session.document
    session.frame(f.TimeFrame(1, 0.2))
    hand = session.posed.pose.position("left_hand")
    session.apply(commands.TrackClip(1, limits="learned", margin=0.05))
    after = session.document
    assert after.clip is not before.clip
    assert after.clip.is_inside_limits
    assert (after.figure.upper <= before.figure.upper + np.radians(180)).all()
    assert not np.array_equal(after.figure.upper, before.figure.upper)
    assert np.linalg.norm(session.posed.pose.position("left_hand") - hand) < 0.01
    assert "Tracked" in session.notices[0]
    session.apply(commands.Undo(2))
    assert session.document is before


def test_fixes_are_followed_and_then_in_the_clip():
    session = Session(opened_clip(run(1)))
    session.frame(f.TimeFrame(1, 0.2))
    session.apply(commands.SetAngles(1, {"left_elbow_flexion": 2.0}))
    hand = session.posed.pose.position("left_hand")
    session.apply(commands.TrackClip(2, effectors=["left_hand", "pelvis"]))
    assert session.document.fixes == ()
    assert np.linalg.norm(session.posed.pose.position("left_hand") - hand) < 0.005


def test_what_cannot_be_tracked_is_refused():
    with pytest.raises(PoiseError, match="no clip to track"):
        Session().apply(commands.TrackClip(1))
    session = Session(opened_clip(run(1)))
    with pytest.raises(PoiseError, match="tail"):
        session.apply(commands.TrackClip(1, effectors=["tail"]))
