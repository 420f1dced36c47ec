"""Take jitter and foot slip out of a motion: writes cleaned.bvh and cleaned.glb."""

import sys

import numpy as np

import poise
from poise.motion.cleaning import clean
from poise.motion.smoothing import jitter

if len(sys.argv) > 1:
    captured = poise.load(sys.argv[1])
else:
    walk = poise.motions.walk()
    noise = np.random.default_rng(0).normal(0.0, 0.01, walk.angles.shape)
    captured = poise.Clip(walk.figure, walk.angles + noise, walk.frame_time, "walk")
cleaned = clean(captured, cutoff=6.0)
left = jitter(cleaned.clip.positions()) / jitter(captured.positions())
slips = cleaned.report.slip_before, cleaned.report.slip_after
print(f"{left:.0%} of the jitter is left")
print("feet slip by {:.1f} mm before, {:.1f} mm after".format(*(1000 * s.slip for s in slips)))
for suffix in ("bvh", "glb"):
    poise.save(cleaned.clip, f"cleaned.{suffix}")
