"""Terrain: heights and normals of every kind, and what is refused."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise import FileError, OptionError
from poise.walk.terrain import flat, height_map, hills, mesh, profile, ramp, stairs
from poise.walk.terrain_named import terrain_named

PLACE = st.floats(-20.0, 20.0)
STAIRS = stairs(count=3)


@given(x=PLACE, z=PLACE, seed=st.integers(0, 50))
def test_the_normal_of_hills_is_that_of_their_heights(x, z, seed):
    ground, d = hills(seed), 1e-5
    along_x = (ground.height(x + d, z) - ground.height(x - d, z)) / (2 * d)
    along_z = (ground.height(x, z + d) - ground.height(x, z - d)) / (2 * d)
    normal = ground.normal(x, z)
    assert np.isclose(np.linalg.norm(normal), 1.0)
    np.testing.assert_allclose(normal / normal[1], [-along_x, 1.0, -along_z], atol=1e-6)


def test_hills_begin_at_zero_and_differ_by_seed():
    assert abs(hills(3).height(0.0, 0.0)) < 1e-12
    assert hills(3).height(1.0, 2.0) == hills(3).height(1.0, 2.0)
    assert hills(3).height(1.0, 2.0) != hills(4).height(1.0, 2.0)


def test_stairs_go_up_and_down_again():
    ground = stairs(rise=0.2, run=0.3, count=3, start=1.0, top=2.0)
    z = [0.9, 1.1, 1.4, 1.7, 3.5, 3.7, 4.0, 4.3]
    np.testing.assert_allclose(
        ground.height(0.5, z), [0.0, 0.2, 0.4, 0.6, 0.6, 0.4, 0.2, 0.0], atol=1e-12
    )
    np.testing.assert_allclose(ground.normal(0.0, 1.1), [0.0, 1.0, 0.0])


def test_the_higher_side_of_a_step_is_the_ground_at_its_edge():
    ground = profile([(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (2.0, 0.5), (2.0, 0.0)])
    np.testing.assert_allclose(ground.height(0.0, [1.0, 2.0]), [0.5, 0.5])


def test_a_ramp_has_its_angle():
    ground = ramp(angle=0.2, length=3.0, start=1.0)
    normal = ground.normal(0.0, 2.0)
    np.testing.assert_allclose(normal, [0.0, np.cos(0.2), -np.sin(0.2)], atol=1e-12)
    assert np.isclose(ground.height(0.0, 9.0), 3.0 * np.tan(0.2))


def test_a_height_map_is_bilinear_and_constant_beyond():
    ground = height_map([[0.0, 1.0], [2.0, 3.0]], spacing=2.0, origin=(-1.0, -1.0))
    np.testing.assert_allclose(
        ground.height([-1.0, 1.0, 0.0, 9.0], [-1.0, -1.0, 0.0, 9.0]), [0, 1, 1.5, 3]
    )
    np.testing.assert_allclose(ground.at(0.0, 0.0), (1.5, 0.5, 1.0))


def extruded(ground, half=20.0):
    """The triangles of a profile."""
    knots = ground.values.reshape(-1, 2)
    knots = np.vstack([[-40.0, knots[0, 1]], knots, [40.0, knots[-1, 1]]])
    points, faces = [], []
    for (z0, h0), (z1, h1) in itertools.pairwise(knots):
        n = len(points)
        points += [(-half, h0, z0), (half, h0, z0), (-half, h1, z1), (half, h1, z1)]
        faces += [(n, n + 2, n + 1), (n + 1, n + 2, n + 3)]
    return np.array(points), np.array(faces)


MESH = mesh(*extruded(STAIRS))


@given(x=PLACE, z=PLACE)
def test_a_mesh_is_as_high_as_what_it_shows(x, z):
    np.testing.assert_allclose(MESH.at(x, z), STAIRS.at(x, z), atol=1e-9)


@given(x=st.floats(-3.9, 3.9), z=st.floats(-3.9, 3.9), seed=st.integers(0, 20))
def test_a_mesh_of_heights_is_those_between_its_points(x, z, seed):
    side = np.linspace(-4.0, 4.0, 9)
    heights = np.random.default_rng(seed).uniform(0.0, 1.0, (9, 9))
    points = [(x, heights[i, j], z) for i, z in enumerate(side) for j, x in enumerate(side)]
    faces = [
        face
        for i in range(8)
        for j in range(8)
        for at in [9 * i + j]
        for face in ((at, at + 9, at + 1), (at + 1, at + 9, at + 10))
    ]
    ground = mesh(points, faces)
    # A triangle's plane through its three points.
    i, j = min(int(z + 4.0), 7), min(int(x + 4.0), 7)
    u, v = x - side[j], z - side[i]
    if u + v <= 1.0:
        corner, along_x, along_z = heights[i, j], heights[i, j + 1], heights[i + 1, j]
    else:
        corner, along_x, along_z = heights[i + 1, j + 1], heights[i + 1, j], heights[i, j + 1]
        u, v = 1.0 - u, 1.0 - v
    expected = corner + u * (along_x - corner) + v * (along_z - corner)
    assert ground.at(x, z)[0] == pytest.approx(expected, abs=1e-9)


def test_the_highest_of_a_mesh_is_the_ground_and_beyond_it_the_lowest():
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    points = np.vstack([np.insert(square, 1, height, axis=1) for height in (-1.0, 2.0)])
    ground = mesh(points, [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)])
    np.testing.assert_allclose(ground.height([0.5, 0.5, 3.0], [0.3, 0.7, 0.5]), [2.0, 2.0, -1.0])


def test_a_mesh_may_have_z_up():
    points, faces = extruded(STAIRS)
    turned = mesh(points[:, (0, 2, 1)] * [1.0, -1.0, 1.0], faces, up="Z")
    np.testing.assert_allclose(turned.height(0.3, [1.0, 2.4, 9.0]), STAIRS.height(0.3, [1, 2.4, 9]))


@pytest.mark.parametrize("suffix", ["obj", "glb", "stl"])
def test_files_of_meshes(tmp_path, suffix):
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / f"stairs.{suffix}"
    trimesh.Trimesh(*extruded(STAIRS)).export(path)
    ground = terrain_named(str(path))
    z = np.linspace(-1.0, 9.0, 50)
    np.testing.assert_allclose(ground.height(0.5, z), STAIRS.height(0.5, z), atol=1e-6)


def test_files_of_heights(tmp_path):
    from PIL import Image

    heights = np.array([[0, 51], [102, 255]], np.uint8)
    Image.fromarray(heights).save(tmp_path / "map.png")
    np.save(tmp_path / "map.npy", heights / 255.0)
    (tmp_path / "map.csv").write_text("0,0.2\n0.4,1\n")
    for name in ("map.png", "map.npy", "map.csv"):
        ground = terrain_named(str(tmp_path / name), spacing=1.0)
        np.testing.assert_allclose(ground.height([-0.5, 0.5], 0.5), [0.4, 1.0])


@pytest.mark.parametrize("name", ["lava", "hills:x", "map.bvh"])
def test_an_unknown_terrain_is_named(name):
    with pytest.raises(OptionError, match="Or give a file"):
        terrain_named(name)


def test_broken_files_are_named(tmp_path):
    broken = {"a.csv": "1,2\n3", "b.png": "no", "c.npy": "no", "d.txt": "7", "e.glb": "no"}
    for name, content in {**broken, "f.obj": "v 0 0 0\n"}.items():
        (tmp_path / name).write_text(content)
        with pytest.raises(FileError, match=name):
            terrain_named(str(tmp_path / name))
    for name in ("gone.png", "gone.obj"):
        with pytest.raises(FileError, match="gone"):
            terrain_named(str(tmp_path / name))


@pytest.mark.parametrize(
    "make",
    [
        lambda: stairs(rise=-1.0),
        lambda: ramp(angle=2.0),
        lambda: height_map([[1.0]], spacing=1.0),
        lambda: height_map(np.zeros((2, 2)), spacing=0.0),
        lambda: profile([(1.0, 0.0), (0.0, 0.0)]),
        lambda: flat().height(np.nan, 0.0),
        lambda: mesh([(0, 0, 0), (1, 0, 0), (0, 0, np.inf)], [(0, 1, 2)]),
        lambda: mesh([(0, 0, 0), (1, 0, 0), (0, 0, 1)], [(0, 1, 3)]),
        lambda: mesh([(0, 0, 0), (1, 0, 0), (0, 0, 1)], [(0.0, 1.0, 2.0)]),
        lambda: mesh([(0, 0, 0), (1, 0, 0), (0, 0, 1)], [(0, 1, 2)], up="X"),
        lambda: mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 1, 2)]),
    ],
)
def test_what_is_no_ground_is_refused(make):
    with pytest.raises(OptionError):
        make()
