"""The command line as a whole: help, exit codes, one line of error, no traceback."""

import subprocess
import sys
from types import ModuleType

import pytest

from poise.cli import DONE, FAILED, INTERRUPTED, WRONG_CALL, app, main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`poise ARGUMENTS` in a process of its own."""
    command = [sys.executable, "-m", "poise", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


VERBS = [verb.NAME for verb in app.VERBS]


def test_help_names_every_verb(capsys):
    assert main(["--help"]) == DONE
    shown = capsys.readouterr().out
    assert all(word in shown for word in (*VERBS, "Exit codes", "Examples:"))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples(verb, capsys):
    assert main([verb, "--help"]) == DONE
    shown = capsys.readouterr().out
    assert f"poise {verb}" in shown.split("Examples:")[1]
    assert "--json" in shown or verb == "studio"  # which is for people


def test_version(capsys):
    assert main(["--version"]) == DONE
    assert capsys.readouterr().out.strip().count(".") == 2


@pytest.mark.parametrize("arguments", [["--help"], *([verb, "--help"] for verb in VERBS)])
def test_help_imports_nothing_heavy(arguments):
    """That keeps it under its bar of 0.4 s."""
    heavy = "numpy", "numba", "matplotlib", "scipy", "starlette", "uvicorn", "msgspec"
    code = (
        f"import sys; from poise.cli import main; main({arguments});"
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dance"], ["dance"]),
        (["info"], ["NAME", "poise info --help"]),
        (["info", "human", "--jsn"], ["--jsn", "--json"]),
        (["info", "humn"], ["unknown figure 'humn'", "'human'"]),
        (["info", "snake"], ["snake:10"]),
        (["info", "snake:0"], ["snake:10"]),
        (["info", "snake:x"], ["snake:10"]),
        (["pose"], ["--goal"]),
        (["pose", "--goal", "left_hand"], ["NAME=X,Y,Z"]),
        (["pose", "--goal", "left_hand=1,2"], ["NAME=X,Y,Z"]),
        (["pose", "--goal", "left_hand=1,2,x"], ["NAME=X,Y,Z"]),
        (["pose", "--goal", "left_hand=1,2,nan"], ["left_hand", "finite"]),
        (["pose", "--goal", "left_hnd=0,1,0"], ["left_hnd", "'left_hand'"]),
        (["pose", "--goal", "head=0,1,0", "--start", "lying"], ["lying", "rest"]),
        (["pose", "--goal", "head=0,1,0", "--method", "automatic"], ["automatic", "auto"]),
        (["pose", "--goal", "head=0,1,0", "--tolerance", "-1"], ["--tolerance", "> 0"]),
        (["pose", "--goal", "head=0,1,0", "--tolerance", "nan"], ["tolerance"]),
        (["pose", "--goal", "head=0,1,0", "--tolerance", "close"], ["close", "--tolerance"]),
        (["pose", "--goal", "head=0,1,0", "--max-time", "-1"], ["--max-time", "> 0"]),
        (["pose", "--goal", "head=0,1,0", "--max-time", "nan"], ["--max-time"]),
        (["pose", "--goal", "head=0,1,0", "--out", "pose.c3d"], [".json"]),
        (["pose", "--goal", "head=0,1,0", "--picture", "pose.txt"], [".png"]),
    ],
)
def test_a_wrong_call_ends_in_one_line_with_the_remedy(arguments, words, capsys):
    assert main(arguments) == WRONG_CALL
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("poise: ")
    assert output.err.count("\n") == 1
    assert all(word in output.err for word in words), output.err


def test_the_exit_code_reaches_the_shell():
    done = run("info", "humn")
    assert done.returncode == WRONG_CALL
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (KeyboardInterrupt(), INTERRUPTED, "interrupted"),
        (ZeroDivisionError("oh"), FAILED, "a fault in Poise: ZeroDivisionError: oh"),
    ],
)
def test_whatever_happens_ends_in_one_line(raised, code, words, monkeypatch, capsys):
    def fail(arguments):
        raise raised

    monkeypatch.delenv("POISE_TRACEBACK", raising=False)
    monkeypatch.setattr(app, "_run", fail)
    assert main(["info", "arm"]) == code
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_fault_can_be_traced(monkeypatch):
    def fail(arguments):
        raise ZeroDivisionError

    monkeypatch.setenv("POISE_TRACEBACK", "1")
    monkeypatch.setattr(app, "_run", fail)
    with pytest.raises(ZeroDivisionError):
        main(["info", "arm"])


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_a_reader_that_leaves_early_is_no_fault():
    command = f'"{sys.executable}" -m poise info snake:300 --json | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_ctrl_c_before_anything_runs_is_one_line(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    loading = ModuleType("poise.cli.app")
    monkeypatch.setattr(loading, "__getattr__", interrupted, raising=False)
    monkeypatch.setitem(sys.modules, "poise.cli.app", loading)
    assert main(["--help"]) == INTERRUPTED
    assert capsys.readouterr().err == "poise: interrupted\n"
