"""Limits learned from a motion."""

import numpy as np
import pytest
from motion.bodies import puppet, wandering

from poise import FigureError, joint

FIGURE = puppet(left=joint.swing_twist(1.0), right=joint.channels("ZXY", "X"), root=joint.free())


def test_the_motion_is_inside_with_the_margin_to_spare():
    clip = wandering(FIGURE, 20, 0.4)
    learned = FIGURE.with_limits_from(clip, margin=0.2, translation_margin=0.05)
    assert clip.on(learned).is_inside_limits
    at = learned.dof_index("spine_rz")
    assert learned.lower[at] == pytest.approx(clip.angles[:, at].min() - 0.2)
    assert learned.upper[at] == pytest.approx(clip.angles[:, at].max() + 0.2)
    slide = learned.dof_index("RightArm_tx")
    assert learned.upper[slide] == pytest.approx(clip.angles[:, slide].max() + 0.05)
    assert np.isinf(learned.lower[:6]).all()
    swing = learned.dof_index("LeftArm_swing_x")
    widest = np.hypot(*clip.angles[:, swing : swing + 2].T).max()
    assert dict(learned.cones)[swing] == pytest.approx(widest + 0.2)


def test_a_full_turn_has_no_limits_and_no_margin_is_exact():
    angles = np.zeros((2, len(FIGURE.dofs)))
    at = FIGURE.dof_index("spine_rz")
    angles[:, at] = -3.1, 3.1
    assert np.isinf(FIGURE.with_limits_from(angles).lower[at])
    tight = FIGURE.with_limits_from(angles, margin=0.0)
    assert (tight.lower[at], tight.upper[at]) == (-3.1, 3.1)


def test_bad_motions_and_margins_are_refused():
    good = np.zeros((2, len(FIGURE.dofs)))
    for bad in (good[:0], good[:, 1:], good * np.nan, "text"):
        with pytest.raises(FigureError):
            FIGURE.with_limits_from(bad)
    with pytest.raises(FigureError, match="margin"):
        FIGURE.with_limits_from(good, margin=-0.1)
