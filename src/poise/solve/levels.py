"""Strict priorities: level after level, each as good as those above it allow.

Level 1 is solved alone. For level k the rows e of all higher levels are held: the method minimises

    f_k + Σ_j s_j ‖e_j + c_j‖²,  j < k,

with large scales s and shifts c, which make it an augmented Lagrangian (Hestenes, Powell).

- A level that was met is held at its targets. Its shifts are multipliers over s: c <- c + e.
- A level that was not met stays as it was: its whole Lagrangian, with scales and shifts, is scaled
  up. Its gradient is zero at the level's answer, so only the next level moves the pose from there,
  against the curvature that makes that answer a minimum. Multipliers alone could not hold a
  stretched arm, whose rows have no slope along it.
- Rows of one-sided goals are held by their scale alone.
- What a posture holds are DOFs: those it rules are frozen for the levels below it.

The guarantee: for every goal of a higher level the error is at most

    max(the error that its level reached, its tolerance) + SLACK · its tolerance.

It is checked after every round. Where it fails, the scales are raised; where that does not help,
the higher levels are solved once more from there; and if even that fails, the pose of the level
before is the answer.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from poise.kernels import layout
from poise.problem import Problem
from poise.solve.budget import Budget
from poise.solve.level_arena import LevelArena
from poise.solve.level_state import LevelState
from poise.solve.solution import Solution
from poise.solve.workspace import Workspace

Array = NDArray[np.float64]

_ROUNDS = 3
_DRIFT = 0.05  # of a tolerance, by which a held target may be missed without another round
_WIDE = 0.1  # of the figure's size: a miss that is worth restarts in the midst of a motion


class Levels:
    """Runs one method on one problem with levels, as often as asked; one a thread."""

    def __init__(self, workspace: Workspace, exact_phase: int) -> None:
        self._workspace, self._exact_phase = workspace, exact_phase
        self._arena = LevelArena(workspace)
        self._angles = layout.floats_at(workspace.floats, workspace.ints, layout.ANGLES)
        self._gradient = layout.floats_at(workspace.floats, workspace.ints, layout.GRADIENT)
        self._scalars = layout.floats_at(workspace.floats, workspace.ints, layout.SCALARS)
        self._counters = layout.ints_at(workspace.ints, layout.COUNTERS)
        # What the next solve takes over from the last, where it starts from its answer.
        self._answer: Array | None = None
        self._was_met = [False] * (self._arena.count + 1)
        self._multipliers: dict[int, Array] = {}

    def replace(self, problem: Problem) -> None:
        """Go on with a problem that differs in weights and in the poses of its postures."""
        self._arena.replace(problem)

    def run(
        self,
        start: Array,
        *,
        optimality: float,
        max_iterations: int,
        max_time: float | None,
        restarts: int,
        seed: int,
        trace: bool = False,
        windowed: bool = False,
    ) -> Solution:
        """As `Workspace.run`. From the last answer no lower level begins again from elsewhere,
        unless it was met there and is missed by far."""
        budget = Budget(optimality, max_iterations, max_time, seed, [] if trace else None)
        self._arena.begin()
        state = LevelState(self._arena, warm=start is self._answer)
        angles = start
        for level in range(1, self._arena.count + 1):
            angles = self._solve_level(level, angles, state, budget, restarts)
            if budget.is_over or budget.stalled:
                break
        solution = self._conclude(angles, state, budget, windowed)
        self._answer = solution.angles
        return solution

    def _solve_level(
        self, level: int, start: Array, state: LevelState, budget: Budget, restarts: int
    ) -> Array:
        """The pose that is best for a level and worsens none above it; `state` follows."""
        if level == 1:
            self._search(level, start, state, budget, restarts)
        else:
            state.allow(level)
            state.shift = self._first_shift(level, state)
            if not self._hold(level, start, state, budget, restarts):
                self._fall_back(level, start, state, budget)
        self._was_met[level] = state.record(level)
        return self._angles.copy()

    def _first_shift(self, level: int, state: LevelState) -> Array:
        """The shifts to begin with: of the Lagrangian that is scaled up, or of the last answer."""
        if state.unmet:
            return np.where(state.is_multiplied, state.shift, 0.0)
        if state.warm and level in self._multipliers:
            scale = state.scale[self._arena.row_level]
            return state.bounded(self._multipliers[level] / scale)
        return np.zeros(self._arena.rows.size)

    def _hold(
        self, level: int, start: Array, state: LevelState, budget: Budget, restarts: int
    ) -> bool:
        """Minimise a level's Lagrangian in rounds. Returns whether the guarantee holds."""
        arena, holds = self._arena, False
        targets = state.rows if state.unmet else 0.0
        self._multipliers.pop(level, None)
        for turn in range(_ROUNDS):
            status = self._search_near(level, start, state, budget, restarts if turn == 0 else 0)
            holds = state.holds(level)
            if budget.is_over or (status == layout.REACHED and level not in arena.postures):
                break
            off = arena.natural_rows(level, state.scale, state.shift) - targets
            off = np.where(state.is_multiplied, off, 0.0)
            following = state.bounded(state.shift + off)
            if holds and (state.unmet or (np.abs(off) <= _DRIFT * arena.row_tolerance).all()):
                if turn == 0 and not state.unmet:
                    self._multipliers[level] = following * state.scale[arena.row_level]
                break
            if turn + 1 < _ROUNDS:
                start, state.shift = self._angles.copy(), following
                if not holds:
                    state.harden(level)
        return holds

    def _search_near(
        self, level: int, start: Array, state: LevelState, budget: Budget, restarts: int
    ) -> int:
        """Search with restarts only where no answer is near. Returns the status."""
        arena = self._arena
        own = arena.own_rows[level]
        if not (restarts and own.any()):
            return self._search(level, start, state, budget, 0)
        status = self._search(level, start, state, budget, 0 if state.warm else restarts)
        lost = state.warm and self._was_met[level] and not budget.is_over
        if lost and np.linalg.norm(arena.rows[own]) > _WIDE * arena.length:
            status = self._search(level, start, state, budget, restarts)
        return status

    def _fall_back(self, level: int, start: Array, state: LevelState, budget: Budget) -> None:
        """Solve the levels above once more from here; if that does not help, go back to `start`."""
        scale, shift = state.scale, state.shift
        if not budget.is_over:
            state.scale, state.shift = state.solved
            self._search(level - 1, self._angles.copy(), state, budget, 0)
            state.scale, state.shift = scale, shift
            self._look(level, self._angles.copy(), state)
        if not state.holds(level) or budget.is_over:
            self._look(level, start, state)
            budget.stalled = True

    def _search(
        self, level: int, start: Array, state: LevelState, budget: Budget, restarts: int
    ) -> int:
        """Minimise what `state` says of a level. Returns the status."""
        arena = self._arena
        arena.write(level, state.scale, state.shift, state.allowed)
        missed = state.warm and not self._was_met[level]
        exact = level > 1 and (level in arena.postures or missed)
        status = self._workspace.search(
            start,
            optimality=budget.optimality,
            max_iterations=budget.iterations_left,
            max_time=budget.share(is_last=level == arena.count),
            restarts=restarts,
            seed=budget.seed,
            points=budget.points,
            phase=self._exact_phase if exact else 0,
            level=level,
        )
        budget.spend(status, self._counters)
        return status

    def _look(self, level: int, angles: Array, state: LevelState) -> None:
        """Make a pose the one in the arenas."""
        self._arena.write(level, state.scale, state.shift, state.allowed)
        self._workspace.look(angles)

    def _conclude(
        self, angles: Array, state: LevelState, budget: Budget, windowed: bool
    ) -> Solution:
        """The answer with all goals' own weights; gradient and residual of the last Lagrangian."""
        arena, scalars, unit = self._arena, self._scalars, state.unit_of_gradient()
        gradient, residual = self._gradient * unit, scalars[layout.RESIDUAL] * unit
        arena.end()
        self._workspace.look(angles)
        self._gradient[:] = gradient
        scalars[layout.RESIDUAL] = residual
        scalars[layout.START_RESIDUAL] = max(scalars[layout.START_RESIDUAL] * unit, -1.0)
        is_met = bool((arena.goal_errors() <= arena.tolerances).all())
        if state.level < arena.count and budget.cut is None and not budget.stalled:
            budget.cut = layout.OUT_OF_ITERATIONS if budget.iterations_left <= 0 else layout.RUNNING
        budget.write(self._counters, is_met, budget.cut is None or not arena.postures)
        unsolved = arena.atom_level > state.level
        state.reached[unsolved] = arena.goal_errors()[unsolved]
        state.reached.flags.writeable = False
        duration = time.perf_counter() - budget.began
        return self._workspace.solution(duration, windowed, budget.points or [], state.reached)
