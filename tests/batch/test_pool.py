"""Real worker processes: the same bytes, whoever is killed whenever."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from batch.archives import contents, make_archive

import poise

NAMES = [f"{folder}/walk_{i}.bvh" for folder in "ab" for i in range(12)]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return make_archive(tmp_path_factory.mktemp("many") / "in", NAMES, frames=20)


@pytest.fixture(scope="module")
def undisturbed(archive, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed")
    with poise.batch(archive, out, workers=0) as begun:
        assert all(result.ok for result in begun)
    return contents(out)


def begin(archive, out):
    """The command line in a group of its own, as a terminal has it."""
    return subprocess.Popen(
        [sys.executable, "-m", "poise", "batch", archive, "-o", out, "-j", "2", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def events(process, clips):
    """Wait until so many clips are done; how many were planned."""
    planned = 0
    for line in process.stdout:
        event = json.loads(line)
        planned = event["to_do"] if event["event"] == "planned" else planned
        clips -= event["event"] == "clip"
        if clips <= 0:
            return planned
    return planned


def no_orphans(parent):
    """Wait for the workers of a process that was killed to end."""
    for _ in range(200):
        found = subprocess.run(
            ["ps", "-eo", "pid,sid"], capture_output=True, text=True, check=True
        ).stdout
        if not any(line.split()[1:] == [str(parent)] for line in found.splitlines()):
            return
        time.sleep(0.05)
    pytest.fail("a worker outlived the batch")


def test_worker_processes_write_the_same_bytes(archive, undisturbed, tmp_path):
    with poise.batch(archive, tmp_path, workers=2) as begun:
        results = list(begun)
    assert sorted(r.name for r in results) == NAMES_SORTED
    assert contents(tmp_path) == undisturbed


NAMES_SORTED = sorted(NAMES)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is for POSIX")
def test_killed_again_and_again_it_ends_with_the_same_bytes(archive, undisturbed, tmp_path):
    rng = random.Random(3)
    for _ in range(2):
        process = begin(archive, tmp_path)
        events(process, rng.randrange(1, 8))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        no_orphans(process.pid)
        for name, data in contents(tmp_path).items():
            assert data == undisturbed[name]
    with poise.batch(archive, tmp_path, workers=0) as begun:
        assert 0 < len(begun.plan.kept) < len(NAMES)
        list(begun)
    assert contents(tmp_path) == undisturbed
    assert not list((tmp_path / ".poise").glob("parts-*"))


@pytest.mark.skipif(os.name == "nt", reason="groups of processes are POSIX's")
def test_ctrl_c_keeps_what_is_finished_and_leaves_nothing_behind(archive, undisturbed, tmp_path):
    process = begin(archive, tmp_path)
    events(process, 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    last = json.loads(out.splitlines()[-1])
    assert last["event"] == "interrupted"
    assert last["done"] >= 3
    no_orphans(process.pid)
    with poise.batch(archive, tmp_path, workers=0) as begun:
        # It may come between keeping a result and telling of it.
        assert len(begun.plan.kept) - last["done"] in (0, 1)
        list(begun)
    assert contents(tmp_path) == undisturbed


@pytest.mark.skipif(os.name == "nt", reason="groups of processes are POSIX's")
@pytest.mark.parametrize("seconds", [0.0, 0.4, 0.8])
def test_ctrl_c_while_workers_start_is_quiet(archive, tmp_path, seconds):
    process = begin(archive, tmp_path)
    assert events(process, 0) == len(NAMES)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    no_orphans(process.pid)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is for POSIX")
def test_a_worker_that_dies_is_survived(archive, undisturbed, tmp_path):
    with poise.batch(archive, tmp_path, workers=2) as begun:
        first = next(begun)
        victim = next(iter(begun._pool._executor._processes))
        os.kill(victim, signal.SIGKILL)
        results = [first, *begun]
    assert [r.error for r in results] == [""] * len(NAMES)
    assert contents(tmp_path) == undisturbed


def test_a_clip_that_takes_too_long_is_given_up(tmp_path):
    archive = make_archive(tmp_path / "in", ["walk.bvh"])
    with poise.batch(archive, tmp_path / "out", workers=1, clip_time=1e-3) as begun:
        (result,) = begun
    assert "took longer than 0.001 s" in result.error
    assert contents(tmp_path / "out") == {}
    with poise.batch(archive, tmp_path / "out", workers=1, clip_time=600.0, retry=True) as begun:
        assert [result.ok for result in begun] == [True]
