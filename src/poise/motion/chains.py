"""Which joints move for a goal, in the words of an animator: its limb, the torso too, or all."""

from __future__ import annotations

from poise.figure.figure import Figure
from poise.motion.document import Chain


def chain_dofs(figure: Figure, effector: str, chain: Chain) -> list[str] | None:
    """The DOFs of a chain by name; None for all.

    The limb ends below the first segment that branches; the torso ends below the root.
    """
    if chain == "all":
        return None
    path = _path(figure, effector)
    count = [0] * len(figure.segments)
    for parent in figure.parents:
        if parent >= 0:
            count[parent] += 1
    limb = []
    for i in path:
        if figure.parents[i] < 0 or (limb and count[i] > 1 and chain == "limb"):
            break
        limb.append(i)
    return [name for i in limb for name in figure.segments[i].dof_names]


def chains_of(figure: Figure, effector: str) -> list[Chain]:
    """The chains that differ for an effector, the shortest first."""
    choices: list[Chain] = ["limb", "limb+torso", "all"]
    path = {name for i in _path(figure, effector) for name in figure.segments[i].dof_names}
    found: list[Chain] = []
    seen: list[set[str]] = [set()]
    for chain in reversed(choices):
        dofs = chain_dofs(figure, effector, chain)
        moving = path if dofs is None else set(dofs)
        if moving not in seen or chain == "all":
            seen.append(moving)
            found.append(chain)
    return found[::-1]


def _path(figure: Figure, effector: str) -> list[int]:
    """The segments from an effector's up to the root."""
    path = [figure.segment_index(figure.effector(effector).segment)]
    while figure.parents[path[-1]] >= 0:
        path.append(figure.parents[path[-1]])
    return path
