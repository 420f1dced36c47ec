"""Undo and redo: the documents before and after, each step with its name."""

from __future__ import annotations

from poise.errors import PoiseError
from poise.motion.document import Document

MOST = 200
"""Steps that can be undone."""


class History:
    """Where a document came from and where it can go again."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._undo: list[tuple[str, Document]] = []
        self._redo: list[tuple[str, Document]] = []
        self._saved: Document | None = document

    @property
    def undo_label(self) -> str | None:
        return self._undo[-1][0] if self._undo else None

    @property
    def redo_label(self) -> str | None:
        return self._redo[-1][0] if self._redo else None

    @property
    def is_saved(self) -> bool:
        """Whether the document is the one that was last saved or opened."""
        return self.document is self._saved

    def step(self, label: str, document: Document) -> None:
        """Go on to a new document."""
        if document is self.document:
            return
        self._undo.append((label, self.document))
        del self._undo[:-MOST]
        self._redo.clear()
        self.document = document

    def undo(self) -> None:
        if not self._undo:
            raise PoiseError("there is nothing to undo")
        label, before = self._undo.pop()
        self._redo.append((label, self.document))
        self.document = before

    def redo(self) -> None:
        if not self._redo:
            raise PoiseError("there is nothing to redo")
        label, after = self._redo.pop()
        self._undo.append((label, self.document))
        self.document = after

    def saved(self) -> None:
        """The document as it is now has been saved."""
        self._saved = self.document

    def unsaved(self) -> None:
        """The document as it is now is in no file."""
        self._saved = None
