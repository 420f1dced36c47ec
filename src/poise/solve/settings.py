"""The options of a solve, checked once: what `Solver`, `ConstraintSet` and `solve` take."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import OptionError, unknown_name
from poise.figure.figure import Figure
from poise.problem import DynamicLimit, Tolerance
from poise.solve.method import Method, method_named

_MOST_WHOLE = 2**62
"""The largest whole number that an option may be; kernels count with 64 bits."""


class Options(TypedDict, total=False):
    """What `Solver` and `solve` take besides figure and goals."""

    method: str
    """A name of `poise.methods()`; "auto" by default."""
    parameters: Mapping[str, float | str]
    """The method's own, e.g. {"alpha": 1e-3}."""
    tolerance: Tolerance | float
    """When a goal is met; a number means metres, with ten times as many radians."""
    optimality: float
    """The residual counts as zero below this fraction of its start. Default 1e-6."""
    max_time: float | None
    """After this long the best pose so far is the answer [s]."""
    max_iterations: int
    """After so many the best pose so far is the answer; the method's own number by default."""
    restarts: int | None
    """How often to begin again from a local minimum; the method's own number by default."""
    seed: int
    """Of the restarts: the same seed gives the same bits."""
    weight_matrix: ArrayLike | None
    """PLS's W over all residual rows: symmetric, positive definite."""
    dynamic_limits: Sequence[DynamicLimit]
    """Ranges that depend on the pose during the solve."""
    max_velocity: float | Mapping[str, float] | None
    """[rad/s or m/s] for all DOFs, or by name or pattern. Needs `dt`."""
    dt: float | None
    """Time between two solves [s]."""


@dataclass(frozen=True)
class Settings:
    """Checked options, in the form that a solver uses."""

    method: Method
    parameters: Mapping[str, float]
    tolerance: Tolerance
    weight_matrix: ArrayLike | None
    dynamic_limits: Sequence[DynamicLimit]
    restarts: int | None
    """As given; `limits` has the number that counts."""
    limits: Mapping[str, Any]
    """What `Workspace.run` takes."""
    reach: NDArray[np.float64] | None
    """How far each DOF may move in one solve; None when velocities are free."""
    dt: float = 1.0
    """Time between two solves [s]."""

    @classmethod
    def of(cls, figure: Figure, options: Options) -> Settings:
        """Check all options; an error names the one that is wrong."""
        given = _checked_options(options)
        method = method_named(given.get("method", "auto"))
        restarts = given.get("restarts")
        return cls(
            method,
            method.checked(given.get("parameters") or {}),
            Tolerance.of(given.get("tolerance", 1e-3)),
            given.get("weight_matrix"),
            given.get("dynamic_limits", ()),
            restarts,
            {
                "optimality": given.get("optimality", 1e-6),
                "max_iterations": given.get("max_iterations", 10_000),
                "max_time": given.get("max_time"),
                "restarts": method.restarts if restarts is None else restarts,
                "seed": given.get("seed", 0),
            },
            _reach_per_solve(figure, given.get("max_velocity"), given.get("dt")),
            given.get("dt") or 1.0,
        )


def _checked_options(options: Options) -> Options:
    for name in options:
        if name not in Options.__annotations__:
            raise OptionError(unknown_name("option", name, Options.__annotations__))
    checked = dict(options)
    _check(
        checked, "max_time", "a number of seconds above 0, or None", lambda x: x is None or x > 0
    )
    _check(checked, "optimality", "a number from 0 to 1", lambda x: 0 <= x <= 1)
    _check_whole(checked, "max_iterations", least=0)
    if checked.get("restarts") is not None:
        _check_whole(checked, "restarts", least=0)
    _check_whole(checked, "seed", least=-_MOST_WHOLE)
    return checked  # type: ignore[return-value]


def _check(options: dict[str, object], name: str, wanted: str, valid) -> None:  # noqa: ANN001
    if name not in options:
        return
    try:
        good = bool(valid(options[name]))
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good:
        raise OptionError(f"{name}={options[name]!r} must be {wanted}")


def _check_whole(options: dict[str, object], name: str, least: int) -> None:
    """Check a whole number and make it a plain int, whatever kind of number it came as."""
    wanted = f"a whole number from {least} to {_MOST_WHOLE}"
    _check(options, name, wanted, lambda x: least <= x <= _MOST_WHOLE and x == int(x))
    if name in options:
        options[name] = int(options[name])  # type: ignore[call-overload]


def _reach_per_solve(
    figure: Figure, max_velocity: float | Mapping[str, float] | None, dt: float | None
) -> NDArray[np.float64] | None:
    """How far each DOF may move in one solve; None when velocities are free."""
    if max_velocity is None:
        return None
    if not (isinstance(dt, Real) and math.isfinite(dt) and dt > 0):
        raise OptionError(f"max_velocity needs dt, the time between two solves [s]; dt is {dt!r}")
    by_name = max_velocity if isinstance(max_velocity, Mapping) else {"*": max_velocity}
    reach = np.full(len(figure.dofs), np.inf)
    for pattern, velocity in by_name.items():
        if not (isinstance(velocity, Real) and velocity > 0):
            raise OptionError(f"max_velocity of {pattern!r} is {velocity!r}; give a number above 0")
        reach[figure.match_dofs(pattern)] = velocity * dt
    for follower in figure.relation_tables.followers:
        allowed = reach[follower.dof] / abs(follower.ratio)
        reach[follower.leader] = min(reach[follower.leader], allowed)
    return reach
