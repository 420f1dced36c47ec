"""The command line: `poise VERB`, one file a verb.

Nothing heavy is imported before a verb runs, so that `poise --help` is quick.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

DONE, FAILED, WRONG_CALL, INTERRUPTED = 0, 1, 2, 130
"""The exit codes of every verb."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on `arguments` (those of the process when None); the exit code."""
    try:
        from poise.cli.app import run
    except KeyboardInterrupt:
        print("poise: interrupted", file=sys.stderr)
        return INTERRUPTED
    return run(arguments)
