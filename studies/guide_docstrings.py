"""Docstrings for the site: their examples, lines after `>>>`, become blocks of code."""

import re

import griffe

EXAMPLE = re.compile(r"(?:^(?:>>>|\.\.\.) .*\n?)+", re.MULTILINE)


class Examples(griffe.Extension):
    def on_object(self, *, obj, loader, **_):
        if obj.docstring and not obj.is_alias:
            obj.docstring.value = EXAMPLE.sub(fenced, obj.docstring.value)


def fenced(example: re.Match[str]) -> str:
    lines = [line[4:] for line in example[0].splitlines()]
    return "\n".join(["```python", *lines, "```", ""])
