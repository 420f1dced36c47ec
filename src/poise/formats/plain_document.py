"""A document as plain data, in the form of poise_schema.py, and back."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import FileError
from poise.figure.figure import Figure
from poise.figure.plain import figure_from, plain_figure, plain_relation, relation_from
from poise.figure.relations import JointGroup
from poise.formats.character import character_source
from poise.formats.poise_schema import FORMAT, VERSION
from poise.motion.clip import Clip
from poise.motion.document import EASE, Document, Fix, Key, KeyedGoal, Settings, Target
from poise.motion.source import Source

Plain = dict[str, Any]

_TIMELINE = ("fps", "duration", "loop")


def plain_document(document: Document) -> Plain:
    """All of a document but its clip and its character, which are left to the caller."""
    figure = document.figure
    usual = Document(figure, figure.rest_angles)
    found: Plain = {"format": FORMAT, "version": VERSION, "name": document.name}
    found["settings"] = _changed(document.settings, Settings())
    timeline = {n: getattr(document, n) for n in _TIMELINE}
    found["timeline"] = {n: v for n, v in timeline.items() if v != getattr(usual, n)}
    found["goals"] = [_goal(goal) for goal in document.goals]
    found["angles"] = _angles(figure, document.angles, figure.rest_angles)
    found["keys"] = [_key(figure, key) for key in document.keys]
    found["fixes"] = [_fix(figure, fix) for fix in document.fixes]
    found["spare_groups"] = [plain_relation(group) for group in document.spare_groups]
    found["figure"] = plain_figure(figure)
    return {name: part for name, part in found.items() if part not in ({}, [], "")}


def document_from(plain: Plain, clip: Clip | None = None) -> Document:
    """The document of plain data that the schema holds for, on the figure of its clip if it has
    one. Raises a PoiseError where names or numbers do not fit together."""
    figure = figure_from(plain["figure"])
    return Document(
        figure,
        _angles_from(figure, plain.get("angles", {}), figure.rest_angles),
        tuple(_goal_from(goal) for goal in plain.get("goals", ())),
        tuple(_key_from(figure, key) for key in plain.get("keys", ())),
        tuple(_fix_from(figure, fix) for fix in plain.get("fixes", ())),
        None if clip is None else clip.on(figure),
        Settings(**plain.get("settings", {})),
        **plain.get("timeline", {}),
        name=plain.get("name", ""),
        spare_groups=tuple(_group(part) for part in plain.get("spare_groups", ())),
        source=_source(plain, clip),
    )


def _source(plain: Plain, clip: Clip | None) -> Source:
    """Where the figure came from: with the character that is in the file, or that of its clip."""
    if plain.get("character") is not None:
        return character_source(plain["character"])
    return Source() if clip is None else clip.source


def _changed(value: Any, usual: Any) -> Plain:
    """The fields of a dataclass that are not as usual."""
    pairs = {f.name: getattr(value, f.name) for f in fields(value)}
    return {name: v for name, v in pairs.items() if v != getattr(usual, name)}


def _angles(figure: Figure, angles: ArrayLike, usual: ArrayLike) -> dict[str, float]:
    pairs = zip(figure.dof_names, np.asarray(angles).tolist(), np.asarray(usual), strict=True)
    # As text, so that -0.0 is not 0.0: what is read must have the bits of what was written.
    return {name: value for name, value, at in pairs if repr(value) != repr(float(at))}


def _angles_from(figure: Figure, plain: dict[str, float], usual: ArrayLike) -> np.ndarray:
    values = np.array(usual, float)
    for name, value in plain.items():
        values[figure.dof_index(name)] = value
    return values


def _target(target: Target) -> Plain:
    usual = Target(target.position)
    found: Plain = {"position": np.asarray(target.position).tolist()}
    for name in ("rotation", "direction"):
        value = np.asarray(getattr(target, name))
        if not np.array_equal(value, getattr(usual, name)):
            found[name] = value.tolist()
    return found | {n: getattr(target, n) for n in ("blend", "on") if getattr(target, n) != 1}


def _goal(goal: KeyedGoal) -> Plain:
    usual = KeyedGoal(goal.id, goal.effector, goal.kind, goal.target)
    own = {"id": goal.id, "effector": goal.effector, "kind": goal.kind}
    changed = _changed(goal, usual)
    if goal.strained is not None:
        changed["strained"] = list(goal.strained)
    return own | changed | {"target": _target(goal.target)}


def _goal_from(plain: Plain) -> KeyedGoal:
    fields: Plain = {**plain, "target": Target(**plain["target"])}
    if plain.get("strained") is not None:
        fields["strained"] = tuple(plain["strained"])
    return KeyedGoal(**fields)


def _key(figure: Figure, key: Key) -> Plain:
    found: Plain = {"id": key.id, "time": key.time}
    if key.ease != "smooth":
        found["ease"] = key.ease
    if key.targets:
        pairs = sorted(key.targets.items())
        found["targets"] = [{"goal": goal, "target": _target(target)} for goal, target in pairs]
    if key.angles is not None:
        found["angles"] = _angles(figure, key.angles, figure.rest_angles)
    return found


def _key_from(figure: Figure, plain: Plain) -> Key:
    angles = plain.get("angles")
    if angles is not None:
        angles = _angles_from(figure, angles, figure.rest_angles)
    targets = {part["goal"]: Target(**part["target"]) for part in plain.get("targets", ())}
    return Key(plain["id"], plain["time"], angles, targets, plain.get("ease", "smooth"))


def _fix(figure: Figure, fix: Fix) -> Plain:
    offset = _angles(figure, fix.offset, np.zeros(len(figure.dofs)))
    found: Plain = {"id": fix.id, "time": fix.time, "offset": offset}
    for name in ("ease_in", "ease_out"):
        if getattr(fix, name) != EASE:
            found[name] = getattr(fix, name)
    return found | ({"held": list(fix.held)} if fix.held else {})


def _fix_from(figure: Figure, plain: Plain) -> Fix:
    offset = _angles_from(figure, plain["offset"], np.zeros(len(figure.dofs)))
    return Fix(**plain | {"offset": offset, "held": tuple(plain.get("held", ()))})


def _group(plain: Plain) -> JointGroup:
    group = relation_from(plain)
    if not isinstance(group, JointGroup):
        raise FileError(f"spare group {group.name!r} is not a joint group")
    return group
