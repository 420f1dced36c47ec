"""Root motion, taken out and put in."""

import numpy as np
import pytest
from motion.bodies import puppet, wandering

from poise import joint

ROOTS = {
    "free": joint.free(),
    "ZYX": joint.channels("ZYX", "XYZ"),
    "YXZ, axes of its own": joint.channels("YXZ", "Z-XY"),
    "swing": joint.Joint("", (*joint.translation().motions, *joint.swing_twist(3.0).motions)),
}


@pytest.mark.parametrize("up", ["Y", "Z"])
@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS.keys())
def test_moved_turns_and_moves_everything(root, up):
    made = wandering(puppet(root=root, up=up))
    moved = made.moved((1.0, 2.0, 3.0), heading=0.7)
    axis = "XYZ".index(up)
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn[i, i] = turn[j, j] = c
    turn[i, j], turn[j, i] = -s, s
    expected = made.positions() @ turn.T + [1.0, 2.0, 3.0]
    np.testing.assert_allclose(moved.positions(), expected, atol=1e-12)
    heading = moved.root_motion().headings - made.root_motion().headings
    np.testing.assert_allclose(np.exp(1j * heading), np.exp(0.7j), atol=1e-9)
    # The spine and the arms do not change at all.
    np.testing.assert_array_equal(moved.angles[:, 6:], made.angles[:, 6:])


@pytest.mark.parametrize("root", ROOTS.values(), ids=ROOTS.keys())
def test_in_place_stays_above_its_start(root):
    made = wandering(puppet(root=root))
    still = made.in_place()
    path = still.root_motion().positions
    np.testing.assert_allclose(
        path[:, [0, 2]], np.tile(path[0, [0, 2]], (len(made), 1)), atol=1e-12
    )
    np.testing.assert_allclose(path[:, 1], made.root_motion().positions[:, 1], atol=1e-12)
    np.testing.assert_array_equal(still.angles[:, 3:], made.angles[:, 3:])
    facing = made.in_place(turning=True).root_motion()
    turned = facing.headings - facing.headings[0]
    np.testing.assert_allclose(np.exp(1j * turned), 1.0, atol=1e-9)
    np.testing.assert_array_equal(facing.on_ground[:, 1], 0.0)
