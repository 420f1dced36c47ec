"""After a crash the work is offered again; after a good end nothing is left."""

import json

import pytest
from motion.documents import HUMAN, over_clip, standing

from poise.errors import FileError, PoiseError
from poise.motion.document import Fix
from poise.studio import commands
from poise.studio.journal import Journal, recoverable
from poise.studio.session import Session


def crashed(session):
    """End a session as a crash does: the file stays, its lock goes."""
    session.keeper._journal._file.close()


def worked(folder):
    session = Session(journals=folder)
    session.keeper.autosave(session.history)
    session.apply(commands.AddKey(1))
    session.keeper.autosave(session.history)
    session.apply(commands.SetAngles(1, {"left_elbow_flexion": 1.0}))
    session.apply(commands.AddGoal(1, "head", "aim"))
    session.keeper.autosave(session.history)
    session.apply(commands.RemoveGoal(1, session.document.goals[-1].id))
    session.keeper.autosave(session.history)
    return session


def test_work_is_offered_after_a_crash(tmp_path):
    session = worked(tmp_path)
    lines = (session.keeper._journal.path).read_bytes().splitlines()
    assert len(lines) == 4
    assert len(lines[-1]) < 500  # only what changed
    crashed(session)
    later = Session(journals=tmp_path)
    offer = later.state().recovery
    assert offer.steps == 4
    later.apply(commands.Recover(1, True))
    assert later.document == session.document
    assert not later.state().history.saved
    assert later.state().recovery is None
    crashed(later)
    assert Session(journals=tmp_path).state().recovery is not None


def test_an_offer_can_be_declined_for_good(tmp_path):
    crashed(worked(tmp_path))
    later = Session(journals=tmp_path)
    later.apply(commands.Recover(1, False))
    assert later.state().recovery is None
    assert recoverable(tmp_path) is None
    with pytest.raises(PoiseError, match="nothing to recover"):
        later.apply(commands.Recover(1, False))


def test_a_session_that_runs_is_left_alone(tmp_path):
    running = worked(tmp_path)
    assert Session(journals=tmp_path).state().recovery is None
    assert running.keeper._journal.path.exists()
    running.close()


def test_a_good_end_leaves_nothing_and_an_unsaved_one_keeps_the_work(tmp_path):
    session = worked(tmp_path)
    session.close()
    assert recoverable(tmp_path).document == session.document
    recoverable(tmp_path).forget()
    untouched = Session(journals=tmp_path)
    untouched.keeper.autosave(untouched.history)
    untouched.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", [1, 50, 1000])
def test_a_line_that_was_cut_off_costs_only_that_line(tmp_path, cut):
    session = worked(tmp_path)
    path = session.keeper._journal.path
    crashed(session)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"when": "x", "set": {"name": "n' + b"\xff" * cut)
    assert recoverable(tmp_path).document == session.document


@pytest.mark.parametrize("content", [b"", b"nonsense\n", b'{"when":"","set":{},"gone":[]}\n'])
def test_a_broken_journal_is_no_work(tmp_path, content):
    (tmp_path / "a.journal").write_bytes(content)
    assert recoverable(tmp_path) is None


def test_clips_and_fixes_are_recovered_and_the_clip_is_written_once(tmp_path):
    journal = Journal(tmp_path)
    document = over_clip()
    journal.record(document, "a.poise", False)
    first = journal.path.stat().st_size
    fixed = document.with_fix(Fix(5, 0.5, HUMAN.rest_angles, ("left_foot",)))
    journal.record(fixed, "a.poise", False)
    assert journal.path.stat().st_size < first + 3000
    journal.close(keep=True)
    found = recoverable(tmp_path)
    assert found.document == fixed
    assert found.file == "a.poise"


def test_nothing_is_written_when_nothing_changed(tmp_path):
    journal = Journal(tmp_path)
    for _ in range(3):
        journal.record(standing(), None, True)
    assert len(journal.path.read_bytes().splitlines()) == 1
    assert json.loads(journal.path.read_bytes())["gone"] == []
    journal.close(keep=False)


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="POISE_STATE_DIR"):
        Journal(tmp_path / "file" / "journals").record(standing(), None, False)
