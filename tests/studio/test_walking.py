"""A walk in the session: it goes where it is driven, in real time, and becomes a clip."""

import struct

import numpy as np
import pytest
from studio.client import served
from studio.test_server import get

from poise.errors import PoiseError
from poise.studio import commands
from poise.studio import messages as m
from poise.studio.frames import FrameError, decode_crowd, decode_pose, decode_walk
from poise.studio.ground_mesh import HALF, ground_mesh
from poise.studio.session import Session
from poise.studio.walking import STEP, Walk, WalkSettings
from poise.walk.terrain import flat, hills, ramp, stairs


def begin(session, **options):
    session.apply(commands.WalkBegin(1, **{"stride": "paper", **options}))
    return session.walk


def go(session, seconds, speed=1.3, turn=0.0):
    session.apply(commands.WalkDrive(1, speed, turn))
    for _ in range(round(seconds / STEP)):
        session.walk.step()


def where(session):
    return decode_walk(session.walk_bytes())


@pytest.mark.parametrize("stride", ["natural", "paper"])
def test_it_walks_forward_and_turns_where_it_is_driven(session, stride):
    begin(session, stride=stride)
    assert session.is_settled is False
    go(session, 2.0)
    ahead = where(session)
    assert ahead.marks[0, 2] > 1.5
    assert abs(ahead.marks[0, 0]) < 1e-6
    go(session, 2.0, turn=0.8)
    turned = where(session)
    assert turned.heading > 1.0
    assert turned.marks[0, 0] > 0.3
    pose = decode_pose(session.pose_bytes())
    body = pose.center_of_mass[[0, 2]]
    assert np.linalg.norm(body - turned.marks[0, [0, 2]]) < 0.3


def test_marks_are_where_leading_foot_and_trailing_toes_should_be(session):
    begin(session, jacobian="half")
    go(session, 1.5)
    for _ in range(60):
        session.walk.step()
        found = where(session)
        side = ("left", "right")[1 - found.leading]
        trailing = session.posed.pose.position(f"{side}_ball")
        assert np.linalg.norm(trailing - found.marks[2]) < 0.01


def test_the_clock_drives_it(session):
    walk = begin(session)
    session.apply(commands.WalkDrive(1, 1.0, 0.0))
    assert walk.catch_up(10.0)  # the first time: one step
    before = where(session).time
    assert not walk.catch_up(10.0 + 0.5 * STEP)
    assert walk.catch_up(10.0 + 3.1 * STEP)
    assert where(session).time == pytest.approx(before + 3 * STEP, abs=1e-6)
    walk.catch_up(1000.0)  # the window slept: it did not walk on without it
    assert where(session).time == pytest.approx(before + 4 * STEP, abs=1e-6)


def test_modes_stride_and_ground_are_changed_in_place(session):
    begin(session)
    go(session, 1.0)
    place = where(session).marks[0]
    session.apply(commands.WalkChange(1, jacobian="full"))
    session.apply(commands.WalkChange(2, stride="natural"))
    assert np.linalg.norm(where(session).marks[0] - place) < 0.1
    assert session.state().walk.jacobian == "full"
    session.apply(commands.WalkChange(3, ground="stairs"))
    info = session.state().walk
    assert (info.ground, info.place) == ("stairs", 1)
    assert np.linalg.norm(where(session).marks[0]) < 0.1


def test_a_recording_becomes_the_document_and_can_be_undone(session):
    before = session.document
    begin(session)
    go(session, 0.5)
    session.apply(commands.WalkRecord(1, True))
    assert session.state().walk.recording
    with pytest.raises(PoiseError, match="recorded"):
        session.apply(commands.WalkChange(2, ground="hills"))
    go(session, 1.0)
    session.apply(commands.WalkRecord(3, False))
    assert session.walk is None
    clip = session.document.clip
    assert len(clip) == 61
    assert clip.fps == pytest.approx(60.0)
    assert clip[-1].position("pelvis")[2] - clip[0].position("pelvis")[2] > 0.5
    session.apply(commands.Undo(4))
    assert session.document is before


def test_what_would_change_the_document_waits_until_the_walk_has_ended(session):
    begin(session)
    for command in (
        commands.RestPose(1),
        commands.Undo(1),
        commands.DragBegin(1, 1, "left_hand"),
        commands.AddKey(1),
    ):
        with pytest.raises(PoiseError, match="walk"):
            session.apply(command)
    session.apply(commands.Select(1, effector="left_hand"))
    session.apply(commands.WalkEnd(1))
    assert session.walk is None
    session.apply(commands.RestPose(1))


def test_without_a_walk_there_is_nothing_to_drive(session):
    assert session.walk_bytes() is None
    with pytest.raises(PoiseError, match="begin a walk"):
        session.apply(commands.WalkDrive(1, 1.0, 0.0))


def test_a_figure_without_legs_is_refused_and_stands_as_it_was(session):
    session.apply(commands.NewDocument(1, "snake"))
    with pytest.raises(PoiseError):
        begin(session)
    assert session.walk is None
    assert session.state().walk is None


def test_the_walker_is_an_example_and_another_ends_it(session):
    session.apply(commands.OpenExample(1, "walker"))
    assert session.state().walk is not None
    session.apply(commands.OpenExample(2, "reach"))
    assert session.walk is None


def test_patches_of_a_walk_say_only_what_changed(session):
    begin(session)
    assert session.patch().walk is not None
    session.walk.step()
    assert session.patch(moved=True) is None
    session.walk.record()
    patch = session.patch(moved=True)
    assert patch.walk.recording
    assert m.encode(patch).startswith(b'{"type":"patch","walk"')


@pytest.mark.parametrize("speed", [-0.1, 6.0, float("nan")])
def test_no_speed_is_taken_that_nobody_walks(speed):
    text = m.encode(commands.WalkDrive(1, speed, 0.0))
    with pytest.raises(ValueError, match=r"speed|null|float"):
        m.decode(text)


@pytest.mark.parametrize("terrain", [flat(), hills(), stairs(), ramp()], ids=str)
def test_the_mesh_lies_on_the_ground(terrain):
    data = ground_mesh(terrain, np.eye(3), 5.0, 3.0)
    count, triangles = struct.unpack_from("<II", data)
    points = np.frombuffer(data, "<f4", 3 * count, 8).reshape(-1, 3)
    corners = np.frombuffer(data, "<u4", 3 * triangles, 8 + 12 * count).reshape(-1, 3)
    assert len(data) == 8 + 12 * (count + triangles)
    assert corners.max() == count - 1
    assert np.ptp(points[:, [0, 2]], axis=0).tolist() == [2 * HALF, 2 * HALF]
    a, b, c = (points[corners[:, k]].astype(float) for k in range(3))
    up = np.cross(b - a, c - a)[:, 1]
    assert (up >= -1e-9).all()  # none is seen from below
    middles = ((a + b + c) / 3.0)[up > 1e-6]  # without the risers, which stand
    off = middles[:, 1] - terrain.height(middles[:, 0], middles[:, 2])
    assert np.abs(off).max() < 0.02


def test_a_walk_of_ten_minutes_is_the_longest_recording():
    import poise
    from poise.studio import walking

    walk = Walk(poise.figures.human(), WalkSettings(stride="paper"))
    walk.record()
    walk._frames *= 36000
    walk.step()
    assert len(walk._frames) == round(walking.LONGEST / STEP)


def test_the_ground_is_given_to_those_with_the_token_while_there_is_a_walk():
    session = Session()
    with served(session) as server:
        path = f"/ground?token={server.token}&place=0"
        assert get(server, path)[0].status == 404
        session.apply(commands.WalkBegin(1, ground="ramp"))
        answer, data = get(server, path)
        assert (answer.status, data) == (200, session.ground("0"))
        assert get(server, "/ground?token=wrong&place=0")[0].status == 403
        assert get(server, path.replace("place=0", "place=7"))[0].status == 404


def test_company_goes_along_and_leaves(session):
    begin(session, stride="natural", ground="hills", company=12)
    first = decode_crowd(session.company_bytes())
    assert first.shape == (12, len(session.document.figure.segments), 7)
    body = where(session).marks[0]
    away = np.linalg.norm(first[:, 0, [0, 2]] - body[[0, 2]], axis=1)
    assert away.min() > 1.0
    go(session, 2.0, speed=1.3)
    gone = decode_crowd(session.company_bytes())[:, 0, 2] - first[:, 0, 2]
    assert gone.min() > 1.2
    session.apply(commands.WalkChange(1, stride="paper"))
    assert session.state().walk.company == 12
    go(session, 0.5)
    about = decode_crowd(session.company_bytes())[:, 0, [0, 2]]
    assert np.linalg.norm(about.mean(0) - where(session).marks[0, [0, 2]]) < 8.0
    session.apply(commands.WalkChange(1, company=0))
    assert session.company_bytes() is None
    session.apply(commands.WalkChange(1, company=3))
    assert len(decode_crowd(session.company_bytes())) == 3
    session.apply(commands.WalkEnd(1))
    assert session.company_bytes() is None


def test_fifty_walk_in_the_example(session):
    session.apply(commands.OpenExample(1, "crowd"))
    assert session.state().walk.company == 49
    assert session.state().walk.ground == "hills"
    assert len(decode_crowd(session.company_bytes())) == 49


def test_company_comes_and_goes_during_a_recording(session):
    begin(session)
    session.walk.record()
    session.apply(commands.WalkChange(1, company=2))
    assert session.walk.info.recording
    with pytest.raises(PoiseError, match="recorded"):
        session.apply(commands.WalkChange(1, ground="hills"))


@pytest.mark.parametrize("count", [-1, 100])
def test_no_other_company_is_taken(count):
    with pytest.raises(ValueError, match="company"):
        m.decode(m.encode(commands.WalkBegin(1, company=count)))


def test_other_frames_are_no_crowd(session):
    begin(session)
    with pytest.raises(FrameError):
        decode_crowd(session.walk_bytes())
