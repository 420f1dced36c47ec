"""The state of a session put together, and what it says when asked."""

from __future__ import annotations

from typing import Any

from poise.figure.pose import Pose
from poise.formats.registry import suffixes
from poise.motion.posing import Posed, Posing
from poise.release import this_version
from poise.solve import methods
from poise.solve.capabilities import Feature
from poise.solve.explanation import GoalExplanation, describe_error
from poise.solve.method import Method
from poise.solve.solution import Solution
from poise.studio import commands, describe, sections
from poise.studio import messages as m
from poise.studio.examples import EXAMPLES
from poise.studio.history import History
from poise.studio.journal import Recovery
from poise.studio.limit_shapes import limit_shapes
from poise.studio.opening import FIGURES

NEARER = (1e-3, 1e-2)
"""By so much a goal may come nearer [m, rad] before it is said."""
Sections = dict[str, Any]
"""Parts of the state by their names in `messages.State`."""


def document_sections(posing: Posing, posed: Posed, history: History, path: str | None) -> Sections:
    """What the document has in the state, as it is at the time shown."""
    document = posing.document
    return {
        "goals": describe.goal_infos(posing, posed.time, posed.pose),
        "timeline": describe.timeline_info(document),
        "settings": describe.settings_info(document),
        "history": sections.HistoryInfo(
            history.undo_label, history.redo_label, document.name, path, history.is_saved
        ),
    }


def whole_state(parts: Sections, editable: bool, watch: str | None) -> m.State:
    """The whole state of all its sections."""
    return m.State(
        protocol=m.PROTOCOL,
        version=this_version(),
        editable=editable,
        watch=watch,
        choices=sections.ChoicesInfo(
            figures=list(FIGURES),
            methods=[method_info(method) for method in methods().values()],
            examples=[sections.ExampleInfo(e.name, e.title, e.about) for e in EXAMPLES],
            read=suffixes("reads"),
            write=suffixes("writes"),
        ),
        **parts,
    )


def method_info(method: Method) -> sections.MethodInfo:
    """What is said of a method where it is chosen."""
    unasked = {"posture": Feature.POSTURE, "the ground": Feature.HALF_SPACE}
    return sections.MethodInfo(
        method.name,
        method.source,
        [what for what, feature in unasked.items() if not method.takes(feature)],
        not method.takes(Feature.POSE6D),
    )


def patch_of(parts: Sections, sent: Sections) -> m.Patch | None:
    """Of some sections those that differ from what was sent, which they become; None if none do."""
    changed = {name: part for name, part in parts.items() if part != sent.get(name)}
    sent.update(parts)
    return m.Patch(**changed) if changed else None


def recovery_info(found: Recovery | None) -> sections.RecoveryInfo | None:
    if found is None:
        return None
    return sections.RecoveryInfo(found.file or found.document.name, found.when, found.steps)


def limits(command: commands.LimitsOf, pose: Pose) -> m.Limits:
    """The limits of a segment's joint in a pose; the reply to the command."""
    segment = pose.figure.segment_index(command.segment)
    return m.Limits(command.id, segment, limit_shapes(pose, segment))


def explanation(number: int, posing: Posing, posed: Posed) -> m.Explanation:
    """Why the goals of a pose are met or not; the reply to the command of that number."""
    solution = posed.solution
    if solution is None:
        return m.Explanation(number, "There are no goals: the pose is as it is keyed.", [], [])
    is_kept = solution.iterations == 0 and not solution.is_optimal
    ended = posing.ended(posed).solution if is_kept else solution
    assert ended is not None
    found, ids = ended.explanation, {name: goal for goal, name in posed.names.items()}
    goals = [_sentence(ids[goal.name], goal, solution) for goal in found.goals if goal.name in ids]
    limits = [
        f"{limit.dof} presses against its {limit.side} limit of {limit.shown()}."
        for limit in found.limits
    ]
    short = [goal for goal in goals if not goal.met]
    summary = f"{len(short)} of {len(goals)} goals are not met." if short else "All goals are met."
    return m.Explanation(number, summary, goals, limits)


def _sentence(goal: int, found: GoalExplanation, kept: Solution) -> m.GoalSentence:
    """How a goal ends, and where it was left if that is farther off."""
    left, tolerance = kept.errors[found.name], kept.problem.tolerance
    met = left.position <= tolerance.position and left.angle <= tolerance.angle
    sentence = found.sentence()
    nearer = left.position - found.error.position > NEARER[0]
    if not met and (nearer or left.angle - found.error.angle > NEARER[1]):
        far = describe_error(left)
        sentence += f" It was left {far} off; drag it again to bring it nearer."
    return m.GoalSentence(goal, met, sentence)
