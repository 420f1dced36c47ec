"""Writes web/src/messages.ts from messages.py and its parts: `python -m poise.studio.typescript`.

A test fails when the file is not what this would write.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from poise.files import atomic_write
from poise.studio import commands, frames, messages, sections

TARGET = Path(__file__).parent / "web" / "src" / "messages.ts"

_MODULES = (sections, messages, commands)
_ALIASES = (
    "GoalKind",
    "Chain",
    "Ease",
    "GhostMode",
    "Ground",
    "Stride",
    "Jacobian",
    "Vector",
    "Quaternion",
)
_UNIONS = {"Outgoing": messages.Outgoing, "Command": commands.Command}
_CONSTANTS = (
    *("GOAL", "ANGLE", "TIME", "POSE", "GHOSTS", "WALK", "CROWD", "TURNED", "DRAGGING", "MET"),
    *("AT_LOWER", "AT_UPPER", "AT_CONE", "PRESSES", "POSE_HEADER", "GHOSTS_HEADER", "WALK_SIZE"),
)
_PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null"}


def typescript() -> str:
    """The text of messages.ts."""
    parts = [
        "// Written by `python -m poise.studio.typescript`; change messages.py or its parts.",
        _comment(inspect.cleandoc(messages.__doc__ or "")),
        f"export const PROTOCOL = {messages.PROTOCOL};",
    ]
    parts += [f"export type {n} = {_type(getattr(sections, n), named=False)};" for n in _ALIASES]
    parts += [_interface(struct) for struct in _structs()]
    parts += [f"export type {name} = {_type(union)};" for name, union in _UNIONS.items()]
    parts.append(_comment(inspect.cleandoc(frames.__doc__ or "")))
    parts += [f"export const {name} = {getattr(frames, name)};" for name in _CONSTANTS]
    return "\n\n".join(parts) + "\n"


def _structs() -> list[type[msgspec.Struct]]:
    return [
        value
        for module in _MODULES
        for name, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and issubclass(value, msgspec.Struct)
        and value is not msgspec.Struct
        and not name.startswith("_")
    ]


def _interface(struct: type[msgspec.Struct]) -> str:
    hints = get_type_hints(struct)
    notes = _field_notes(struct)
    lines = [_comment(inspect.cleandoc(struct.__doc__))] if struct.__doc__ else []
    lines.append(f"export interface {struct.__name__} {{")
    config = struct.__struct_config__
    if config.tag is not None:
        lines.append(f'  type: "{config.tag}";')
    for field in msgspec.structs.fields(struct):
        if note := notes.get(field.name):
            lines.append(textwrap.indent(_comment(note), "  "))
        mark = "" if field.required else "?"
        lines.append(f"  {field.name}{mark}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}"])


def _field_notes(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The strings that follow fields in the source, by field."""
    import ast

    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(tree, ast.ClassDef)
    notes: dict[str, str] = {}
    for before, after in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(after, ast.Expr):
            assert isinstance(before.target, ast.Name)
            assert isinstance(after.value, ast.Constant)
            notes[before.target.id] = inspect.cleandoc(str(after.value.value))
    return notes


def _type(hint: Any, named: bool = True) -> str:
    """A Python type as TypeScript."""
    if named:
        for name in _ALIASES:
            if hint == getattr(sections, name):
                return name
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(_type(a) for a in arguments if a is not msgspec.UnsetType)
    if origin is list:
        inner = _type(arguments[0])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type, arguments))}]"
    if origin is dict:
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    raise TypeError(f"{hint!r} has no TypeScript form; teach typescript.py the new type")


def _comment(text: str) -> str:
    lines = text.splitlines()
    if len(lines) == 1:
        return f"/** {text} */"
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */"])


if __name__ == "__main__":
    atomic_write(TARGET, typescript())
    sys.stdout.write(f"wrote {TARGET.name}\n")
