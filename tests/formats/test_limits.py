"""The side-car of limits."""

import numpy as np
import pytest
from formats.bvhs import PLAIN, written
from hypothesis import given
from hypothesis import strategies as st

import poise
from poise.formats import read

SIDE_CAR = """{"format": "poise-limits", "version": 1,
 "limits": {"Chest_r*": [-0.5, null], "LeftLeg_rx": [0.0, 1.5]},
 "relations": [{"kind": "group", "name": "g", "shares": {"Chest_rz": 1.0, "LeftLeg_rz": -2.0}}]}
"""


def test_limits_and_relations_come_back(tmp_path):
    bvh = written(tmp_path, PLAIN)
    side_car = written(tmp_path, SIDE_CAR, "clip.limits.json")
    clip = poise.load(bvh, unit=0.01, limits=side_car)
    figure = clip.figure
    assert figure.lower[figure.dof_index("Chest_rx")] == -0.5
    assert figure.upper[figure.dof_index("LeftLeg_rx")] == 1.5
    assert [relation.name for relation in figure.relations] == ["g"]
    poise.save(clip, tmp_path / "out.bvh", limits=tmp_path / "out.limits.json")
    back = poise.load(tmp_path / "out.bvh", unit=0.01, limits=tmp_path / "out.limits.json")
    np.testing.assert_array_equal(back.figure.lower, figure.lower)
    np.testing.assert_array_equal(back.figure.upper, figure.upper)
    assert [relation.shares for relation in back.figure.relations] == [figure.relations[0].shares]


def test_dofs_that_the_file_does_not_have_are_refused_on_both_ways(tmp_path):
    side_car = written(tmp_path, SIDE_CAR.replace("LeftLeg_rx", "LeftLag_rx"), "a.json")
    with pytest.raises(poise.FileError, match=r"a\.json: .*did you mean 'LeftLeg_rx'"):
        poise.load(written(tmp_path, PLAIN), unit=0.01, limits=side_car)
    with pytest.raises(poise.OptionError, match=r"save a \.poise file"):
        poise.save(poise.figures.human(), tmp_path / "h.bvh", limits=tmp_path / "h.json")
    assert not (tmp_path / "h.bvh").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("poise-limits", "limits", "not limits of Poise"),
        ('"version": 1', '"version": 2', "line 1: version"),
        ("[0.0, 1.5]", "[0.0]", "line 2"),
        ("[0.0, 1.5]", "[2.0, 1.5]", "lower <= upper"),
        ('"kind": "group"', '"kind": "gruop"', "line 3|group"),
        ("}]}", "}]", "not JSON"),
        ('"shares"', '"offsets"', "relation 'g' lacks what a group needs"),
    ],
)
def test_broken_side_cars(old, new, message, tmp_path):
    side_car = written(tmp_path, SIDE_CAR.replace(old, new), "a.json")
    with pytest.raises(poise.FileError, match=message):
        poise.load(written(tmp_path, PLAIN), unit=0.01, limits=side_car)


@given(data=st.data())
def test_any_bytes_are_read_or_refused(data, tmp_path_factory):
    content = bytearray(SIDE_CAR.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.mktemp("limits")
    side_car = written(folder, bytes(content), "a.json")
    try:
        assert read(written(folder, PLAIN), unit=0.01, limits=side_car).clip is not None
    except poise.FileError:
        return
