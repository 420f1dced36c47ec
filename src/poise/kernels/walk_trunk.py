"""The upper body in a walk: the thorax against the pelvis, arms that lag, a steady head."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.walk_frame import DRIVES
from poise.kernels.walk_state import PHASE, SLOPE, TURN


@kernel
def dress(state, active, run, brisk, yaw, listed, lean, row):
    """The upper body: the thorax against the pelvis, arms that lag, a steady head."""
    cycle = 2.0 * math.pi * state[PHASE]
    thorax = active * (0.02 + 0.06 * brisk) * math.cos(cycle - 0.25)
    into = 0.10 * math.tanh(state[TURN])  # the head looks where the turn leads
    slope = math.tanh(state[SLOPE])
    trunk = thorax - yaw
    row[DRIVES] = trunk
    row[DRIVES + 1] = -0.85 * listed
    leaning = 0.02 * active + 0.12 * run + 0.25 * slope
    row[DRIVES + 2] = leaning
    row[DRIVES + 3] = -thorax + into
    row[DRIVES + 4] = -0.15 * listed
    row[DRIVES + 5] = -0.6 * (lean + leaning) + 0.04
    wide = active * (0.06 + 0.25 * brisk + 0.12 * run)
    beat = math.cos(cycle - 0.35)
    row[DRIVES + 6] = -wide * beat + 0.05 * active
    row[DRIVES + 7] = wide * beat + 0.05 * active
    bent = 1.0 * run - 0.06 * active * (1.0 - run)
    flex = active * (0.05 + 0.10 * brisk) * (1.0 - 0.4 * run)
    late = math.cos(cycle - 0.75)
    row[DRIVES + 8] = bent + flex * (1.0 - late)
    row[DRIVES + 9] = bent + flex * (1.0 + late)
