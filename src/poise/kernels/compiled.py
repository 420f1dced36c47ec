"""How every compiled function of Poise is compiled and cached: `@kernel` and `@entry`.

`@entry` functions are called from Python. They are cached on disk and carry the wrapper that
Python needs. `@kernel` functions are called by other kernels only: they are translated, but
optimised and turned into machine code only as part of the entries that use them. That makes the
first compilation three times as fast.

Numba's cache looks only at the file of the function it compiles, so a change in a callee of
another file would run the old code. Entries are therefore cached in a folder whose name is a hash
of all kernel sources, of Numba and of NumPy: any change makes a new folder.

Nothing is allocated in compiled code, so nothing in it counts references: arrays belong to the
caller. Without the counting, which Numba would do at every slice, kernels are smaller and faster.
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy
from numba.core import sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

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
    compiled = _cached(function)
    if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        compiled.__class__ = _EntryDispatcher
        compiled.inner = kernel(function)
    return compiled


def load(*entries: Callable[..., object]) -> None:
    """Have the machine code of entries (floats, ints[, budget]) in memory, without running them."""
    arguments = (numba.float64[::1], numba.int64[::1], numba.int64)  # type: ignore[index]
    for function in entries:
        if isinstance(function, _EntryDispatcher) and not function.overloads:
            function.compile(arguments[: function.py_func.__code__.co_argcount])


def entry_of(signature: object) -> Callable[[Function], Function]:
    """As `entry`, for one signature, compiled at once.

    That of a function that takes compiled functions must be written: only then are they called
    by their address, instead of being compiled again as a part of it.
    """
    return lambda function: _quietly(_cached, function, signature)


def function_type(signature: object) -> object:
    """The type of a compiled function that is called by its address."""
    return _quietly(numba.types.FunctionType, signature)


def _quietly(call: Callable[..., Any], *arguments: object) -> Any:
    """Without Numba's remark, at every start, that functions as arguments are an experiment."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.NumbaExperimentalFeatureWarning)
        return call(*arguments)


def _cached(function: Function, *signature: object) -> Function:
    before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]
    try:
        return numba.njit(
            *signature,
            cache=True,
            nogil=True,
            error_model="numpy",
            fastmath=_REORDERED,
            _nrt=False,
        )(function)
    finally:
        numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


def _inner(function: Function, fastmath: set[str]) -> Function:
    compiled = numba.njit(
        error_model="numpy",
        fastmath=fastmath,
        _nrt=False,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        pipeline_class=_InnerCompiler,
    )(function)
    if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        compiled.__class__ = _InnerDispatcher
    return compiled


class _EntryDispatcher(numba.core.registry.CPUDispatcher):
    """A compiled function for Python; kernels that call it use it as a kernel."""

    inner: _InnerDispatcher

    def compile(self, sig: object) -> object:
        """As Numba's, a seventh faster: the collector finds next to nothing to free meanwhile.

        A function that is passed to a kernel is asked for by a signature with its result, one
        that is called by its arguments: the cache would take these for two functions.
        """
        arguments, _ = sigutils.normalize_signature(sig)
        was_on = gc.isenabled()
        gc.disable()
        try:
            return super().compile(arguments)
        finally:
            if was_on:
                gc.enable()

    def get_call_template(self, args: tuple, kws: dict) -> object:
        return self.inner.get_call_template(args, kws)

    def get_overload(self, sig: object) -> object:
        return self.inner.get_overload(sig)


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


class _InnerCompiler(Compiler):
    """Compiles into a library that is only there to be linked into others."""

    def compile_extra(self, func: Callable[..., object]) -> object:
        codegen = self.state.targetctx.codegen()
        self.state.library = _LinkedLibrary(codegen, func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class _LinkedLibrary(JITCodeLibrary):
    """Code that runs only as part of an entry: not optimised, and no machine code of its own.

    Were it there, an entry in the process that compiles would call it instead of the optimised
    copy that the entry carries, and the next process, which reads the cache, would not.
    """

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _NoEnvironment:
        return _NoEnvironment()


class _NoEnvironment:
    """In the place of the code generator, where Numba would store a function's environment."""

    def set_env(self, env_name: str, env: object) -> None:
        """Nothing: a function that raises no Python error needs none."""
