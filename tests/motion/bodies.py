"""Small figures and motions that the tests of motion share."""

import numpy as np

from poise import Clip, Figure, Segment, Site, joint

RNG_SEED = 11


def puppet(left="ZXY", right=None, root=None, spine="ZXY", up="Y"):
    """A symmetric body: hips, a spine, and an arm of two segments on either side."""
    right = left if right is None else right
    root = root or joint.channels("ZYX", "XYZ")
    height = (0.0, 0.5, 0.0) if up == "Y" else (0.0, 0.0, 0.5)

    def made(order):
        if not isinstance(order, str):
            return order
        return joint.ball(order) if len(order.replace("-", "")) == 3 else joint.channels(order)

    return Figure(
        "puppet",
        [
            Segment("hips", None, root),
            Segment("spine", "hips", made(spine), height),
            Segment("LeftArm", "spine", made(left), (0.2, *height[1:])),
            Segment("LeftHand", "LeftArm", joint.channels("X"), (0.3, 0.05, 0.1)),
            Segment("RightArm", "spine", made(right), (-0.2, *height[1:])),
            Segment("RightHand", "RightArm", joint.channels("X"), (-0.3, 0.05, 0.1)),
        ],
        [
            Site("LeftTip", "LeftHand", (0.1, 0.02, 0.03)),
            Site("RightTip", "RightHand", (-0.1, 0.02, 0.03)),
            Site("Top", "spine", (0.0, 0.3, 0.1)),
        ],
        up,
    )


def wandering(figure, frames=12, size=0.8, seed=RNG_SEED, frame_time=0.05):
    """A smooth random motion of every DOF about zero, clipped to the limits."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, frames)[:, None]
    n = len(figure.dofs)
    waves = rng.normal(0, size, (3, n))
    angles = waves[0] + waves[1] * np.sin(3 * time + waves[2]) + 0.3 * waves[2] * time
    angles = np.clip(angles, figure.lower, figure.upper)
    return Clip(figure, angles, frame_time)


def swinging_arm():
    """A free base, an arm that swings within a cone and twists, and a forearm on a hinge."""
    return Figure(
        "swinging arm",
        [
            Segment("base", None, joint.free()),
            Segment("arm", "base", joint.swing_twist(0.9, (-0.5, 0.5), axis="X"), (0, 0.3, 0)),
            Segment("forearm", "arm", joint.revolute("Z", (0.0, 2.4), name="bend"), (0.3, 0, 0)),
        ],
        sites=[Site("hand", "forearm", (0.3, 0, 0))],
    )
