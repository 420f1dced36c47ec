"""Chains: what words mean, and the ways between joints."""

import pickle

import pytest

import poise
from poise import FigureError

HUMAN = poise.figures.human()
ARM = ("collar", "shoulder", "elbow", "wrist", "knuckles")


def starting(*prefixes, figure=HUMAN):
    return tuple(name for name in figure.dof_names if name.startswith(prefixes))


def both(*joints):
    return tuple(f"{side}_{name}" for side in ("left", "right") for name in joints)


@pytest.mark.parametrize(
    ("words", "prefixes"),
    [
        ("left_elbow_flexion", ("left_elbow",)),  # a DOF
        ("left_elbow", ("left_elbow",)),  # a joint
        ("left_forearm", ("left_elbow",)),  # the segment that it moves
        ("*_hip", both("hip")),  # a pattern of joints
        ("*_thigh", both("hip")),  # of segments
        ("root", ("root",)),
        ("chest", ("spine_5",)),
        ("torso", ("spine",)),  # a named chain
        ("arms", both(*ARM)),
        ("upper_body", ("spine", "neck", "head", *both(*ARM))),
        (["torso", "left_forearm", "neck_*"], ("spine", "left_elbow", "neck")),
    ],
)
def test_words_mean_dofs(words, prefixes):
    assert tuple(HUMAN.dof_names[d] for d in HUMAN.match_dofs(words)) == starting(*prefixes)


def test_the_chains_of_a_body_are_its_limbs_and_trunk():
    for figure in (HUMAN, poise.figures.jack()):
        for side in ("left", "right"):
            arm, leg = figure.chains[f"{side}_arm"], figure.chains[f"{side}_leg"]
            assert figure.chain(f"{side}_collar") == arm
            assert figure.chain(f"{side}_hip") == leg
        parts = [figure.chains[name] for name in ("torso", "head_and_neck", "arms", "legs")]
        assert sorted(sum(parts, ())) == sorted(set(figure.dof_names) - set(starting("root")))
    spider = poise.figures.spider()
    assert spider.chains["left_leg_2"] == spider.chain("left_hip_2")


@pytest.mark.parametrize(
    ("first", "last", "prefixes"),
    [
        ("left_shoulder", "left_wrist", ("left_shoulder", "left_elbow", "left_wrist")),
        ("left_wrist", "left_shoulder", ("left_shoulder", "left_elbow", "left_wrist")),
        ("spine_4", "left_hand", ("spine_4", "spine_5", *(f"left_{j}" for j in ARM[:4]))),
        ("left_hand", "right_hand", both(*ARM[:4])),  # the trunk moves both alike
        ("left_elbow", "left_elbow", ("left_elbow",)),
        ("pelvis", "spine_1", ("root", "spine_1")),
        ("spine_1", None, ("spine", "neck", "head", *both(*ARM))),  # all above the hips
        ("left_knee", None, tuple(f"left_{j}" for j in ("knee", "ankle", "midfoot", "toes"))),
    ],
)
def test_from_one_joint_to_another(first, last, prefixes):
    assert HUMAN.chain(first, last) == starting(*prefixes)


def test_a_figure_can_have_chains_of_its_own():
    figure = HUMAN.with_chains({"reach": ["left_arm", "spine_5"], "far_reach": ["reach", "torso"]})
    assert figure.chains["far_reach"] == starting("spine", *(f"left_{j}" for j in ARM))
    assert {**HUMAN.chains} == {n: figure.chains[n] for n in HUMAN.chains}
    shorter = figure.with_chains({"reach": "left_elbow"})
    assert shorter.chains["reach"] == ("left_elbow_flexion",)
    assert pickle.loads(pickle.dumps(figure)).chains == figure.chains
    for copy in (figure.with_rigidity({"reach": 0.5}), figure.with_limits({"left_elbow": (0, 1)})):
        assert copy.chains == figure.chains


def test_chains_follow_the_root():
    figure = HUMAN.with_chains({"step": ["root", "left_hip"], "place": "root"})
    stood = figure.rerooted("left_foot", figure.rest())
    assert set(stood.chains["step"]) == set(starting("left_hip"))
    assert "place" not in stood.chains
    assert stood.chains["torso"] == starting("spine")
    assert figure.rerooted("left_foot").chains["place"] == starting("root")
    # from the foot up: the joints keep their names, though they move other segments now
    assert set(stood.chain("left_knee", "left_hip")) == set(starting("left_knee", "left_hip"))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: HUMAN.match_dofs("left_armm"), r"unknown DOF, segment or chain of human 'left_ar"),
        (lambda: HUMAN.match_dofs(["torso", 5]), r"unknown DOF, segment or chain of human 5"),
        (lambda: HUMAN.match_dofs(5), "joints are chosen by 5; give a name"),
        (lambda: HUMAN.chain("left_shulder", "head"), "unknown joint, segment .*'left_shoulder'"),
        (lambda: HUMAN.chain("neck", "hed"), "unknown joint, segment or site.*'head'"),
        (lambda: poise.figures.arm().chain("base", "base"), "no joint from 'base' to 'base'"),
        (lambda: HUMAN.with_chains({"x": []}), "chain 'x' of 'human' is empty"),
        (lambda: HUMAN.with_chains({"head": "neck"}), "cannot be called 'head'"),
        (lambda: HUMAN.with_chains({"": "neck"}), "cannot be called ''"),
        (lambda: HUMAN.with_chains({"x": "nothing"}), "unknown DOF, segment or chain"),
    ],
)
def test_what_is_wrong_with_a_chain_is_named(make, words):
    with pytest.raises(FigureError, match=words):
        make()
