"""Marker trials of a motion of our own, worn by a body of another size."""

import numpy as np

import poise
from poise.motion.marker_map import MarkerMap
from poise.motion.marker_names import SPOTS

MIDDLE = ("c7", "t10", "clav", "strn", "sacr")
NAMES = [
    name.upper()
    for spot in SPOTS
    for name in ([spot] if spot in MIDDLE else [f"l{spot}", f"r{spot}"])
]
HUMAN = poise.figures.human()


def walked(size=0.92, shift=0.01, frames=40):
    """A clip of the human, and markers on it that sit somewhere else than expected: both as large
    as the subject, who walks elsewhere and another way."""
    rng = np.random.default_rng(4)
    clip = poise.motions.walk()[:frames].moved((1.0, 0.0, 2.0), 2.0)
    places = MarkerMap.guessed(NAMES, HUMAN).places.values()
    on = [place.on for place in places]
    offsets = np.array([np.asarray(place.offset) for place in places])
    offsets += rng.uniform(-shift, shift, offsets.shape)
    points = clip.positions(on) + np.einsum("fkij,kj->fki", clip.rotations(on), offsets)
    return clip, poise.Markers(NAMES, size * points, clip.frame_time)
