"""glTF and VRM: figures and clips out and back, characters kept, broken files refused."""

import base64
import json

import numpy as np
import pytest
from formats import vrms
from formats.gltfs import character, places, saved, validator
from hypothesis import given, settings
from hypothesis import strategies as st
from joints import JOINTS, random_figure
from motion.bodies import puppet, wandering
from scipy.spatial.transform import Rotation, Slerp

import poise
from poise import Clip
from poise.formats import read
from poise.motion.world import segment_frames

EXACT = 5e-6  # [m]: the file has single precision


def assert_same_motion(found, expected, turn=None):
    turn = np.eye(3) if turn is None else turn
    assert len(found) == len(expected)
    for name in expected.figure.segment_names:
        there, here = (
            segment_frames(c.figure, c.angles)[1][:, c.figure.segment_index(name)]
            for c in (found, expected)
        )
        np.testing.assert_allclose(there, here @ turn.T, atol=EXACT)


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("name", ["human", "jack", "arm", "spider"])
def test_built_in_figures_come_back(name, suffix, tmp_path):
    figure = getattr(poise.figures, name)()
    rng = np.random.default_rng(1)
    rest = figure.rest_angles
    angles = [figure.pose(rest + rng.normal(0, 0.3, rest.size)).clamped().angles for _ in range(4)]
    clip = Clip(figure, angles, 1 / 60, "moves")
    poise.save(clip, tmp_path / f"a{suffix}")
    back = poise.load(tmp_path / f"a{suffix}")
    assert back.figure.segment_names == figure.segment_names
    assert (back.frame_time, back.name) == (clip.frame_time, "moves")
    assert_same_motion(back, clip)
    sites = [site.name for site in figure.sites]
    np.testing.assert_allclose(back.positions(sites), clip.positions(sites), atol=EXACT)
    np.testing.assert_allclose(back.rotations(sites), clip.rotations(sites), atol=EXACT)


@settings(max_examples=25)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_every_kind_of_joint_comes_back(data, seed, tmp_path_factory):
    cases = data.draw(st.lists(st.sampled_from(JOINTS), min_size=1, max_size=4))
    parents = [None] + [data.draw(st.integers(0, i - 1)) for i in range(1, len(cases))]
    rng = np.random.default_rng(seed)
    figure = random_figure(cases, parents, rng)
    clip = Clip(figure, rng.uniform(-1.2, 1.2, (3, len(figure.dofs))))
    path = tmp_path_factory.mktemp("gltf") / "a.glb"
    poise.save(clip, path)
    assert_same_motion(poise.load(path), clip)


def test_z_up_is_turned_to_y_up(tmp_path):
    clip = wandering(puppet(up="Z"))
    poise.save(clip, tmp_path / "a.glb")
    back = poise.load(tmp_path / "a.glb")
    assert back.figure.up == "Y"
    assert_same_motion(back, clip, np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]))


def test_a_figure_comes_back_as_a_figure_and_a_pose_as_a_frame(tmp_path):
    human = poise.figures.human()
    poise.save(human, tmp_path / "a.glb")
    figure = poise.load(tmp_path / "a.glb")
    assert isinstance(figure, poise.Figure)
    np.testing.assert_allclose(figure.rest().frames[1], human.rest().frames[1], atol=EXACT)
    pose = human.rest().with_angles({"left_elbow_flexion": 1.0})
    poise.save(pose, tmp_path / "a.glb")
    back = poise.load(tmp_path / "a.glb")
    assert len(back) == 1
    np.testing.assert_allclose(back[0].frames[1], pose.frames[1], atol=EXACT)


def test_quaternions_are_written_without_jumps(tmp_path):
    figure = puppet(root=poise.joint.free(), spine=poise.joint.rotation_vector())
    angles = np.zeros((200, len(figure.dofs)))
    angles[:, 4] = np.linspace(0, 4 * np.pi, 200)
    poise.save(Clip(figure, angles), tmp_path / "a.gltf")
    kept = read(tmp_path / "a.gltf").source.details["gltf"]
    from poise.formats.gltf_animation import read_animation

    turns = read_animation(kept.file, 99, None).channels[0, "rotation"].values
    assert np.abs(np.diff(turns, axis=0)).max() < 0.1


def test_a_scaled_and_turned_armature_is_folded_in(tmp_path):
    document, turns, slides = character()
    clip = poise.load(saved(tmp_path, document))
    assert (clip.name, len(clip), clip.fps) == ("dance", 7, 24.0)
    assert clip.figure.segment_names == ("Hips", "Spine", "Head")
    assert clip.source.details["humanoid"] == {"hips": "Hips", "spine": "Spine", "head": "Head"}
    for frame in range(7):
        expected = places(document, turns, slides, frame)
        found = clip[frame : frame + 1].positions(["Hips", "Spine", "Head", "Tip"])[0]
        np.testing.assert_allclose(found, [expected[n] for n in ("Hips", "Spine", "Head", "Tip")],
                                   atol=EXACT)  # fmt: skip


def test_a_still_character_is_a_figure_at_rest(tmp_path):
    document, _, _ = character(None)
    figure = poise.load(saved(tmp_path, document))
    expected = places(document)
    for name in ("Hips", "Spine", "Head", "Tip"):
        np.testing.assert_allclose(figure.rest().position(name), expected[name], atol=EXACT)


@pytest.mark.parametrize("interpolation", ["STEP", "LINEAR", "CUBICSPLINE"])
def test_interpolation_between_keys(interpolation, tmp_path):
    document, turns, slides = character(interpolation, frames=3)
    path = saved(tmp_path, document)
    clip = poise.load(path, fps=48)
    assert len(clip) == 5
    middle = clip[1:2]  # half way between the first two keys
    if interpolation == "STEP":
        turn, slide = turns[1][0], slides[0]
    elif interpolation == "LINEAR":
        turn = Slerp([0, 1], Rotation.from_quat(turns[1][:2]))(0.5).as_quat()
        slide = 0.5 * (slides[0] + slides[1])
    else:  # by the formula of glTF 2.0, appendix C
        turn, slide = (0.5 * (v[1] + v[4]) + (v[2] - v[3]) / 24 / 8 for v in (turns[1], slides))
    document["nodes"][2]["rotation"] = turn.tolist()
    hips = {"LINEAR": Slerp([0, 1], Rotation.from_quat(turns[0][:2]))(0.5).as_quat(),
            "STEP": turns[0][0]}.get(interpolation)  # fmt: skip
    if hips is None:
        hips = 0.5 * (turns[0][1] + turns[0][4]) + (turns[0][2] - turns[0][3]) / 24 / 8
    document["nodes"][1] |= {"rotation": hips.tolist(), "translation": slide.tolist()}
    expected = places(document)
    np.testing.assert_allclose(
        middle.positions(["Hips", "Head"])[0], [expected["Hips"], expected["Head"]], atol=EXACT
    )


def test_the_character_is_kept(tmp_path):
    document, _, _ = character()
    path = saved(tmp_path, document)
    clip = poise.load(path)
    poise.save(clip.reversed(), tmp_path / "out.gltf")
    back = poise.load(tmp_path / "out.gltf")
    assert_same_motion(back, clip.reversed())
    now = json.loads((tmp_path / "out.gltf").read_text())
    for key in document.keys() - {"animations", "bufferViews", "accessors", "buffers"}:
        assert now[key] == document[key], key
    count = len(document["accessors"])
    assert now["accessors"][:count] == document["accessors"]
    there, here = (
        read(p).source.details["gltf"].file.buffers[0] for p in (tmp_path / "out.gltf", path)
    )
    assert there.startswith(here)


def test_a_pose_of_a_character_is_written_into_its_file(tmp_path):
    document, _, _ = character(None)
    path = saved(tmp_path, document)
    figure = poise.load(path)
    pose = figure.rest().with_angles({"Spine_rx": 0.7, "Head_rz": 0.2})
    poise.save(pose, tmp_path / "out.vrm", character=path)
    back = poise.load(tmp_path / "out.vrm")
    np.testing.assert_allclose(back[0].frames[1], pose.frames[1], atol=EXACT)
    kept = read(tmp_path / "out.vrm").source.details["gltf"].file.json
    assert kept["meshes"] == document["meshes"]
    with pytest.raises(poise.OptionError, match="retarget"):
        poise.save(poise.figures.arm(), tmp_path / "out.vrm", character=path)


def test_what_is_written_is_valid(tmp_path):
    clip = wandering(puppet(up="Z"))
    poise.save(clip, tmp_path / "new.glb")
    poise.save(clip, tmp_path / "new.gltf")
    poise.save(clip.figure, tmp_path / "figure.glb")
    poise.save(poise.load(tmp_path / "new.glb"), tmp_path / "again.glb")
    poise.save(poise.load(saved(tmp_path, character()[0])), tmp_path / "character.vrm")
    names = ["new.glb", "new.gltf", "figure.glb", "again.glb", "character.vrm", "character.gltf"]
    for version in ("0.0", "1.0"):
        path = vrms.saved(tmp_path, version)
        rest = poise.load(path).rest_angles
        turned = poise.Clip(poise.load(path), [rest, rest + 0.1, rest + 0.2])
        poise.save(turned, tmp_path / f"turned-{version}.vrm", character=path)
        names += [path.name, f"turned-{version}.vrm"]
    issues = validator(tmp_path)(*(tmp_path / name for name in names))
    for name, found in zip(names, issues, strict=True):
        # The name "VRM" of version 0.x has no prefix, which the validator wants of all.
        known = [m for m in found["messages"] if m["code"] == "INVALID_EXTENSION_NAME_FORMAT"]
        assert found["numErrors"] == 0, (name, found["messages"])
        assert found["numWarnings"] == len(known), (name, found["messages"])


def test_vrm_0_names(tmp_path):
    document, _, _ = character(None)
    bones = [{"bone": "hips", "node": 1}, {"bone": "head", "node": 3}]
    document["extensions"] = {"VRM": {"humanoid": {"humanBones": bones}}}
    source = read(saved(tmp_path, document)).source
    assert source.details["humanoid"] == {"hips": "Hips", "head": "Head"}


def test_sparse_keys_and_several_animations_are_told(tmp_path):
    document, _, _ = character(frames=3, fps=2.0)
    document["animations"].append({**document["animations"][0], "name": "other"})
    path = saved(tmp_path, document)
    clip = read(path).value
    assert clip.fps == pytest.approx(30)
    assert len(clip) == 31
    assert any("2 animations" in note for note in clip.source.notes)
    assert any("sampled at 30 fps" in note for note in clip.source.notes)
    assert read(path, animation="other").value.name == "other"
    with pytest.raises(poise.OptionError, match="did you mean 'other'"):
        read(path, animation="othr")


def change(document, path, value):
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["asset", "version"], "1.0", "asset.version"),
        (
            ["nodes", 0, "children"],
            [1, 99],
            r"nodes\[0\].children\[1\]: found '99', expected an index",
        ),
        (["nodes", 3, "children"], [1], "each node in one parent"),
        (["nodes", 1, "rotation"], [0, 0, 0, 0], "quaternion"),
        (["nodes", 1, "translation"], [0, "x", 0], r"nodes\[1\].translation"),
        (["nodes", 0, "scale"], [0, 0, 0], "above 0"),
        (["nodes"], {}, "list of objects"),
        (["skins", 0, "joints"], [1, -1], r"skins\[0\].joints"),
        (["buffers", 0, "byteLength"], 10**9, "byteLength"),
        (["buffers", 0, "uri"], "../../secret.bin", "beside"),
        (["buffers", 0, "uri"], "data:;base64,!!", "base64"),
        (["bufferViews", 3, "byteLength"], 10**6, r"bufferViews\[3\]"),
        (["accessors", 5, "count"], 10**6, r"accessors\[5\]"),
        (["accessors", 6, "type"], "VEC2", r"accessors\[6\].type"),
        (["animations", 0, "samplers", 0, "interpolation"], "MAGIC", "CUBICSPLINE"),
        (["extensions", "VRMC_vrm", "humanoid", "humanBones", "hips", "node"], 77, "humanBones"),
    ],
)
def test_broken_files_are_refused_by_place(path, value, message, tmp_path):
    document, _, _ = character()
    change(document, path, value)
    with pytest.raises(poise.FileError, match=message):
        poise.load(saved(tmp_path, document))


@pytest.mark.parametrize("cut", [3, 11, 19, 30, 200, -5])
def test_a_binary_file_that_is_cut_off(cut, tmp_path):
    path = tmp_path / "a.glb"
    poise.save(poise.figures.arm(), path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(poise.FileError, match=r"a\.glb"):
        poise.load(path)


@given(data=st.data())
def test_any_bytes_are_read_or_refused(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gltf")
    path = folder / "a.glb"
    poise.save(poise.load(saved(folder, character()[0])), path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        value = read(path).value
    except poise.FileError:
        return
    poise.save(value, folder / "again.glb")


def test_the_simple_body_faces_outwards():
    from poise.formats.gltf_mesh import bone_mesh

    human = poise.figures.human()
    rotations, origins = (part[0] for part in segment_frames(human, human.rest_angles[None]))
    mesh = bone_mesh(human, rotations, origins)
    bones = mesh.points.reshape(-1, 8, 3, 3)
    normals = mesh.normals.reshape(-1, 8, 3, 3)[:, :, 0]
    outwards = bones.mean(2) - bones.mean((1, 2))[:, None]
    assert (np.einsum("bfi,bfi->bf", normals, outwards) > 0).all()


@pytest.mark.filterwarnings("error")
def test_a_signalling_nan_is_refused_without_a_warning(tmp_path):
    document, _, _ = character()
    head, _, data = document["buffers"][0]["uri"].partition(",")
    content = bytearray(base64.b64decode(data))
    index = document["animations"][0]["samplers"][0]["output"]
    view = document["bufferViews"][document["accessors"][index]["bufferView"]]
    content[view["byteOffset"] : view["byteOffset"] + 4] = b"\1\0\x80\x7f"  # found by fuzzing
    document["buffers"][0]["uri"] = f"{head},{base64.b64encode(bytes(content)).decode()}"
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps(document))
    with pytest.raises(poise.FileError, match="NaN, infinite or huge numbers"):
        read(path)


def test_a_few_keys_far_apart_do_not_become_a_million_frames(tmp_path):
    document, _, _ = character(frames=7, fps=6 / 30_000)  # found by fuzzing: it took minutes
    path = saved(tmp_path, document)
    with pytest.raises(poise.OptionError, match="900001 frames of 7 keys"):
        read(path)
    assert len(read(path, fps=0.01).clip) == 301
    assert len(read(saved(tmp_path, character(fps=0.5)[0])).clip) == 361  # 12 s at 30 fps
