"""`poise study`."""

import json

import pytest

from poise.cli import DONE, FAILED, WRONG_CALL, main
from poise.study import jack, jack_figures


@pytest.fixture
def quick(monkeypatch):
    """Time every solve once, draw small pictures."""
    whole = jack.run
    monkeypatch.setattr(jack, "run", lambda folder: whole(folder, repeats=1))
    monkeypatch.setattr(jack_figures, "PIXELS", 60)


def test_jack_writes_its_folder_and_prints_tables(capsys, tmp_path, monkeypatch, quick):
    monkeypatch.chdir(tmp_path)
    assert main(["study", "jack"]) == DONE
    shown = capsys.readouterr().out
    assert all(
        text in shown for text in ("arm alone", "hand [cm]", "rigidity", "grouped", "paper [s]")
    )
    assert (tmp_path / "study-jack" / "jack.md").is_file()


def test_machines_get_what_the_file_has(capsys, tmp_path, quick):
    assert main(["study", "jack", "-o", str(tmp_path / "new"), "--json"]) == DONE
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "new" / "jack.json").read_text())


def test_a_folder_that_cannot_be_is_one_line_of_error(capsys, tmp_path):
    (tmp_path / "taken").write_text("mine")
    assert main(["study", "jack", "-o", str(tmp_path / "taken")]) == FAILED
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("poise: cannot make the folder")
    assert told.err.count("\n") == 1
    assert (tmp_path / "taken").read_text() == "mine"


def test_an_unknown_study_is_a_wrong_call(capsys):
    assert main(["study", "nothing"]) == WRONG_CALL
    assert "jack" in capsys.readouterr().err


def test_help_shows_an_example(capsys):
    main(["study", "--help"])
    assert "poise study jack" in capsys.readouterr().out
