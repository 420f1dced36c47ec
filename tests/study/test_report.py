"""What studies write: tables in three forms, and folders that can be written into."""

import csv
import json
import os

import pytest
from matplotlib.figure import Figure as Page

from poise.errors import FileError
from poise.study.report import Table, made_with, ready_folder, shown, write_report

TABLE = Table(
    "times", "Times", ("case", "time [ms]", "ok"), (("a, b", 0.5, True), ("c", 12.25, False))
)


def test_markdown_aligns_numbers_and_says_yes_and_no():
    assert TABLE.markdown().splitlines() == [
        "| case | time [ms] | ok |",
        "| --- | --: | --- |",
        "| a, b | 0.5 | yes |",
        "| c | 12.2 | no |",
    ]


def test_csv_keeps_every_digit_and_quotes():
    rows = list(csv.reader(TABLE.csv().splitlines()))
    assert rows == [["case", "time [ms]", "ok"], ["a, b", "0.5", "True"], ["c", "12.25", "False"]]


@pytest.mark.parametrize(("value", "text"), [(1e-15, "0"), (3, "3"), ("x", "x"), (-42.25, "-42.2")])
def test_values_for_people(value, text):
    assert shown(value) == text


def test_a_report_is_complete(tmp_path):
    told = write_report(tmp_path, "one", "# One\n\n{times}", [TABLE], {"page": Page()})
    assert {p.name for p in tmp_path.iterdir()} == {"one.md", "one.json", "times.csv", "page.png"}
    stored = json.loads((tmp_path / "one.json").read_text())
    assert stored == told
    assert stored["tables"]["times"][0] == {"case": "a, b", "time [ms]": 0.5, "ok": True}
    text = (tmp_path / "one.md").read_text()
    assert "**Times**" in text
    assert TABLE.markdown() in text
    assert f"numpy {stored['versions']['numpy']}" in text
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_versions_and_machine_are_told():
    told = made_with()
    assert set(told["versions"]) == {"python", "poise", "numpy", "numba", "matplotlib"}
    assert told["machine"]["cores"] >= 1
    assert told["machine"]["processor"]


def test_a_folder_is_made(tmp_path):
    assert ready_folder(tmp_path / "a" / "b").is_dir()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "taken").write_text("mine")
    for path in (tmp_path / "taken", tmp_path / "taken" / "deeper"):
        with pytest.raises(FileError, match="cannot make the folder"):
            ready_folder(path)
    assert (tmp_path / "taken").read_text() == "mine"


def test_no_permission_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileError, match="no permission; choose another place"):
        ready_folder(tmp_path)


def test_pictures_have_few_colours_and_keep_the_rare_ones(tmp_path):
    import numpy as np
    from PIL import Image

    from poise.study.page import empty_page

    page = empty_page(3.0, 2.0)
    axes = page.add_axes((0.0, 0.0, 1.0, 0.9))
    axes.set_axis_off()
    shades = np.linspace(0.0, 1.0, 200)
    axes.imshow(np.stack(np.meshgrid(shades, shades, 0.5)[:3], -1)[:, :, 0], aspect="auto")
    axes.plot([100], [100], "s", ms=2, color="#ff00ff")
    write_report(tmp_path, "test", "", [TABLE], {"figure": page})
    with Image.open(tmp_path / "figure.png") as drawn:
        assert drawn.mode == "P"
        shown = np.asarray(drawn.convert("RGB")).astype(int)
    page.savefig(tmp_path / "full.png")
    with Image.open(tmp_path / "full.png") as full:
        wanted = np.asarray(full.convert("RGB")).astype(int)
    assert (shown[0, 0] == 255).all()
    assert np.abs(shown - wanted).max() < 50
    assert np.abs(shown - [255, 0, 255]).max(-1).min() < 20
