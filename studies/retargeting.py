"""Captured clips on other figures, beside the bars: the human, and humanoid robots.

    python studies/retargeting.py [--mocap FOLDER] [--quick] [--to ROBOT.urdf …] [-o FOLDER]

Every clip is put on the built-in human and on a robot of our own (tests/formats/humanoid.py), and
on the robots that `--to` names, as they come, their parts found by name (the package
example-robot-data has some). Feet may slip 5 mm in a contact and sink 10 mm below the ground, the
limits hold in every frame, and a clip on its own skeleton stays as it is to 0.1°.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from tracking import clips

import poise
from poise.motion.world import segment_frames

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from formats.humanoid import humanoid

SLIP, DEPTH, TURN = 5.0, 10.0, 0.1  # [mm, mm, °]


@dataclass
class Row:
    """A clip on a figure; lengths in mm, angles in degrees."""

    clip: str
    on: str
    frames: int
    contacts: int
    slip: float
    penetration: float
    turned: float
    """The mean angle between a segment and what it follows."""
    limits_held: bool

    @property
    def kept(self) -> bool:
        return self.limits_held and self.slip <= SLIP and self.penetration <= DEPTH


def row(clip: poise.Clip, figure: poise.Figure) -> Row:
    moved = poise.retarget(clip, figure)
    feet = moved.feet
    return Row(
        clip.name,
        figure.name,
        len(moved.clip),
        0 if feet is None else feet.count,
        0.0 if feet is None else 1000 * feet.slip,
        0.0 if feet is None else 1000 * feet.penetration,
        float(np.degrees(moved.turn_error)),
        moved.clip.is_inside_limits,
    )


def figures(robots: list[Path]) -> list[poise.Figure]:
    """The human, a robot of our own, and the robots of URDF files."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "humanoid.urdf"
        own.write_text(humanoid())
        return [poise.figures.human(), *(poise.load(path, base="free") for path in (own, *robots))]


def onto_itself(clip: poise.Clip) -> float:
    """The largest angle [°] of a segment between a clip and itself on its own skeleton."""
    some = clip[:: max(1, len(clip) // 60)]
    made = poise.retarget(some, some.figure).clip
    a, b = (segment_frames(some.figure, each.angles)[0] for each in (some, made))
    chord = np.sqrt(np.sum((a - b) ** 2, axis=(2, 3)) / 8.0)
    return float(np.degrees(2.0 * np.arcsin(np.clip(chord, 0.0, 1.0))).max())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    beside = Path(__file__).resolve().parents[2] / "shared" / "mocap"
    parser.add_argument("--mocap", type=Path, default=Path(os.environ.get("POISE_MOCAP") or beside))
    parser.add_argument("--quick", action="store_true", help="only one of the captured clips")
    parser.add_argument("--to", type=Path, nargs="+", default=[], help="more robots (.urdf)")
    parser.add_argument("-o", type=Path, help="folder for retargeting.json")
    given = parser.parse_args()
    if not any(given.mocap.glob("bvh-*/*.bvh")):
        print(f"no captured clips in {given.mocap}; set POISE_MOCAP", file=sys.stderr)
    chosen = clips(given.mocap, given.quick)
    rows = []
    print("clip                figure               frames  contacts  slip mm  below mm  turned °")
    for figure in figures(given.to):
        for clip in chosen.values():
            made = row(clip, figure)
            rows.append(made)
            print(
                f"{made.clip:19} {made.on:20} {made.frames:6d} {made.contacts:9d} {made.slip:8.2f}"
                f" {made.penetration:9.2f} {made.turned:9.1f}{'' if made.kept else '  MISSED'}",
                flush=True,
            )
    same = {name: onto_itself(clip) for name, clip in chosen.items()}
    return summary(rows, same, given.o)


def summary(rows: list[Row], same: dict[str, float], folder: Path | None) -> int:
    """Print the bars; the number of those that are missed."""
    slip, depth = max(r.slip for r in rows), max(r.penetration for r in rows)
    bars = [
        (f"slip <= {SLIP:.0f} mm: {slip:.2f}", slip <= SLIP),
        (f"penetration <= {DEPTH:.0f} mm: {depth:.2f}", depth <= DEPTH),
        ("limits held in every frame", all(r.limits_held for r in rows)),
        (f"onto itself <= {TURN}°: {max(same.values()):.4f}", max(same.values()) <= TURN),
    ]
    print("\nbars")
    for text, good in bars:
        print(f"  {'kept  ' if good else 'MISSED'}  {text}")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        document = {"retargeted": [asdict(r) for r in rows], "onto itself [°]": same}
        (folder / "retargeting.json").write_text(json.dumps(document, indent=2) + "\n")
    return sum(not good for _, good in bars)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
