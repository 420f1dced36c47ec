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
from dataclasses import dataclass, replace

import numpy as np

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.rotation import from_quaternion, to_quaternion
from poise.goals import Goal, HalfSpace, Pose6D
from poise.motion.demands import demand, goal_name, in_space, in_world, posture, soles
from poise.motion.document import Document, KeyedGoal, Settings, Target
from poise.motion.editing import snapped_in_space, with_pose, with_target
from poise.motion.fixing import fix_begun
from poise.motion.posing import Posed, Posing, errors_by_id, moved_target
from poise.problem import Tolerance
from poise.solve import Solution, Solver
from poise.solve.capabilities import Feature
from poise.solve.method import method_named
from poise.solve.solver import Options
from poise.studio.handles import limb_end

TEMPORARY = 0
"""The id of a goal that lives only while it is dragged."""
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


@dataclass(frozen=True)
class Grip:
    """What is dragged, and how it began."""

    goal: KeyedGoal
    target: Target
    """In the world."""
    is_temporary: bool


class Drag:
    """Drags one goal of a document at one time."""

    def __init__(
        self, posing: Posing, start: Posed, effector: str, turn: bool, goal: int | None = None
    ) -> None:
        self._before = posing.document
        self._moved = _moved(start.pose.figure, effector)
        if self._before.clip is not None:  # what the fix will hold stays where it is from now on
            posing = Posing(fix_begun(self._before, start.time, self._moved))
        self._document = posing.document
        self._start, self.posed = start, start
        self._grip = _grip(posing, start, effector, turn, goal)
        self._base = self._grip.target
        self._position = np.asarray(self._base.position)
        self._rotation = np.asarray(self._base.rotation)
        self._site = start.pose.position(effector)
        self._floor = _floor(self._document, start.pose, effector, self._grip.goal.kind)
        figure, pose, subject = self._document.figure, start.pose, self._grip.goal
        others, names = _relaxed(posing, start).demands(start.time, pose, but=subject.id)
        same = {name for i, name in names.items() if i != subject.id}
        own = goal_name(subject, self._document.goals)
        self._name = f"{own} dragged" if own in same else own
        self._names = names | {subject.id: self._name}
        others = [_as_it_stands(goal, pose) for goal in others]
        goals = [*others, *_held_end(figure, pose, subject, others), self._demand()]
        share = POSTURE if limb_end(figure, effector) is None else POLE_POSTURE
        self._solver = _solver(goals, pose, self._document.settings, share)

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
        self._position = np.maximum(position, self._floor)
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
        errors = errors_by_id(solution, self._names) | self._own_error(solution.pose)
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

    def _pulled(self) -> np.ndarray:
        """The target, or a point on the way to it where it is far."""
        wanted = self._position
        if self._grip.goal.kind not in ("position", "pose"):
            return wanted
        reach = wanted - self._site
        distance = math.sqrt(reach @ reach)
        return wanted if distance <= PULL else self._site + reach * (PULL / distance)

    def _own_error(self, pose: Pose) -> dict[int, tuple[float, float]]:
        """How far the effector is from where it is dragged to, not only from what pulls it."""
        self._site = pose.position(self.effector)
        if self._grip.goal.kind != "position":
            return {}
        gap = self._site - self._position
        return {self._grip.goal.id: (math.sqrt(gap @ gap), 0.0)}

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


def _moved(figure: Figure, effector: str) -> list[str]:
    """What a fix must not hold when an effector is dragged: it, its segment, and its sites."""
    segment = figure.effector(effector).segment
    return [effector, segment, *(s.name for s in figure.sites if s.segment == segment)]


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
    kept = [*goals, near] if method.takes(Feature.POSTURE) else goals
    weighted = [replace(g, level=1, weight=g.weight * _importance(g)) for g in kept]
    options: Options = {"method": settings.method, "tolerance": _EXACT, "restarts": 0}
    if method.exact_phase is None:
        options["max_iterations"] = _ROUGH_ITERATIONS
    else:
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


def _floor(document: Document, pose: Pose, effector: str, kind: str) -> np.ndarray:
    """(3,) the least that each coordinate of a target may be: a foot is not dragged underground."""
    figure, least = pose.figure, np.full(3, -np.inf)
    below = figure.below(figure.effector(effector).segment)
    own = [name for name in soles(figure) if figure.effector(name).segment in below]
    if document.settings.ground and kind in ("position", "pose") and own:
        up = "XYZ".index(figure.up)
        if figure.segments[0].name != figure.effector(effector).segment:
            lowest = min(float(pose.position(name)[up]) for name in own)
            least[up] = float(pose.position(effector)[up]) - max(lowest, 0.0)
    return least


def _was_slowed(solution: Solution) -> bool:
    """Whether a joint turned as far as it may in one solve, and might go on."""
    if solution.window is None:
        return False
    figure, angles = solution.problem.figure, solution.angles
    lower, upper = solution.window
    at_window = (angles <= lower) & (lower > figure.lower)
    at_window |= (angles >= upper) & (upper < figure.upper)
    return bool((at_window & (solution.problem.mobility > 0)).any())


def _grip(posing: Posing, start: Posed, effector: str, turn: bool, id_: int | None) -> Grip:
    """The goal that a drag moves: the one named, one that holds the effector, or one for now."""
    document, pose = posing.document, start.pose
    pose.figure.effector(effector)
    if id_ is not None:
        goal = document.goal(id_)
        if goal.effector != effector:
            raise GoalError(f"goal {id_} is on {goal.effector!r}, not on {effector!r}")
        return Grip(goal, in_world(goal, posing.target(goal, start.time), pose), False)
    site, rotation = pose.position(effector), to_quaternion(pose.rotation(effector))
    for goal in document.goals:
        target = posing.target(goal, start.time)
        if goal.effector == effector and goal.kind in ("position", "pose") and target.on:
            world = in_world(goal, target, pose)
            here = replace(world, position=site, rotation=rotation, blend=1.0)
            return Grip(goal, here, False)
    kind = "pose" if turn else "position"
    here = Target(site, rotation)
    return Grip(KeyedGoal(TEMPORARY, effector, kind, here), here, True)


def _held_end(figure: Figure, pose: Pose, subject: KeyedGoal, others: Sequence[Goal]) -> list[Goal]:
    """Dragging an elbow or knee turns it about a hand or foot that stays."""
    end = limb_end(figure, subject.effector)
    held = {getattr(goal, "effector", None) for goal in others if goal.level == 1}
    if end is None or end in held:
        return []
    return [Pose6D(end, pose.position(end), pose.rotation(end), name=f"{end} held")]
