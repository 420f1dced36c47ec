"""A document as a clip: its poses, frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from poise.motion.clip import Clip
from poise.motion.document import Document
from poise.motion.posing import Posing
from poise.motion.source import Source


def frame_times(document: Document) -> np.ndarray:
    """(frames,) the times of the frames [s], from 0 to the duration."""
    count = int(np.floor(document.duration * document.fps * (1.0 + 1e-12) + 1e-6)) + 1
    return np.arange(count) / document.fps


def sampled(document: Document, report: Callable[[int, int], None] | None = None) -> Clip:
    """The clip that the document shows. `report` hears how many frames are done, of how many."""
    posing, times = Posing(document), frame_times(document)
    angles = np.empty((len(times), len(document.figure.dofs)))
    for i, time in enumerate(times):
        angles[i] = posing.at(float(time)).pose.angles
        if report is not None:
            report(i + 1, len(times))
    return Clip(document.figure, angles, 1.0 / document.fps, document.name, _source(document))


def _source(document: Document) -> Source:
    """Where the frames came from; the character of the document is kept."""
    if document.clip is None:
        return document.source
    own = document.clip.source
    return replace(own, details={**document.source.details, **own.details})
