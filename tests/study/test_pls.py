"""The whole PLS study: what it writes."""

import csv
import json

import pytest

import poise
from poise.study import film, flip, following, leg, pls, pls_tables

TABLES = {"tolerance", "whole", "bar", "slots", "flip", "leg"}
FIGURES = {"boxes_0.05", "boxes_0.7", "boxes_1", "slots", "film", "flip", "leg"}
METHODS = tuple(pls.STRIPS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("study") / "pls"
    told = []
    with pytest.MonkeyPatch.context() as patch:
        for module in (film, flip, leg):
            patch.setattr(module, "PIXELS", 40)
        patch.setattr(following, "ENOUGH", 1)
        clip = poise.motions.gymnastics()[:190]
        pls.run(made, clip=clip, names=METHODS, report=lambda *counts: told.append(counts))
    assert told[0] == (0, len(METHODS) * 12)
    return made


def test_the_files(folder):
    names = {"pls.md", "pls.json"}
    names |= {f"{table}.csv" for table in TABLES} | {f"{figure}.png" for figure in FIGURES}
    assert {path.name for path in folder.iterdir()} == names


def test_the_numbers_are_the_same_in_all_forms(folder):
    stored = json.loads((folder / "pls.json").read_text())
    assert set(stored["tables"]) == TABLES
    for name, records in stored["tables"].items():
        rows = list(csv.reader((folder / f"{name}.csv").read_text().splitlines()))
        assert rows[0] == list(records[0])
        assert rows[1:] == [[str(value) for value in record.values()] for record in records]


def test_every_method_is_in_every_setting_and_keeps_its_limits(folder):
    tables = json.loads((folder / "pls.json").read_text())["tables"]
    for name in ("tolerance", "whole"):
        rows = tables[name]
        cases = {(row["interval [s]"], row["method"]) for row in rows}
        assert cases == {(i, m) for i in following.INTERVALS for m in METHODS}
        assert all(row["limits broken"] == 0 for row in rows)
    assert len(tables["bar"]) == 3 * (len(METHODS) - 1)
    assert len(tables["slots"]) == 3 * len(METHODS)


def test_the_text_shows_every_figure_and_what_was_followed(folder):
    text = (folder / "pls.md").read_text()
    assert all(f"]({figure}.png)" in text for figure in FIGURES)
    assert "gymnastics, 3.1 s long" in text
    assert "71 DOFs" in text
    assert "65 of the joints have limits (130 in all)" in " ".join(text.split())
    assert "{" not in text


@pytest.mark.parametrize("figure", sorted(FIGURES))
def test_figures_are_pictures(folder, figure):
    assert (folder / f"{figure}.png").read_bytes().startswith(b"\x89PNG")


def test_verdicts_compare_our_worst_with_another_s_median():
    nothing = pls_tables.NOTHING
    assert nothing == pytest.approx(6 * (1e-6 / 0.2) ** 2)
    assert pls_tables.verdict(1e-3, 1e-2) == "better"
    assert pls_tables.verdict(1e-2, 1e-3) == "MISSED: worse"
    assert pls_tables.verdict(nothing, 0.1 * nothing) == "as good: both within 1 µm"
    assert pls_tables.verdict(2.0 * nothing, nothing) == "MISSED: worse"
