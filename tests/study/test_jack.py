"""The whole Jack study: what it writes."""

import csv
import json

import pytest

from poise.study import jack, jack_figures

TABLES = {
    "reach",
    "rigidity",
    "reach_joints",
    "tube",
    "tube_goals",
    "tube_regularity",
    "tube_spine",
}
FIGURES = {"reach", "tube", "spine"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("study") / "jack"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jack_figures, "PIXELS", 60)
        jack.run(made, repeats=1)
    return made


def test_the_files(folder):
    names = {"jack.md", "jack.json"}
    names |= {f"{table}.csv" for table in TABLES} | {f"{figure}.png" for figure in FIGURES}
    assert {path.name for path in folder.iterdir()} == names


def test_the_numbers_are_the_same_in_all_forms(folder):
    stored = json.loads((folder / "jack.json").read_text())
    assert set(stored["tables"]) == TABLES
    assert stored["versions"]["numba"]
    for name, records in stored["tables"].items():
        rows = list(csv.reader((folder / f"{name}.csv").read_text().splitlines()))
        assert rows[0] == list(records[0])
        assert rows[1:] == [[str(value) for value in record.values()] for record in records]


def test_the_text_shows_every_figure_and_why_the_arm_falls_short(folder):
    text = (folder / "jack.md").read_text()
    assert all(f"]({figure}.png)" in text for figure in FIGURES)
    assert "cm short: the figure is stretched out" in text
    assert "{" not in text


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_figures_are_pictures(folder, figure):
    assert (folder / f"{figure}.png").read_bytes().startswith(b"\x89PNG")
