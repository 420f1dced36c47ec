"""Reading BVH: every spelling of the same file, every arrangement of channels, the real clips."""

import codecs

import numpy as np
import pytest
from formats.bvhs import PLAIN, bvh_text, positions, written
from hypothesis import given, settings
from hypothesis import strategies as st
from mocap import FOLDER, files, needs_mocap, reference

import poise
from poise.formats import read

CHANNELS = [f"{axis}{what}" for what in ("position", "rotation") for axis in "XYZ"]


def load(folder, text, **options):
    return poise.load(written(folder, text), **{"unit": 0.01, "up": "Y"} | options)


def test_the_plain_file(tmp_path):
    clip = load(tmp_path, PLAIN)
    assert clip.figure.segment_names == ("Hips", "Chest", "LeftLeg")
    assert [site.name for site in clip.figure.sites] == ["Chest_End", "LeftLeg_End"]
    assert clip.figure.dof_names[:4] == ("Hips_tx", "Hips_ty", "Hips_tz", "Hips_rz")
    assert (len(clip), clip.name, clip.frame_time) == (2, "clip", 0.0083333)
    assert clip.source.frame_time == ".0083333"
    assert clip.angles[1, 1] == 0.91
    assert clip.angles[0, 6] == np.deg2rad(-40.0)
    np.testing.assert_allclose(clip.figure.segments[1].offset, [0.0, 0.5, 0.01])
    assert np.isinf(clip.figure.lower).all()


SPELLINGS = {
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "CR": PLAIN.replace("\n", "\r"),
    "BOM": codecs.BOM_UTF8 + PLAIN.encode(),
    "UTF-16": PLAIN.encode("utf-16"),
    "spaces for tabs": PLAIN.replace("\t", "    "),
    "one long line": " ".join(PLAIN.split()),
    "blank lines": PLAIN.replace("\n", "\n\n  \n"),
    "trailing white space": PLAIN.replace("\n", " \t\n"),
    "lower case": PLAIN.lower()
    .replace("hips", "Hips")
    .replace("chest", "Chest")
    .replace("leftleg", "LeftLeg"),
    "upper case": PLAIN.upper()
    .replace("HIPS", "Hips")
    .replace("CHEST", "Chest")
    .replace("LEFTLEG", "LeftLeg"),
    "rows wrapped over lines": PLAIN.replace("10 20 30", "10\n20\n30"),
    "scientific": PLAIN.replace("1 90 3", "1e0 9.0E+01 +3.e-0"),
    "no space after the colon": PLAIN.replace("Frames: 2", "Frames:2"),
    "space before the colon": PLAIN.replace("Frames: 2", "Frames : 2"),
    "braces on the line of the name": PLAIN.replace("Hips\n{", "Hips {").replace(
        "Chest\n\t{", "Chest{"
    ),
    "name on its own line": PLAIN.replace("ROOT Hips", "ROOT\n Hips"),
    "no line end at the end": PLAIN.rstrip(),
    "End Site with a name": PLAIN.replace("End Site", "End Site foot tip"),
}


@pytest.mark.parametrize("text", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_every_spelling_is_the_same_file(tmp_path, text):
    expected, found = load(tmp_path, PLAIN), load(tmp_path, text)
    assert found.figure.segment_names == expected.figure.segment_names
    assert found.figure.dof_names == expected.figure.dof_names
    np.testing.assert_array_equal(found.angles, expected.angles)
    np.testing.assert_array_equal(found.positions(), expected.positions())
    assert found.frame_time == expected.frame_time


@st.composite
def skeletons(draw):
    number = st.floats(-90, 90).map(lambda x: round(x, 3))
    joints = []
    for i in range(draw(st.integers(1, 5))):
        channels = draw(st.permutations(CHANNELS))[: draw(st.integers(0, 6))]
        offset = draw(st.tuples(number, number, number))
        end = draw(st.none() | st.tuples(number, number, number))
        parent = None if i == 0 else draw(st.integers(max(0, i - 2), i - 1))
        joints.append((f"j{i}", parent, offset, channels, end))
    # Depth first, as the columns of a file are.
    order = []

    def walk(index):
        order.append(index)
        for child, joint in enumerate(joints):
            if joint[1] == index:
                walk(child)

    walk(0)
    joints = [
        (name, None if parent is None else order.index(parent), *rest)
        for name, parent, *rest in (joints[i] for i in order)
    ]
    width = sum(len(j[3]) for j in joints)
    rows = [[draw(number) for _ in range(width)] for _ in range(2 if width else 0)]
    return joints, rows


@settings(max_examples=60)
@given(case=skeletons())
def test_any_arrangement_of_channels_by_the_definition(case, tmp_path_factory):
    joints, rows = case
    if any(
        joint[1] is not None and any(joint[2]) and any(c.endswith("position") for c in joint[3])
        for joint in joints
    ):
        # Not all zero: that is read as an addition, and has its own test.
        rows = [[value or 1.5 for value in row] for row in rows]
    folder = tmp_path_factory.mktemp("bvh")
    clip = load(folder, bvh_text(joints, rows))
    for i, row in enumerate(rows):
        expected = positions(joints, row)
        found = clip.positions(expected)[i] / 0.01
        np.testing.assert_allclose(found, list(expected.values()), atol=1e-9)
    again = folder / "again.bvh"
    poise.save(clip, again)
    back = poise.load(again, unit=0.01, up="Y")
    assert back.source.details == clip.source.details
    np.testing.assert_allclose(back.angles, clip.angles, atol=1e-7)
    np.testing.assert_allclose(back.positions(), clip.positions(), atol=1e-6)


def test_zero_positions_below_the_root_add(tmp_path):
    joints = [
        ("a", None, (1.0, 2.0, 3.0), CHANNELS, None),
        ("b", 0, (0.0, 10.0, 0.0), CHANNELS, (0.0, 5.0, 0.0)),
    ]
    rows = [[0.0] * 12, [4.0, 5.0, 6.0, *[0.0] * 9]]
    loaded = read(written(tmp_path, bvh_text(joints, rows)), unit=1.0)
    assert any("added to the OFFSETs" in note for note in loaded.source.notes)
    np.testing.assert_array_equal(loaded.value.position("b"), [[0, 10, 0], [4, 15, 6]])
    poise.save(loaded.value, tmp_path / "again.bvh")
    again = read(tmp_path / "again.bvh", unit=1.0).value
    np.testing.assert_array_equal(again.positions(), loaded.value.positions())


def test_names_used_twice_get_numbers(tmp_path):
    loaded = read(written(tmp_path, PLAIN.replace("LeftLeg", "Chest")), unit=0.01)
    assert loaded.value.figure.segment_names == ("Hips", "Chest", "Chest2")
    assert "Chest2" in loaded.source.notes[0]


def test_names_with_spaces_and_other_letters(tmp_path):
    named = PLAIN.replace("Chest", "Brust Wirbel é").encode("latin-1")
    assert "Brust Wirbel é" in load(tmp_path, named).figure.segment_names


def test_an_axis_twice(tmp_path):
    repeated = PLAIN.replace(
        "CHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0.0 40",
        "CHANNELS 3 Zrotation Yrotation Zrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0.0 40",
    )
    clip = load(tmp_path, repeated)
    assert clip.figure.segments[1].dof_names == ("Chest_rz", "Chest_ry", "Chest_rz2")
    poise.save(clip, tmp_path / "again.bvh")
    back = load(tmp_path, (tmp_path / "again.bvh").read_text())
    np.testing.assert_array_equal(back.angles, clip.angles)


@pytest.mark.parametrize(
    ("scale", "unit"),
    [(1.0, 0.01), (0.01, 1.0), (10.0, 0.001), (0.1, 0.1), (0.3937, 0.0254), (0.15, 0.0254 / 0.45)],
)
def test_the_unit_is_guessed_warned_about_and_kept(tmp_path, scale, unit):
    joints = [
        ("a", None, (0.0, 0.0, 0.0), CHANNELS, None),
        ("b", 0, (0.0, 90.0 * scale, 0.0), [], (0.0, 80.0 * scale, 0.0)),
    ]
    path = written(tmp_path, bvh_text(joints, [[1.0] * 6]))
    with pytest.warns(poise.FileWarning, match=r"the unit is not in the file: .* 1\.[4-7]"):
        clip = poise.load(path)
    assert clip.source.unit == unit
    assert clip.position("a")[0] == pytest.approx([unit] * 3)
    poise.save(clip, tmp_path / "b.bvh")
    assert "OFFSET 0.000000 " + f"{90 * scale:.6f}" in (tmp_path / "b.bvh").read_text()


def test_the_up_axis_is_that_of_the_skeleton_or_of_the_motion(tmp_path):
    def up(offset, row):
        joints = [("a", None, (0.0, 0.0, 0.0), CHANNELS, None), ("b", 0, offset, [], None)]
        return read(written(tmp_path, bvh_text(joints, [row])), unit=0.01)

    still = [0.0] * 6
    assert up((5.0, 90.0, 10.0), still).value.figure.up == "Y"
    assert up((5.0, 10.0, 90.0), still).value.figure.up == "Z"
    # As far along Y as along Z: what the motion makes of it decides, and is noted.
    turned = up((0.0, 50.0, 50.0), [0.0, 0.0, 0.0, 45.0, 0.0, 0.0])
    assert turned.value.figure.up == "Z"
    assert "up axis" in turned.source.notes[0]


def test_options_and_their_errors(tmp_path):
    path = written(tmp_path, PLAIN)
    clip = poise.load(path, unit=0.01, fps=50)
    assert clip.frame_time == 0.02
    with pytest.raises(poise.OptionError, match="did you mean 'unit'"):
        poise.load(path, units=0.01)
    for option in ({"unit": 0.0}, {"fps": -1.0}, {"up": "X"}):
        with pytest.raises(poise.OptionError):
            poise.load(path, **option)


def test_no_frames_is_a_clip_too(tmp_path):
    empty = PLAIN[: PLAIN.index("Frames")] + "Frames: 0\nFrame Time: 0.1\n"
    clip = load(tmp_path, empty)
    assert len(clip) == 0
    poise.save(clip, tmp_path / "out.bvh")
    assert len(load(tmp_path, (tmp_path / "out.bvh").read_text())) == 0


def test_a_very_deep_skeleton(tmp_path):
    depth = 3000
    text = "HIERARCHY\nROOT j0 { OFFSET 0 0 0 CHANNELS 1 Zrotation\n"
    text += "".join(f"JOINT j{i} {{ OFFSET 0 1 0 CHANNELS 1 Zrotation\n" for i in range(1, depth))
    text += "}" * depth + "\nMOTION\nFrames: 1\nFrame Time: 0.1\n" + "0 " * depth
    clip = load(tmp_path, text)
    assert clip.position(f"j{depth - 1}")[0, 1] == pytest.approx(0.01 * (depth - 1))


@needs_mocap
@pytest.mark.parametrize("name", files(".bvh"))
def test_joints_of_real_clips_are_where_the_reference_has_them(name):
    expected = reference()[name]
    clip = read(FOLDER / name).value
    found = clip.positions(expected["names"]) / clip.source.unit
    for frame, place in expected["frames"].items():
        np.testing.assert_allclose(found[int(frame)], place, atol=1e-6)
    assert clip.figure.up == ("Z" if "makehuman" in name else "Y")
