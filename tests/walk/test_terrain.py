"""Terrain: heights and normals of every kind, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise import FileError, OptionError
from poise.walk.terrain import flat, height_map, hills, profile, ramp, stairs
from poise.walk.terrain_named import terrain_named

PLACE = st.floats(-20.0, 20.0)


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
    for name, content in (("a.csv", "1,2\n3"), ("b.png", "no"), ("c.npy", "no"), ("d.txt", "7")):
        (tmp_path / name).write_text(content)
        with pytest.raises(FileError, match=name):
            terrain_named(str(tmp_path / name))
    with pytest.raises(FileError, match="gone"):
        terrain_named(str(tmp_path / "gone.png"))


@pytest.mark.parametrize(
    "make",
    [
        lambda: stairs(rise=-1.0),
        lambda: ramp(angle=2.0),
        lambda: height_map([[1.0]], spacing=1.0),
        lambda: height_map(np.zeros((2, 2)), spacing=0.0),
        lambda: profile([(1.0, 0.0), (0.0, 0.0)]),
        lambda: flat().height(np.nan, 0.0),
    ],
)
def test_what_is_no_ground_is_refused(make):
    with pytest.raises(OptionError):
        make()
