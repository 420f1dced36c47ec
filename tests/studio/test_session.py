"""What a person does, without a browser: commands and frames in, poses and state out."""

import numpy as np
import pytest
from studio.deeds import drag, goal_of, path, position

from poise.errors import PoiseError
from poise.motion.posing import Posing
from poise.studio import commands
from poise.studio import frames as f
from poise.studio import messages as m
from poise.studio.frames import decode_pose
from poise.studio.opening import FIGURES
from poise.studio.session import Session


def test_opens_with_both_feet_pinned(session):
    state = session.state()
    assert [(g.effector, g.kind, g.pinned, g.on) for g in state.goals] == [
        ("left_foot", "pose", True, True),
        ("right_foot", "pose", True, True),
    ]
    assert state.settings.stiff_root > 0
    assert state.history.saved
    assert state.history.undo is None


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_opens_and_can_be_dragged(session, name):
    session.apply(commands.NewDocument(1, name))
    figure = session.state().figure
    handles = [s.name for s in figure.sites if s.handle in ("end", "body")]
    assert handles
    before = position(session, handles[0])
    drag(session, handles[0], (0.0, 0.01, 0.0), (0.005, 0.02, 0.01))
    assert np.linalg.norm(position(session, handles[0]) - before) > 1e-3
    assert session.posed.pose.is_inside_limits


def test_a_dragged_hand_is_followed_and_the_feet_stay(session):
    feet = [position(session, name) for name in ("left_foot", "right_foot")]
    hand = position(session, "left_hand")
    for pose in drag(session, "left_hand", *path(0.1, 0.3, 0.35)):
        for name, place in zip(("left_foot", "right_foot"), feet, strict=True):
            assert np.linalg.norm(pose.position(name) - place) < 1e-4
        assert pose.is_inside_limits
    assert np.allclose(position(session, "left_hand"), np.add(hand, [0.1, 0.3, 0.35]), atol=1e-3)


def test_release_changes_nothing_that_is_shown(session):
    *_, last = drag(session, "left_hand", *path(0.1, 0.3, 0.3), release=False)
    session.apply(commands.DragEnd(1, 9))
    assert np.abs(session.posed.pose.angles - last.angles).max() < 1e-3
    assert np.linalg.norm(position(session, "left_hand") - last.position("left_hand")) < 1e-4
    assert len(session.state().goals) == 2  # nothing but the feet is left of the drag


def test_away_and_back_is_where_it_was(session):
    before = session.posed.pose.angles
    there = path(0.15, 0.25, 0.2)
    drag(session, "left_hand", *there, *reversed(there), (0.0, 0.0, 0.0))
    assert np.degrees(np.abs(session.posed.pose.angles - before).max()) < 0.5


def test_a_drag_is_one_step_of_undo(session):
    before = session.posed.pose.angles
    drag(session, "left_hand", *path(0.1, 0.2, 0.2))
    after = session.posed.pose.angles
    assert session.state().history.undo == "drag left_hand"
    session.apply(commands.Undo(1))
    assert np.array_equal(session.posed.pose.angles, before)
    assert session.state().history.redo == "drag left_hand"
    session.apply(commands.Redo(1))
    assert np.array_equal(session.posed.pose.angles, after)
    with pytest.raises(PoiseError, match="nothing to redo"):
        session.apply(commands.Redo(1))


def test_escape_leaves_nothing(session):
    document = session.document
    drag(session, "left_hand", *path(0.1, 0.2, 0.2), release=False)
    session.apply(commands.DragEnd(1, 9, cancel=True))
    assert session.document is document
    assert session.state().history.undo is None


def test_a_drag_without_a_move_is_no_step(session):
    drag(session, "left_hand")
    assert session.state().history.undo is None


def test_an_unpinned_target_drops_to_the_reached_site(session):
    session.apply(commands.AddGoal(1, "left_hand"))
    drag(session, "left_hand", *path(2.0, 0.5, 0.0))
    goal = goal_of(session, "left_hand")
    assert np.allclose(goal.position, position(session, "left_hand"), atol=1e-9)


def test_a_pinned_target_stays_and_shows_its_gap(session):
    session.apply(commands.AddGoal(1, "left_hand", pinned=True))
    start = position(session, "left_hand")
    poses = drag(session, "left_hand", *path(2.0, 0.5, 0.0))
    goal = goal_of(session, "left_hand")
    assert np.allclose(goal.position, np.add(start, [2.0, 0.5, 0.0]))
    frame = decode_pose(session.pose_bytes())
    gap = {i: error for i, error, _ in frame.goals}[goal.id]
    assert gap == pytest.approx(np.linalg.norm(goal.position - position(session, "left_hand")))
    assert gap > 0.5
    assert not frame.flags & f.MET
    assert np.abs(session.posed.pose.angles - poses[-1].angles).max() < 1e-2
    sentences = session.apply(commands.Explain(4)).goals
    sentence = next(s.sentence for s in sentences if s.goal == goal.id)
    assert "left_hand is" in sentence
    assert "before it was there" not in sentence  # solved on to the end, it is as near as it can be
    left = f"It was left {100 * gap:.1f} cm off; drag it again"
    assert (left in sentence) != (f"left_hand is {100 * gap:.1f} cm short" in sentence)


def test_a_pin_out_of_reach_pulls_no_other_pin_off(session):
    session.apply(commands.AddGoal(1, "left_hand", pinned=True))
    feet = position(session, "left_foot")
    drag(session, "left_hand", *path(2.0, 0.5, 0.0))
    assert np.linalg.norm(position(session, "left_foot") - feet) < 1e-4


def test_an_elbow_swings_about_a_hand_that_stays(session):
    drag(session, "left_hand", *path(0.1, 0.3, 0.3))
    hand = position(session, "left_hand")
    elbow = position(session, "left_elbow")
    assert any(s.handle == "pole" for s in session.state().figure.sites if s.name == "left_elbow")
    drag(session, "left_elbow", *path(0.06, 0.06, 0.0))
    assert np.linalg.norm(position(session, "left_hand") - hand) < 1e-4
    assert np.linalg.norm(position(session, "left_elbow") - elbow) > 0.02


def test_a_free_foot_never_goes_below_the_ground(session):
    foot = goal_of(session, "left_foot").id
    session.apply(commands.RemoveGoal(1, foot))
    for pose in drag(session, "left_foot", *path(0.1, -0.3, 0.2)):
        for site in ("left_heel", "left_toes", "left_ball"):
            assert pose.position(site)[1] > -1e-4


def test_a_turned_drag_rotates_the_hand(session):
    session.apply(commands.DragBegin(1, 9, "left_hand", turn=True))
    place = position(session, "left_hand")
    wanted = np.array([0.7, 0.5, -0.4, 0.3])
    wanted /= np.linalg.norm(wanted)
    session.frame(f.GoalFrame(1, 9, tuple(place), tuple(wanted)))
    while not session.is_settled:
        session.settle()
    found = session.posed.pose.quaternion("left_hand")
    assert abs(found @ wanted) > 0.99
    session.apply(commands.DragEnd(1, 9))


def test_the_point_that_a_head_looks_at_can_be_dragged(session):
    session.apply(commands.AddGoal(1, "head", "aim"))
    goal = goal_of(session, "head")
    session.apply(commands.DragBegin(1, 9, "head", goal=goal.id))
    session.frame(f.GoalFrame(1, 9, (1.0, 1.6, 2.0), None))
    session.apply(commands.DragEnd(1, 9))
    pose = session.posed.pose
    gaze = np.array([1.0, 1.6, 2.0]) - pose.position("head")
    assert pose.rotation("head")[:, 2] @ gaze / np.linalg.norm(gaze) > 0.999
    assert np.allclose(goal_of(session, "head").position, (1.0, 1.6, 2.0))


# -- goals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["position", "pose", "orientation", "aim", "line", "plane"])
def test_a_new_goal_asks_for_nothing(session, kind):
    drag(session, "right_hand", *path(-0.1, 0.3, 0.2))
    before = session.posed.pose.angles
    session.apply(commands.AddGoal(1, "right_hand", kind))
    assert np.abs(session.posed.pose.angles - before).max() < 1e-12
    with pytest.raises(PoiseError, match="already"):
        session.apply(commands.AddGoal(1, "right_hand", kind))


def test_a_goal_is_changed_switched_and_removed(session):
    session.apply(commands.AddGoal(1, "left_hand"))
    number = goal_of(session, "left_hand").id
    target = tuple(np.add(position(session, "left_hand"), [0.0, 0.2, 0.1]))
    session.apply(commands.ChangeGoal(1, number, position=target, weight=3.0))
    assert np.allclose(position(session, "left_hand"), target, atol=1e-4)
    held = session.posed.pose.angles
    session.apply(commands.ChangeGoal(1, number, on=False))
    assert np.abs(session.posed.pose.angles - held).max() < 1e-12
    assert not goal_of(session, "left_hand").on
    drag(session, "left_hand", *path(0.0, -0.2, 0.0))
    moved = session.posed.pose.angles
    session.apply(commands.ChangeGoal(1, number, on=True))
    assert np.abs(session.posed.pose.angles - moved).max() < 1e-12
    session.apply(commands.ChangeGoal(1, number, space="chest", kind="pose"))
    assert goal_of(session, "left_hand").space == "chest"
    assert np.abs(session.posed.pose.angles - moved).max() < 1e-12
    session.apply(commands.RemoveGoal(1, number))
    assert np.abs(session.posed.pose.angles - moved).max() < 1e-12
    assert len(session.state().goals) == 2


# -- keys ------------------------------------------------------------------------------------------


def animated(session):
    """Two keys a second apart, made as a person does."""
    session.apply(commands.AddKey(1))
    session.frame(f.TimeFrame(1, 1.0))
    drag(session, "left_hand", *path(0.1, 0.4, 0.3))
    return session


def test_dragging_among_keys_keys(session):
    animated(session)
    keys = session.state().timeline.keys
    assert [key.time for key in keys] == [0.0, 1.0]
    raised = position(session, "left_hand")
    session.frame(f.TimeFrame(2, 0.0))
    assert position(session, "left_hand")[1] < raised[1] - 0.3
    session.frame(f.TimeFrame(3, 0.5))
    assert position(session, "left_hand")[1] < raised[1] - 0.05
    session.frame(f.TimeFrame(4, 1.0))
    assert np.array_equal(position(session, "left_hand"), raised)


def test_time_cannot_be_undone_and_stays_within_the_document(session):
    animated(session)
    undo = session.state().history.undo
    session.frame(f.TimeFrame(1, 99.0))
    assert session.time == session.document.duration
    session.frame(f.TimeFrame(1, -5.0))
    assert session.time == 0.0
    assert session.state().history.undo == undo


def test_keys_are_moved_copied_eased_and_deleted(session):
    animated(session)
    first, second = (key.id for key in session.state().timeline.keys)
    session.apply(commands.MoveKeys(1, [second], 0.5))
    session.apply(commands.CopyKeys(1, [first, second], 2.0))
    session.apply(commands.EaseKeys(1, [first], "hold"))
    keys = session.state().timeline.keys
    assert [key.time for key in keys] == [0.0, 1.5, 2.0, 3.5]
    assert keys[0].ease == "hold"
    session.apply(
        commands.MoveKeys(1, [second], 0.5)
    )  # onto the copy of the first, which it replaces
    assert [key.time for key in session.state().timeline.keys] == [0.0, 2.0, 3.5]
    session.apply(commands.DeleteKeys(1, [first]))
    assert [key.time for key in session.state().timeline.keys] == [2.0, 3.5]
    with pytest.raises(PoiseError, match="no key or fix"):
        session.apply(commands.DeleteKeys(1, [first]))
    for _ in range(5):
        session.apply(commands.Undo(1))
    assert [key.time for key in session.state().timeline.keys] == [0.0, 1.0]


def test_what_is_shown_is_what_the_document_says(session):
    animated(session)
    session.frame(f.TimeFrame(1, 0.7))
    again = Posing(session.document).at(0.7)
    assert np.array_equal(session.posed.pose.angles, again.pose.angles)


def test_ghosts(session):
    animated(session)
    session.apply(commands.SetGhosts(1, "previous-key"))
    frame = session.ghost_bytes()
    assert int.from_bytes(frame[2:4], "little") == 1
    assert session.ghost_bytes() is None  # nothing new
    session.apply(commands.SetGhosts(1, "onion", 2, 0.25))
    assert int.from_bytes(session.ghost_bytes()[2:4], "little") == 4
    session.apply(commands.SetGhosts(1, "off"))
    assert int.from_bytes(session.ghost_bytes()[2:4], "little") == 0


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        commands.DragBegin(1, 9, "nose"),
        commands.DragBegin(1, 9, "left_hand", goal=1),
        commands.DragEnd(1, 9),
        commands.AddGoal(1, "nose"),
        commands.ChangeGoal(1, 77, weight=2.0),
        commands.ChangeGoal(1, 1, space="nowhere"),
        commands.ChangeGoal(1, 1, direction=(0.0, 0.0, 0.0), kind="plane"),
        commands.SetAngles(1, {"nose": 1.0}),
        commands.SetRigidity(1, ["nose*"], 0.5),
        commands.ChangeSettings(1, method="magic"),
        commands.MoveKeys(1, [5], 1.0),
        commands.MoveKeys(1, [], 1.0),
        commands.ChangeFix(1, 5, ease_in=0.1),
        commands.Select(1, effector="nose"),
        commands.LimitsOf(1, "nose"),
        commands.NewDocument(1, "unicorn"),
        commands.OpenExample(1, "unicorn"),
        commands.OpenFile(1, "a.poise"),
        commands.SaveFile(1),
        commands.Recover(1, True),
        commands.Undo(1),
    ],
)
def test_impossible_commands_change_nothing(session, command):
    document, state = session.document, m.encode(session.state())
    with pytest.raises(PoiseError):
        session.apply(command)
    assert session.document is document
    assert m.encode(session.state()) == state


def test_nothing_else_happens_while_something_is_dragged(session):
    drag(session, "left_hand", (0.0, 0.1, 0.0), release=False)
    for command in (commands.Undo(1), commands.AddKey(1), commands.DragBegin(1, 8, "head")):
        with pytest.raises(PoiseError, match="drag"):
            session.apply(command)
    with pytest.raises(PoiseError, match="time"):
        session.frame(f.TimeFrame(1, 0.5))
    with pytest.raises(PoiseError, match="number 8"):
        session.frame(f.GoalFrame(1, 8, (0.0, 0.0, 0.0), None))


def test_a_patch_has_what_changed_and_nothing_else(session):
    session.patch()
    assert session.patch() is None
    session.apply(commands.Select(1, effector="head"))
    patch = session.patch()
    assert [name for name in patch.__struct_fields__ if getattr(patch, name) is not m.UNSET] == [
        "selection"
    ]


def test_other_methods_can_be_chosen(session):
    session.apply(commands.ChangeSettings(1, method="projected-gradient"))
    drag(session, "left_hand", *path(0.0, 0.1, 0.1))
    assert session.posed.pose.is_inside_limits
    assert Session().state().settings.method == "auto"


def test_a_document_may_begin_at_a_frame(session):
    session.show_frame(12)
    assert session.time == pytest.approx(12 / session.document.fps)
    session.show_frame(10**6)
    assert session.time == session.document.duration
