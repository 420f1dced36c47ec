"""Robots that tests write: an arm with a gripper, and a small humanoid."""


def joint(name, kind, parent, child, xyz="0 0 0", rpy="0 0 0", axis="0 0 1", more=""):
    return (
        f'  <joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{more}</joint>\n'
    )


def limit(lower, upper):
    return f'<limit lower="{lower}" upper="{upper}" effort="10" velocity="1"/>'


def link(name, mass=1.0):
    inside = (
        f'<inertial><origin xyz="0 0 0.1"/><mass value="{mass}"/><inertia ixx="1" ixy="0" ixz="0"'
        ' iyy="1" iyz="0" izz="1"/></inertial><visual><geometry>'
        '<mesh filename="package://arm_description/meshes/part.stl"/></geometry></visual>'
    )
    return f'  <link name="{name}">{inside if mass else ""}</link>\n'


def robot(name, links, joints):
    return (
        f'<?xml version="1.0"?>\n<robot name="{name}">\n' + "".join(links + joints) + "</robot>\n"
    )


ARM = robot(
    "arm",
    [link(n) for n in ("base", "turret", "upper", "fore", "palm", "left", "right", "tip")]
    + [link("flange", 0), link("tool0", 0)],
    [
        # Not in the order of the tree: angles go out in the order of the file.
        joint("elbow", "revolute", "upper", "fore", "0 0 0.4", "0 0.3 0", "0 1 0", limit(-2, 2.5)),
        joint("pan", "continuous", "base", "turret", "0 0 0.2"),
        joint("lift", "revolute", "turret", "upper", "0.1 0 0", "0.1 -0.2 0.3", "1 1 0",
              limit(-1, 1)),
        joint("reach", "prismatic", "fore", "palm", "0 0 0.3", axis="0 0 -1", more=limit(-0.2, 0)),
        joint("finger", "prismatic", "palm", "left", "0 0.02 0.1", axis="0 1 0",
              more=limit(0, 0.04)),
        joint("other_finger", "prismatic", "palm", "right", "0 -0.02 0.1", axis="0 -1 0",
              more=limit(0, 0.05) + '<mimic joint="finger" multiplier="1" offset="0.005"/>'),
        joint("nail", "revolute", "right", "tip", "0 0 0.02", axis="1 0 0",
              more=limit(-3, 3) + '<mimic joint="other_finger" multiplier="-10"/>'),
        joint("flange_joint", "fixed", "palm", "flange", "0 0 0.15", "0 0 1.5"),
        joint("tool_joint", "fixed", "flange", "tool0", "0.01 0 0.05", "0.2 0 0"),
    ],
)  # fmt: skip


def _leg(side, y):
    return [
        joint(f"{side}_hip", "revolute", "pelvis", f"{side}_thigh", f"0 {y} -0.05", axis="0 1 0",
              more=limit(-1.5, 0.8)),
        joint(f"{side}_knee", "revolute", f"{side}_thigh", f"{side}_shin", "0 0 -0.4",
              axis="0 1 0", more=limit(0, 2.4)),
        joint(f"{side}_ankle", "revolute", f"{side}_shin", f"{side}_foot", "0 0 -0.4",
              axis="0 1 0", more=limit(-0.8, 0.8)),
    ]  # fmt: skip


HUMANOID = robot(
    "walker",
    [link(n) for n in ("pelvis", "chest", "left_thigh", "left_shin", "left_foot",
                       "right_thigh", "right_shin", "right_foot")] + [link("head_frame", 0)],
    [
        joint("waist", "revolute", "pelvis", "chest", "0 0 0.2", axis="0 0 1", more=limit(-1, 1)),
        *_leg("left", 0.1),
        *_leg("right", -0.1),
        joint("neck", "fixed", "chest", "head_frame", "0 0 0.4"),
    ],
)  # fmt: skip
