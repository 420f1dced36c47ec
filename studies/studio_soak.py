"""Uses the studio at random for a long time, in a real browser, and says what it has suffered.

    python studies/studio_soak.py [--minutes 30] [--seed 1]   (needs `pip install .[dev]`, Chromium)

The server runs in a process of its own. A hand (studio_hand.py) drags handles, rings and sliders,
undoes, keys, scrubs, plays, fixes frames of clips, opens examples and files, saves, reloads the
page, touches it, paints rigidity, lets the figure walk, takes the tour, makes movies and edits from
a second window. Every saved document is read again and compared with what the page shows.
Bars: no error in the page's console, the server's memory grows by less than 50 MB, and every saved
file equals the session. The exit code says whether they are met.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from studio_hand import Hand

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))  # the desk

from studio.desk import Desk, browser_running  # noqa: E402

GROWTH = 50.0  # of the server's memory [MB]
PATIENCE = 300.0  # what has never run on this machine is compiled first [s]


def serve(folder: str) -> None:
    """A server of its own process; says where it is on the first line."""
    from poise.studio.project import Project
    from poise.studio.server import Server
    from poise.studio.session import Session

    server = Server(Session(project=Project(folder), journals=Path(folder) / "journals"))
    print(json.dumps({"address": server.address}), flush=True)
    server.run()


def memory(process: int) -> float:
    """Of a process [MB]."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


def soak(minutes: float, seed: int, folder: Path) -> dict:
    command = [sys.executable, __file__, "--serve", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        with browser_running() as browser:
            context = browser.new_context(
                viewport={"width": 1000, "height": 660}, accept_downloads=True
            )
            hand = Hand(Desk(context, address, patience=PATIENCE), folder, seed)
            for deed in hand.deeds:  # all once: what is loaded at first use is loaded
                deed()
            sizes = [memory(server.pid)]
            began = time.monotonic()
            while time.monotonic() - began < 60 * minutes and server.poll() is None:
                hand.act()
                sizes.append(memory(server.pid))
                if len(sizes) % 50 == 0:
                    spent = (time.monotonic() - began) / 60
                    said = len(hand.desk.problems) + len(hand.differences)
                    print(f"  {spent:5.1f} min, {len(sizes)} acts, {sizes[-1]:.0f} MB,", end=" ")
                    print(f"{said} problems", flush=True)
            hand.save()
            return {
                "minutes": round((time.monotonic() - began) / 60, 2),
                "acts": dict(hand.done),
                "alive": server.poll() is None,
                "problems": hand.desk.problems,
                "differences": hand.differences,
                "memory_start_mb": round(sizes[0], 1),
                "memory_end_mb": round(float(np.median(sizes[-10:])), 1),
                "memory_most_mb": round(max(sizes), 1),
            }
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        found = soak(given.minutes, given.seed, Path(folder))
    for name, value in found.items():
        print(f"{name:16} {value}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    grown = found["memory_end_mb"] - found["memory_start_mb"]
    met = found["alive"] and not found["problems"] and not found["differences"] and grown < GROWTH
    print(f"memory grew by {grown:.1f} MB (bar {GROWTH:g}); {'all met' if met else 'MISSED'}")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
