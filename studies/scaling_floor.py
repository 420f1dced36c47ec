"""What no step by derivatives does without: forward kinematics, a Jacobian, a factorisation."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from benchmark import repeat_forward

import poise
from poise.kernels import auto_step, derivatives, dof_step, hessian, layout, linear, row_step, rows
from poise.kernels.compiled import entry
from poise.solve import methods

LEAST = 2e-3
"""Shortest time that a measurement takes [s]."""


@dataclass(frozen=True)
class Floor:
    """[µs] of one of each."""

    forward: float
    jacobian: float
    factorisation: float
    """Of the step's system; 0 where the step needs none."""

    @property
    def whole(self) -> float:
        return self.forward + self.jacobian + self.factorisation


@entry
def repeat_jacobian(floats, ints, count):
    for _ in range(count):
        derivatives.jacobian(floats, ints)


@entry
def uses_rows(floats, ints):
    return auto_step.use_rows(floats, ints)


@entry
def prepare_system(floats, ints, by_rows):
    """The matrix that a step at ANGLES factorises."""
    if by_rows:
        row_step.prepare_rows(floats, ints)
    else:
        hessian.hessian(floats, ints, False)


@entry
def repeat_factorisation(floats, ints, by_rows, count):
    gram = layout.floats_at(floats, ints, layout.GRAM)
    system = layout.floats_at(floats, ints, layout.SYSTEM)
    size = layout.floats_at(floats, ints, layout.ROWS).size
    for _ in range(count):
        if by_rows:
            for i in range(size * size):
                system[i] = gram[i]
            for i in range(size):
                system[i * size + i] += 1.0
            linear.cholesky(system, size)
        else:
            dof_step.factorise(floats, ints, 1.0)


def floor_of(problem: poise.Problem, angles: np.ndarray, rounds: int) -> Floor:
    """Measured on arenas of `auto` at a pose."""
    method = methods()["auto"]
    parameters = method.checked({})
    n, r = angles.size, problem.row_count
    state = {layout.COUNTERS: layout.COUNTER_COUNT, layout.SCALARS: layout.SCALAR_COUNT}
    state |= {layout.ANGLES: n, layout.SCRATCH: max(n, r)}
    ints, floats = layout.pack(problem.sections() | state | method.sections(problem, parameters))
    pose = angles.copy()
    layout.floats_at(floats, ints, layout.ANGLES)[:] = pose
    rows.evaluate(floats, ints, pose, layout.floats_at(floats, ints, layout.ROWS))
    by_rows = bool(uses_rows(floats, ints))
    forward = _each(lambda count: repeat_forward(floats, ints, pose, count), rounds)
    jacobian = _each(lambda count: repeat_jacobian(floats, ints, count), rounds)
    factorisation = 0.0
    if by_rows or layout.floats_at(floats, ints, layout.HESSIAN).size > 0:
        prepare_system(floats, ints, by_rows)
        factorisation = _each(
            lambda count: repeat_factorisation(floats, ints, by_rows, count), rounds
        )
    return Floor(forward, jacobian, factorisation)


def _each(run: Callable[[int], object], rounds: int) -> float:
    """[µs] of one repetition: the shortest of some rounds."""
    run(1)
    began = time.thread_time()
    run(4)
    count = max(4, int(LEAST * 4 / max(time.thread_time() - began, 1e-9)))
    times = []
    for _ in range(rounds):
        began = time.thread_time()
        run(count)
        times.append((time.thread_time() - began) / count)
    return 1e6 * min(times)
