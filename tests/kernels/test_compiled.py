"""The cache of compiled kernels, and that compiled and plain Python give the same."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import poise
from poise.kernels import compiled, limits
from poise.kernels.forward import forward, times

SOURCES = Path(poise.__file__).parent


def run(code, **variables):
    """What `code` prints as JSON in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | variables,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


# -- the cache ---------------------------------------------------------------------------------

FORWARD = """
import json
import poise
from poise.kernels.compiled import CACHE_FOLDER
from poise.kernels.forward import forward

arm = poise.figures.arm()
hand = arm.pose([0.3] * 7).position("hand")
stats = forward.stats
print(json.dumps({
    "from": poise.__file__, "folder": str(CACHE_FOLDER), "hand": list(hand),
    "loaded": sum(stats.cache_hits.values()), "compiled": sum(stats.cache_misses.values()),
}))
"""


def files(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the package, with a cache of its own: (its folder, how to run it, the cache)."""
    place = tmp_path_factory.mktemp("sources")
    cache = tmp_path_factory.mktemp("cache")
    shutil.copytree(SOURCES, place / "poise", ignore=shutil.ignore_patterns("__pycache__"))
    variables = {"PYTHONPATH": str(place), "POISE_CACHE_DIR": str(cache)}
    return place / "poise", lambda: run(FORWARD, **variables), cache


def test_a_second_process_starts_from_the_cache_and_a_changed_callee_does_not(copied):
    sources, start, cache = copied
    first = start()
    assert first["from"] == str(sources / "__init__.py")
    assert Path(first["folder"]).is_relative_to(cache)
    assert (first["loaded"], first["compiled"]) == (0, 1)
    kept = files(cache)
    assert kept

    second = start()
    assert (second["loaded"], second["compiled"]) == (1, 0)
    assert files(cache) == kept  # nothing compiled, nothing written
    assert second["hand"] == first["hand"]

    # `forward` calls this file's function; its own file stays as it is.
    callee = sources / "kernels" / "trigonometry.py"
    text = callee.read_text(encoding="utf-8")
    assert text.count("    return sine, cosine\n") == 1
    callee.write_text(
        text.replace("    return sine, cosine\n", "    return -sine, cosine\n"), encoding="utf-8"
    )
    changed = start()
    assert changed["folder"] != first["folder"]
    assert (changed["loaded"], changed["compiled"]) == (0, 1)
    assert not np.allclose(changed["hand"], first["hand"])

    callee.write_text(text, encoding="utf-8")
    assert start()["folder"] == first["folder"]


@pytest.mark.parametrize("change", ["edited", "renamed", "added"])
def test_any_change_of_any_kernel_file_makes_a_new_folder(tmp_path, monkeypatch, change):
    shutil.copytree(SOURCES / "kernels", tmp_path / "kernels")
    monkeypatch.setattr(compiled, "_SOURCES", tmp_path / "kernels")
    before = compiled._source_hash()
    assert before == compiled.CACHE_FOLDER.name
    for path in sorted((tmp_path / "kernels").glob("*.py")):
        if change == "edited":
            text = path.read_text(encoding="utf-8")
            path.write_text(text + "\n# more\n", encoding="utf-8")
        elif change == "renamed":
            path.rename(path.with_name(f"new_{path.name}"))
        else:
            path.with_name(f"new_{path.name}").write_text("", encoding="utf-8")
        after = compiled._source_hash()
        assert after != before
        before = after


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="there is nothing to cache")
def test_a_function_that_is_called_is_not_compiled_again_to_be_passed_to_a_kernel():
    assert poise.figures.arm().rest().position("hand").shape == (3,)  # compiled, and cached
    as_argument = forward.overloads[forward.signatures[0]].signature
    afresh = compiled.entry(forward.py_func)
    afresh.compile(as_argument)
    assert sum(afresh.stats.cache_hits.values()) == 1
    assert not afresh.stats.cache_misses


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"POISE_CACHE_DIR": "/a"}, "/a"),
        ("linux", {"XDG_CACHE_HOME": "/b"}, "/b/poise"),
        ("linux", {}, "~/.cache/poise"),
        ("darwin", {}, "~/Library/Caches/poise"),
        ("win32", {"LOCALAPPDATA": "/c"}, "/c/poise"),
        ("win32", {}, "~/AppData/Local/poise"),
    ],
)
def test_the_place_of_the_cache(monkeypatch, platform, variables, expected):
    for name in ("POISE_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(compiled.sys, "platform", platform)
    assert compiled._user_cache() == Path(expected).expanduser()


# -- calls -------------------------------------------------------------------------------------


def test_python_cannot_call_an_inner_kernel():
    with pytest.raises(TypeError, match="times is a kernel for other kernels"):
        times((1.0,) * 9, (1.0,) * 9)


def test_entries_release_the_lock_and_reorder_only_what_is_safe():
    options = limits.bring_inside.targetoptions
    assert options["nogil"]
    assert set(options["fastmath"]) == {"reassoc", "contract", "nsz", "arcp"}


CALLS = """
import json, pkgutil
from importlib import import_module
import numpy as np
import poise, poise.kernels
from numba.core.dispatcher import Dispatcher
from poise.kernels.compiled import _InnerDispatcher

arm = poise.figures.arm()
rest = arm.rest()
rest.position("hand"), rest.clamped(), rest.is_inside_limits
goals = [
    poise.Position("hand", rest.position("hand") + 0.05),
    poise.Orientation("elbow", x=(1, 0, 0)),
]
problem = poise.Problem(arm, goals, weight_matrix=np.eye(9))
for pose in (rest, rest.angles, list(rest.angles), rest.angles.astype(np.float32)):
    problem.value(pose), problem.residuals(pose), problem.errors(pose)
    problem.gradient(pose), problem.jacobian(pose), problem.hessian(pose)
poise.solve(arm, goals)
solver = poise.Solver(arm, goals, start=rest)
solver.solve({"hand": (0.3, 1, 0)})
solver.solve({"hand": np.array([0.3, 1, 0], np.float32)}, start=list(rest.angles), trace=True)
poise.solve(arm, goals, method="projected-gradient", max_iterations=3)
arm.with_relations(poise.LinearLimit("bend", {"elbow_flexion": 1.0}, upper=2.0)).rest()

counts = {}
for module in pkgutil.iter_modules(poise.kernels.__path__):
    for name, value in vars(import_module(f"poise.kernels.{module.name}")).items():
        if isinstance(value, Dispatcher) and not isinstance(value, _InnerDispatcher):
            counts[value.py_func.__name__] = len(value.signatures)
print(json.dumps(counts))
"""


def test_each_entry_is_compiled_for_one_kind_of_arguments():
    counts = run(CALLS)
    assert {"forward", "bring_inside", "evaluate", "gradient", "jacobian", "hessian"} <= set(counts)
    assert {"advance_auto", "advance_projected_gradient", "conclude"} <= set(counts)
    assert {name: count for name, count in counts.items() if count > 1} == {}


# -- compiled and not --------------------------------------------------------------------------

SOLVES = """
import json
import numpy as np
import poise
from numba import config
from poise import joint

arm = poise.figures.arm()
swing = poise.Figure("swing", [
    poise.Segment("base", None, joint.swing_twist(0.6, (-0.5, 0.5)), (0, 0, 0)),
    poise.Segment("tip", "base", joint.revolute("X", (-1, 1)), (0, 0.5, 0)),
])
turned = arm.rest().rotation("hand")
solves = [
    (arm, [poise.Position("hand", (0.1, 1.2, 0.4))]),
    (arm, [poise.Pose6D("hand", arm.rest().position("hand") + 0.1, turned)]),
    (arm, [poise.Position("hand", (3, 1, 2)), poise.Orientation("elbow", y=(0, 1, 0))]),
    (swing, [poise.Position("tip", (0.9, 0.2, 0.3), offset=(0, 0.4, 0))]),
]
answers = []
for figure, goals in solves:
    solution = poise.solve(figure, goals, restarts=1, max_iterations=60)
    problem = poise.Problem(figure, goals)
    answers.append({
        "angles": list(solution.pose.angles), "status": solution.status.name,
        "evaluations": solution.evaluations,
        "hessian": problem.hessian(figure.rest()).tolist(),
        "jacobian": problem.jacobian(figure.rest()).tolist(),
    })
print(json.dumps({"jit": not config.DISABLE_JIT, "answers": answers}))
"""


def test_plain_python_gives_the_same_as_compiled_code():
    compiled, plain = run(SOLVES), run(SOLVES, NUMBA_DISABLE_JIT="1")
    assert (compiled["jit"], plain["jit"]) == (True, False)
    for one, other in zip(compiled["answers"], plain["answers"], strict=True):
        assert one["status"] == other["status"]
        for name in ("angles", "jacobian", "hessian"):
            np.testing.assert_allclose(one[name], other[name], rtol=0, atol=1e-9)
