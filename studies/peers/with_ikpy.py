"""ikpy: SciPy's bounded least squares on position and orientation."""

from __future__ import annotations

import numpy as np
from ikpy.chain import Chain
from runner import Arm, Make, main


def arm(task: Arm) -> dict[str, Make]:
    links = [f"panda_link{k}" for k in range(9)]
    joints = [*task.joints, "panda_joint8"]
    elements = [name for pair in zip(links, [*joints, ""], strict=True) for name in pair if name]
    whole = Chain.from_urdf_file(task.urdf, base_elements=elements)
    names = [link.name for link in whole.links]
    last = names.index("panda_joint8")
    mask = [name in task.joints for name in names[: last + 1]]
    chain = Chain(whole.links[: last + 1], active_links_mask=mask)
    goals, active = list(task.matrices()), np.array(mask)

    def once(goal: int, start: np.ndarray) -> tuple[np.ndarray, bool]:
        first = np.zeros(len(mask))
        first[active] = start
        found = chain.inverse_kinematics_frame(
            goals[goal], initial_position=first, orientation_mode="all"
        )
        return found[active], task.is_there(chain.forward_kinematics(found), goal)

    return {
        "one start": lambda: lambda goal: once(goal, task.start)[0],
        "restarts": lambda: task.again(once),
    }


if __name__ == "__main__":
    main(("ikpy", "scipy", "numpy"), arm)
