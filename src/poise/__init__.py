"""Joint-limited, full-body inverse kinematics.

>>> import poise
>>> human = poise.figures.human()
>>> solution = poise.solve(human, [poise.Position("left_hand", (0.35, 1.30, 0.45))])
>>> solution.pose, solution.status

Names are imported when they are first used, so that `import poise` costs next to nothing.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poise.batch import Batch, batch
    from poise.errors import (
        FigureError,
        FileError,
        FileWarning,
        GoalError,
        MotionError,
        OptionError,
        PoiseError,
        UnreachedError,
    )
    from poise.figure import builtin as figures
    from poise.figure import joint
    from poise.figure.figure import Figure
    from poise.figure.pose import Pose
    from poise.figure.relations import JointGroup, LinearLimit, PolygonLimit
    from poise.figure.segment import Segment, Site
    from poise.formats import load, save
    from poise.goals import (
        Aim,
        AnyOf,
        CenterOfMass,
        Custom,
        Distance,
        HalfSpace,
        Line,
        Orientation,
        Plane,
        Pose6D,
        Position,
        Posture,
        Relative,
    )
    from poise.motion import Clip, Document
    from poise.motion import examples as motions
    from poise.motion.calibration import Calibration, calibrate
    from poise.motion.contacts import ContactRule
    from poise.motion.marker_map import MarkerMap
    from poise.motion.markers import Markers
    from poise.motion.retarget import Retargeted, retarget
    from poise.motion.skeleton_map import SkeletonMap
    from poise.motion.track import Tracked, track
    from poise.problem import DynamicLimit, Problem
    from poise.solve import (
        Answers,
        ConstraintSet,
        Solution,
        Solver,
        Status,
        Tolerance,
        methods,
        prepare,
        solve,
        solve_many,
    )
    from poise.view.picture import picture
    from poise.walk import terrain
    from poise.walk.crawler import Crawler
    from poise.walk.crowd import Crowd
    from poise.walk.following import walk
    from poise.walk.manner import Manner
    from poise.walk.walker import Walker, WalkState

    __version__: str

__all__ = [
    "Aim",
    "Answers",
    "AnyOf",
    "Batch",
    "Calibration",
    "CenterOfMass",
    "Clip",
    "ConstraintSet",
    "ContactRule",
    "Crawler",
    "Crowd",
    "Custom",
    "Distance",
    "Document",
    "DynamicLimit",
    "Figure",
    "FigureError",
    "FileError",
    "FileWarning",
    "GoalError",
    "HalfSpace",
    "JointGroup",
    "Line",
    "LinearLimit",
    "Manner",
    "MarkerMap",
    "Markers",
    "MotionError",
    "OptionError",
    "Orientation",
    "Plane",
    "PoiseError",
    "PolygonLimit",
    "Pose",
    "Pose6D",
    "Position",
    "Posture",
    "Problem",
    "Relative",
    "Retargeted",
    "Segment",
    "Site",
    "SkeletonMap",
    "Solution",
    "Solver",
    "Status",
    "Tolerance",
    "Tracked",
    "UnreachedError",
    "WalkState",
    "Walker",
    "__version__",
    "batch",
    "calibrate",
    "figures",
    "joint",
    "load",
    "methods",
    "motions",
    "picture",
    "prepare",
    "retarget",
    "save",
    "solve",
    "solve_many",
    "terrain",
    "track",
    "walk",
]

_MODULES = {
    "figures": "poise.figure.builtin",
    "joint": "poise.figure.joint",
    "motions": "poise.motion.examples",
    "terrain": "poise.walk.terrain",
}
"""Names that are modules."""

_HOMES = {
    "poise.batch": ("Batch", "batch"),
    "poise.errors": (
        *("FigureError", "FileError", "FileWarning", "GoalError", "MotionError"),
        *("OptionError", "PoiseError", "UnreachedError"),
    ),
    "poise.figure.figure": ("Figure",),
    "poise.figure.pose": ("Pose",),
    "poise.figure.relations": ("JointGroup", "LinearLimit", "PolygonLimit"),
    "poise.figure.segment": ("Segment", "Site"),
    "poise.formats": ("load", "save"),
    "poise.goals": (
        *("Aim", "AnyOf", "CenterOfMass", "Custom", "Distance", "HalfSpace", "Line"),
        *("Orientation", "Plane", "Pose6D", "Position", "Posture", "Relative"),
    ),
    "poise.motion": ("Clip", "Document"),
    "poise.motion.calibration": ("Calibration", "calibrate"),
    "poise.motion.contacts": ("ContactRule",),
    "poise.motion.marker_map": ("MarkerMap",),
    "poise.motion.markers": ("Markers",),
    "poise.motion.retarget": ("Retargeted", "retarget"),
    "poise.motion.skeleton_map": ("SkeletonMap",),
    "poise.motion.track": ("Tracked", "track"),
    "poise.problem": ("DynamicLimit", "Problem"),
    "poise.solve": (
        *("Answers", "ConstraintSet", "Solution", "Solver", "Status", "Tolerance"),
        *("methods", "prepare", "solve", "solve_many"),
    ),
    "poise.view.picture": ("picture",),
    "poise.walk.crawler": ("Crawler",),
    "poise.walk.crowd": ("Crowd",),
    "poise.walk.following": ("walk",),
    "poise.walk.manner": ("Manner",),
    "poise.walk.walker": ("WalkState", "Walker"),
}
"""Where the other names come from."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "__version__":
        value: object = import_module("poise.release").this_version()
    elif name in _MODULES:
        value = import_module(_MODULES[name])
    elif name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    else:
        raise AttributeError(f"module 'poise' has no attribute {name!r}", name=name, obj=_face())
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _face() -> ModuleType:
    return sys.modules[__name__]


class _Face(ModuleType):
    """The type of this module: keeps `poise.solve` the function.

    Importing the package of the same name would otherwise set it over the function.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOME_OF and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


_face().__class__ = _Face
