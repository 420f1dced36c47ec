"""Terrain by its name, or from a file: what `--terrain` takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.errors import FileError, OptionError, unknown_name
from poise.walk.mesh_file import MESHES, read_mesh
from poise.walk.terrain import Array, Terrain, flat, height_map, hills, ramp, stairs

NAMES = {"flat": flat, "hills": hills, "stairs": stairs, "ramp": ramp}
IMAGES = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff")
TABLES = (".npy", ".csv", ".txt")


def terrain_named(
    name: str, *, spacing: float = 0.25, relief: float = 1.0, up: str = "Y"
) -> Terrain:
    """`flat`, `hills`, `hills:SEED`, `stairs`, `ramp`, or a file of heights or with a mesh.

    Heights of a file are `spacing` [m] apart and centred on the origin; white of an image is
    `relief` [m] above black. `up` is the axis of a mesh that points up, "Y" or "Z".
    """
    kind, _, seed = name.partition(":")
    if kind == "hills" and seed.isdigit():
        return hills(int(seed))
    if name in NAMES:
        return NAMES[name]()
    path = Path(name)
    if path.suffix.lower() in MESHES:
        return read_mesh(path, up=up)
    if path.suffix.lower() not in IMAGES + TABLES:
        raise OptionError(
            f"{unknown_name('terrain', name, NAMES)} Or give a file"
            f" ({', '.join(TABLES + IMAGES[:2] + MESHES)})"
        )
    if not path.is_file():
        raise FileError(f"cannot read {path}: there is no such file")
    heights = _table(path) if path.suffix.lower() in TABLES else relief * _image(path)
    if heights.ndim != 2 or min(heights.shape) < 2 or not np.isfinite(heights).all():
        raise FileError(f"{path}: a terrain needs at least 2x2 finite heights, not {heights.shape}")
    rows, columns = heights.shape
    corner = (-0.5 * spacing * (columns - 1), -0.5 * spacing * (rows - 1))
    return height_map(heights, spacing=spacing, origin=corner, name=path.name)


def _table(path: Path) -> Array:
    """Heights [m] of a NumPy file, or of a text file with commas or blanks in between."""
    try:
        if path.suffix.lower() == ".npy":
            return np.asarray(np.load(path, allow_pickle=False), float)
        text = path.read_text().replace(",", " ")
        return np.loadtxt(text.splitlines(), ndmin=2)
    except (OSError, ValueError, EOFError) as error:
        raise FileError(
            f"{path}: no table of heights ({error}); give rows of numbers in metres"
        ) from None


def _image(path: Path) -> Array:
    """The grey of an image, 0 to 1."""
    from PIL import Image

    try:
        with Image.open(path) as image:
            grey = np.asarray(image.convert("F"), float)
            depth = 65535.0 if image.mode.startswith("I") else 255.0
    except (OSError, ValueError, SyntaxError) as error:
        raise FileError(f"{path}: no image that can be read ({error}); give a PNG") from None
    return grey / depth
