"""Motion: what happens to a figure over time."""

from poise.motion.clip import Clip
from poise.motion.document import Document
from poise.motion.source import Source

__all__ = ["Clip", "Document", "Source"]
