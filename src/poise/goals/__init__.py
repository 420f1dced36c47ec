"""Goals: what a figure should do. One file a kind; data with a potential, nothing of solvers."""

from poise.goals.aim import Aim
from poise.goals.any_of import AnyOf
from poise.goals.between import Distance, Relative
from poise.goals.center_of_mass import CenterOfMass
from poise.goals.custom import Custom
from poise.goals.goal import Atom, Goal
from poise.goals.line import Line
from poise.goals.orientation import Orientation
from poise.goals.plane import HalfSpace, Plane
from poise.goals.pose6d import Pose6D
from poise.goals.position import Position
from poise.goals.posture import Posture

__all__ = [
    "Aim",
    "AnyOf",
    "Atom",
    "CenterOfMass",
    "Custom",
    "Distance",
    "Goal",
    "HalfSpace",
    "Line",
    "Orientation",
    "Plane",
    "Pose6D",
    "Position",
    "Posture",
    "Relative",
]
