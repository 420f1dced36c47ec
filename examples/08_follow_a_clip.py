"""Follow a motion by six points, inside limits learned from it: writes followed.bvh."""

import sys

import poise

clip = poise.load(sys.argv[1]) if len(sys.argv) > 1 else poise.motions.gymnastics()
figure = clip.figure.with_limits_from(clip, margin=0.17)
tracked = poise.track(clip, figure=figure)
print(tracked.report)
worst = tracked[tracked.report.worst_frame]  # a Solution for every frame
print(worst.explain().splitlines()[0])
poise.save(tracked.clip, "followed.bvh")
