"""Documents come back as they went, old ones open for ever, and bad ones are refused."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from motion.documents import HUMAN, REST, goal, over_clip, standing, swaying, waving

import poise
from poise.errors import FileError, PoiseError
from poise.figure.builtin import jack, spider
from poise.figure.builtin.jack import shoulder_groups, spine_groups
from poise.motion.document import Document, Fix, Key, Settings
from poise.motion.posing import Posing

OLD = Path(__file__).parent / "documents"


def grouped():
    groups = spine_groups()
    figure = jack().with_relations(*groups[1:], *shoulder_groups())
    return Document(figure, figure.rest_angles, spare_groups=groups[:1], name="groups ä")


def everything():
    """All that a document can hold."""
    kinds = ("position", "orientation", "aim", "line", "plane", "half-space")
    goals = [
        goal(10 + i, "left_hand", kind, pinned=False, shift=(0.1 * i, 0.0, -0.0), weight=1.0 + i)
        for i, kind in enumerate(kinds)
    ]
    goals[0] = replace(goals[0], chain="limb", space="chest", strained=(0.25, 0.0), pinned=True)
    document = swaying()
    document = replace(document, goals=(*document.goals, *goals), loop=True, fps=24.0)
    off = replace(goals[2].target, on=False, blend=0.25)
    document = document.with_key(Key(50, 0.75, None, {12: off}, "hold"))
    limited = HUMAN.with_limits({"left_elbow_flexion": (0.1, 1.0)}).with_rigidity({"spine_*": 0.5})
    return replace(document, figure=limited, settings=Settings("auto", True, False, 0.9))


def fixed():
    offset = np.random.default_rng(3).normal(size=len(HUMAN.dofs))
    return over_clip().with_fix(Fix(5, 0.5, offset, ("left_foot",), 0.1, 0.3))


DOCUMENTS = [standing, swaying, everything, fixed, grouped]


@pytest.mark.parametrize("make", DOCUMENTS)
def test_a_document_comes_back_as_it_went(make, tmp_path):
    document = make()
    poise.save(document, tmp_path / "a.poise")
    back = poise.load(tmp_path / "a.poise")
    assert back == document
    poise.save(back, tmp_path / "b.poise")
    assert (tmp_path / "a.poise").read_bytes() == (tmp_path / "b.poise").read_bytes()


def test_what_differs_is_not_equal():
    changes = {"name": "other", "loop": True, "settings": Settings(balance=True), "goals": ()}
    for name, value in changes.items():
        assert replace(standing(), **{name: value}) != standing()
    assert replace(standing(), angles=REST.angles + 1e-16) != standing()
    assert replace(standing(), figure=HUMAN.with_limits({"head_*": (0, 1)})) != standing()


def test_a_loaded_document_poses_the_same(tmp_path):
    poise.save(swaying(), tmp_path / "a.poise")
    back = poise.load(tmp_path / "a.poise")
    for time in (0.0, 0.3, 1.2):
        now, then = Posing(back).at(time).pose, Posing(swaying()).at(time).pose
        assert np.array_equal(now.angles, then.angles)


@pytest.mark.parametrize("name", sorted(p.name for p in OLD.glob("*.poise")))
def test_old_versions_always_open(name):
    document = poise.load(OLD / name)
    assert document.goals
    assert document.keys
    assert Posing(document).at(0.4).pose.is_inside_limits


def test_there_is_a_file_of_every_version():
    from poise.formats.poise_schema import VERSION

    found = {json.loads(p.read_text("utf-8"))["version"] for p in OLD.glob("*.poise")}
    assert found == set(range(1, VERSION + 1))


def test_figures_poses_and_clips_become_documents(tmp_path):
    for thing in (spider(), REST, waving()):
        poise.save(thing, tmp_path / "a.poise")
        assert isinstance(poise.load(tmp_path / "a.poise"), Document)


def test_a_document_is_exported_as_it_is_shown(tmp_path):
    """The screen and the file agree to the precision of the file."""
    document = swaying()
    poise.save(document, tmp_path / "a.bvh", unit=0.01)
    clip = poise.load(tmp_path / "a.bvh", unit=0.01)
    posing = Posing(document)
    names = list(HUMAN.segment_names)
    for i in (0, 10, 23, 45):
        shown = posing.at(i / 30.0).pose.frames[1]
        assert np.abs(clip.positions(names)[i] - shown).max() < 1e-5


# -- clips beside the document ---------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::poise.FileWarning")
def test_a_clip_beside_the_document_is_named_not_copied(tmp_path):
    poise.save(waving(), tmp_path / "clip.bvh")
    clip = poise.load(tmp_path / "clip.bvh")
    document = Document(clip.figure, clip.angles[0], clip=clip)
    poise.save(document, tmp_path / "a.poise")
    assert "frames" not in json.loads((tmp_path / "a.poise").read_text())["clip"]
    assert poise.load(tmp_path / "a.poise") == document
    (tmp_path / "clip.bvh").write_text("changed")
    with pytest.raises(FileError, match="not the file that it was"):
        poise.load(tmp_path / "a.poise")
    (tmp_path / "clip.bvh").unlink()
    with pytest.raises(FileError, match="missing"):
        poise.load(tmp_path / "a.poise")
    poise.save(document, tmp_path / "a.poise")
    assert poise.load(tmp_path / "a.poise") == document


def test_a_clip_that_is_no_file_can_only_be_in_the_document(tmp_path):
    with pytest.raises(FileError, match="embed=True"):
        poise.save(fixed(), tmp_path / "a.poise", embed=False)
    assert not (tmp_path / "a.poise").exists()


# -- bad files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("goals", 1, "kind", "magnet"), r"line \d+: goals\[1\].kind.*magnet"),
        (("goals", 0, "target", "position", [1, 2]), r"line \d+: goals\[0\].target.position"),
        (("goals", 0, "effector", "nose"), "unknown site or segment.*nose"),
        (("goals", 0, "weight", -1), r"goals\[0\].weight"),
        (("keys", 2, "time", -1), r"keys\[2\].time"),
        (("keys", 2, "angles", {"nose": 1.0}), "unknown DOF"),
        (("keys", 2, "id", 1), "same id"),
        (("keys", 0, "more", 1), "unknown field"),
        (("version", 99), "newer Poise"),
        (("version", "1"), "version from 1"),
        (("format", "other"), "not a document of Poise"),
        (("timeline", {"duration": 0}), "timeline.duration"),
        (("figure", "segments", 3, "parent", "nobody"), "nobody"),
        (("figure", "segments", 1, "joint", "motions", 0, "kind", "jump"), "jump"),
        (("clip", {}), "neither frames nor a file"),
        (("clip", {"file": "../../x.bvh"}), "outside this folder"),
        (("clip", {"frames": [[1.0]]}), "frame 0"),
    ],
)
def test_bad_files_are_refused_with_the_place(tmp_path, change, expected):
    path = tmp_path / "a.poise"
    poise.save(swaying(), path)
    plain = json.loads(path.read_text())
    at = plain
    *steps, last, value = change
    for step in steps:
        at = at[step]
    at[last] = value
    path.write_text(json.dumps(plain, indent=1))
    with pytest.raises(FileError, match=expected) as error:
        poise.load(path)
    assert "a.poise" in str(error.value)


def test_the_line_is_that_of_the_fault(tmp_path):
    path = tmp_path / "a.poise"
    poise.save(swaying(), path)
    lines = path.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if '"kind": "pose"' in line)
    lines[at] = lines[at].replace("pose", "magnet")
    path.write_text("\n".join(lines))
    with pytest.raises(FileError, match=f"line {at + 1}:"):
        poise.load(path)
    lines[at] = "nonsense"
    path.write_text("\n".join(lines))
    with pytest.raises(FileError, match=f"line {at + 1}:.*not JSON"):
        poise.load(path)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_broken_bytes_end_in_our_error(tmp_path, data):
    path = tmp_path / "a.poise"
    whole = (OLD / "version-1.poise").read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    size = data.draw(st.integers(0, 30))
    path.write_bytes(whole[:at] + data.draw(st.binary(max_size=10)) + whole[at + size :])
    with contextlib.suppress(PoiseError):
        poise.load(path)
