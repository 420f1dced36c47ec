from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from joints import TILTED

from poise import joint
from poise.errors import FigureError, PoiseError
from poise.figure.segment import Segment, Site, vector3

BAD_VECTORS = [(0, 1), (0, 1, 2, 3), (0, 1, np.nan), (0, 1, np.inf), "abc", None, [[0, 1, 2]]]
BAD_ROTATIONS = [np.eye(2), 2.0 * np.eye(3), np.diag([1, 1, -1]), np.full((3, 3), np.nan), "abc"]


def test_a_segment_is_at_its_parents_origin_unless_told():
    segment = Segment("hand", "arm")
    np.testing.assert_array_equal(segment.offset, np.zeros(3))
    np.testing.assert_array_equal(segment.rotation, np.eye(3))
    assert segment.joint.kind == "fixed"


@pytest.mark.parametrize(
    ("made", "joint_name", "names"),
    [
        (joint.revolute("X"), "", ("hand",)),
        (joint.revolute("X"), "wrist", ("wrist",)),
        (joint.revolute("X", name="flexion"), "wrist", ("wrist_flexion",)),
        (joint.universal("XY"), "", ("hand_rx", "hand_ry")),
        (joint.fixed(), "wrist", ()),
    ],
)
def test_dof_names_join_the_names_of_joint_and_dof(made, joint_name, names):
    assert Segment("hand", "arm", made, joint_name=joint_name).dof_names == names


@pytest.mark.parametrize("field", ["offset", "center", "after_offset"])
@pytest.mark.parametrize("bad", BAD_VECTORS)
def test_bad_vectors_name_the_field_and_the_segment(field, bad):
    with pytest.raises(FigureError, match=f"{field} of segment 'hand' needs three finite numbers"):
        Segment("hand", "arm", **{field: bad})


@pytest.mark.parametrize("field", ["rotation", "after_rotation"])
@pytest.mark.parametrize("bad", BAD_ROTATIONS)
def test_bad_rotations_name_the_field_and_the_segment(field, bad):
    with pytest.raises(PoiseError, match=f"{field} of segment 'hand' needs"):
        Segment("hand", "arm", **{field: bad})


@pytest.mark.parametrize("mass", [-1.0, np.nan, np.inf])
def test_bad_mass(mass):
    with pytest.raises(FigureError, match="mass of segment 'hand'"):
        Segment("hand", "arm", mass=mass)


def test_a_segment_needs_a_name():
    with pytest.raises(FigureError, match="needs a name"):
        Segment("", None)


@pytest.mark.parametrize("bad", BAD_VECTORS)
def test_bad_offset_of_a_site(bad):
    with pytest.raises(FigureError, match="offset of site 'palm'"):
        Site("palm", "hand", bad)


@pytest.mark.parametrize("bad", BAD_ROTATIONS)
def test_bad_rotation_of_a_site(bad):
    with pytest.raises(PoiseError, match="rotation of site 'palm'"):
        Site("palm", "hand", rotation=bad)


def test_arrays_are_read_only_copies():
    offset, rotation = np.ones(3), TILTED.copy()
    segment = Segment("hand", "arm", offset=offset, rotation=rotation)
    site = Site("palm", "hand", offset, rotation)
    offset[0], rotation[0, 0] = 9.0, 9.0
    for part in (segment, site):
        np.testing.assert_array_equal(part.offset, np.ones(3))
        np.testing.assert_array_equal(part.rotation, TILTED)
    arrays = [segment.offset, segment.rotation, segment.center, site.offset, site.rotation]
    arrays += [segment.after_offset, segment.after_rotation, Site("tip", "hand").rotation]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


@pytest.mark.parametrize("part", [Segment("hand", "arm"), Site("palm", "hand")])
def test_segments_and_sites_are_frozen(part):
    with pytest.raises(FrozenInstanceError):
        part.name = "other"


def test_vector3_copies():
    given = np.arange(3.0)
    kept = vector3(given, "offset")
    given[0] = 5.0
    np.testing.assert_array_equal(kept, [0.0, 1.0, 2.0])
