"""Progress is shown only when there is something to wait for."""

from poise.cli.progress import compiling


def test_nothing_is_shown_when_nothing_compiles(capsys):
    with compiling():
        pass
    assert capsys.readouterr() == ("", "")


def test_a_log_gets_one_line_on_standard_error(capsys):
    with compiling() as report:
        for done in range(4):
            report(done, 3)
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert "only the first time" in output.err


def test_a_terminal_gets_a_bar(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal
    with compiling() as report:
        report(1, 3)
    assert "only the first time" in capsys.readouterr().err
