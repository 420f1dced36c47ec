import pytest
from studio.client import Client, served
from studio.desk import Desk

from poise.studio.project import Project
from poise.studio.session import Session


@pytest.fixture
def session():
    return Session()


@pytest.fixture(scope="module")
def shared():
    """A server that several tests talk to, each after the other."""
    with served(Session()) as server:
        yield server


@pytest.fixture
def client(shared):
    with Client(shared) as window:
        window.wait_to_edit()
        yield window


@pytest.fixture
def desk(chromium, tmp_path):
    """The studio in a browser; fails if the page complained, or spoke to another host."""
    with served(Session(project=Project(tmp_path))) as server:
        context = chromium.new_context(
            viewport={"width": 1000, "height": 660}, color_scheme="light", accept_downloads=True
        )
        window = Desk(context, server.address)
        yield window
        context.close()
    assert window.problems == []
    assert window.hosts <= {f"127.0.0.1:{server.port}", ""}
