"""poise studio: pose and animate in the browser. Also what `poise` alone opens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from poise.cli import DONE, FAILED
from poise.errors import FileError

NAME = "studio"
Browser = Annotated[bool, Parameter(negative="--no-browser")]
EXAMPLES = """\
Examples:
  poise
  poise studio walk.poise
  poise studio tracked/walk.bvh --frame 120
  poise studio --port 8000 --no-browser"""


def run(
    file: Path | None = None,
    /,
    *,
    frame: Annotated[int, Parameter(validator=Number(gte=0))] = 0,
    port: int = 0,
    browser: Browser = True,
) -> int:
    """Pose and animate a figure in the browser.

    Serves a page on this machine only and opens it. Ctrl+C ends it.

    Parameters
    ----------
    file
        What to open (.poise, .bvh, .amc, .glb, .vrm, .urdf, ...); the built-in human without it.
        Its folder, or the one you are in, is where the studio may read and write; a folder instead
        of a file is that folder.
    frame
        The frame of the file to begin at; frames count from 0.
    port
        Where to listen; any free port by default.
    browser
        Open the page.
    """
    import contextlib

    from poise.cli.output import console
    from poise.cli.progress import compiling
    from poise.solve import prepare
    from poise.studio.journal import journal_folder
    from poise.studio.project import Project
    from poise.studio.server import NOT_BUILT, PAGE, Server
    from poise.studio.session import Session

    screen = console(stderr=True)
    if not (PAGE / "index.html").is_file():
        screen.print(f"poise: {NOT_BUILT}", soft_wrap=True, highlight=False)
        return FAILED
    folder = Path.cwd() if file is None else file.resolve().parent
    if file is not None and file.is_dir():
        folder, file = file.resolve(), None
    if file is not None and not file.is_file():
        raise FileError(f"cannot read {file}: there is no such file")
    with compiling() as report:
        prepare(report)
    session = Session(project=Project(folder), journals=journal_folder())
    with contextlib.closing(session):
        if file is not None:
            session.open_file(file.name)
            session.show_frame(frame)
        server = Server(session, port, PAGE)
        screen.print(f"The studio is at {server.address}", soft_wrap=True, highlight=False)
        screen.print("Ctrl+C ends it.", highlight=False)
        if browser:
            _open_when_ready(server.address)
        with contextlib.suppress(KeyboardInterrupt):  # the usual end
            server.run()
    return DONE


def run_alone(*, port: int = 0, browser: Browser = True) -> int:
    """Open the studio on the built-in human.

    Parameters
    ----------
    port
        Where to listen; any free port by default.
    browser
        Open the page.
    """
    return run(port=port, browser=browser)


def _open_when_ready(address: str) -> None:
    """Open the page beside the server, which answers as soon as it runs."""
    import threading
    import webbrowser

    threading.Timer(0.2, webbrowser.open, [address]).start()
