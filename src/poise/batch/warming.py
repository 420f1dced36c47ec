"""Compiling what a job needs once, before workers begin: they read it from the cache."""

from __future__ import annotations

import contextlib

from poise.batch.settings import Convert, Report, Settings
from poise.solve.prepare import mark_of, prepare_quietly


def warm(settings: Settings) -> None:
    """Do the job on a few frames of our own, if it has not been done on this machine."""
    if isinstance(settings, Convert | Report):
        return
    mark = mark_of(f"batch-{settings.name}")
    if mark.exists():
        return
    import msgspec

    from poise.batch.jobs import do
    from poise.errors import PoiseError
    from poise.motion.examples import walk

    prepare_quietly()
    plain = {"figure": None, "effectors": None, "stiffness": {}, "mapping": None}
    known = {name: value for name, value in plain.items() if name in settings.__struct_fields__}
    with contextlib.suppress(PoiseError):
        do(msgspec.structs.replace(settings, **known), walk().resampled(10.0)[:4])
    with contextlib.suppress(OSError):  # a folder that cannot be written: it works, uncached
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
