"""Poise's BVH against two other readers of it, where those are right.

bvhTools takes positions of the root alone, wants one space between words, and adds the root's
OFFSET to its position; bvhio turns joints by quaternions in single precision. On plain files all
three must agree.
"""

import numpy as np
import pytest
from formats.bvhs import PLAIN, written
from mocap import FOLDER, needs_mocap
from motion.bodies import puppet, wandering

import poise
from poise.formats import read


def bvhio_positions(path, frames):
    import bvhio

    root = bvhio.readAsHierarchy(str(path))
    found = []
    for frame in frames:
        root.loadPose(frame)
        found.append({j.Name: np.array(j.PositionWorld) for j, _, _ in root.layout()})
    return found


def bvhtools_positions(path, frames):
    from bvhTools.bvhIO import readBvh

    data = readBvh(str(path))
    return [
        {name: np.array(place) for name, (_, place) in data.getFKAtFrame(f).items()} for f in frames
    ]


def spaced(text):
    """As bvhTools can read it: one space between words, none at the ends of lines."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines()) + "\n"


@pytest.mark.parametrize(
    ("peer", "tolerance"), [(bvhio_positions, 1e-3), (bvhtools_positions, 1e-5)]
)
@pytest.mark.parametrize("order", ["ZXY", "XYZ", "YZX"])
def test_what_we_write_others_read(peer, tolerance, order, tmp_path):
    clip = wandering(puppet(order))
    path = tmp_path / "ours.bvh"
    poise.save(clip, path)
    written(tmp_path, spaced(path.read_text()), "ours.bvh")
    compare(peer, path, clip, 0.01, [0, 5, 11], tolerance)


@pytest.mark.parametrize(
    ("peer", "tolerance"), [(bvhio_positions, 1e-3), (bvhtools_positions, 1e-5)]
)
def test_we_read_what_others_read(peer, tolerance, tmp_path):
    path = written(tmp_path, spaced(PLAIN))
    compare(peer, path, read(path, unit=1.0).value, 1.0, [0, 1], tolerance)


@needs_mocap
@pytest.mark.parametrize(
    ("peer", "tolerance"), [(bvhio_positions, 1e-3), (bvhtools_positions, 1e-5)]
)
def test_a_real_clip(peer, tolerance, tmp_path):
    text = (FOLDER / "bvh-cmu" / "87_03.bvh").read_text()
    path = written(tmp_path, spaced(text))
    compare(peer, path, read(path, unit=1.0).value, 1.0, [0, 1, 100, 247], tolerance)


def compare(peer, path, clip, unit, frames, tolerance):
    for frame, expected in zip(frames, peer(path, frames), strict=True):
        names = [name for name in clip.figure.segment_names if name in expected]
        assert len(names) == len(clip.figure.segments)
        found = clip[frame : frame + 1].positions(names)[0] / unit
        np.testing.assert_allclose(found, [expected[n] for n in names], atol=tolerance)
