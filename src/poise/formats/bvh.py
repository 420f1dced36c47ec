"""Biovision hierarchies (.bvh): a figure and its motion in one text file.

What the format leaves open, and how Poise takes it:

- Position channels replace the OFFSET of their joint, also where it is not the root. Only where
  the joints below the root have an OFFSET and their position channels are 0 in every frame do they
  add to it: else the figure would collapse into a point.
- Translations are in the frame of the parent, wherever among the channels they stand. Rotations are
  the product of their channels in order: "Zrotation Xrotation Yrotation" is Rz Rx Ry.
- The unit is guessed from the skeleton's height and the up axis from its extent, unless given.
"""

from poise.formats.bvh_read import read
from poise.formats.bvh_write import write

__all__ = ["read", "write"]
