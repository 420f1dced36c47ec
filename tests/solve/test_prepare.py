"""Compiling ahead: once, with a word about it, and remembered."""

import importlib
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from numba.core.event import trigger_event

module = importlib.import_module("poise.solve.prepare")  # poise.solve is also a function


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """As on a machine where nothing is compiled yet; compiling is only noted down."""
    compiled = []

    def compile_nothing(report):
        report(0, 2)
        report(2, 2)
        compiled.append(True)

    monkeypatch.setattr(module, "CACHE_FOLDER", tmp_path / "kernels" / "abc")
    monkeypatch.setattr(module, "_prepared", False)
    monkeypatch.setattr(module, "_compile", compile_nothing)
    return compiled


def forget(monkeypatch):
    """As in a new process."""
    monkeypatch.setattr(module, "_prepared", False)


def test_it_compiles_once(fresh, monkeypatch):
    module.prepare()
    module.prepare()
    assert len(fresh) == 1
    forget(monkeypatch)
    module.prepare()
    assert len(fresh) == 1


def test_it_reports_progress_only_when_there_is_something_to_do(fresh, monkeypatch):
    reports = []
    module.prepare(lambda *progress: reports.append(progress))
    assert reports == [(0, 2), (2, 2)]
    forget(monkeypatch)
    module.prepare(lambda *progress: reports.append(progress))
    assert len(reports) == 2


def test_one_line_says_that_it_compiles(fresh, monkeypatch, capsys):
    module.prepare_quietly()
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "compiling" in said.err
    forget(monkeypatch)
    module.prepare_quietly()
    assert capsys.readouterr().err == ""


def compiling(function):
    """As Numba tells of it."""
    return trigger_event("numba:compile", data={"dispatcher": SimpleNamespace(py_func=function)})


def test_what_only_some_need_is_compiled_with_one_line_too(monkeypatch, capsys):
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    monkeypatch.setattr(module._word, "said", False)
    for _ in range(2):
        with compiling(module.prepare), compiling(module.prepare_quietly):
            time.sleep(0.2)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "compiling" in said.err


@pytest.mark.parametrize("why", ["short", "not ours", "told by prepare"])
def test_there_is_no_line_about_what_needs_none(fresh, monkeypatch, capsys, why):
    monkeypatch.setattr(module, "PATIENCE", 10.0 if why == "short" else 0.01)
    monkeypatch.setattr(module._word, "said", False)

    def wait(report=None):
        with compiling(os.getcwd if why == "not ours" else module.prepare):
            time.sleep(0.1)

    if why == "told by prepare":
        monkeypatch.setattr(module, "_compile", wait)
        module.prepare(lambda *progress: None)
    else:
        wait()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("change", ["a file where the folder should be", "no right to write"])
def test_a_folder_that_cannot_be_written_costs_only_the_cache(fresh, monkeypatch, tmp_path, change):
    if change == "no right to write":

        def refuse(*_args, **_options):
            raise PermissionError("read-only")

        monkeypatch.setattr(module.Path, "mkdir", refuse)
    else:
        (tmp_path / "kernels").write_text("in the way")
    module.prepare()
    forget(monkeypatch)
    module.prepare()
    assert len(fresh) == 2


def test_moved_or_newer_sources_compile_again(fresh, monkeypatch, tmp_path):
    """Numba's cache goes by the place and age of the sources, so another place is not prepared."""
    module.prepare()
    (tmp_path / "elsewhere").mkdir()
    source = tmp_path / "elsewhere" / "compiled.py"
    source.write_text("")
    monkeypatch.setattr(module.compiled, "__file__", str(source))
    forget(monkeypatch)
    module.prepare()
    assert len(fresh) == 2


def test_a_failed_compilation_is_not_remembered(fresh, monkeypatch):
    def fail(report):
        raise RuntimeError("no compiler today")

    monkeypatch.setattr(module, "_compile", fail)
    with pytest.raises(RuntimeError):
        module.prepare()
    assert not module._prepared
    assert not list(module.CACHE_FOLDER.parent.parent.rglob("default-solver*"))


def test_compiling_reports_every_part():
    """The real thing, from the cache."""
    reports = []
    module._compile(lambda *progress: reports.append(progress))
    total = reports[0][1]
    assert reports == [(done, total) for done in range(total + 1)]


_BITS_OF_VALUES = """
import hashlib
import poise
from solve.cases import FIGURES, trial

digest = hashlib.sha256()
for name in FIGURES:
    for seed in range(20):
        figure, goals, start = trial(name, "pose6d", seed, stretch=0.5)
        problem = poise.Problem(figure, goals)
        digest.update(repr(problem.value(start)).encode() + problem.gradient(start).tobytes())
print(digest.hexdigest())
"""


def test_code_just_compiled_gives_the_bits_of_code_from_the_cache(tmp_path):
    """The first process of a new machine against the second."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "POISE_CACHE_DIR": str(tmp_path),
    }
    first, second = (
        subprocess.run(
            [sys.executable, "-c", _BITS_OF_VALUES],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    )
    assert len(first.strip()) == 64
    assert first == second
