"""A humanoid robot that tests and studies write: 1.3 m, 31 joints, named as makers name them.

Every hip, shoulder, ankle and wrist is a chain of links with one axis each, +X is forward.
"""

from formats.urdfs import joint, limit, link, robot

AXES = {"pitch": "0 1 0", "roll": "1 0 0", "yaw": "0 0 1"}


class _Builder:
    def __init__(self):
        self.links, self.joints = [], []

    def turning(self, parent, name, low, high, xyz="0 0 0"):
        """A link that turns about the axis that its name ends with; its own name is given back."""
        child = f"{name}_link"
        axis = AXES[name.rpartition("_")[2]]
        self.links.append(link(child, 0.5))
        self.joints.append(
            joint(f"{name}_joint", "revolute", parent, child, xyz, axis=axis, more=limit(low, high))
        )
        return child

    def framed(self, parent, name, xyz):
        """A frame on a link."""
        self.links.append(link(name, 0))
        self.joints.append(joint(f"{name}_joint", "fixed", parent, name, xyz))

    def leg(self, side, y):
        at = self.turning("pelvis", f"{side}_hip_pitch", -2.5, 2.5, f"0 {y} -0.08")
        roll = (-0.5, 2.0) if y > 0 else (-2.0, 0.5)
        at = self.turning(at, f"{side}_hip_roll", *roll)
        at = self.turning(at, f"{side}_hip_yaw", -2.0, 2.0, "0 0 -0.05")
        at = self.turning(at, f"{side}_knee_pitch", -0.05, 2.7, "0 0 -0.27")
        at = self.turning(at, f"{side}_ankle_pitch", -1.0, 0.7, "0 0 -0.32")
        at = self.turning(at, f"{side}_ankle_roll", -0.5, 0.5)
        self.framed(at, f"{side}_heel", "-0.06 0 -0.06")
        self.framed(at, f"{side}_ball", "0.1 0 -0.06")

    def arm(self, side, y):
        outward = 1 if y > 0 else -1
        at = self.turning("torso", f"{side}_shoulder_pitch", -3.1, 2.7, f"0 {y} 0.26")
        roll = (-1.5, 2.2) if y > 0 else (-2.2, 1.5)
        at = self.turning(at, f"{side}_shoulder_roll", *roll, f"0 {0.03 * outward} 0")
        at = self.turning(at, f"{side}_shoulder_yaw", -2.6, 2.6, "0 0 -0.08")
        at = self.turning(at, f"{side}_elbow_pitch", -2.4, 0.0, "0 0 -0.14")
        at = self.turning(at, f"{side}_wrist_yaw", -1.9, 1.9, "0 0 -0.1")
        at = self.turning(at, f"{side}_wrist_roll", -0.8, 0.8, "0 0 -0.1")
        at = self.turning(at, f"{side}_wrist_pitch", -1.2, 1.2)
        self.framed(at, f"{side}_palm", "0 0 -0.08")


def humanoid():
    """The text of the URDF file."""
    made = _Builder()
    made.links.append(link("pelvis", 5.0))
    at = made.turning("pelvis", "waist_yaw", -2.6, 2.6, "0 0 0.05")
    at = made.turning(at, "waist_roll", -0.5, 0.5)
    made.links.append(link("torso", 8.0))
    made.joints.append(
        joint("waist_pitch_joint", "revolute", at, "torso", "0 0 0.05", axis=AXES["pitch"],
              more=limit(-0.7, 1.2))
    )  # fmt: skip
    at = made.turning("torso", "head_yaw", -1.5, 1.5, "0 0 0.34")
    at = made.turning(at, "head_pitch", -0.8, 0.9, "0 0 0.04")
    made.framed(at, "eyes", "0.08 0 0.08")
    for side, sign in (("left", 1), ("right", -1)):
        made.leg(side, 0.09 * sign)
        made.arm(side, 0.11 * sign)
    return robot("humanoid", made.links, made.joints)


def humanoid_with_y_up():
    """The same robot as other makers draw it, lying down as long as Z is thought to be up."""
    lines = humanoid().splitlines(keepends=True)
    stand = joint("stand_joint", "fixed", "stand", "pelvis", rpy="-1.5707963267948966 0 0")
    return "".join([*lines[:2], link("stand", 0.1), *lines[2:-1], stand, lines[-1]])
