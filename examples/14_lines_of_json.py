"""A pose a line: reads {"left_hand": [x, y, z], ...} from standard input, answers with angles.

echo '{"left_hand": [0.35, 1.3, 0.45]}' | python examples/14_lines_of_json.py
"""

import json
import sys

import poise

human = poise.figures.human()
rest = human.rest()
parts = ("left_hand", "right_hand", "left_foot", "right_foot", "head")
goals = [poise.Position(part, rest.position(part)) for part in parts]
solver = poise.Solver(human, goals, max_time=0.005)
solver.solve()  # the first solve of a process loads the compiled code
for line in sys.stdin:
    try:
        solution = solver.solve(json.loads(line))
        answer = {
            "status": solution.status.name.lower(),
            "errors": {name: error.position for name, error in solution.errors.items()},
            "angles": dict(zip(human.dof_names, solution.angles.tolist(), strict=True)),
        }
    except (poise.PoiseError, json.JSONDecodeError) as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
