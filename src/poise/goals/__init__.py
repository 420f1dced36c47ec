"""Goals: what effectors should do. One file a kind; data with a potential, nothing of solvers."""

from poise.goals.goal import Goal
from poise.goals.orientation import Orientation
from poise.goals.pose6d import Pose6D
from poise.goals.position import Position

__all__ = ["Goal", "Orientation", "Pose6D", "Position"]
