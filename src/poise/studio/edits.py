"""The commands that change the document: each gives a new one, and is one step of undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from msgspec import UNSET, structs

from poise.errors import GoalError, PoiseError, unknown_name
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.relations import JointGroup
from poise.motion import editing
from poise.motion.clip import Clip
from poise.motion.demands import in_space, in_world
from poise.motion.document import Document, KeyedGoal, Target
from poise.motion.posing import Posed, Posing
from poise.solve.method import method_named
from poise.studio import commands
from poise.studio.opening import figure_named, opened_figure
from poise.studio.turn import turned


@dataclass(frozen=True)
class Here:
    """What a command acts on: the document and the pose shown."""

    posing: Posing
    posed: Posed

    @property
    def document(self) -> Document:
        return self.posing.document

    @property
    def time(self) -> float:
        return self.posed.time

    @property
    def pose(self) -> Pose:
        return self.posed.pose


Edit = Callable[[Here, Any], Document]
EDITS: dict[type, tuple[str, Edit]] = {}
"""By the command's class: what undo calls it, and what it does."""

Function = TypeVar("Function", bound=Edit)


def edits(command: type, label: str) -> Callable[[Function], Function]:
    """Registers a function as what a command does."""

    def register(function: Function) -> Function:
        EDITS[command] = (label, function)
        return function

    return register


# -- goals -----------------------------------------------------------------------------------------


@edits(commands.AddGoal, "add goal")
def _add_goal(here: Here, command: commands.AddGoal) -> Document:
    document, pose = here.document, here.pose
    pose.figure.effector(command.effector)
    for goal in document.goals:
        if goal.effector == command.effector and goal.kind == command.kind:
            raise GoalError(
                f"{goal.effector} has a {goal.kind} goal already (id {goal.id}); change that one,"
                " or choose another kind"
            )
    empty = Target(np.zeros(3))
    goal = KeyedGoal(document.next_id, command.effector, command.kind, empty, pinned=command.pinned)
    goal = replace(goal, target=editing.snapped_in_space(goal, empty, pose))
    return editing.with_pose(document, here.time, pose).with_goal(goal)


@edits(commands.ChangeGoal, "change goal")
def _change_goal(here: Here, command: commands.ChangeGoal) -> Document:
    given = {k: v for k, v in structs.asdict(command).items() if v is not UNSET}
    document, time, pose = here.document, here.time, here.pose
    goal = document.goal(command.goal)
    switch = given.pop("on", None)
    if switch is not None:
        document = editing.switched(document, goal.id, time, pose, switch)
    own = {k: given[k] for k in ("kind", "pinned", "weight", "chain") if k in given}
    if own.get("pinned") or "kind" in own:
        own["strained"] = None
    changed = replace(document.goal(goal.id), **own)
    document = document.with_goal(changed)
    target = in_world(changed, Posing(document).target(changed, time), pose)
    if own.get("pinned") and "position" not in given:
        target = editing.snapped_in_space(replace(changed, space=""), target, pose)
    aims = {k: given[k] for k in ("position", "rotation", "direction", "blend") if k in given}
    target = replace(target, **aims)
    if "kind" in own and not aims:
        target = editing.snapped_in_space(replace(changed, space=""), target, pose)
    if "space" in given:
        document = _with_space(document, changed, given["space"])
        changed = document.goal(goal.id)
    return editing.with_target(document, goal.id, time, in_space(changed.space, target, pose))


def _with_space(document: Document, goal: KeyedGoal, space: str) -> Document:
    """A goal in another space; what was keyed in the old one is forgotten."""
    if space == goal.space:
        return document
    if space:
        document.figure.effector(space)
    kept = document.without_goal(goal.id)
    place = [g.id for g in document.goals].index(goal.id)
    goals = [*kept.goals[:place], replace(goal, space=space), *kept.goals[place:]]
    return replace(kept, goals=tuple(goals))


@edits(commands.RemoveGoal, "remove goal")
def _remove_goal(here: Here, command: commands.RemoveGoal) -> Document:
    document = here.document
    document.goal(command.goal)
    return editing.with_pose(document, here.time, here.pose).without_goal(command.goal)


# -- the pose --------------------------------------------------------------------------------------


@edits(commands.SetAngles, "turn joints")
def _set_angles(here: Here, command: commands.SetAngles) -> Document:
    return turned(here.posing, here.posed, command.angles)


@edits(commands.RestPose, "rest pose")
def _rest_pose(here: Here, command: commands.RestPose) -> Document:
    solved = here.posing.at(here.time, start=here.pose.figure.rest())
    return editing.with_pose(here.document, here.time, solved.pose)


# -- the figure ------------------------------------------------------------------------------------


@edits(commands.SetLimits, "change limits")
def _set_limits(here: Here, command: commands.SetLimits) -> Document:
    figure = here.document.figure
    name = figure.dof_names[figure.dof_index(command.dof)]
    lower = -np.inf if command.lower is None else command.lower
    upper = np.inf if command.upper is None else command.upper
    return _on_figure(here.document, figure.with_limits({name: (lower, upper)}))


@edits(commands.SetRigidity, "change rigidity")
def _set_rigidity(here: Here, command: commands.SetRigidity) -> Document:
    figure = here.document.figure
    changed = figure.with_rigidity(dict.fromkeys(command.dofs, command.rigidity))
    return _on_figure(here.document, changed)


@edits(commands.SetGroup, "switch joint group")
def _set_group(here: Here, command: commands.SetGroup) -> Document:
    document, figure = here.document, here.document.figure
    on = {r.name: r for r in figure.relations if isinstance(r, JointGroup)}
    off = {group.name: group for group in document.spare_groups}
    if command.name not in on | off:
        raise PoiseError(unknown_name(f"joint group of {figure.name}", command.name, on | off))
    if command.on == (command.name in on):
        return document
    group = (off if command.on else on)[command.name]
    if command.on:
        spare = tuple(g for g in document.spare_groups if g.name != group.name)
        return replace(_on_figure(document, figure.with_relations(group)), spare_groups=spare)
    changed = _on_figure(document, figure.without_relations(group.name))
    return replace(changed, spare_groups=(*document.spare_groups, group))


def _on_figure(document: Document, figure: Figure) -> Document:
    """The document on a figure with the same DOFs; the standing pose moves inside its limits."""
    inside = Pose(figure, document.angles).clamped().angles
    clip: Clip | None = None if document.clip is None else document.clip.on(figure)
    return replace(document, figure=figure, angles=inside, clip=clip)


@edits(commands.NewDocument, "new document")
def _new_document(here: Here, command: commands.NewDocument) -> Document:
    return opened_figure(figure_named(command.figure))


# -- settings and the timeline ---------------------------------------------------------------------


@edits(commands.ChangeSettings, "change settings")
def _change_settings(here: Here, command: commands.ChangeSettings) -> Document:
    changed = replace(here.document.settings, **given_by(command))
    method_named(changed.method)
    document = replace(here.document, settings=changed)
    Posing(document).at(here.time)  # refuses what the method cannot take, before anything changed
    return document


@edits(commands.ChangeTimeline, "change timeline")
def _change_timeline(here: Here, command: commands.ChangeTimeline) -> Document:
    return replace(here.document, **given_by(command))


@edits(commands.AddKey, "key")
def _add_key(here: Here, command: commands.AddKey) -> Document:
    return editing.keyed(here.document, here.time, here.pose)


@edits(commands.MoveKeys, "move keys")
def _move_keys(here: Here, command: commands.MoveKeys) -> Document:
    return editing.moved_keys(here.document, command.keys, command.by)


@edits(commands.CopyKeys, "copy keys")
def _copy_keys(here: Here, command: commands.CopyKeys) -> Document:
    return editing.copied_keys(here.document, command.keys, command.time)


@edits(commands.DeleteKeys, "delete keys")
def _delete_keys(here: Here, command: commands.DeleteKeys) -> Document:
    document = here.document.without(command.keys)
    if here.document.angle_keys and not document.angle_keys:
        document = replace(document, angles=here.pose.angles)  # the last key gone: stand so
    return document


@edits(commands.EaseKeys, "ease keys")
def _ease_keys(here: Here, command: commands.EaseKeys) -> Document:
    return editing.eased_keys(here.document, command.keys, command.ease)


@edits(commands.ChangeFix, "change fix")
def _change_fix(here: Here, command: commands.ChangeFix) -> Document:
    given = given_by(command)
    number = given.pop("fix")
    if "held" in given:
        given["held"] = tuple(dict.fromkeys(given["held"]))
    for fix in here.document.fixes:
        if fix.id == number:
            return here.document.with_fix(replace(fix, **given))
    raise PoiseError(f"there is no fix with id {number}")


def given_by(command: commands.Command) -> dict[str, Any]:
    """What a change gives, without its id."""
    return {k: v for k, v in structs.asdict(command).items() if v is not UNSET and k != "id"}
