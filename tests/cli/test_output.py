"""What the verbs print for machines."""

import json
import math

from poise.cli.output import to_json


def test_json_is_read_back_the_same():
    document = {"a": [1.5, 2.0], "b": {"c": None, "d": "naïve"}, "e": [{"f": []}], "g": {}}
    assert json.loads(to_json(document)) == document


def test_infinities_are_null():
    assert json.loads(to_json({"a": math.inf, "b": [-math.inf, math.nan]})) == {
        "a": None,
        "b": [None, None],
    }


def test_numbers_of_a_list_share_a_line():
    assert '"a": [1.0, 2.0, 3.0]' in to_json({"a": [1.0, 2.0, 3.0]})
