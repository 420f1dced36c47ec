"""How every compiled function of Poise is compiled and cached: `@kernel` and `@entry`.

`@entry` functions are called from Python. They are cached on disk and carry the wrapper that
Python needs. `@kernel` functions are called by other kernels only; without a wrapper and a cache
entry of their own the first compilation takes half the time.

Numba's cache looks only at the file of the function it compiles, so a change in a callee of
another file would run the old code. Entries are therefore cached in a folder whose name is a hash
of all kernel sources, of Numba and of NumPy: any change makes a new folder.
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
_REORDERED = {"reassoc", "contract", "nsz", "arcp"}


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
"""Where compiled entries are kept; the variable POISE_CACHE_DIR moves it."""


def kernel(function: Function) -> Function:
    """Compile for other kernels; sums may be reordered, so that they use vector units."""
    return _inner(function, _REORDERED)


def exact_kernel(function: Function) -> Function:
    """As `kernel`, but every operation rounds exactly as it is written."""
    return _inner(function, set())


def entry(function: Function) -> Function:
    """Compile for Python: cached, and without the GIL."""
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=_REORDERED)(
            function
        )
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


def _inner(function: Function, fastmath: set[str]) -> Function:
    compiled = numba.njit(
        error_model="numpy", fastmath=fastmath, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
    if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        compiled.__class__ = _InnerDispatcher
    return compiled


class _InnerDispatcher(numba.core.registry.CPUDispatcher):
    """A compiled function that Python must not call, because it has no wrapper."""

    def get_call_template(self, args: tuple, kws: dict) -> object:
        """As Numba's, but a constant argument does not compile the function anew."""
        return super().get_call_template(tuple(map(numba.types.unliteral, args)), kws)

    def __call__(self, *_args: object) -> object:
        raise TypeError(
            f"{self.py_func.__name__} is a kernel for other kernels; call an @entry of its module,"
            " or its .py_func"
        )
