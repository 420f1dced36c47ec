"""Where the work of a session is kept: its project folder, its file there, and its journal."""

from __future__ import annotations

from pathlib import Path

from poise.errors import FileError, PoiseError
from poise.formats.character import character_of
from poise.motion.document import Document
from poise.studio import messages as m
from poise.studio.history import History
from poise.studio.journal import Journal, Recovery, recoverable
from poise.studio.project import Project

OWN = ".poise"
"""The ending of a document's own file; others hold only a part of it."""


class Keeper:
    """Opens and saves, and writes the journal."""

    def __init__(self, project: Project | None, journals: Path | None) -> None:
        """`project` is where files may be read and written; `journals` where autosaves go, and
        where work that was left behind is looked for. Without them there is neither."""
        self._project = project
        self._journal = None if journals is None else Journal(journals)
        self.recovery = None if journals is None else recoverable(journals)
        self.path: str | None = None
        """The document's own file in the project folder."""

    @property
    def project(self) -> Project:
        if self._project is None:
            raise PoiseError("this session has no project folder; start the studio in one")
        return self._project

    def open(self, path: str, also: str | None = None) -> tuple[Document, list[str]]:
        """The document of a file of the project, and what its reader has to say."""
        document, notes = self.project.open(path, also)
        self.path = path if path.endswith(OWN) and ":" not in path else None
        return document, notes

    def files(self, number: int) -> m.Files:
        """What can be opened; the reply to the command of that number."""
        return m.Files(number, self.project.folder.name, self.project.files())

    def save(self, history: History, path: str | None) -> None:
        """Save the document, where it came from if no path is given."""
        target = path or self.path
        if target is None:
            raise PoiseError("the document has no file yet; give it a name")
        self.project.save(history.document, target)
        if target.lower().endswith(OWN):
            self.path = target
            history.saved()

    def exported(self, document: Document, suffix: str) -> bytes:
        """The document as the bytes of a file."""
        return self.project.exported(document, suffix)

    def mesh(self, document: Document, key: str) -> bytes:
        """The skin of the document's character (binary glTF); `key` is that of `MeshInfo`."""
        kept = character_of(document)
        if kept is None or kept.key != key:
            raise FileError("the document has no such mesh; its figure has changed")
        return kept.packed

    def autosave(self, history: History) -> None:
        """Write to the journal what has changed since the last time."""
        if self._journal is not None:
            self._journal.record(history.document, self.path, history.is_saved)

    def left_behind(self) -> Recovery:
        """The work that is offered."""
        if self.recovery is None:
            raise PoiseError("there is nothing to recover")
        return self.recovery

    def forget(self) -> None:
        """Delete the work that is offered."""
        self.left_behind().forget()
        self.recovery = None

    def close(self, history: History) -> None:
        """End. Work that was not saved is offered to the next session."""
        if self._journal is not None:
            self.autosave(history)
            self._journal.close(keep=not history.is_saved)
            self._journal = None
        if self._project is not None:
            self._project.close()
