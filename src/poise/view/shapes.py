"""The shape of the built-in people, for the eye only: round cones about their bones.

Each is (start, radius, end, radius) in the frame of its segment at zero [m]: x to the left, y up,
z forward. The left side is given; the right one is its mirror image.
"""

from __future__ import annotations

Cone = tuple[tuple[float, float, float], float, tuple[float, float, float], float]


def _across(half: float, y: float, z: float, radius: float) -> Cone:
    """A part of the trunk that reaches as far to the left as to the right."""
    return ((-half, y, z), radius, (half, y, z), radius)


_FINGERS = [
    ((0.0, 0.0, z), 0.0115, (0.0, -reach, 0.85 * z), 0.008)
    for z, reach in ((-0.030, 0.070), (-0.010, 0.088), (0.010, 0.094), (0.030, 0.086))
]
_FOREFOOT = [
    ((-0.014, -0.014, -0.010), 0.031, (-0.026, -0.027, 0.086), 0.020),
    ((0.012, -0.014, -0.010), 0.031, (0.020, -0.027, 0.086), 0.020),
]

SHAPES: dict[str, list[Cone]] = {
    "pelvis": [_across(0.070, 0.060, 0.0, 0.095), _across(0.070, 0.010, -0.005, 0.105)],
    "spine_1": [_across(0.055, 0.030, 0.030, 0.092)],
    "spine_2": [_across(0.052, 0.040, 0.030, 0.092)],
    "spine_3": [_across(0.062, 0.050, 0.035, 0.097)],
    "spine_4": [_across(0.075, 0.060, 0.055, 0.102)],
    "chest": [_across(0.090, -0.005, 0.050, 0.092), _across(0.085, 0.040, 0.035, 0.062)],
    "neck": [((0.0, -0.030, 0.005), 0.062, (0.0, 0.119, 0.035), 0.054)],
    "head": [
        ((0.0, 0.072, -0.008), 0.093, (0.0, 0.070, 0.022), 0.082),
        ((0.0, 0.060, 0.020), 0.080, (0.0, -0.010, 0.052), 0.046),
        ((0.0, 0.050, 0.100), 0.009, (0.0, 0.022, 0.108), 0.014),
    ],
    "clavicle": [((0.045, 0.010, -0.030), 0.056, (0.160, 0.008, -0.054), 0.058)],
    "upper_arm": [
        ((0.0, 0.0, 0.0), 0.058, (0.0, -0.100, 0.0), 0.052),
        ((0.0, -0.100, 0.0), 0.052, (0.0, -0.335, 0.0), 0.040),
    ],
    "forearm": [
        ((0.0, 0.0, 0.0), 0.040, (0.0, -0.080, 0.0), 0.045),
        ((0.0, -0.080, 0.0), 0.045, (0.0, -0.263, 0.0), 0.026),
    ],
    "hand": [
        ((0.0, 0.0, 0.0), 0.026, (0.0, -0.085, -0.028), 0.014),
        ((0.0, 0.0, 0.0), 0.026, (0.0, -0.089, 0.0), 0.014),
        ((0.0, 0.0, 0.0), 0.026, (0.0, -0.087, 0.028), 0.014),
        ((0.0, -0.020, 0.015), 0.018, (-0.012, -0.065, 0.048), 0.014),
        ((-0.012, -0.065, 0.048), 0.014, (-0.016, -0.105, 0.052), 0.010),
    ],
    "fingers": _FINGERS,
    "thigh": [
        ((0.0, 0.020, -0.005), 0.092, (0.0, -0.250, 0.010), 0.074),
        ((0.0, -0.250, 0.010), 0.074, (0.0, -0.441, 0.0), 0.055),
    ],
    "shank": [
        ((0.0, 0.0, 0.0), 0.054, (0.0, -0.130, -0.012), 0.055),
        ((0.0, -0.130, -0.012), 0.055, (0.0, -0.430, 0.0), 0.036),
    ],
    "foot": [
        ((0.0, 0.0, 0.0), 0.038, (0.0, -0.033, -0.026), 0.035),
        ((0.0, -0.033, -0.026), 0.035, (0.004, -0.034, 0.050), 0.036),
        ((0.0, -0.005, 0.010), 0.038, (0.0, -0.034, 0.060), 0.033),
    ],
    "forefoot": _FOREFOOT,
    "toes": [
        ((-0.026, 0.0, 0.0), 0.020, (-0.022, -0.006, 0.060), 0.014),
        ((-0.002, 0.0, 0.0), 0.019, (-0.002, -0.008, 0.062), 0.012),
        ((0.020, 0.0, 0.0), 0.018, (0.016, -0.009, 0.050), 0.011),
    ],
}
"""By segment name, without its side."""

TRUNK = ("pelvis", "spine_1", "spine_2", "spine_3", "spine_4", "chest")
"""Segments whose first cones are joined by a skin, upwards."""

VERTEBRAE = (
    *(f"vertebra_l{i}" for i in range(5, 0, -1)),
    *(f"vertebra_t{i}" for i in range(12, 0, -1)),
)
JACK_TRUNK = ("pelvis", *VERTEBRAE)

JACK: dict[str, list[Cone]] = {
    **{
        name: [
            _across(0.055 + 0.0019 * i, 0.020 - 0.0038 * i, 0.030 + 0.0012 * i, 0.092 + 0.0003 * i)
        ]
        for i, name in enumerate(VERTEBRAE)
    },
    "foot": SHAPES["foot"]
    + [
        ((x0, y0 - 0.023, z0 + 0.054), r0, (x1, y1 - 0.023, z1 + 0.054), r1)
        for (x0, y0, z0), r0, (x1, y1, z1), r1 in _FOREFOOT
    ],
    "hand": SHAPES["hand"]
    + [
        ((x, -0.089, z0), r0, (x, y - 0.089, z1), r1) for (x, _, z0), r0, (_, y, z1), r1 in _FINGERS
    ],
}
"""Where `jack` has fewer joints in a limb than `human`, or more."""

SHAPED = ("human", "jack", "arm")
"""The figures with shapes of their own."""


def shape_of(figure: str, segment: str) -> list[Cone]:
    """The cones of a segment; empty for one that is not of the built-in people."""
    if figure not in SHAPED:
        return []
    side, _, rest = segment.partition("_")
    name = rest if side in ("left", "right") else segment
    found = (SHAPES if figure == "human" else SHAPES | JACK).get(name, [])
    if side == "left" or (name == segment and figure != "arm"):
        return found
    return [((-a, b, c), r, (-x, y, z), q) for (a, b, c), r, (x, y, z), q in found]


def trunk_of(figure: str) -> tuple[str, ...]:
    """The segments that a skin joins, upwards; none for other figures."""
    return {"human": TRUNK, "jack": JACK_TRUNK}.get(figure, ())
