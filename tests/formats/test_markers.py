"""C3D and TRC markers in, MOT out."""

from pathlib import Path

import numpy as np
import pytest
from formats.bvhs import written
from hypothesis import given, settings
from hypothesis import strategies as st
from motion.bodies import puppet, wandering

import poise
from poise.formats import c3d, read

TRC = """\
PathFileType\t4\t(X/Y/Z)\twalk.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
100.00\t100.00\t3\t2\tmm\t100.00\t1\t3
Frame#\tTime\tR ASI\t\t\tL.Heel\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.00\t1\t2\t3\t1000\t-2e3\t0.5
2\t0.01\t1\t\t3\tnan\tNaN\tnan
3\t0.02\t4\t5\t6\t\t\t
"""


def c3d_bytes(folder, points, unit="mm", names=("A", "B"), rate=100.0):
    """The bytes of a C3D file of points (frames, markers, 3) in its unit."""
    import ezc3d

    file = ezc3d.c3d()
    parameters = file["parameters"]["POINT"]
    parameters["RATE"]["value"] = [rate]
    parameters["LABELS"]["value"] = list(names)
    parameters["UNITS"]["value"] = [unit] if unit else []
    file["data"]["points"] = np.concatenate([points.T[:3], np.ones((1, *points.T.shape[1:]))])
    path = folder / "made.c3d"
    file.write(str(path))
    return path.read_bytes()


@pytest.fixture
def points():
    found = np.random.default_rng(2).normal(0, 500, (5, 2, 3))
    found[3, 1] = np.nan
    return found


@pytest.mark.parametrize(("unit", "metres"), [("mm", 0.001), ("m", 1.0), ("cm", 0.01)])
def test_c3d_markers_come_in_metres(unit, metres, points, tmp_path):
    path = written(tmp_path, c3d_bytes(tmp_path, points, unit), "a.c3d")
    markers = poise.load(path)
    assert markers.names == ("A", "B")
    assert markers.frame_time == pytest.approx(0.01)
    np.testing.assert_allclose(markers.points, metres * points, rtol=1e-6)  # NaN where it was


def test_a_c3d_file_without_a_unit(points, tmp_path):
    path = written(tmp_path, c3d_bytes(tmp_path, points, None), "a.c3d")
    loaded = read(path)
    assert "taken as mm" in loaded.source.notes[0]
    np.testing.assert_allclose(loaded.value.points, 0.001 * points, rtol=1e-6)
    np.testing.assert_allclose(read(path, unit=0.0254).value.points, 0.0254 * points, rtol=1e-6)


def test_c3d_without_ezc3d_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(c3d, "find_spec", lambda name: None)
    with pytest.raises(poise.OptionError, match=r"pip install 'poise\[c3d\]'"):
        poise.load(written(tmp_path, b"", "a.c3d"))


def test_what_crashes_ezc3d_is_an_error_of_ours(points, tmp_path):
    data = bytearray(c3d_bytes(tmp_path, points))
    data[594] = 0xFF  # found by fuzzing: ezc3d alone ends the interpreter
    with pytest.raises(poise.FileError, match=r"a\.c3d"):
        poise.load(written(tmp_path, bytes(data), "a.c3d"))


def test_what_ezc3d_never_ends_to_read_is_given_up(monkeypatch):
    monkeypatch.setattr(c3d, "LONGEST", 3.0)
    with pytest.raises(poise.FileError, match=r"endless\.c3d: found no end of it in 3 s"):
        poise.load(Path(__file__).parent / "findings" / "endless.c3d")  # found by fuzzing


@pytest.mark.parametrize("data", [b"", b"abc", bytes(600), b"\2\x50" + bytes(510)])
def test_what_is_no_c3d_file(data, tmp_path):
    with pytest.raises(poise.FileError, match=r"a\.c3d.*found.*expected"):
        poise.load(written(tmp_path, data, "a.c3d"))


@settings(max_examples=5)  # a process each
@given(data=st.data())
def test_any_c3d_bytes_are_read_or_refused(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("c3d")
    content = bytearray(c3d_bytes(folder, np.ones((5, 2, 3))))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, 1400))] = data.draw(st.integers(0, 255))
    refused_or(poise.Markers, written(folder, bytes(content), "a.c3d"))


def test_trc(tmp_path):
    markers = poise.load(written(tmp_path, TRC, "a.trc"))
    assert markers.names == ("R ASI", "L.Heel")
    assert markers.frame_time == 0.01
    nan = [np.nan] * 3
    expected = [[[1, 2, 3], [1000, -2000, 0.5]], [nan, nan], [[4, 5, 6], nan]]
    np.testing.assert_allclose(markers.points, 0.001 * np.array(expected))
    spaced = TRC.replace("R ASI", "RASI").replace("2\t0.01\t1\t\t3", "2\t0.01\t1\t2\t3")
    spaced = spaced.replace("6\t\t\t", "6\t7\t8\t9").replace("\t", " ").replace("\n", "\r\n")
    assert poise.load(written(tmp_path, spaced, "a.trc")).points[2, 1, 2] == pytest.approx(0.009)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("PathFileType", "Something", "line 1: found .*expected PathFileType"),
        ("\t3\t2\tmm", "\t4\t2\tmm", "line 3: found '4 frames', expected as many as there are: 3"),
        ("\t3\t2\tmm", "\t3\t5\tmm", "line 3: found '5 markers'"),
        ("100.00\t100", "zero\t100", "line 3: found 'zero', expected a number for DataRate"),
        ("-2e3", "-2x3", "line 7: found '-2x3'"),
        ("4\t5\t6\t\t\t", "4\t5\t6\t\t\t\t9", "line 9: found '9 numbers', expected 8"),
        ("Frame#", "Number", "line 4"),
    ],
)
def test_broken_trc_files(old, new, message, tmp_path):
    with pytest.raises(poise.FileError, match=message):
        poise.load(written(tmp_path, TRC.replace(old, new, 1), "a.trc"))


@given(data=st.data())
def test_any_trc_bytes_are_read_or_refused(data, tmp_path_factory):
    content = bytearray(TRC.encode())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = written(tmp_path_factory.mktemp("trc"), bytes(content), "a.trc")
    refused_or(poise.Markers, path)


def refused_or(kind, path):
    try:
        value = read(path).value
    except poise.FileError:
        return
    assert isinstance(value, kind)


def test_mot_has_degrees_metres_and_the_names_of_the_dofs(tmp_path):
    clip = wandering(puppet())
    poise.save(clip, tmp_path / "a.mot")
    lines = (tmp_path / "a.mot").read_text().splitlines()
    assert lines[1:5] == ["version=1", "nRows=12", f"nColumns={1 + len(clip.figure.dofs)}",
                          "inDegrees=yes"]  # fmt: skip
    start = lines.index("endheader") + 1
    assert lines[start].split("\t") == ["time", *clip.figure.dof_names]
    table = np.loadtxt(lines[start + 1 :])
    turns = [dof.kind == "rotation" for dof in clip.figure.dofs]
    np.testing.assert_allclose(table[:, 0], clip.times, atol=1e-9)
    expected = np.where(turns, np.degrees(clip.angles), clip.angles)
    np.testing.assert_allclose(table[:, 1:], expected, rtol=1e-9)
