import numpy as np
import pytest

from poise.errors import FigureError
from poise.figure import joint
from poise.figure.builtin.ranges import BIBLIOGRAPHY, RANGES, human_joint, mirrored_axis
from poise.figure.figure import Figure
from poise.figure.rotation import from_euler
from poise.figure.segment import Segment

ROWS = [(name, row) for name, rows in RANGES.items() for row in rows]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{n}_{r.motion}" for n, r in ROWS])
def test_every_range_has_a_source_and_room_around_its_rest(name, row):
    assert any(row.source.startswith(work) for work in BIBLIOGRAPHY)
    assert row.lower + 10.0 <= row.rest <= row.upper - 10.0


def test_figures_hold_radians():
    (elbow,) = human_joint("elbow").dofs
    assert (elbow.lower, elbow.upper) == pytest.approx((0.0, np.deg2rad(150.0)))


@pytest.mark.parametrize("axis", ["X", "-X", "Y", "-Y", "Z", "-Z"])
def test_mirroring_an_axis_mirrors_the_rotation(axis):
    mirror = np.diag([-1.0, 1.0, 1.0])
    image = turned(joint.revolute(mirrored_axis(axis)), [0.3])
    np.testing.assert_allclose(image, mirror @ turned(joint.revolute(axis), [0.3]) @ mirror)


def turned(moving, angles):
    return Figure("one", [Segment("part", None, moving)]).pose(angles).rotation("part")


def test_signed_orders_are_products_with_signed_angles():
    angles = np.array([0.3, -0.5, 0.7])
    expected = from_euler("ZXY", angles * [-1.0, 1.0, -1.0])
    np.testing.assert_allclose(turned(joint.ball("-ZX-Y"), angles), expected, atol=1e-15)
    expected = from_euler("XY", angles[:2] * [1.0, -1.0])
    np.testing.assert_allclose(turned(joint.universal("X-Y"), angles[:2]), expected, atol=1e-15)


@pytest.mark.parametrize("order", ["-X--YZ", "X-", "XYZ-", "+XYZ", "-XX-Y", ""])
def test_broken_signed_orders_are_refused(order):
    with pytest.raises(FigureError):
        joint.ball(order)
