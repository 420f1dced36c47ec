"""The thoracic and lumbar spine: where its 17 joints lie and how far each one bends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.figure.builtin.proportions import STATURE, point
from poise.figure.builtin.ranges import Range

FLEXION_SHARE = 0.6
"""White & Panjabi give flexion and extension as one range; this much of it bends forward. The
spine as a whole then flexes by 90° and extends by 60°."""


class Vertebra(NamedTuple):
    """A vertebra and the joint below it: L5 moves on the sacrum, T12 on L1, T1 on T2.

    `height` [mm] is that of the body at the back: M. M. Panjabi et al., Thoracic Human Vertebrae,
    Spine 16 (1991), and Human Lumbar Vertebrae, Spine 17 (1992). The ranges [degrees] are the
    representative ones of White & Panjabi (ranges.py): flexion and extension together, lateral
    bending and axial rotation to one side.
    """

    name: str
    height: float
    sagittal: float
    lateral: float
    axial: float


VERTEBRAE = (
    Vertebra("l5", 22.9, 17, 3, 1),
    Vertebra("l4", 24.1, 16, 6, 2),
    Vertebra("l3", 23.8, 15, 8, 2),
    Vertebra("l2", 24.3, 14, 6, 2),
    Vertebra("l1", 23.8, 12, 6, 2),
    Vertebra("t12", 22.7, 12, 8, 2),
    Vertebra("t11", 21.3, 12, 9, 2),
    Vertebra("t10", 20.2, 9, 7, 2),
    Vertebra("t9", 19.3, 6, 6, 4),
    Vertebra("t8", 18.7, 6, 6, 6),
    Vertebra("t7", 18.2, 6, 6, 7),
    Vertebra("t6", 17.4, 5, 6, 7),
    Vertebra("t5", 16.2, 4, 6, 8),
    Vertebra("t4", 16.2, 4, 6, 8),
    Vertebra("t3", 15.7, 4, 5, 8),
    Vertebra("t2", 15.6, 4, 6, 8),
    Vertebra("t1", 14.1, 4, 5, 9),
)
"""From the sacrum upwards."""

SPINE_GROUPS = {
    "spine_1": ("l5", "l4"),
    "spine_2": ("l3", "l2"),
    "spine_3": ("l1", "t12", "t11"),
    "spine_4": ("t10", "t9", "t8", "t7"),
    "spine_5": ("t6", "t5", "t4", "t3", "t2", "t1"),
}
"""The vertebrae that each of the five spine joints of the simpler figure stands for."""

# The curve of the spine: depth / stature at fractions of the way up, hollow at the loins.
_CURVE_AT = (0.0, 0.18, 0.36, 0.7, 1.0)
_CURVE_DEPTH = (-0.016, -0.009, -0.018, -0.036, -0.022)


def vertebral_joints() -> dict[str, np.ndarray]:
    """Centre [m] of the joint below each vertebra in the zero pose."""
    heights = np.array([vertebra.height for vertebra in VERTEBRAE])
    way = np.concatenate([[0.0], np.cumsum(heights)[:-1]]) / heights.sum()
    bottom, top = point("sacrum"), point("neck")
    up = bottom[1] + way * (top[1] - bottom[1])
    forward = STATURE * np.interp(way, _CURVE_AT, _CURVE_DEPTH)
    return {v.name: np.array([0.0, up[i], forward[i]]) for i, v in enumerate(VERTEBRAE)}


def grouped_joints() -> dict[str, np.ndarray]:
    """Centre [m] of each of the five spine joints: the middle of those it stands for."""
    single = vertebral_joints()
    return {
        name: np.mean([single[member] for member in members], axis=0)
        for name, members in SPINE_GROUPS.items()
    }


def vertebral_ranges(vertebra: Vertebra) -> tuple[Range, Range, Range]:
    """The three DOFs of the joint below a vertebra."""
    source = f"White & Panjabi: {vertebra.name.upper()} on the one below"
    forward = FLEXION_SHARE * vertebra.sagittal
    return (
        Range("X", "flexion", forward - vertebra.sagittal, forward, 0, source),
        Range("Z", "lateral_bending", -vertebra.lateral, vertebra.lateral, 0, source),
        Range("Y", "axial_rotation", -vertebra.axial, vertebra.axial, 0, source),
    )
