"""Climb a ladder: hands let go and take hold again, one constraint at a time."""

import poise

human = poise.figures.human()
holds = poise.ConstraintSet(human)
for name, x, y in (("left_hand", 0.2, 1.5), ("right_hand", -0.2, 1.8),
                   ("left_foot", 0.12, 0.3), ("right_foot", -0.12, 0.6)):  # fmt: skip
    holds.add(poise.Position(name, (x, y, 0.35)))
holds.add(poise.Position("pelvis", (0.0, 1.15, 0.02), weight=0.05), name="body")
print("start:", holds.solve().status.name)
for rung in range(3):
    for name in ("left_hand", "right_foot", "right_hand", "left_foot"):
        x, y, z = holds[name].position
        holds.switch_off(name)  # let go,
        holds.solve()
        holds.switch_on(name)  # and take hold of the rung after the next
        holds.move(name, (x, y + 0.6 * 0.5, z))
        x, y, z = holds["body"].position
        holds.move("body", (x, y + 0.075, z))
        solution = holds.solve()
    worst = max(e.position for n, e in solution.errors.items() if n != "body")
    print(
        f"rung {rung + 1}: body at {solution.pose.position('pelvis')[1]:.2f} m, {worst:.4f} m off"
    )
