"""Draw docs/images/pose.png, the picture of README.md: exactly what its first command draws."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from poise.cli import main

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "pose.png"


def readme_picture() -> int:
    """Run the main job of run.py with its picture sent to the documentation."""
    job = runpy.run_path(str(ROOT / "run.py"))["MAIN_JOB"]
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    return main([str(PICTURE) if word == "pose.png" else word for word in job])


if __name__ == "__main__":
    sys.exit(readme_picture())
