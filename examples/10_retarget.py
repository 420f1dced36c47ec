"""One motion on three figures: writes a .glb for each."""

import poise
from poise.figure.scaling import scaled

run = poise.motions.run()
figures = {
    "jack": poise.figures.jack(),
    "child": scaled(poise.figures.human(), 0.62),
    "stiff": poise.figures.human().with_limits({"*_knee_flexion": (0.0, 0.6)}),
}
for name, figure in figures.items():
    moved = poise.retarget(run, figure)
    inside = "inside" if moved.clip.is_inside_limits else "OUTSIDE"
    slip = "" if moved.feet is None else f", feet slip {1000 * moved.feet.slip:.1f} mm"
    print(f"{name}: turned to {moved.turn_error:.3f} rad, {inside} all limits{slip}")
    poise.save(moved.clip, f"run_on_{name}.glb")
