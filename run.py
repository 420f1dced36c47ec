#!/usr/bin/env python3
"""Set Poise up beside this file (in .venv) and run it. Needs Python 3.11+ and nothing else.

python run.py              pose the built-in human and draw it to pose.png
python run.py test         run the tests (options of pytest may follow)
python run.py VERB ...     any command of Poise, such as: python run.py info human
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "poise-set-up.txt"

MAIN_JOB = [
    "pose",
    *("--goal", "left_hand=0.45,1.55,0.50"),
    *("--goal", "right_hand=-0.55,0.85,0.05"),
    *("--goal", "left_heel=0.16,0.00,0.18"),
    *("--goal", "left_toes=0.20,0.00,0.45"),
    *("--goal", "right_heel=-0.12,0.10,-0.42"),
    *("--goal", "right_toes=-0.14,0.00,-0.17"),
    *("--picture", "pose.png"),
]


def main(arguments):
    if sys.version_info < (3, 11):
        found = "%d.%d" % sys.version_info[:2]
        return "Poise needs Python 3.11 or newer, and this is %s; run a newer one" % found
    testing = arguments[:1] == ["test"]
    set_up("dev" if testing else "")
    if testing:
        command = [str(PYTHON), "-m", "pytest", *arguments[1:]]
        return subprocess.call(command, cwd=str(ROOT))
    return subprocess.call([str(PYTHON), "-m", "poise", *(arguments or MAIN_JOB)])


def set_up(extra):
    """Make .venv and install Poise with `extra`, unless that was done for this pyproject.toml."""
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes())
    wanted.update((sys.version + str(ROOT)).encode())
    done = []
    if STAMP.exists() and PYTHON.exists():
        stamp, *extras = STAMP.read_text().split("\n")
        done = extras if stamp == wanted.hexdigest() else []
    if extra in done:
        return
    print("Setting up Poise in %s (once, a minute or two) ..." % VENV, file=sys.stderr)
    if not done:
        call([sys.executable, "-m", "venv", "--clear", str(VENV)], "python -m venv")
    target = str(ROOT) + ("[%s]" % extra if extra else "")
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    call([*pip, "--editable", target], "pip install")
    STAMP.write_text("\n".join([wanted.hexdigest(), "", extra]))


def call(command, what):
    if subprocess.call(command) != 0:
        sys.exit(
            "run.py: %s failed (see above). It needs the venv module (on Debian and Ubuntu:"
            " apt install python3-venv) and access to the Python package index." % what
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
