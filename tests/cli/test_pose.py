"""`poise pose`."""

import json
import math

import pytest

import poise
from poise.cli import DONE, FAILED, main

NEAR = "left_hand=0.35,1.30,0.45"
FAR = "left_hand=5,1,0"


def test_a_reached_goal(capsys):
    assert main(["pose", "--goal", NEAR]) == DONE
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("left_hand", "cm", "iterations", "limits"))


def test_a_goal_out_of_reach_still_gets_an_answer(capsys, tmp_path):
    out = tmp_path / "pose.json"
    assert main(["pose", "--goal", FAR, "--out", str(out), "--figure", "arm"]) == 2
    capsys.readouterr()
    goals = ["--goal", FAR, "--goal", "right_hand=-5,1,0", "pelvis=0,1,0"]
    assert main(["pose", *goals, "--out", str(out), "--json"]) == FAILED
    told = json.loads(capsys.readouterr().out)
    assert not told["reached"]
    assert told["limits_held"]
    assert max(goal["error"] for goal in told["goals"]) > 1.0
    assert out.exists()


def test_json_is_the_pose(capsys, tmp_path):
    out = tmp_path / "pose.json"
    assert main(["pose", "--goal", NEAR, "--json", "--out", str(out)]) == DONE
    told = json.loads(capsys.readouterr().out)
    human = poise.figures.human()
    pose = human.pose({n: v.get("radians", v.get("metres")) for n, v in told["dofs"].items()})
    assert pose.is_inside_limits
    assert math.dist(pose.position("left_hand"), (0.35, 1.30, 0.45)) < 1e-3
    assert told["sites"]["left_hand"] == pytest.approx(pose.position("left_hand").tolist())
    elbow = told["dofs"]["left_elbow_flexion"]
    assert elbow["degrees"] == pytest.approx(math.degrees(elbow["radians"]))
    written = json.loads(out.read_text())
    assert written.items() <= told.items()


def test_the_file_is_the_same_every_time(tmp_path):
    texts = []
    for name in ("a.json", "b.json"):
        main(["pose", "--goal", NEAR, "--out", str(tmp_path / name)])
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]


def test_several_goals_may_follow_one_option(capsys):
    assert main(["pose", "--goal", NEAR, "pelvis=0,0.9,0", "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert [goal["name"] for goal in told["goals"]] == ["left_hand", "pelvis"]


@pytest.mark.parametrize("figure", ["jack", "arm", "spider", "snake:12"])
def test_every_figure_from_both_starts(figure, capsys):
    for start in ("rest", "middle"):
        main(["info", figure, "--json"])
        site = json.loads(capsys.readouterr().out)["sites"][-1]
        goal = site["name"] + "=" + ",".join(map(str, site["position"]))
        arguments = ["pose", "--figure", figure, "--start", start, "--goal", goal, "--json"]
        assert main(arguments) == DONE
        capsys.readouterr()


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_picture(suffix, tmp_path, capsys):
    picture = tmp_path / f"pose{suffix}"
    assert main(["pose", "--goal", NEAR, "--picture", str(picture)]) == DONE
    assert picture.stat().st_size > 10_000
    assert picture.name in capsys.readouterr().out.replace("\n", "")


def test_a_place_that_cannot_be_written_is_said_before_the_work(tmp_path, capsys):
    missing = tmp_path / "no" / "pose.json"
    assert main(["pose", "--goal", NEAR, "--out", str(missing)]) == FAILED
    assert "there is no folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_goal_given_twice_is_a_wrong_call(capsys):
    assert main(["pose", "--goal", NEAR, "--goal", FAR]) == 2
    assert "left_hand" in capsys.readouterr().err
