"""The limits of joints in the world: what is drawn of them is what holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from motion.bodies import swinging_arm

from poise.figure.rotation import from_vector
from poise.studio.limit_shapes import limit_shapes

FIGURE = swinging_arm()
CONE = 0.9
swings = st.tuples(st.floats(0.0, CONE - 1e-3), st.floats(0.0, 2 * np.pi))


def arm_shapes(pose):
    found = limit_shapes(pose, FIGURE.segment_index("arm"))
    return {kind: [own for own in found if own.kind == kind] for kind in ("cone", "ring", "arc")}


@given(swing=swings, heading=st.floats(-2.0, 2.0))
def test_a_cone_is_about_its_axis_and_its_rings_end_on_it(swing, heading):
    size, way = swing
    x, y = size * np.cos(way), size * np.sin(way)
    pose = FIGURE.rest().with_angles({"arm_swing_x": x, "arm_swing_y": y, "base_ry": heading})
    shapes = arm_shapes(pose)
    (cone,) = shapes["cone"]
    assert (cone.lower, cone.upper) == (0.0, CONE)
    assert cone.value == pytest.approx(size, abs=1e-9)
    middle, tip = np.array(cone.axis), np.array(cone.pointer)
    assert np.arccos(np.clip(middle @ tip, -1, 1)) == pytest.approx(size, abs=1e-6)
    assert len(shapes["ring"]) == 2
    for ring in shapes["ring"]:
        assert ring.lower <= ring.value <= ring.upper
        for end in (ring.lower, ring.upper):
            turned = from_vector((end - ring.value) * np.array(ring.axis)) @ tip
            assert np.arccos(np.clip(middle @ turned, -1, 1)) == pytest.approx(CONE, abs=1e-6)


def test_the_twist_has_an_arc_and_the_root_has_rings_without_ends():
    pose = FIGURE.rest()
    (twist,) = arm_shapes(pose)["arc"]
    assert (twist.lower, twist.upper) == (-0.5, 0.5)
    rings = [own for own in limit_shapes(pose, 0) if own.kind == "ring"]
    assert [np.argmax(np.abs(own.axis)) for own in rings] == [0, 1, 2]
    assert all(own.lower is None and own.upper is None for own in rings)
