"""Whose clip kills a worker is found out, however long it takes to; all others are done once."""

import threading

import pytest

from poise.batch import dispatch
from poise.batch.dispatch import Dispatch
from poise.batch.pool import WorkerDiedError
from poise.batch.result import Result
from poise.batch.work import Outcome, Task


def task(name):
    return Task(
        name=name,
        source=name,
        target="",
        out="",
        parts="",
        settings=b"",
        settings_hash="",
        version="",
        input_size=0,
        input_modified=0,
    )


class Deadly:
    """Dies of some clips, and takes all that is under way with it."""

    def __init__(self, deadly, seconds):
        self.deadly, self.seconds = deadly, seconds
        self.deaths, self.broken, self.most, self.under_way = 0, False, 0, 0

    def window(self):
        return 4

    def submit(self, one, done):
        self.broken = self.broken or one.name in self.deadly
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        threading.Timer(self.seconds, done).start()
        return one

    def outcome(self, future):
        self.under_way -= 1
        if self.broken:
            raise WorkerDiedError("killed by signal 9")
        return Outcome(result=Result(name=future.name, source="", status="done"))

    def restart(self):
        self.deaths, self.broken, self.under_way = self.deaths + 1, False, 0


@pytest.mark.parametrize("seconds", [0.0, 0.08])
@pytest.mark.parametrize("deadly", [[], ["5"], ["0", "1"], ["11"]])
def test_a_clip_that_kills_its_worker_is_found_out_and_the_others_are_done(
    deadly, seconds, monkeypatch
):
    monkeypatch.setattr(dispatch, "LOOK", 0.02)
    pool = Deadly(deadly, seconds)
    names = [str(i) for i in range(12)]
    found = list(Dispatch(pool, lambda one: one).outcomes(map(task, names)))
    assert sorted(one.name for one, _ in found) == sorted(names)
    results = [outcome.result for _, outcome in found]
    assert sorted(r.name for r in results if not r.ok) == sorted(deadly)
    assert all("worker process died" in r.error for r in results if not r.ok)
    assert pool.deaths <= 2 * len(deadly)
    assert pool.most == 4


def test_what_is_loaded_is_what_is_sent_and_the_plain_task_comes_back():
    pool = Deadly([], 0.0)
    (found,) = Dispatch(pool, lambda one: task("loaded " + one.name)).outcomes([task("a")])
    assert (found[0].name, found[1].result.name) == ("a", "loaded a")
