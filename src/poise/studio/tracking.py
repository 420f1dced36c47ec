"""Track: the motion of a document, solved again frame by frame inside limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.errors import PoiseError
from poise.motion.document import Document
from poise.motion.export import sampled
from poise.motion.track import track
from poise.studio import commands


def tracked(document: Document, command: commands.TrackClip) -> tuple[Document, str]:
    """The document with a clip in place of its own that follows it, and how well that went.

    What is followed is what is shown: the clip with its fixes, which are in the new clip then.
    """
    if document.clip is None:
        raise PoiseError("there is no clip to track; open one, or an example that is one")
    source = sampled(document)
    figure = document.figure
    if command.limits == "learned":
        figure = figure.with_limits_from(source, margin=command.margin)
    found = track(
        source, figure=figure, effectors=command.effectors or None, contacts=command.contacts
    )
    report = found.report
    told = (
        f"Tracked {report.frames} frames inside all limits: {1000 * report.mean_error:.1f} mm off"
        f" on average, {1000 * report.worst_error:.1f} mm at worst"
        f" ({report.worst_goal}, frame {report.worst_frame})"
    )
    angles = np.asarray(found.clip.angles[0])
    followed = replace(document, figure=figure, clip=found.clip.on(figure), angles=angles, fixes=())
    return followed, told
