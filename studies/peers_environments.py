"""The peers of the study: what each needs, and running it in an environment of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent / "peers"
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB_MAXIMUM")
LONGEST = 600.0  # [s] that a task may take, installing apart


@dataclass(frozen=True)
class Peer:
    """A solver, run by `peers/with_NAME.py`."""

    name: str
    packages: tuple[str, ...]
    settings: str
    """What was found to be fastest, for the table."""
    arm: bool = True
    human: bool = True
    python: str = ""
    """The Python that its wheels need, e.g. "3.12", where that is not ours."""
    holds_limits: bool = True


ROBOTS = ("mujoco", "--no-deps example-robot-data", "--no-deps dm_control")
OURS = Peer("poise", (), "auto; tolerance as asked")
PEERS = (
    Peer(
        "roboticstoolbox",
        ("roboticstoolbox-python",),
        "C++ ik_LM, 30 iterations a search, our tolerance by a mask; limits checked at the end",
        human=False,
    ),
    Peer("pytracik", ("pytracik",), "TRAC-IK, Speed, its two threads; below its Python wrapper",
         human=False),
    Peer("placo", ("placo",), "a QP a step until near; regularisation 1e-6"),
    Peer("klampt", ("klampt",), "its own Newton solver with limits, tolerance ours"),
    Peer("mink", ("mink", "daqp"), "DAQP, a full step a call until near; damping 1e-6, LM 1e-3"),
    Peer("pink", ("pin-pink", "daqp"),
         "DAQP, a full step a call until near; damping 1e-6, LM 1e-3"),
    Peer("ikpy", ("ikpy",), "SciPy least squares, orientation and position", human=False),
    Peer("drake", ("drake",), "InverseKinematics with SNOPT, a position box of our tolerance"),
    Peer("pybullet", ("pybullet", "numpy"),
         "damped least squares in C++ without limits, 20 iterations a call until near",
         holds_limits=False),
    Peer("momentum", ("pymomentum-cpu", "scipy"),
         "Gauss-Newton (QR) on soft limits that weigh 10, clamped to them here, until near",
         arm=False, python="3.12", holds_limits=False),
    Peer("opensim", ("opensim",), "markers by its IK solver, coordinates clamped; root free",
         arm=False),
)  # fmt: skip


def interpreter(version: str) -> Path:
    """A Python of that version, ours where it is not said."""
    if not version:
        return Path(sys.executable)
    found = shutil.which(f"python{version}")
    versions = Path.home() / ".pyenv" / "versions"
    kept = sorted(versions.glob(f"{version}.*/bin/python{version}")) if versions.exists() else []
    if kept:
        return kept[-1]
    if not found:
        raise RuntimeError(f"needs Python {version}, which is not on the PATH")
    return Path(found)


def environment(folder: Path, packages: tuple[str, ...], python: str = "") -> Path:
    """The Python of an environment with `packages`, made where there is none."""
    inside = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = folder / "installed.json"
    if done.exists() and json.loads(done.read_text()) == list(packages):
        return inside
    print(f"installing {', '.join(packages)} into {folder} …", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)  # what an installation that failed has left
    subprocess.run([interpreter(python), "-m", "venv", folder], check=True)
    for wanted in packages:
        call = [inside, "-m", "pip", "install", "-q", *wanted.split()]
        made = subprocess.run(call, capture_output=True, text=True)
        if made.returncode:
            raise RuntimeError(f"{wanted} does not install: {last_line(made.stderr)}")
    done.write_text(json.dumps(list(packages)))
    return inside


def described(environments: Path, folder: Path) -> dict:
    """The robots of the study, as JSON."""
    python = environment(environments / "robots", ROBOTS)
    call = [python, SCRIPTS / "describe.py", folder]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def run(peer: Peer, task: str, environments: Path, folder: Path) -> dict:
    """What a peer made of a task: its versions, and answers and times by way; or {"error": why}."""
    out = folder / f"{task}-{peer.name}.json"
    try:
        python = Path(sys.executable)
        if peer.packages:
            python = environment(environments / peer.name, peer.packages, peer.python)
        call = [python, "-W", "ignore", SCRIPTS / f"with_{peer.name}.py", task, folder, out]
        one = os.environ | {f"{name}_NUM_THREADS": "1" for name in THREADS}
        ended = subprocess.run(call, capture_output=True, text=True, env=one, cwd=folder,
                               timeout=LONGEST)  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"error": f"took longer than {LONGEST:g} s"}
    except (RuntimeError, OSError) as error:
        return {"error": str(error)}
    if ended.returncode < 0:
        return {"error": f"crashed with signal {-ended.returncode}"}
    if ended.returncode:
        return {"error": last_line(ended.stderr)}
    return json.loads(out.read_text())


def last_line(text: str) -> str:
    """What a program said last, which is where Python names its error."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "said nothing"
