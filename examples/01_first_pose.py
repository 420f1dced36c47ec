"""A pose from goals: writes first_pose.png and first_pose.glb (for Blender)."""

import poise

human = poise.figures.human()  # 71 DOFs, 1.80 m; metres, +Y up, +Z ahead, +X its left
solution = poise.solve(
    human,
    [
        poise.Position("left_hand", (0.45, 1.55, 0.50)),
        poise.Position("right_hand", (-0.55, 0.85, 0.05)),
        poise.Position("left_heel", (0.16, 0.00, 0.18)),
        poise.Position("left_toes", (0.20, 0.00, 0.45)),
        poise.Position("right_heel", (-0.12, 0.10, -0.42)),
        poise.Position("right_toes", (-0.14, 0.00, -0.17)),
    ],
)
print(solution.explain())
print("inside every limit:", solution.pose.is_inside_limits)
poise.picture(solution, "first_pose.png")
poise.save(solution.pose, "first_pose.glb")
