"""The syntax of BVH files: text to joints and numbers, with nothing understood yet."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import FileError
from poise.formats.numbers import numbers_of
from poise.formats.text import Text

Vector = tuple[float, float, float]

CHANNELS = {
    f"{axis}{what}".lower(): f"{axis}{what}" for what in ("position", "rotation") for axis in "XYZ"
}
"""The six channel names by their lower-case spelling."""
_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_NAME = re.compile(r"[^\S\n]*([^\n{}]*)")
_FRAMES = re.compile(r"\s*frames\s*:\s*(\S+)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"\s*frame\s+time\s*:\s*(\S+)", re.IGNORECASE)


@dataclass
class BvhJoint:
    """A joint as it is written: lengths in units of the file."""

    name: str
    parent: int
    line: int
    offset: Vector | None = None
    channels: list[str] | None = None
    ends: list[Vector] = field(default_factory=list)
    """The offsets of its End Sites."""


@dataclass
class BvhHeader:
    """What stands before the motion: joints in the order of their channels, and how many frames."""

    joints: list[BvhJoint]
    frames: int
    frame_time: str

    @property
    def width(self) -> int:
        """How many numbers a frame has."""
        return sum(len(joint.channels or ()) for joint in self.joints)


@dataclass
class BvhFile:
    """A whole file: its header, and a row of numbers a frame."""

    header: BvhHeader
    rows: NDArray[np.float64]
    """(frames, channels) in degrees and units of the file."""
    notes: list[str]


def parse(path: Path, incomplete: bool = False) -> BvhFile:
    """Read a BVH file. With `incomplete`, another number of frames than is declared will do."""
    parser = _Parser(Text(path), incomplete)
    header = parser.header()
    return BvhFile(header, parser.rows(header), parser.notes)


def parse_header(text: Text) -> BvhHeader:
    """Read what stands before the motion of a BVH file."""
    return _Parser(text, False).header()


class _Parser:
    def __init__(self, text: Text, incomplete: bool) -> None:
        self.text = text
        self.incomplete = incomplete
        self.place = 0
        self.counted, self.line = 0, 1
        self.joints: list[BvhJoint] = []
        self.notes: list[str] = []

    def header(self) -> BvhHeader:
        self.expect("HIERARCHY")
        self.hierarchy()
        found = self.token()
        if found.upper() == "ROOT":
            name = self.name("the second ROOT")
            raise FileError(
                f"{self.text.path}, line {self.line}: a second ROOT {name!r}; Poise reads one"
                " figure a file: split the file, one ROOT each"
            )
        if found.upper() != "MOTION":
            raise self.wrong(found, "MOTION after the joints")
        count = self.frame_count(self.line_of(_FRAMES, "Frames:"))
        frame_time = self.line_of(_FRAME_TIME, "Frame Time:")
        self.text.number(frame_time, self.line, "the Frame Time")
        return BvhHeader(self.joints, count, frame_time)

    # -- tokens --------------------------------------------------------------------------------

    def token(self) -> str:
        """The next word or brace; empty at the end."""
        match = _TOKEN.search(self.text.content, self.place)
        if match is None:
            self.move(len(self.text.content))
            return ""
        self.move(match.start())
        self.place = match.end()
        return match.group()

    def move(self, place: int) -> None:
        """Go to a place further on, counting lines."""
        self.line += self.text.content.count("\n", self.counted, place)
        self.counted = self.place = place

    def expect(self, wanted: str) -> None:
        found = self.token()
        if found.upper() != wanted:
            raise self.wrong(found, wanted)

    def wrong(self, found: str, expected: str) -> FileError:
        return self.text.error(self.line, found, expected)

    def name(self, what: str) -> str:
        """The rest of the line, which may have spaces in it, or the next word."""
        match = _NAME.match(self.text.content, self.place)
        name = match.group(1).strip() if match else ""
        if name and match:
            self.place = match.end()
            return name
        name = self.token()
        if not name or name in "{}":
            raise self.wrong(name, f"a name for {what}")
        return name

    def vector(self, what: str) -> Vector:
        x, y, z = (self.text.number(self.token(), self.line, what) for _ in range(3))
        return x, y, z

    # -- the hierarchy -------------------------------------------------------------------------

    def hierarchy(self) -> None:
        """The joints, from ROOT to its closing brace. Not recursive: files may be deep."""
        self.expect("ROOT")
        stack = [self.opened(-1)]
        while stack:
            joint = self.joints[stack[-1]]
            found = self.token()
            match found.upper():
                case "OFFSET":
                    if joint.offset is not None:
                        raise self.wrong(found, f"one OFFSET of joint {joint.name!r}, not two")
                    joint.offset = self.vector(f"the OFFSET of joint {joint.name!r}")
                case "CHANNELS":
                    if joint.channels is not None:
                        raise self.wrong(found, f"one CHANNELS of joint {joint.name!r}, not two")
                    joint.channels = self.channels(joint.name)
                case "JOINT":
                    stack.append(self.opened(stack[-1]))
                case "END":
                    joint.ends.append(self.end_site(joint.name))
                case "}":
                    if joint.offset is None:
                        raise self.wrong(found, f"an OFFSET of joint {joint.name!r} before it")
                    stack.pop()
                case _:
                    raise self.wrong(
                        found, f"OFFSET, CHANNELS, JOINT, End Site or }} in joint {joint.name!r}"
                    )

    def opened(self, parent: int) -> int:
        """A new joint, up to its opening brace."""
        name = self.name("the joint")
        self.joints.append(BvhJoint(name, parent, self.line))
        self.expect("{")
        return len(self.joints) - 1

    def channels(self, name: str) -> list[str]:
        token = self.token()
        if not (token.isascii() and token.isdigit() and len(token) <= 2):
            raise self.wrong(token, f"the number of channels of joint {name!r}")
        found: list[str] = []
        for _ in range(int(token)):
            word = self.token()
            channel = CHANNELS.get(word.lower())
            if channel is None:
                raise self.wrong(
                    word, f"{token} channels of joint {name!r}, such as Xposition or Zrotation"
                )
            if channel in found and channel.endswith("position"):
                raise self.wrong(word, f"each position channel of joint {name!r} once")
            found.append(channel)
        return found

    def end_site(self, name: str) -> Vector:
        self.expect("SITE")
        found = self.token()
        while found not in ("{", "}", ""):  # a name that some programs write
            found = self.token()
        if found != "{":
            raise self.wrong(found, "{")
        self.expect("OFFSET")
        offset = self.vector(f"the End Site of joint {name!r}")
        self.expect("}")
        return offset

    # -- the motion ----------------------------------------------------------------------------

    def line_of(self, pattern: re.Pattern[str], wanted: str) -> str:
        match = pattern.match(self.text.content, self.place)
        if match is None:
            raise self.wrong(self.token(), wanted)
        self.move(match.start(1))
        self.place = match.end()
        return match.group(1)

    def frame_count(self, token: str) -> int:
        if not (token.isascii() and token.isdigit() and len(token) <= 12):
            raise self.wrong(token, "the number of frames")
        return int(token)

    def rows(self, header: BvhHeader) -> NDArray[np.float64]:
        """(frames, channels); rows may be wrapped over lines."""
        count, width = header.frames, header.width
        motion = self.text.content[self.place :]
        values = numbers_of(motion, count * width)
        if not np.isfinite(values).all() or "_" in motion:  # 1_000 is a number in Python only
            raise self.bad_number()
        if width == 0:
            if count or len(values):
                raise self.wrong("frames", "at least one joint with channels for them to move")
            return np.zeros((0, 0))
        frames, left_over = divmod(len(values), width)
        if (frames != count or left_over) and not self.incomplete:
            raise self.miscounted(count, frames, left_over, width)
        if frames != count or left_over:
            self.notes.append(
                f"{count} frames are declared; the {frames} whole ones that are there were read"
            )
        return values[: frames * width].reshape(frames, width)

    def miscounted(self, count: int, frames: int, left_over: int, width: int) -> FileError:
        self.move(len(self.text.content.rstrip()))
        rest = f" and {left_over} numbers" if left_over else ""
        return FileError(
            f"{self.text.path}, line {self.line}: found {frames} frames{rest}, expected {count}"
            f" frames of {width} numbers; the file may be cut off: give incomplete=True to read"
            " the whole frames that are there"
        )

    def bad_number(self) -> FileError:
        """The first word of the motion that is no number."""
        while word := self.token():
            self.text.number(word, self.line, "a channel", most=sys.float_info.max)
        raise AssertionError("all words are numbers")
