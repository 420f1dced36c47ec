"""`poise pose --explain`."""

import json

import pytest

import poise
from poise.cli import DONE, FAILED, main

NEAR = "left_hand=0.35,1.30,0.45"
FAR = ["left_hand=0.2,1.2,3", "pelvis=0,0.9,0"]


def told(capsys, *arguments):
    code = main(["pose", *arguments, "--explain", "--json"])
    return code, json.loads(capsys.readouterr().out)["explanation"]


def test_a_met_goal_says_so(capsys):
    code, explanation = told(capsys, "--goal", NEAR)
    assert code == DONE
    (goal,) = explanation["goals"]
    assert goal["met"]
    assert goal["causes"] == goal["limits"] == goal["rivals"] == []
    assert goal["gain"] is None
    assert goal["sentence"].startswith("left_hand is met")


def test_unmet_goals_name_their_reasons(capsys):
    code, explanation = told(capsys, "--goal", *FAR)
    assert code == FAILED
    hand, pelvis = explanation["goals"]
    assert not hand["met"]
    assert not pelvis["met"]
    assert "conflict" in hand["causes"]
    assert hand["rivals"] == ["pelvis"]
    assert pelvis["rivals"] == ["left_hand"]
    assert "pelvis holds it back" in hand["sentence"]
    multipliers = [limit["multiplier"] for limit in explanation["limits"]]
    assert multipliers == sorted(multipliers, reverse=True)
    assert all(m > 0 for m in multipliers)


def test_it_is_the_explanation_of_the_solution(capsys):
    _, explanation = told(capsys, "--goal", *FAR)
    goals = [poise.Position("left_hand", (0.2, 1.2, 3)), poise.Position("pelvis", (0, 0.9, 0))]
    solved = poise.solve(poise.figures.human(), goals).explanation
    assert explanation["summary"] == solved.summary
    assert explanation["optimal"] == solved.optimal
    for row, goal in zip(explanation["goals"], solved.goals, strict=True):
        assert row["name"] == goal.name
        assert row["position_error"] == pytest.approx(goal.error.position)
        assert row["sentence"] == goal.sentence()
    assert [row["dof"] for row in explanation["limits"]] == [limit.dof for limit in solved.limits]


def test_people_get_a_table(capsys):
    assert main(["pose", "--goal", *FAR, "--explain"]) == FAILED
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("goal", "error", "cause", "why", "binding limit"))
    assert "conflict" in shown
    assert "pelvis holds it back" in shown
    assert "m²/rad" in shown
    assert shown.count("local optimum") == 1


def test_a_budget_that_ran_out_is_the_cause(capsys):
    assert main(["pose", "--goal", NEAR, "--max-time", "1e-9", "--explain"]) == FAILED
    shown = capsys.readouterr().out
    assert "unfinished" in shown
    assert "the solve ended before it was there" in shown
    assert "other goals" not in shown
    assert "not proven locally optimal" in shown


def test_met_goals_need_no_limits(capsys):
    assert main(["pose", "--goal", NEAR, "--explain"]) == DONE
    shown = capsys.readouterr().out
    assert "every goal is met" in shown
    assert "why" not in shown
    assert "binding limit" not in shown


def test_without_the_flag_there_is_no_explanation(capsys):
    assert main(["pose", "--goal", NEAR, "--json"]) == DONE
    assert "explanation" not in json.loads(capsys.readouterr().out)


def test_the_file_does_not_change(capsys, tmp_path):
    texts = []
    for name, more in (("a.json", []), ("b.json", ["--explain"])):
        main(["pose", "--goal", NEAR, "--out", str(tmp_path / name), *more])
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]


def test_help_shows_an_example(capsys):
    main(["pose", "--help"])
    assert "--explain" in capsys.readouterr().out
