"""The syntax of ASF files: text to bones, with nothing understood yet."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from poise.errors import unknown_name
from poise.figure.joint import UNLIMITED, Range
from poise.formats.text import LARGEST_ANGLE, Text

ROOT = "root"
DOFS = ("rx", "ry", "rz", "tx", "ty", "tz")
ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
_IGNORED = ("id", "bodymass", "cofmass")
Words = list[str]


@dataclass
class Bone:
    """A bone, or the root, as it is written."""

    name: str
    line: int
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis_order: str = "XYZ"
    dofs: list[str] = field(default_factory=list)
    limits: list[Range] = field(default_factory=list)
    position: tuple[float, ...] = (0.0, 0.0, 0.0)


@dataclass
class AsfFile:
    text: Text
    length: float = 1.0
    """Units of the file per inch."""
    angle: float = math.pi / 180.0
    """Radians per unit of an angle."""
    bones: list[Bone] = field(default_factory=list)
    """The root first."""
    parents: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def parse_skeleton(path: Path) -> AsfFile:
    """Read an ASF file."""
    return _Parser(Text(path)).file


def lines_of(text: Text) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; a # starts a comment."""
    for number, line in enumerate(text.content.split("\n"), 1):
        bare = line.partition("#")[0].strip()
        if bare:
            yield number, bare


class _Parser:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.file = AsfFile(text)
        self.root = Bone(ROOT, 1)
        self.file.bones.append(self.root)
        self.bone: Bone | None = None
        self.named = False
        self.opened = False
        self.section = ""
        sections: dict[str, Callable[[int, Words], None]] = {
            "units": self.units,
            "root": self.root_line,
            "bonedata": self.bone_line,
            "hierarchy": self.hierarchy_line,
        }
        seen: list[str] = []
        last = 0
        for last, line in lines_of(text):
            if line.startswith(":"):
                self.close_section(last, line)
                words = line[1:].split()
                self.section = words[0].lower() if words else ""
                seen.append(self.section)
            elif handler := sections.get(self.section):
                handler(last, line.replace("(", " ( ").replace(")", " ) ").split())
        self.close_section(last, "")
        for section in ("root", "bonedata", "hierarchy"):
            if section not in seen:
                raise text.error(last, "", f"a section :{section}")
        self.check()

    def close_section(self, line: int, found: str) -> None:
        """A bone or a hierarchy that is not ended was cut off."""
        if self.bone is not None:
            raise self.text.error(line, found, f"end of the bone that begins in line"
                                  f" {self.bone.line}")  # fmt: skip
        if self.opened:
            raise self.text.error(line, found, f"end of :{self.section}")

    def numbers(self, line: int, words: Words, what: str, most: float = 1e9) -> tuple[float, ...]:
        if len(words) < 3:
            raise self.text.error(line, " ".join(words) or "nothing", f"three numbers for {what}")
        return tuple(self.text.number(word, line, what, most) for word in words[:3])

    # -- sections ------------------------------------------------------------------------------

    def units(self, line: int, words: Words) -> None:
        key, value = words[0].lower(), words[-1]
        if key == "length":
            self.file.length = self.text.number(value, line, "the unit of length")
            if not self.file.length > 0.0:
                raise self.text.error(line, value, "a unit of length above 0")
        elif key == "angle":
            if value.lower() not in ("deg", "rad", "degrees", "radians"):
                raise self.text.error(line, value, "deg or rad")
            self.file.angle = 1.0 if value.lower().startswith("rad") else math.pi / 180.0

    def root_line(self, line: int, words: Words) -> None:
        key, rest = words[0].lower(), words[1:]
        if key == "order":
            self.root.dofs = self.dof_names(line, rest)
            self.root.limits = [UNLIMITED] * len(self.root.dofs)
        elif key == "axis":
            self.root.axis_order = self.axis_order(line, rest[-1] if rest else "")
        elif key == "position":
            self.root.position = self.numbers(line, rest, "the root's position")
        elif key == "orientation":
            self.root.axis = self.numbers(line, rest, "the root's orientation", LARGEST_ANGLE)
        else:
            expected = "order, axis, position or orientation in :root"
            raise self.text.error(line, words[0], expected)

    def bone_line(self, line: int, words: Words) -> None:
        key, rest = words[0].lower(), words[1:]
        if key == "begin":
            self.close_section(line, "begin")
            self.bone, self.named = Bone("", line), False
            return
        bone = self.bone
        if bone is None:
            raise self.text.error(line, words[0], "begin of a bone, or the next section")
        if key == "end":
            self.end_bone(line, bone)
        elif key == "name":
            if not rest:
                raise self.text.error(line, "nothing", "the name of the bone")
            bone.name = rest[0]
        elif key == "direction":
            bone.direction = self.numbers(line, rest, "the direction")
        elif key == "length":
            bone.length = self.text.number(rest[0] if rest else "", line, "the length")
        elif key == "axis":
            bone.axis = self.numbers(line, rest, "the axis", LARGEST_ANGLE)
            bone.axis_order = self.axis_order(line, rest[3] if len(rest) > 3 else "")
        elif key == "dof":
            bone.dofs = self.dof_names(line, rest)
        elif key == "limits":
            bone.limits += self.limits(line, rest)
        elif key == "(":
            bone.limits += self.limits(line, words)
        elif key not in _IGNORED:
            raise self.text.error(line, words[0], "a line of a bone, such as direction, or end")

    def end_bone(self, line: int, bone: Bone) -> None:
        if not bone.name:
            raise self.text.error(line, "end", "a name of the bone before it")
        if bone.limits and len(bone.limits) != len(bone.dofs):
            found = f"{len(bone.limits)} limits"
            raise self.text.error(line, found, f"{len(bone.dofs)}, one for each DOF of {bone.name}")
        bone.limits = bone.limits or [UNLIMITED] * len(bone.dofs)
        if any(bone.name == other.name for other in self.file.bones):
            raise self.text.error(bone.line, bone.name, "a name that no other bone has")
        self.file.bones.append(bone)
        self.bone = None

    def hierarchy_line(self, line: int, words: Words) -> None:
        if words[0].lower() == "begin":
            self.opened = True
        elif words[0].lower() == "end":
            self.opened = False
        else:
            known = [bone.name for bone in self.file.bones]
            for word in words:
                if word not in known:
                    raise self.text.error(line, word, unknown_name("bone", word, known))
            for child in words[1:]:
                if child in self.file.parents or child == ROOT:
                    raise self.text.error(line, child, "every bone to have one parent")
                self.file.parents[child] = words[0]

    # -- words ---------------------------------------------------------------------------------

    def axis_order(self, line: int, word: str) -> str:
        if word.upper() not in ORDERS:
            raise self.text.error(line, word or "nothing", f"one of {', '.join(ORDERS)}")
        return word.upper()

    def dof_names(self, line: int, words: Words) -> list[str]:
        names = [word.lower() for word in words]
        for name in names:
            if name not in DOFS or names.count(name) > 1:
                raise self.text.error(line, name, f"some of {', '.join(DOFS)}, each once")
        return names

    def limits(self, line: int, words: Words) -> list[Range]:
        """Pairs in brackets, one or more a line."""
        pairs = re.findall(r"\(([^()]*)\)", " ".join(words))
        if not pairs or re.sub(r"\([^()]*\)", "", " ".join(words)).strip():
            raise self.text.error(line, " ".join(words) or "nothing", "limits such as (-90 45)")
        return [self.pair(line, pair) for pair in pairs]

    def pair(self, line: int, text: str) -> Range:
        words = text.replace(",", " ").split()
        if len(words) != 2:
            raise self.text.error(line, f"({text})", "two numbers, lower and upper")
        low, high = (self.limit(line, word) for word in words)
        if low > high or low == math.inf or high == -math.inf:
            raise self.text.error(line, f"({text})", "a lower limit not above the upper one")
        return low, high

    def limit(self, line: int, word: str) -> float:
        if word.lower().lstrip("+-") in ("inf", "infinity"):
            return -math.inf if word.startswith("-") else math.inf
        return self.text.number(word, line, "a limit", LARGEST_ANGLE)

    def check(self) -> None:
        """All bones hang on the root. A bone that hangs on nothing is left out, and noted."""
        loose = [b.name for b in self.file.bones[1:] if b.name not in self.file.parents]
        if loose:
            self.file.notes.append(
                f"bones that are not in the hierarchy were left out: {', '.join(loose)}"
            )
            self.file.bones = [b for b in self.file.bones if b.name not in loose]
            for child, parent in list(self.file.parents.items()):
                if parent in loose:
                    line = next(b.line for b in self.file.bones if b.name == child)
                    raise self.text.error(line, child, f"its parent {parent} to hang on the root")
        if len(self.file.bones) < 2:
            raise self.text.error(None, "no bone that hangs on the root", "at least one")
