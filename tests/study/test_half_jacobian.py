"""The half-Jacobian study: what it drives, and what it writes."""

import csv
import json

import numpy as np
import pytest

import poise
from poise.study import driving, gait_curves, half_jacobian, iterations

TABLES = {"flops", "times", "ratios", "iteration", "curves"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("study") / "half-jacobian"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(iterations, "SIZES", (6,))
        half_jacobian.run(made, clip=poise.motions.walk(), seconds=2.5, timing=(5, 1))
    return made


def test_the_files(folder):
    names = {"half-jacobian.md", "half-jacobian.json", "feet.png", "curves.png"}
    assert {path.name for path in folder.iterdir()} == names | {f"{name}.csv" for name in TABLES}
    text = (folder / "half-jacobian.md").read_text()
    assert "{" not in text
    assert "252" in text
    assert "captured walk" in text


def test_every_mode_walks_everywhere_beside_the_paper_s_numbers(folder):
    rows = list(csv.DictReader((folder / "times.csv").read_text().splitlines()))
    assert [(row["ground"], row["legs by"]) for row in rows] == [
        (ground, mode) for ground in ("flat", "uneven") for mode in driving.MODES
    ]
    by = {(row["ground"], row["legs by"]): row for row in rows}
    assert by["flat", "half"]["paper [ms]"] == "0.24"
    assert by["uneven", "full"]["paper"] == "180.0"
    assert all(row["limits broken"] == "0" for row in rows)
    assert all(float(row["foot off, median [mm]"]) < 2.0 for row in rows)
    counted = json.loads((folder / "half-jacobian.json").read_text())["tables"]["times"]
    assert [row["iterations"] for row in counted] == [float(row["iterations"]) for row in rows]


def test_angles_of_a_made_up_leg():
    """Thigh 30° ahead, shank hanging, foot level: hip 30°, knee 30°."""
    thigh = [np.sin(np.radians(30.0)), -np.cos(np.radians(30.0))]
    leg = np.cumsum([[0.0, 1.0], thigh, [0.0, -1.0], [0.2, 0.0]], axis=0)
    hip, knee, ankle = gait_curves._angles(leg[None])
    assert (hip[0], knee[0], ankle[0]) == pytest.approx((30.0, 30.0, 0.0))


def test_strides_go_from_strike_to_strike():
    ahead = np.cos(np.linspace(0.0, 6.0 * np.pi, 301) - 1.0)
    assert gait_curves._strikes(ahead) == pytest.approx([16, 116, 216], abs=1)
