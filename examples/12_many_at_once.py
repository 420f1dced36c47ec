"""Which places around it can the left hand reach, standing still? 2,000 solves on all cores."""

import numpy as np

import poise

human = poise.figures.human()
rng = np.random.default_rng(1)
targets = rng.uniform((-0.6, 0.2, -0.6), (1.0, 2.2, 1.0), (2000, 1, 3))
hand = poise.Position("left_hand", (0.0, 0.0, 0.0), chain=["left_arm", "torso"])
answers = poise.solve_many(human, hand, targets)
reached = answers.reached
print(f"{reached.mean():.0%} of the box can be reached")
ahead = targets[:, 0, 2] > 0.0
print(f"ahead {reached[ahead].mean():.0%}, behind {reached[~ahead].mean():.0%}")
low, high = targets[reached, 0].min(0).round(2), targets[reached, 0].max(0).round(2)
print("from", low, "to", high, "m")
