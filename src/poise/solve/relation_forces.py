"""Which joint groups and linear relations press against the goals, and how hard.

A limit of one DOF presses by what of the slope is left at that DOF. A relation shares its force
among several, so the forces of all active ones are found together: the slope is written as a sum
of inward forces of relations and boxes, none of them negative, as far as it can be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.figure.figure import Figure
from poise.problem import Problem

Array = NDArray[np.float64]

_NEAR = 1e-9  # of a relation's scale


class RelationForce(NamedTuple):
    """A relation at one of its sides."""

    name: str
    side: str
    """"lower" or "upper"."""
    value: float
    multiplier: float


class BindingMember(NamedTuple):
    """The DOF of a joint group whose own limit is reached first."""

    dof: int
    side: str
    bound: float
    ratio: float
    """How much it moves when its leader moves by 1."""


def relation_forces(
    problem: Problem, angles: Array, slope: Array
) -> tuple[Array, list[RelationForce]]:
    """What of the slope the relations do not take up, and their forces."""
    figure, movable = problem.figure, problem.mobility > 0
    sides = _active_sides(figure, angles)
    if not sides:
        return slope, []
    normals = [np.zeros(angles.size) for _ in sides]
    for normal, (row, sign) in zip(normals, sides, strict=True):
        normal[list(row.factors)] = -sign * np.array(list(row.factors.values()))
    boxes = [
        sign * np.eye(angles.size)[d]
        for bound, sign in ((figure.lower, 1.0), (figure.upper, -1.0))
        for d in np.flatnonzero(movable & (angles == bound))
    ]
    matrix = np.array(normals + boxes).T * movable[:, None]
    forces = nonnegative_least_squares(matrix, slope * movable)[: len(sides)]
    found = [
        RelationForce(
            row.name,
            "upper" if sign > 0 else "lower",
            row.high if sign > 0 else row.low,
            float(force),
        )
        for (row, sign), force in zip(sides, forces, strict=True)
    ]
    return slope - matrix[:, : len(sides)] @ forces, found


def _active_sides(figure: Figure, angles: Array) -> list:
    sides = []
    for row in figure.relation_tables.rows:
        value = sum(factor * angles[d] for d, factor in row.factors.items())
        if value >= row.high - _NEAR * row.scale:
            sides.append((row, 1.0))
        if value <= row.low + _NEAR * row.scale:
            sides.append((row, -1.0))
    return sides


def binding_member(figure: Figure, leader: int, side: str) -> BindingMember:
    """Whose limit keeps a DOF from going further: its own, or that of a follower of its group."""
    at = float((figure.lower if side == "lower" else figure.upper)[leader])
    best = BindingMember(leader, side, at, 1.0)
    own = figure.dofs[leader]
    if at == (own.lower if side == "lower" else own.upper):
        return best
    gap = np.inf
    for follower in figure.relation_tables.groups().get(leader, ()):
        its_side = side if follower.ratio > 0 else {"lower": "upper", "upper": "lower"}[side]
        dof = figure.dofs[follower.dof]
        bound = dof.lower if its_side == "lower" else dof.upper
        distance = abs(follower.at(at) - bound)
        if distance < gap:
            gap = distance
            best = BindingMember(follower.dof, its_side, bound, abs(follower.ratio))
    return best


def nonnegative_least_squares(matrix: Array, target: Array) -> Array:
    """x >= 0 that makes ‖matrix x - target‖ least (Lawson & Hanson)."""
    count = matrix.shape[1]
    x, passive = np.zeros(count), np.zeros(count, bool)
    small = 1e-12 * max(1.0, float(np.abs(matrix.T @ target).max(initial=0.0)))
    for _ in range(3 * count):
        pull = matrix.T @ (target - matrix @ x)
        pull[passive] = 0.0
        if not pull.max(initial=0.0) > small:
            break
        passive[int(np.argmax(pull))] = True
        while True:
            best = np.zeros(count)
            best[passive] = np.linalg.lstsq(matrix[:, passive], target, rcond=None)[0]
            negative = passive & (best <= 0.0)
            if not negative.any():
                break
            steps = x[negative] / np.maximum(x[negative] - best[negative], 1e-300)
            x = x + float(steps.min()) * (best - x)
            passive &= x > 1e-300
            x[~passive] = 0.0
        x = best
    return x
