"""From the frame of a gait to a solver's tables: targets of the goals, and where it starts."""

import math

from poise.kernels.compiled import entry, kernel
from poise.kernels.walk_frame import (
    BALL,
    BALL_GRIP,
    DRIVES,
    FEET,
    FOOT_SIZE,
    HEEL,
    HEEL_GRIP,
    PELVIS_AT,
    PELVIS_TURN,
    SOLE_TURN,
    TOES,
)

PELVIS_GOAL, HEEL_GOAL, BALL_GOAL, SOLE_GOAL = 0, 1, 2, 3
GOALS_A_FOOT = 3
TERMS = 3  # of a response: q, q^2 and q^3


@kernel
def _into_world(axes, row, at, target, to):
    for i in range(3):
        target[to + i] = axes[i, 0] * row[at] + axes[i, 1] * row[at + 1] + axes[i, 2] * row[at + 2]


@kernel
def _turned(axes, row, at, i, j):
    """An entry of axes · turn."""
    return axes[i, 0] * row[at + j] + axes[i, 1] * row[at + 3 + j] + axes[i, 2] * row[at + 6 + j]


@entry
def set_goals(row, axes, pelvis_offset, pelvis_turn, targets, weights):
    """targets (7, columns) <- the pelvis, then heel, ball and sole of each foot, in the world.

    `pelvis_turn` (3, 3) is the pelvis' frame at rest under the body's own axes, `pelvis_offset`
    its origin from the middle of the hips under them. `weights` (7,) <- how much each counts.
    """
    pelvis = targets[PELVIS_GOAL]
    _into_world(axes, row, PELVIS_AT, pelvis, 0)
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                turn = _turned(axes, row, PELVIS_TURN, i, k)
                total += turn * pelvis_turn[k, j]
                if j == 0:
                    pelvis[i] += turn * pelvis_offset[k]
            pelvis[3 + 3 * i + j] = total
    for side in range(2):
        foot, first = FEET + side * FOOT_SIZE, side * GOALS_A_FOOT
        _into_world(axes, row, foot + HEEL, targets[first + HEEL_GOAL], 0)
        _into_world(axes, row, foot + BALL, targets[first + BALL_GOAL], 0)
        heel_grip, ball_grip = row[foot + HEEL_GRIP], row[foot + BALL_GRIP]
        weights[first + HEEL_GOAL], weights[first + BALL_GOAL] = heel_grip, ball_grip
        weights[first + SOLE_GOAL] = math.sqrt(heel_grip * ball_grip)
        sole = targets[first + SOLE_GOAL]
        for i in range(3):
            sole[i] = _turned(axes, row, foot + SOLE_TURN, i, 0)
            sole[3 + i] = _turned(axes, row, foot + SOLE_TURN, i, 1)


@entry
def set_start(row, responses, dofs, base, bounds, reach, angles):
    """angles[dofs] <- the upper body and the toes as the frame drives them.

    `responses` (drives, dofs, TERMS): what each DOF does when a drive turns by q. No DOF goes
    farther than `reach` from where it is, nor out of `bounds` (2, dofs).
    """
    drives = responses.shape[0]
    for k in range(dofs.size):
        total = base[k]
        for j in range(drives):
            if j < drives - 2:
                q = row[DRIVES + j]
            else:
                q = row[FEET + (j - drives + 2) * FOOT_SIZE + TOES]
            total += q * (responses[j, k, 0] + q * (responses[j, k, 1] + q * responses[j, k, 2]))
        d = dofs[k]
        total = min(max(total, angles[d] - reach), angles[d] + reach)
        angles[d] = min(max(total, bounds[0, k]), bounds[1, k])
