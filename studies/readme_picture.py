"""Draw docs/images/pose.png, the picture of docs/start.md: a pose by six goals."""

from __future__ import annotations

import sys
from pathlib import Path

from poise.cli import main

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "pose.png"

POSE = [
    "pose",
    *("--goal", "left_hand=0.45,1.55,0.50"),
    *("--goal", "right_hand=-0.55,0.85,0.05"),
    *("--goal", "left_heel=0.16,0.00,0.18"),
    *("--goal", "left_toes=0.20,0.00,0.45"),
    *("--goal", "right_heel=-0.12,0.10,-0.42"),
    *("--goal", "right_toes=-0.14,0.00,-0.17"),
]


def readme_picture() -> int:
    """Solve, and draw into the documentation."""
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    return main([*POSE, "--picture", str(PICTURE)])


if __name__ == "__main__":
    sys.exit(readme_picture())
