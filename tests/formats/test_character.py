"""The mesh of a character stays with its document."""

import pytest
from formats.gltfs import character, saved

import poise
from poise.errors import FileError
from poise.formats.character import character_of, character_source
from poise.formats.registry import read
from poise.motion.document import Document


def opened(path):
    found = read(path)
    figure = found.value if found.clip is None else found.value.figure
    return Document(figure, figure.rest_angles, source=found.source)


@pytest.mark.parametrize("moving", ["LINEAR", None])
def test_a_document_keeps_its_character(tmp_path, moving):
    document = opened(saved(tmp_path, character(moving)[0]))
    kept = character_of(document)
    poise.save(document, tmp_path / "out.poise")
    back = poise.load(tmp_path / "out.poise")
    again = character_of(back)
    assert again.packed == kept.packed
    assert {n: b.node for n, b in again.bound.items()} == {n: b.node for n, b in kept.bound.items()}


def test_the_frames_of_a_document_are_written_into_its_character(tmp_path):
    document = opened(saved(tmp_path, character(None)[0]))
    poise.save(document, tmp_path / "out.glb")
    json = read(tmp_path / "out.glb").source.details["gltf"].file.json
    assert json["meshes"][0]["extras"] == {"targetNames": ["smile"]}
    assert "VRMC_vrm" in json["extensions"]


def test_a_body_of_our_own_is_no_character(tmp_path):
    poise.save(poise.figures.arm(), tmp_path / "arm.glb")
    assert not character_of(opened(tmp_path / "arm.glb")).has_mesh


@pytest.mark.parametrize("text", ["not base64!", "aGVsbG8="])
def test_a_broken_character_is_refused(text):
    with pytest.raises(FileError, match="character"):
        character_source(text)
