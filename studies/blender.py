"""Blender's solvers and ours on the same clips: frames off, jitter and limits, as in PLS §5.

    python studies/blender.py [CLIP ...] [-o docs/studies/blender] [--environment FOLDER]

Without clips: our gymnastics routine, and those of CMU that the paper's data came from (13_29,
42_01, 49_08) where they are at hand (POISE_MOCAP, or ../shared/mocap). Blender is bpy from PyPI, a
large download, in an environment of its own that is kept between calls. Writes tables and a figure
into the folder; the exit code says whether the bar is kept: none of our frames is off by more than
1 cm where Blender's are.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from blender_roundtrip import BLENDER, environment

import poise
from poise.motion.rest_frame import without_rest_frame
from poise.motion.roles import body_of
from poise.motion.smoothing import jitter
from poise.motion.track_report import OFF
from poise.study.following import ENOUGH, INTERVALS, SLOTS, Setting, follow
from poise.study.page import BLUE, GREY, INK, ORANGE, PURPLE, empty_page
from poise.study.report import Table, ready_folder, write_report

SOLVERS = {"LEGACY": "Blender legacy", "ITASC": "Blender iTaSC"}
EFFORTS = {"defaults": "defaults", "slot": "15 ms"}
OURS = "Poise auto, 15 ms"
MARGINS = (10.0, 30.0)  # [°]
LIMBS = ("left_hand", "right_hand", "left_foot", "right_foot", "head")
CLIPS = ("13_29", "42_01", "49_08")
PASSES = 5
SLOT = max(SLOTS)
STOP = 1e-3  # [m], what a solver of Poise stops at unless it is told otherwise

TEXT = """\
# Blender's solvers on the same clips

Blender {{version}} (`{{package}}` from PyPI) and Poise follow the same motions on the same
skeletons, read from the same .bvh file. Hands, feet and head are the goals, and the pelvis;
Blender's solvers turn the root but do not move it, so it is given its place. Each frame starts from
the answer before: what Blender found is written into its bones before the next frame. Frames are
taken every 0.05, 0.7 and 1.0 s; the longer intervals are passed up to five times, each beginning a
part of the interval later.

Limits are learned from the motion, with 10° and 30° more on every side, in the coordinates of each
program, so that the reference is inside them in both (this is checked); they are not the same sets.
Poise has a range for each of the file's Euler angles. Blender has a range of twist, and one ellipse
for both swings that is widened until every pose of the motion has its margin about both axes at
once, so that Blender has more room than we have; where that would need more than half a turn a
swing has no limit at all (the table counts such joints). Its ranges must include 0, so that the
rest pose is always allowed. iTaSC reads the range of Z from that of X, so both get the wider one.
`lock_ik` is not used: it would reset an axis to its rest. Where Blender's answer is no number, the
frame counts as off, and distances and jitter are those of the others.

Defaults are Blender's own (500 iterations; iTaSC in animation mode). In 15 ms is with as many
iterations as the typical frame has time for, as the paper did it; the update of the scene without
any solving is taken off Blender's times. Ours has 15 ms and stops at 1 mm.

![Distances of the worst goal](errors.png)

{summary}
## The bar

None of our frames is off by more than 1 cm where Blender's are: {{verdict}}.

## By clip

{outcome}
"""


@dataclass(frozen=True, eq=False)
class Case:
    """What one solver made of a clip."""

    clip: str
    margin: float  # [°]
    interval: float  # [s]
    solver: str
    iterations: str
    unlimited: int  # joints whose swing has no limit
    worst: np.ndarray  # (frames,) distance of the goal that is missed by most [m], or NaN
    jitter: float
    distance: float  # mean distance of all joints from the reference [m]
    broken: int
    times: np.ndarray  # (frames,) [s]

    @property
    def off(self) -> int:
        return frames_off(self.worst)


def frames_off(worst: np.ndarray) -> int:
    """Frames that are off by more than 1 cm, or without an answer."""
    return int((~(worst <= OFF)).sum())


def chosen_clips(given: list[str]) -> dict[str, poise.Clip]:
    """The clips by name, without the T-pose that some begin with."""
    folder = Path(os.environ.get("POISE_MOCAP") or Path(__file__).parents[2] / "shared" / "mocap")
    paths = [Path(name) for name in given]
    found = {} if given else {"gymnastics": poise.motions.gymnastics()}
    if not given:
        paths = [p for name in CLIPS if (p := folder / "bvh-cmu" / f"{name}.bvh").exists()]
    for path in paths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", poise.FileWarning)
            found[path.stem] = without_rest_frame(poise.load(path))
    return found


def frame_passes(clip: poise.Clip, interval: float) -> list[list[int]]:
    """Frame numbers every so many seconds, for some evenly spaced beginnings."""
    step = round(interval * clip.fps)
    count = int(np.clip(np.ceil(ENOUGH * step / len(clip)), 1, min(PASSES, step)))
    return [list(range(k * step // count, len(clip), step)) for k in range(count)]


def ours(clip: poise.Clip, name: str, joints: list[str], passes: dict) -> list[Case]:
    """Poise, with limits learned in its own coordinates."""
    found = []
    for margin in MARGINS:
        figure = clip.figure.with_limits_from(clip, margin=np.radians(margin))
        for interval, own in passes.items():
            references = [poise.Clip(figure, clip.angles[frames], interval) for frames in own]
            setting = Setting(interval, SLOT, STOP)
            one = follow(references, setting, "auto", joints)
            found.append(
                Case(name, margin, interval, OURS, "", 0, one.errors.max(1), one.jitter,
                     one.distance, one.limits_broken, one.times)
            )  # fmt: skip
    return found


def theirs(answer: dict, name: str, joints: list[str]) -> list[Case]:
    """Blender, from what it answered."""
    limbs = [answer["bones"].index(joint) for joint in joints]
    found = []
    for case in answer["cases"]:
        wanted = [np.array(one) for one in answer["reference"][str(case["interval"])]]
        heads = [np.array(one) for one in case["heads"]]
        apart = np.linalg.norm(np.concatenate(heads) - np.concatenate(wanted), axis=-1)
        known = [count_known(one) for one in heads]
        rough = [
            np.sqrt(np.mean([jitter(one[:k]) ** 2 for one, k in zip(some, known) if k > 2]))  # noqa: B905
            for some in (heads, wanted)
        ]
        found.append(
            Case(
                name,
                round(float(np.degrees(case["margin"])), 6),
                case["interval"],
                f"{SOLVERS[case['solver']]}, {EFFORTS[case['effort']]}",
                "" if case["iterations"] is None else str(case["iterations"]),
                case["unlimited"],
                apart[:, limbs].max(1),
                float(rough[0] / rough[1]),
                float(np.nanmean(apart)),
                case["broken"],
                np.maximum(np.array(case["seconds"]) - case["idle"], 0.0),
            )
        )
    return found


def count_known(positions: np.ndarray) -> int:
    """How many frames (frames, joints, 3) there are before the first without numbers."""
    known = np.isfinite(positions).all((1, 2))
    return len(known) if known.all() else int(np.argmin(known))


def compared(name: str, clip: poise.Clip, python: Path) -> tuple[list[Case], str]:
    """All solvers on one clip, and the version of Blender."""
    with tempfile.TemporaryDirectory() as folder:
        file, request, answer = (Path(folder) / n for n in ("clip.bvh", "ask.json", "answer.json"))
        poise.save(clip, file, unit=1.0)
        clip = poise.load(file, unit=1.0)  # as Blender reads it, digit for digit
        body = body_of(clip.figure)
        joints = body.named(*LIMBS)
        passes = {interval: frame_passes(clip, interval) for interval in INTERVALS}
        asked = {
            "file": str(file), "frames": len(clip), "joints": joints, "slot": SLOT,
            "passes": {str(interval): own for interval, own in passes.items()},
            "margins": np.radians(MARGINS).tolist(), "solvers": list(SOLVERS),
        }  # fmt: skip
        request.write_text(json.dumps(asked))
        script = Path(__file__).with_name("blender_solve.py")
        subprocess.run([python, script, request, answer], check=True, stdout=subprocess.DEVNULL)
        told = json.loads(answer.read_text())
    found = ours(clip, name, [*joints, *body.named("pelvis")], passes)
    return found + theirs(told, name, joints), told["version"]


def outcome_table(cases: list[Case]) -> Table:
    columns = (
        *("clip", "margin [°]", "interval [s]", "solver", "iterations", "frames", "off by > 1 cm"),
        *("median [cm]", "worst [cm]", "jitter", "from reference [cm]", "limits broken"),
        *("joints without swing limits", "median [ms]", "longest [ms]"),
    )
    rows = [
        (
            *(c.clip, c.margin, c.interval, c.solver, c.iterations, len(c.worst), c.off),
            *(100.0 * float(np.nanmedian(c.worst)), 100.0 * float(np.nanmax(c.worst)), c.jitter),
            *(100.0 * c.distance, c.broken, c.unlimited),
            *(1e3 * float(np.median(c.times)), 1e3 * float(c.times.max())),
        )
        for c in cases
    ]
    return Table("outcome", "Every clip, margin and interval", columns, tuple(rows))


def summary_table(cases: list[Case]) -> Table:
    """Over all clips."""
    columns = (
        *("margin [°]", "interval [s]", "solver", "frames", "off by > 1 cm", "worst [cm]"),
        *("jitter", "from reference [cm]", "limits broken", "median [ms]", "longest [ms]"),
    )
    rows = []
    for margin, interval, solver in dict.fromkeys((c.margin, c.interval, c.solver) for c in cases):
        own = [c for c in cases if (c.margin, c.interval, c.solver) == (margin, interval, solver)]
        worst, times = (np.concatenate(one) for one in zip(*((c.worst, c.times) for c in own)))  # noqa: B905
        shares = np.array([len(c.worst) for c in own]) / len(worst)
        rows.append(
            (
                *(margin, interval, solver, len(worst), sum(c.off for c in own)),
                100.0 * float(np.nanmax(worst)),
                float(shares @ [c.jitter for c in own]),
                100.0 * float(shares @ [c.distance for c in own]),
                sum(c.broken for c in own),
                *(1e3 * float(np.median(times)), 1e3 * float(times.max())),
            )
        )
    rows.sort(key=lambda row: (row[0], row[1]))
    return Table("summary", "Over all clips", columns, tuple(rows))


def error_figure(cases: list[Case]):
    """Boxes of the worst goal of every frame, over all clips."""
    solvers = list(dict.fromkeys(c.solver for c in cases))
    page = empty_page(11.0, 5.4)
    grid = page.subplots(len(MARGINS), len(INTERVALS), sharex=True, sharey=True)
    for row, margin in enumerate(MARGINS):
        for axes, interval in zip(grid[row], INTERVALS, strict=True):
            here = [c for c in cases if (c.margin, c.interval) == (margin, interval)]
            values = [
                100.0 * np.concatenate([c.worst for c in here if c.solver == solver])
                for solver in solvers
            ]
            _boxes(axes, solvers, values)
            axes.set_title(f"{margin:g}° margin, goals every {interval:g} s", fontsize=9, color=INK)
    grid[0, 0].invert_yaxis()
    for axes in grid[-1]:
        axes.set_xlabel("worst goal of a frame [cm]", fontsize=9)
    page.tight_layout()
    return page


def _boxes(axes, solvers, values) -> None:
    drawn = axes.boxplot(
        [np.maximum(one[np.isfinite(one)], 1e-5) for one in values],
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        flierprops={"marker": "x", "ms": 3, "mew": 0.6, "markeredgecolor": "#b33a3a"},
        medianprops={"color": "black", "lw": 1.5},
    )
    colors = {OURS: BLUE, "legacy": ORANGE, "iTaSC": PURPLE}
    for k, (solver, box, one) in enumerate(zip(solvers, drawn["boxes"], values, strict=True), 1):
        key = next(key for key in colors if key in solver)
        box.set(facecolor=colors[key], alpha=0.65, edgecolor=INK, linewidth=0.8)
        off = f"{frames_off(one / 100.0)} of {len(one)} off"
        axes.annotate(off, (0.995, k), xycoords=("axes fraction", "data"), fontsize=7, color=INK,
                      ha="right", va="center")  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlim(5e-6, 1e6)  # with room for the words
    axes.set_xticks([1e-4, 1e-2, 1.0, 1e2])
    axes.minorticks_off()
    axes.set_yticks(range(1, len(solvers) + 1), solvers, fontsize=8)
    axes.axvline(100.0 * OFF, color=GREY, lw=0.9, ls="--", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color="#e6e8eb", lw=0.6)
    axes.tick_params(labelsize=8)


def verdict(cases: list[Case]) -> tuple[bool, str]:
    """Whether the bar is kept, and the numbers that say so."""
    mine = sum(c.off for c in cases if c.solver == OURS)
    others = {s: sum(c.off for c in cases if c.solver == s)
              for s in dict.fromkeys(c.solver for c in cases) if s != OURS}  # fmt: skip
    total = sum(len(c.worst) for c in cases if c.solver == OURS)
    told = ", ".join(f"{count} of {solver}" for solver, count in others.items())
    word = "kept" if mine == 0 else "MISSED"
    return mine == 0, f"{word}; of {total} frames {mine} of ours are off, {told}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("clips", nargs="*", help="files that Poise reads")
    parser.add_argument("-o", "--out", type=Path, default=Path("study-blender"))
    parser.add_argument("--environment", type=Path, default=Path(".blender"))
    options = parser.parse_args()
    folder = ready_folder(options.out)
    python = environment(options.environment.resolve())
    cases, version = [], ""
    for name, clip in chosen_clips(options.clips).items():
        found, version = compared(name, clip, python)
        cases += found
        print(f"{name}: {len(clip)} frames, done", file=sys.stderr)
    kept, told = verdict(cases)
    text = TEXT.replace("{{version}}", version).replace("{{package}}", BLENDER)
    tables = [summary_table(cases), outcome_table(cases)]
    write_report(
        folder,
        "blender",
        text.replace("{{verdict}}", told),
        tables,
        {"errors": error_figure(cases)},
        {"blender": version},
    )
    print(tables[0].markdown(), told, sep="\n")
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
