"""The relations of a figure as the tables that the kernels read (kernels/layout.py).

Groups become leaders and followers; the bounds of a leader are narrowed until no follower can
leave its own, to the last bit. Linear limits are written in leaders alone, and fall into parts
that share no DOF.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.errors import FigureError
from poise.figure.joint import MotionKind
from poise.figure.relations import JointGroup, LinearLimit, PolygonLimit
from poise.kernels import layout

if TYPE_CHECKING:
    from poise.figure.figure import Figure

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Follower:
    """DOF `dof` is ratio · leader + shift."""

    dof: int
    leader: int
    ratio: float
    shift: float
    group: str

    def at(self, leader: float) -> float:
        """What the follower is; rounded as in the kernels."""
        return self.ratio * leader + self.shift


@dataclass(frozen=True)
class Row:
    """low <= Σ factors · leaders <= high."""

    name: str
    factors: Mapping[int, float]
    low: float
    high: float

    @property
    def scale(self) -> float:
        sides = [abs(side) for side in (self.low, self.high) if np.isfinite(side)]
        return max([sum(map(abs, self.factors.values())), *sides])


class RelationTables:
    """What the relations of a figure come to."""

    def __init__(self, figure: Figure) -> None:
        self.followers = _followers(figure)
        self.lower, self.upper = _narrowed(figure, self.followers)
        rows = _rows(figure, self.followers)
        self.parts = _parts(rows)
        """(DOFs, rows) of each part."""
        self.rows = [row for _, part in self.parts for row in part]

    def groups(self) -> dict[int, list[Follower]]:
        """The followers of each leader."""
        found: dict[int, list[Follower]] = {}
        for follower in self.followers:
            found.setdefault(follower.leader, []).append(follower)
        return found

    def folded(self, slopes: Array) -> Array:
        """Slopes (…, dofs) by all DOFs -> by leaders; those of followers become zero."""
        result = np.array(slopes)
        for follower in self.followers:
            result[..., follower.leader] += follower.ratio * result[..., follower.dof]
            result[..., follower.dof] = 0.0
        return result

    def sections(self) -> dict[int, np.ndarray | int]:
        """The sections of the arenas, none for a figure without relations."""
        if not self.followers and not self.rows:
            return {}
        widest = max((len(dofs) for dofs, _ in self.parts), default=0)
        entries = [(d, f) for row in self.rows for d, f in row.factors.items()]
        return {
            layout.FOLLOWER_DOF: np.array([f.dof for f in self.followers], int),
            layout.LEADER_DOF: np.array([f.leader for f in self.followers], int),
            layout.FOLLOWER_RATIO: np.array([f.ratio for f in self.followers]),
            layout.FOLLOWER_SHIFT: np.array([f.shift for f in self.followers]),
            layout.RELATION_FIRST: np.cumsum([0] + [len(row.factors) for row in self.rows]),
            layout.RELATION_DOF: np.array([d for d, _ in entries], int),
            layout.RELATION_FACTOR: np.array([f for _, f in entries]),
            layout.RELATION_LOW: np.array([row.low for row in self.rows]),
            layout.RELATION_HIGH: np.array([row.high for row in self.rows]),
            layout.RELATION_SCALE: np.array([row.scale for row in self.rows]),
            layout.PART_RELATION: np.cumsum([0] + [len(part) for _, part in self.parts]),
            layout.PART_FIRST: np.cumsum([0] + [len(dofs) for dofs, _ in self.parts]),
            layout.PART_DOF: np.array([d for dofs, _ in self.parts for d in dofs], int),
            layout.PROJECTION_ACTIVE: widest,
            layout.PROJECTION: 5 * widest + 2 * widest**2,
        }


def _followers(figure: Figure) -> tuple[Follower, ...]:
    """Sorted by leader, which is the first DOF of its group."""
    taken: dict[int, str] = {}
    found = []
    for group in figure.relations:
        if not isinstance(group, JointGroup):
            continue
        shares = _by_dof(figure, group.shares, f"joint group {group.name!r}")
        offsets = _by_dof(figure, group.offsets, f"joint group {group.name!r}")
        for d in sorted(shares):
            if d in taken:
                raise FigureError(
                    f"DOF {figure.dof_names[d]!r} is in two joint groups, {taken[d]!r} and"
                    f" {group.name!r}; leave it out of one of them"
                )
            taken[d] = group.name
        leader = min(shares)
        for d, share in sorted(shares.items()):
            if d != leader:
                ratio = share / shares[leader]
                shift = offsets.get(d, 0.0) - ratio * offsets.get(leader, 0.0)
                found.append(Follower(d, leader, ratio, shift, group.name))
    return tuple(sorted(found, key=lambda follower: (follower.leader, follower.dof)))


def _by_dof(figure: Figure, values: Mapping[str, float], what: str) -> dict[int, float]:
    """Numbers by DOF; the DOFs must be single angles or slides."""
    found: dict[int, float] = {}
    for pattern, value in values.items():
        for d in figure.match_dofs(pattern):
            found[d] = float(value)
    chart = _chart_dofs(figure)
    for d in found:
        if d in chart:
            raise FigureError(
                f"{what} names {figure.dof_names[d]!r}, a coordinate of a rotation vector or of"
                " a cone; relations take hinges, Euler angles, twists and slides"
            )
    return found


def _chart_dofs(figure: Figure) -> set[int]:
    charts, dof = set(), 0
    for segment in figure.segments:
        for motion in segment.joint.motions:
            if motion.kind in (MotionKind.ROTATION_VECTOR, MotionKind.SWING):
                charts.update(range(dof, dof + len(motion.dofs)))
            dof += len(motion.dofs)
    return charts


def _narrowed(figure: Figure, followers: Sequence[Follower]) -> tuple[Array, Array]:
    """The DOFs' own limits, those of leaders narrowed to what their followers allow."""
    lower = np.array([dof.lower for dof in figure.dofs])
    upper = np.array([dof.upper for dof in figure.dofs])
    for follower in followers:
        own = figure.dofs[follower.dof]
        ends = [_leader_end(follower, own.lower, up=follower.ratio > 0)]
        ends.append(_leader_end(follower, own.upper, up=follower.ratio < 0))
        low, high = sorted(ends)
        head = follower.leader
        lower[head], upper[head] = max(lower[head], low), min(upper[head], high)
        if lower[head] > upper[head]:
            raise FigureError(
                f"the limits of {figure.dof_names[follower.dof]!r} leave nothing of joint group"
                f" {follower.group!r}; widen them, or change its share or offset"
            )
    return lower, upper


def _leader_end(follower: Follower, bound: float, up: bool) -> float:
    """The last value of the leader with which the follower is not beyond `bound`.

    `up` says on which side of the end the leader stays.
    """
    if not np.isfinite(bound):
        return -np.inf if up else np.inf
    end = (bound - follower.shift) / follower.ratio
    below_bound = up == (follower.ratio < 0)
    inwards = np.inf if up else -np.inf
    while (follower.at(end) > bound) if below_bound else (follower.at(end) < bound):
        end = float(np.nextafter(end, inwards))
    return end


def _rows(figure: Figure, followers: Sequence[Follower]) -> list[Row]:
    by_dof = {follower.dof: follower for follower in followers}
    rows = []
    for relation in figure.relations:
        if isinstance(relation, JointGroup):
            continue
        edges = relation.edges() if isinstance(relation, PolygonLimit) else [relation]
        rows += [_row(figure, edge, relation.name, by_dof) for edge in edges]
    return [row for row in rows if row is not None]


def _row(
    figure: Figure, limit: LinearLimit, name: str, followers: Mapping[int, Follower]
) -> Row | None:
    """The limit with leaders in the place of followers; None if nothing of it can break."""
    constant, factors = 0.0, {}
    for d, factor in _by_dof(figure, limit.coefficients, f"relation {name!r}").items():
        if d in followers:
            follower = followers[d]
            constant += factor * follower.shift
            d, factor = follower.leader, factor * follower.ratio
        factors[d] = factors.get(d, 0.0) + factor
    kept = {d: f for d, f in sorted(factors.items()) if f != 0.0}
    low, high = limit.lower - constant, limit.upper - constant
    if not kept:
        if low > 0.0 or high < 0.0:
            raise FigureError(f"relation {name!r} cannot hold: its DOFs cancel out")
        return None
    return Row(limit.name, kept, low, high)


def _parts(rows: Sequence[Row]) -> list[tuple[list[int], list[Row]]]:
    """Rows that share DOFs, directly or through others, together."""
    parts: list[tuple[set[int], list[Row]]] = []
    for row in rows:
        dofs, members = set(row.factors), [row]
        apart = []
        for other, its_rows in parts:
            if dofs & other:
                dofs |= other
                members = its_rows + members
            else:
                apart.append((other, its_rows))
        parts = [*apart, (dofs, members)]
    return [(sorted(dofs), members) for dofs, members in parts]
