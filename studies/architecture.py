"""Draw docs/images/architecture.svg: the packages of Poise by layer, and who imports whom.

    python studies/architecture.py

Layers are those that import-linter checks (pyproject.toml); arrows are the import graph, without
those that follow from others. `errors` and `files`, which serve all, have none.
"""

from __future__ import annotations

import re
import sys
import tomllib
from itertools import product
from pathlib import Path

import grimp
from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Page

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "architecture.svg"
SERVE_ALL = ("errors", "files", "release")
ABOUT = {
    "cli": "one file a verb",
    "studio": "session, server, page",
    "batch": "many clips, resumable",
    "study": "the papers' experiments",
    "walk": "terrain, gait, walker",
    "formats": "one module a format",
    "view": "bodies, pictures",
    "motion": "clips, tracking, retargeting, markers",
    "solve": "Solver, Solution, methods, explanations",
    "problem": "figure + goals + limits as tables",
    "goals": "what a goal is, one file a kind",
    "figure": "joints, Figure, Pose, limits",
    "kernels": "compiled loops over arrays",
    "files": "written whole or not at all",
    "errors": "one family, each with a remedy",
    "release": "the version",
}
INK, EDGE, FILL, LINE = "#22313a", "#0b7a6f", "#e9f4f2", "#8a97a0"
WIDTH, HEIGHT, GAP = 2.6, 0.62, 1.12


def layers() -> list[list[str]]:
    """The packages, the highest layer first."""
    plain = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rows = plain["tool"]["importlinter"]["contracts"][0]["layers"]
    return [re.findall(r"[a-z_]+", row) for row in rows]


def arrows(names: list[str]) -> set[tuple[str, str]]:
    """(importer, imported), without those that follow from others."""
    graph = grimp.build_graph("poise", cache_dir=None)
    inside = {name: {f"poise.{name}"} | graph.find_descendants(f"poise.{name}") for name in names}
    direct = {
        (a, b)
        for a, b in product(names, names)
        if a != b
        and any(graph.direct_import_exists(importer=m, imported=n, as_packages=False)
                for m in inside[a] for n in inside[b])
    }  # fmt: skip
    reached = {a: {b for x, b in direct if x == a} for a in names}
    for _ in names:  # all that can be reached, however long the way
        reached = {a: own.union(*(reached[b] for b in own)) for a, own in reached.items()}
    return {
        (a, b)
        for a, b in direct
        if not any(b in reached[c] for x, c in direct if x == a and c != b)
    }


def main() -> int:
    rows = layers()
    shown = [[name for name in row if name not in SERVE_ALL] for row in rows]
    shown = [row for row in shown if row]
    places = {}
    for level, row in enumerate(reversed(shown)):
        for i, name in enumerate(row):
            places[name] = ((i - 0.5 * (len(row) - 1)) * (WIDTH + 0.5), level * GAP)
    page = Page(figsize=(9.4, 0.82 * (len(shown) + 1)))
    FigureCanvasSVG(page)
    axes = page.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    for a, b in sorted(arrows(list(places))):
        (x, y), (p, q) = places[a], places[b]
        look = {"arrowstyle": "-|>", "color": LINE, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (p, q + 0.5 * HEIGHT), (x, y - 0.5 * HEIGHT), arrowprops=look, zorder=0)
    for i, name in enumerate(SERVE_ALL):
        places[name] = ((i - 1) * (WIDTH + 0.5), -GAP)
    for name, (x, y) in places.items():
        loose = name in SERVE_ALL
        box = {"fc": "white" if loose else FILL, "ec": LINE if loose else EDGE, "lw": 1.2}
        corner = x - 0.5 * WIDTH, y - 0.5 * HEIGHT
        axes.add_patch(axes_box(corner, box))
        axes.text(x, y + 0.11, name, ha="center", va="center", fontsize=10.5, color=INK,
                  fontweight="bold")  # fmt: skip
        axes.text(x, y - 0.14, ABOUT[name], ha="center", va="center", fontsize=7, color=INK)
    axes.set_xlim(-5.0, 5.0)
    axes.set_ylim(-1.5 * GAP, (len(shown) - 0.5) * GAP)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "poise"}):  # text stays text
        page.savefig(PICTURE, metadata={"Date": None}, facecolor="white")
    print(f"wrote {PICTURE.relative_to(ROOT)}")
    return 0


def axes_box(corner: tuple[float, float], look: dict):
    from matplotlib.patches import FancyBboxPatch

    return FancyBboxPatch(corner, WIDTH, HEIGHT, boxstyle="round,pad=0,rounding_size=0.1", **look)


if __name__ == "__main__":
    sys.exit(main())
