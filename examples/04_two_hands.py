"""Two hands on one bar, wherever it goes."""

import numpy as np

import poise

human = poise.figures.human().with_rigidity({"spine_*": 0.6})
rest = human.rest()
feet = [
    poise.Pose6D(foot, rest.position(foot), rest.rotation(foot))
    for foot in ("left_foot", "right_foot")
]
grip = poise.Relative("left_hand", "right_hand", (0.44, 0.0, 0.0), np.eye(3))
bar = poise.Pose6D("right_hand", (-0.22, 1.1, 0.42), euler=("ZXY", (0.0, 0.2, 0.0)), name="bar")
solver = poise.Solver(human, [*feet, bar, grip])
for tilt in np.linspace(0.0, 0.6, 7):
    turned = poise.Pose6D("right_hand", (0, 0, 0), euler=("ZXY", (tilt, 0.0, 0.0))).rotation
    solution = solver.solve({"bar": ((-0.22, 1.1 + tilt / 2, 0.42), turned)})
    hands = [solution.pose.position(f"{side}_hand") for side in ("left", "right")]
    apart = np.linalg.norm(hands[0] - hands[1])
    print(f"tilt {tilt:.1f} rad: {solution.status.name}, hands {apart:.4f} m apart")
