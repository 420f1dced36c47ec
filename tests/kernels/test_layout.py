import ast
import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.kernels import layout

SECTIONS = range(layout.SECTION_COUNT)
INTS, FLOATS = SECTIONS[: layout.FIRST_FLOAT_SECTION], SECTIONS[layout.FIRST_FLOAT_SECTION :]


def read(ints, floats, section):
    if section < layout.FIRST_FLOAT_SECTION:
        return layout.ints_at(ints, section)
    return layout.floats_at(floats, ints, section)


def content(section, size):
    values = np.arange(size) + 1000 * section
    return values if section < layout.FIRST_FLOAT_SECTION else values + 0.5


@given(
    sizes=st.dictionaries(st.sampled_from(SECTIONS), st.integers(0, 40), max_size=12),
    data=st.data(),
)
def test_what_is_packed_is_read_again(sizes, data):
    empty = data.draw(st.sets(st.sampled_from(sorted(sizes)) if sizes else st.nothing()))
    given_sections = {
        section: size if section in empty else content(section, size)
        for section, size in sizes.items()
    }
    ints, floats = layout.pack(given_sections)
    assert (ints.dtype, floats.dtype) == (np.int64, np.float64)
    for section in SECTIONS:
        found = read(ints, floats, section)
        expected = content(section, sizes.get(section, 0))
        np.testing.assert_array_equal(
            found, np.zeros_like(expected) if section in empty else expected
        )


@given(st.dictionaries(st.sampled_from(SECTIONS), st.integers(0, 40), min_size=1, max_size=20))
def test_sections_are_views_that_do_not_overlap(sizes):
    ints, floats = layout.pack(sizes)
    for section in sizes:
        read(ints, floats, section)[:] = section
    for section, size in sizes.items():
        found = read(ints, floats, section)
        assert found.size == size
        assert (found == section).all()
    directory = ints[: 2 * layout.SECTION_COUNT].reshape(-1, 2)
    lengths = np.diff(directory, axis=1)[:, 0]
    np.testing.assert_array_equal(lengths, [sizes.get(section, 0) for section in SECTIONS])


@given(st.dictionaries(st.sampled_from(SECTIONS), st.integers(0, 40), max_size=20))
def test_sections_begin_at_multiples_of_64_bytes(sizes):
    ints, floats = layout.pack(sizes)
    begins = ints[: 2 * layout.SECTION_COUNT : 2]
    assert (begins * ints.itemsize % 64 == 0).all()
    assert begins[INTS.start] >= 2 * layout.SECTION_COUNT  # behind the directory
    assert ints[2 * FLOATS.start] == 0
    assert ints.size % 8 == floats.size % 8 == 0


def test_matrices_are_stored_row_by_row_whatever_their_order():
    matrix = np.arange(12.0).reshape(3, 4)
    for given_matrix in (matrix, np.asfortranarray(matrix), matrix.tolist()):
        ints, floats = layout.pack({layout.JACOBIAN: np.asarray(given_matrix)})
        found = layout.floats_at(floats, ints, layout.JACOBIAN)
        np.testing.assert_array_equal(found.reshape(3, 4), matrix)


def test_arenas_are_private():
    source = np.ones(5)
    ints, floats = layout.pack({layout.LOWER: source})
    layout.floats_at(floats, ints, layout.LOWER)[:] = 7.0
    np.testing.assert_array_equal(source, np.ones(5))


def enumerations():
    """The names of each block `(A, B, …) = range(n)` of the module, in order."""
    tree = ast.parse(inspect.getsource(layout))
    return [
        [name.id for name in node.targets[0].elts]
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Call)
    ]


@pytest.mark.parametrize("names", enumerations(), ids=lambda names: names[0])
def test_numbers_count_up_from_zero(names):
    assert [getattr(layout, name) for name in names] == list(range(len(names)))


def test_integers_come_before_floats():
    sections = enumerations()[0]
    assert sections[-1] == "SECTION_COUNT"
    assert sections.index("SEGMENT_OFFSET") == layout.FIRST_FLOAT_SECTION
    assert {"HELD", "COUNTERS", "GOAL_KIND"} <= set(sections[: layout.FIRST_FLOAT_SECTION])
    assert {"ANGLES", "LOWER", "JACOBIAN"} <= set(sections[layout.FIRST_FLOAT_SECTION :])
