"""Long clips, block by block: the bytes and the row of the whole clip at once."""

import msgspec
import numpy as np
import pytest
from mocap import FOLDER, needs_mocap

import poise
from poise.batch.jobs import do, load_clip, save_clip
from poise.batch.settings import settings_of
from poise.batch.streaming import do_in_blocks, open_blocks

SIZE = 1024
JOBS = [
    {"job": "track"},
    {"job": "track", "limits": "human", "tolerance": 1e-4},
    {"job": "track", "limits": "learned:0", "max_velocity": 200.0},
    {"job": "track", "effectors": ["left_hand", "head"], "limits": "none", "decimals": 9},
    {"job": "convert", "out_unit": 0.0254, "decimals": 4},
    {"job": "report"},
    {"job": "report", "limits": "human"},
]


def long_clip(path, rest_frame=True):
    """A walk and a routine, to and fro, going round and round, with a rest pose before them."""
    parts = [make().resampled(120.0) for make in (poise.motions.walk, poise.motions.gymnastics)]
    angles = np.concatenate([part.angles for part in parts])
    angles = np.concatenate([angles, angles[::-1], angles])[:2600]
    angles[:, 4] += np.linspace(0.0, 30.0, len(angles))
    if rest_frame:
        angles = np.concatenate([0.0 * angles[:1], angles])
    poise.save(poise.Clip(parts[0].figure, angles, 1.0 / 120.0), path)
    return path


def both_ways(plain, path, folder):
    """What the job writes and measures, of the whole clip and in blocks."""
    settings = settings_of(plain)
    whole, part = folder / "whole.bvh", folder / "part.bvh"
    clip, notes = load_clip(settings, path)
    made = do(settings, clip)
    if made.clip is not None:
        save_clip(settings, made.clip, whole)
    blocks = open_blocks(settings, path, SIZE)
    assert blocks is not None
    assert len(blocks) > 2 * SIZE
    streamed = do_in_blocks(settings, blocks, part)
    assert streamed.notes == (*notes, *made.notes)
    assert whole.exists() == part.exists() == settings.writes
    if settings.writes:
        assert part.read_bytes() == whole.read_bytes()
    for name, value in msgspec.structs.asdict(made.measures).items():
        wanted = pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
        assert getattr(streamed.measures, name) == wanted, name
    return streamed.measures


@pytest.mark.parametrize("plain", JOBS, ids=str)
@pytest.mark.parametrize("rest_frame", [False, True])
def test_blocks_write_and_measure_the_same(plain, rest_frame, tmp_path):
    measures = both_ways(plain, long_clip(tmp_path / "long.bvh", rest_frame), tmp_path)
    assert measures.frames == 2600 + (rest_frame and plain["job"] == "convert")


@needs_mocap
@pytest.mark.parametrize("plain", [{"job": "track"}, {"job": "report"}], ids=str)
def test_blocks_of_captured_motion_are_the_same(plain, tmp_path):
    clips = [poise.load(FOLDER / f"bvh-cmu/{name}.bvh", unit=0.0564) for name in ("13_29", "85_14")]
    angles = np.concatenate([clip.angles[i > 0 :] for i, clip in enumerate(clips)])
    angles = np.concatenate([angles, angles[:0:-1]])
    path = tmp_path / "long.bvh"
    poise.save(poise.Clip(clips[0].figure, angles, clips[0].frame_time, "", clips[0].source), path)
    assert both_ways(plain, path, tmp_path).slip > 0.0
