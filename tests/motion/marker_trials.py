"""Marker trials of a motion of our own, worn by a body of another size."""

import numpy as np

import poise
from poise.motion.marker_map import MarkerMap, MarkerPlace
from poise.motion.marker_names import SPOTS

MIDDLE = ("c7", "t10", "clav", "strn", "sacr")
NAMES = [
    name.upper()
    for spot in SPOTS
    for name in ([spot] if spot in MIDDLE else [f"l{spot}", f"r{spot}"])
]
MANY = ["LASI", "RASI", "LPSI", "RPSI", "LKNE", "RKNE", "LANK", "RANK", "LHEE", "RHEE"]
MANY += ["LTOE", "RTOE", "C7", "T10", "CLAV", "STRN", "LSHO", "RSHO", "LELB", "RELB"]
MANY += ["LWRA", "LWRB", "RWRA", "RWRB", "LFHD", "RFHD", "LBHD", "RBHD"]
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


def noisy(names, size, noise=0.002):
    """Some markers where they are expected on a walking subject, as sharp as cameras see them."""
    places = MarkerMap.guessed(names, HUMAN).places.values()
    clip = poise.motions.walk()[:40]
    on, offsets = [place.on for place in places], np.array([place.offset for place in places])
    points = clip.positions(on) + np.einsum("fkij,kj->fki", clip.rotations(on), offsets)
    blur = noise * np.random.default_rng(0).standard_normal(points.shape)
    return poise.Markers(names, size * points + blur, clip.frame_time)


def bare(names):
    """A map as people write it: the segment of each marker and nothing else."""
    places = MarkerMap.guessed(names, HUMAN).places
    return MarkerMap("human", {n: MarkerPlace(p.on, sure=False) for n, p in places.items()})


def renamed(markers, pairs):
    """The same points, the names of pairs exchanged."""
    other = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    names = [other.get(name, name) for name in markers.names]
    return poise.Markers(names, markers.points, markers.frame_time)
