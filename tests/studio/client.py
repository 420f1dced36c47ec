"""A running server and clients of it, without a browser."""

import threading
import time
from contextlib import ExitStack, contextmanager

import msgspec
from websockets.sync.client import connect

from poise.studio import messages as m
from poise.studio.frames import POSE, decode_pose
from poise.studio.server import Server


@contextmanager
def served(session, **options):
    """A server of a session on a free port, in a thread."""
    server = Server(session, **options)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    for _ in range(500):
        if server.is_ready:
            break
        time.sleep(0.01)
    assert server.is_ready
    try:
        yield server
    finally:
        server.stop()
        thread.join(10)


class Client:
    """One window."""

    def __init__(self, server, token=None, origin=None):
        token = server.token if token is None else token
        origin = f"http://127.0.0.1:{server.port}" if origin is None else origin
        address = f"ws://127.0.0.1:{server.port}/ws?token={token}"
        self._stack = ExitStack()
        options = {"origin": origin, "compression": None, "max_size": 1 << 24}
        self.socket = self._stack.enter_context(connect(address, **options))
        self.state = self.text()
        self.pose = self.answered(0)
        self._id = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._stack.close()

    def text(self):
        """The next text message; poses on the way are taken in."""
        while isinstance(message := self.socket.recv(timeout=30), bytes):
            if message[0] == POSE:
                self.pose = decode_pose(message)
        return msgspec.json.decode(message)

    def wait_to_edit(self):
        """Until the window before this one has gone."""
        while not self.state["editable"]:
            self._take(self.text())

    def _take(self, patch):
        assert patch["type"] == "patch"
        self.state.update({k: v for k, v in patch.items() if k != "type"})

    def ask(self, kind, **fields):
        """Send a command; its reply, with patches and the pose on the way taken in."""
        self._id += 1
        command = kind(self._id, **fields)
        self.socket.send(m.encode(command).decode())
        return self.reply(self._id)

    def reply(self, number):
        while True:
            found = self.text()
            if found["type"] == "patch":
                self._take(found)
            elif found.get("id") == number:
                return found

    def answered(self, sequence):
        """The pose that answers a frame."""
        while True:
            message = self.socket.recv(timeout=30)
            if isinstance(message, str) and '"patch"' in message:
                self._take(msgspec.json.decode(message))
            elif isinstance(message, bytes) and message[0] == POSE:
                self.pose = decode_pose(message)
                if self.pose.sequence >= sequence:
                    return self.pose
