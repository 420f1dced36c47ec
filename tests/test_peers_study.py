"""The peers' study: goals that can be reached, checks that no solver is needed for, honest rows."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import poise
from poise.figure.rotation import to_vector

STUDIES = Path(__file__).resolve().parent.parent / "studies"
ARM = """
<robot name="small"><link name="base"/><link name="a"/><link name="b"/><link name="tip">
<visual/></link><transmission name="t"/>
<joint name="one" type="revolute"><parent link="base"/><child link="a"/>
<origin xyz="0 0 0.3" rpy="0.3 -0.2 0.5"/><axis xyz="0 0 1"/><limit lower="-2" upper="1"/></joint>
<joint name="two" type="revolute"><parent link="a"/><child link="b"/>
<origin xyz="0.4 0 0" rpy="-1.5 0 0"/><axis xyz="0 1 1"/><limit lower="-1" upper="2.5"/></joint>
<joint name="end" type="fixed"><parent link="b"/><child link="tip"/>
<origin xyz="0 0.1 0.2" rpy="0 1 0"/></joint></robot>"""


@pytest.fixture(scope="module")
def study():
    """A module of the study by its name."""
    sys.path[:0] = [str(STUDIES), str(STUDIES / "peers")]
    yield importlib.import_module
    del sys.path[:2]


@pytest.fixture
def humanoid(study):
    def body(name, parent, position, quaternion, *hinges):
        own = [{"name": f"{name}_{k}", "axis": axis, "range": limits}
               for k, (axis, limits) in enumerate(hinges)]  # fmt: skip
        unit = (np.array(quaternion) / np.linalg.norm(quaternion)).tolist()
        return {"name": name, "parent": parent, "position": position, "quaternion": unit,
                "hinges": own}  # fmt: skip

    x, z = [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]
    bodies = [body("root", "world", [0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0])]
    for name in ("lhand", "rhand", "lfoot", "rfoot", "head"):
        shoulder = body(name + "_up", "root", [0.1, 0.2, len(name) / 50], [1.0, 0.1, 0.2, 0.3])
        turn = [0.5, -0.5, 0.5, 0.5] if name == "head" else [1.0, -1.0, 0.0, 0.2]
        end = body(name, name + "_up", [0.0, 0.3, 0.1], turn, (z, [-1.0, 0.5]), (x, [0.1, 2.0]))
        bodies += [shoulder, end]
    return study("peers_human").Humanoid(tuple(bodies), "")


# -- the arm --------------------------------------------------------------------------------------


def test_the_chain_is_where_poise_has_it(study, tmp_path):
    arm = study("peers_arm")
    chain = arm.Chain.of(ARM, "base", "tip")
    assert chain.joints == ("one", "two")
    (tmp_path / "arm.urdf").write_text(arm.kinematics_only(ARM))
    figure = poise.load(tmp_path / "arm.urdf")
    draw = np.random.default_rng(0)
    for angles in draw.uniform(chain.lower, chain.upper, (20, 2)):
        pose, place = figure.pose(angles), chain.tip_at(angles)
        np.testing.assert_allclose(pose.position("tip"), place[:3, 3], atol=1e-12)
        np.testing.assert_allclose(pose.rotation("tip"), place[:3, :3], atol=1e-12)


def test_what_peers_cannot_read_is_taken_out(study):
    plain = study("peers_arm").kinematics_only(ARM)
    assert "visual" not in plain
    assert "transmission" not in plain


def test_goals_are_reached_where_they_came_from_and_nowhere_else(study):
    arm = study("peers_arm")
    chain = arm.Chain.of(ARM, "base", "tip")
    task = arm.ArmTask.of(chain, 30)
    again = np.random.default_rng(0).uniform(chain.lower, chain.upper, (30, 2))
    for goal, angles in enumerate(again):
        assert task.is_reached(goal, angles)
        assert not task.is_reached(goal, angles + 0.02)
        assert not task.is_reached(goal, np.full(2, np.nan))
        assert task.off(goal, angles)[2] == 0.0
    turned = np.array([chain.tip_at(angles)[:3, :3] for angles in again])
    distance, angle, _ = task.off(0, again[1])
    cosine = 0.5 * (np.trace(turned[0].T @ turned[1]) - 1.0)
    assert angle == pytest.approx(np.arccos(cosine), abs=1e-9)
    assert distance > 0.0


def test_an_answer_outside_the_limits_is_none(study):
    arm = study("peers_arm")
    chain = arm.Chain.of(ARM, "base", "tip")
    outside = chain.upper + np.array([1e-3, 0.0])
    task = arm.ArmTask(chain, chain.tip_at(outside)[None])
    assert task.off(0, outside)[2] == pytest.approx(1e-3)
    assert not task.is_reached(0, outside)


def test_peers_read_the_task_that_was_written(study, tmp_path):
    arm, runner = study("peers_arm"), study("runner")
    task = arm.ArmTask.of(arm.Chain.of(ARM, "base", "tip"), 3)
    task.write(tmp_path, ARM)
    read = runner.read_arm(tmp_path)
    np.testing.assert_array_equal(read.matrices(), task.goals)
    assert read.is_there(task.goals[1], 1)
    assert not read.is_there(task.goals[0], 1)
    calls = []

    def never(goal, start):
        calls.append(start)
        return start, False

    read.again(never)(0)
    assert len(calls) == read.tries
    np.testing.assert_array_equal(calls[0], read.start)


def test_one_descent_is_counted_as_the_study_counts(study, tmp_path, monkeypatch):
    """Every goal of two free hinges is reached; with no steps at all only where the start is."""
    arm, one = study("peers_arm"), study("peers_one_start")
    monkeypatch.setattr(one, "TIP", "tip")
    monkeypatch.setattr(one, "GOALS", 12)
    monkeypatch.setattr(one, "SETS", 2)
    (tmp_path / "arm.urdf").write_text(arm.kinematics_only(ARM))
    chain = arm.Chain.of(ARM, "base", "tip")
    at_start = chain.tip_at(chain.middle)
    far = chain.tip_at(chain.upper + 1.0)
    task = arm.ArmTask(chain, np.array([at_start, far]))
    assert one.share(tmp_path / "arm.urdf", task, {}) == 0.5
    made = one.one_start_table(tmp_path / "arm.urdf", chain)
    assert [row[0] for row in made.rows] == list(arm.ONE_START)
    for _, sets, here, least, mean, most in made.rows:
        assert sets == 2
        assert 0.0 < least <= mean <= most <= 100.0
        assert here in (least, most)


# -- the humanoid ---------------------------------------------------------------------------------


def test_all_forms_of_the_humanoid_agree(study, humanoid, tmp_path):
    human, runner = study("peers_human"), study("runner")
    figure = humanoid.figure()
    task = human.tasks(humanoid)["motion_1mm"]
    task.write(tmp_path, "motion_1mm")
    read = runner.read_human(tmp_path, "motion_1mm")
    free, rooted = poise.load(read.urdf, base="free"), poise.load(read.rooted)
    draw = np.random.default_rng(1)
    for _ in range(10):
        pose = human.random_pose(humanoid, draw, 0.4)
        vector = to_vector(runner.rotation(pose[3:7]))
        forms = [(figure, np.concatenate([pose[:3], vector, pose[7:]]))]
        forms += [(free, np.concatenate([pose[:3], vector, pose[7:]]))]
        from_root = runner.Human(**(vars(read) | {"start": pose})).rooted_start()
        forms += [(rooted, from_root)]
        for one, angles in forms:
            found = np.array([one.pose(angles).position(name) for name in human.GOALS])
            np.testing.assert_allclose(found, humanoid.points(pose), atol=1e-12)
        back = read.rooted_configuration(from_root)
        np.testing.assert_allclose(humanoid.points(back), humanoid.points(pose), atol=1e-12)


def test_the_motion_stays_inside_and_its_goals_can_be_reached(study, humanoid):
    human = study("peers_human")
    frames = human.motion(humanoid)
    assert (frames[:, 7:] >= humanoid.lower - 1e-12).all()
    assert (frames[:, 7:] <= humanoid.upper + 1e-12).all()
    assert np.abs(np.diff(frames, axis=0)).max() < 0.3
    tasks = human.tasks(humanoid)
    assert not tasks["cold_1mm"].follows
    task = tasks["motion_1mm"]
    assert task.is_reached(4, frames[5])
    assert not task.is_reached(4, frames[5] + np.eye(frames.shape[1])[0] * 2e-3)
    broken = frames[5].copy()
    broken[7] = humanoid.upper[0] + 1e-3
    assert task.off(4, broken)[1] == pytest.approx(1e-3)


# -- rows -----------------------------------------------------------------------------------------


def outcome(study, peer, way="way", reached=1.0, microseconds=10.0, error=""):
    times = np.full(5, 1e-6 * microseconds)
    return study("peers_tables").Outcome(peer, way, "v 1", "set", True, 5, reached, 0.0, times,
                                         error)  # fmt: skip


def test_a_failure_is_a_row_that_says_so(study):
    tables, environments = study("peers_tables"), study("peers_environments")
    peer = environments.Peer("broken", ("x",), "none")
    (row,) = tables.outcomes(peer, {"error": "does not install"}, 5, None, None)
    own = outcome(study, "poise")
    made = tables.table("arm", "Arm", [row, own], own)
    assert [r["solver"] for r in made.records()] == ["poise", "broken"]
    assert made.records()[1]["failed because"] == "does not install"
    assert tables.peers_table([row, own]).records()[0]["settings"] == "none"


def test_goals_without_an_answer_count_as_missed(study):
    tables = study("peers_tables")
    found = {"versions": {"x": "1"}, "ways": {"w": {"passes": [
        {"answers": [[0.0], [1.0]], "times": [1e-3, 2e-3]}]}}}  # fmt: skip
    (one,) = tables.outcomes(
        study("peers_environments").OURS, found, 4, lambda g, a: (0.0, 0.5), lambda g, a: a[0] == 0
    )
    assert (one.solves, one.reached, one.outside) == (4, 0.25, 0.5)


def test_a_bar_compares_with_the_fastest_that_reaches_all(study):
    tables = study("peers_tables")
    own = outcome(study, "poise", microseconds=10.0)
    others = [
        outcome(study, "hasty", reached=0.9, microseconds=1.0),
        outcome(study, "good", microseconds=40.0),
        outcome(study, "slow", microseconds=90.0),
        outcome(study, "broken", error="crashed"),
    ]
    assert tables.ratio_bar("bar", own, others, 3.0)[1:] == ("good, way", 4.0, 3.0, "kept")
    assert tables.ratio_bar("bar", own, others, 5.0)[-1] == "MISSED"
    missing = outcome(study, "poise", reached=0.99)
    assert tables.ratio_bar("bar", missing, others, 3.0)[-1] == "MISSED"


def test_the_bar_of_one_start_takes_the_best_way_and_no_restart(study):
    found = {
        "arm": [
            outcome(study, "poise", "restarts"),
            outcome(study, "poise", "one restart", reached=0.99),
            outcome(study, "poise", "one start", reached=0.9),
            outcome(study, "poise", "one start, short steps", reached=0.96),
            outcome(study, "other", "one start", reached=0.7),
        ]
    }
    row = study("peers").bar_rows(found)[-1]
    assert row[0] == "arm, one start, short steps: reached [%]"
    assert row[1:] == ("best other: other, 70 %", 96.0, 95.0, "kept")


def test_a_peer_that_crashes_says_so(study, tmp_path, monkeypatch):
    environments = study("peers_environments")
    (tmp_path / "with_bad.py").write_text("raise ValueError('no such robot')")
    (tmp_path / "with_dead.py").write_text("import os; os.abort()")
    good = "import sys, json; open(sys.argv[3], 'w').write(json.dumps({'ways': {}}))"
    (tmp_path / "with_good.py").write_text(good)
    monkeypatch.setattr(environments, "SCRIPTS", tmp_path)
    runs = {
        name: environments.run(environments.Peer(name, (), ""), "arm", tmp_path, tmp_path)
        for name in ("bad", "dead", "good")
    }
    assert runs["bad"] == {"error": "ValueError: no such robot"}
    assert runs["dead"]["error"].startswith("crashed with signal")
    assert runs["good"] == {"ways": {}}
    assert json.dumps(runs)


def test_every_peer_has_its_script(study):
    environments = study("peers_environments")
    for peer in (environments.OURS, *environments.PEERS):
        assert (STUDIES / "peers" / f"with_{peer.name}.py").exists(), peer.name
