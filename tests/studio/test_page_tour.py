"""Who comes for the first time is shown what to try; each step is done by doing it."""

import pytest
from studio.client import served
from studio.desk import Desk

from poise.studio.session import Session


@pytest.fixture
def newcomer(chromium):
    with served(Session()) as server:
        context = chromium.new_context(viewport={"width": 1000, "height": 660})
        yield Desk(context, server.address, first_time=True)
        context.close()


def test_the_first_minute(newcomer):
    tour = newcomer.page.get_by_label("First steps")
    assert "Drag a hand" in tour.inner_text()
    newcomer.drag("left_hand", 60, -100)
    tour.get_by_text("Look around").wait_for()
    tour.get_by_role("button", name="Next").click()
    newcomer.key("p")
    tour.get_by_text("Make it move").wait_for()
    newcomer.key("k")
    tour.wait_for(state="detached")
    newcomer.open()  # who has seen it is not shown it again, unless they ask
    assert tour.count() == 0
    newcomer.page.keyboard.press("?")
    newcomer.page.get_by_role("button", name="First steps").click()
    tour.get_by_role("button", name="Skip").wait_for()
    assert newcomer.problems == []
