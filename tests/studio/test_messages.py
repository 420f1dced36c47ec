"""Commands are read strictly."""

import msgspec
import pytest

from poise.studio import commands, messages, sections


def test_a_command_is_read_by_its_type():
    found = messages.decode(b'{"type":"drag-begin","id":1,"drag":5,"effector":"left_hand"}')
    assert found == commands.DragBegin(1, 5, "left_hand")


def test_a_change_leaves_out_what_is_not_given():
    found = messages.decode(b'{"type":"change-goal","id":1,"goal":2,"weight":3}')
    assert found == commands.ChangeGoal(1, 2, weight=3.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"type":"unknown","id":1}',
        '{"type":"undo"}',
        '{"type":"undo","id":-1}',
        '{"type":"undo","id":1,"more":2}',
        '{"type":"set-angles","id":1,"angles":{"a":NaN}}',
        '{"type":"set-angles","id":1,"angles":{"a":1e999}}',
        '{"type":"change-goal","id":1,"goal":2,"weight":0}',
        '{"type":"change-goal","id":1,"goal":2,"kind":"magnet"}',
        '{"type":"change-goal","id":1,"goal":2,"position":[1,2]}',
    ],
)
def test_what_is_not_a_command_is_refused(text):
    with pytest.raises(msgspec.DecodeError):
        messages.decode(text.encode())


def test_a_patch_has_only_what_changed():
    patch = messages.Patch(selection=sections.SelectionInfo("left_hand", None))
    text = messages.encode(patch)
    assert msgspec.json.decode(text) == {
        "type": "patch",
        "selection": {"effector": "left_hand", "segment": None},
    }
