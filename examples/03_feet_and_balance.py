"""Pick something up: feet first, then balance, then the hand, in that order of importance."""

import poise

human = poise.figures.human()
rest = human.rest()
feet = [
    poise.Pose6D(foot, rest.position(foot), rest.rotation(foot))
    for foot in ("left_foot", "right_foot")
]
soles = [rest.position(f"{side}_{at}") for side in ("left", "right") for at in ("heel", "toes")]
balance = poise.CenterOfMass(over=soles, margin=0.02, level=2)
for height in (0.6, 0.3, 0.1):
    hand = poise.Position("right_hand", (-0.10, height, 0.60), level=3)
    solution = poise.solve(human, [*feet, balance, hand])
    errors = {name: round(100 * error.position, 1) for name, error in solution.errors.items()}
    print(f"{height} m: {solution.status.name}, off by {errors} cm")
