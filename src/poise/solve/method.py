"""What a method is, and the registry of all methods by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real

import numpy as np

from poise.errors import OptionError, unknown_name
from poise.problem import Problem
from poise.solve.capabilities import Capabilities, Feature, features_of
from poise.solve.outside import OutsideLoop

Advance = Callable[[np.ndarray, np.ndarray, int], int]
"""advance(floats, ints, max_evaluations) -> status: a compiled loop that can be resumed."""


@dataclass(frozen=True)
class Parameter:
    """A number that a method takes, named as in its paper."""

    default: float
    meaning: str
    least: float = 0.0
    most: float = math.inf
    choices: tuple[str, ...] = ()
    """Names of the numbers 0, 1, …; the parameter is one of them, given by name or number."""

    def checked(self, name: str, value: object) -> float:
        if self.choices:
            return self._chosen(name, value)
        number = float(value) if isinstance(value, Real) else math.nan
        if not (math.isfinite(number) and self.least <= number <= self.most):
            raise OptionError(
                f"parameter {name}={value!r} must be a number from {self.least:g} to {self.most:g}:"
                f" {self.meaning}"
            )
        return number

    def _chosen(self, name: str, value: object) -> float:
        if isinstance(value, str) and value in self.choices:
            return float(self.choices.index(value))
        if isinstance(value, Real) and value in range(len(self.choices)):
            return float(value)
        raise OptionError(
            f"parameter {name}={value!r} must be one of"
            f" {', '.join(map(repr, self.choices))}: {self.meaning}"
        )


def choice(*names: str, meaning: str) -> Parameter:
    """A parameter that is one of `names`, the first by default."""
    return Parameter(0.0, meaning, most=len(names) - 1.0, choices=names)


@dataclass(frozen=True)
class Method:
    """A way to solve: a compiled loop with its scratch memory and its parameters."""

    name: str
    summary: str
    source: str
    """Where the method is published."""
    load: Callable[[], Advance]
    """Imports and returns the compiled loop."""
    sections: Callable[[Problem, Mapping[str, float]], dict[int, np.ndarray | int]]
    """The method's own sections of the arenas (kernels/layout.py)."""
    scalars: Callable[[Problem, Mapping[str, float]], dict[int, float]]
    """Initial values in the section SCALARS."""
    capabilities: Capabilities
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    restarts: int = 0
    """How often the method begins again, unless the caller says otherwise."""
    exact_phase: Callable[[], int] | None = None
    """Imports and returns the loop's phase of exact Newton steps. Levels need one: what holds the
    higher ones makes a problem too steep for anything less."""
    follows_gradient: bool = False
    """Whether its steps go along the gradient: weights that differ much make it crawl."""
    drive: Callable[[OutsideLoop, Mapping[str, float]], None] | None = None
    """Runs a loop of another library, which cannot be resumed, in the place of `load`'s."""

    def checked(self, given: Mapping[str, object]) -> dict[str, float]:
        """All parameters, the given ones checked."""
        if not isinstance(given, Mapping):
            raise OptionError(
                f"parameters is {given!r}; give names and numbers, e.g. {{'alpha': 1e-3}}"
            )
        for name in given:
            if name not in self.parameters:
                raise OptionError(
                    unknown_name(f"parameter of method {self.name!r}", name, self.parameters)
                )
        return {
            name: parameter.checked(name, given.get(name, parameter.default))
            for name, parameter in self.parameters.items()
        }

    def takes(self, *features: Feature) -> bool:
        """Whether the method can take all of `features`."""
        return self.capabilities.takes.issuperset(features)

    def check(self, problem: Problem, restarts: int | None = None) -> None:
        """Raise an OptionError if the problem asks for what the method cannot take."""
        asked = features_of(problem, restarts)
        for feature, what in asked.items():
            if not self.takes(feature):
                able = [name for name, other in methods().items() if other.takes(*asked)]
                remedy = f"use one of: {', '.join(able)}" if able else "no method can take them all"
                raise OptionError(f"method {self.name!r} cannot take {feature} ({what}); {remedy}")


def methods() -> dict[str, Method]:
    """All methods by name, the default first."""
    from poise.solve.auto import AUTO
    from poise.solve.bfgs_rosen import BFGS_ROSEN
    from poise.solve.ccd import CCD
    from poise.solve.damped_least_squares import DAMPED_LEAST_SQUARES
    from poise.solve.fabrik import FABRIK
    from poise.solve.half_jacobian import HALF_JACOBIAN
    from poise.solve.jacobian_transpose import JACOBIAN_TRANSPOSE
    from poise.solve.lbfgs_b import LBFGS_B
    from poise.solve.projected_gradient import PROJECTED_GRADIENT
    from poise.solve.pseudo_inverse import PSEUDO_INVERSE
    from poise.solve.selectively_damped import SELECTIVELY_DAMPED
    from poise.solve.semi_smooth_newton import SEMI_SMOOTH_NEWTON
    from poise.solve.trust_region import TRUST_REGION

    known = (
        *(AUTO, PROJECTED_GRADIENT, JACOBIAN_TRANSPOSE, PSEUDO_INVERSE, HALF_JACOBIAN),
        *(DAMPED_LEAST_SQUARES, SELECTIVELY_DAMPED, CCD),
        *(BFGS_ROSEN, LBFGS_B, TRUST_REGION, SEMI_SMOOTH_NEWTON, FABRIK),
    )
    return {method.name: method for method in known}


def method_named(name: str) -> Method:
    """The method of that name, or an error that lists the names."""
    known = methods()
    if not isinstance(name, str) or name not in known:
        raise OptionError(unknown_name("method", name, known))
    return known[name]
