"""Fill the tables of README.md and the guide from what the studies wrote.

    python studies/guide_tables.py

A table stands between `<!-- table: NAME -->` and `<!-- end of table -->`.
tests/test_guide_tables.py holds the pages to the stored results; docs/studies.md has its own.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", DOCS / "understand" / "engine.md", DOCS / "compare.md",
         DOCS / "archives.md")  # fmt: skip
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def table(head: list[str], rows: list[list[str]], numbers: int) -> str:
    """A Markdown table whose columns from `numbers` on are numbers."""
    rule = ["---"] * numbers + ["--:"] * (len(head) - numbers)
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, rule, *rows))


def benchmark() -> str:
    """The engine on the 71-DOF human."""
    stored = json.loads((DOCS / "benchmark" / "benchmark.json").read_text(encoding="utf-8"))
    rows = [
        [row["task"], f"{row['median']:.1f} µs", f"{row['public']:.1f} µs", row["result"]]
        for row in stored["rows"]
    ]
    return table(["task", "median", "public call", "result"], rows, 1)


def blender() -> str:
    """Blender's solvers and ours with 10° of room, over all intervals."""
    path = DOCS / "studies" / "blender" / "blender.json"
    summary = json.loads(path.read_text(encoding="utf-8"))["tables"]["summary"]
    rows = []
    for solver in dict.fromkeys(row["solver"] for row in summary):
        own = [row for row in summary if row["solver"] == solver and row["margin [°]"] == 10]
        frames, off, broken = (
            sum(row[name] for row in own) for name in ("frames", "off by > 1 cm", "limits broken")
        )
        medians = [row["median [ms]"] for row in own]
        times = f"{min(medians):.2g} to {max(medians):.2g} ms"
        rows.append([solver, f"{off} of {frames:,}", str(broken), times])
    head = ["solver", "frames off by > 1 cm", "frames outside limits", "median a frame"]
    return table(head, rows, 1)


def peers() -> str:
    """Other solvers and ours: of each the way that reaches most, by task."""
    path = DOCS / "studies" / "peers" / "peers.json"
    stored = json.loads(path.read_text(encoding="utf-8"))["tables"]
    best: dict[str, dict[str, dict]] = {}
    for task in PEER_TASKS:
        for row in stored[task]:
            if not row["failed because"]:
                own = best.setdefault(row["solver"], {})
                own[task] = max(row, own.get(task, row), key=_worth)
    rows = []
    for solver, own in best.items():
        cells = [_cell(own[task]) if task in own else "" for task in PEER_TASKS]
        rows.append([solver, *cells])
    return table(["solver", *PEER_TASKS.values()], rows, 1)


def archives() -> str:
    """Batches at scale; a row where its part of the study has been stored."""
    stored = json.loads((DOCS / "benchmark" / "archives.json").read_text(encoding="utf-8"))
    rows = [[what, shown(stored[key])] for key, (what, shown) in ARCHIVES.items() if key in stored]
    return table(["", "measured"], rows, 1)


ARCHIVES: dict[str, tuple[str, Callable[[float], str]]] = {
    "frames_per_second": ("frames a second from file to file, two cores", lambda x: f"{x:,.0f}"),
    "scaling": ("two worker processes against one", lambda x: f"{x:.2f} x"),
    "processor_per_frame": ("processor time a frame", lambda x: f"{1e6 * x:.0f} µs"),
    "resume": ("2,500 clips planned where all are done", lambda x: f"{x:.1f} s"),
    "wrong_files": ("files that ten `kill -9` left broken", lambda x: f"{x:.0f}"),
    "stop": ("the longest that Ctrl+C took, of ten", lambda x: f"{x:.2f} s"),
    "memory_10000_frames": ("memory with a clip of 10,000 frames", lambda x: f"{x:.0f} MB"),
    "memory_300000_frames": ("memory with a clip of 300,000 frames", lambda x: f"{x:.0f} MB"),
    "memory_1000_clips": ("memory with an archive of 1,000 clips", lambda x: f"{x:.0f} MB"),
}
"""What is shown of docs/benchmark/archives.json."""


PEER_TASKS = {
    "arm": "arm, 500 poses",
    "motion_1mm": "humanoid, a motion",
    "cold_1mm": "humanoid, 100 poses",
}
"""Tables of the study that are shown, and what they are called."""


def _worth(row: dict) -> tuple[float, float]:
    return round(row["reached [%]"], 1), -row["median [µs]"]


def _cell(row: dict) -> str:
    microseconds = row["median [µs]"]
    time = f"{microseconds:.0f} µs" if microseconds < 1000 else f"{microseconds / 1000:.1f} ms"
    return f"{row['reached [%]']:.4g} %, {time}"


TABLES = {"archives": archives, "benchmark": benchmark, "blender": blender, "peers": peers}


def filled(text: str) -> str:
    return BLOCK.sub(lambda at: at[1] + TABLES[at[2]]() + at[3], text)


def main() -> int:
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(page.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
