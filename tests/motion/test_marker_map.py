"""Where markers sit: by their names, by a file; what is not known is said."""

import numpy as np
import pytest
from motion.marker_trials import HUMAN, NAMES

import poise
from poise.errors import FigureError, FileError, MotionError
from poise.motion.marker_map import MarkerMap, MarkerPlace


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("LASI", "pelvis"),
        ("Subject 1:RPSI", "pelvis"),
        ("L.ASIS", "pelvis"),
        ("V.Sacral", "pelvis"),
        ("R.Knee.Lat", "right_thigh"),
        ("L_HEEL", "left_foot"),
        ("RFHD", "head"),
        ("C7", "chest"),
        ("lwra", "left_forearm"),
        ("Right Elbow", "right_upper_arm"),
        ("R.Toe.Tip", "right_foot"),
        ("LACR", "left_clavicle"),
        ("left_hand", "left_hand"),
    ],
)
def test_the_usual_names_are_known(name, segment):
    assert MarkerMap.guessed([name], HUMAN).places[name].on == segment


def test_left_and_right_mirror_each_other_and_lie_on_the_body():
    places, rest = MarkerMap.guessed(NAMES, HUMAN).places, HUMAN.rest()
    assert set(places) == set(NAMES)
    points = {
        name: rest.position(p.on) + rest.rotation(p.on) @ np.asarray(p.offset)
        for name, p in places.items()
    }
    for name, point in points.items():
        if name.startswith("L"):
            np.testing.assert_allclose(points["R" + name[1:]], point * [-1, 1, 1], atol=1e-9)
            assert point[0] > 0.0
        assert 0.0 <= point[1] <= 1.85
    assert points["LASI"][2] > points["LPSI"][2]
    assert points["LTOE"][2] > points["LHEE"][2]


def test_unknown_markers_are_left_out_and_said():
    found = MarkerMap.guessed(["LASI", "*12", "foo"], HUMAN)
    assert list(found.places) == ["LASI"]
    assert "2 markers are not known by name and left out: *12, foo" in found.doubts[0]


def test_files_may_be_short(tmp_path):
    path = tmp_path / "map.json"
    path.write_text(
        '{"markers": {"A": "head", "B": {"on": "chest", "offset": [0, 0, 0.1],'
        ' "weight": 0}, "C": null}}'
    )
    found = MarkerMap.load(path)
    assert set(found.places) == {"A", "B"}
    assert set(found.effectors) == {"A"}
    assert not found.places["A"].sure  # it says no offset
    assert found.places["B"].sure
    assert found.with_weights({"B": 2.0}).weights == {"A": 1.0, "B": 2.0}
    with pytest.raises(MotionError, match="unknown marker to weigh 'D'"):
        found.with_weights({"D": 1.0})
    with pytest.raises(FigureError, match="did you mean"):
        MarkerMap("", {"A": MarkerPlace("hed")}).checked(HUMAN, ["A"])


@pytest.mark.parametrize(
    ("names", "example"),
    [
        (["MY_RHEE", "MY_LKNE", "MY_C7"], '"MY_RHEE": "right_foot", "MY_LKNE": "left_thigh"}'),
        (["1", "2"], '{"NAME": "pelvis"}'),
    ],
)
def test_where_no_name_is_known_the_example_puts_markers_where_they_may_be(names, example):
    with pytest.raises(
        MotionError, match="write a map that says on which segment of human"
    ) as told:
        MarkerMap.guessed(names, HUMAN).checked(HUMAN, names)
    assert example in str(told.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", 'no "markers"'),
        ("[" * 100_000, "is not JSON"),
        ('{"markers": {"A": 3}}', "line 1: 'A': is 3"),
        ('{"markers": {"A": {"on": "head", "offset": [1]}}}', "three metres"),
        ('{"markers": {"A": {"on": "head", "offset": [1, 2, NaN]}}}', "three metres"),
        ('{"markers": {"A": {"on": "head", "weight": -1}}}', "a number from 0"),
        ('{"markers": {}, "version": 9}', "version 9"),
        ('{"markers": {}, "scale": 0}', "scale 0"),
        ("\xff", "cannot read .*map.json: it is not UTF-8"),
    ],
)
def test_broken_files(text, message, tmp_path):
    path = tmp_path / "map.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FileError, match=message):
        poise.MarkerMap.load(path)
