"""Motions of the built-in human, written as keys: to try things on, and to test with."""

from poise.motion.examples.gymnastics import gymnastics
from poise.motion.examples.jump import jump
from poise.motion.examples.run import run
from poise.motion.examples.walk import walk

__all__ = ["gymnastics", "jump", "run", "walk"]
