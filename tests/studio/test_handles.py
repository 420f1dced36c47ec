"""What can be dragged of figures that others have named."""

import poise
from poise.studio.handles import feet_of, handle_of, limb_end, with_handles


def handles(figure):
    found = {site.name: handle_of(figure, site) for site in figure.sites}
    return {name: kind for name, kind in found.items() if kind != "none"}


def test_the_joints_of_a_person_from_a_file_get_handles(tmp_path):
    poise.save(poise.motions.walk(), tmp_path / "walk.bvh", unit=0.01)
    figure = with_handles(poise.load(tmp_path / "walk.bvh", unit=0.01).figure)
    found = handles(figure)
    kinds = {
        "left_hand": "end", "right_foot": "end", "head": "end", "pelvis": "body",
        "left_forearm": "pole", "right_shank": "pole",
    }  # fmt: skip
    assert {name: found[name] for name in kinds} == kinds
    assert not [name for name in found if "finger" in name or "toe" in name]
    assert sorted(feet_of(figure)) == ["left_foot", "right_foot"]
    assert limb_end(figure, "left_forearm") == "left_hand"
    assert with_handles(figure) is figure


def test_others_get_handles_where_they_branch_and_end():
    bare = poise.Figure("bare", poise.figures.arm().segments)
    assert set(handles(with_handles(bare))) <= set(bare.segment_names)
    assert handles(with_handles(bare))
