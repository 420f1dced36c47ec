"""Momentum, as far as it comes: its reader of URDF files. What it cannot read it cannot solve."""

from __future__ import annotations

import pymomentum.geometry
from runner import Human, Make, main


def human(task: Human) -> dict[str, Make]:
    character = pymomentum.geometry.Character.load_urdf(task.urdf)
    raise RuntimeError(
        f"reads the file ({character.parameter_transform.size} parameters); not solved here"
    )


if __name__ == "__main__":
    main(("pymomentum-cpu", "numpy"), human=human)
