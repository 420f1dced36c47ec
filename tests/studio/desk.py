"""The studio in a real browser: a page, what it shows, and a hand with a mouse."""

import os
import shutil
import time
from contextlib import contextmanager

import pytest
from playwright.sync_api import Error, sync_playwright

# Software WebGL, and no word to any other host.
FLAGS = [
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 30.0
"""How long a page may take [s] on a machine that does many other things."""


def chromium_path():
    """The browser that is named, or one of this machine; None for Playwright's own."""
    named = os.environ.get("POISE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser_running():
    """A headless Chromium; the tests fail without one, and say how to get it."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        except Error as error:
            pytest.fail(
                "the browser tests need a Chromium: `apt-get install chromium`,"
                " `python -m playwright install chromium`, or its path in POISE_CHROMIUM"
                f"\n{error.message.splitlines()[0]}",
                pytrace=False,
            )
        yield browser
        browser.close()


LONG = ("segments", "sites", "angles", "places", "rigidities", "groups", "plots", "gizmo")
"""Of the state, what says little to who reads that something did not happen."""


class Desk:
    """One window of the studio. Notes what went wrong in it."""

    def __init__(self, context, address, *, first_time=False, patience=PATIENCE):
        if not first_time:  # the tour has been seen
            context.add_init_script("localStorage.setItem('poise.tour', 'true')")
        self.page = context.new_page()
        self.patience = patience
        self.page.set_default_timeout(1000 * patience)
        self.address = address
        self.problems = []
        self.hosts = set()
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        self.open()

    def open(self):
        """Load the page and wait for the body."""
        self.page.goto(self.address)
        deadline = time.monotonic() + self.patience  # not wait_for_function: the page forbids eval
        while not self.page.evaluate("window.poise?.state.ready"):
            assert time.monotonic() < deadline, f"the page is not ready: {self.problems}"
            self.page.wait_for_timeout(20)

    def _note(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    @property
    def state(self):
        """What the page shows."""
        return self.page.evaluate("poise.state")

    def site(self, name):
        """Where the page draws a site in the world [m]."""
        return self.state["sites"][name]["at"]

    def distance(self, name, place):
        """How far a site is drawn from a place [m]."""
        return sum((a - b) ** 2 for a, b in zip(self.site(name), place, strict=True)) ** 0.5

    def until(self, holds, what):
        """Wait until something holds of the state."""
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            state = self.state
            if state["ready"] and holds(state):
                return state
            self.page.wait_for_timeout(20)
        brief = {key: state[key] for key in state if key not in LONG}
        raise AssertionError(f"{what} did not happen; the page shows {brief}")

    def press(self, name):
        """The left button goes down on a handle."""
        place = self.state["sites"][name]
        self.page.mouse.move(place["x"], place["y"])
        self.page.mouse.down()
        return place["x"], place["y"]

    def drag(self, name, dx, dy, *, release=True):
        """Drag a handle by so many pixels, as a hand would; returns where the pointer is."""
        return self.drag_from(*self.press(name), dx, dy, release=release)

    def drag_from(self, x, y, dx, dy, *, release=True, steps=12):
        """Drag from where the button went down."""
        for k in range(1, steps + 1):
            self.page.mouse.move(x + dx * k / steps, y + dy * k / steps)
            self.page.wait_for_timeout(8)
        self.settle()
        if release:
            self.page.mouse.up()
            self.settle()
        return x + dx, y + dy

    def settle(self):
        """Wait until all is answered, and the pose stands still."""
        last = None
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            state = self.page.evaluate("poise.state")
            moving = not state["ready"] or state["pending"]
            if not moving and state["angles"] == last:
                return
            last = None if moving else state["angles"]
            self.page.wait_for_timeout(100)
        raise AssertionError("the pose did not come to rest")

    def key(self, chord):
        self.page.keyboard.press(chord)
        self.settle()

    def choose(self, menu, item):
        """Choose an item of a menu at the top."""
        self.page.get_by_role("button", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=item).click()

    def download(self, item, folder):
        """Choose an item of the file menu, and keep what it gives."""
        with self.page.expect_download() as given:
            self.choose("File", item)
        path = folder / given.value.suggested_filename
        given.value.save_as(path)
        return path


def opened(desk, path):
    """Choose a file to open, and wait until the session has it."""
    with desk.page.expect_file_chooser() as chooser:
        desk.choose("File", "Open…")
    desk.page.wait_for_timeout(50)
    chooser.value.set_files(path)
    desk.page.locator(".notice", has_text=f"Opened {path.name}").last.wait_for()
    desk.settle()
