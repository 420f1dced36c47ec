"""Maps that people edit are JSON files; what is wrong in one is told with its file and line."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from poise.errors import FileError

VERSION = 1


@dataclass(frozen=True)
class MapFile:
    """The file of a map, as text and as data."""

    path: str
    text: str
    section: str
    """The key whose value is the map itself."""
    document: dict[str, Any]

    @classmethod
    def read(cls, path: str | os.PathLike[str], section: str, example: str) -> MapFile:
        """The file; `example` shows what a section may look like."""
        where = os.fspath(path)
        try:
            text = Path(path).read_text("utf-8")
        except OSError as error:
            raise FileError(f"cannot read {where}: {error.strerror or error}") from None
        except UnicodeDecodeError as error:
            raise FileError(f"cannot read {where}: it is not UTF-8 text ({error})") from None
        try:
            document = json.loads(text)
        except json.JSONDecodeError as error:
            raise FileError(f"{where}, line {error.lineno}: is not JSON: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise FileError(f"{where} is not JSON: {error}") from None
        if not isinstance(document, dict) or not isinstance(document.get(section), dict):
            raise FileError(f'{where} has no "{section}"; write {example}')
        if document.get("version", VERSION) != VERSION:
            raise FileError(
                f"{where} has version {document['version']!r}; this Poise reads {VERSION}"
            )
        return cls(where, text, section, document)

    @property
    def entries(self) -> dict[str, Any]:
        """What the section holds; what is null is left out."""
        return {k: v for k, v in self.document[self.section].items() if v is not None}

    @property
    def doubts(self) -> tuple[str, ...]:
        """What was uncertain when the file was written."""
        doubts = self.document.get("doubts", [])
        return tuple(map(str, doubts)) if isinstance(doubts, list) else ()

    def wrong(self, key: str, message: str) -> FileError:
        """An error about an entry of the section."""
        start = max(self.text.find(json.dumps(self.section)), 0)
        spellings = (json.dumps(key, ensure_ascii=False), json.dumps(key))
        at = next((p for s in spellings if (p := self.text.find(s, start)) >= 0), start)
        line = self.text.count("\n", 0, at) + 1
        return FileError(f"{self.path}, line {line}: {key!r}: {message}")
