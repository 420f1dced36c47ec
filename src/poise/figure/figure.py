"""The Figure: an immutable tree of segments, and everything about it that does not move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import FigureError, unknown_name
from poise.figure.arrays import float_array
from poise.figure.chains import chain_between, checked_chains, matching_dofs
from poise.figure.joint import Dof
from poise.figure.relation_tables import RelationTables
from poise.figure.relations import Relation
from poise.figure.segment import Segment, Site
from poise.figure.tree import check_distinct, depth_first

if TYPE_CHECKING:
    from poise.figure.pose import Pose

Up = Literal["Y", "Z"]


class Figure:
    """A tree of segments with joints, limits and named sites. A value: a change makes a new one.

    Segments are kept depth first, in the order given; the DOFs follow the segments.
    """

    def __init__(
        self,
        name: str,
        segments: Iterable[Segment],
        sites: Iterable[Site] = (),
        up: Up = "Y",
        relations: Iterable[Relation] = (),
        chains: Mapping[str, str | Sequence[str]] | None = None,
    ) -> None:
        if up not in ("Y", "Z"):
            raise FigureError(f"up axis {up!r} of figure {name!r} is not 'Y' or 'Z'")
        self.name = name
        self.up: Up = up
        self.segments = depth_first(list(segments), name)
        self.sites = tuple(sites)
        self.relations = _checked_relations(relations)
        self.segment_names = tuple(segment.name for segment in self.segments)
        self.dof_names = tuple(n for segment in self.segments for n in segment.dof_names)
        self.dofs = tuple(dof for segment in self.segments for dof in segment.joint.dofs)
        self._segment_index = {n: i for i, n in enumerate(self.segment_names)}
        self._site_index = {site.name: i for i, site in enumerate(self.sites)}
        self._dof_index = {n: i for i, n in enumerate(self.dof_names)}
        self._check_names()
        self._check_cones()
        self.parents = tuple(
            -1 if s.parent is None else self._segment_index[s.parent] for s in self.segments
        )
        self.chains = checked_chains(self, chains or {})
        """The names of the DOFs of each named chain, e.g. of "left_arm"."""
        self.relation_tables = RelationTables(self)
        self.lower = float_array(self.relation_tables.lower)
        self.upper = float_array(self.relation_tables.upper)
        self.rigidity = float_array([dof.rigidity for dof in self.dofs])
        if self.relations:
            from poise.figure.tables import check_room

            check_room(self)

    def __repr__(self) -> str:
        return f"<Figure {self.name}: {len(self.segments)} segments, {len(self.dofs)} DOFs>"

    # -- names ---------------------------------------------------------------------------------

    def dof_index(self, name: str) -> int:
        """The index of a DOF by name."""
        if name not in self._dof_index:
            raise FigureError(unknown_name(f"DOF of {self.name}", name, self.dof_names))
        return self._dof_index[name]

    def segment_index(self, name: str) -> int:
        """The index of a segment by name."""
        if name not in self._segment_index:
            raise FigureError(unknown_name(f"segment of {self.name}", name, self.segment_names))
        return self._segment_index[name]

    @property
    def effector_names(self) -> tuple[str, ...]:
        """Everything that a goal can hold: the sites, then the segments."""
        sites = tuple(self._site_index)
        return sites + tuple(n for n in self.segment_names if n not in self._site_index)

    def effector(self, name: str) -> Site:
        """The site of that name; a segment's name means a site at its origin."""
        if name in self._site_index:
            return self.sites[self._site_index[name]]
        if name in self._segment_index:
            return Site(name, name)
        raise FigureError(
            unknown_name(f"site or segment of {self.name}", name, self.effector_names)
        )

    def below(self, segment: str) -> set[str]:
        """A segment and all that hang on it, by name."""
        found = {self.segment_names[self.segment_index(segment)]}
        for other in self.segments:  # parents come before children
            if other.parent in found:
                found.add(other.name)
        return found

    def match_dofs(self, words: str | Sequence[str]) -> list[int]:
        """Indices of the DOFs that are meant by `words`, wherever joints are chosen by name.

        Each is one of `chains`, or a name or shell pattern ("spine_*") of DOFs; where no DOF is
        called so, of joints, or of the segments that joints move, with all their DOFs.
        """
        return matching_dofs(self, words, self.chains)

    def chain(self, first: str, last: str | None = None) -> tuple[str, ...]:
        """The names of the DOFs of all joints from `first` to `last`, both included.

        A joint is named by itself, by the segment that it moves, or by a site on that. Without
        `last`: the joint and all that it moves, e.g. chain("spine_1"), everything above the hips.
        """
        return chain_between(self, first, last)

    # -- poses ---------------------------------------------------------------------------------

    def pose(self, angles: ArrayLike | Mapping[str, float]) -> Pose:
        """A pose from an array of all DOFs, or from a mapping of names onto the rest pose."""
        from poise.figure.pose import Pose

        if isinstance(angles, Mapping):
            return Pose(self, self.rest_angles).with_angles(angles)
        return Pose(self, angles)

    def rest(self) -> Pose:
        """The rest pose."""
        return self.pose({})

    def middle(self) -> Pose:
        """Every DOF in the middle of its range, at rest where a side is open."""
        return self.pose(self.middle_angles).clamped()

    @cached_property
    def rest_angles(self) -> NDArray[np.float64]:
        """The DOFs' rest values; with relations the nearest ones that hold them."""
        from poise.figure.pose import Pose

        rest = Pose(self, [dof.rest for dof in self.dofs])
        return rest.clamped().angles if self.relations else rest.angles

    @cached_property
    def middle_angles(self) -> NDArray[np.float64]:
        rest = self.rest_angles
        bounded = np.isfinite(self.lower) & np.isfinite(self.upper)
        with np.errstate(invalid="ignore"):
            return float_array(np.where(bounded, 0.5 * (self.lower + self.upper), rest))

    @cached_property
    def cones(self) -> tuple[tuple[int, float], ...]:
        """The first of the two swing DOFs, and the half-angle [rad], of every swing cone."""
        found, dof = [], 0
        for segment in self.segments:
            for motion in segment.joint.motions:
                if motion.cone is not None:
                    found.append((dof, motion.cone))
                dof += len(motion.dofs)
        return tuple(found)

    # -- changed copies ------------------------------------------------------------------------

    def with_limits(self, limits: Mapping[str, tuple[float, float]]) -> Figure:
        """A copy with new (lower, upper) for the DOFs named, or matched by a shell pattern."""
        changes: dict[int, dict[str, float]] = {}
        for pattern, pair in limits.items():
            lower, upper = _numbers(pair, (2,), f"limits of {pattern!r}").tolist()
            for i in self.match_dofs(pattern):
                rest = float(np.clip(self.dofs[i].rest, lower, upper)) if lower <= upper else 0.0
                changes[i] = {"lower": lower, "upper": upper, "rest": rest}
        return self._with_dofs(changes)

    def with_cones(self, cones: Mapping[str, float]) -> Figure:
        """A copy with new half-angles [rad] for the swing cones named by either of their swing
        DOFs, or matched by a shell pattern."""
        segments = {segment.name: segment for segment in self.segments}
        owners = [segment for segment in self.segments for _ in segment.joint.dofs]
        swings = {i: owners[d] for d, _ in self.cones for i in (d, d + 1)}
        for pattern, half_angle in cones.items():
            cone = float(_numbers(half_angle, (), f"cone of {pattern!r}"))
            chosen = [swings[i].name for i in self.match_dofs(pattern) if i in swings]
            if not chosen:
                known = [self.dof_names[i] for i in swings]
                raise FigureError(unknown_name(f"swing DOF of {self.name}", pattern, known))
            for name in chosen:
                joint = segments[name].joint.with_cone(cone, repr(pattern))
                segments[name] = replace(segments[name], joint=joint)
        return self._with(segments=segments.values())

    def with_limits_from(
        self, motion: Any, margin: float = 0.17, translation_margin: float = 0.01
    ) -> Figure:
        """A copy whose limits are what a motion uses, and a margin [rad] more (10° if not given).

        `motion` is a clip, or an array (frames, dofs). The root stays as it is, as do rotation
        vectors; a rotation that would have a full turn gets no limits. Joints other than the root
        that slide get `translation_margin` [m].
        """
        from poise.figure.learned import learned_limits

        return learned_limits(self, motion, margin, translation_margin)

    def with_rigidity(self, rigidity: Mapping[str, float]) -> Figure:
        """A copy with new rigidities in [0, 1] for the DOFs named, or matched by a pattern."""
        changes = {
            i: {"rigidity": float(_numbers(value, (), f"rigidity of {pattern!r}"))}
            for pattern, value in rigidity.items()
            for i in self.match_dofs(pattern)
        }
        return self._with_dofs(changes)

    def with_sites(self, sites: Iterable[Site]) -> Figure:
        """A copy with more sites; a site of the same name is replaced."""
        added = {site.name: site for site in sites}
        kept = [site for site in self.sites if site.name not in added]
        return self._with(sites=[*kept, *added.values()])

    def with_chains(self, chains: Mapping[str, str | Sequence[str]]) -> Figure:
        """A copy with more named chains, as `match_dofs` takes them; one of the same name is
        replaced."""
        return self._with(chains={**self.chains, **chains})

    def with_relations(self, *relations: Relation) -> Figure:
        """A copy with more joint groups, linear limits or polygons; one of the same name is
        replaced. The rest pose moves to the nearest one that holds them."""
        added = {relation.name: relation for relation in _checked_relations(relations)}
        kept = [relation for relation in self.relations if relation.name not in added]
        return self._with(relations=[*kept, *added.values()])

    def without_relations(self, *names: str) -> Figure:
        """A copy without the relations named, or without all of them."""
        known = [relation.name for relation in self.relations]
        for name in names:
            if name not in known:
                raise FigureError(unknown_name(f"relation of {self.name}", name, known))
        kept = [r for r in self.relations if names and r.name not in names]
        return self._with(relations=kept)

    def rerooted(self, segment: str, anchor: Pose | None = None) -> Figure:
        """The same figure seen from another segment, free in space or fixed where `anchor` has it.

        All joints keep their names, limits and angles; `pose.on(figure)` carries poses over.
        """
        from poise.figure.reroot import rerooted

        return rerooted(self, segment, anchor)

    def _with_dofs(self, changes: Mapping[int, Mapping[str, float]]) -> Figure:
        remaining = iter([self._with_dof(i, changes.get(i, {})) for i in range(len(self.dofs))])
        segments = []
        for segment in self.segments:
            own: list[Dof] = [next(remaining) for _ in segment.joint.dofs]
            segments.append(replace(segment, joint=segment.joint.with_dofs(own)))
        return self._with(segments=segments)

    def _with_dof(self, index: int, changes: Mapping[str, float]) -> Dof:
        dof = self.dofs[index]
        try:
            return replace(dof, **changes)
        except FigureError as error:  # in a joint a DOF has a short name; here it has the whole
            named = str(error).replace(repr(dof.name), repr(self.dof_names[index]))
            raise FigureError(named) from None

    def _with(self, **changes: Any) -> Figure:
        fields = ("name", "segments", "sites", "up", "relations", "chains")
        return Figure(**{field: getattr(self, field) for field in fields} | changes)

    # -- checks --------------------------------------------------------------------------------

    def _check_names(self) -> None:
        for what, names in (
            ("site", tuple(site.name for site in self.sites)),
            ("DOF", self.dof_names),
        ):
            check_distinct(what, names, self.name)
        for site in self.sites:
            self.segment_index(site.segment)

    def _check_cones(self) -> None:
        for dof, radius in self.cones:
            pair = self.dofs[dof : dof + 2]
            if np.hypot(*(np.clip(0.0, d.lower, d.upper) for d in pair)) > radius:
                raise FigureError(
                    f"limits of DOF {self.dof_names[dof]!r} leave nothing of its cone of"
                    f" {np.degrees(radius):.1f}°; widen the limits or the cone"
                )
            if np.hypot(pair[0].rest, pair[1].rest) > radius:
                raise FigureError(f"rest values of {self.dof_names[dof]!r} lie outside its cone")


def _checked_relations(relations: Iterable[Relation]) -> tuple[Relation, ...]:
    given = tuple(relations)
    for relation in given:
        if not isinstance(relation, Relation):
            raise FigureError(
                f"{relation!r} is not a relation; use poise.JointGroup, poise.LinearLimit or"
                " poise.PolygonLimit"
            )
    check_distinct("relation", [relation.name for relation in given], "")
    return given


def _numbers(values: ArrayLike, shape: tuple[int, ...], what: str) -> NDArray[np.float64]:
    array = float_array(values)
    if array.shape != shape:
        wanted = "a (lower, upper) pair" if shape else "a number"
        raise FigureError(f"{what} needs {wanted}, not {values!r}")
    return array
