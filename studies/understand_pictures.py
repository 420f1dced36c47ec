"""Draw docs/images/understand/*.png: a problem seen whole, potentials, and what limits allow.

    python studies/understand_pictures.py [NAME ...]

Every curve and every point is computed by Poise itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Page

import poise
from poise import joint

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images" / "understand"
GREEN, RED, BLUE, ORANGE, GREY, INK = "#0b7a6f", "#c8321e", "#3b6fb5", "#d98a2b", "#9aa3ad", "#333"


def page(columns: int, rows: int, width: float, height: float, **options):
    made = Page(figsize=(width, height), dpi=100, layout="constrained")
    FigureCanvasAgg(made)
    return made, made.subplots(rows, columns, squeeze=False, **options)


# -- a problem that can be seen whole ----------------------------------------------------------


def two_links(limited: bool = True) -> poise.Figure:
    """A planar arm of two links of 1 m."""
    limits = (np.radians(-20), np.radians(130)), (np.radians(-150), np.radians(-15))
    ranges = limits if limited else ((-np.inf, np.inf),) * 2
    segments = [
        poise.Segment("base", None),
        poise.Segment("upper", "base", joint.revolute("Z", ranges[0], rest=0.0)),
        poise.Segment("lower", "upper", joint.revolute("Z", ranges[1], rest=-0.3), (1.0, 0.0, 0.0)),
    ]
    return poise.Figure("two links", segments, [poise.Site("tip", "lower", (1.0, 0.0, 0.0))])


def descent():
    """f over both angles, the box of the limits, and the ways of three methods."""
    figure, goal = two_links(), poise.Position("tip", (0.55, 1.05, 0.0))
    open_ended = poise.Solver(two_links(limited=False), goal, max_iterations=0)
    first, second = np.radians(np.linspace(-60, 170, 116)), np.radians(np.linspace(-190, 60, 126))
    values = [[open_ended.solve(start=[a, b]).value for a in first] for b in second]
    made, ((axes,),) = page(1, 1, 6.4, 4.8)
    levels = np.linspace(0.0, np.sqrt(np.max(values)), 22)
    grid = np.degrees(first), np.degrees(second)
    axes.contourf(*grid, np.sqrt(values), levels=levels, cmap="Greys", alpha=0.75)
    low, high = np.degrees(figure.lower), np.degrees(figure.upper)
    edge = [low[0], high[0], high[0], low[0], low[0]], [low[1], low[1], high[1], high[1], low[1]]
    axes.plot(*edge, color=ORANGE, lw=2, label="limits")
    start = np.radians([-10, -20])
    for method, color in (("jacobian-transpose", RED), ("projected-gradient", BLUE),
                          ("auto", GREEN)):  # fmt: skip
        found = poise.solve(figure, goal, start=start, method=method, trace=True)
        way = np.degrees([point.angles for point in found.trace] + [found.angles])
        label = f"{method}: {found.iterations} steps"
        axes.plot(*way.T, "o-", ms=3.5, lw=1.4, color=color, label=label)
    axes.set_xlabel("shoulder [°]")
    axes.set_ylabel("elbow [°]")
    made.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=2)
    return made


# -- potentials --------------------------------------------------------------------------------


def probe() -> poise.Figure:
    """A body that floats: where it is and how it is turned is all there is."""
    free = joint.channels("YZX", "XYZ")
    box = poise.Segment("box", "post", free, mass=1.0, center=(0.0, 0.0, 0.0))
    return poise.Figure("probe", [poise.Segment("post", None), box], [poise.Site("tip", "box")])


def potentials():
    """P of every kind of goal, as the body slides along x or turns about y."""
    figure = probe()
    slides, turns = np.linspace(-0.3, 0.3, 121), np.radians(np.linspace(-180, 180, 121))
    cases = [
        ("Position", poise.Position("tip", (0.1, 0, 0)), "slide"),
        ("Line, along y", poise.Line("tip", (0.1, 0, 0), (0, 1, 0)), "slide"),
        ("Plane", poise.Plane("tip", (0.1, 0, 0), (1, 0, 0)), "slide"),
        ("HalfSpace", poise.HalfSpace("tip", (0.1, 0, 0), (1, 0, 0)), "slide"),
        ("AnyOf two places", poise.AnyOf(poise.Position("tip", (-0.15, 0, 0)),
                                         poise.Position("tip", (0.15, 0, 0))), "slide"),
        ("Distance, exactly", poise.Distance("tip", "post", exactly=0.15), "slide"),
        ("Distance, at least", poise.Distance("tip", "post", at_least=0.15), "slide"),
        ("Relative, to a post", poise.Relative("tip", "post", (0.1, 0, 0)), "slide"),
        ("CenterOfMass, inside", poise.CenterOfMass(
            over=[(-0.1, 0, -0.1), (0.1, 0, -0.1), (0.1, 0, 0.1), (-0.1, 0, 0.1)]), "slide"),
        ("Posture", poise.Posture(figure.rest(), weights={"box_tx": 1.0}), "slide"),
        ("Orientation, x and y", poise.Orientation("tip", x=(1, 0, 0), y=(0, 1, 0)), "turn"),
        ("Orientation, x alone", poise.Orientation("tip", x=(1, 0, 0)), "turn"),
        ("Pose6D, in place", poise.Pose6D("tip", (0, 0, 0), np.eye(3)), "turn"),
        ("Aim, 1 m ahead", poise.Aim("tip", (0, 0, 1)), "turn"),
        ("Custom: |x|³", None, "slide"),
    ]  # fmt: skip
    made, grid = page(5, 3, 10.4, 5.6)
    names = figure.dof_names
    for axes, (title, goal, move) in zip(grid.ravel(), cases, strict=True):
        column = names.index("box_tx" if move == "slide" else "box_ry")
        given = goal or poise.Custom(cubed(column), name="cubed")
        solver = poise.Solver(figure, given, max_iterations=0)
        values = []
        for x in slides if move == "slide" else turns:
            angles = np.zeros(len(names))
            angles[column] = x
            values.append(solver.solve(start=angles).value)
        across = slides if move == "slide" else np.degrees(turns)
        axes.plot(across, values, color=GREEN if move == "slide" else BLUE, lw=2)
        axes.set_title(title, fontsize=9, color=INK)
        axes.set_xlabel("x [m]" if move == "slide" else "turned by [°]", fontsize=8)
        axes.tick_params(labelsize=7)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#eceef1", lw=0.8)
        if move == "turn":
            axes.set_xticks([-180, -90, 0, 90, 180])
    return made


def cubed(column: int):
    def value(pose: poise.Pose):
        x, gradient = pose.angles[column], np.zeros(len(pose.angles))
        gradient[column] = 3.0 * x * abs(x)
        return abs(x) ** 3, gradient

    return value


# -- limits ------------------------------------------------------------------------------------


def limb(kind: poise.joint.Joint) -> poise.Figure:
    """A rod of 1 m that hangs on a joint."""
    rod = poise.Segment("rod", "base", kind)
    tip = poise.Site("tip", "rod", (0.0, 0.0, 1.0))
    return poise.Figure("limb", [poise.Segment("base", None), rod], [tip])


def wide(figure: poise.Figure, names: tuple[str, str], corners) -> poise.Figure:
    return figure.with_relations(poise.PolygonLimit("polygon", names, np.radians(corners)))


def tips(figure: poise.Figure, spread: float = 1.3) -> np.ndarray:
    """(n, 3) where the tip may be: the ends of random poses, each put inside the limits."""
    rng = np.random.default_rng(5)
    low = np.where(np.isfinite(figure.lower), figure.lower, -np.pi)
    high = np.where(np.isfinite(figure.upper), figure.upper, np.pi)
    middle, half = 0.5 * (low + high), 0.5 * spread * (high - low)
    poses = (figure.pose(a) for a in rng.uniform(middle - half, middle + half, (2500, len(low))))
    return np.array([pose.clamped().position("tip") for pose in poses])


def limits():
    """Where the tip of a rod may be, by the kind of joint and limit."""
    degrees = np.radians
    boxed = limb(joint.ball("XYZ", [degrees((-60, 40)), degrees((-30, 70)), (0.0, 0.0)]))
    cases = [
        ("revolute, -80° to 30°", limb(joint.revolute("X", degrees((-80, 30))))),
        ("universal, a box in two angles",
         limb(joint.universal("XY", [degrees((-50, 50)), degrees((-25, 25))]))),
        ("ball, a box in Euler angles", boxed),
        ("swing–twist, a cone of 45°", limb(joint.swing_twist(degrees(45), (0.0, 0.0), "Z"))),
        ("polygon over two angles", wide(boxed, ("rod_rx", "rod_ry"),
         [(-60, -30), (0, -30), (40, 20), (40, 70), (-20, 70)])),
        ("linear: x + y at most 30°", boxed.with_relations(
            poise.LinearLimit("sum", {"rod_rx": 1.0, "rod_ry": 1.0}, upper=degrees(30)))),
        ("joint group: both from one angle", boxed.with_relations(
            poise.JointGroup("one", {"rod_rx": -1.0, "rod_ry": 1.0}))),
        ("prismatic, -50 to 0 cm", limb(joint.prismatic("Z", (-0.5, 0.0)))),
    ]  # fmt: skip
    made, grid = page(4, 2, 9.6, 5.8, subplot_kw={"projection": "3d"})
    for axes, (title, figure) in zip(grid.ravel(), cases, strict=True):
        globe(axes)
        x, y, z = tips(figure).T
        axes.scatter(x, z, y, s=3.0, color=GREEN, alpha=0.6, lw=0)
        end = figure.rest().clamped().position("tip")
        axes.plot([0, end[0]], [0, end[2]], [0, end[1]], color=INK, lw=3)
        axes.set_title(title, fontsize=9, color=INK)
    return made


def globe(axes) -> None:
    """Half a sphere of radius 1 m, for the eye."""
    around, down = np.meshgrid(np.linspace(0, np.pi, 19), np.linspace(0, np.pi, 13))
    x, y, z = np.sin(down) * np.cos(around), np.sin(down) * np.sin(around), np.cos(down)
    axes.plot_wireframe(x, y, z, color="#dfe3e8", lw=0.5)
    axes.set_box_aspect((2, 1, 2), zoom=1.2)
    axes.set(xlim=(-1, 1), ylim=(0, 1), zlim=(-1, 1))
    axes.set_axis_off()
    axes.view_init(18, 62)


PICTURES = {"descent": descent, "potentials": potentials, "limits": limits}


def main(names: list[str]) -> int:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        PICTURES[name]().savefig(IMAGES / f"{name}.png", pil_kwargs={"optimize": True})
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
