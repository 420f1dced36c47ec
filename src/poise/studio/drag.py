"""A drag: from the button going down to its going up.

The posture reference is the pose at the start, every solve starts from the last answer, and none
begins again from elsewhere. All other pins hold before what is dragged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from poise.errors import GoalError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.rotation import to_quaternion
from poise.goals import Goal, Pose6D
from poise.motion.demands import demand, goal_name, in_space, in_world, posture
from poise.motion.document import Document, KeyedGoal, Target
from poise.motion.editing import with_pose, with_target
from poise.motion.posing import TOLERANCE, Posed, Posing, errors_by_id, moved_target, solver_for
from poise.studio.handles import limb_end

TEMPORARY = 0
"""The id of a goal that lives only while it is dragged."""


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
        self._document: Document = posing.document
        self._start, self.posed = start, start
        self._grip = _grip(posing, start, effector, turn, goal)
        self._target = self._grip.target
        figure, pose, subject = self._document.figure, start.pose, self._grip.goal
        others, names = posing.demands(start.time, pose, but=subject.id)
        same = {name for i, name in names.items() if i != subject.id}
        own = goal_name(subject, self._document.goals)
        self._name = f"{own} dragged" if own in same else own
        self._names = names | {subject.id: self._name}
        goals = [*others, *_held_end(figure, pose, subject, others), self._demand()]
        settings = self._document.settings
        self._solver = solver_for(goals, posture(figure, pose, settings), pose, settings.method)

    @property
    def effector(self) -> str:
        return self._grip.goal.effector

    @property
    def target(self) -> Target:
        """Where the dragged goal wants to be, in the world."""
        return self._target

    @property
    def goal(self) -> KeyedGoal:
        """The goal that is dragged; its id is TEMPORARY if it lives only now."""
        return self._grip.goal

    def move(self, position: Sequence[float], rotation: Sequence[float] | None = None) -> Posed:
        """The pose with the target moved."""
        changed = replace(self._target, position=position)
        if rotation is not None:
            changed = replace(changed, rotation=rotation)
        self._target = changed
        solution = self._solver.solve({self._name: moved_target(self._demand())})
        errors = errors_by_id(solution, self._names)
        self.posed = Posed(self._start.time, solution.pose, solution, errors, self._names)
        return self.posed

    def _demand(self) -> Goal:
        """The dragged goal for the solver: below the pins, so that they stay."""
        subject = replace(self._grip.goal, pinned=False, space="")
        return demand(subject, self._target, self._start.pose, self._name)

    def released(self) -> Document:
        """The document when the button goes up.

        A pin keeps the target that was asked for, and shows its gap; another target drops to where
        the effector is.
        """
        if self.posed is self._start:
            return self._document
        subject, pose, time = self._grip.goal, self.posed.pose, self._start.time
        document = self._document
        if not self._grip.is_temporary:
            position, angle = self.posed.errors[subject.id]
            short = position > TOLERANCE.position or angle > TOLERANCE.angle
            wanted = self._target if subject.pinned and short else self._reached(pose)
            changed = replace(subject, strained=bool(subject.pinned and short))
            local = in_space(subject.space, wanted, pose)
            document = with_target(document.with_goal(changed), subject.id, time, local)
        return with_pose(document, time, pose, moved=self._moved())

    def _reached(self, pose: Pose) -> Target:
        """The target met by the pose: of a point that is held, the place of the effector."""
        subject, target = self._grip.goal, self._target
        if subject.kind not in ("position", "pose", "orientation"):
            return target
        turn = to_quaternion(pose.rotation(subject.effector))
        return replace(target, position=pose.position(subject.effector), rotation=turn)

    def _moved(self) -> list[str]:
        """What a fix must not hold any more: the effector, its segment, and what hangs on them."""
        figure = self._document.figure
        segment = figure.effector(self.effector).segment
        own = [s.name for s in figure.sites if s.segment == segment]
        return [self.effector, segment, *own]


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
            here = replace(in_world(goal, target, pose), position=site, blend=1.0)
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
