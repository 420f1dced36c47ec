"""A drag: from the button going down to its going up.

The posture reference is the pose at the start, every solve starts from the last answer, and none
begins again from elsewhere. All on one level: pins weigh so much more than what is dragged, and
that so much more than posture, that neither is seen to give way. It takes a third of the time that
levels do, and nothing changes in a jump from one frame to the next. When the button goes up, the
document is posed by levels as ever, from where the drag ended.

No joint turns by more than TURN in a solve: a leg that becomes straight would snap. What is left
to do then is done while the hand rests (`settle`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from poise.figure.pose import Pose
from poise.figure.rotation import from_quaternion, to_quaternion
from poise.goals import Goal, HalfSpace
from poise.motion.demands import demand, flattened, goal_name, in_space, posture
from poise.motion.document import Document, KeyedGoal, Settings, Target
from poise.motion.editing import snapped_in_space, with_pose, with_target
from poise.motion.fixing import fix_begun
from poise.motion.posing import Posed, Posing, errors_in, moved_target, rows_by_id
from poise.problem import Tolerance
from poise.solve import Solution, Solver
from poise.solve.method import method_named
from poise.solve.solver import Options
from poise.studio.grip import floor_of, grip_on, held_end, moved_with
from poise.studio.handles import limb_end

Place = tuple[float, float, float]

TURN = math.radians(9.9)
"""How far a joint may turn in one solve [rad]; a slide may move by as many metres."""
PULL = 0.5
"""From farther away than this a target pulls no harder [m]: pins would be felt to give way."""
PINS, GROUND, POSTURE = 1e4, 300.0, 0.2
"""The weights of pins and of the ground, whose edge stiffer weights make hard to solve; and of
posture as a share of what it is elsewhere."""
POLE_POSTURE = 5.0 * POSTURE
"""Of drags of elbows and knees: pulled hard, a limb between two held ends would twist for good."""
SHORT = (2e-3, 2e-2)
"""A pin that is dropped farther from its target than this [m, rad] is out of reach."""
_OPTIMALITY = 1e-4
_EXACT = Tolerance(1e-7, 1e-6)  # a solve that ends within a wider one leaves posture undone
_ROUGH_ITERATIONS = 30  # of the papers' methods, which would take thousands for the last digits


class Drag:
    """Drags one goal of a document at one time."""

    def __init__(
        self, posing: Posing, start: Posed, effector: str, turn: bool, goal: int | None = None
    ) -> None:
        self._before = posing.document
        self._moved = moved_with(start.pose.figure, effector)
        if self._before.clip is not None:  # what the fix will hold stays where it is from now on
            posing = Posing(fix_begun(self._before, start.time, self._moved))
        self._document = posing.document
        self._start, self.posed = start, start
        self._grip = grip_on(posing, start, effector, turn, goal)
        self._base = self._grip.target
        self._position: Place = _triple(self._base.position)
        self._rotation = np.asarray(self._base.rotation)
        self._near = math.dist(self._position, start.pose.position(effector))
        self._floor = floor_of(self._document, start.pose, effector, self._grip.goal.kind)
        figure, pose, subject = self._document.figure, start.pose, self._grip.goal
        others, names = _relaxed(posing, start).demands(start.time, pose, but=subject.id)
        same = {name for i, name in names.items() if i != subject.id}
        own = goal_name(subject, self._document.goals)
        self._name = f"{own} dragged" if own in same else own
        self._names = names | {subject.id: self._name}
        others = [_as_it_stands(goal, pose) for goal in others]
        goals = [*others, *held_end(figure, pose, subject, others), self._demand()]
        share = POSTURE if limb_end(figure, effector) is None else POLE_POSTURE
        self._solver = _solver(goals, pose, self._document.settings, share)
        self._rows = rows_by_id(self._solver.problem, self._names)

    @property
    def effector(self) -> str:
        return self._grip.goal.effector

    @property
    def target(self) -> Target:
        """Where the dragged goal wants to be, in the world."""
        return replace(self._base, position=self._position, rotation=self._rotation)

    @property
    def goal(self) -> KeyedGoal:
        """The goal that is dragged; its id is TEMPORARY if it lives only now."""
        return self._grip.goal

    def move(self, position: Sequence[float], rotation: Sequence[float] | None = None) -> Posed:
        """The pose with the target moved."""
        x, y, z = position
        if self._floor is not None:
            x, y, z = np.maximum(position, self._floor).tolist()
        self._near += math.dist(self._position, (x, y, z))
        self._position = x, y, z
        if rotation is not None:
            self._rotation = np.array(rotation)
        return self._solve()

    @property
    def is_settled(self) -> bool:
        """Whether no joint was kept from turning further in the last solve."""
        solution = self.posed.solution
        return self.posed is self._start or solution is None or not _was_slowed(solution)

    def settle(self) -> None:
        """Go on towards the target where it was left."""
        if not self.is_settled:
            self._solve()

    def _solve(self) -> Posed:
        solution = self._solver.solve({self._name: self._moved_target()})
        errors = errors_in(solution, self._rows)
        self._measure(solution.pose, errors)
        self.posed = Posed(self._start.time, solution.pose, solution, errors, self._names)
        return self.posed

    def _demand(self) -> Goal:
        """The dragged goal for the solver: below the pins, so that they stay."""
        subject = replace(self._grip.goal, pinned=False, space="")
        target = replace(self.target, position=self._pulled())
        return demand(subject, target, self._start.pose, self._name)

    def _moved_target(self) -> object:
        """What the solver takes to move the goal; without making a new goal for the usual ones."""
        kind = self._grip.goal.kind
        if kind == "position":
            return self._pulled()
        if kind == "pose":
            return self._pulled(), from_quaternion(self._rotation)
        return moved_target(self._demand())

    def _pulled(self) -> Place:
        """The target, or a point on the way to it where it is far."""
        if self._near <= PULL or self._grip.goal.kind not in ("position", "pose"):
            return self._position
        site = self.posed.pose.position(self.effector)
        reach = np.subtract(self._position, site)
        distance = math.sqrt(reach @ reach)
        return self._position if distance <= PULL else _triple(site + reach * (PULL / distance))

    def _measure(self, pose: Pose, errors: dict[int, tuple[float, float]]) -> None:
        """How far the effector is from where it is dragged to, not only from what pulls it.

        While that is surely near, the solver's own error says it.
        """
        goal = self._grip.goal
        if self._near <= PULL and goal.kind in ("position", "pose"):
            self._near = errors[goal.id][0]
            return
        self._near = math.dist(self._position, pose.position(self.effector))
        if goal.kind == "position":
            errors[goal.id] = self._near, 0.0

    def released(self) -> Document:
        """The document when the button goes up.

        A pin keeps the target that was asked for, and shows its gap; another target drops to where
        the effector is.
        """
        if self.posed is self._start:
            return self._before
        subject, time = self._grip.goal, self._start.time
        document, pose = self._document, self._firm_pose()
        if not self._grip.is_temporary:
            position, angle = self.posed.errors[subject.id]
            short = position > SHORT[0] or angle > SHORT[1]
            wanted = self.target if subject.pinned else self._reached(pose)
            gap = (position, angle) if subject.pinned and short else None
            local = in_space(subject.space, wanted, pose)
            dropped = document.with_goal(replace(subject, strained=gap))
            document = with_target(dropped, subject.id, time, local)
        return _with_gaps(with_pose(document, time, pose, moved=self._moved), time, pose)

    def _firm_pose(self) -> Pose:
        """The pose with the pins exactly where they are: weights let them give way by microns."""
        document, pose, dragged = self._document, self.posed.pose, self._grip.goal.id
        firm = [g for g in document.goals if g.pinned and g.strained is None and g.id != dragged]
        posing = Posing(self._document)
        held = [replace(goal, target=posing.target(goal, self._start.time)) for goal in firm]
        bare = replace(document, goals=tuple(held), keys=())
        return Posing(bare).at(self._start.time, pose).pose

    def _reached(self, pose: Pose) -> Target:
        """The target met by the pose: of a point that is held, the place of the effector."""
        subject, target = self._grip.goal, self.target
        if subject.kind not in ("position", "pose", "orientation"):
            return target
        turn = to_quaternion(pose.rotation(subject.effector))
        return replace(target, position=pose.position(subject.effector), rotation=turn)


def _triple(place: ArrayLike) -> Place:
    x, y, z = np.asarray(place, float).tolist()
    return x, y, z


def _relaxed(posing: Posing, start: Posed) -> Posing:
    """A document whose strained pins ask for no more than they have."""
    document = posing.document
    strained = {goal.id for goal in document.goals if goal.strained is not None}
    if not strained:
        return posing
    goals = [
        replace(goal, target=_here(goal, start.pose)) if goal.id in strained else goal
        for goal in document.goals
    ]
    keys = [
        replace(key, targets={i: t for i, t in key.targets.items() if i not in strained})
        for key in document.keys
    ]
    return Posing(replace(document, goals=tuple(goals), keys=tuple(keys)))


def _here(goal: KeyedGoal, pose: Pose) -> Target:
    return snapped_in_space(goal, replace(goal.target, blend=1.0), pose)


def _with_gaps(document: Document, time: float, pose: Pose) -> Document:
    """The strained pins of a document with the gaps that they have in a pose."""
    errors = Posing(document).errors(time, pose)
    for goal in document.goals:
        if goal.strained is not None and goal.id in errors:
            document = document.with_goal(replace(goal, strained=errors[goal.id]))
    return document


def _solver(goals: Sequence[Goal], start: Pose, settings: Settings, share: float) -> Solver:
    """The solver of a drag, with a share of the usual weight of posture."""
    near = posture(start.figure, start, settings)
    assert near.weights is not None
    near = replace(near, weights={name: share * w for name, w in near.weights.items()})
    method = method_named(settings.method)
    options: Options = {"method": settings.method, "tolerance": _EXACT, "restarts": 0}
    if method.exact_phase is None:
        weighted = flattened([*goals, near], method)
        options["max_iterations"] = _ROUGH_ITERATIONS
    else:
        weighted = [replace(g, level=1, weight=g.weight * _importance(g)) for g in [*goals, near]]
        options |= {"optimality": _OPTIMALITY, "max_velocity": TURN, "dt": 1.0}
    return Solver(start.figure, weighted, start=start, **options)


def _importance(goal: Goal) -> float:
    if goal.level > 1:
        return 1.0
    return GROUND if isinstance(goal, HalfSpace) else PINS


def _as_it_stands(goal: Goal, pose: Pose) -> Goal:
    """The ground as high as a sole that was in it already: taking hold of something moves none."""
    if not isinstance(goal, HalfSpace) or goal.level > 1:
        return goal
    depth = float((pose.position(goal.effector) - np.asarray(goal.point)) @ np.asarray(goal.normal))
    lowered = np.asarray(goal.point) + min(depth, 0.0) * np.asarray(goal.normal)
    return replace(goal, point=lowered)


def _was_slowed(solution: Solution) -> bool:
    """Whether a joint turned as far as it may in one solve, and might go on."""
    if solution.window is None:
        return False
    figure, angles = solution.problem.figure, solution.angles
    lower, upper = solution.window
    at_window = (angles <= lower) & (lower > figure.lower)
    at_window |= (angles >= upper) & (upper < figure.upper)
    return bool((at_window & (solution.problem.mobility > 0)).any())
