"""The captured clips that tests use where they are there: POISE_MOCAP, or beside the repository."""

import json
import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("POISE_MOCAP") or Path(__file__).parents[2] / "shared" / "mocap")

needs_mocap = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"no captured clips in {FOLDER}; set POISE_MOCAP"
)


def reference():
    """Joint positions of some frames, by file, computed by another program."""
    path = FOLDER / "fk_reference.json"
    return json.loads(path.read_text()) if path.exists() else {}


def files(suffix):
    """The clips with a reference, by their path in the folder."""
    return [name for name in reference() if name.endswith(suffix)]
