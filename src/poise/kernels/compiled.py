"""The `@kernel` decorator: how every compiled function of Poise is compiled and cached.

Numba's own cache looks only at the file of the function it compiles, so a change in a callee of
another file would run the old code. All kernels are therefore cached in a folder whose name is a
hash of all kernel sources, of Numba and of NumPy: any change makes a new folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba
import numpy

Function = TypeVar("Function", bound=Callable[..., object])

_SOURCES = Path(__file__).parent
# `nnan` and `ninf` stay off, so that isnan and infinite limits keep their meaning.
_FAST = frozenset({"reassoc", "contract", "nsz", "arcp"})


def _source_hash() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {sys.version}".encode())
    for path in sorted(_SOURCES.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    if custom := os.environ.get("POISE_CACHE_DIR"):
        return Path(custom)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(base) / "poise"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "poise"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "poise"


CACHE_FOLDER = _user_cache() / "kernels" / _source_hash()
"""Where compiled kernels are kept; the variable POISE_CACHE_DIR moves it."""


def kernel(function: Function) -> Function:
    """Compile `function` with Numba, cached, without the GIL; sums may be reordered."""
    return _compile(function, _FAST)


def exact_kernel(function: Function) -> Function:
    """As `kernel`, but floating-point operations round exactly as they are written."""
    return _compile(function, frozenset())


def _compile(function: Function, fastmath: frozenset[str]) -> Function:
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]
    try:
        return numba.njit(
            cache=True, nogil=True, error_model="numpy", fastmath=set(fastmath)
        )(function)
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
