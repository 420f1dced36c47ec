"""Files that people edit: what is wrong in one is told with its line and key."""

import json

import pytest

import poise
from poise.errors import FileError
from poise.motion.map_file import MapFile

WALK = poise.motions.walk()[:3]
HUMAN = WALK.figure


@pytest.fixture
def edited(tmp_path):
    """A function that writes the map of the human onto itself with one change, and its line."""

    def write(name, value):
        path = tmp_path / "map.json"
        poise.SkeletonMap.between(HUMAN, HUMAN).save(path)
        document = json.loads(path.read_text())
        document["pairs"][name] = value
        text = json.dumps(document, indent=2, ensure_ascii=False)
        path.write_text(text, "utf-8")
        lines = text.splitlines()
        return path, 1 + next(i for i, line in enumerate(lines) if line.startswith(f'    "{name}"'))

    return write


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("left_shank", "chset", "unknown segment of human 'chset'; did you mean 'chest'"),
        ("nose", "head", "unknown segment of human 'nose'"),
        ("head", ["head", "neck", 2.0], "share 2.0"),
        ("chest", 3, "follows 3; give the name of a segment"),
        ("größe", "head", "unknown segment of human 'größe'"),
    ],
)
def test_a_pair_that_does_not_fit_is_found(edited, name, value, message):
    path, line = edited(name, value)
    with pytest.raises(FileError) as caught:
        poise.retarget(WALK, HUMAN, poise.SkeletonMap.load(path))
    told = str(caught.value)
    assert told.startswith(f"{path}, line {line}: {name!r}: ")
    assert message in told


def test_a_marker_on_nothing_is_found(tmp_path):
    path = tmp_path / "me.json"
    path.write_text('{"markers": {\n"LASI": "pelvis",\n"C7": {"on": "nekc"}}}')
    with pytest.raises(FileError, match=r"line 3: 'C7': .*did you mean 'neck'"):
        poise.MarkerMap.load(path).checked(HUMAN, ["LASI", "C7"])


def test_what_is_not_json_is_told_by_its_line(tmp_path):
    path = tmp_path / "map.json"
    path.write_text('{"pairs": {\n"a": "b"\n"c": "d"}}')
    with pytest.raises(FileError, match=r"map.json, line 3: is not JSON"):
        MapFile.read(path, "pairs", "{}")
    with pytest.raises(FileError, match=r"cannot read .*: Is a directory"):
        MapFile.read(tmp_path, "pairs", "{}")
