"""Names that must differ, where a file uses one twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def numbered(name: str) -> Iterator[str]:
    """The name, then with numbers: arm, arm2, arm3, …"""
    yield name
    number = 2
    while True:
        yield f"{name}{number}"
        number += 1


def distinct(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The names, with a number where one is already there."""
    used = set(taken)
    result = []
    for name in names:
        free = next(n for n in numbered(name) if n not in used)
        used.add(free)
        result.append(free)
    return result
