"""A crane from scratch: a turning cab, a boom with a cone, a telescope, a hook."""

import numpy as np

import poise
from poise import joint

crane = poise.Figure(
    "crane",
    [
        poise.Segment("base", None),
        poise.Segment("cab", "base", joint.revolute("Y"), (0.0, 2.0, 0.0)),
        poise.Segment(
            "boom", "cab", joint.swing_twist(np.radians(55), (0.0, 0.0), "Y"), (0.0, 0.5, 0.5)
        ),
        poise.Segment("jib", "boom", joint.prismatic("Y", (0.0, 4.0)), (0.0, 6.0, 0.0)),
    ],
    [poise.Site("hook", "jib", (0.0, 1.0, 0.0))],
)
print(crane, crane.dof_names)
for target in ((4.0, 7.0, 3.0), (0.0, 1.0, 12.0)):
    solution = poise.solve(crane, poise.Position("hook", target))
    print(solution.explain())
