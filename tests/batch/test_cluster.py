"""A real Dask scheduler and two worker processes: the same bytes, also when a worker dies."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from batch.archives import contents, make_archive

import poise
from poise.batch import cluster as cluster_pool
from poise.batch import plan as planning

NAMES = [f"walk_{i}.bvh" for i in range(8)]
# What the scheduler and its workers are started by, for clips of this test only.
QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error", "DASK_DISTRIBUTED__DASHBOARD__LINK": ""}


def start(folder, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        cwd=folder,
        env=os.environ | QUIET,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def started(folder, workers):
    """A scheduler and its workers, as processes of their own: its address, and they."""
    from distributed import Client

    about = folder / "scheduler.json"
    file = ["--scheduler-file", str(about)]
    processes = [
        start(folder, "dask_scheduler", "--port", "0", "--no-dashboard", *file),
        *(
            start(folder, "dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", *file)
            for _ in range(workers)
        ),
    ]
    try:
        with Client(scheduler_file=str(about), timeout="60s", set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=60) if workers else None
            address = client.scheduler.address
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The scheduler's address and the workers' processes."""
    with started(tmp_path_factory.mktemp("dask"), 2) as (address, processes):
        yield address, processes[1:]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return make_archive(tmp_path_factory.mktemp("many") / "in", NAMES, frames=15)


@pytest.fixture(scope="module")
def expected(archive, tmp_path_factory):
    out = tmp_path_factory.mktemp("here")
    with poise.batch(archive, out, workers=0) as begun:
        list(begun)
    return contents(out)


@pytest.mark.parametrize("ship", [False, True])
def test_a_cluster_writes_the_same_bytes(cluster, archive, expected, tmp_path, ship):
    with poise.batch(archive, tmp_path, scheduler=cluster[0], ship=ship) as begun:
        results = list(begun)
    assert [r.error for r in results] == [""] * len(NAMES)
    assert contents(tmp_path) == expected
    assert {r.source for r in results} == {str(archive / name) for name in NAMES}
    with poise.batch(archive, tmp_path, workers=0) as again:
        assert again.plan.tasks == ()


def test_files_that_settings_name_are_shipped_too(cluster, archive, tmp_path):
    poise.save(poise.figures.human(), tmp_path / "body.bvh", unit=0.01)
    settings = tmp_path / "settings.json"
    settings.write_text('{"job": "retarget", "to": "body.bvh", "unit": 0.01}')
    written = []
    for ship in (False, True):
        out = tmp_path / f"out-{ship}"
        with poise.batch(archive, out, settings, scheduler=cluster[0], ship=ship) as begun:
            assert [r.error for r in begun] == [""] * len(NAMES)
        written.append(contents(out))
    assert written[0] == written[1]


def test_a_bad_clip_is_a_row(cluster, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bad.bvh").write_text("nonsense")
    with poise.batch(tmp_path / "in", tmp_path / "out", scheduler=cluster[0], ship=True) as begun:
        (result,) = begun
    assert not result.ok
    assert "HIERARCHY" in result.error


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is for POSIX")
def test_a_worker_that_dies_is_survived_and_its_clip_done_again(
    cluster, archive, expected, tmp_path
):
    address, workers = cluster
    with poise.batch(archive, tmp_path, scheduler=address) as begun:
        first = next(begun)
        os.kill(workers[0].pid, signal.SIGKILL)
        results = [first, *begun]
    assert [r.error for r in results] == [""] * len(NAMES)
    assert contents(tmp_path) == expected


def test_no_scheduler(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_pool, "PATIENCE", 0.5)
    with pytest.raises(poise.FileError, match="no Dask scheduler answers"):  # noqa: SIM117
        with poise.batch(archive, tmp_path, scheduler="tcp://127.0.0.1:1") as begun:
            next(begun)


def test_a_scheduler_without_workers(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_pool, "PATIENCE", 2.0)
    (tmp_path / "dask").mkdir()
    with started(tmp_path / "dask", 0) as (address, _):
        batch = poise.batch(archive, tmp_path / "out", scheduler=address)
        with pytest.raises(poise.FileError, match="has no workers"), batch as begun:
            next(begun)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is for POSIX")
def test_a_scheduler_that_goes_is_told_and_what_is_done_is_kept(
    archive, expected, tmp_path, monkeypatch
):
    monkeypatch.setattr(cluster_pool, "PATIENCE", 2.0)
    (tmp_path / "dask").mkdir()
    out, done = tmp_path / "out", []
    with (
        started(tmp_path / "dask", 1) as (address, processes),
        poise.batch(archive, out, scheduler=address) as begun,
    ):
        done.append(next(begun))
        os.kill(processes[0].pid, signal.SIGKILL)
        with pytest.raises(poise.FileError, match="no longer answers"):
            done.extend(begun)
    assert 0 < len(done) < len(NAMES)
    with poise.batch(archive, out, workers=0) as again:
        assert {row.name for row in again.plan.kept} >= {row.name for row in done}
        list(again)
    assert contents(out) == expected


def test_workers_of_another_version_are_refused(cluster, archive, tmp_path, monkeypatch):
    monkeypatch.setattr(planning, "this_version", lambda: "999.0")
    with poise.batch(archive, tmp_path, scheduler=cluster[0]) as begun:
        errors = [result.error for result in begun]
    assert len(errors) == len(NAMES)
    assert all("install the same version on all machines" in error for error in errors)
