"""Batches at scale, beside their bars.

    python studies/batch.py [PART ...] [--clips 2500] [--folder FOLDER] [--json FILE]

PART: speed, archive, kill, stop, memory, threads; all of them if none is named.

speed    a tenth of the archive by one worker process and by two, in turns: from file to file
archive  as many clips and frames as CMU's archive: done once, then planned with all done
kill     kill -9 of the batch, ten times at random: are the files the same bytes in the end?
stop     Ctrl+C at random moments: how long until it has ended
memory   the most that a process needs, by the length of a clip and by the size of the archive
threads  `poise.solve_many` by one thread and by two, in turns

Clips are parts of the captured CMU clips (POISE_MOCAP, or ../shared/mocap), or without them of our
own motions: other parts, other places, forwards and backwards. Where other programs share the two
cores, the clock tells of those, too: the load is printed, and the processor's time beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import poise
from poise.cli import INTERRUPTED
from poise.motion.rest_frame import without_rest_frame

FRAMES = 1600  # a clip of CMU's archive, on average
BARS = {"scaling": 1.8, "frames_per_second": 25_000.0, "resume": 5.0, "stop": 2.0, "memory": 1.1}
SETTINGS: dict[str, dict[str, Any]] = {
    "track": {"job": "track", "limits": "learned:10"},
    "clean": {"job": "clean"},
}
ROUNDS = 3
KILLS = 10


def main() -> None:
    parts: dict[str, Callable[[argparse.Namespace], dict[str, float]]] = {
        "speed": speed,
        "archive": archive,
        "kill": kill,
        "stop": stop,
        "memory": memory,
        "threads": threads,
    }
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--clips", type=int, default=2500, help="in the archive")
    parser.add_argument("--mocap", type=Path, default=_mocap())
    parser.add_argument("--folder", type=Path, help="where to put files; a temporary one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="keep the numbers here, beside those of before")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        alone(*given.one)
        return
    unknown = set(given.parts) - set(parts)
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; the parts are {', '.join(parts)}")
    # A shell ignores Ctrl+C for what it runs in the background; the batches would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    found: dict[str, float] = {}
    for name in given.parts or parts:
        print(f"\n{name}   (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)", flush=True)
        with tempfile.TemporaryDirectory(dir=given.folder, prefix="poise-study-") as folder:
            found |= parts[name](argparse.Namespace(**vars(given), place=Path(folder)))
    if given.json:
        before = json.loads(given.json.read_text()) if given.json.exists() else {}
        given.json.write_text(json.dumps(before | found, indent=1) + "\n")


def _mocap() -> Path:
    beside = Path(__file__).resolve().parents[2] / "shared" / "mocap"
    return Path(os.environ.get("POISE_MOCAP") or beside)


# -- clips -----------------------------------------------------------------------------------------


def sources(mocap: Path) -> list[poise.Clip]:
    """Motions to make clips of: captured ones on CMU's skeleton, or our own."""
    paths = sorted((mocap / "bvh-cmu").glob("*.bvh"))
    if not paths:
        print("no captured clips: motions of our own on the built-in human")
        return [make() for make in (poise.motions.walk, poise.motions.run, poise.motions.jump)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [without_rest_frame(poise.load(path)) for path in paths]


def varied(clip: poise.Clip, frames: int, rng: np.random.Generator) -> poise.Clip:
    """So many frames of a clip from anywhere on, to and fro, somewhere else on the ground."""
    there = np.arange(len(clip))
    swing = np.concatenate([there, there[-2:0:-1]])
    at = swing[(rng.integers(len(swing)) + np.arange(frames)) % len(swing)]
    moved = poise.Clip(clip.figure, clip.angles[at], clip.frame_time, clip.name, clip.source)
    return moved.moved((rng.uniform(-1, 1), 0.0, rng.uniform(-1, 1)))


def make_clips(folder: Path, count: int, given: argparse.Namespace, frames: int = FRAMES) -> Path:
    """A folder of clips, a dozen a subject; lengths differ as those of captured clips do."""
    rng, known = np.random.default_rng(given.seed), sources(given.mocap)
    lengths = rng.lognormal(0.0, 0.6, count)
    lengths = np.maximum(lengths * (frames / lengths.mean()), 60).astype(int)
    for i, length in enumerate(lengths):
        path = folder / f"{i // 12:03d}" / f"{i // 12:03d}_{i % 12:02d}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        poise.save(varied(known[i % len(known)], int(length), rng), path)
    return folder


# -- parts -----------------------------------------------------------------------------------------


def speed(given: argparse.Namespace) -> dict[str, float]:
    clips = make_clips(given.place / "in", given.clips // 10, given)
    _finished(clips, given.place / "warm", 2, "--fail-fast")
    times: dict[int, list[float]] = {1: [], 2: []}
    costs: list[float] = []
    for k in range(ROUNDS):
        for workers in (1, 2) if k % 2 else (2, 1):
            out = given.place / f"out-{k}-{workers}"
            worked = _processor()
            seconds, told = _finished(clips, out, workers)
            worked = _processor() - worked
            times[workers].append(seconds)
            costs.append(worked / told["frames"])
            print(
                f"  {workers} workers: {seconds:6.1f} s, {told['frames'] / seconds:8,.0f} frames/s;"
                f" processor {worked:6.1f} s, {1e6 * costs[-1]:.0f} µs a frame; load {_load()}",
                flush=True,
            )
            shutil.rmtree(out)
    ratio = max(one / two for one, two in zip(times[1], times[2], strict=True))
    frames = told["frames"] / min(times[2])
    _say("two workers against one, best of the rounds", ratio, "x", "scaling")
    _say("frames a second, two workers, start to end", frames, "", "frames_per_second")
    print(f"  frames a second of two cores' own time: {2.0 / min(costs):,.0f}")
    return {"scaling": ratio, "frames_per_second": frames, "processor_per_frame": min(costs)}


def archive(given: argparse.Namespace) -> dict[str, float]:
    begun = time.perf_counter()
    clips, out = make_clips(given.place / "in", given.clips, given), given.place / "out"
    size = sum(path.stat().st_size for path in clips.rglob("*.bvh")) / 1e9
    print(f"  made {given.clips} clips, {size:.2f} GB, in {time.perf_counter() - begun:.0f} s")
    seconds, told = _finished(clips, out, 2)
    rate = told["frames"] / seconds
    print(f"  done: {told['frames']:,} frames in {seconds:.0f} s, {rate:,.0f} frames/s")
    again = [_finished(clips, out, 2) for _ in range(ROUNDS)]
    assert all(last["done"] == 0 and last["skipped"] == given.clips for _, last in again)
    report = _timed(["report", str(out)])
    resume = min(seconds for seconds, _ in again)
    _say("planned and resumed with all done", resume, "s", "resume", below=True)
    print(f"  the report: {report:.1f} s, {(out / 'report.html').stat().st_size / 1e6:.1f} MB")
    return {"archive_frames_per_second": rate, "resume": resume, "report": report}


def kill(given: argparse.Namespace) -> dict[str, float]:
    clips, rng = make_clips(given.place / "in", 120, given), random.Random(given.seed)
    whole, out = given.place / "whole", given.place / "killed"
    seconds, _ = _finished(clips, whole, 2)
    wanted, halves = _contents(whole), 0
    for k in range(KILLS):
        process = _begun(clips, out, 2)
        before = len(_contents(out))
        while len(_contents(out)) == before and process.poll() is None:
            time.sleep(0.02)
        time.sleep(rng.uniform(0.0, 0.5) * seconds / KILLS)
        victims = [process.pid, *_children(process.pid)]
        # The batch itself, one of its workers, or all at once, as when the machine goes down.
        chosen = [victims[:1], victims[-1:], victims][k % 3]
        for victim in chosen:
            _kill(victim)
        if process.pid not in chosen:
            time.sleep(rng.uniform(0.0, 1.0))
            _kill(process.pid)
        process.communicate()
        done = _contents(out)
        halves += sum(data != wanted[name] for name, data in done.items())
        print(f"  kill {k + 1}: {len(done)} of {len(wanted)} clips are there")
    _finished(clips, out, 2)
    same = _contents(out) == wanted
    print(f"  files that were ever wrong: {halves}; in the end the same bytes: {same}")
    return {"kills": KILLS, "wrong_files": halves, "same_bytes": float(same)}


def stop(given: argparse.Namespace) -> dict[str, float]:
    clips, rng = make_clips(given.place / "in", 120, given), random.Random(given.seed)
    waits = []
    for k in range(KILLS):
        process = _begun(clips, given.place / f"out-{k}", 2)
        time.sleep(rng.uniform(0.5, 5.0))
        begun = time.perf_counter()
        os.killpg(process.pid, signal.SIGINT)
        process.communicate()
        waits.append(time.perf_counter() - begun)
        assert process.returncode == INTERRUPTED, "it was not Ctrl+C that ended it"
        print(f"  ended after {waits[-1]:.2f} s")
    _say("Ctrl+C, the longest", max(waits), "s", "stop", below=True)
    return {"stop": max(waits), "stop_median": float(np.median(waits))}


def memory(given: argparse.Namespace) -> dict[str, float]:
    found = {}
    for frames in (1_000, 10_000, 100_000, 300_000):
        clips = make_clips(given.place / f"long-{frames}", 1, given, frames)
        found[f"memory_{frames}_frames"] = _most(clips, given.place / f"long-out-{frames}")
        if frames in (10_000, 100_000):  # a job that needs the whole motion
            out = given.place / f"clean-{frames}"
            found[f"memory_{frames}_frames_clean"] = _most(clips, out, "clean")
    for count in (10, 1000):
        clips = make_clips(given.place / f"many-{count}", count, given, 60)
        found[f"memory_{count}_clips"] = _most(clips, given.place / f"many-out-{count}")
    for name, size in found.items():
        print(f"  {name.replace('_', ' '):28} {size:8.0f} MB")
    grown = found["memory_300000_frames"] / found["memory_10000_frames"]
    _say("300,000 frames against 10,000", grown, "x the memory", "memory", below=True)
    return found


def threads(given: argparse.Namespace) -> dict[str, float]:
    human, rng = poise.figures.human(), np.random.default_rng(given.seed)
    walk = poise.motions.walk()
    names = ("left_hand", "right_hand", "left_foot", "right_foot", "head", "pelvis")
    goals = [poise.Position(name, (0.0, 0.0, 0.0)) for name in names]
    frames = walk.positions(names)
    tracks = np.stack([frames + rng.normal(0.0, 0.01, 3) for _ in range(32)])
    poise.solve_many(human, goals, tracks[:2], starts=walk.angles[0], threads=2)
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(2 * ROUNDS):
        for count in (1, 2):
            begun = time.perf_counter()
            poise.solve_many(human, goals, tracks, starts=walk.angles[0], threads=count)
            times[count].append(time.perf_counter() - begun)
    ratio = max(one / two for one, two in zip(times[1], times[2], strict=True))
    solves = tracks.shape[0] * tracks.shape[1] / min(times[2])
    print(f"  {tracks.shape[0]} tracks of {tracks.shape[1]} frames, {len(names)} goals, 71 DOF")
    print(f"  two threads against one, best of the rounds {ratio:.2f} x; {solves:,.0f} solves/s")
    return {"threads_scaling": ratio, "threads_solves_per_second": solves}


# -- helpers ---------------------------------------------------------------------------------------


def alone(job: str, clips: str, out: str) -> None:
    """A batch in this process; prints the most memory that it needed [MB]."""
    with poise.batch(clips, out, SETTINGS[job], workers=0) as begun:
        for result in begun:
            assert result.ok, result.error
    # Not getrusage: its number starts at what the process had that started this one.
    told = Path("/proc/self/status").read_text()
    print(int(told.partition("VmHWM:")[2].split()[0]) / 1024)


def _most(clips: Path, out: Path, job: str = "track") -> float:
    call = [sys.executable, __file__, "--one", job, str(clips), str(out)]
    return float(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def _call(*words: str) -> list[str]:
    return [sys.executable, "-m", "poise", *words]


def _begun(clips: Path, out: Path, workers: int) -> subprocess.Popen[str]:
    """A batch in a group of its own, as a terminal has it."""
    return subprocess.Popen(
        _call("batch", str(clips), "-o", str(out), "-j", str(workers), "--json"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )


def _finished(clips: Path, out: Path, workers: int, *more: str) -> tuple[float, dict[str, int]]:
    """Seconds that the whole command takes, and its last event."""
    begun = time.perf_counter()
    call = _call("batch", str(clips), "-o", str(out), "-j", str(workers), "--json", *more)
    said = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout
    return time.perf_counter() - begun, json.loads(said.splitlines()[-1])


def _processor() -> float:
    """Seconds that processors have worked for what this one started and has ended."""
    used = os.times()
    return used.children_user + used.children_system


def _timed(words: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(_call(*words), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def _children(parent: int) -> list[int]:
    listed = subprocess.run(["ps", "-eo", "pid,sid"], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()[1:]]
    return [pid for pid, session in pairs if session == parent and pid != parent]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        print("    (it had ended already)")


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in _clips_in(folder)}


def _clips_in(folder: Path) -> Iterator[Path]:
    return (p for p in sorted(folder.rglob("*.bvh")) if ".poise" not in p.parts)


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def _say(what: str, value: float, unit: str, bar: str, below: bool = False) -> None:
    met = value <= BARS[bar] if below else value >= BARS[bar]
    told = f"bar {BARS[bar]:g}: {'met' if met else 'MISSED'}"
    print(f"  {what}: {value:,.2f} {unit}   ({told}; load {_load()})", flush=True)


if __name__ == "__main__":
    main()
