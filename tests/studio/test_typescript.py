"""The page's types are those of the session."""

from poise.studio.typescript import TARGET, typescript


def test_the_types_of_the_page_are_up_to_date():
    assert TARGET.read_text(encoding="utf-8") == typescript(), (
        "run `python -m poise.studio.typescript`"
    )
