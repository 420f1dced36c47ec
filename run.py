#!/usr/bin/env python3
"""Set Poise up beside this file (in .venv) and run it. Needs Python 3.11+ and nothing else.

python run.py              open the studio in the browser, on the built-in human
python run.py test         run the tests (options of pytest may follow)
python run.py VERB ...     any command of Poise, such as: python run.py info human
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "poise-set-up.txt"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def main(arguments):
    if sys.version_info < (3, 11):
        found = "%d.%d" % sys.version_info[:2]
        return "Poise needs Python 3.11 or newer, and this is %s; run a newer one" % found
    testing = arguments[:1] == ["test"]
    set_up("dev" if testing else "")
    if testing:
        get_browser()
        command = [str(PYTHON), "-m", "pytest", *arguments[1:]]
        return subprocess.call(command, cwd=str(ROOT))
    command = [str(PYTHON), "-m", "poise", *arguments]
    if os.name == "posix":
        os.execv(command[0], command)  # so that Ctrl+C and signals reach Poise alone
    return subprocess.call(command)


def set_up(extra):
    """Make .venv and install Poise with `extra`, unless that was done for this pyproject.toml.

    The install also builds the studio's page; it is done again when the page's sources changed.
    """
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes())
    wanted.update((sys.version + str(ROOT)).encode())
    done = []
    if STAMP.exists() and PYTHON.exists():
        stamp, *extras = STAMP.read_text().split("\n")
        done = extras if stamp == wanted.hexdigest() else []
    if extra in done and page_is_built():
        return
    print("Setting up Poise in %s (once, a minute or two) ..." % VENV, file=sys.stderr)
    if not done:
        call([sys.executable, "-m", "venv", "--clear", str(VENV)], "python -m venv")
    extras = sorted({"", extra, *done})
    target = str(ROOT) + ("[%s]" % extras[-1] if extras[-1] else "")
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    call([*pip, "--editable", target], "pip install")
    STAMP.write_text("\n".join([wanted.hexdigest(), *extras]))


def page_is_built():
    """Whether the studio's page was built from its sources as they are now."""
    script = ROOT / "src" / "poise" / "studio" / "web" / "build.py"
    spec = importlib.util.spec_from_file_location("build_page", str(script))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.is_built()


def get_browser():
    """Find a Chromium for the tests of the page, or get one; without any, those tests fail."""
    if os.environ.get("POISE_CHROMIUM") or any(map(shutil.which, CHROMIUMS)):
        return
    print("The tests of the studio need a Chromium: getting one ...", file=sys.stderr)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and shutil.which("apt-get"):
        subprocess.call(["apt-get", "update", "-qq"])
        subprocess.call(["apt-get", "install", "-y", "-qq", "chromium"])
    if not any(map(shutil.which, CHROMIUMS)):
        subprocess.call([str(PYTHON), "-m", "playwright", "install", "chromium"])


def call(command, what):
    if subprocess.call(command) != 0:
        sys.exit(
            "run.py: %s failed (see above). It needs the venv module (on Debian and Ubuntu:"
            " apt install python3-venv) and access to the Python and npm package indexes." % what
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
