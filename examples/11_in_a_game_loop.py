"""A hand chases a fly at 60 frames a second; no joint turns faster than it may."""

import math
import statistics
import time

import poise

human = poise.figures.human()
rest = human.rest()
goals = [
    *(poise.Pose6D(f, rest.position(f), rest.rotation(f)) for f in ("left_foot", "right_foot")),
    poise.Position("right_hand", (-0.3, 1.2, 0.4)),
    poise.Aim("eyes", (-0.3, 1.2, 0.4)),
]
solver = poise.Solver(human, goals, max_time=0.002, max_velocity={"*_flexion": 8.0}, dt=1 / 60)
solver.solve()  # the first solve of a process loads the compiled code
took, off = [], 0.0
for frame in range(600):
    t = frame / 60
    fly = (-0.3 + 0.2 * math.sin(2.1 * t), 1.2 + 0.25 * math.sin(1.3 * t), 0.45)
    start = time.perf_counter()
    solution = solver.solve({"right_hand": fly, "eyes": fly})
    took.append(time.perf_counter() - start)
    off = max(off, solution.errors["right_hand"].position) if frame > 10 else 0.0
median = 1e6 * statistics.median(took)
print(f"{median:.0f} µs a frame in the median, hand {1000 * off:.1f} mm off at most")
