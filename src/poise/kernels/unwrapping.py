"""Angles over time, each at the equivalent nearest to the frame before."""

import numpy as np

from poise.kernels.compiled import entry, exact_kernel

TURN = 2.0 * np.pi
SLACK = 1e-9
"""So much nearer a flip must be [rad]: two that are as near are no reason to flip."""


@exact_kernel
def whole_turns(reference, value):
    """`value` with as many full turns as bring it nearest to `reference`."""
    turns = np.rint((reference - value) / TURN)
    return value if turns == 0.0 else value + TURN * turns


@exact_kernel
def unwrap_euler_frame(before, now, repeated):
    """Change the three Euler angles `now` to their equivalent nearest to `before`."""
    middle = -now[1] if repeated else np.pi - now[1]
    other = now[0] + np.pi, middle, now[2] + np.pi
    near, far = 0.0, 0.0
    for k in range(3):
        near += abs(whole_turns(before[k], now[k]) - before[k])
        far += abs(whole_turns(before[k], other[k]) - before[k])
    flipped = far < near - SLACK
    for k in range(3):
        now[k] = whole_turns(before[k], other[k] if flipped else now[k])


@entry
def unwrap_euler(angles, repeated):
    """Every row of Euler angles (frames, 3) at its equivalent nearest to the one before.

    repeated: the first and the last turn are about the same axis, as in ZYZ.
    """
    for i in range(1, angles.shape[0]):
        unwrap_euler_frame(angles[i - 1], angles[i], repeated)
