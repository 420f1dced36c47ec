"""A figure: how the value falls with evaluations, projected gradient against auto.

    python studies/convergence.py [-o docs/images]

The same problem for both: the built-in human, six goals taken from a random pose inside its
limits (seed 5), from rest, run on to 1e-6 m so that the tails show.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from motions import SIX_GOALS, random_poses

import poise

STYLES = {"projected-gradient": "#c44e52", "auto": "#2a6f97"}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("-o", "--out", type=Path, default=Path("docs/images"))
    folder = parser.parse_args().out
    human = poise.figures.human()
    pose = human.pose(random_poses(human, 1, np.random.default_rng(5))[0])
    goals = [poise.Position(name, pose.position(name)) for name in SIX_GOALS]
    axes = plt.figure(figsize=(7, 4.2), layout="constrained").add_subplot()
    for method, colour in STYLES.items():
        solution = poise.solve(
            human, goals, method=method, tolerance=1e-6, max_iterations=3000, trace=True
        )
        evaluations = [point.evaluations for point in solution.trace]
        values = [point.value for point in solution.trace]
        axes.loglog(evaluations, values, color=colour, linewidth=2, label=method)
        axes.plot(evaluations[-1], values[-1], "o", color=colour)
        print(
            f"{method}: {solution.status.name}, {solution.evaluations} evaluations,"
            f" f = {solution.value:.3g} m²"
        )
    axes.axhline(6e-6, color="0.6", linestyle=":", label="all six goals 1 mm off")
    axes.set_xlabel("evaluations")
    axes.set_ylabel("value f  [m²]")
    axes.set_title("71-DOF human, six goals, from rest")
    axes.grid(True, which="major", color="0.9")
    axes.legend(frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    plt.savefig(folder / "convergence.png", dpi=130)


if __name__ == "__main__":
    main()
