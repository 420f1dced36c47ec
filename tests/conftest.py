"""What every test shares: a hypothesis profile, threads of linear algebra, Ctrl+C, a browser."""

import os

# SciPy's threads wait for each other by spinning: on a busy machine `lbfgs-b` is 100 times slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import signal

import pytest
from hypothesis import settings

# A shell ignores Ctrl+C for what it runs in the background; what tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: the first call of a kernel may have to compile it.
settings.register_profile("poise", deadline=None, max_examples=50, print_blob=True)
settings.load_profile("poise")


@pytest.fixture(scope="session")
def chromium():
    """A browser for all tests of pages."""
    from studio.desk import browser_running

    with browser_running() as browser:
        yield browser
