"""The verbs on the formats beside BVH."""

import json

from formats.bvhs import PLAIN, written
from formats.gltfs import character, saved
from formats.test_markers import TRC

import poise
from poise.cli import DONE, WRONG_CALL, main
from poise.formats import read


def test_a_character_is_posed_with_its_mesh(tmp_path):
    document, _, _ = character(None)
    path = saved(tmp_path, document)
    tip = poise.load(path).rest().with_angles({"Spine_rx": 0.5}).position("Tip")
    out = tmp_path / "posed.vrm"
    goal = "Tip=" + ",".join(f"{x:.6f}" for x in tip)
    assert main(["pose", "--figure", str(path), "--goal", goal, "--out", str(out)]) == DONE
    assert read(out).source.details["gltf"].file.json["meshes"] == document["meshes"]


def test_a_motion_becomes_a_gltf_and_a_mot(tmp_path, capsys):
    source = written(tmp_path, PLAIN)
    for name in ("a.glb", "a.mot", "a.csv"):
        assert main(["convert", str(source), str(tmp_path / name), "--unit", "0.01"]) == DONE
    assert "2 frames" in capsys.readouterr().out
    assert main(["info", str(tmp_path / "a.glb"), "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["clip"]["frames"] == 2
    assert main(["convert", str(tmp_path / "a.mot"), str(tmp_path / "b.bvh")]) != DONE


def test_info_of_markers(tmp_path, capsys):
    path = written(tmp_path, TRC, "a.trc")
    assert main(["info", str(path)]) == DONE
    told = capsys.readouterr().out
    assert "2 markers" in told
    assert "R ASI, missing in 1 frames" in told
    assert main(["info", str(path), "--json"]) == DONE
    markers = json.loads(capsys.readouterr().out)["markers"]
    assert markers["missing"] == {"R ASI": 1, "L.Heel": 2}
    assert main(["convert", str(path), str(tmp_path / "a.bvh")]) == WRONG_CALL
