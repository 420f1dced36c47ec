"""AnyOf: one of several goals should hold. P = the least of theirs (ZB eq. 27)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from poise.errors import GoalError
from poise.goals.goal import Atom, Goal
from poise.goals.plane import HalfSpace


@dataclass(frozen=True, eq=False, init=False)
class AnyOf(Goal):
    """One of `goals` should hold; the nearest counts. May be nested.

    Outside a convex polyhedron: `AnyOf.outside("left_hand", points, normals)`.
    """

    goals: tuple[Goal, ...]

    def __init__(
        self,
        *goals: Goal,
        weight: float = 1.0,
        level: int = 1,
        chain: str | Sequence[str] | None = None,
        name: str = "",
    ) -> None:
        self._set("goals", goals)
        self._set("weight", weight)
        self._set("level", level)
        self._set("chain", chain)
        self._set("name", name)
        self.__post_init__()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.goals:
            raise GoalError("AnyOf needs at least one goal")
        for goal in self.goals:
            if not isinstance(goal, Goal):
                raise GoalError(f"AnyOf takes goals, not {goal!r}")
            count = len(goal.atoms())
            if count != 1 and not isinstance(goal, AnyOf):
                reason = "has several parts" if count else "acts on all DOFs, not on an effector"
                raise GoalError(f"AnyOf cannot take a {type(goal).__name__} goal: it {reason}")
            if goal.chain is not None:
                raise GoalError(
                    f"the goal {goal.name!r} of an AnyOf has a chain of its own;"
                    " give chain= to the AnyOf: it is the same for all of them"
                )
            if goal.level != 1:
                raise GoalError(
                    f"the goal {goal.name!r} of an AnyOf has a level of its own;"
                    " give level= to the AnyOf: it is the same for all of them"
                )
        if not self.name:
            self._set("name", " or ".join(dict.fromkeys(goal.name for goal in self.goals)))

    @classmethod
    def outside(cls, effector: str, points: Any, normals: Any, **options: Any) -> AnyOf:
        """Outside the convex polyhedron whose faces contain `points` with outward `normals`."""
        if np.ndim(points) == 0 or np.ndim(normals) == 0:
            raise GoalError("a polyhedron needs points and normals (faces, 3)")
        if len(points) != len(normals):
            raise GoalError(
                "a polyhedron needs as many normals as points,"
                f" not {len(normals)} and {len(points)}"
            )
        return cls(
            *(HalfSpace(effector, p, n) for p, n in zip(points, normals, strict=True)), **options
        )

    def atoms(self) -> list[Atom]:
        scale = math.sqrt(self.weight)
        return [
            replace(atom, alternatives=self, weights=np.asarray(atom.weights) * scale)
            for goal in self.goals
            for atom in goal.atoms()
        ]

    def moved(self, target: Any) -> AnyOf:
        """`target` lists the new targets of the members; None leaves one as it is."""
        if not isinstance(target, Sequence | np.ndarray) or len(target) != len(self.goals):
            raise GoalError(f"AnyOf has {len(self.goals)} goals; give a target or None for each")
        members = [g if t is None else g.moved(t) for g, t in zip(self.goals, target, strict=True)]
        return AnyOf(
            *members, weight=self.weight, level=self.level, chain=self.chain, name=self.name
        )
