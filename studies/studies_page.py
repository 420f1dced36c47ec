"""Fills the tables of docs/studies.md from what the studies wrote into docs/studies.

python studies/studies_page.py
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from poise.study.report import Table

DOCS = Path(__file__).resolve().parent.parent / "docs"
BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
PLS_CLIPS = {"gymnastics": "pls", "13_29": "pls/13_29", "42_01": "pls/42_01", "49_08": "pls/49_08"}
PAPERS = ("auto", "projected-gradient", "jacobian-transpose", "pseudo-inverse")


def stored(folder: str) -> dict[str, list[dict]]:
    """The tables that a study wrote."""
    path = DOCS / "studies" / folder
    return json.loads((path / f"{folder.split('/')[0]}.json").read_text())["tables"]


def pls_methods() -> Table:
    """The paper's three methods and ours, over all clips, to the paper's tolerance."""
    columns = ("interval [s]", "method", "frames", "off by > 1 cm", "off [%]", "worst [units²]")
    rows: dict[tuple, list[dict]] = {}
    for folder in PLS_CLIPS.values():
        for row in stored(folder)["tolerance"]:
            if row["method"] in PAPERS:
                rows.setdefault((row["interval [s]"], row["method"]), []).append(row)
    made = []
    for (interval, method), own in rows.items():
        frames, off = (sum(row[name] for row in own) for name in ("frames", "off by > 1 cm"))
        worst = max(row["worst [units²]"] for row in own)
        made.append((interval, method, frames, off, 100.0 * off / frames, worst))
    return Table("", "", columns, tuple(made))


def pls_bar() -> Table:
    """How often our worst frame was better than, as good as or worse than another's median."""
    columns = ("clip", "interval [s]", "our worst [units²]", "better", "as good", "worse")
    made = []
    for clip, folder in PLS_CLIPS.items():
        rows = stored(folder)["bar"]
        for interval in dict.fromkeys(row["interval [s]"] for row in rows):
            own = [row for row in rows if row["interval [s]"] == interval]
            counts = [
                sum(row["ours is"].startswith(word) for row in own)
                for word in ("better", "as good", "MISSED")
            ]
            made.append((clip, interval, own[0]["our worst [units²]"], *counts))
    return Table("", "", columns, tuple(made), least=1e-18)


def blender() -> Table:
    """Over all clips."""
    names = ("margin [°]", "interval [s]", "solver", "frames", "off by > 1 cm", "worst [cm]",
             "limits broken", "median [ms]", "longest [ms]")  # fmt: skip
    rows = [tuple(row[name] for name in names) for row in stored("blender")["summary"]]
    return Table("", "", names, tuple(rows))


def jack_tube() -> Table:
    rows = stored("jack")["tube"]
    return Table("", "", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


def jack_reach() -> Table:
    rows = stored("jack")["reach"]
    return Table("", "", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


def jack_spine() -> Table:
    rows = stored("jack")["tube_regularity"]
    return Table("", "", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


def scaling(name: str) -> Table:
    rows = stored("scaling")[name]
    return Table("", "", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


def scaling_dofs() -> Table:
    return scaling("dofs")


def scaling_goals() -> Table:
    return scaling("goals")


def scaling_crowd() -> Table:
    return scaling("crowd")


def half_jacobian(name: str) -> Table:
    """A table of Meredith & Maddock's measurements, as the study wrote it."""
    rows = stored("half-jacobian")[name]
    return Table("", "", tuple(rows[0]), tuple(tuple(row.values()) for row in rows), least=1e-5)


def half_flops() -> Table:
    return half_jacobian("flops")


def half_times() -> Table:
    return half_jacobian("times")


def half_iteration() -> Table:
    return half_jacobian("iteration")


TABLES = {
    make.__name__: make
    for make in (
        *(pls_methods, pls_bar, blender, jack_tube, jack_reach, jack_spine),
        *(half_flops, half_times, half_iteration),
        *(scaling_dofs, scaling_goals, scaling_crowd),
    )
}


def filled(text: str) -> str:
    """The page with every table of TABLES made anew; blocks of other names stay."""

    def replaced(match: re.Match) -> str:
        begin, name, end = match.groups()
        return begin + TABLES[name]().markdown() + end if name in TABLES else match.group()

    return BLOCK.sub(replaced, text)


PEERS_COLUMNS = ("solver", "way", "reached [%]", "median [µs]", "p95 [µs]", "median / ours",
                 "failed because")  # fmt: skip


def peers_task(name: str) -> Table:
    """What every peer made of a task."""
    rows = [tuple(row[column] for column in PEERS_COLUMNS) for row in stored("peers")[name]]
    return Table("", "", PEERS_COLUMNS, tuple(rows))


def peers_arm() -> Table:
    return peers_task("arm")


def peers_motion() -> Table:
    return peers_task("motion_1mm")


def peers_cold() -> Table:
    return peers_task("cold_1mm")


def peers_bars() -> Table:
    rows = stored("peers")["bars"]
    return Table("", "", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


TABLES |= {make.__name__: make for make in (peers_bars, peers_arm, peers_motion, peers_cold)}


def main() -> None:
    page = DOCS / "studies.md"
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
