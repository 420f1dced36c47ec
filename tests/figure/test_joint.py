from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joints import JOINTS, SLANTED, TILTED, backwards

from poise import joint
from poise.errors import FigureError, PoiseError
from poise.figure.figure import Figure
from poise.figure.joint import Dof, Joint, MotionKind
from poise.figure.rotation import EULER_ORDERS
from poise.figure.segment import Segment

INF = np.inf


def transform(made: Joint, values):
    """The joint's motion (4x4) as a figure of one segment makes it."""
    return Figure("one", [Segment("s", None, made)]).pose(values).transform("s")


@pytest.mark.parametrize("case", JOINTS, ids=lambda case: case.name)
@given(seed=st.integers(0, 2**32 - 1))
def test_moves_as_its_definition_says(case, seed):
    values = case.values(np.random.default_rng(seed))
    np.testing.assert_allclose(transform(case.joint, values), case.motion(*values), atol=2e-15 * 8)


@pytest.mark.parametrize("case", JOINTS, ids=lambda case: case.name)
def test_does_nothing_at_zero(case):
    zero = np.zeros(len(case.joint.dofs))
    np.testing.assert_allclose(transform(case.joint, zero), np.eye(4), atol=1e-15)


@pytest.mark.parametrize("case", JOINTS, ids=lambda case: case.name)
def test_backwards_is_the_inverse(case):
    # Motions change places; the DOFs of one motion keep theirs.
    sizes = [len(motion.dofs) for motion in case.joint.motions]
    values = case.values(np.random.default_rng(1))
    groups = np.split(values, np.cumsum(sizes)[:-1]) if sizes else []
    back = np.concatenate(groups[::-1]) if groups else values
    inverse = transform(backwards(case.joint), back)
    np.testing.assert_allclose(inverse @ transform(case.joint, values), np.eye(4), atol=1e-14)


@pytest.mark.parametrize("axis", [SLANTED, (0.0, 0.0, 2.0), (-3.0, 0.0, 0.0), "Y", "-X"])
@pytest.mark.parametrize("make", [joint.swing_twist, joint.planar])
def test_the_frame_turns_z_onto_the_axis(make, axis):
    made = make(1.0, axis=axis) if make is joint.swing_twist else make(axis)
    sign, letter = (-1.0, axis[-1]) if str(axis)[0] == "-" else (1.0, axis)
    wanted = sign * np.eye(3)["XYZ".index(letter)] if isinstance(axis, str) else np.array(axis)
    np.testing.assert_allclose(made.frame[:, 2], wanted / np.linalg.norm(wanted), atol=1e-15)
    np.testing.assert_allclose(made.frame @ made.frame.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(made.frame) > 0


def test_swing_of_half_a_cone_tilts_the_axis_by_it():
    tilted = transform(joint.swing_twist(1.0, axis=SLANTED), (0.3, -0.4, 0.9))[:3, :3] @ SLANTED
    np.testing.assert_allclose(np.arccos(tilted @ SLANTED), 0.5, atol=1e-12)


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (joint.fixed(), []),
        (joint.revolute("X"), [""]),
        (joint.revolute("X", name="bend"), ["bend"]),
        (joint.universal("X-Z"), ["rx", "rz"]),
        (joint.ball("ZXY"), ["rz", "rx", "ry"]),
        (joint.ball("ZYZ"), ["a", "b", "c"]),
        (joint.ball("ZYZ", names=["one", "two", "three"]), ["one", "two", "three"]),
        (joint.swing_twist(1.0), ["swing_x", "swing_y", "twist"]),
        (joint.rotation_vector(), ["rx", "ry", "rz"]),
        (joint.planar(), ["slide_1", "slide_2", "turn"]),
        (joint.translation("Z-X"), ["tz", "tx"]),
        (joint.free(), ["tx", "ty", "tz", "rx", "ry", "rz"]),
        (joint.channels("ZX", "Y"), ["ty", "rz", "rx"]),
        (joint.channels("ZX", "Y", translation_first=False), ["rz", "rx", "ty"]),
    ],
)
def test_names_of_dofs(made, names):
    assert [dof.name for dof in made.dofs] == names


@pytest.mark.parametrize("case", JOINTS, ids=lambda case: case.name)
def test_kind_of_each_dof_is_what_its_motion_does(case):
    for motion in case.joint.motions:
        slides = MotionKind.SLIDE_X <= motion.kind <= MotionKind.SLIDE_Z
        assert {dof.kind for dof in motion.dofs} == {"translation" if slides else "rotation"}
        assert motion.kind.is_translation == slides


def test_limits_and_rest_follow_the_order_of_the_dofs():
    limits = [(-1.0, 1.0), (-2.0, INF), (0.5, 0.75)]
    made = joint.ball("YXZ", limits, rest=[0.1, 0.2, 0.6])
    assert [(dof.lower, dof.upper) for dof in made.dofs] == limits
    assert [dof.rest for dof in made.dofs] == [0.1, 0.2, 0.6]
    slide = joint.prismatic("X", (-1, 2), rest=1)
    assert (slide.dofs[0].lower, slide.dofs[0].upper, slide.dofs[0].rest) == (-1.0, 2.0, 1.0)


def test_limits_of_a_swing_are_its_cone():
    swing, twist = joint.swing_twist(0.8, (-0.1, 0.2)).motions
    assert swing.cone == 0.8
    assert [(dof.lower, dof.upper) for dof in swing.dofs] == [(-0.8, 0.8)] * 2
    assert [(dof.lower, dof.upper) for dof in twist.dofs] == [(-0.1, 0.2)]


@pytest.mark.parametrize("made", [joint.free(), joint.rotation_vector()])
def test_free_joints_have_no_limits(made):
    assert all((dof.lower, dof.upper) == (-INF, INF) for dof in made.dofs)


def test_with_dofs_changes_nothing_else():
    made = joint.channels("ZXY", "XY", frame=TILTED)
    stiff = [replace(dof, rigidity=0.5) for dof in made.dofs]
    changed = made.with_dofs(stiff)
    assert changed.dofs == tuple(stiff)
    assert [m.kind for m in changed.motions] == [m.kind for m in made.motions]
    assert all(dof.rigidity == 0.0 for dof in made.dofs)
    np.testing.assert_array_equal(changed.frame, made.frame)


@pytest.mark.parametrize(
    "values",
    [
        {"lower": 1.0, "upper": 0.5},
        {"lower": np.nan},
        {"upper": np.nan},
        {"lower": INF},
        {"upper": -INF},
        {"rigidity": -0.1},
        {"rigidity": 1.1},
        {"rigidity": np.nan},
        {"lower": 0.5, "upper": 1.0},  # rest 0 lies outside
        {"lower": -1.0, "upper": 1.0, "rest": 1.5},
        {"rest": np.nan},
        {"rest": INF},
        {"rest": -INF},
    ],
)
def test_a_dof_refuses(values):
    with pytest.raises(FigureError, match="'bend'"):
        Dof("bend", "rotation", **values)


def test_the_error_of_a_rest_outside_names_the_nearest_value_inside():
    with pytest.raises(FigureError, match=r"the nearest valid one is 0\.5"):
        Dof("bend", "rotation", 0.5, 1.0)


def test_a_dof_of_one_value_is_allowed():
    assert Dof("bend", "rotation", 0.3, 0.3, rest=0.3).upper == 0.3


@pytest.mark.parametrize(
    "make",
    [
        lambda: joint.revolute("W"),
        lambda: joint.revolute(""),
        lambda: joint.revolute("XY"),
        lambda: joint.revolute((0, 0, 0)),
        lambda: joint.revolute((0, 1)),
        lambda: joint.revolute((np.nan, 0, 1)),
        lambda: joint.prismatic((INF, 0, 1)),
        lambda: joint.universal("XX"),
        lambda: joint.universal("X-X"),
        lambda: joint.universal("X"),
        lambda: joint.universal("xy"),
        lambda: joint.ball("XXY"),
        lambda: joint.ball("zxy"),
        lambda: joint.ball("ZXY-"),
        lambda: joint.ball("--ZXY"),
        lambda: joint.ball("ZXY", [(-1, 1)] * 2),
        lambda: joint.ball("ZXY", names=["a", "b"]),
        lambda: joint.ball("ZXY", rest=[0.0] * 4),
        lambda: joint.ball("ZXY", frame=2.0 * np.eye(3)),
        lambda: joint.ball("ZXY", [(1, -1)] * 3),
        lambda: joint.swing_twist(0.0),
        lambda: joint.swing_twist(np.pi),
        lambda: joint.swing_twist(np.nan),
        lambda: joint.swing_twist(1.0, axis=(0, 0, 0)),
        lambda: joint.planar("Q"),
        lambda: joint.planar(limits=[(0, 1)]),
        lambda: joint.translation("XYW"),
        lambda: joint.channels("Z X"),
    ],
)
def test_bad_joints_are_our_own_error(make):
    with pytest.raises(PoiseError):
        make()


def test_the_error_of_an_unknown_order_lists_the_twelve():
    with pytest.raises(FigureError) as caught:
        joint.ball("XXY")
    assert all(order in str(caught.value) for order in EULER_ORDERS)


@pytest.mark.parametrize("case", JOINTS, ids=lambda case: case.name)
def test_joints_are_frozen(case):
    with pytest.raises(FrozenInstanceError):
        case.joint.kind = "other"
    assert not case.joint.frame.flags.writeable


def test_a_frame_is_copied():
    frame = TILTED.copy()
    made = joint.ball("ZXY", frame=frame)
    frame[0, 0] = 7.0
    np.testing.assert_array_equal(made.frame, TILTED)


@pytest.mark.parametrize("cone", [0, 0.0, -0.1, np.pi, np.nan, None, "wide", (0.1, 0.2)])
def test_a_cone_without_an_inside_is_refused(cone):
    with pytest.raises(FigureError, match=r"cone of a swing-twist joint is .*rigidity 1, or use a"):
        joint.swing_twist(cone)
