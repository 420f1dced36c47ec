"""Settings are read strictly; what they mean is hashed."""

import pytest

import poise
from poise.batch.settings import JOBS, decoded, encoded, read_settings, settings_hash, settings_of


def test_a_settings_file(tmp_path):
    path = tmp_path / "batch.toml"
    path.write_text('job = "track"\nlimits = "none"\ncontacts = true\nunit = 1\n')
    read = read_settings(path)
    assert read == settings_of({"job": "track", "limits": "none", "contacts": True, "unit": 1.0})
    assert decoded(encoded(read)) == read
    other = tmp_path / "batch.json"
    other.write_text('{"job": "track", "limits": "none", "contacts": true, "unit": 1}')
    assert settings_hash(read_settings(other)) == settings_hash(read)


@pytest.mark.parametrize("job", JOBS)
def test_every_job_survives_the_way_to_a_worker(job):
    plain = {"job": job} | ({"to": "human"} if job == "retarget" else {})
    made = settings_of(plain)
    assert decoded(encoded(made)) == made
    assert made.name == job


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        ({"job": "trak"}, "did you mean 'track'"),
        ({}, "unknown job None"),
        ([], "expected names and values"),
        ({"job": "track", "limts": "none"}, "did you mean 'limits'"),
        ({"job": "track", "limits": "lots"}, "learned:10"),
        ({"job": "track", "tolerance": "1"}, "float.*tolerance"),
        ({"job": "track", "tolerance": 0}, "> 0.*tolerance"),
        ({"job": "retarget"}, "to"),
        ({"job": "retarget", "to": "nowhere.bvh"}, "no file"),
        ({"job": "convert", "format": ".xyz"}, "unknown format"),
        ({"job": "convert", "format": ".poise"}, "unknown format"),
        ({"job": "convert", "decimals": 99}, "decimals"),
    ],
)
def test_what_is_wrong_is_named(plain, told):
    with pytest.raises(poise.OptionError, match=told):
        settings_of(plain)


def test_broken_files(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("job = \n")
    with pytest.raises(poise.FileError, match="line 1"):
        read_settings(path)
    with pytest.raises(poise.FileError, match="cannot read"):
        read_settings(tmp_path / "gone.toml")
    with pytest.raises(poise.OptionError, match=r"toml or \.json"):
        read_settings(_touched(tmp_path / "x.yaml"))


def _touched(path):
    path.write_text("job: track")
    return path


def test_the_contents_of_files_that_settings_name_count(tmp_path):
    target = tmp_path / "body.bvh"
    poise.save(poise.figures.human(), target)
    path = tmp_path / "s.toml"
    path.write_text('job = "retarget"\nto = "body.bvh"\n')
    before = settings_hash(read_settings(path))
    elsewhere = tmp_path / "other"
    elsewhere.mkdir()
    (elsewhere / "body.bvh").write_bytes(target.read_bytes())
    (elsewhere / "s.toml").write_bytes(path.read_bytes())
    assert settings_hash(read_settings(elsewhere / "s.toml")) == before
    target.write_bytes(target.read_bytes() + b"\n")
    assert settings_hash(read_settings(path)) != before
