"""The mesh of an opened character: skinned, textured, and driven by the solved pose."""

import numpy as np
import pytest
from studio.characters import character_file
from studio.desk import opened

import poise


def drawn(desk):
    """(vertices, 3) where the page draws the mesh [m]."""
    return np.array(desk.page.evaluate("poise.mesh.points"))


def skinned(path, segments, rest):
    """(vertices, 3) the mesh of a file by our own sums: the linear blend of what its bones do."""
    from poise.formats.gltf_accessors import accessor
    from poise.formats.gltf_container import read_container

    file = read_container(path)
    found = file.json["meshes"][0]["primitives"][0]["attributes"]
    points, joints, weights = (
        accessor(file, found[name], width)
        for name, width in (("POSITION", 3), ("JOINTS_0", 4), ("WEIGHTS_0", 4))
    )
    moved = np.zeros_like(points)
    for k in range(4):
        for s in range(len(segments[1])):
            own = (joints[:, k] == s) & (weights[:, k] > 0)
            local = (points[own] - rest[1][s]) @ rest[0][s]
            moved[own] += weights[own, k, None] * (local @ segments[0][s].T + segments[1][s])
    return moved


@pytest.mark.parametrize("name", ["dancer.glb", "dancer.vrm"])
def test_the_mesh_of_an_opened_character_follows_the_drag(desk, tmp_path, name):
    path = character_file(tmp_path / name)
    opened(desk, path)
    desk.until(lambda s: s["hasMesh"], "a mesh")
    figure = poise.load(path)
    rest = figure.rest().frames
    assert np.abs(drawn(desk) - skinned(path, rest, rest)).max() < 1e-4
    assert desk.page.evaluate("poise.mesh.textures") == 1
    desk.drag("left_hand", 60, -120)
    pose = figure.pose(list(desk.state["angles"].values()))
    assert np.abs(drawn(desk) - skinned(path, rest, rest)).max() > 0.1
    assert np.abs(drawn(desk) - skinned(path, pose.frames, rest)).max() < 1e-4


def test_the_mesh_comes_back_with_the_saved_document_and_goes_with_another_figure(desk, tmp_path):
    opened(desk, character_file(tmp_path / "dancer.glb"))
    desk.until(lambda s: s["hasMesh"], "a mesh")
    desk.drag("left_hand", 60, -120)
    before = drawn(desk)
    desk.page.get_by_label("Ghost").select_option("reference")
    saved = desk.download("Download .poise", tmp_path)
    glb = desk.download("Download .glb", tmp_path)
    desk.choose("File", "New human")
    desk.until(lambda s: not s["hasMesh"], "our own body")
    opened(desk, saved)
    desk.until(lambda s: s["hasMesh"], "the mesh again")
    desk.settle()
    assert np.abs(drawn(desk) - before).max() < 1e-4
    opened(desk, glb)  # written into the character, with the motion
    desk.until(lambda s: s["hasMesh"] and s["clip"], "the mesh with a clip")
    desk.settle()
    assert np.abs(drawn(desk) - before).max() < 1e-4


def test_a_mesh_that_cannot_be_read_leaves_our_own_body(desk, tmp_path):
    opened(desk, character_file(tmp_path / "dancer.glb", packed_with="KHR_draco_mesh_compression"))
    notice = desk.page.locator(".notice.warning")
    notice.wait_for()
    assert "not drawn: it is packed with Draco" in notice.inner_text()
    assert not desk.state["hasMesh"]
    desk.drag("left_hand", 40, -60)
