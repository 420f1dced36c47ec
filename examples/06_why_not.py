"""Out of reach: the closest pose, which limits hold it, and what more room would gain."""

import poise

human = poise.figures.human()
behind = poise.Position("left_hand", (-0.2, 1.5, -0.35), chain="left_arm")
solution = poise.solve(human, behind)
print(solution.explain())

first = solution.active_limits[0]
lower, upper = (getattr(human, side)[human.dof_index(first.dof)] for side in ("lower", "upper"))
looser = human.with_limits({first.dof: (lower - 0.2, upper + 0.2)})
again = poise.solve(looser, behind)
gain = solution.errors["left_hand"].position - again.errors["left_hand"].position
print(f"0.2 rad more in {first.dof}: {100 * gain:.1f} cm nearer")

try:
    solution.require()
except poise.UnreachedError as error:
    print("require() raised:", type(error).__name__)
