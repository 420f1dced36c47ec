"""glTF 2.0 and VRM (.glb, .gltf, .vrm): a skeleton, the mesh that it carries, and its motion.

Metres and +Y up, by the format. Read are the joints of all skins, what animations move and the
bones that VRM names; where there is none of these, all nodes. Each becomes a ball joint without
limits (Euler ZXY about its own axes, zero in the rest pose), with translations where an animation
slides it; the root is free. Static nodes above are folded in, with their scales. A clip that came
from such a file is written back into it: everything but its animations stays as it was.
"""

from poise.formats.gltf_read import read
from poise.formats.gltf_write import write

__all__ = ["read", "write"]
