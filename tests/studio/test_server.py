"""The server refuses strangers, answers everyone else, and goes on serving whatever comes."""

import contextlib
import http.client

import msgspec
import numpy as np
import pytest
from studio.characters import character_file
from studio.client import Client, served
from websockets.exceptions import ConnectionClosed, InvalidStatus

from poise.studio import commands
from poise.studio import frames as f
from poise.studio import messages as m
from poise.studio.project import Project
from poise.studio.session import Session


def get(server, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    with contextlib.closing(connection):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read()


@pytest.mark.parametrize("token", ["", "wrong", "wrong" * 100, "%00", "ä"])
def test_a_wrong_token_is_refused(shared, token):
    with pytest.raises(InvalidStatus, match="403"):
        Client(shared, token=token)


@pytest.mark.parametrize("origin", ["https://example.org", "null", "http://127.0.0.1:1", ""])
def test_a_wrong_origin_is_refused(shared, origin):
    with pytest.raises(InvalidStatus, match="403"):
        Client(shared, origin=origin)


def test_another_host_is_refused(shared):
    answer, _ = get(shared, "/", Host="example.org")
    assert answer.status == 421
    answer, _ = get(shared, "/", Host=f"example.org:{shared.port}")
    assert answer.status == 421


def test_the_socket_is_on_this_machine_only(shared):
    assert shared._socket.getsockname()[0] == "127.0.0.1"


def test_pages_may_load_nothing_from_elsewhere(shared):
    answer, _ = get(shared, "/")
    assert "default-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path", ["/../../pyproject.toml", "/%2e%2e/%2e%2e/server.py", "//etc/passwd"]
)
def test_no_file_outside_the_page_is_served(shared, path):
    answer, _ = get(shared, path)
    assert answer.status in (403, 404)


def test_a_missing_page_says_how_to_build_it(tmp_path):
    with served(Session(), page=tmp_path) as server:
        answer, text = get(server, "/")
    assert answer.status == 503
    assert b"build.py" in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "null",
        '{"type":"undo"}',
        '{"type":"no-such","id":5}',
        '{"type":"set-angles","id":5,"angles":{"left_elbow_flexion":NaN}}',
        '{"type":"drag-begin","id":5,"drag":1,"effector":"nose"}',
        '{"type":"change-goal","id":5,"goal":99,"weight":2}',
        '{"type":"set-limits","id":5,"dof":"left_elbow_flexion","lower":2,"upper":1}',
        '{"type":"undo","id":5}',
        '{"type":"open-example","id":5,"name":"no such"}',
        "[" * 100_000,
    ],
)
def test_malformed_and_impossible_messages_are_refused_and_nothing_changes(shared, client, text):
    before = shared.session.document
    client.socket.send(text)
    answer = client.text()
    assert answer["type"] == "failure"
    assert answer["id"] == (5 if '"id":5' in text and "NaN" not in text else -1)
    assert shared.session.document is before
    assert client.ask(commands.Explain)["type"] == "explanation"


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\x01",
        b"\xff" * 24,
        b"\x01" * 10_000,
        f.encode_goal(f.GoalFrame(1, 77, (0.0, 0.0, 0.0), None)),
        f.encode_goal(f.GoalFrame(1, 1, (0.0, float("nan"), 0.0), None)),
        f.encode_time(f.TimeFrame(1, float("inf"))),
    ],
)
def test_bad_frames_are_refused(client, frame):
    assert client.ask(commands.DragBegin, drag=1, effector="left_hand")["type"] == "done"
    client.socket.send(frame)
    answer = client.text()
    assert answer["type"] == "failure"
    assert client.ask(commands.DragEnd, drag=1, cancel=True)["type"] == "done"


def test_an_oversized_message_ends_that_window_only(shared):
    with Client(shared) as good, Client(shared) as bad:
        bad.socket.send("x" * (m.MOST_TEXT + 1))
        with pytest.raises(ConnectionClosed):
            bad.text()
        assert good.ask(commands.Explain)["type"] == "explanation"


def test_a_drag_over_the_socket_moves_the_figure(shared, client):
    session = shared.session
    hand = session.posed.pose.position("left_hand")
    target = np.add(hand, [0.05, 0.2, 0.2])
    assert client.ask(commands.DragBegin, drag=3, effector="left_hand")["type"] == "done"
    client.socket.send(f.encode_goal(f.GoalFrame(9, 3, tuple(target), None)))
    pose = client.answered(9)
    assert pose.flags & f.DRAGGING
    assert client.ask(commands.DragEnd, drag=3)["type"] == "done"
    assert client.state["history"]["undo"] == "drag left_hand"
    assert np.allclose(session.posed.pose.position("left_hand"), target, atol=1e-3)
    assert client.ask(commands.Undo)["type"] == "done"
    assert np.allclose(session.posed.pose.position("left_hand"), hand, atol=1e-9)


def test_the_newest_move_wins(shared, client):
    """Many moves at once are answered by few poses; the last of them is always answered."""
    hand = shared.session.posed.pose.position("right_hand")
    client.ask(commands.DragBegin, drag=4, effector="right_hand")
    for k in range(1, 201):
        client.socket.send(f.encode_goal(f.GoalFrame(k, 4, tuple(hand + 0.001 * k), None)))
    answers = []
    while not answers or answers[-1] < 200:
        message = client.socket.recv(timeout=30)
        if isinstance(message, bytes):
            answers.append(f.decode_pose(message).sequence)
    answers = [sequence for sequence in answers if sequence > 0]
    assert answers == sorted(set(answers))
    assert len(answers) < 200
    client.ask(commands.DragEnd, drag=4, cancel=True)


def test_a_second_window_watches_and_takes_over(shared):
    with Client(shared) as second_later, Client(shared) as watcher:
        assert second_later.state["editable"]
        assert not watcher.state["editable"]
        refused = watcher.ask(commands.Select, effector="head")
        assert refused["type"] == "failure"
        assert "another window" in refused["message"]
        second_later.ask(commands.Select, effector="head")
        patch = watcher.text()
        assert patch["selection"]["effector"] == "head"
        second_later.socket.close()
        assert watcher.text()["editable"]
        assert watcher.ask(commands.Select)["type"] == "done"


def test_a_window_takes_over_and_the_other_looks_on(shared):
    with Client(shared) as first, Client(shared) as second:
        hand = shared.session.posed.pose.position("left_hand")
        first.ask(commands.DragBegin, drag=1, effector="left_hand")
        first.socket.send(f.encode_goal(f.GoalFrame(1, 1, tuple(hand + 0.05), None)))
        first.answered(1)
        assert second.ask(commands.TakeOver)["type"] == "done"
        assert second.state["editable"]
        assert not shared.session.is_dragging
        refused = first.ask(commands.AddKey)
        assert refused["type"] == "failure"
        assert not first.state["editable"]
        assert second.ask(commands.Undo)["type"] == "done"
        assert second.ask(commands.TakeOver)["type"] == "done"  # as before
        assert first.ask(commands.TakeOver)["type"] == "done"
        assert first.ask(commands.Select)["type"] == "done"


def test_a_walk_goes_on_when_its_editor_goes(shared):
    with Client(shared) as first, Client(shared) as second:
        first.ask(commands.WalkBegin)
        first.socket.close()
        second.wait_to_edit()
        walk = f.decode_walk(shared.session.walk_bytes())
        while f.decode_walk(shared.session.walk_bytes()).time <= walk.time:
            second.answered(0)  # or fails, when no pose comes
        assert second.ask(commands.WalkEnd)["type"] == "done"


def test_a_window_that_goes_away_in_a_drag_lets_go(shared):
    with Client(shared) as window:
        hand = shared.session.posed.pose.position("left_hand")
        window.ask(commands.DragBegin, drag=1, effector="left_hand")
        window.socket.send(f.encode_goal(f.GoalFrame(1, 1, tuple(hand + 0.05), None)))
        window.answered(1)
    with Client(shared) as window:
        window.wait_to_edit()
        assert window.ask(commands.DragBegin, drag=1, effector="left_hand")["type"] == "done"
        assert window.ask(commands.DragEnd, drag=1)["type"] == "done"


# -- files over HTTP -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filing(tmp_path_factory):
    session = Session(project=Project(tmp_path_factory.mktemp("project")))
    with served(session) as server:
        yield server


def post(server, name, data, token=None, origin=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    origin = origin or f"http://127.0.0.1:{server.port}"
    with contextlib.closing(connection):
        path = f"/upload?token={token or server.token}&name={name}"
        connection.request("POST", path, data, {"Origin": origin})
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_a_document_goes_out_and_comes_in_again(filing):
    answer, data = get(filing, f"/download?token={filing.token}&format=poise")
    assert answer.status == 200
    assert answer.headers["content-disposition"].endswith('filename="human.poise"')
    status, told = post(filing, "dropped.poise", data)
    assert status == 200
    with Client(filing) as window:
        path = msgspec.json.decode(told)["path"]
        before = filing.session.document
        assert window.ask(commands.OpenFile, path=path)["type"] == "done"
        assert filing.session.document == before
        assert filing.session.document is not before


def test_files_need_the_token_and_the_origin(filing):
    assert get(filing, "/download?token=wrong&format=poise")[0].status == 403
    assert post(filing, "a.poise", b"", token="wrong")[0] == 403
    assert post(filing, "a.poise", b"", origin="https://example.org")[0] == 403


def test_files_of_no_use_are_refused(filing):
    assert post(filing, "a.exe", b"")[0] == 400
    assert get(filing, f"/download?token={filing.token}&format=exe")[0].status == 400


def test_a_file_that_is_too_large_is_refused(filing, monkeypatch):
    monkeypatch.setattr("poise.studio.server.MOST_UPLOAD", 1000)
    assert post(filing, "a.poise", b"x" * 2000)[0] == 413


def test_the_mesh_of_a_character_is_served_to_the_page_alone(tmp_path):
    character_file(tmp_path / "dancer.glb")
    session = Session(project=Project(tmp_path))
    session.open_file("dancer.glb")
    key = session.state().figure.mesh.key
    with served(session) as server:
        assert get(server, f"/mesh/{key}")[0].status == 403
        assert get(server, f"/mesh/{key}?token=wrong")[0].status == 403
        assert get(server, f"/mesh/other?token={server.token}")[0].status == 404
        answer, data = get(server, f"/mesh/{key}?token={server.token}")
    assert answer.status == 200
    assert data.startswith(b"glTF")


def test_who_watches_never_edits(tmp_path):
    session = Session(project=Project(tmp_path))
    with served(session) as server, Client(server, token=server.watch_token) as watcher:
        assert watcher.state["watch"] is None
        assert not watcher.state["editable"]
        for command in (commands.AddKey, commands.ListFiles, commands.Undo, commands.TakeOver):
            assert watcher.ask(command)["type"] == "failure"
        assert watcher.ask(commands.Explain)["type"] == "explanation"
        with Client(server) as editor:
            assert editor.state["editable"]  # though the watcher came first
            assert editor.state["watch"] == server.watch_token
            assert editor.ask(commands.AddKey)["type"] == "done"
            while not watcher.state["timeline"]["keys"]:
                watcher._take(watcher.text())
        assert post(server, "a.bvh", b"", token=server.watch_token)[0] == 403
        answer, _ = get(server, f"/download?token={server.watch_token}&format=poise")
        assert answer.status == 200
