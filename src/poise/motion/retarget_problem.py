"""The problem of retargeting a frame, and its targets in all frames."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from poise.errors import MotionError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.rotation import to_quaternion
from poise.figure.segment import Site
from poise.goals import Goal, Orientation, Position, Posture
from poise.motion.alignment import Alignment
from poise.motion.clip import Clip
from poise.motion.feet import foot_points, up_axis
from poise.motion.footing import Footing
from poise.motion.roles import Body, body_of, stack
from poise.motion.rotations import quaternion_matrices, slerp
from poise.motion.segments import segment_origin, segment_rotation
from poise.motion.skeleton_map import SkeletonMap
from poise.motion.world import segment_frames
from poise.problem import Tolerance
from poise.solve import Solver
from poise.solve.sequence import Answers, Report
from poise.solve.solver import Options

Array = NDArray[np.float64]

TOLERANCE = Tolerance(1e-5, 1e-4)
STANDING, FLYING = 1000.0, 0.05
"""How much a foot in contact counts, and one in the air, which hardly matters: its leg is turned
as it should be."""
UPRIGHT, HIPS = 5.0, 0.3
"""How much the turn of the trunk counts, and where the hips are: where legs are too short for
their feet, the hips come nearer before the trunk tilts."""
FIRST_RESTARTS = 6
TOES = 0.02
"""How much the turn of toes counts: few captures see it, and most files make it up."""
TURN = 0.01
"""What an Orientation goal of weight 1 counts per rad²: as 0.1 m a rad."""


class RetargetProblem:
    """Every mapped segment turned as its counterpart, hips and feet where theirs are."""

    def __init__(
        self,
        clip: Clip,
        target: Figure,
        mapping: SkeletonMap,
        alignment: Alignment,
        feet: Footing | None,
    ) -> None:
        self.target, self.names, self.feet = target, list(mapping.pairs), feet
        rotations, origins = segment_frames(clip.figure, clip.angles)
        self.rotations = _wanted_rotations(clip.figure, rotations, mapping, alignment)
        self.center, center = hip_center(body_of(target)), hip_center(body_of(clip.figure))
        s = clip.figure.segment_index(center.segment)
        path = origins[:, s] + rotations[:, s] @ np.asarray(center.offset)
        path = alignment.scale * (path @ alignment.axes.T)
        if feet is not None:
            path[:, up_axis(target)] -= alignment.scale * feet.ground
        self.path = path

    def solve(
        self, stiffness: Mapping[str, float], options: Options, report: Report | None
    ) -> Answers:
        """All frames, each from the one before; the first from the rest pose, turned and moved."""
        figure, goals = self._figure_and_goals()
        figure, posture = _stiffened(self._idle_at_rest(figure), stiffness)
        given: Options = {"tolerance": TOLERANCE, "restarts": 0, "optimality": 1e-3}
        solver = Solver(figure, [*goals, *posture], **(given | options))
        targets, weights = self._tables()
        first = Solver(figure, [*goals, *posture], **(given | {"restarts": FIRST_RESTARTS}))
        begun = first.solve_sequence(targets[:1], weights[:1], start=self._placed(figure))
        return solver.solve_sequence(targets, weights, start=begun.angles[0], report=report)

    def _figure_and_goals(self) -> tuple[Figure, list[Goal]]:
        """The target with a site for every goal, so that no name is taken for another."""
        sites = [Site(f"turn {name}", name) for name in self.names]
        goals: list[Goal] = [Orientation(site.name, np.eye(3)) for site in sites]
        sites.append(Site("hips", self.center.segment, self.center.offset))
        goals.append(Position("hips", np.zeros(3)))
        if self.feet is not None:
            points = foot_points(self.target)
            own = [Site(f"on {n}", points[n].segment, points[n].offset) for n in self.feet.names]
            sites += own
            goals += [Position(site.name, np.zeros(3)) for site in own]
        return self.target.with_sites(sites), goals

    def _tables(self) -> tuple[Array, Array]:
        """Targets (frames, goals, 6) and factors of their weights (frames, goals)."""
        frames, turns = len(self.path), len(self.names)
        points = self.path[:, None]
        weights = np.ones((frames, turns + 1))
        body = body_of(self.target)
        for roles, weight in ((("pelvis", "chest"), UPRIGHT), (("left_toes", "right_toes"), TOES)):
            chosen = body.named(*roles)
            weights[:, [*(name in chosen for name in self.names), False]] = weight
        weights[:, turns] = HIPS
        if self.feet is not None:
            points = np.concatenate([points, self.feet.paths], 1)
            weights = np.concatenate([weights, FLYING * (STANDING / FLYING) ** self.feet.grip], 1)
        targets = np.zeros((frames, turns + points.shape[1], 6))
        targets[:, :turns, :3] = self.rotations[..., 0]
        targets[:, :turns, 3:] = self.rotations[..., 1]
        targets[:, turns:, :3] = points
        return targets, weights

    def _idle_at_rest(self, figure: Figure) -> Figure:
        """Segments that follow nothing, and turn for nothing that does, stay at rest."""
        mapped = {self.center.segment, *self.names}
        busy = {part for name in mapped for part in stack(figure, name, mapped)}
        idle = [s for s in figure.segments if s.name not in busy and s.parent is not None]
        still = {name: 1.0 for segment in idle for name in segment.dof_names}
        return figure.with_rigidity(still) if still else figure

    def _placed(self, figure: Figure) -> Pose:
        """The rest pose with its root turned and moved as in the first frame, if it can be."""
        from poise.motion.joint_values import can_turn_any_way, dof_places, rotation_values

        rest, root = figure.rest(), figure.segments[0]
        if not can_turn_any_way(root.joint):
            return rest
        angles = rest.angles.copy()
        _, turning = dof_places(root.joint)
        if root.name in self.names:
            before = np.asarray(root.rotation) @ root.joint.frame
            after = root.joint.frame.T @ np.asarray(root.after_rotation)
            wanted = before.T @ self.rotations[:1, self.names.index(root.name)] @ after.T
            angles[turning] = rotation_values(root.joint, wanted)[0]
        slides, _ = dof_places(root.joint)
        off = self.path[0] - Pose(figure, angles).position("hips")
        axes = [m for m in root.joint.motions if m.kind.is_translation]
        if slides == [0, 1, 2]:
            local = (np.asarray(root.rotation) @ root.joint.frame).T @ off
            for i, motion in zip(slides, axes, strict=True):
                angles[i] += (-1.0 if motion.reversed else 1.0) * local[motion.kind % 3]
        return Pose(figure, angles)


def _wanted_rotations(
    source: Figure, rotations: Array, mapping: SkeletonMap, alignment: Alignment
) -> Array:
    """(frames, mapped segments, 3, 3) how each should be turned in the target's world."""
    rest, axes = source.rest(), alignment.axes
    wanted = np.empty((len(rotations), len(mapping.pairs), 3, 3))
    for k, (name, pair) in enumerate(mapping.pairs.items()):
        first, second = (
            rotations[:, source.segment_index(one)] @ segment_rotation(rest, one).T
            for one in pair[:2]
        )
        turned = first
        if pair.share > 0.0:
            share = np.full(len(first), pair.share)
            turned = quaternion_matrices(slerp(to_quaternion(first), to_quaternion(second), share))
        wanted[:, k] = axes @ turned @ axes.T @ alignment.rests[name]
    return wanted


def hip_center(body: Body) -> Site:
    """The point amid the hip joints, on the pelvis; the root's origin if there are none."""
    figure, rest = body.figure, body.figure.rest()
    pelvis = body.roles.get("pelvis", figure.segment_names[0])
    hips = body.named("left_thigh", "right_thigh")
    if not hips:
        return Site("hips", pelvis)
    tops = [stack(figure, name, {pelvis})[-1] for name in hips]
    amid = np.mean([segment_origin(rest, name) for name in tops], axis=0)
    inward = segment_rotation(rest, pelvis).T
    return Site("hips", pelvis, inward @ (amid - segment_origin(rest, pelvis)))


def _stiffened(figure: Figure, stiffness: Mapping[str, float]) -> tuple[Figure, list[Goal]]:
    """DOFs that stay at rest, wholly (frozen) or against what they follow (a posture)."""
    held: dict[str, float] = {}
    weights: dict[str, float] = {}
    for pattern, share in stiffness.items():
        if not 0.0 <= share <= 1.0:
            raise MotionError(f"stiffness {share!r} of {pattern!r} must be from 0 to 1")
        for i in figure.match_dofs(pattern):
            if share == 1.0:
                held[figure.dof_names[i]] = 1.0
            elif share > 0.0:
                weights[figure.dof_names[i]] = 2.0 * TURN * share / (1.0 - share)
    stiff = figure.with_rigidity(held) if held else figure
    if not weights:
        return stiff, []
    loose = {name: 0.0 for name in figure.dof_names if name not in weights}
    return stiff, [Posture(stiff.rest(), weights=loose | weights)]
