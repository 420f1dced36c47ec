import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joints import JOINTS, TILTED, random_figure, random_rotation, transforms
from scipy.spatial.transform import Rotation

from poise import joint
from poise.errors import FigureError
from poise.figure.builtin import arm, human
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.segment import Segment, Site


@pytest.fixture(scope="module")
def figure():
    return arm()


@pytest.fixture
def pose(figure):
    return figure.pose(np.random.default_rng(0).uniform(figure.lower, figure.upper))


@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_sites_are_where_a_product_of_matrices_puts_them(data, seed):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=6))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    angles = rng.uniform(-1.2, 1.2, len(figure.dofs))
    pose, world = figure.pose(angles), transforms(figure, cases, angles)
    offset = rng.normal(size=3)
    for site in figure.sites:
        expected = world[site.segment] @ np.block(
            [[np.asarray(site.rotation), np.asarray(site.offset)[:, None]], [np.zeros(3), 1.0]]
        )
        name = site.name
        np.testing.assert_allclose(pose.transform(name), expected, atol=1e-12)
        np.testing.assert_allclose(pose.position(name), expected[:3, 3], atol=1e-12)
        np.testing.assert_allclose(pose.rotation(name), expected[:3, :3], atol=1e-12)
        moved = (expected @ [*offset, 1.0])[:3]
        np.testing.assert_allclose(pose.position(name, offset), moved, atol=1e-12)
        q = pose.quaternion(name)
        assert q[0] >= 0.0
        turned = Rotation.from_quat(np.roll(q, -1)).as_matrix()
        np.testing.assert_allclose(turned, expected[:3, :3], atol=1e-12)


def test_frames_are_those_of_the_segments(pose):
    rotations, origins = pose.frames
    assert rotations.shape == (len(pose.figure.segments), 3, 3)
    for i, name in enumerate(pose.figure.segment_names):
        if name not in {site.name for site in pose.figure.sites}:
            np.testing.assert_array_equal(pose.transform(name)[:3, :3], rotations[i])
            np.testing.assert_array_equal(pose.position(name), origins[i])


def test_a_value_by_name(pose):
    for i, name in enumerate(pose.figure.dof_names):
        assert pose[name] == pose.angles[i]
    with pytest.raises(FigureError, match="did you mean 'elbow_flexion'"):
        _ = pose["elbow_flexon"]


def test_with_angles_leaves_the_pose_as_it_is(pose):
    before = pose.angles.copy()
    changed = pose.with_angles({"elbow_flexion": 1.0})
    np.testing.assert_array_equal(pose.angles, before)
    i = pose.figure.dof_index("elbow_flexion")
    assert changed.angles[i] == 1.0
    np.testing.assert_array_equal(np.delete(changed.angles, i), np.delete(before, i))
    for bad in ({"elbow": 1.0}, {"elbow_flexion": np.nan}, {"elbow_flexion": "x"}):
        with pytest.raises(FigureError):
            pose.with_angles(bad)


def test_angles_and_frames_are_read_only_copies(figure):
    given_angles = figure.rest().angles.copy()
    pose = Pose(figure, given_angles)
    given_angles[0] += 1.0
    np.testing.assert_array_equal(pose.angles, figure.rest().angles)
    for array in (pose.angles, *pose.frames):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    pose.rotation("hand")[:] = 0.0  # a fresh array: nothing happens to the pose
    np.testing.assert_array_equal(pose.rotation("hand"), figure.rest().rotation("hand"))


@pytest.mark.parametrize("bad", [np.zeros(6), np.zeros((1, 7)), 0.0, [], "abc", None])
def test_a_wrong_shape_is_an_error(figure, bad):
    with pytest.raises(FigureError, match="a pose of arm needs 7 values"):
        figure.pose(bad)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_is_named(figure, bad):
    angles = np.zeros(7)
    angles[3] = bad
    with pytest.raises(FigureError, match="'elbow_flexion'"):
        figure.pose(angles)


@pytest.mark.parametrize("bad", [(0, 1), (0, 0, np.nan), "abc"])
def test_a_bad_offset_is_an_error(pose, bad):
    with pytest.raises(FigureError, match="offset"):
        pose.position("hand", bad)


@pytest.mark.parametrize("method", ["position", "rotation", "quaternion", "transform"])
def test_an_unknown_effector_is_an_error(pose, method):
    with pytest.raises(FigureError, match=r"unknown site or segment of arm 'hnad'.*'hand'"):
        getattr(pose, method)("hnad")


def test_poses_are_equal_when_figure_and_angles_are(figure, pose):
    assert pose == figure.pose(pose.angles)
    assert pose != figure.rest()
    assert pose != arm().pose(pose.angles)
    assert pose != "pose"
    with pytest.raises(TypeError):
        hash(pose)


# -- limits ------------------------------------------------------------------------------------


def limited():
    """Open sides, a single value, a whole cone and a cone cut by a box."""
    return Figure(
        "limited",
        [
            Segment("root", None, joint.translation("XYZ", [(-1, 1), (-np.inf, 0.5), (0.0, 0.0)])),
            Segment("whole", "root", joint.swing_twist(0.7, (-0.2, 0.3))),
            Segment("cut", "root", joint.swing_twist(1.0)),
        ],
    ).with_limits({"cut_swing_x": (-0.3, 0.9), "cut_swing_y": (0.1, 0.8)})


def inside(figure, angles):
    """The limits, written down a second time."""
    boxes = (figure.lower <= angles).all() and (angles <= figure.upper).all()
    cones = all(angles[d] ** 2 + angles[d + 1] ** 2 <= r * r for d, r in figure.cones)
    return bool(boxes and cones)


@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([0.3, 1.0, 5.0]))
def test_clamped_is_inside_and_leaves_what_is_inside(seed, scale):
    figure = limited()
    pose = figure.pose(scale * np.random.default_rng(seed).normal(size=len(figure.dofs)))
    clamped = pose.clamped()
    assert inside(figure, clamped.angles)
    assert clamped.is_inside_limits
    assert pose.is_inside_limits == inside(figure, pose.angles)
    assert clamped.clamped() == clamped
    if pose.is_inside_limits:
        assert clamped == pose


@pytest.mark.parametrize("d", range(7))
def test_one_bit_outside_is_outside(figure, d):
    for bound, away in ((figure.lower, -np.inf), (figure.upper, np.inf)):
        angles = figure.rest().angles.copy()
        angles[d] = bound[d]
        assert figure.pose(angles).is_inside_limits
        angles[d] = np.nextafter(bound[d], away)
        outside = figure.pose(angles)
        assert not outside.is_inside_limits
        assert outside.clamped().angles[d] == bound[d]


def test_clamping_changes_only_the_dofs_outside():
    body = human()
    angles = body.rest().angles.copy()
    d = body.dof_index("left_elbow_flexion")
    angles[d] = 99.0
    clamped = body.pose(angles).clamped()
    assert clamped.angles[d] == body.upper[d]
    np.testing.assert_array_equal(np.delete(clamped.angles, d), np.delete(angles, d))


def test_poses_of_one_figure_do_not_disturb_each_other(figure):
    rng = np.random.default_rng(7)
    angles = [rng.uniform(figure.lower, figure.upper) for _ in range(4)]
    alone = [arm().pose(a).position("hand") for a in angles]
    together = [figure.pose(a) for a in angles]
    for pose, expected in zip(together, alone, strict=True):
        np.testing.assert_array_equal(pose.position("hand"), expected)


def test_a_figure_without_dofs_has_one_pose():
    figure = Figure("stone", [Segment("s", None, offset=(1, 2, 3), rotation=TILTED)])
    pose = figure.pose([])
    np.testing.assert_array_equal(pose.position("s"), [1, 2, 3])
    np.testing.assert_allclose(pose.rotation("s"), TILTED, atol=1e-15)
    assert pose.is_inside_limits


def test_a_turned_site():
    turned = random_rotation(np.random.default_rng(1))
    figure = Figure(
        "f", [Segment("s", None, rotation=TILTED)], [Site("tip", "s", (1, 0, 0), turned)]
    )
    pose = figure.rest()
    np.testing.assert_allclose(pose.rotation("tip"), TILTED @ turned, atol=1e-15)
    expected = TILTED @ ((1, 0, 0) + turned @ (0, 2, 0))
    np.testing.assert_allclose(pose.position("tip", (0, 2, 0)), expected, atol=1e-15)
