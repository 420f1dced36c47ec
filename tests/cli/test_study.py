"""`poise study`."""

import json

import pytest

from poise.cli import DONE, FAILED, WRONG_CALL, main
from poise.cli.study import SHOWN
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


def test_pls_follows_the_clip_that_is_given(capsys, tmp_path, monkeypatch):
    import poise
    from poise.study import pls

    asked = []

    def run(folder, *, clip, report):
        asked.append(clip)
        return {"tables": {name: [{"method": "auto", "worst": 1e-9}] for name in SHOWN["pls"]}}

    monkeypatch.setattr(pls, "run", run)
    poise.save(poise.motions.jump(), tmp_path / "jump.bvh")
    clip = str(tmp_path / "jump.bvh")
    assert main(["study", "pls", "--clip", clip, "-o", str(tmp_path / "out")]) == DONE
    assert len(asked[0]) == len(poise.motions.jump())
    assert "1e-09" in capsys.readouterr().out


def test_a_clip_for_a_study_without_one_is_told(capsys, tmp_path):
    assert main(["study", "jack", "--clip", "walk.bvh", "-o", str(tmp_path / "out")]) == WRONG_CALL
    assert "has no clip" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_clip_that_is_not_there_is_told_before_a_folder_is_made(capsys, tmp_path):
    out = tmp_path / "out"
    assert main(["study", "pls", "--clip", str(tmp_path / "no.bvh"), "-o", str(out)]) != DONE
    assert "no.bvh" in capsys.readouterr().err
    assert not out.exists()
