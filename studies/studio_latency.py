"""How the studio feels, in numbers: the bars of its drags.

    python studies/studio_latency.py [--drags 200] [--seconds 20]

1. Latency: a server in a process of its own, a client that sends goal frames at 120 Hz over the
   WebSocket, as a page does, and waits for the pose that answers each. 71 DOF, both feet pinned.
   Of that: the way there and back (of a frame that is refused), and the solve.
2. Feel: random drags of random handles on the session itself. How far pins move; how far joints
   are from where they were when a handle was dragged away and back; how far the fastest joint
   turns when the mouse moves by 5 pixels (12.5 mm, with a person 720 pixels tall).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from poise.studio import commands
from poise.studio import frames as f
from poise.studio import messages as m
from poise.studio.session import Session

RATE = 120.0  # frames a second that the client sends
STEP = 0.0125  # 5 pixels [m]
FARTHEST = 0.6  # of a drag [m]
BARS = {
    "median_ms": 1.0,
    "p99_ms": 3.0,
    "pins_mm": 0.1,
    "back_degrees": 0.5,
    "step_degrees": 10.0,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drags", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    found = latency(given.seconds) | feel(given.drags, given.seed)
    for name, value in found.items():
        bar = BARS.get(name)
        verdict = "" if bar is None else f"   (bar {bar:g}: {'met' if value < bar else 'MISSED'})"
        print(f"{name:24} {value:10.4g}{verdict}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


# -- latency ---------------------------------------------------------------------------------------


def serve() -> None:
    """A server; says where it is on the first line."""
    from poise.studio.server import Server

    session = Session()
    server = Server(session)
    hand = session.posed.pose.position("left_hand").tolist()
    print(json.dumps({"port": server.port, "token": server.token, "hand": hand}), flush=True)
    server.run()


def latency(seconds: float) -> dict[str, float]:
    """Times from sending a goal frame to having its pose, and of the solves in them [ms]."""
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        where = json.loads(server.stdout.readline())
        time.sleep(0.5)
        with asyncio.Runner(loop_factory=_loop) as runner:
            waits, solves, ways = runner.run(_timed(where, seconds))
    finally:
        server.terminate()
        server.wait()
    return {
        "frames": float(len(waits)),
        "median_ms": float(np.median(waits)),
        "p99_ms": float(np.percentile(waits, 99)),
        "worst_ms": float(waits.max()),
        "way_median_ms": float(np.median(ways)),
        "solve_median_ms": float(np.median(solves)),
        "solve_p99_ms": float(np.percentile(solves, 99)),
    }


def _loop() -> asyncio.AbstractEventLoop:
    """The loop that the server has too, where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


async def _timed(where: dict, seconds: float) -> tuple[np.ndarray, ...]:
    from websockets.asyncio.client import connect

    address = f"ws://127.0.0.1:{where['port']}/ws?token={where['token']}"
    origin = f"http://127.0.0.1:{where['port']}"
    async with connect(address, origin=origin, compression=None) as socket:
        await socket.send(m.encode(commands.DragBegin(1, 1, "left_hand")).decode())
        waits, solves = await _dragged(socket, np.array(where["hand"]), seconds)
        return waits, solves, await _refused(socket)


async def _refused(socket) -> np.ndarray:
    """Times of frames that are refused: the way there and back, with nothing to solve [ms]."""
    ways = []
    for _ in range(int(2 * RATE)):
        sent = time.perf_counter()
        await socket.send(f.encode_goal(f.GoalFrame(1, 2, (0.0, 0.0, 0.0), None)))
        while isinstance(await socket.recv(), bytes):
            pass
        ways.append(1e3 * (time.perf_counter() - sent))
        await asyncio.sleep(1.0 / RATE)
    return np.array(ways)


async def _dragged(socket, hand, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    waits, solves = [], []
    began = time.perf_counter()
    for k in range(1, int(seconds * RATE)):
        share = k / RATE
        shift = 0.3 * np.sin([1.1 * share, 1.7 * share, 2.3 * share]) * [0.5, 1.0, 1.0]
        frame = f.encode_goal(f.GoalFrame(k, 1, tuple(hand + shift), None))
        sent = time.perf_counter()
        await socket.send(frame)
        while True:
            answer = await socket.recv()
            arrived = time.perf_counter()
            if isinstance(answer, bytes) and answer[0] == f.POSE:
                pose = f.decode_pose(answer)
                if pose.sequence == k:
                    break
        if share > 1.0:  # after a second of warming up
            waits.append(1e3 * (arrived - sent))
            solves.append(pose.solve_ms)
        await asyncio.sleep(max(0.0, began + k / RATE - time.perf_counter()))
    return np.array(waits), np.array(solves)


# -- feel ------------------------------------------------------------------------------------------


def feel(drags: int, seed: int) -> dict[str, float]:
    """The worst of many random drags, each away, back, and then away again for good."""
    random = np.random.default_rng(seed)
    session = Session()
    figure = session.document.figure
    handles = [s.name for s in session.state().figure.sites if s.handle != "none"]
    turns = np.array([dof.kind == "rotation" for dof in figure.dofs])
    pins, backs, steps = [], [], []
    worst_step = ""
    for _ in range(drags):
        name = str(random.choice(handles))
        direction = random.normal(size=3)
        there = _path(direction / np.linalg.norm(direction), random.uniform(0.05, FARTHEST))
        before = session.posed.pose
        session.apply(commands.DragBegin(1, 1, name))
        angles = [before.angles]
        for shift in [*there, *there[-2::-1], np.zeros(3), *there[: len(there) // 3]]:
            target = tuple(before.position(name) + shift)
            session.frame(f.GoalFrame(1, 1, target, None))
            angles.append(session.posed.pose.angles)
            if not np.any(shift):
                _settle(session, angles)
                backs.append(np.abs(session.posed.pose.angles - before.angles)[turns].max())
            pins.append(_slip(session, before, but=name))
        jumps = np.abs(np.diff(np.array(angles)[:, turns], axis=0))
        if not steps or jumps.max() > max(steps):
            worst_step = figure.dof_names[np.flatnonzero(turns)[jumps.max(0).argmax()]]
            print(f"  {name}: {worst_step} turns by {np.degrees(jumps.max()):.2f}° in a step")
        steps.append(jumps.max())
        session.apply(commands.DragEnd(1, 1))
        if random.random() < 0.2:
            session.apply(commands.RestPose(1))
    return {
        "drags": float(drags),
        "pins_mm": 1e3 * max(pins),
        "back_degrees": float(np.degrees(max(backs))),
        "back_p99_degrees": float(np.degrees(np.percentile(backs, 99))),
        "step_degrees": float(np.degrees(max(steps))),
        "step_p99_degrees": float(np.degrees(np.percentile(steps, 99))),
    }


def _settle(session: Session, angles: list[np.ndarray]) -> None:
    """What happens while the mouse rests for half a second."""
    for _ in range(60):
        session.settle()
        angles.append(session.posed.pose.angles)


def _path(direction: np.ndarray, length: float) -> list[np.ndarray]:
    count = max(int(length / STEP), 1)
    return [direction * STEP * k for k in range(1, count + 1)]


def _slip(session: Session, before, but: str) -> float:
    """How far pinned feet have moved [m]; one that is dragged, or was dropped where it cannot
    be, does not count."""
    held = [goal for goal in session.document.goals if goal.pinned and goal.strained is None]
    feet = [goal.effector for goal in held]
    now = session.posed.pose
    moved = [np.linalg.norm(now.position(n) - before.position(n)) for n in feet if n != but]
    return float(max(moved, default=0.0))


if __name__ == "__main__":
    main()
