"""What `poise track` does with a file of markers: whose body follows them, and where they sit."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from poise.cli.clips import check_out, prepared
from poise.cli.figures import figure_named, is_file, loaded_from, print_notes
from poise.cli.options import Axis, named_numbers
from poise.errors import OptionError, unknown_name

if TYPE_CHECKING:
    from poise.figure.figure import Figure
    from poise.motion.clip import Clip
    from poise.motion.marker_map import MarkerMap
    from poise.motion.markers import Markers
    from poise.motion.track import Tracked

MARKERS = Group("Markers")
FAR = 0.02
"""Markers that are off by more than this [m] on average are not followed,"""
STRAY = 0.03
"""nor are they if in more than half of the frames one is off by more than this [m]."""


@dataclass(frozen=True)
class MarkerOptions:
    """Options that only marker files have."""

    markers: Annotated[
        Path | None, Parameter(help="Where each marker sits (.json); by its name if not given.")
    ] = None
    save_markers: Annotated[
        Path | None, Parameter(help="Write where each marker sits, as calibrated (.json).")
    ] = None
    static: Annotated[
        str | None,
        Parameter(
            help="A trial of the same subject standing still: markers are calibrated on it. If not"
            " given on the trial itself, unless --markers has all offsets."
        ),
    ] = None
    scale: Annotated[
        bool, Parameter(help="Fit the size of the figure to the subject.", negative="--no-scale")
    ] = True
    weights: Annotated[
        list[str] | None,
        Parameter(
            help="How much markers count: NAME=NUMBER; 0: not at all.",
            negative="",
            consume_multiple=True,
        ),
    ] = None
    up: Annotated[
        Axis | None,
        Parameter(help="The axis of the file that is up; guessed if not given."),
    ] = None


@dataclass(frozen=True)
class Task:
    """What is tracked."""

    source: Clip | Markers
    figure: Figure
    effectors: Any
    weights: dict[str, float] | None
    start: Any
    notes: list[str] = field(default_factory=list)
    told: dict[str, Any] = field(default_factory=dict)
    """For JSON."""
    markers: bool = False
    remedy: str = ""
    """What may help where they are not followed closely."""
    exchanged: bool = False
    """Whether names of markers look exchanged."""

    def faults(self, tracked: Tracked) -> list[str] | None:
        """Why it was not followed closely enough, and what to do; None if it was."""
        if not self.markers:
            return None if tracked.report.frames_off == 0 else []
        import numpy as np

        stray = int((np.nan_to_num(tracked.errors).max(1) > STRAY).sum())
        told = []
        if 2 * stray > len(tracked):
            told.append(
                f"a marker is off by more than {100 * STRAY:g} cm in {stray} of"
                f" {len(tracked)} frames"
            )
        if not told and not self.exchanged and tracked.report.mean_error <= FAR:
            return None
        return [*told, self.remedy] if self.remedy else told


def is_markers(name: str) -> bool:
    """Whether a file holds markers, by its suffix."""
    return is_file(name) and Path(name).suffix.lower() in (".c3d", ".trc")


def marker_task(
    name: str,
    figure: str | None,
    unit: float | None,
    chosen: list[str] | None,
    limits: str | None,
    options: MarkerOptions,
) -> Task:
    """Read markers, find out where they sit, and who follows them."""
    from poise.figure.scaling import scaled
    from poise.motion.calibration import calibrate, start_pose
    from poise.motion.marker_map import MarkerMap

    check_out(options.save_markers, [".json"])
    weights = named_numbers("--weights", options.weights, "LTHI=0.2")
    given = None if options.markers is None else MarkerMap.load(options.markers)
    body = _limited(figure_named(figure or "human"), limits)
    trial, was_up = _markers(name, unit, options.up, body)
    if given is None:
        given = MarkerMap.guessed(trial.names, body)
    mapping = given.checked(body, trial.names).with_weights(weights)
    mapping = _only(mapping, chosen)
    notes = [f"the up axis of the markers is taken as {was_up}; --up says otherwise"]
    notes = notes if was_up != body.up and options.up is None else []
    prepared()
    known = options.markers is None or all(place.sure for place in mapping.places.values())
    calibrated = options.static is not None or options.markers is None or not known
    exchanged = False
    if calibrated:
        still = trial
        if options.static is not None:
            still, _ = _markers(options.static, unit, options.up or was_up, body)
        found = calibrate(still, body, mapping, scale=options.scale)
        body, mapping, exchanged = found.figure, found.mapping, bool(found.exchanged)
        worst = max(found.errors, key=lambda n: found.errors[n])
        notes.append(
            f"calibrated on {options.static or name}: {len(found.errors)} markers, the subject"
            f" {mapping.scale:.3f} times as large as {body.name}; worst left {worst},"
            f" {1000 * found.errors[worst]:.1f} mm"
        )
    else:
        body = scaled(body, mapping.scale)
    notes += mapping.doubts
    if options.save_markers is not None:
        mapping.save(options.save_markers)
        notes.append(f"written: {options.save_markers}")
    start = start_pose(body, mapping, trial)
    told = {"limits": limits or "file", "map": mapping.document()}
    return Task(
        trial,
        body,
        mapping.effectors,
        mapping.weights,
        start,
        notes,
        told,
        markers=True,
        remedy=_remedy(calibrated, known, options.static),
        exchanged=exchanged,
    )


def _markers(name: str, unit: float | None, up: str | None, body: Figure) -> tuple[Markers, str]:
    """The markers of a file, in the axes of the figure, and which axis was up."""
    from poise.motion.markers import Markers

    if not is_markers(name):
        raise OptionError(f"{name!r} is not a file of markers; give a .c3d or .trc file")
    loaded = loaded_from(name, unit=unit)
    print_notes(name, loaded.source.notes)
    assert isinstance(loaded.value, Markers)
    return loaded.value.with_up(body.up, up)


def _limited(figure: Figure, limits: str | None) -> Figure:
    from poise.motion.limit_choice import with_human_limits, without_limits

    if limits in (None, "file"):
        return figure
    if limits == "none":
        return without_limits(figure)
    if limits == "human":
        return with_human_limits(figure)
    raise OptionError(f"--limits {limits!r} does not go with markers; give file, human or none")


def _remedy(calibrated: bool, known: bool, static: str | None) -> str:
    if not calibrated:
        return (
            "the map was taken as it is, nothing was calibrated: --static with a trial (this one"
            " will do) finds where the markers sit and how large the subject is"
        )
    if static is not None and not known:
        return (
            f"motion tells offsets that the map does not know better than {static}, if the subject"
            " stands still there: try without --static"
        )
    return ""


def _only(mapping: MarkerMap, chosen: list[str] | None) -> MarkerMap:
    """The map with only the chosen markers, if any are."""
    if chosen is None:
        return mapping
    for name in chosen:
        if name not in mapping.places:
            raise OptionError(unknown_name("marker", name, mapping.places))
    return mapping.with_weights({name: 0.0 for name in mapping.places if name not in chosen})
