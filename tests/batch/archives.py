"""Small archives of our own for the tests of batches."""

import os
from pathlib import Path

import poise


def make_archive(folder: Path, names=("a/walk.bvh", "a/run.bvh", "b/jump.bvh"), frames=12) -> Path:
    """A few short clips; every one another part of another motion."""
    made = {"walk": poise.motions.walk, "run": poise.motions.run, "jump": poise.motions.jump}
    for i, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        motion = made.get(path.stem.split("_")[0], poise.motions.walk)
        clip = motion().resampled(30.0)[i % 5 : i % 5 + frames]
        poise.save(clip.moved((0.1 * i, 0.0, 0.0)), path)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """All clips that were written, by name; what a killed worker began is the batch's own."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*.bvh"))
        if ".poise" not in path.relative_to(folder).parts
    }


def touched(path: Path, seconds: int = 5) -> None:
    """The same file, as if it were written later."""
    about = path.stat()
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns + seconds * 10**9))
