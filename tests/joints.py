"""Every kind of joint beside what it should do, written down a second time with SciPy.

`JOINTS` is the one list over which the tests of kinematics and derivatives run. A new kind of
joint goes there, with its motion as a 4x4 matrix.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

from poise import joint
from poise.figure.figure import Figure
from poise.figure.joint import Joint
from poise.figure.rotation import EULER_ORDERS
from poise.figure.segment import Segment, Site

EULER_RANGE = 1.2  # [rad]
TILTED = Rotation.from_euler("ZYX", [0.4, -0.7, 1.1]).as_matrix()
SLANTED = np.array([0.48, -0.6, 0.64])
"""A unit vector along no axis."""


def turn(vector):
    """The rotation by ‖vector‖ about vector (4x4)."""
    matrix = np.eye(4)
    matrix[:3, :3] = Rotation.from_rotvec(vector).as_matrix()
    return matrix


def shift(vector):
    """The translation by a vector (4x4)."""
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


def placed(rotation, offset=(0.0, 0.0, 0.0)):
    """A rotation (3x3) and then a translation in the frame before it (4x4)."""
    matrix = shift(offset)
    matrix[:3, :3] = rotation
    return matrix


def product(*matrices):
    """The product from left to right."""
    result = np.eye(4)
    for matrix in matrices:
        result = result @ matrix
    return result


@dataclass(frozen=True)
class Case:
    """A joint, and the motion (4x4) that it should make at given values of its DOFs."""

    name: str
    joint: Joint
    motion: Callable[..., np.ndarray]

    def __repr__(self):
        return self.name

    def values(self, rng):
        """Random values of its DOFs, inside the chart of a rotation vector."""
        return rng.uniform(-EULER_RANGE, EULER_RANGE, len(self.joint.dofs))


def _axis(part):
    """The signed unit vector of "X" or "-X"."""
    return (-1.0 if part[0] == "-" else 1.0) * np.eye(3)["XYZ".index(part[-1])]


def _euler(*parts, frame=None):
    """Turns about the given axes of `frame`, in product order."""
    axes = [(np.eye(3) if frame is None else frame) @ _axis(part) for part in parts]
    return lambda *q: product(*(turn(a * v) for a, v in zip(axes, q, strict=True)))


def _slides(*parts, frame=None):
    axes = [(np.eye(3) if frame is None else frame) @ _axis(part) for part in parts]
    return lambda *q: shift(sum(a * v for a, v in zip(axes, q, strict=True)))


def _swing_twist(frame):
    return lambda x, y, t: turn(frame @ (x, y, 0.0)) @ turn(frame @ (0.0, 0.0, t))


def _in_plane(frame):
    return lambda a, b, t: shift(frame @ (a, b, 0.0)) @ turn(frame @ (0.0, 0.0, t))


def backwards(made: Joint) -> Joint:
    """The inverse motion: the motions in the other order, each reversed."""
    return replace(
        made, motions=tuple(replace(m, reversed=not m.reversed) for m in reversed(made.motions))
    )


_SWING = joint.swing_twist(2.5, axis=SLANTED)
_PLANE = joint.planar(SLANTED)

JOINTS = [
    Case("fixed", joint.fixed(), lambda: np.eye(4)),
    *(
        Case(f"revolute {a}", joint.revolute(a), _euler(a))
        for a in ("X", "Y", "Z", "-X", "-Y", "-Z")
    ),
    Case("revolute slanted", joint.revolute(3.0 * SLANTED), lambda q: turn(q * SLANTED)),
    *(Case(f"prismatic {a}", joint.prismatic(a), _slides(a)) for a in ("X", "Y", "Z", "-Y")),
    Case("prismatic slanted", joint.prismatic(3.0 * SLANTED), lambda q: shift(q * SLANTED)),
    Case("universal XY", joint.universal("XY"), _euler("X", "Y")),
    Case("universal -ZX", joint.universal("-ZX", frame=TILTED), _euler("-Z", "X", frame=TILTED)),
    *(Case(f"ball {order}", joint.ball(order), _euler(*order)) for order in EULER_ORDERS),
    Case("ball -XZ-Y", joint.ball("-XZ-Y"), _euler("-X", "Z", "-Y")),
    Case("ball tilted", joint.ball("YX-Z", frame=TILTED), _euler("Y", "X", "-Z", frame=TILTED)),
    Case("swing-twist Z", joint.swing_twist(2.5), _swing_twist(np.eye(3))),
    Case("swing-twist slanted", _SWING, _swing_twist(_SWING.frame)),
    Case("rotation vector", joint.rotation_vector(), lambda *q: turn(q)),
    Case("planar Z", joint.planar("Z"), _in_plane(np.eye(3))),
    Case("planar slanted", _PLANE, _in_plane(_PLANE.frame)),
    Case("translation", joint.translation(), lambda *q: shift(q)),
    Case("translation Z-X", joint.translation("Z-X"), _slides("Z", "-X")),
    Case("free", joint.free(), lambda *q: shift(q[:3]) @ turn(q[3:])),
    Case(
        "channels",
        joint.channels("ZXY", "XYZ", frame=TILTED),
        lambda *q: _slides(*"XYZ", frame=TILTED)(*q[:3]) @ _euler(*"ZXY", frame=TILTED)(*q[3:]),
    ),
    Case(
        "channels, translation last",
        joint.channels("YZ", "-XZ", translation_first=False),
        lambda *q: _euler("Y", "Z")(*q[:2]) @ _slides("-X", "Z")(*q[2:]),
    ),
    Case(
        "swing-twist backwards",
        backwards(_SWING),
        lambda t, x, y: np.linalg.inv(_swing_twist(_SWING.frame)(x, y, t)),
    ),
    Case(
        "rotation vector backwards",
        backwards(joint.rotation_vector()),
        lambda *q: turn(-np.array(q)),
    ),
    Case(
        "channels backwards",
        backwards(joint.channels("ZXY", "XY")),
        lambda c, b, a, y, x: np.linalg.inv(_slides("X", "Y")(x, y) @ _euler(*"ZXY")(a, b, c)),
    ),
]
"""Every kind of joint, with axes along and across the frame's."""


def random_rotation(rng):
    return Rotation.random(rng=rng).as_matrix()


def random_figure(cases, parents, rng):
    """A figure with the joints of `cases` and everything else random; each segment has a site."""
    segments, sites = [], []
    for i, (case, parent) in enumerate(zip(cases, parents, strict=True)):
        segments.append(
            Segment(
                f"s{i}",
                None if parent is None else f"s{parent}",
                case.joint,
                rng.normal(size=3),
                random_rotation(rng) if rng.random() < 0.5 else None,
                after_rotation=random_rotation(rng) if rng.random() < 0.3 else None,
                after_offset=rng.normal(size=3) if rng.random() < 0.3 else (0.0, 0.0, 0.0),
                mass=rng.uniform(0.5, 2.0),
                center=rng.normal(size=3),
            )
        )
        sites.append(Site(f"site{i}", f"s{i}", rng.normal(size=3), random_rotation(rng)))
    return Figure("random", segments, sites)


def transforms(figure, cases, angles):
    """World transforms (4x4) of all segments by name, from the definition of a segment's frame."""
    motions = {f"s{i}": case.motion for i, case in enumerate(cases)}
    remaining, world = list(angles), {None: np.eye(4)}
    for segment in figure.segments:
        count = len(segment.joint.dofs)
        values, remaining = remaining[:count], remaining[count:]
        world[segment.name] = product(
            world[segment.parent],
            placed(segment.rotation, segment.offset),
            motions[segment.name](*values),
            placed(segment.after_rotation),
            shift(segment.after_offset),
        )
    return world
