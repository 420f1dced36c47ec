import numpy as np
from joints import SLANTED, TILTED

from poise import joint
from poise.figure.figure import Figure
from poise.figure.segment import Segment
from poise.figure.tables import figure_sections
from poise.kernels import forward, layout


def figure():
    return Figure(
        "mixed",
        [
            Segment("root", None, joint.free()),
            Segment("arm", "root", joint.revolute("-Y", (-1, 2)), (1, 2, 3)),
            Segment("hand", "arm", joint.swing_twist(0.5, axis=SLANTED), rotation=TILTED),
            Segment("leg", "root", joint.fixed(), after_offset=(0, 1, 0), after_rotation=TILTED),
        ],
    )


def test_integer_tables():
    tables = figure_sections(figure())
    expected = {
        layout.SEGMENT_PARENT: [-1, 0, 1, 0],
        layout.SEGMENT_MOTIONS: [0, 4, 5, 7, 7],
        layout.SEGMENT_DOFS: [0, 6, 7, 10, 10],
        layout.MOTION_KIND: [
            *(forward.SLIDE_X, forward.SLIDE_Y, forward.SLIDE_Z, forward.ROTATION_VECTOR),
            *(forward.ROTATE_Y, forward.SWING, forward.ROTATE_Z),
        ],
        layout.MOTION_DOF: [0, 1, 2, 3, 6, 7, 9],
        layout.MOTION_SIGN: [1, 1, 1, 1, -1, 1, 1],
        layout.DISC_DOF: [7],
        layout.DISC_RADIUS: [0.5],
    }
    for section, values in expected.items():
        np.testing.assert_array_equal(tables[section], values)


def test_rotations_that_do_nothing_are_skipped():
    both = layout.HAS_BEFORE | layout.HAS_AFTER
    flags = figure_sections(figure())[layout.SEGMENT_FLAGS]
    np.testing.assert_array_equal(flags, [0, 0, both, layout.HAS_AFTER])


def test_float_tables():
    made = figure()
    tables = figure_sections(made)
    np.testing.assert_array_equal(tables[layout.SEGMENT_OFFSET][1], [1, 2, 3])
    np.testing.assert_array_equal(tables[layout.LOWER], made.lower)
    np.testing.assert_array_equal(tables[layout.UPPER], made.upper)
    frame = made.segments[2].joint.frame
    np.testing.assert_array_equal(tables[layout.SEGMENT_BEFORE][2], TILTED @ frame)
    np.testing.assert_array_equal(tables[layout.SEGMENT_AFTER][2, :9].reshape(3, 3), frame.T)
    np.testing.assert_array_equal(tables[layout.SEGMENT_AFTER][3, 9:], [0, 1, 0])


def test_room_for_what_forward_kinematics_writes():
    tables = figure_sections(figure())
    assert tables[layout.SINES] == tables[layout.COSINES] == 10
    assert tables[layout.AXES] == 60
    assert tables[layout.FRAMES] == 48
    assert tables[layout.CHARTS] == 84


def test_a_figure_without_dofs():
    tables = figure_sections(Figure("stone", [Segment("s", None)]))
    ints, floats = layout.pack(tables)
    np.testing.assert_array_equal(layout.ints_at(ints, layout.SEGMENT_DOFS), [0, 0])
    assert layout.floats_at(floats, ints, layout.LOWER).size == 0
