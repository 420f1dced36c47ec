"""`poise convert`, and `poise info` and `poise pose` of files."""

import json

import numpy as np
import pytest
from formats.bvhs import PLAIN, written
from formats.test_asf_amc import AMC, ASF
from formats.test_markers import TRC
from formats.urdfs import ARM

import poise
from poise.cli import DONE, FAILED, WRONG_CALL, main


@pytest.fixture
def acclaim(tmp_path):
    written(tmp_path, ASF, "s.asf")
    return written(tmp_path, AMC.replace("arm 7 8", "arm 3 8"), "s_01.amc")


def test_a_motion_becomes_a_bvh(acclaim, tmp_path, capsys):
    out = tmp_path / "out.bvh"
    assert main(["convert", str(acclaim), str(out)]) == DONE
    told = capsys.readouterr()
    assert "2 frames" in told.out
    assert "120 fps" in told.err
    clip = poise.load(out, unit=0.0254 / 0.45, up="Y")
    expected = poise.formats.read(acclaim).value
    np.testing.assert_allclose(
        clip.positions(expected.figure.segment_names),
        expected.positions(expected.figure.segment_names),
        atol=1e-6,
    )


def test_frames_fps_and_json(tmp_path, capsys):
    source = written(tmp_path, PLAIN.replace(".0083333", "0.5"))
    out = tmp_path / "out.bvh"
    call = ["convert", str(source), str(out), "--unit", "0.01", "--out-unit", "1", "--json"]
    assert main([*call, "--fps", "4"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert (told["frames"], told["fps"], told["notes"]) == (3, 4.0, [])
    assert "OFFSET 0.000000 0.500000 0.010000" in out.read_text()
    assert main([*call, "--frames", "1:"]) == DONE
    assert json.loads(capsys.readouterr().out)["frames"] == 1
    for wrong in ("2", "1:9", "a:b", "1:1"):
        assert main([*call, "--frames", wrong]) == WRONG_CALL
        assert "--frames" in capsys.readouterr().err


def test_a_built_in_figure_becomes_a_bvh(tmp_path, capsys):
    out = tmp_path / "human.bvh"
    assert main(["convert", "human", str(out)]) == DONE
    assert main(["pose", "--figure", str(out), "--goal", "left_hand=0.3,1.2,0.3"]) == DONE
    assert "centimetres" in capsys.readouterr().err


def test_a_pose_is_written_as_bvh(tmp_path):
    out = tmp_path / "pose.bvh"
    assert main(["pose", "--goal", "left_hand=0.3,1.2,0.3", "--out", str(out)]) == DONE
    clip = poise.load(out, unit=0.01)
    assert len(clip) == 1
    np.testing.assert_allclose(clip.position("left_forearm")[0], [0.3, 1.2, 0.3], atol=0.35)


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        (["convert", "none.bvh", "OUT.bvh"], FAILED, "no such file"),
        (["convert", "BAD.bvh", "OUT.bvh"], FAILED, "line 2"),
        (["convert", "human", "OUT.xyz"], WRONG_CALL, ".bvh"),
        (["convert", "humam", "OUT.bvh"], WRONG_CALL, "human"),
        (["convert", "human", "OUT.bvh", "--fps", "30"], WRONG_CALL, "motion"),
        (["convert", "human", "OUT.bvh", "--out-unit", "-1"], WRONG_CALL, "out-unit"),
        (["info", "none.bvh"], FAILED, "no such file"),
        (["info", "BAD.bvh"], FAILED, "line 2"),
    ],
)
def test_failures_are_one_line_and_write_nothing(call, code, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "HIERARCHY\nnonsense", "BAD.bvh")
    assert main(call) == code
    told = capsys.readouterr()
    assert words in told.err
    assert told.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["BAD.bvh"]


def test_info_tells_frames_units_limits_and_notes(acclaim, capsys):
    assert main(["info", str(acclaim)]) == DONE
    shown = capsys.readouterr().out
    for words in ("2 frames, 120 fps", "0.0564444 m", "outside its limits in 1 frames: arm_rx in 1",
                  "note: the frame rate", "20.0°"):  # fmt: skip
        assert words in shown
    assert main(["info", str(acclaim), "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["clip"]["outside_limits"] == {"arm_rx": 1}
    assert told["source"]["unit"] == 0.0254 / 0.45
    assert len(told["source"]["notes"]) == 2


def test_info_of_a_bvh_and_of_a_skeleton(acclaim, tmp_path, capsys):
    bvh = written(tmp_path, PLAIN)
    assert main(["info", str(bvh)]) == DONE
    shown = capsys.readouterr().out
    assert "Frame Time .0083333" in shown
    assert "give unit= [m]" in " ".join(shown.split())
    assert main(["info", str(bvh), "--unit", "0.02", "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["source"]["unit"] == 0.02
    assert told["source"]["frame_time"] == ".0083333"
    assert main(["info", str(acclaim.with_name("s.asf"))]) == DONE
    assert "1 unit of the file" in capsys.readouterr().out


def test_which_axis_is_up_can_be_said(tmp_path, capsys):
    for path in (written(tmp_path, ARM, "arm.urdf"), written(tmp_path, PLAIN)):
        for up in ("Y", "Z"):
            assert main(["info", str(path), "--up", up, "--json"]) == DONE
            assert json.loads(capsys.readouterr().out)["up"] == up
        out = tmp_path / "out.poise"
        assert main(["convert", str(path), str(out), "--up", "Z"]) == DONE
        capsys.readouterr()
        assert poise.load(out).figure.up == "Z"


def test_markers_are_not_converted_and_the_way_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, TRC, "trial.trc")
    assert main(["convert", "trial.trc", "out.bvh"]) == WRONG_CALL
    assert "poise track" in capsys.readouterr().err
    assert not (tmp_path / "out.bvh").exists()


def test_kinds_of_files_that_others_turn_into_ours(tmp_path, capsys):
    for name, remedy in ("robot.xacro", "xacro robot.xacro"), ("body.fbx", "glTF"):
        (tmp_path / name).write_text("")
        main(["convert", str(tmp_path / name), str(tmp_path / "out.bvh")])
        assert remedy in capsys.readouterr().err
