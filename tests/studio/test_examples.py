"""Every example of the menu opens, is posed inside its limits and can be dragged."""

import numpy as np
import pytest

from poise.studio import commands
from poise.studio import frames as f
from poise.studio.examples import EXAMPLES
from poise.studio.session import Session


@pytest.mark.parametrize("name", [example.name for example in EXAMPLES])
def test_an_example_opens_and_moves(name):
    session = Session()
    session.apply(commands.OpenExample(1, name))
    assert session.posed.pose.is_inside_limits
    assert all(position < 0.02 for position, _ in session.posed.errors.values())
    if session.walk is not None:
        session.apply(commands.WalkEnd(2))
    session.frame(f.TimeFrame(1, 0.5))
    site = next(s.name for s in session.state().figure.sites if s.handle in ("end", "body"))
    before = session.posed.pose.position(site)
    session.apply(commands.DragBegin(1, 1, site))
    session.frame(f.GoalFrame(1, 1, tuple(before + 0.01), None))
    session.apply(commands.DragEnd(1, 1))
    assert np.linalg.norm(session.posed.pose.position(site) - before) > 1e-3
    assert session.posed.pose.is_inside_limits


def test_running_is_a_run():
    """Both feet are off the ground at some time in every step."""
    session = Session()
    session.apply(commands.OpenExample(1, "running"))
    clip = session.document.clip
    soles = clip.positions(["left_ball", "left_heel", "right_ball", "right_heel"])[..., 1]
    assert soles.min(1).max() > 0.02
    assert soles.min() > -0.01
    assert session.document.loop
