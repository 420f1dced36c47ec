"""A ground from a file with a mesh."""

from __future__ import annotations

from pathlib import Path

from poise.errors import FileError, OptionError
from poise.walk.terrain import Terrain, mesh

MESHES = (".obj", ".glb", ".gltf", ".stl", ".ply", ".off")


def read_mesh(path: Path, *, up: str = "Y") -> Terrain:
    """All that a file shows, as one ground; its unit is the metre."""
    if not path.is_file():
        raise FileError(f"cannot read {path}: there is no such file")
    try:
        import trimesh
    except ImportError as error:
        raise OptionError(
            f"meshes as a ground need trimesh, which is not installed ({error});"
            " run: pip install 'poise[mesh]'"
        ) from error
    try:
        shown = trimesh.load_scene(path).to_mesh()
        points, faces = shown.vertices, shown.faces
    except Exception as error:  # its readers raise whatever they stumble over
        raise FileError(f"{path}: no mesh that can be read ({error}); give an OBJ or GLB") from None
    if len(faces) == 0:
        raise FileError(f"{path}: there are no triangles in it")
    return mesh(points, faces, up=up, name=path.name)
