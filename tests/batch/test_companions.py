"""Files that belong to a clip."""

from poise.batch.companions import companions
from poise.batch.settings import Convert


def named(folder, name, settings=None):
    found = companions(folder / name, settings or Convert())
    return [path.relative_to(folder).as_posix() for path in found]


def test_the_skeleton_of_an_amc_file(tmp_path):
    for name in ("7.asf", "7_01.amc", "8_01.amc"):
        (tmp_path / name).touch()
    assert named(tmp_path, "7_01.amc") == ["7.asf"]
    assert named(tmp_path, "8_01.amc") == []
    assert named(tmp_path, "7_01.amc", Convert(figure="other.asf")) == []


def test_the_buffers_of_a_gltf_file(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "a b.bin").touch()
    (tmp_path / "walk.gltf").write_text(
        '{"asset": {"version": "2.0"}, "buffers": [{"uri": "bin/a%20b.bin", "byteLength": 0},'
        ' {"uri": "bin/a%20b.bin"}, {"uri": "gone.bin"}, {"uri": "data:,x"}, {"byteLength": 1}]}'
    )
    assert named(tmp_path, "walk.gltf") == ["bin/a b.bin"]
    (tmp_path / "broken.gltf").write_text('{"buffers": 1')
    assert named(tmp_path, "broken.gltf") == []
    assert named(tmp_path, "gone.gltf") == []


def test_other_clips_stand_alone(tmp_path):
    assert named(tmp_path, "walk.bvh") == []
