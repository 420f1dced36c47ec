"""The Clip: frames on a figure.

The contract. A clip is a value: `figure`, `angles` (frames, dofs) [rad or m, in the order of
`figure.dof_names`, read-only and finite], `frame_time` [s] and a `name`; a change makes a new
clip. Frames count from 0, and frame i is at `times[i] = i * frame_time`. Angles may lie outside
the limits of the figure (captured motion does); nothing here clamps them, and `is_inside_limits`
tells. Angles need not be continuous either: `unwrapped()` takes out full turns and flips. A clip
may have no frames. `source` says what file it came from and what is needed to write it back;
every changed copy keeps it. Whoever makes a clip on another figure gives a new one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import MotionError
from poise.figure.arrays import float_array
from poise.figure.figure import Figure
from poise.figure.pose import Pose
from poise.figure.segment import Site
from poise.motion.source import Source
from poise.motion.world import site_frames, site_positions

if TYPE_CHECKING:
    from poise.motion.blending import Weight
    from poise.motion.root import RootMotion

Array = NDArray[np.float64]
Interpolation = Literal["linear", "cubic"]


class Clip:
    """Frames on a figure, evenly spaced in time. See the contract in this module's docstring."""

    def __init__(
        self,
        figure: Figure,
        angles: ArrayLike,
        frame_time: float = 1.0 / 30.0,
        name: str = "",
        source: Source | None = None,
    ) -> None:
        values = float_array(angles)
        if values.shape == (0,) and np.shape(angles) == (0,):
            values = float_array(np.empty((0, len(figure.dofs))))
        if values.ndim != 2 or values.shape[1] != len(figure.dofs):
            raise MotionError(
                f"a clip of {figure.name} needs angles of shape (frames, {len(figure.dofs)}),"
                f" not {values.shape}"
            )
        if not np.isfinite(values).all():
            frame, dof = np.argwhere(~np.isfinite(values))[0]
            raise MotionError(
                f"DOF {figure.dof_names[dof]!r} in frame {frame} of the clip is not finite;"
                " give a number [rad or m]"
            )
        if not (np.isfinite(frame_time) and frame_time > 0.0):
            raise MotionError(f"frame time {frame_time!r} of a clip must be seconds above 0")
        self.figure = figure
        self.angles = values
        self.frame_time = float(frame_time)
        self.name = name
        self.source = source or Source()

    def __repr__(self) -> str:
        title = f" {self.name!r}" if self.name else ""
        return f"<Clip{title} of {self.figure.name}: {len(self)} frames at {self.fps:.4g} fps>"

    # -- frames and time -----------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.angles)

    @overload
    def __getitem__(self, frame: int) -> Pose: ...
    @overload
    def __getitem__(self, frame: slice) -> Clip: ...
    def __getitem__(self, frame: int | slice) -> Pose | Clip:
        """The pose of a frame, or a clip of some frames; a step of 2 doubles the frame time."""
        if isinstance(frame, slice):
            step = 1 if frame.step is None else operator.index(frame.step)
            if step < 1:
                raise MotionError(
                    f"clip[a:b:{step}] runs backwards; use a step of at least 1, or reversed()"
                )
            return self._with(angles=self.angles[frame], frame_time=step * self.frame_time)
        index = operator.index(frame)
        if not -len(self) <= index < len(self):
            raise IndexError(f"frame {index} of a clip of {len(self)} frames")
        return Pose(self.figure, self.angles[index])

    def __iter__(self) -> Iterator[Pose]:
        return (self[i] for i in range(len(self)))

    @property
    def fps(self) -> float:
        """Frames a second."""
        return 1.0 / self.frame_time

    @property
    def times(self) -> Array:
        """(frames,) the time of every frame [s], from 0."""
        return self.frame_time * np.arange(len(self), dtype=float)

    @property
    def duration(self) -> float:
        """From the first frame to the last [s]."""
        return max(len(self) - 1, 0) * self.frame_time

    def reversed(self) -> Clip:
        """The last frame first."""
        return self._with(angles=self.angles[::-1])

    def _with(self, **changes: Any) -> Clip:
        fields = ("figure", "angles", "frame_time", "name", "source")
        return Clip(**{field: getattr(self, field) for field in fields} | changes)

    # -- where everything is -------------------------------------------------------------------

    def positions(self, names: Iterable[str] | None = None) -> Array:
        """(frames, names, 3) world positions [m] of sites or segments.

        Without names: of all of `figure.effector_names`, in that order.
        """
        return site_positions(self.figure, self.angles, self._sites(names))

    def rotations(self, names: Iterable[str] | None = None) -> Array:
        """(frames, names, 3, 3) world rotations of sites or segments."""
        return site_frames(self.figure, self.angles, self._sites(names))[0]

    def position(self, name: str) -> Array:
        """(frames, 3) world positions [m] of one site or segment."""
        return self.positions([name])[:, 0]

    def velocities(self, names: Iterable[str] | None = None) -> Array:
        """(frames, names, 3) velocities [m/s] by central differences, one-sided at the ends."""
        return self._slopes(self.positions(names))

    def dof_velocities(self) -> Array:
        """(frames, dofs) velocities [rad/s or m/s] of the unwrapped DOFs."""
        return self._slopes(self.unwrapped().angles)

    def _slopes(self, values: Array) -> Array:
        if len(values) < 2:
            return np.zeros_like(values)
        return np.gradient(values, self.frame_time, axis=0)

    def _sites(self, names: Iterable[str] | None) -> list[Site]:
        if names is None:
            chosen = self.figure.effector_names
        else:
            chosen = [names] if isinstance(names, str) else list(names)
        return [self.figure.effector(name) for name in chosen]

    # -- limits --------------------------------------------------------------------------------

    @cached_property
    def outside(self) -> NDArray[np.bool_]:
        """(frames, dofs) whether a DOF is outside its box; cones and relations do not count."""
        return (self.angles < self.figure.lower) | (self.angles > self.figure.upper)

    @property
    def is_inside_limits(self) -> bool:
        """Whether all limits of the figure hold in all frames, exactly."""
        return not self.outside.any() and all(pose.is_inside_limits for pose in self)

    def clamped(self) -> Clip:
        """Every frame moved to the nearest pose inside all limits."""
        figure = self.figure
        if not (figure.relations or figure.cones):
            return self._with(angles=np.clip(self.angles, figure.lower, figure.upper))
        return self._with(angles=[pose.clamped().angles for pose in self])

    def on(self, figure: Figure) -> Clip:
        """The same angles on another figure with the same DOFs, e.g. with other limits."""
        if figure.dof_names != self.figure.dof_names:
            raise MotionError(
                f"{figure.name} has other DOFs than {self.figure.name}; a clip moves only between"
                " figures with the same ones: retarget it instead"
            )
        return self._with(figure=figure)

    # -- changed in time -----------------------------------------------------------------------

    def unwrapped(self) -> Clip:
        """The same motion without jumps: full turns and flips of unlimited rotations taken out."""
        from poise.motion.equivalent import unwrapped

        return self._with(angles=unwrapped(self.figure, self.angles))

    def at(self, time: float, cyclic: bool = False, method: Interpolation = "linear") -> Pose:
        """The pose at a time [s], between frames as `angles_at` has it."""
        return Pose(self.figure, self.angles_at([time], cyclic, method)[0])

    def angles_at(
        self, times: ArrayLike, cyclic: bool = False, method: Interpolation = "linear"
    ) -> Array:
        """(times, dofs) the DOFs at any times [s].

        Before the first and after the last frame the motion stands still, or starts anew if it is
        `cyclic`: the last frame counts as the first of the next cycle, and the root carries on
        from where it is then. Per DOF it is linear or a monotone cubic, which stays between its
        neighbours; rotation vectors are interpolated as rotations (slerp).
        """
        from poise.motion.sampling import angles_at

        return angles_at(self, times, cyclic, method)

    def resampled(self, fps: float, method: Interpolation = "linear") -> Clip:
        """The same motion with another number of frames a second."""
        from poise.motion.sampling import resampled

        return resampled(self, fps, method)

    def joined(self, other: Clip, blend: float = 0.0, align: bool = False) -> Clip:
        """This clip, then `other`, which is resampled to this frame time and has the same DOFs.

        The last `blend` seconds of this one fade into the first of `other`. With `align` the root
        of `other` carries on from where this one ends: place on the ground and heading.
        """
        from poise.motion.joining import joined

        return joined(self, other, blend, align)

    def blended(self, other: Clip, weight: Weight, align: bool = False) -> Clip:
        """Both motions at once, frame by frame: this one at a weight of 0, `other` at 1.

        weight: one number, one a frame, {time: weight} with smooth ways between, or a function of
            time [s].
        `other` has the same DOFs and is taken at the times of this clip; after its end it stands
        still. Limits that hold in both hold between. With `align` its root starts where this one
        does. Feet may slide where the two step differently: `warped` brings steps together.
        """
        from poise.motion.blending import blended

        return blended(self, other, weight, align)

    def warped(self, times: Mapping[float, float], method: Interpolation = "linear") -> Clip:
        """The same motion at other times: {time in this clip: time in the new one} [s].

        It runs smoothly from key to key and never back; the beginning stays at 0 unless keyed, and
        what comes after the last key keeps its speed. So steps or beats of two clips are aligned.
        """
        from poise.motion.warping import warped

        return warped(self, times, method)

    def paced(self, speeds: Mapping[float, float], method: Interpolation = "linear") -> Clip:
        """The same motion at other speeds: {time in this clip [s]: how many times as fast}.

        Between two times the speed changes evenly; before the first and after the last it stays.
        """
        from poise.motion.warping import paced

        return paced(self, speeds, method)

    # -- changed in space ----------------------------------------------------------------------

    def root_motion(self) -> RootMotion:
        """Where the root is on the ground and which way it is turned, in every frame."""
        from poise.motion.root import root_motion

        return root_motion(self)

    def in_place(self, turning: bool = False) -> Clip:
        """Without root motion: the root stays above where it starts; with `turning` its heading
        stays too."""
        from poise.motion.root import in_place

        return in_place(self, turning)

    def moved(self, translation: ArrayLike = (0.0, 0.0, 0.0), heading: float = 0.0) -> Clip:
        """Turned by `heading` [rad] about the up axis at the world's origin, then moved [m]."""
        from poise.motion.root import moved

        return moved(self, translation, heading)

    def mirrored(self, pairs: Mapping[str, str] | None = None) -> Clip:
        """Left and right exchanged, seen in a mirror through the world's origin.

        Partners are found by their names (left/right, L/R); `pairs` names more segments, or others.
        The figure stays: where it is symmetric, all positions are reflected.
        """
        from poise.motion.mirror import mirrored

        return mirrored(self, pairs)
