"""Every method of the solver drags, so that they can be felt against each other."""

import numpy as np
import pytest

from poise.errors import PoiseError
from poise.solve import methods
from poise.studio import commands
from poise.studio import frames as f

NO_TURNS = "fabrik"
OFF = {"projected-gradient": 5e-3, "jacobian-transpose": 20e-3}
"""How far off a hand may be that was dragged by steps along the gradient [m]."""


def chosen(session, method):
    if method == NO_TURNS:
        for goal in session.state().goals:
            session.apply(commands.ChangeGoal(1, goal.id, kind="position"))
    session.apply(commands.ChangeSettings(1, method=method))


def drag(session, site, shift):
    start = session.posed.pose.position(site)
    session.apply(commands.DragBegin(1, 9, site))
    for k in range(1, 31):
        session.frame(f.GoalFrame(k, 9, tuple(start + np.array(shift) * min(k, 20) / 20), None))
        assert session.posed.pose.is_inside_limits
    off = np.linalg.norm(session.posed.pose.position(site) - start - shift)
    session.apply(commands.DragEnd(1, 9))
    return off


@pytest.mark.parametrize("method", methods())
def test_a_hand_comes_where_it_is_dragged_and_the_feet_stay(session, method):
    chosen(session, method)
    feet = session.posed.pose.position("left_foot")
    off = drag(session, "left_hand", (0.1, 0.25, 0.2))
    assert off < OFF.get(method, 2e-3)
    slipped = np.linalg.norm(session.posed.pose.position("left_foot") - feet)
    assert slipped < OFF.get(method, 5e-3)


@pytest.mark.parametrize("method", methods())
def test_a_foot_can_be_lifted_over_the_ground(session, method):
    chosen(session, method)
    assert drag(session, "left_foot", (0.0, 0.1, 0.1)) < 0.03


def test_what_a_method_cannot_take_is_said_before_it_is_chosen(session):
    infos = {own.name: own for own in session.state().choices.methods}
    assert infos["auto"].leaves_out == []
    assert infos[NO_TURNS].leaves_out == ["posture", "the ground"]
    assert [name for name, own in infos.items() if own.positions_only] == [NO_TURNS]
    with pytest.raises(PoiseError, match="cannot take Pose6D goals"):
        session.apply(commands.ChangeSettings(1, method=NO_TURNS))
    assert session.state().settings.method == "auto"
