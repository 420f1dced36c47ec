"""Nothing outside the project folder is read or written."""

import pytest
from formats.bvhs import written
from formats.test_markers import TRC
from motion.documents import standing, waving

import poise
from poise.errors import FileError, PoiseError
from poise.studio import commands
from poise.studio.frames import TimeFrame
from poise.studio.project import Project
from poise.studio.session import Session


@pytest.fixture
def project(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.poise").write_text("secret")
    project = Project(tmp_path / "inside")
    yield project
    project.close()


@pytest.mark.parametrize(
    "path",
    [
        "../secret.poise",
        "a/../../secret.poise",
        "/etc/passwd",
        "",
        ".",
        "a\0b.poise",
        "upload:../x.poise",
        "upload:",
        "link.poise",
        "folder/secret.poise",
    ],
)
def test_paths_that_lead_out_are_refused(project, tmp_path, path):
    (project.folder / "link.poise").symlink_to(tmp_path / "secret.poise")
    (project.folder / "folder").symlink_to(tmp_path)
    with pytest.raises(FileError, match="outside the project folder"):
        project.inside(path)


def test_a_new_document_has_no_file_and_begins_at_the_start(project):
    session = Session(project=project)
    session.apply(commands.SaveFile(1, "a.poise"))
    before = (project.folder / "a.poise").read_bytes()
    session.frame(TimeFrame(1, 0.5))
    session.apply(commands.NewDocument(1, "spider"))
    assert session.time == 0.0
    with pytest.raises(PoiseError, match="no file yet"):
        session.apply(commands.SaveFile(1))
    assert (project.folder / "a.poise").read_bytes() == before


def test_saves_and_opens(project):
    session = Session(project=project)
    session.apply(commands.SaveFile(1, "a.poise"))
    assert session.state().history.path == "a.poise"
    session.apply(commands.SetAngles(1, {"left_elbow_flexion": 1.0}))
    assert not session.state().history.saved
    session.apply(commands.SaveFile(1))
    assert session.state().history.saved
    document = session.document
    session.apply(commands.NewDocument(1, "spider"))
    session.apply(commands.OpenFile(1, "a.poise"))
    assert session.document == document
    assert [file.path for file in session.apply(commands.ListFiles(1)).files] == ["a.poise"]
    assert session.state().history.undo is None


def test_clips_open_and_export(project):
    poise.save(waving(), project.folder / "wave.bvh")
    session = Session(project=project)
    session.apply(commands.OpenFile(1, "wave.bvh"))
    assert session.state().timeline.clip.frames == 40
    assert session.state().history.path is None
    session.apply(commands.SaveFile(1, "out.bvh"))
    assert len(poise.load(project.folder / "out.bvh", unit=0.01)) == 40
    assert session.keeper.exported(session.document, ".poise").startswith(b"{")
    with pytest.raises(PoiseError, match="does not write"):
        session.keeper.exported(session.document, ".exe")


def test_files_are_listed_with_size_and_time(project, tmp_path):
    poise.save(standing(), project.folder / "a.poise")
    (project.folder / "link.poise").symlink_to(tmp_path / "secret.poise")
    (project.folder / "broken.poise").symlink_to(project.folder / "missing.poise")
    (file,) = project.files()
    known = (project.folder / "a.poise").stat()
    assert (file.path, file.size, file.modified) == ("a.poise", known.st_size, known.st_mtime)


def test_dropped_files_are_kept_apart(project):
    poise.save(standing(), project.folder / "a.poise")
    data = (project.folder / "a.poise").read_bytes()
    path = project.upload("C:\\fakepath\\..\\b.poise", data)
    document, _ = project.open(path)
    assert document == standing()
    assert [file.path for file in project.files()] == ["a.poise"]
    with pytest.raises(FileError, match="cannot open"):
        project.upload("virus.exe", b"")
    with pytest.raises(FileError, match="choose one"):
        project.save(document, path)


@pytest.mark.parametrize("name", ["missing.poise", "a.txt", "bad.poise", "bad.bvh"])
def test_what_cannot_be_opened_changes_nothing(project, name):
    for bad in ("bad.poise", "bad.bvh"):
        (project.folder / bad).write_text("nonsense")
    session = Session(project=project)
    document = session.document
    with pytest.raises(FileError):
        session.apply(commands.OpenFile(1, name))
    assert session.document is document


def test_markers_are_not_opened_and_the_way_is_named(project, tmp_path):
    written(tmp_path / "inside", TRC, "trial.trc")
    with pytest.raises(FileError, match=r"poise track trial\.trc"):
        project.open("trial.trc")
