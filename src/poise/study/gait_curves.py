"""Hip, knee and ankle over a stride, of walkers and of a captured walk; and where feet went."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.figure import builtin
from poise.figure.pose import Pose
from poise.motion.clip import Clip
from poise.motion.roles import body_of
from poise.motion.segments import segment_origin
from poise.study.driving import SPEED, Driven
from poise.study.page import BLUE, GREEN, GREY, INK, ORANGE, empty_page
from poise.study.report import Table
from poise.walk.walker import GAITS, Walker

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Page

Array = NDArray[np.float64]

JOINTS = ("hip", "knee", "ankle")
POINTS = 101
"""Of a stride: per cent of it, and one more."""
STANCE = 31
"""Of those, that the first bend of the knee may take."""
STEP = 1.0 / 60.0
PACE = 1.3  # [m/s]
LOOKS = {"natural": BLUE, "paper": ORANGE}
CAPTURED = "captured"


@dataclass(frozen=True, eq=False)
class Strides:
    """The left leg over the strides of a walk."""

    name: str
    curves: Array
    """(strides, joints, points) [degrees]."""

    def row(self) -> tuple[str | float, ...]:
        mean = self.curves.mean(axis=0)
        hip, knee, ankle = mean
        half = POINTS // 2
        return (
            *(self.name, len(self.curves)),
            *(float(np.ptp(hip)), float(knee[:STANCE].max()), float(knee[half:].max())),
            float(np.ptp(ankle)),
        )


def all_strides(clip: Clip | None) -> list[Strides]:
    """Those of every stride that walks, and of the captured one."""
    found = [] if clip is None else [strides_of(CAPTURED, [clip[i] for i in range(len(clip))])]
    for name in GAITS:
        walker = Walker(builtin.human(), stride=name)
        walker.drive(speed=PACE)
        poses = [walker.step(STEP).pose for _ in range(round(10.0 / STEP))]
        if walker.gait.place.z > 1.0:
            found.append(strides_of(name, poses[180:]))
    return found


def strides_of(name: str, poses: Sequence[Pose]) -> Strides:
    """Angles over the whole strides of some poses, from strike to strike."""
    body = body_of(poses[0].figure)
    roles = [body.roles[f"left_{part}"] for part in ("thigh", "shank", "foot", "toes")]
    ways = np.array([[segment_origin(pose, role) for role in roles] for pose in poses])
    up = np.eye(3)["XYZ".index(poses[0].figure.up)]
    forward = ways[-1, 0] - ways[0, 0]
    forward -= (forward @ up) * up
    forward /= np.linalg.norm(forward)
    flat = np.stack([ways @ forward, ways @ up], axis=-1)  # (frames, points, 2)
    angles = _angles(flat)
    strikes = _strikes(flat[:, 2, 0] - flat[:, 0, 0])
    share = np.linspace(0.0, 1.0, POINTS)
    curves = [
        [np.interp(a + share * (b - a), np.arange(len(poses)), row) for row in angles]
        for a, b in itertools.pairwise(strikes)
    ]
    return Strides(name, np.array(curves).reshape(-1, len(JOINTS), POINTS))


def _angles(flat: Array) -> Array:
    """(joints, frames) [degrees]: thigh against the vertical, shank against thigh, foot against
    shank; the last from its middle, for feet are built differently."""
    thigh, shank, foot = np.diff(flat, axis=1).transpose(1, 0, 2)
    hip = np.arctan2(thigh[:, 0], -thigh[:, 1])
    knee = hip - np.arctan2(shank[:, 0], -shank[:, 1])
    ankle = np.arctan2(foot[:, 1], foot[:, 0]) - np.arctan2(shank[:, 0], -shank[:, 1])
    return np.degrees(np.array([hip, knee, ankle - np.median(ankle)]))


def _strikes(ahead: Array) -> list[int]:
    """Frames in which the foot is furthest ahead of the hip, about where it strikes."""
    high = np.flatnonzero((ahead[1:-1] >= ahead[:-2]) & (ahead[1:-1] > ahead[2:])) + 1
    return [int(i) for i in high if ahead[i] > 0.6 * ahead.max()]


def range_table(strides: Sequence[Strides]) -> Table:
    columns = (
        *("walk", "strides", "hip range [°]", "knee peak in stance [°]"),
        *("knee peak in swing [°]", "ankle range [°]"),
    )
    return Table("curves", "Of the mean stride", columns, tuple(one.row() for one in strides))


def curve_figure(strides: Sequence[Strides]) -> Page:
    """Mean and spread of each joint over a stride."""
    page = empty_page(9.6, 3.2)
    panels = page.subplots(1, len(JOINTS))
    share = np.linspace(0.0, 100.0, POINTS)
    for j, (joint, axes) in enumerate(zip(JOINTS, panels, strict=True)):
        for one in strides:
            color = LOOKS.get(one.name, GREY)
            mean, spread = one.curves[:, j].mean(axis=0), one.curves[:, j].std(axis=0)
            if one.name == CAPTURED:
                axes.fill_between(share, mean - 8.0, mean + 8.0, color=GREY, alpha=0.18, lw=0)
            axes.fill_between(share, mean - spread, mean + spread, color=color, alpha=0.2, lw=0)
            axes.plot(share, mean, color=color, lw=1.8, label=one.name)
        axes.set_title(joint, fontsize=10, color=INK)
        axes.set_xlabel("% of the stride, from strike to strike", fontsize=8, color=INK)
        axes.grid(alpha=0.25, lw=0.6)
        axes.tick_params(labelsize=8, colors=INK)
    panels[0].set_ylabel("flexion [°]", fontsize=8, color=INK)
    panels[0].legend(fontsize=8, frameon=False)
    page.tight_layout()
    return page


def feet_figure(runs: Sequence[Driven]) -> Page:
    """From the side, on uneven ground: where the balls of the feet should go and where they go."""
    shown = [run for run in runs if run.ground == "uneven"]
    page = empty_page(9.6, 1.5 * len(shown) + 0.4)
    panels = page.subplots(len(shown), 1, sharex=True)
    count = len(shown[0].wanted) // 3  # the first of the three grounds
    for run, axes in zip(shown, panels, strict=True):
        wanted, reached = np.array(run.wanted[:count]), np.array(run.reached[:count])
        for side, color in enumerate((GREEN, ORANGE)):
            axes.plot(*wanted[:, side, [2, 1]].T, color=color, lw=3.2, alpha=0.3)
            axes.plot(*reached[:, side, [2, 1]].T, color=color, lw=0.9)
        off = 1e3 * np.array(run.off[:count])
        told = f"{run.mode}: median {np.median(off):.2g} mm off, worst {off.max():.2g} mm"
        axes.set_title(told, fontsize=9, color=INK, loc="left", pad=2)
        axes.set_ylabel("up [m]", fontsize=8, color=INK)
        axes.tick_params(labelsize=8, colors=INK)
        axes.grid(alpha=0.25, lw=0.6)
    panels[-1].set_xlabel(
        f"forward [m] at {SPEED} m/s; broad: intended, thin: reached; green left, orange right",
        fontsize=8,
        color=INK,
    )
    page.tight_layout(h_pad=0.4)
    return page
