"""The one settings file of a batch: which job, and its options, read strictly by their types."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from poise.errors import FileError, OptionError, unknown_name

Positive = Annotated[float, Meta(gt=0)]
Axis = Literal["Y", "Z"]
Share = Annotated[float, Meta(ge=0, le=1)]


class _Job(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="job"):
    """What all jobs take: how files are read and written."""

    unit: Positive | None = None
    """Metres per unit of .bvh files; guessed if not given."""
    up: Axis | None = None
    """The axis that points up; guessed if not given."""
    fps: Positive | None = None
    """Frames a second, where files are wrong about it or do not say."""
    figure: str | None = None
    """The .asf file of all .amc files; else the one that lies beside each."""
    incomplete: bool = False
    """Read the whole frames of files that are cut off."""
    format: str = ".bvh"
    """The kind of file that is written."""
    decimals: Annotated[int, Meta(ge=1, le=15)] = 6
    """Of numbers in .bvh files."""

    @property
    def name(self) -> str:
        return type(self).__struct_config__.tag  # type: ignore[return-value]

    @property
    def writes(self) -> bool:
        """Whether the job makes files; else only rows."""
        return True

    def files(self) -> list[str]:
        """Files that the settings name; their contents count as settings."""
        return [] if self.figure is None else [self.figure]


class Track(_Job, frozen=True, kw_only=True, tag="track"):
    """Let every skeleton follow its own motion by a few points, inside its limits."""

    effectors: list[str] | None = None
    """Sites or segments that are followed; hands, feet, head and pelvis if not given."""
    limits: str = "learned:10"
    """file, learned:DEG, human or none."""
    interval: Positive | None = None
    """Seconds between two solves; every frame if not given."""
    contacts: bool = False
    """Lock heels and balls where they stand still."""
    smooth: Positive | None = None
    """Take out what swings faster than so many hertz."""
    max_velocity: Positive | None = None
    """No joint turns faster [degrees a second]."""
    tolerance: Positive = 1e-3
    """How close counts as reached [m]."""


class Retarget(_Job, frozen=True, kw_only=True, tag="retarget"):
    """Put every motion on another figure."""

    to: str
    """A built-in figure, or a file with a skeleton."""
    to_up: Axis | None = None
    """The axis of a robot's .urdf file that points up; Z if not given."""
    mapping: str | None = None
    """A .json file that says what follows what; matched by name if not given."""
    contacts: bool | None = None
    """Lock heels and balls where they stand still; if not given, on other skeletons."""
    stiffness: dict[str, Share] = field(default_factory=dict)
    """How much joints stay at rest, by name or pattern."""

    def files(self) -> list[str]:
        named = [self.mapping] if self.mapping is not None else []
        return [*super().files(), *named, *([self.to] if Path(self.to).suffix else [])]


class Clean(_Job, frozen=True, kw_only=True, tag="clean"):
    """Remove jitter and lock feet where they stand, near the captured motion."""

    cutoff: Positive = 8.0
    """What swings faster than so many hertz is taken out."""
    feet: bool = True
    """Lock heels and balls where they stand still."""
    limits: str = "learned:10"
    """file, learned:DEG, human or none."""
    tolerance: Positive = 1e-3
    """How close counts as reached [m]."""


class Convert(_Job, frozen=True, kw_only=True, tag="convert"):
    """Write every motion to another kind of file, in another unit or at another frame rate."""

    resample: Positive | None = None
    """Frames a second of what is written; as it came if not given."""
    out_unit: Positive | None = None
    """Metres per unit of what is written; as it came if not given."""


class Report(_Job, frozen=True, kw_only=True, tag="report"):
    """Measure every motion as it is and write nothing: limits, foot slip, jitter."""

    limits: str = "file"
    """file, human or none: frames outside count as at limits."""

    @property
    def writes(self) -> bool:
        return False


Settings = Track | Retarget | Clean | Convert | Report
JOBS: dict[str, type[Settings]] = {
    "track": Track,
    "retarget": Retarget,
    "clean": Clean,
    "convert": Convert,
    "report": Report,
}


def read_settings(path: str | Path) -> Settings:
    """The settings of a .toml or .json file; a file that is named in it is beside it."""
    source = Path(path)
    try:
        text = source.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {source}: {error.strerror or error}") from None
    decode = {".toml": msgspec.toml.decode, ".json": msgspec.json.decode}.get(source.suffix)
    if decode is None:
        raise OptionError(f"{source}: settings are a .toml or .json file; name it so")
    try:
        plain = decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FileError(f"{source}: {error}") from None
    return settings_of(plain, str(source), source.parent)


def settings_of(plain: Any, where: str = "settings", beside: Path | None = None) -> Settings:
    """Settings of plain data, e.g. {"job": "track", "limits": "none"}; checked."""
    if not isinstance(plain, dict):
        raise OptionError(f'{where}: expected names and values, such as job = "track"')
    job = plain.get("job")
    if job not in JOBS:
        raise OptionError(f"{where}: {unknown_name('job', job, JOBS)}")
    for name in plain:
        if name != "job" and name not in JOBS[job].__struct_fields__:
            known = JOBS[job].__struct_fields__
            raise OptionError(f"{where}: {unknown_name(f'setting of job {job!r}', name, known)}")
    try:
        made = msgspec.convert(plain, JOBS[job])
    except msgspec.ValidationError as error:
        raise OptionError(f"{where}: {str(error).replace('`$.', '`')}") from None
    made = _placed(made, beside)
    _check(made, where)
    return made


def _placed(settings: Settings, beside: Path | None) -> Settings:
    """With files by their whole names, so that every worker finds them."""
    changes = {}
    for name in ("figure", "mapping", "to"):
        value = getattr(settings, name, None)
        if value is not None and value in settings.files():
            changes[name] = str(((beside or Path()) / value).absolute())
    return msgspec.structs.replace(settings, **changes)


def _check(settings: Settings, where: str) -> None:
    from poise.formats.registry import suffixes
    from poise.motion.limit_choice import check_choice

    known = [suffix for suffix in suffixes("writes") if suffix != ".poise"]
    if settings.format not in known:
        raise OptionError(f"{where}: {unknown_name('format', settings.format, known)}")
    limits = getattr(settings, "limits", None)
    if limits is not None:
        try:
            check_choice(limits)
        except OptionError as error:
            raise OptionError(f"{where}: {error}") from None
    for name in settings.files():
        if not Path(name).is_file():
            raise OptionError(f"{where}: there is no file {name}")


def encoded(settings: Settings) -> bytes:
    """As JSON, in a fixed order: what workers get."""
    return msgspec.json.encode(settings, order="deterministic")


def decoded(data: bytes) -> Settings:
    """What `encoded` made."""
    return msgspec.json.decode(data, type=Settings)


def settings_hash(settings: Settings) -> str:
    """The same for the same results: of the options, and of the files that they name."""
    plain = msgspec.to_builtins(settings)
    digest = hashlib.blake2b(digest_size=16)
    for name in settings.files():
        digest.update(Path(name).read_bytes())
        plain = {key: Path(value).name if value == name else value for key, value in plain.items()}
    digest.update(msgspec.json.encode(plain, order="deterministic"))
    return digest.hexdigest()
