"""`poise walk`: a figure walks over a ground, along a path, into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from poise.cli.clips import check_out, kept_character, prepared
from poise.cli.figures import target_named
from poise.cli.options import POSITIVE, Json, Out
from poise.cli.output import console, to_json
from poise.cli.progress import working
from poise.errors import OptionError

if TYPE_CHECKING:
    from poise.motion import Clip
    from poise.walk.crawler import Crawler
    from poise.walk.walker import Walker

NAME = "walk"
EXAMPLES = """\
Examples:
  poise walk --out walk.bvh
  poise walk --terrain stairs --speed 1.0 --out stairs.glb
  poise walk --terrain hills:7 --path 0,0 0,5 4,9 --out hills.bvh
  poise walk --terrain heights.png --figure character.bvh --out walk.bvh
  poise walk --terrain hall.obj --path 0,-2 0,8 --out hall.bvh
  poise walk --manner limp --speed 1.1 --out limp.bvh
  poise walk --figure spider --terrain hills --speed 0.8 --out spider.bvh
  poise walk --stride paper --jacobian half --out movingik.bvh"""


def run(
    *,
    terrain: Annotated[
        str,
        Parameter(help="flat, hills, hills:SEED, stairs, ramp, or a file of heights or a mesh."),
    ] = "flat",
    up: Annotated[Literal["Y", "Z"], Parameter(help="The axis of a mesh that points up.")] = "Y",
    path: Annotated[
        list[str] | None,
        Parameter(help="Points X,Z in metres to walk along; 10 m ahead.", consume_multiple=True),
    ] = None,
    speed: Annotated[float, Parameter(help="Metres a second.", validator=POSITIVE)] = 1.3,
    stride: Annotated[
        Literal["natural", "paper"], Parameter(help="How it walks: as people do, or as MovingIK.")
    ] = "natural",
    jacobian: Annotated[
        Literal["half", "full", "hybrid"] | None,
        Parameter(help="Solve the legs in one of MovingIK's modes."),
    ] = None,
    manner: Annotated[
        Literal["limp", "stiff-knee", "load", "old"] | None,
        Parameter(help="With a limp, a stiff knee, a heavy load, or as old people do."),
    ] = None,
    figure: Annotated[
        str,
        Parameter(help="human, jack, spider, or a file with a skeleton or robot that has legs."),
    ] = "human",
    seconds: Annotated[
        float | None, Parameter(help="So long; to the path's end if not given.", validator=POSITIVE)
    ] = None,
    fps: Annotated[float, Parameter(help="Frames a second.", validator=POSITIVE)] = 60.0,
    out: Out = None,
    json: Json = False,
) -> None:
    """Let a figure walk over a ground and write the motion.

    The ground lies under the figure with z ahead of it and x to its left.
    Where it cannot go on, before a cliff or a wall, it stops and says so.
    """
    check_out(out)
    from poise.walk.crawler import walker_of
    from poise.walk.following import Route, clip_of, follow
    from poise.walk.terrain_named import terrain_named

    ground = terrain_named(terrain, up=up)
    route = Route(_points(path))
    body = target_named(figure)
    prepared()
    with working(f"Walking over {ground.name}"):
        walker = walker_of(
            body, ground, stride=stride, jacobian=jacobian, manner=manner, start=route.start
        )
        states = list(follow(walker, route, speed=speed, fps=fps, seconds=seconds))
        clip = clip_of(walker, states, fps)
        if out is not None:
            from poise.formats import save

            save(clip, out, **kept_character(figure, out))
    document = _document(walker, clip, out, states[-1].stopped)
    if json:
        print(to_json(document), end="")
        return
    _tell(document)


def _points(path: list[str] | None) -> list[tuple[float, float]]:
    """What `--path` says; from the origin where it has one point alone."""
    points = []
    for text in path or ["0,10"]:
        try:
            x, z = (float(part) for part in text.split(","))
        except ValueError:
            raise OptionError(f"--path {text!r} is not X,Z; write for example 0,5") from None
        points.append((x, z))
    return points if len(points) > 1 else [(0.0, 0.0), *points]


def _document(
    walker: Walker | Crawler, clip: Clip, out: Path | None, stopped: str | None
) -> dict[str, Any]:
    place = walker.gait.place
    return {
        "figure": walker.figure.name,
        "terrain": walker.terrain.name,
        "frames": len(clip),
        "fps": clip.fps,
        "seconds": len(clip) * clip.frame_time,
        "end": [place.x, place.z],
        "stopped": stopped,
        "written": None if out is None else str(out),
    }


def _tell(document: dict[str, Any]) -> None:
    screen = console()
    x, z = document["end"]
    screen.print(
        f"{document['figure']} walked {document['seconds']:.1f} s on {document['terrain']}"
        f" to ({x:.2f}, {z:.2f})",
        soft_wrap=True,
    )
    if document["stopped"]:
        screen.print(f"stopped: {document['stopped']}", soft_wrap=True)
    if document["written"]:
        screen.print(
            f"written: {document['written']} ({document['frames']} frames)", soft_wrap=True
        )
