"""Clips to BVH files.

A BVH file knows joints whose frames are those of the world in the zero pose, that turn about the
axes of it. A joint that is so keeps its DOFs: one channel each. Any other (turned rest poses, axes
of its own, rotation vectors, swing and twist) is written by the rotations it makes, as three Euler
angles without jumps, in the order that stays clearest of gimbal lock. Joints that turn have three
different rotations, as Blender wants them, unless the clip came from a BVH file that has others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import OptionError
from poise.figure.figure import Figure
from poise.figure.joint import MotionKind
from poise.figure.segment import Segment
from poise.files import replacing
from poise.formats.guesses import checked_unit
from poise.formats.numbers import lines_of
from poise.motion.clip import Clip
from poise.motion.equivalent import Group
from poise.motion.rotations import euler_angles
from poise.motion.world import segment_frames

Array = NDArray[np.float64]
NEW_UNIT = 0.01
"""Metres per unit of files that do not come from another: centimetres."""
ORDERS = ("ZXY", "ZYX", "XYZ", "YXZ", "XZY", "YZX")
CLEAR_OF_LOCK = np.deg2rad(70.0)
"""The first order whose middle angle stays below is taken."""
SAME = 1e-12


@dataclass
class _Written:
    """A joint as it is written: channels with a column (frames,) each, in file units."""

    offset: Array
    names: list[str]
    columns: list[Array]


def write(clip: Clip, path: Path, *, unit: float | None = None, decimals: int = 6) -> None:
    """Write a clip as BVH. The unit [m] is that of the file it came from, else centimetres."""
    write_blocks([clip], len(clip), path, unit=unit, decimals=decimals)


def write_blocks(
    blocks: Iterable[Clip], frames: int, path: Path, *, unit: float | None = None, decimals: int = 6
) -> None:
    """Write a clip that comes in blocks, of so many frames in all.

    Only clips that came from BVH files may come in several: the channels of others depend on all
    of the motion.
    """
    if not (isinstance(decimals, int) and 0 <= decimals <= 15):
        raise OptionError(f"decimals={decimals!r}: give a whole number from 0 to 15")
    checked_unit(unit)
    with replacing(path) as temporary, temporary.open("wb") as file:
        for i, clip in enumerate(blocks):
            used = unit or (clip.source.unit if clip.source.format else NEW_UNIT)
            writer = _Writer(clip, used, decimals)
            if i == 0:
                file.write(writer.header(frames))
            file.writelines(writer.rows())


class _Writer:
    def __init__(self, clip: Clip, unit: float, decimals: int) -> None:
        self.clip, self.unit, self.decimals = clip, unit, decimals
        self.as_it_came = clip.source.format == "bvh"
        figure = clip.figure
        zero, _ = segment_frames(figure, np.zeros((1, len(figure.dofs))))
        self.zero = zero[0]
        self.rest_rotations, self.rest_origins = segment_frames(figure, figure.rest_angles[None])
        self.first = np.cumsum([0] + [len(s.joint.dofs) for s in figure.segments])
        self._moving: tuple[Array, Array] | None = None
        self.written = [self._segment(s) for s in range(len(figure.segments))]

    def header(self, frames: int) -> bytes:
        lines = ["HIERARCHY", *self._hierarchy(), "MOTION", f"Frames: {frames}"]
        lines.append(f"Frame Time: {self._frame_time()}\n")
        return "\n".join(lines).encode()

    def rows(self) -> Iterator[bytes]:
        columns = [column for written in self.written for column in written.columns]
        rows = np.column_stack(columns) if columns else np.zeros((len(self.clip), 0))
        return lines_of(rows, self.decimals)

    def _frame_time(self) -> str:
        written, seconds = self.clip.source.frame_time, self.clip.frame_time
        if written and float(written) == seconds:
            return written
        short = f"{seconds:.8g}"
        return short if float(short) == seconds else repr(seconds)

    # -- the hierarchy -------------------------------------------------------------------------

    def _hierarchy(self) -> list[str]:
        figure, lines = self.clip.figure, []
        names, open_joints = _bvh_names(figure), []
        for s, segment in enumerate(figure.segments):
            while open_joints and open_joints[-1] != figure.parents[s]:
                open_joints.pop()
                lines.append("\t" * len(open_joints) + "}")
            indent = "\t" * len(open_joints)
            made = self.written[s]
            lines.append(f"{indent}{'JOINT' if open_joints else 'ROOT'} {names[s]}")
            lines.append(indent + "{")
            lines.append(f"{indent}\tOFFSET {self._vector(made.offset)}")
            lines.append(f"{indent}\tCHANNELS {' '.join([str(len(made.names)), *made.names])}")
            for end in self._ends(segment):
                lines += [f"{indent}\tEnd Site", f"{indent}\t{{"]
                lines += [f"{indent}\t\tOFFSET {self._vector(end)}", f"{indent}\t}}"]
            open_joints.append(s)
        lines += ["\t" * depth + "}" for depth in reversed(range(len(open_joints)))]
        return lines

    def _ends(self, segment: Segment) -> list[Array]:
        """Offsets of the End Sites [m]: as they came, or for a leaf its farthest site."""
        figure = self.clip.figure
        s = figure.segment_index(segment.name)
        turn = self.zero[s]
        sites = [site for site in figure.sites if site.segment == segment.name]
        places = [turn @ (np.asarray(segment.after_offset) + np.asarray(x.offset)) for x in sites]
        named = [p for x, p in zip(sites, places, strict=True)
                 if x.name.startswith(f"{segment.name}_End")]  # fmt: skip
        is_leaf = s not in figure.parents
        if self.as_it_came or not is_leaf:
            return named if self.as_it_came else []
        if named or not places:
            return named[:1] or [np.zeros(3)]
        return [max(places, key=lambda place: float(np.linalg.norm(place)))]

    def _vector(self, metres: Array) -> str:
        return " ".join(self._number(x) for x in (metres / self.unit + 0.0).tolist())

    def _number(self, value: float) -> str:
        """At least as many decimals as the motion has, and more where they are not zero."""
        long = f"{value:.9f}".rstrip("0")
        return max(long, f"{value:.{self.decimals}f}", key=len)

    # -- the channels --------------------------------------------------------------------------

    def _segment(self, s: int) -> _Written:
        segment = self.clip.figure.segments[s]
        base = self._base(s)
        if self._is_plain(s):
            return self._plain(s, segment, base)
        return self._decomposed(s, segment, base)

    def _base(self, s: int) -> Array:
        """Where the joint is at zero, in the frame that its parent has in the file [m]."""
        figure, segment = self.clip.figure, self.clip.figure.segments[s]
        parent = figure.parents[s]
        if parent < 0:
            return np.array(segment.offset)
        within = np.asarray(figure.segments[parent].after_offset) + np.asarray(segment.offset)
        return self.zero[parent] @ within

    def _is_plain(self, s: int) -> bool:
        """Whether the joint slides along and then turns about axes of the world at zero."""
        figure, segment = self.clip.figure, self.clip.figure.segments[s]
        parent = figure.parents[s]
        turned = [segment.rotation, segment.joint.frame, segment.after_rotation]
        turned += [self.zero[parent]] if parent >= 0 else []
        if any(np.abs(np.asarray(m) - np.eye(3)).max() > SAME for m in turned):
            return False
        kinds = [motion.kind for motion in segment.joint.motions]
        slides = [kind for kind in kinds if kind.is_translation]
        turns = kinds[len(slides) :]
        return (
            all(kind < MotionKind.ROTATION_VECTOR for kind in kinds)
            and kinds[: len(slides)] == slides
            and len(set(slides)) == len(slides)
            and (self.as_it_came or len(set(turns)) == len(turns))
        )

    def _plain(self, s: int, segment: Segment, base: Array) -> _Written:
        dofs = slice(self.first[s], self.first[s + 1])
        rest = self.clip.figure.rest_angles[dofs]
        adds = bool(self.clip.source.details.get("positions_add")) and segment.parent is not None
        offset, columns, names = np.array(base), [], []
        for d, motion in enumerate(segment.joint.motions):
            at = dofs.start + d
            axis, sign = motion.kind % 3, -1.0 if motion.reversed else 1.0
            if motion.kind.is_translation:
                origin = 0.0 if adds else float(base[axis])
                if not adds:
                    offset[axis] += sign * rest[d]
                columns.append(self._inside(at, sign / self.unit, origin / self.unit))
            else:
                columns.append(self._inside(at, sign * 180.0 / np.pi, 0.0))
            names.append(f"{'XYZ'[axis]}{'position' if motion.kind.is_translation else 'rotation'}")
        if not self.as_it_came:
            self._pad(names, columns)
        return _Written(offset, *_as_it_came(self.clip, segment.name, names, columns))

    def _pad(self, names: list[str], columns: list[Array]) -> None:
        """Rotations that are always 0 after one or two others: Blender reads three or none."""
        missing = [f"{axis}rotation" for axis in "XYZ" if f"{axis}rotation" not in names]
        if len(missing) < 3:
            names += missing
            columns += [np.zeros(len(self.clip))] * len(missing)

    def _inside(self, dof: int, scale: float, origin: float) -> Array:
        """A DOF in file units, rounded to the decimals of the file, away from its limits.

        What the limits hold for still holds when the rounded number is read again.
        """
        figure, values = self.clip.figure, self.clip.angles[:, dof]
        lower, upper = figure.lower[dof], figure.upper[dof]
        rounded = np.asarray(np.round(values * scale + origin, self.decimals), np.float64)
        step = math.copysign(10.0**-self.decimals, scale)
        for _ in range(2):  # the second time for what rounding the first one left
            back = self._read_back(figure, dof, rounded, scale, origin)
            rounded = np.where((back > upper) & (values <= upper), rounded - step, rounded)
            rounded = np.where((back < lower) & (values >= lower), rounded + step, rounded)
            rounded = np.asarray(np.round(rounded, self.decimals), np.float64)
        return rounded

    def _read_back(
        self, figure: Figure, dof: int, written: Array, scale: float, origin: float
    ) -> Array:
        """The value [rad or m] that a reader makes of a number, rounded as the reader rounds."""
        if figure.dofs[dof].kind == "rotation":
            return math.copysign(1.0, scale) * written * (math.pi / 180.0)
        return math.copysign(1.0, scale) * (written - origin) * self.unit

    def _decomposed(self, s: int, segment: Segment, base: Array) -> _Written:
        """The joint by what it does: its origin and its turns relative to the parent."""
        figure = self.clip.figure
        rotations, origins = self._moving or segment_frames(figure, self.clip.angles)
        self._moving = rotations, origins
        names: list[str] = []
        columns: list[Array] = []
        offset = base
        kinds = [motion.kind for motion in segment.joint.motions]
        if any(kind.is_translation for kind in kinds):
            names += [f"{axis}position" for axis in "XYZ"]
            columns += list(self._pivot(s, rotations, origins).T / self.unit)
            offset = self._pivot(s, self.rest_rotations, self.rest_origins)[0]
        if any(not kind.is_translation for kind in kinds):
            order, angles = self._euler(s, rotations)
            names += [f"{axis}rotation" for axis in order]
            columns += list(np.degrees(angles).T)
        return _Written(offset, *_as_it_came(self.clip, segment.name, names, columns))

    def _pivot(self, s: int, rotations: Array, origins: Array) -> Array:
        """(frames, 3) where the joint is, in the frame that its parent has in the file [m]."""
        figure = self.clip.figure
        places = origins[:, s] - rotations[:, s] @ np.asarray(figure.segments[s].after_offset)
        parent = figure.parents[s]
        if parent < 0:
            return places
        above = rotations[:, parent] @ np.asarray(figure.segments[parent].after_offset)
        apart = places - (origins[:, parent] - above)
        return np.einsum("fji,fj->fi", rotations[:, parent], apart) @ self.zero[parent].T

    def _euler(self, s: int, rotations: Array) -> tuple[str, Array]:
        """The order, and the angles (frames, 3) [rad] without jumps."""
        parent = self.clip.figure.parents[s]
        local = rotations[:, s] @ self.zero[s].T
        if parent >= 0:
            above = rotations[:, parent] @ self.zero[parent].T
            local = np.swapaxes(above, 1, 2) @ local
        candidates = {order: euler_angles(order, local) for order in ORDERS}
        highest = {o: np.abs(a[:, 1]).max(initial=0.0) for o, a in candidates.items()}
        clear = [order for order in ORDERS if highest[order] < CLEAR_OF_LOCK]
        order = clear[0] if clear else min(ORDERS, key=lambda o: highest[o])
        return order, Group("euler", slice(0, 3)).unwrapped(candidates[order])


def _as_it_came(
    clip: Clip, segment: str, names: list[str], columns: list[Array]
) -> tuple[list[str], list[Array]]:
    """The channels in the order of the file that the clip came from, if they are the same."""
    known = clip.source.details.get("channels")
    wanted = list(known.get(segment, ())) if isinstance(known, Mapping) else []
    turns = [n for n in names if n.endswith("rotation")]
    if sorted(wanted) != sorted(names) or [w for w in wanted if w in turns] != turns:
        return names, columns
    places: list[int] = []
    for channel in wanted:  # a channel may be there twice, e.g. of ZYZ
        places.append(next(i for i, n in enumerate(names) if n == channel and i not in places))
    return wanted, [columns[i] for i in places]


def _bvh_names(figure: Figure) -> list[str]:
    """Names that a BVH file can hold: braces and line ends would end them."""
    table = str.maketrans({"{": "(", "}": ")", "\n": " ", "\r": " "})
    return [name.translate(table).strip() or "joint" for name in figure.segment_names]
