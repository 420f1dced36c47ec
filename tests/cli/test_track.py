"""`poise track` and `poise retarget`: files in, files out, JSON, exit codes."""

import json

import mujoco
import numpy as np
import pytest
from formats.humanoid import humanoid, humanoid_with_y_up
from formats.test_markers import c3d_bytes
from motion.marker_trials import MANY, NAMES, bare, noisy, renamed, walked

import poise
from poise.cli import DONE, FAILED, WRONG_CALL, main


@pytest.fixture
def walk(tmp_path):
    path = tmp_path / "walk.bvh"
    poise.save(poise.motions.walk().resampled(15.0), path)
    return path


def test_a_clip_is_tracked_and_written(walk, tmp_path, capsys):
    out = tmp_path / "out.bvh"
    assert main(["track", str(walk), "--unit", "0.01", "--out", str(out)]) == DONE
    told = capsys.readouterr().out
    assert "0 frames off by more than 1 cm" in told
    made = poise.load(out, unit=0.01)
    expected = poise.load(walk, unit=0.01)
    hands = ["left_hand", "right_hand"]
    assert np.abs(made.positions(hands) - expected.positions(hands)).max() < 0.01


def test_feet_that_slide_get_a_hint_and_locked_ones_none(walk, capsys):
    call = ["track", str(walk), "--unit", "0.01"]
    main(call)
    assert "--contacts locks them" in capsys.readouterr().out
    main([*call, "--contacts"])
    assert "--contacts" not in capsys.readouterr().out


def test_json_limits_and_interval(walk, capsys):
    call = ["track", str(walk), "--unit", "0.01", "--json", "--interval", "0.2"]
    assert main([*call, "--limits", "none", "--effectors", "left_hand", "head"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["goals"] == 2
    assert told["at_limit"] == {}
    assert main([*call, "--limits", "file", "--max-velocity", "1"]) == FAILED
    assert json.loads(capsys.readouterr().out)["frames_off"] > 0


@pytest.mark.parametrize(
    "wrong",
    [
        ["track", "WALK", "--limits", "learned:x"],
        ["track", "WALK", "--limits", "learned:-3"],
        ["track", "WALK", "--effectors", "nose"],
        ["track", "WALK", "--out", "out.txt"],
        ["track", "human"],
        ["retarget", "WALK", "--to", "human"],
        ["retarget", "WALK", "--to", "martian", "--out", "out.bvh"],
        ["retarget", "WALK", "--to", "human", "--out", "out.bvh", "--stiff", "knee"],
        ["retarget", "WALK", "--to", "snake:3", "--out", "out.bvh"],
    ],
)
def test_wrong_calls_end_with_one_line_and_write_nothing(
    walk, tmp_path, capsys, monkeypatch, wrong
):
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    arguments = [str(walk) if word == "WALK" else word for word in wrong]
    assert main([*arguments, "--unit", "0.01"]) == WRONG_CALL
    assert capsys.readouterr().err.startswith("poise: ")
    assert set(tmp_path.iterdir()) == before


def test_a_file_that_is_not_there_fails(tmp_path, capsys):
    assert main(["track", str(tmp_path / "none.bvh")]) == FAILED
    assert "none.bvh" in capsys.readouterr().err


def test_a_clip_is_retargeted_by_a_map_that_was_written(walk, tmp_path, capsys):
    chosen, out = tmp_path / "map.json", tmp_path / "out.bvh"
    call = ["retarget", str(walk), "--unit", "0.01", "--to", "human"]
    assert main([*call, "--save-mapping", str(chosen)]) == DONE
    assert "follow" in capsys.readouterr().out
    assert main([*call, "--mapping", str(chosen), "--out", str(out), "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["frames"] == len(poise.load(out, unit=0.01))
    assert told["feet"]["slip"] <= 0.005
    assert told["mapping"]["pairs"]["left_thigh"] == "left_thigh"
    chosen.write_text("{")
    assert main([*call, "--mapping", str(chosen), "--out", str(out)]) == FAILED


def test_a_clip_is_retargeted_onto_a_robot_that_walks(walk, tmp_path, capsys):
    robot, out = tmp_path / "robot.urdf", tmp_path / "angles.csv"
    robot.write_text(humanoid())
    call = ["retarget", str(walk), "--unit", "0.01", "--to", str(robot), "--out", str(out)]
    assert main([*call, "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["feet"]["slip"] <= 0.005
    names, *rows = out.read_text().splitlines()
    robot.write_text(humanoid_with_y_up())
    assert main([*call, "--to-up", "Y", "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["feet"]["slip"] <= 0.005
    assert "left_knee_pitch_joint" in names
    table = np.array([row.split(",") for row in rows], float)
    assert len(table) == len(poise.load(walk, unit=0.01))
    assert np.ptp(table[:, 1:4], axis=0).max() > 0.5


def test_a_clip_is_retargeted_onto_a_model_of_mujoco(walk, tmp_path, capsys):
    text = humanoid().replace(
        "</robot>", '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco></robot>'
    )
    model, out = tmp_path / "model.xml", tmp_path / "qpos.csv"
    mujoco.mj_saveLastXML(str(model), mujoco.MjModel.from_xml_string(text))
    pelvis = '<body name="pelvis">'
    model.write_text(model.read_text().replace(pelvis, f'{pelvis}<freejoint name="root"/>'))
    call = ["retarget", str(walk), "--unit", "0.01", "--to", str(model), "--out", str(out)]
    assert main([*call, "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["feet"]["slip"] <= 0.005
    assert told["turn_error"] < np.radians(6.0)
    names, *rows = out.read_text().splitlines()
    assert names.startswith("time,root_tx,root_ty,root_tz,root_qw,root_qx,root_qy,root_qz,")
    known = mujoco.MjModel.from_xml_path(str(model))
    data = mujoco.MjData(known)
    data.qpos[:] = [float(number) for number in rows[-1].split(",")[1:]]
    mujoco.mj_kinematics(known, data)
    feet = [data.body(f"{side}_ball").xpos[2] for side in ("left", "right")]
    assert abs(min(feet)) < 0.01  # one stands on the ground


@pytest.fixture
def trial(tmp_path):
    """A walk as a laboratory with Z up has it: millimetres, with a gap."""
    _, markers = walked(frames=20)
    points = 1000.0 * markers.points[..., [0, 2, 1]] * [1.0, -1.0, 1.0]
    points[5:9, 3] = np.nan
    path = tmp_path / "trial.c3d"
    path.write_bytes(c3d_bytes(tmp_path, points, names=NAMES, rate=30.0))
    return path


def test_markers_are_tracked_by_their_names_and_calibrated(trial, tmp_path, capsys):
    out, chosen = tmp_path / "out.bvh", tmp_path / "me.json"
    call = ["track", str(trial), "--out", str(out)]
    assert main([*call, "--save-markers", str(chosen)]) == DONE
    told = capsys.readouterr().out
    assert "4 samples missing" in told
    assert "taken as Z" in told
    assert "0.92" in told
    assert len(poise.load(out, unit=0.01)) == 20
    again = [*call, "--markers", str(chosen), "--weights", "LTHI=0", "LFHD=0.5", "--json"]
    assert main(again) == DONE
    report = json.loads(capsys.readouterr().out)
    assert report["goals"] == len(NAMES) - 1
    assert report["mean_error"] < 0.002
    assert report["map"]["markers"]["LFHD"]["weight"] == 0.5
    static = [*call, "--static", str(trial), "--up", "Z", "--limits", "none", "--json"]
    assert main([*static, "--effectors", *NAMES[:30]]) == DONE
    assert json.loads(capsys.readouterr().out)["goals"] == 30


@pytest.mark.parametrize(
    "wrong",
    [
        ["TRIAL", "--limits", "learned:10"],
        ["TRIAL", "--effectors", "NOSE"],
        ["TRIAL", "--weights", "LTHI"],
        ["TRIAL", "--weights", "LTHI=-1"],
        ["TRIAL", "--static", "human"],
        ["TRIAL", "--save-markers", "map.txt"],
        ["TRIAL", "--contacts"],
        ["WALK", "--weights", "LTHI=1"],
    ],
)
def test_wrong_calls_with_markers_write_nothing(trial, walk, tmp_path, capsys, monkeypatch, wrong):
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    words = [{"TRIAL": str(trial), "WALK": str(walk)}.get(word, word) for word in wrong]
    assert main(["track", *words, "--out", "out.bvh"]) == WRONG_CALL
    assert capsys.readouterr().err.splitlines()[-1].startswith("poise: ")
    assert set(tmp_path.iterdir()) == before


def trc(path, markers):
    """A file as people make it by hand."""
    lines = [
        "PathFileType\t4\t(X/Y/Z)\ta.trc",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate"
        "\tOrigDataStartFrame\tOrigNumFrames",
        f"30\t30\t{len(markers)}\t{len(markers.names)}\tm\t30\t1\t{len(markers)}",
        "Frame#\tTime\t" + "\t\t\t".join(markers.names),
        "\t\t" + "\t".join(f"{a}{k + 1}" for k in range(len(markers.names)) for a in "XYZ"),
    ]
    for i, points in enumerate(markers.points):
        cells = ["" if np.isnan(v) else f"{v:.6f}" for v in points.ravel()]
        lines.append("\t".join([str(i + 1), f"{i / 30:.4f}", *cells]))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def written_map(path, mapping):
    path.write_text(json.dumps({"markers": {n: p.on for n, p in mapping.places.items()}}))
    return str(path)


@pytest.mark.parametrize("static", [False, True])
def test_a_map_without_offsets_is_calibrated_and_the_size_not_made_up(static, tmp_path, capsys):
    trial = trc(tmp_path / "a.trc", noisy(MANY, 1.0))
    call = ["track", trial, "--markers", written_map(tmp_path / "map.json", bare(MANY))]
    assert main([*call, *(["--static", trial] if static else [])]) == DONE
    told = capsys.readouterr().out
    assert "28 markers, the subject 1.000 times as large as human" in told
    assert "that is kept" in told


def test_a_wrong_map_that_was_not_calibrated_says_so(tmp_path, capsys):
    trial = trc(tmp_path / "a.trc", noisy(MANY, 1.0))
    places = {n: {"on": p.on, "offset": [0, 0, 0]} for n, p in bare(MANY).places.items()}
    (tmp_path / "map.json").write_text(json.dumps({"markers": places}))
    assert main(["track", trial, "--markers", str(tmp_path / "map.json")]) == FAILED
    told = capsys.readouterr().out
    assert "nothing was calibrated: --static" in told
    assert "a marker is off by more than 3 cm in 40 of 40 frames" in told


def test_a_static_trial_that_tells_too_little_is_doubted(tmp_path, capsys):
    moving = noisy(MANY, 1.0)
    trial = trc(tmp_path / "a.trc", moving)
    still = trc(tmp_path / "still.trc", poise.Markers(MANY, moving.points[[0] * 8]))
    chosen = written_map(tmp_path / "map.json", bare(MANY))
    assert main(["track", trial, "--markers", chosen, "--static", still]) == FAILED
    assert "try without --static" in capsys.readouterr().out


def test_exchanged_names_are_said_and_fail(tmp_path, capsys):
    trial = trc(tmp_path / "a.trc", renamed(noisy(MANY, 1.0), [("LKNE", "RKNE")]))
    assert main(["track", trial]) == FAILED
    assert "look exchanged, the fit is far better so: LKNE and RKNE" in capsys.readouterr().out


def test_a_marker_that_is_never_seen_is_left_out_with_a_note(tmp_path, capsys):
    points = noisy(MANY, 1.0).points.copy()
    points[:, MANY.index("T10")] = np.nan
    assert main(["track", trc(tmp_path / "a.trc", poise.Markers(MANY, points))]) == DONE
    told = capsys.readouterr().out
    assert "missing in all frames of the calibration and left out: T10" in told
    assert "27 goals" in told


def test_a_source_without_jitter_is_said_to_have_none(tmp_path, capsys):
    start = noisy(MANY, 1.0, noise=0.0).points[0]
    step = np.array([0.0, 0.0, 0.03])
    gliding = start + step * np.arange(12)[:, None, None]
    main(["track", trc(tmp_path / "a.trc", poise.Markers(MANY, gliding, 1 / 30))])
    told = capsys.readouterr().out
    assert "the source has none" in told
    assert "of the source's" not in told
