import pytest
from studio.client import Client, served

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
