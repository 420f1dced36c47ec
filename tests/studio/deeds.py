"""What a person does to a session, without a browser."""

import numpy as np

from poise.studio import commands
from poise.studio import frames as f


def position(session, name):
    return session.posed.pose.position(name)


def drag(session, effector, *shifts, release=True, **options):
    """Drag a site by shifts from where it is; the poses on the way."""
    session.apply(commands.DragBegin(1, 9, effector, **options))
    start = position(session, effector)
    poses = []
    for k, shift in enumerate(shifts):
        session.frame(f.GoalFrame(k, 9, tuple(start + shift), None))
        poses.append(session.posed.pose)
    if release:
        session.apply(commands.DragEnd(1, 9))
    return poses


def path(*to, steps=10):
    return [np.array(to) * k / steps for k in range(1, steps + 1)]


def goal_of(session, effector):
    return next(g for g in session.state().goals if g.effector == effector)
