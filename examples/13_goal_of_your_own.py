"""A goal in Python: keep the left hand in a ring around an axis, between two radii."""

import numpy as np

import poise

human = poise.figures.human()
arm = human.match_dofs("left_arm")
INNER, OUTER = 0.50, 0.55  # [m] from the vertical axis through the origin


def off_the_ring(angles):
    x, _, z = human.pose(angles).position("left_hand")
    radius = np.hypot(x, z)
    return max(INNER - radius, 0.0, radius - OUTER) ** 2


def in_ring(pose):
    """The value, and its gradient by every DOF: here by differences over the arm alone."""
    value, gradient = off_the_ring(pose.angles), np.zeros(len(pose.angles))
    for i in arm:
        step = np.zeros(len(gradient))
        step[i] = 1e-6
        ahead, behind = off_the_ring(pose.angles + step), off_the_ring(pose.angles - step)
        gradient[i] = (ahead - behind) / 2e-6
    return value, gradient


ring = poise.Custom(in_ring, met_below=1e-6, name="ring", chain="left_arm")
height = poise.Plane("left_hand", (0, 1.3, 0), (0, 1, 0), chain="left_arm")
solution = poise.solve(human, [ring, height])
x, y, z = solution.pose.position("left_hand")
print(solution.status.name, f"hand {np.hypot(x, z):.3f} m from the axis, {y:.3f} m high")
