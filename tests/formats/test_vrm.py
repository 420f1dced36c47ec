"""VRM characters of both versions: their own bones are known, and all that they bring is kept."""

import numpy as np
import pytest
from formats.vrms import BONES, saved

import poise
from poise.formats.registry import read
from poise.motion.roles import body_of

BOTH = pytest.mark.parametrize("version", ["0.0", "1.0"])
OURS = {"animations", "bufferViews", "accessors", "buffers"}


def content(path):
    return read(path).source.details["gltf"].file.json


@BOTH
def test_bones_are_known_by_what_the_file_calls_them(tmp_path, version):
    loaded = read(saved(tmp_path, version))
    figure = loaded.figure
    assert loaded.source.details["humanoid"]["leftUpperArm"] == "b007"
    assert [s.bone for s in figure.segments if s.bone] == sorted(
        (bone for bone, _, _ in BONES), key=lambda bone: figure.segment_index(
            loaded.source.details["humanoid"][bone]))  # fmt: skip
    body = body_of(figure)
    assert body.roles["left_upper_arm"] == "b007"
    assert body.roles["right_shank"] == loaded.source.details["humanoid"]["rightLowerLeg"]
    assert (body.roles["pelvis"], body.roles["chest"]) == ("b001", "b003")
    assert (body.spine, body.neck, body.doubts) == (["b002"], ["b004"], [])


@BOTH
def test_a_walk_on_a_character_keeps_all_that_it_brings(tmp_path, version):
    path = saved(tmp_path, version)
    clip = poise.motions.walk().resampled(20.0)
    made = poise.retarget(clip, poise.load(path))
    assert np.degrees(made.turn_error) < 6.0
    assert made.feet.count > 4
    assert made.feet.slip <= 0.005
    assert made.feet.penetration <= 0.01
    out = tmp_path / "walking.vrm"
    poise.save(made.clip, out, character=path)
    before, after = content(path), content(out)
    assert {k: v for k, v in after.items() if k not in OURS} == {
        k: v for k, v in before.items() if k not in OURS
    }
    count = len(before["accessors"])
    assert after["accessors"][:count] == before["accessors"]
    back = poise.load(out)
    there, here = (c.positions(["b001", "b009", "b013"]) for c in (back, made.clip))
    np.testing.assert_allclose(there, here, atol=1e-5)


@BOTH
def test_the_bones_stay_known_in_a_document(tmp_path, version):
    figure = poise.load(saved(tmp_path, version))
    poise.save(figure, tmp_path / "someone.poise")
    assert body_of(poise.load(tmp_path / "someone.poise").figure).roles == body_of(figure).roles
