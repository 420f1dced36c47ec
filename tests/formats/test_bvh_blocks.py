"""BVH files in blocks: the frames of the whole file, however it is spelt; faults are left alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import poise
from poise.errors import FileError
from poise.formats import bvh_blocks, read
from poise.formats.bvh_blocks import BvhBlocks
from poise.formats.bvh_read import Options


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("bvh") / "walk.bvh"
    poise.save(poise.motions.walk(), path)
    return path.read_bytes()


def opened(path, data, **options):
    path.write_bytes(data)
    return BvhBlocks.open(path, Options(**options), longer_than=20, size=16)


SPELLINGS = {
    "as it is": lambda text: text,
    "CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "CR": lambda text: text.replace(b"\n", b"\r"),
    "tabs and wrapped rows": lambda text: text.replace(b" 0.", b"\n\t0."),
    "no line end at the end": lambda text: text.rstrip(),
    "lower case": lambda text: text.replace(b"HIER", b"hier").replace(b"Frame T", b"frame t"),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("options", [{}, {"unit": 0.01, "up": "Z", "fps": 24.0}])
def test_blocks_are_the_frames_of_the_whole(spelling, options, text, tmp_path, monkeypatch):
    monkeypatch.setattr(bvh_blocks, "BYTES", 1000)  # so that words and frames are cut anywhere
    path = tmp_path / "clip.bvh"
    blocks = opened(path, SPELLINGS[spelling](text), **options)
    assert blocks is not None
    loaded = read(path, **options)
    assert blocks.source == loaded.source
    assert len(blocks) == len(loaded.clip)
    parts = list(blocks)
    assert {len(part) for part in parts[:-1]} == {16}
    assert parts[0].frame_time == loaded.clip.frame_time
    np.testing.assert_array_equal(np.concatenate([p.angles for p in parts]), loaded.clip.angles)


@given(first=st.integers(0, 19))
def test_the_first_frames_can_be_left_out(text, first, tmp_path_factory):
    path = tmp_path_factory.mktemp("bvh") / "clip.bvh"
    blocks = opened(path, text)
    assert blocks is not None
    later = blocks.from_frame(first)
    assert len(later) == len(blocks) - first
    np.testing.assert_array_equal(
        np.concatenate([part.angles for part in later]), read(path).clip.angles[first:]
    )


FAULTS = {
    "cut off": lambda text: text[: len(text) // 2],
    "a word": lambda text: text[:-20] + b" walk " + text[-20:],
    "no number": lambda text: text[:-20] + b" nan " + text[-20:],
    "too large": lambda text: text[:-20] + b" 1e300 " + text[-20:],
    "no header": lambda text: text[400:],
    "another encoding": lambda text: text.decode().encode("utf-16"),
    "nothing": lambda text: b"",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_unusual_is_left_to_the_reader_of_whole_files(fault, text, tmp_path):
    assert opened(tmp_path / "clip.bvh", FAULTS[fault](text)) is None


def test_a_short_clip_is_read_whole(text, tmp_path):
    path = tmp_path / "clip.bvh"
    path.write_bytes(text)
    assert BvhBlocks.open(path, Options(), longer_than=len(read(path).clip)) is None


def test_a_file_that_changes_meanwhile_is_told(text, tmp_path):
    path = tmp_path / "clip.bvh"
    blocks = opened(path, text)
    assert blocks is not None
    path.write_bytes(text[:-3000])
    with pytest.raises(FileError, match="changed while it was read"):
        list(blocks)
