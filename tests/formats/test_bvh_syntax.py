"""Broken BVH files: an error that names the file, the line, what is there and what should be."""

import re

import pytest
from formats.bvhs import PLAIN, written
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import poise
from poise.formats import read

SECOND_ROOT = PLAIN.replace(
    "MOTION", "ROOT Other\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}\nMOTION"
)
BROKEN = {
    "empty": ("", r"line 1: found the end of the file, expected HIERARCHY"),
    "not a BVH": ("{}", r"line 1: found '\{', expected HIERARCHY"),
    "no root": (PLAIN.replace("ROOT", "JOINT", 1), "line 2: found 'JOINT', expected ROOT"),
    "two roots": (SECOND_ROOT, "line 25: a second ROOT 'Other'; Poise reads one figure a file"),
    "a name missing": (PLAIN.replace("ROOT Hips", "ROOT"), r"line 3: found '\{', expected a name"),
    "no brace": (PLAIN.replace("Chest\n\t{", "Chest\n"), r"line 8: found 'OFFSET', expected {"),
    "an offset short": (
        PLAIN.replace("OFFSET 0.0 50.0 1.0", "OFFSET 0.0 50.0"),
        "line 9: found 'CHANNELS', expected a number for the OFFSET of joint 'Chest'",
    ),
    "no offset": (PLAIN.replace("\t\tOFFSET 10.0 -5.0 0.0\n", ""), "an OFFSET of joint 'LeftLeg'"),
    "two offsets": (
        PLAIN.replace("\t\tCHANNELS 3", "\t\tOFFSET 1 2 3\n\t\tCHANNELS 3", 1),
        "line 9: .*one OFFSET",
    ),
    "an unknown channel": (
        PLAIN.replace("Zposition", "Wposition"),
        "line 5: found 'Wposition', expected 6 channels of joint 'Hips'",
    ),
    "a channel less": (PLAIN.replace("CHANNELS 6", "CHANNELS 7"), "line 6: found 'JOINT'"),
    "a channel more": (PLAIN.replace("CHANNELS 6", "CHANNELS 5"), "line 5: found 'Yrotation'"),
    "a position twice": (PLAIN.replace("Yposition", "Xposition"), "each position channel"),
    "a count that is none": (PLAIN.replace("CHANNELS 6", "CHANNELS six"), "found 'six'"),
    "a huge count": (PLAIN.replace("CHANNELS 6", "CHANNELS 99999999999"), "found '99999999999'"),
    "NaN in an offset": (PLAIN.replace("50.0", "nan"), "line 8: found 'nan', expected a number"),
    "a huge offset": (PLAIN.replace("50.0", "1e300"), "found '1e300', expected .* below 1e"),
    "cut in the hierarchy": (PLAIN[:200], "found the end of the file"),
    "no motion": (PLAIN[: PLAIN.index("MOTION")], "found the end of the file, expected MOTION"),
    "no frames": (PLAIN.replace("Frames: 2\n", ""), "line 26: found 'Frame', expected Frames:"),
    "frames that are no number": (PLAIN.replace("Frames: 2", "Frames: x"), "found 'x'"),
    "negative frames": (PLAIN.replace("Frames: 2", "Frames: -2"), "found '-2'"),
    "no frame time": (PLAIN.replace("Frame Time: .0083333\n", ""), "expected Frame Time:"),
    "a frame time of zero": (PLAIN.replace(".0083333", "0"), "expected seconds above 0; give fps="),
    "NaN as frame time": (PLAIN.replace(".0083333", "nan"), "line 27: found 'nan'"),
    "a row short": (
        PLAIN[: PLAIN.rindex("8 9 10")],
        "line 29: found 1 frames and 9 numbers, expected 2 frames of 12 numbers",
    ),
    "a frame missing": (PLAIN.replace("Frames: 2", "Frames: 3"), "expected 3 frames"),
    "a frame too many": (PLAIN.replace("Frames: 2", "Frames: 1"), "found 2 frames, expected 1"),
    "a word among the numbers": (
        PLAIN.replace("-45", "abc"), "line 29: found 'abc', expected a number"
    ),
    "a decimal comma": (PLAIN.replace("-45", "-45,5"), "found '-45,5'"),
    "an underscore": (PLAIN.replace("-45", "4_5"), "found '4_5'"),
    "infinity": (PLAIN.replace("-45", "1e999"), "found '1e999'"),
    "what Windows wrote for NaN": (PLAIN.replace("-45", "-1.#IND"), "line 29: found '-1.#IND'"),
    "an angle that is none": (PLAIN.replace("-45", "1e12"), "Zrotation of joint 'Chest', frame 1"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_broken_files_say_what_is_wrong_and_where(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(poise.FileError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)


def test_what_is_whole_of_a_cut_file_can_be_asked_for(tmp_path):
    path = written(tmp_path, PLAIN[: PLAIN.rindex("8 9 10")])
    loaded = read(path, incomplete=True)
    assert len(loaded.value) == 1
    assert "2 frames are declared; the 1 whole ones" in loaded.source.notes[0]


WORDS = [*re.findall(r"\S+|\n", PLAIN), "{", "}", "nan", "1e400", "-0", "\x00", "CHANNELS 0", "é"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 200), st.sampled_from([*WORDS, ""])), max_size=4))
@example([(5, "CHANNELS 0")])
def test_changed_words_give_a_whole_clip_or_an_error_of_ours(tmp_path, changes):
    words = re.findall(r"\S+|\n", PLAIN)
    for place, word in changes:
        words[place % len(words)] = word
    check(tmp_path, " ".join(words).encode())


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.integers(0, len(PLAIN)).map(lambda n: PLAIN[:n].encode()))
def test_any_bytes_give_a_whole_clip_or_an_error_of_ours(tmp_path, data):
    check(tmp_path, data)


def check(folder, data):
    try:
        clip = read(written(folder, data)).value
    except poise.FileError:
        return
    declared = int(re.search(rb"(?i)frames\s*:\s*(\d+)", data.replace(b"\x00", b"")).group(1))
    assert len(clip) == declared
