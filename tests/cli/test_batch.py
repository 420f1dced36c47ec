"""`poise batch` and `poise report`: exit codes, lines, events, one-line errors."""

import json

import pytest
from batch.archives import make_archive

from poise.cli import main


@pytest.fixture
def archive(tmp_path):
    return make_archive(tmp_path / "in", ["walk.bvh", "run.bvh"])


def test_a_batch_and_its_report(archive, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["batch", str(archive), "-o", str(out), "-j", "0"]) == 0
    said = capsys.readouterr()
    assert "2 clips in" in said.out
    assert "2 to do" in said.err
    assert main(["report", str(out), "--pictures", "0"]) == 0
    assert "report.html" in capsys.readouterr().out
    assert main(["report", str(out), "--pictures", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["done"] == 2


def test_events_are_json_and_a_failure_is_exit_code_1(archive, tmp_path, capsys):
    (archive / "bad.bvh").write_text("?")
    call = ["batch", str(archive), "-o", str(tmp_path / "out"), "-j", "0", "--json"]
    assert main(call) == 1
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["planned", "clip", "clip", "clip", "done"]
    assert events[-1]["failed"] == 1
    assert events[-1]["frames"] == 24
    # Known failures still count; what is done is skipped.
    assert main(call) == 1
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["planned", "done"]
    assert events[0]["skipped"] == 3
    assert main(["report", str(tmp_path / "out")]) == 1


def test_settings_and_job(archive, tmp_path, capsys):
    settings = tmp_path / "s.toml"
    settings.write_text('job = "convert"\nresample = 15\n')
    out = str(tmp_path / "out")
    call = ["batch", str(archive), "-o", out, "-j", "0", "--settings", str(settings)]
    assert main(call) == 0
    assert main([*call, "--job", "track"]) == 2
    settings.write_text('job = "convert"\nresampel = 15\n')
    assert main(call) == 2
    assert "did you mean 'resample'" in capsys.readouterr().err


def test_wrong_calls_are_one_line(tmp_path, capsys):
    assert main(["batch", str(tmp_path / "gone"), "-o", str(tmp_path / "out")]) == 1
    assert main(["report", str(tmp_path)]) == 1
    assert main(["batch", str(tmp_path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("poise: ") for line in lines)


def test_ctrl_c_in_the_first_process(archive, tmp_path, capsys, monkeypatch):
    from poise.batch import pool

    def interrupted(task):
        raise KeyboardInterrupt

    monkeypatch.setattr(pool, "work", interrupted)
    assert main(["batch", str(archive), "-o", str(tmp_path / "out"), "-j", "0"]) == 130
    assert "run the same again to go on" in " ".join(capsys.readouterr().out.split())
    monkeypatch.undo()
    assert main(["batch", str(archive), "-o", str(tmp_path / "out"), "-j", "0"]) == 0
