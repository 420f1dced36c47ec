"""How soon the studio can be used, and how much of it there is to load.

    python studies/studio_ready.py [--times 10]        (needs `pip install .[dev]` and a Chromium)

A server in a process of its own, its kernels cached; a browser that has never seen the page opens
its address: from then until the body is drawn and can be dragged, and until its fine skin, which a
worker makes meanwhile, is drawn too. The page is packed as a server of the web would pack it.
Bars: ready in under 3 s (the median), under 1.5 MB packed. The exit code says whether they are met.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the browser

from studio.desk import browser_running  # noqa: E402

from poise.studio.server import PAGE  # noqa: E402

READY = 3.0  # [s]
PACKED = 1.5  # [MB]
WINDOW = {"width": 1440, "height": 900}


def serve() -> None:
    """A server; says its address on the first line."""
    from poise.studio.server import Server
    from poise.studio.session import Session

    server = Server(Session())
    print(json.dumps(server.address), flush=True)
    server.run()


def opened(browser, address: str) -> tuple[float, float]:
    """From asking for the page to its body, and to the fine skin of it [s]."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address)
    times = []
    for held in ("window.poise?.state.ready", "poise.state.isFine"):
        while not page.evaluate(held):
            page.wait_for_timeout(5)
        times.append(time.perf_counter() - began)
    context.close()
    return times[0], times[1]


def measured(times: int) -> list[tuple[float, float]]:
    command = [sys.executable, __file__, "--serve"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())
        with browser_running() as browser:
            return [opened(browser, address) for _ in range(times)]
    finally:
        server.terminate()
        server.wait()


def packed_size() -> float:
    """Of all files of the page [MB]."""
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    return sum(len(gzip.compress(path.read_bytes())) for path in files) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    found = measured(given.times)
    for name, own in zip(("body", "fine skin"), zip(*found, strict=True), strict=True):
        print(f"{name:10} best {min(own):.2f} s, median {statistics.median(own):.2f} s,", end=" ")
        print(f"worst {max(own):.2f} s")
    ready, size = statistics.median(body for body, _ in found), packed_size()
    met = ready < READY and size < PACKED
    print(f"page {size:.2f} MB packed (bar {PACKED:g}),", end=" ")
    print(f"ready in {ready:.2f} s (bar {READY:g}):", "all met" if met else "MISSED")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
