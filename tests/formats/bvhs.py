"""BVH files that tests write, and their joints worked out a second time with SciPy."""

import numpy as np
from scipy.spatial.transform import Rotation

PLAIN = """\
HIERARCHY
ROOT Hips
{
\tOFFSET 0.0 0.0 0.0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Chest
\t{
\t\tOFFSET 0.0 50.0 1.0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 40.0 2.0
\t\t}
\t}
\tJOINT LeftLeg
\t{
\t\tOFFSET 10.0 -5.0 0.0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 -80.0 0.0
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: .0083333
1 90 3 10 20 30 -40 50 60 5 6 7
2 91 4 15 25 35 -45 55 65 8 9 10
"""


def written(folder, text, name="clip.bvh"):
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def bvh_text(joints, rows, frame_time="0.01"):
    """The text of joints (name, parent index, offset, channels, end or None) and rows."""
    lines = ["HIERARCHY"]

    def add(index, depth):
        name, _, offset, channels, end = joints[index]
        tab = " " * depth
        lines.append(f"{tab}{'JOINT' if depth else 'ROOT'} {name}")
        lines.append(f"{tab}{{")
        lines.append(f"{tab} OFFSET {' '.join(map(repr, offset))}")
        lines.append(f"{tab} CHANNELS {len(channels)} {' '.join(channels)}")
        if end is not None:
            lines.append(f"{tab} End Site {{ OFFSET {' '.join(map(repr, end))} }}")
        for child, joint in enumerate(joints):
            if joint[1] == index:
                add(child, depth + 1)
        lines.append(f"{tab}}}")

    add(0, 0)
    lines += ["MOTION", f"Frames: {len(rows)}", f"Frame Time: {frame_time}"]
    lines += [" ".join(map(repr, row)) for row in rows]
    return "\n".join(lines) + "\n"


def positions(joints, row):
    """{name: position} by the definition, in file units; positions replace the offset."""
    values, world, found = list(row), {}, {}
    for index, (name, parent, offset, channels, end) in enumerate(joints):
        at, turn = np.array(offset, float), Rotation.identity()
        for channel in channels:
            value = values.pop(0)
            axis = "XYZ".index(channel[0])
            if channel.endswith("position"):
                at[axis] = value
            else:
                turn = turn * Rotation.from_rotvec(np.deg2rad(value) * np.eye(3)[axis])
        if parent is not None:
            above, origin = world[parent]
            at, turn = origin + above.apply(at), above * turn
        world[index] = turn, at
        found[name] = at
        if end is not None:
            found[f"{name}_End"] = at + turn.apply(end)
    return found
