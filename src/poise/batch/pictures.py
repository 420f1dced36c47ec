"""Pictures of the worst frames, as data that a page carries in itself."""

from __future__ import annotations

import base64
import io
from math import radians
from pathlib import Path

import numpy as np

from poise.batch.report import Told
from poise.batch.result import Result
from poise.errors import PoiseError
from poise.formats import read
from poise.view.scene import Scene

HEIGHT = 360
"""Pixels."""
AZIMUTH = radians(38.0)


def worst_pictures(told: Told, count: int) -> dict[str, str]:
    """By name of the clip, the figure in its worst frame as a data URI; the worst clips only."""
    found = {}
    for row in told.worst(count):
        drawn = _drawn(told.folder, row)
        if drawn is not None:
            found[row.name] = drawn
    return found


def _drawn(folder: Path, row: Result) -> str | None:
    """None where what was written is no longer there, or holds no clip."""
    frame = row.measures.worst_frame
    if not row.out or frame is None:
        return None
    try:
        clip = read(folder / row.out).clip
    except PoiseError:
        return None
    if clip is None or frame >= len(clip):
        return None
    scene = Scene(clip[frame])
    image = np.asarray(scene.image(scene.camera(AZIMUTH, HEIGHT)))
    return "data:image/png;base64," + base64.b64encode(_png(image)).decode()


def _png(image: np.ndarray) -> bytes:
    from matplotlib.image import imsave

    data = io.BytesIO()
    imsave(data, np.clip(image, 0.0, 1.0) if image.dtype.kind == "f" else image, format="png")
    return data.getvalue()
