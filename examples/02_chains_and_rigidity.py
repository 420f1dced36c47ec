"""Which joints may help, and how much: one reach, with three torsos."""

import poise

human = poise.figures.human()
target = (0.60, 1.10, 0.55)
cases = {
    "arm only": (human, ["left_arm"]),
    "arm and torso": (human, ["left_arm", "torso"]),
    "arm and a stiff torso": (human.with_rigidity({"torso": 0.8}), ["left_arm", "torso"]),
}
for name, (figure, chain) in cases.items():
    solution = poise.solve(figure, poise.Position("left_hand", target, chain=chain))
    moved = abs(solution.angles - figure.rest_angles)
    torso = moved[figure.match_dofs("torso")].sum()
    short = 100 * solution.errors["left_hand"].position
    print(f"{name}: {short:.1f} cm short, {torso:.2f} rad in the torso")
