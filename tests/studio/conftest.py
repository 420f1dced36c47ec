"""A browser for all tests of the page, and a fresh studio for each."""

import pytest

from poise.studio.session import Session
from studio.client import served
from studio.desk import Desk, browser_running


@pytest.fixture(scope="session")
def chromium():
    with browser_running() as browser:
        yield browser


@pytest.fixture
def desk(chromium):
    """The studio on the built-in human; fails if the page complained or called another host."""
    with served(Session()) as server:
        context = chromium.new_context(
            viewport={"width": 1280, "height": 800}, color_scheme="light", accept_downloads=True
        )
        window = Desk(context, server.address)
        yield window
        context.close()
        assert window.problems == []
        assert window.hosts <= {f"127.0.0.1:{server.port}", ""}
