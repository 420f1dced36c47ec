"""Blender's study: frames without an answer are off, and spoil no other number."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="module")
def study():
    studies = str(Path(__file__).resolve().parent.parent / "studies")
    sys.path.insert(0, studies)
    yield importlib.import_module("blender")
    sys.path.remove(studies)


REFERENCE = np.random.default_rng(1).normal(size=(5, 2, 3))


def answered(heads):
    """What Blender told of one case, with hands at the second joint."""
    case = {"margin": 0.1, "interval": 1.0, "solver": "LEGACY", "effort": "slot", "iterations": 7,
            "unlimited": 0, "heads": [heads], "broken": 0, "seconds": [0.2] * len(heads),
            "idle": 0.1}  # fmt: skip
    return {"bones": ["hip", "hand"], "reference": {"1.0": [REFERENCE.tolist()]},
            "cases": [case]}  # fmt: skip


def test_a_frame_without_numbers_is_off(study):
    heads = REFERENCE.copy()
    heads[1, 1, 0] += 0.02
    heads[4] = np.nan
    (case,) = study.theirs(answered(heads), "clip", ["hand"])
    assert case.off == 2
    assert case.distance == pytest.approx(0.02 / 8)
    for table in (study.outcome_table([case]), study.summary_table([case])):
        (row,) = table.records()
        assert row["off by > 1 cm"] == 2
        assert row["worst [cm]"] == pytest.approx(2.0)
        assert all(np.isfinite(value) for value in row.values() if isinstance(value, float))


def test_jitter_ends_where_the_numbers_do(study):
    heads = np.random.default_rng(0).normal(size=(6, 2, 3))
    assert study.count_known(heads) == 6
    heads[4, 0, 1] = np.nan
    assert study.count_known(heads) == 4
    heads[0] = np.nan
    assert study.count_known(heads) == 0
