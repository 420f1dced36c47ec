"""Joints without a browser: turned by sliders and rings, their limits, rigidity and groups."""

import numpy as np
import pytest
from motion.bodies import swinging_arm
from studio.deeds import drag, goal_of, path

from poise.errors import PoiseError
from poise.figure.rotation import from_vector
from poise.studio import commands
from poise.studio import frames as f
from poise.studio.frames import decode_pose
from poise.studio.opening import opened_figure


def test_a_slider_turns_its_joint_within_its_limits(session):
    figure = session.document.figure
    dof = figure.dof_index("left_elbow_flexion")
    session.apply(commands.TurnBegin(1, 5))
    for value in (0.5, 1.0, 99.0):
        session.frame(f.AngleFrame(1, 5, dof, value))
    session.apply(commands.DragEnd(1, 5))
    assert session.posed.pose["left_elbow_flexion"] == figure.upper[dof]
    assert decode_pose(session.pose_bytes()).limits[dof] & f.AT_UPPER
    assert session.state().history.undo == "turn joints"


def test_limits_are_edited_in_place(session):
    session.patch()
    session.apply(commands.SetAngles(1, {"left_elbow_flexion": 1.5}))
    session.apply(commands.SetLimits(1, "left_elbow_flexion", 0.0, 1.0))
    dof = session.document.figure.dof_index("left_elbow_flexion")
    patch = session.patch()
    assert patch.figure.dofs[dof].upper == 1.0
    assert session.posed.pose["left_elbow_flexion"] == 1.0
    assert decode_pose(session.pose_bytes()).revision == patch.figure.revision
    with pytest.raises(PoiseError, match="lower"):
        session.apply(commands.SetLimits(1, "left_elbow_flexion", 2.0, 1.0))
    session.apply(commands.SetLimits(1, "left_elbow_flexion", None, None))


def test_frozen_joints_do_not_move(session):
    session.apply(commands.SetRigidity(1, ["spine_*", "root_*"], 1.0))
    before = session.posed.pose
    drag(session, "left_hand", *path(0.1, 0.3, 0.3))
    after = session.posed.pose
    frozen = session.document.figure.match_dofs(["spine_*", "root_*"])
    assert np.array_equal(after.angles[frozen], before.angles[frozen])
    assert not np.array_equal(after.angles, before.angles)


def test_a_stroke_of_rigidity_is_one_step_and_moves_nothing(session):
    session.apply(commands.AddKey(1))
    before, pose = session.document, session.posed.pose
    arm = [n for n in pose.figure.dof_names if n.startswith(("left_shoulder", "left_elbow"))]
    session.apply(commands.SetRigidity(1, arm, 0.4))
    chosen = pose.figure.match_dofs(arm)
    assert (session.document.figure.rigidity[chosen] == 0.4).all()
    assert np.count_nonzero(session.document.figure.rigidity) == len(chosen)
    assert np.array_equal(session.posed.pose.angles, pose.angles)
    session.apply(commands.Undo(1))
    assert session.document is before


def test_a_limb_alone_moves_for_its_goal(session):
    session.apply(commands.AddGoal(1, "left_hand"))
    goal = goal_of(session, "left_hand")
    session.apply(commands.ChangeGoal(1, goal.id, chain="limb"))
    spine = session.document.figure.match_dofs("spine_*")
    before = session.posed.pose.angles[spine]
    drag(session, "left_hand", *path(0.1, 0.3, 0.2))
    assert np.array_equal(session.posed.pose.angles[spine], before)


def test_joint_groups_are_switched(session):
    session.apply(commands.NewDocument(1, "jack"))
    groups = session.state().figure.groups
    assert groups
    assert all(group.on for group in groups)
    session.apply(commands.SetGroup(1, groups[0].name, False))
    assert [g.name for g in session.state().figure.groups if not g.on] == [groups[0].name]
    session.apply(commands.SetGroup(1, groups[0].name, True))
    assert all(group.on for group in session.state().figure.groups)
    with pytest.raises(PoiseError, match="unknown joint group"):
        session.apply(commands.SetGroup(1, "wings", True))


def test_the_limits_of_a_joint_are_where_the_pose_has_them(session):
    session.apply(commands.SetAngles(1, {"left_elbow_flexion": 0.8}))
    limits = session.apply(commands.LimitsOf(1, "left_forearm"))
    (arc,) = limits.shapes
    pose = session.posed.pose
    assert np.allclose(arc.origin, pose.position("left_elbow"), atol=1e-9)
    assert arc.value == pytest.approx(0.8)
    # Turning the pointer about the axis by what is left to a limit gives the pointer there.
    bent = pose.with_angles({"left_elbow_flexion": 1.2})
    session.apply(commands.SetAngles(1, {"left_elbow_flexion": 1.2}))
    (then,) = session.apply(commands.LimitsOf(1, "left_forearm")).shapes
    turned = from_vector(0.4 * np.array(arc.axis)) @ np.array(arc.pointer)
    assert np.allclose(turned, then.pointer, atol=1e-9)
    assert bent["left_elbow_flexion"] == 1.2


def test_a_ring_turns_a_whole_ball_joint_as_far_as_its_cone(session):
    session.open(opened_figure(swinging_arm()))
    dof = session.document.figure.dof_index("arm_swing_y")
    before = session.posed.pose
    session.apply(commands.TurnBegin(1, 7, about=(0.0, 0.0, 2.0)))
    for k, angle in enumerate((0.2, 0.5, 3.0, 0.6)):
        session.frame(f.AngleFrame(k, 7, dof, angle))
        assert session.posed.pose.is_inside_limits
        swung = from_vector((0.0, 0.0, min(angle, 0.9))) @ before.rotation("arm")
        assert np.allclose(session.posed.pose.rotation("arm"), swung, atol=1e-9)
    with pytest.raises(PoiseError, match="cannot be turned about"):
        session.frame(f.AngleFrame(9, 7, session.document.figure.dof_index("forearm_bend"), 1.0))
    session.apply(commands.DragEnd(1, 7))
    assert session.state().history.undo == "turn joints"
