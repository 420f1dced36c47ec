"""`lbfgs-b`: SciPy's, as the reference from outside. The loop is SciPy's own.

It minimises our compiled value and gradient over the DOFs that may move, in their metric, with the
boxes as bounds. Its own tolerances are off: the solve ends as with all other methods, by our tests
at each of its iterates, or STALLED when SciPy finds no further step.

For times worth comparing set OPENBLAS_NUM_THREADS=1: the vectors are short, and on a busy machine
the threads of SciPy's linear algebra spend most of the time waiting for each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from poise.errors import OptionError
from poise.kernels import layout
from poise.solve.capabilities import SMOOTH, Capabilities, Feature, LimitRule
from poise.solve.method import Advance, Method, Parameter
from poise.solve.outside import Ended, OutsideLoop


def _load() -> Advance:
    try:
        import scipy.optimize  # noqa: F401
    except ImportError as error:
        raise OptionError(
            "method 'lbfgs-b' runs SciPy, which is not installed; install it with"
            " pip install scipy (or poise[scipy]), or use another method"
        ) from error
    from poise.kernels.compiled import load
    from poise.kernels.outside import accept, advance_outside, give_up, place

    load(place, accept, give_up)
    return advance_outside


def _drive(loop: OutsideLoop, parameters: Mapping[str, float]) -> None:
    from scipy.optimize import minimize

    endless = 2**31 - 1
    options = {"maxiter": endless, "maxfun": endless, "ftol": 0.0, "gtol": 0.0}
    options |= {"maxcor": int(parameters["m"]), "maxls": int(parameters["maxls"])}
    bounds = np.column_stack([loop.lower, loop.upper])
    if not loop.is_over:
        with suppress(Ended):
            minimize(
                loop.evaluate,
                loop.start,
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                callback=loop.accept,
                options=options,
            )
    loop.finish()


LBFGS_B = Method(
    name="lbfgs-b",
    summary="SciPy's limited-memory BFGS for bounds, as a reference from outside",
    source="Byrd, Lu, Nocedal & Zhu, A Limited Memory Algorithm for Bound Constrained Optimization"
    " (1995)",
    load=_load,
    sections=lambda problem, _: {layout.STEP: len(problem.figure.dofs)},
    scalars=lambda _problem, _parameters: {},
    capabilities=Capabilities(
        LimitRule.INSIDE, SMOOTH - {Feature.CONES, Feature.RELATIONS}, monotone=True
    ),
    parameters={
        "m": Parameter(10, "how many steps it remembers", least=1, most=1000),
        "maxls": Parameter(20, "most evaluations of a line search", least=1, most=1000),
    },
    drive=_drive,
)
