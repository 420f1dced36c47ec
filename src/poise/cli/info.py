"""`poise info`: what a figure or a file is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from poise.cli.figures import built_in, is_file, loaded_from
from poise.cli.options import Json, Skeleton, Unit, Up
from poise.cli.output import console, to_json
from poise.errors import OptionError

if TYPE_CHECKING:
    from rich.table import Table

    from poise.figure.figure import Figure
    from poise.figure.joint import Dof
    from poise.formats import Loaded
    from poise.motion import Clip, Source
    from poise.motion.markers import Markers

NAME = "info"
EXAMPLES = """\
Examples:
  poise info human
  poise info walk.bvh
  poise info 87_03.amc --figure 87.asf
  poise info snake:20 --json"""

MOST_ROWS = 400
"""A longer table is cut; `--json` has everything."""
SHOWN = 4
"""So many DOFs outside their limits are named."""
DEEPEST = 12
"""Children further down the tree are indented no more."""


def run(
    name: Annotated[
        str,
        Parameter(
            help="A file (.bvh, .asf, .amc, .glb, .vrm, .urdf, .xml, .c3d, …), or a built-in"
            " figure: human, jack, arm, spider or snake:N (N joints)."
        ),
    ],
    /,
    *,
    figure: Skeleton = None,
    unit: Unit = None,
    up: Up = None,
    json: Json = False,
) -> None:
    """Show a figure or a file: segments, DOFs, limits, sites, frames, units.

    Limits are in degrees or centimetres, in JSON in radians and metres, where
    null is a side without a limit. Positions are those of the rest pose.
    """
    if is_file(name):
        loaded = loaded_from(name, figure=figure, unit=unit, up=up)
        chosen, clip, source = loaded.figure, loaded.clip, loaded.source
        if chosen is None:
            _show_markers(name, loaded, json)
            return
    else:
        chosen, clip, source = built_in(name), None, None
    if json:
        told = {} if source is None else {"source": describe_source(source)}
        told |= {} if clip is None else {"clip": describe_clip(clip)}
        print(to_json(describe(chosen) | told), end="")
        return
    screen = console()
    screen.print(_headline(chosen), style="bold")
    for line in [*_clip_lines(clip), *_source_lines(source)]:
        screen.print(line, markup=False)
    screen.print(_segment_table(chosen))
    screen.print(_site_table(chosen))


def _show_markers(name: str, loaded: Loaded, json: bool) -> None:
    """What a file of markers holds."""
    from poise.motion.markers import Markers

    markers = loaded.value
    if not isinstance(markers, Markers):
        raise OptionError(f"{name} holds neither a figure nor markers to show")
    told = describe_markers(markers)
    if json:
        print(to_json({"markers": told, "source": describe_source(loaded.source)}), end="")
        return
    screen = console()
    screen.print(f"{len(markers.names)} markers", style="bold")
    screen.print(f"{told['frames']} frames, {told['fps']:.6g} fps")
    for line in _source_lines(loaded.source):
        screen.print(line, markup=False)
    for marker, missing in told["missing"].items():
        seen = f", missing in {missing} frames" if missing else ""
        screen.print(f"  {marker}{seen}", markup=False)


def describe_markers(markers: Markers) -> dict[str, Any]:
    """Markers as plain data, with how often each is missing."""
    from math import isnan

    gone = [sum(isnan(x) for x in markers.points[:, i, 0]) for i in range(len(markers.names))]
    return {
        "frames": len(markers),
        "fps": 1.0 / markers.frame_time,
        "missing": dict(zip(markers.names, gone, strict=True)),
    }


def describe(figure: Figure) -> dict[str, Any]:
    """The figure as plain data: radians and metres, positions at rest in the world."""
    rest = figure.rest()
    return {
        "figure": figure.name,
        "up": figure.up,
        "dofs": [
            {
                "name": name,
                "kind": dof.kind,
                "lower": dof.lower,
                "upper": dof.upper,
                "rest": dof.rest,
                "rigidity": dof.rigidity,
            }
            for name, dof in zip(figure.dof_names, figure.dofs, strict=True)
        ],
        "segments": [
            {
                "name": segment.name,
                "parent": segment.parent,
                "joint": segment.joint.kind,
                "dofs": list(segment.dof_names),
            }
            for segment in figure.segments
        ],
        "sites": [
            {
                "name": site.name,
                "segment": site.segment,
                "position": rest.position(site.name).tolist(),
            }
            for site in figure.sites
        ],
    }


def describe_clip(clip: Clip) -> dict[str, Any]:
    """The motion as plain data, with how often each limit of the figure is broken."""
    broken = clip.outside.sum(0)
    return {
        "name": clip.name,
        "frames": len(clip),
        "frame_time": clip.frame_time,
        "fps": clip.fps,
        "duration": clip.duration,
        "frames_outside_limits": int(clip.outside.any(1).sum()),
        "outside_limits": {
            name: int(count)
            for name, count in zip(clip.figure.dof_names, broken, strict=True)
            if count
        },
    }


def describe_source(source: Source) -> dict[str, Any]:
    """What the file says of itself, and what had to be assumed."""
    return {
        "path": source.path,
        "format": source.format,
        "unit": source.unit,
        "frame_time": source.frame_time or None,
        "notes": list(source.notes),
    }


def _clip_lines(clip: Clip | None) -> list[str]:
    if clip is None:
        return []
    told = describe_clip(clip)
    written = f" (Frame Time {clip.source.frame_time})" if clip.source.frame_time else ""
    lines = [
        f"{len(clip)} frames, {clip.fps:.6g} fps{written}, {clip.duration:.3f} s",
    ]
    worst = sorted(told["outside_limits"].items(), key=lambda item: -item[1])
    if worst:
        named = ", ".join(f"{name} in {count}" for name, count in worst[:SHOWN])
        more = f" and {len(worst) - SHOWN} more DOFs" if len(worst) > SHOWN else ""
        lines.append(f"outside its limits in {told['frames_outside_limits']} frames: {named}{more}")
    return lines


def _source_lines(source: Source | None) -> list[str]:
    if source is None:
        return []
    return [f"1 unit of the file = {source.unit:.6g} m", *(f"note: {n}" for n in source.notes)]


def _headline(figure: Figure) -> str:
    bounded = sum(dof.lower > -float("inf") or dof.upper < float("inf") for dof in figure.dofs)
    return (
        f"{figure.name}: {len(figure.dofs)} DOFs ({bounded} limited), {len(figure.segments)}"
        f" segments, {len(figure.sites)} sites, {figure.up} up"
    )


def _segment_table(figure: Figure) -> Table:
    from rich import box
    from rich.table import Table

    table = Table("segment", "joint", "DOF", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("lower", "rest", "upper"):
        table.add_column(column, justify="right")
    depths: dict[str | None, int] = {None: -1}
    for segment in figure.segments:
        depths[segment.name] = depths[segment.parent] + 1
        label = " " * min(depths[segment.name], DEEPEST) + segment.name
        if not segment.joint.dofs:
            table.add_row(label, segment.joint.kind)
        for i, (name, dof) in enumerate(zip(segment.dof_names, segment.joint.dofs, strict=True)):
            start = (label, segment.joint.kind) if i == 0 else ("", "")
            numbers = (_shown(dof, value) for value in (dof.lower, dof.rest, dof.upper))
            table.add_row(*start, name, *numbers)
        if table.row_count >= MOST_ROWS:
            table.add_row(f"… cut at {MOST_ROWS} lines; --json shows all", style="italic")
            break
    return table


def _site_table(figure: Figure) -> Table:
    from rich import box
    from rich.table import Table

    rest = figure.rest()
    table = Table("site", "on segment", box=box.SIMPLE_HEAD, pad_edge=False)
    for axis in "xyz":
        table.add_column(f"{axis} at rest", justify="right")
    for site in figure.sites[:MOST_ROWS]:
        place = (f"{100 * x:.1f} cm" for x in rest.position(site.name))
        table.add_row(site.name, site.segment, *place)
    return table


def _shown(dof: Dof, value: float) -> str:
    from math import degrees, isfinite

    if not isfinite(value):
        return "none"
    return f"{degrees(value):.1f}°" if dof.kind == "rotation" else f"{100 * value:.1f} cm"
