"""Errors name what was wrong and the remedy."""

import inspect

from poise import errors
from poise.errors import unknown_name


def test_unknown_name_suggests_the_nearest():
    text = unknown_name("site", "left_hnd", ["left_hand", "right_hand", "head"])
    assert text.startswith("unknown site 'left_hnd'; did you mean 'left_hand'")
    assert "head'" not in text.split("did you mean")[1].split(",")[0]


def test_unknown_name_lists_valid_names_when_none_is_near():
    text = unknown_name("figure", "zzz", ["human", "arm"])
    assert text == "unknown figure 'zzz'; valid names are: human, arm"


def test_unknown_name_cuts_a_long_list():
    text = unknown_name("DOF", "?", [f"dof_number_{i}" for i in range(100)])
    assert "dof_number_11, …" in text
    assert "dof_number_12" not in text


def test_unknown_name_without_any_valid_one():
    assert unknown_name("site", "hand", []).endswith("valid names are: none")


def test_every_error_is_of_the_family():
    family = [
        c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == "poise.errors"
    ]
    assert len(family) > 3
    assert all(issubclass(c, errors.PoiseError | UserWarning) for c in family)
    assert all(issubclass(c, errors.PoiseError) for c in family if c.__name__.endswith("Error"))


def test_unreached_carries_the_solution():
    solution = object()
    assert errors.UnreachedError("off by 3 cm", solution).solution is solution
