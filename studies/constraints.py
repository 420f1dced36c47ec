"""What changing a ConstraintSet costs: 20 constraints on the 71-DOF human, one at a time.

    python studies/constraints.py [--changes 2000] [-o FOLDER]

The figure stands with both feet and both hands placed, looks at something, keeps its balance, and
keeps elbows, knees and trunk where further constraints of all kinds want them. A change and the
solve after it are timed together, as a caller sees them: two public calls. The bar is that of a
move: under 100 µs, median.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import poise

BAR_US = 100.0
FEET = ("left_foot", "right_foot")
X, Y, Z = np.eye(3)


def standing_pose(human: poise.Figure) -> poise.Pose:
    """On both feet, the hands in front."""
    feet = [poise.Position(foot, human.rest().position(foot)) for foot in FEET]
    hands = [
        poise.Position(f"{s}_hand", (x, 1.15, 0.35)) for s, x in (("left", 0.3), ("right", -0.3))
    ]
    return poise.solve(human, [*feet, *hands]).require().pose


def twenty_constraints(pose: poise.Pose) -> list[poise.Goal]:
    """Of all kinds that a pose can meet, with room left to move."""
    at, turned = pose.position, pose.rotation
    soles = [at(f"{s}_{p}") for s in ("left", "right") for p in ("heel", "toes")]
    box = at("left_elbow") + 0.05 * np.vstack([np.eye(3), -np.eye(3)])
    between = turned("chest").T @ (at("head") - at("chest"))
    return [
        poise.Position("left_hand", at("left_hand")),
        poise.Position("right_hand", at("right_hand")),
        poise.Pose6D("left_foot", at("left_foot"), turned("left_foot")),
        poise.Pose6D("right_foot", at("right_foot"), turned("right_foot")),
        poise.Aim("eyes", at("eyes") + 3.0 * turned("eyes")[:, 2]),
        poise.CenterOfMass(over=soles),
        poise.Orientation("chest", y=turned("chest")[:, 1], name="upright"),
        poise.Line("pelvis", at("pelvis"), Y),
        poise.Plane("left_elbow", at("left_elbow"), X),
        poise.Plane("right_elbow", at("right_elbow"), X),
        poise.HalfSpace("left_knee", at("left_knee") - 0.1 * Z, Z),
        poise.HalfSpace("right_knee", at("right_knee") - 0.1 * Z, Z),
        poise.HalfSpace("head", at("head") - 0.2 * Y, Y, name="head up"),
        poise.HalfSpace("chest", at("chest") + 0.1 * Z, -Z, name="chest back"),
        poise.Distance("left_hand", "right_hand", at_least=0.3),
        poise.Distance("left_knee", "right_knee", at_least=0.1),
        poise.Distance("left_elbow", "right_elbow", at_most=1.5),
        poise.Relative("head", "chest", between, name="neck", weight=0.1),
        poise.AnyOf.outside("right_elbow", box, np.vstack([np.eye(3), -np.eye(3)]), name="box"),
        poise.Plane("left_toes", at("left_toes"), Y, name="toes down"),
    ]


class Bench:
    """A set that is changed and solved again and again."""

    def __init__(self, posture: bool = False) -> None:
        human = poise.figures.human()
        self.pose = standing_pose(human)
        goals = twenty_constraints(self.pose)
        if posture:
            goals[-1] = poise.Posture(self.pose)
        self.set = poise.ConstraintSet(human, goals, start=self.pose)
        self.rng = np.random.default_rng(7)
        self.set.solve()

    def near(self, name: str) -> NDArray[np.float64]:
        """A point within about a centimetre of where a hand stands."""
        return self.pose.position(name) + 0.006 * self.rng.normal(size=3)

    def measure(self, changes: list[Callable[[], object]], count: int) -> dict[str, float]:
        """Times [µs] of the changes in turns, each with the solve that follows."""
        times, missed, iterations = [], 0, 0
        for k in range(count):
            change = changes[k % len(changes)]
            began = time.perf_counter()
            change()
            solution = self.set.solve()
            times.append(time.perf_counter() - began)
            missed += not solution.reached
            iterations += solution.iterations
        return {
            "median_us": round(1e6 * float(np.median(times)), 1),
            "p99_us": round(1e6 * float(np.percentile(times, 99)), 1),
            "iterations": round(iterations / count, 2),
            "missed": missed,
        }


def moves(bench: Bench, count: int) -> list[Callable[[], object]]:
    """The hands in turns; where they go is worked out before."""
    hands = ["left_hand", "right_hand"] * (count // 2)
    places = [(name, bench.near(name)) for name in hands]
    return [lambda n=name, p=point: bench.set.move(n, p) for name, point in places]


def run(count: int) -> dict[str, dict[str, float]]:
    """All kinds of changes."""
    bench = Bench()
    knee = bench.set["left_knee"]
    changed = bench.set
    result = {"move a hand by about 1 cm": bench.measure(moves(bench, count), count)}
    switches = [lambda: changed.switch_off("left_knee"), lambda: changed.switch_on("left_knee")]
    weights = [lambda: changed.change("left_hand", weight=2.0)]
    weights.append(lambda: changed.change("left_hand", weight=1.0))
    chains = [lambda: changed.change("left_hand", chain="left_arm")]
    chains.append(lambda: changed.change("left_hand", chain=None))
    swaps = [lambda: changed.remove("left_knee"), lambda: changed.add(knee)]
    for name, changes in (
        ("switch off or on", switches),
        ("re-weight", weights),
        ("change the chain", chains),
        ("remove or add", swaps),
    ):
        result[name] = bench.measure(changes, count)
    again = Bench(posture=True)
    result["move, with a posture to keep to"] = again.measure(moves(again, count), count)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--changes", type=int, default=2000, help="of each kind")
    parser.add_argument("-o", "--out", type=Path, default=None, help="folder for constraints.json")
    options = parser.parse_args()
    result = run(options.changes)
    print(f"{'change, then solve':34}{'median':>10}{'p99':>10}{'iterations':>12}{'missed':>8}")
    for name, row in result.items():
        print(
            f"{name:34}{row['median_us']:>7.1f} µs{row['p99_us']:>7.0f} µs"
            f"{row['iterations']:>12.2f}{row['missed']:>8}"
        )
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(result, indent=2)
        (options.out / "constraints.json").write_text(text + "\n", encoding="utf-8")
    return int(next(iter(result.values()))["median_us"] > BAR_US)


if __name__ == "__main__":
    sys.exit(main())
