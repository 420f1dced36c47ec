"""The verbs put together, and how every failure ends: one line, an exit code, no traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from poise.cli import (
    DONE,
    FAILED,
    INTERRUPTED,
    WRONG_CALL,
    batch,
    convert,
    info,
    pose,
    report,
    retarget,
    studio,
    study,
    track,
    walk,
)
from poise.errors import FileError, PoiseError, UnreachedError

DESCRIPTION = """\
Joint-limited, full-body inverse kinematics.

Exit codes: 0 done; 1 the work failed (a goal not reached counts, and the
closest pose is still given); 2 the call was wrong."""

EXAMPLES = """\
Examples:
  poise
  poise info human
  poise info walk.bvh
  poise convert 87_03.amc walk.bvh
  poise track walk.bvh --limits learned:10 --out tracked.bvh
  poise retarget walk.bvh --to human --out human_walk.bvh
  poise walk --terrain stairs --out stairs.bvh
  poise batch cmu -o tracked
  poise pose --goal left_hand=0.35,1.30,0.45 --picture pose.png
  poise study jack -o results"""

VERBS = (studio, info, pose, convert, track, retarget, walk, batch, report, study)


def build() -> App:
    """The application. A verb's module imports what is heavy only when the verb runs."""
    app = App(
        name="poise",
        help=DESCRIPTION,
        help_epilogue=EXAMPLES,
        help_format="plaintext",
        version=_version,
    )
    app.default(studio.run_alone)
    for verb in VERBS:
        app.command(verb.run, name=verb.NAME, help_epilogue=verb.EXAMPLES)
    return app


def run(arguments: Sequence[str] | None = None) -> int:
    """Parse `arguments`, run the verb, and turn whatever happens into an exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except CycloptsError as error:
        verb = f"{given[0]} " if given and given[0] in [verb.NAME for verb in VERBS] else ""
        return _fail(f"{' '.join(str(error).split())} See `poise {verb}--help`.", WRONG_CALL)
    except (FileError, UnreachedError) as error:
        return _fail(str(error), FAILED)
    except PoiseError as error:
        return _fail(str(error), WRONG_CALL)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader (`| head`) has left; let the interpreter close stdout without a complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if os.environ.get("POISE_TRACEBACK"):
            raise
        name = type(error).__name__
        return _fail(
            f"a fault in Poise: {name}: {error}; set POISE_TRACEBACK=1, try again and report it",
            FAILED,
        )


def _run(arguments: list[str]) -> int:
    result = build()(
        arguments, exit_on_error=False, print_error=False, result_action="return_value"
    )
    sys.stdout.flush()
    return DONE if result is None else int(result)


def _fail(message: str, code: int) -> int:
    print(f"poise: {message}", file=sys.stderr)
    return code


def _version() -> str:
    import poise

    return poise.__version__
