"""What a loop outside of Poise needs: poses evaluated one at a time, and taken when it says so."""

from poise.kernels.compiled import entry
from poise.kernels.layout import (
    COUNTERS,
    PARAMETERS,
    PHASE,
    RUNNING,
    SCALARS,
    STALLED,
    STATUS,
    STEP,
    TRIAL,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project
from poise.kernels.state import evaluate_trial, gradient_at_trial
from poise.kernels.stepping import BEGIN, ENDLESS, end, start, take

# SCALARS: what was evaluated at TRIAL. Its gradient is in STEP.
TRIAL_VALUE, TRIAL_WORST = PARAMETERS, PARAMETERS + 1


@entry
def place(floats, ints):
    """TRIAL <- the start in the first call of a solve, else moved inside the limits."""
    if ints_at(ints, COUNTERS)[PHASE] == BEGIN:
        start(floats, ints)
    else:
        project(floats, ints, floats_at(floats, ints, TRIAL))


@entry
def advance_outside(floats, ints, budget):
    """Evaluate TRIAL, if there is any budget. Returns the status."""
    counters = ints_at(ints, COUNTERS)
    scalars = floats_at(floats, ints, SCALARS)
    if budget > 0 and counters[STATUS] == RUNNING:
        scalars[TRIAL_VALUE], scalars[TRIAL_WORST] = evaluate_trial(floats, ints)
        gradient_at_trial(floats, ints, floats_at(floats, ints, STEP))
    return counters[STATUS]


@entry
def accept(floats, ints):
    """Make TRIAL, just evaluated, the iterate. Returns the status."""
    scalars = floats_at(floats, ints, SCALARS)
    take(floats, ints, scalars[TRIAL_VALUE], scalars[TRIAL_WORST], ENDLESS)
    return ints_at(ints, COUNTERS)[STATUS]


@entry
def give_up(floats, ints):
    """The loop outside has ended, and the solve with it."""
    if ints_at(ints, COUNTERS)[STATUS] == RUNNING:
        end(floats, ints, STALLED)
