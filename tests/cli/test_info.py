"""`poise info`."""

import json
import math

import pytest

import poise
from poise.cli import DONE, main

FIGURES = ["human", "jack", "arm", "spider", "snake:7"]


@pytest.mark.parametrize("name", FIGURES)
def test_json_tells_the_whole_figure(name, capsys):
    assert main(["info", name, "--json"]) == DONE
    told = json.loads(capsys.readouterr().out)
    figure = poise.figures.snake(7) if name == "snake:7" else getattr(poise.figures, name)()
    assert [dof["name"] for dof in told["dofs"]] == list(figure.dof_names)
    assert [dof["lower"] for dof in told["dofs"]] == [
        x if math.isfinite(x) else None for x in figure.lower
    ]
    assert [segment["name"] for segment in told["segments"]] == list(figure.segment_names)
    place = told["sites"][0]
    assert place["position"] == figure.rest().position(place["name"]).tolist()


@pytest.mark.parametrize("name", FIGURES)
def test_the_table_names_everything(name, capsys):
    assert main(["info", name]) == DONE
    shown = capsys.readouterr().out
    figure = poise.figures.snake(7) if name == "snake:7" else getattr(poise.figures, name)()
    assert f"{len(figure.dofs)} DOFs" in shown
    names = [*figure.dof_names, *figure.segment_names, *(site.name for site in figure.sites)]
    assert all(name in shown for name in names)


def test_limits_are_shown_in_degrees(capsys):
    main(["info", "human"])
    line = next(row for row in capsys.readouterr().out.splitlines() if "left_elbow_flexion" in row)
    human = poise.figures.human()
    i = human.dof_index("left_elbow_flexion")
    assert f"{math.degrees(human.upper[i]):.1f}°" in line


def test_a_side_without_a_limit_is_free(capsys):
    main(["info", "human"])
    root = next(row for row in capsys.readouterr().out.splitlines() if "free" in row)
    assert "°" in root or "cm" in root


def test_a_long_table_is_cut_and_says_so(capsys):
    main(["info", "snake:1000"])
    shown = capsys.readouterr().out
    assert "--json shows all" in shown
    assert shown.count("\n") < 1000
