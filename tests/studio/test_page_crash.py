"""The server is killed: the page says so, and the next one offers the work."""

import json
import signal
import subprocess
import sys
import time

import pytest
from studio.desk import PATIENCE, Desk

SERVE = """
import json, sys
from pathlib import Path
from poise.studio.project import Project
from poise.studio.server import Server
from poise.studio.session import Session

folder = Path(sys.argv[1])
server = Server(Session(project=Project(folder), journals=folder / "journals"))
print(json.dumps(server.address), flush=True)
server.run()
"""


@pytest.fixture
def started(tmp_path):
    """Starts servers of one folder, each in a process of its own."""
    running = []

    def start():
        command = [sys.executable, "-c", SERVE, str(tmp_path)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return running[-1], json.loads(running[-1].stdout.readline())

    yield start
    for process in running:
        process.kill()
        process.communicate()  # waits, and closes what it said


def has_a_key(folder):
    """Whether the journal tells of a key."""
    return any(b'"keys/' in path.read_bytes() for path in folder.rglob("*.journal"))


def test_what_was_done_before_the_server_was_killed_is_offered_again(chromium, tmp_path, started):
    server, address = started()
    context = chromium.new_context(viewport={"width": 1000, "height": 660})
    desk = Desk(context, address)
    desk.drag("left_hand", 80, -120)
    desk.key("k")
    deadline = time.monotonic() + PATIENCE
    while not has_a_key(tmp_path):
        assert time.monotonic() < deadline, "the key is not in the journal"
        desk.page.wait_for_timeout(50)
    state = desk.state
    server.send_signal(signal.SIGKILL)
    server.wait()
    desk.page.get_by_text("Not connected").wait_for()
    context.close()

    _, address = started()
    context = chromium.new_context(viewport={"width": 1000, "height": 660})
    later = Desk(context, address)
    offer = later.page.get_by_role("alertdialog", name="Recover")
    offer.get_by_role("button", name="Recover").click()
    later.until(lambda s: len(s["keys"]) == 1, "the key again")
    assert later.state["angles"] == pytest.approx(state["angles"], abs=1e-6)
    assert not later.state["history"]["saved"]
    offer.wait_for(state="detached")
    later.drag("right_hand", -40, -60)
    assert later.problems == []
    context.close()
