"""Where a clip came from, and what is needed to write it back as it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """What a reader knows of a file that the figure and the angles do not say."""

    path: str = ""
    format: str = ""
    """The suffix without its dot: "bvh", "amc", …"""
    unit: float = 1.0
    """Metres per unit of the file: 0.01 for centimetres."""
    frame_time: str = ""
    """The time of a frame as it was written, or empty."""
    notes: tuple[str, ...] = ()
    """What the reader assumed or found amiss, each a sentence for people."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What only the format's own writer reads."""
