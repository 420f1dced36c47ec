"""Track: drive a figure by points over time, inside its limits, each frame from the one before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.goals import Goal
from poise.motion.clip import Clip
from poise.motion.contacts import Contact, ContactRule
from poise.motion.equivalent import unwrapped
from poise.motion.following import Effectors, Place, followed, places
from poise.motion.locking import lock_feet
from poise.motion.markers import Markers, sample_count
from poise.motion.refine import refine
from poise.motion.track_report import TrackReport
from poise.solve import Solution, Solver
from poise.solve.sequence import Answers, Report
from poise.solve.solver import Options
from poise.solve.status import FROM_CODE

Array = NDArray[np.float64]

ACCEPTABLE = 0.01
"""A miss up to this [m] is better than a jump to another pose that misses by less."""

OPTIMALITY = 4e-3
"""How close to the best pose a frame that misses a goal comes: the rest of the way is a flat valley
that takes most of the time and moves nothing that can be seen."""


@dataclass(frozen=True, eq=False)
class Tracked(Sequence[Solution]):
    """A motion that follows its goals: `clip`, and a Solution for every frame.

    The solutions are made when they are asked for: a thousand of them would take 100 MB.
    """

    clip: Clip
    markers: Markers
    """The points that were followed, frame by frame."""
    places: tuple[Place, ...]
    """Where on the figure each of them is followed."""
    answers: Answers
    """What came of every frame, as arrays."""
    solver: Solver
    source: Clip | None
    """The clip that was followed, if it was one,"""
    followed: Clip | None
    """and the same in the frames of this one."""
    contacts: tuple[Contact, ...] = ()
    """Where feet were locked."""

    def __len__(self) -> int:
        return len(self.clip)

    def __getitem__(self, frame: int) -> Solution:  # type: ignore[override]
        i = range(len(self))[frame]
        problem, answers = self.solver.problem, self.answers
        on = ~np.isnan(self.errors[i])
        placed = zip(problem.goals, self.markers.points[i], on, strict=False)
        goals = [goal.moved(point) for goal, point, counts in placed if counts]
        goals += problem.goals[len(on) :]
        if not goals:
            raise MotionError(f"no goal is on in frame {i}; it has no solution")
        told = Solver(problem.figure, goals, tolerance=problem.tolerance, max_iterations=0)
        return replace(
            told.solve(start=answers.angles[i]),
            status=FROM_CODE[int(answers.status[i])],
            iterations=int(answers.iterations[i]),
            evaluations=int(answers.evaluations[i]),
            restarts=int(answers.restarts[i]),
        )

    @cached_property
    def errors(self) -> Array:
        """(frames, markers) how far each point is from where it should be [m]; NaN: missing."""
        return np.where(
            _counts(self.markers) > 0, self.answers.errors[:, : len(self.places), 0], np.nan
        )

    @cached_property
    def report(self) -> TrackReport:
        """How well it went, over the whole clip."""
        from poise.motion.measuring import track_report

        return track_report(self)


def track(
    source: Clip | Markers,
    *,
    figure: Figure | None = None,
    effectors: Effectors | None = None,
    weights: Mapping[str, float] | None = None,
    goals: Iterable[Goal] = (),
    interval: float | None = None,
    start: Pose | ArrayLike | None = None,
    reference: Clip | None = None,
    lead: float = 0.0,
    acceptable: float = ACCEPTABLE,
    contacts: bool | ContactRule = False,
    cutoff: float | None = None,
    report: Report | None = None,
    **options: Unpack[Options],
) -> Tracked:
    """Let `figure` follow a clip or markers, inside its limits.

    source: a `Clip`, whose `effectors` are followed (hands, feet, head and pelvis if none are
        named), or `Markers`.
    figure: with the limits that count; that of the clip by default.
    effectors: names of sites or segments. A mapping says which place of the figure follows which
        point of the source: {"LeftHand": "left_hand"}, or for a marker at an offset [m] in the
        frame of a site or segment {"LWRA": ("left_hand", (0.0, 0.02, 0.03))}.
    weights: how much the point of each name counts, 1 if not given.
    goals: more goals, the same in all frames, e.g. a `Posture`.
    interval: the time between two solves [s]; every frame if not given.
    start: the pose before the first frame; the clip's first one if it has the same DOFs.
    reference: of all poses that meet the goals choose that near this clip's; without it, that near
        the last frame's.
    lead: how much of the last motion the next start carries on with, from 0 to 1.
    acceptable: a miss [m] up to which no other pose is looked for, since that would be a jump.
    contacts: lock heels and balls where they stand still in the source, a clip.
    cutoff: smooth the clip as a whole: spare freedom that swings faster than this [Hz].
    options: as `Solver` takes them; with `max_velocity` the `dt` is the interval, and `optimality`
        is 4e-3 if not given: frames with a miss end sooner than single solves do.
    """
    body = figure if figure is not None else getattr(source, "figure", None)
    if not isinstance(source, Clip | Markers) or body is None:
        raise MotionError(
            "track follows a Clip, or Markers with figure=; points that are functions of time are"
            " Markers.of_functions"
        )
    clip = _sampled(source, interval) if isinstance(source, Clip) else None
    attached = places(source, body, effectors)
    markers = followed(source, clip, attached, weights or {}, interval)
    found: tuple[Contact, ...] = ()
    if contacts:
        if clip is None or not isinstance(source, Clip):
            raise MotionError("contacts are found in clips; markers have none")
        rule = contacts if isinstance(contacts, ContactRule) else ContactRule()
        markers, feet, found = lock_feet(source, clip, body, markers, attached, rule)
        attached = attached | feet
    options.setdefault("optimality", OPTIMALITY)
    if options.get("max_velocity") is not None:
        options.setdefault("dt", markers.frame_time)
    held = [place.goal(name) for name, place in attached.items()]
    solver = Solver(body, [*held, *goals], **options)
    ratio = _tolerances(acceptable, solver)
    near = None if reference is None else _reference(reference, body, markers)
    counts = _counts(markers)
    answers = solver.solve_sequence(
        markers.points,
        counts,
        start=_first_pose(body, clip) if start is None else start,
        starts=near,
        lead=lead,
        acceptable=ratio,
        report=report,
    )
    if cutoff is not None:
        still = Solver(body, solver.problem.goals, **(options | {"restarts": 0}))
        answers = refine(
            still,
            answers,
            markers.points,
            counts,
            frame_time=markers.frame_time,
            cutoff=cutoff,
            acceptable=ratio,
        )
    return Tracked(
        _clip(body, answers, markers, clip),
        markers,
        tuple(attached.values()),
        answers,
        solver,
        source if isinstance(source, Clip) else None,
        clip,
        found,
    )


def _sampled(clip: Clip, interval: float | None) -> Clip:
    if not len(clip):
        raise MotionError("a clip without frames cannot be followed")
    if interval is None:
        return clip
    count = sample_count(clip.duration, interval)
    times = np.minimum(np.arange(count) * interval, clip.duration)
    return Clip(clip.figure, clip.angles_at(times), interval, clip.name, clip.source)


def _counts(markers: Markers) -> Array:
    """(frames, markers) how much each counts; nothing where it is missing."""
    return np.where(np.isnan(markers.points).any(2), 0.0, markers.factors)


def _tolerances(acceptable: float, solver: Solver) -> float:
    if not acceptable >= 0:
        raise MotionError(f"acceptable={acceptable!r} must be 0 or more [m]")
    return max(1.0, float(acceptable) / solver.problem.tolerance.position)


def _first_pose(figure: Figure, clip: Clip | None) -> Pose:
    """The clip's own first pose where the figure has the same DOFs; otherwise the rest pose."""
    if clip is not None and clip.figure.dof_names == figure.dof_names:
        return Pose(figure, clip.angles[0])
    return figure.rest()


def _reference(clip: Clip, figure: Figure, markers: Markers) -> Array:
    if clip.figure.dof_names != figure.dof_names:
        raise MotionError(
            f"reference is a clip of {clip.figure.name}, not of {figure.name}; give one with the"
            " same DOFs"
        )
    return clip.angles_at(np.arange(len(markers)) * markers.frame_time)


def _clip(figure: Figure, answers: Answers, markers: Markers, source: Clip | None) -> Clip:
    """The answers as a clip; on the source's own skeleton it is written back as that came."""
    same = source is not None and source.figure.dof_names == figure.dof_names
    return Clip(
        figure,
        unwrapped(figure, answers.angles),
        markers.frame_time,
        source.name if source is not None else "",
        source.source if same and source is not None else None,
    )
