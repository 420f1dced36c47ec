"""The flops of an iteration: counted on our kernels, beside the paper's."""

import pytest

from poise.study.flops import PAPER_TOTAL, counted_uncompiled, flop_table, paper_sum


@pytest.fixture(scope="module")
def flops():
    return counted_uncompiled()


def test_flops_of_our_kernels(flops):
    """JJᵀ: r(r+1)/2 products of 2n; three rows by cofactors, six by LU (2/3 · 6³ and more)."""
    inverse = flops["3 pseudo-inverse"]
    assert inverse["half"][0] == 2 * 6
    assert inverse["full"][0] == 2 * 21
    assert inverse["half"][1] < inverse["full"][1] < 619  # solved, not inverted
    assert flops["7 new position"]["half"] == flops["7 new position"]["full"]


def test_a_half_jacobian_saves_more_than_half_of_the_step(flops):
    """Without forward kinematics, which both need; the paper's rows say 57n and 189n."""
    step = {
        mode: sum(lines[mode][0] for stage, lines in flops.items() if not stage.startswith("7"))
        for mode in ("half", "full")
    }
    assert 2.0 < step["full"] / step["half"] < 189 / 57


def test_the_rows_of_table_1_2_add_up_to_222():
    """The 3-D column is printed with 252; the 6-D column is right. 227 / 95 is their 238.9 %."""
    assert paper_sum("half") == (95, 222)
    assert PAPER_TOTAL["half"] == (95, 252)
    assert paper_sum("full") == PAPER_TOTAL["full"] == (227, 817)
    assert round(227 / 95, 3) == 2.389


def test_the_table_has_the_paper_s_sum_what_is_printed_and_ours(flops):
    rows = {row[0]: row[1:] for row in flop_table(flops).rows}
    assert rows["paper: added up"][0] == "95 n + 222"
    assert rows["paper: as printed"][0] == "95 n + 252"
    assert rows["ours: added up"][2] > 1.0
