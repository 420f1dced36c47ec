"""The picture of a pose: bodies of spheres, cameras, shading."""

import numpy as np
import pytest

import poise
from poise.errors import OptionError
from poise.figure.scaling import scaled
from poise.view.body import spheres
from poise.view.picture import marks_of
from poise.view.render import camera_on, render

FIGURES = {
    "human": lambda: poise.figures.human(),
    "jack": lambda: poise.figures.jack(),
    "arm": lambda: poise.figures.arm(),
    "spider": lambda: poise.figures.spider(),
    "snake": lambda: poise.figures.snake(40),
}


def lone_segment():
    return poise.Figure("ball", [poise.Segment("ball", None, poise.joint.free())])


@pytest.mark.parametrize("name", FIGURES)
def test_every_segment_has_a_body(name):
    figure = FIGURES[name]()
    body = spheres(figure.rest())
    assert set(body.segments) == set(range(len(figure.segments)))
    assert (body.radii > 0).all()
    assert np.isfinite(body.centers).all()


def test_the_body_of_the_human_has_its_height_and_moves_with_it():
    human = poise.figures.human()
    body = spheres(human.pose([0.0] * 71))
    top = (body.centers[:, 1] + body.radii).max()
    bottom = (body.centers[:, 1] - body.radii).min()
    assert bottom == pytest.approx(0.0, abs=0.02)
    assert top == pytest.approx(1.80, abs=0.03)
    moved = spheres(human.pose({"root_tx": 2.0}))
    rest = spheres(human.rest())
    np.testing.assert_allclose(moved.centers - rest.centers, [[2.0, 0.0, 0.0]] * len(rest.radii))


def test_a_smaller_human_has_a_smaller_body():
    human = poise.figures.human()
    whole, half = spheres(human.rest()), spheres(scaled(human, 0.5).rest())
    assert half.radii.max() == pytest.approx(0.5 * whole.radii.max())
    for corner in (np.min, np.max):
        edges = [corner(body.centers, axis=0) for body in (whole, half)]
        np.testing.assert_allclose(edges[1], 0.5 * edges[0], atol=0.01)


def test_left_and_right_are_mirror_images():
    human = poise.figures.human()
    body = spheres(human.pose([0.0] * 71))
    left, right = (
        body.centers[body.segments == human.segment_index(f"{side}_hand")]
        for side in ("left", "right")
    )
    np.testing.assert_allclose(left * [-1.0, 1.0, 1.0], right, atol=1e-9)


@pytest.mark.parametrize("up", [1, 2])
def test_the_camera_sees_all_points_upright(up):
    points = np.random.default_rng(1).normal(size=(50, 3))
    camera = camera_on(points, up, 0.6, 0.2, 0.1, 300)
    rows, columns = camera.shape
    x, y, _ = camera.project(points).T
    assert ((x > 0) & (x < columns) & (y > 0) & (y < rows)).all()
    np.testing.assert_allclose(camera.axes @ camera.axes.T, np.eye(3), atol=1e-12)
    foot, head = camera.project(np.stack([np.zeros(3), np.eye(3)[up]]))
    assert head[1] < foot[1]
    assert head[0] == pytest.approx(foot[0])


def test_a_camera_in_front_has_the_figures_left_on_its_right():
    human = poise.figures.human()
    pose = human.rest()
    body = spheres(pose)
    camera = camera_on(body.centers, 1, 0.0, 0.1, 0.2, 300)
    left, right = (camera.project(pose.position(f"{s}_hand"))[0] for s in ("left", "right"))
    assert left > right


def test_the_body_is_drawn_where_it_is():
    body = spheres(lone_segment().rest())
    camera = camera_on(np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]), 1, 0.0, 0.3, 0.0, 120)
    image = render(body, np.array([[0.2, 0.4, 0.8]]), camera, 1, None)
    x, y, _ = camera.project(np.zeros(3))
    assert image[int(y), int(x), 2] > image[int(y), int(x), 0]
    assert (image[0] == 1.0).all()
    assert image.shape == (*camera.shape, 3)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_drawn(name, tmp_path):
    pose = FIGURES[name]().rest()
    site = pose.figure.sites[0].name
    far = poise.Position(site, pose.position(site) + 100.0)
    solution = poise.solve(pose.figure, far, max_iterations=2)
    image = poise.picture(solution, tmp_path / "pose.png", title=name)
    assert (tmp_path / "pose.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["pose.png"]
    assert min(image.size) > 100


def test_goals_with_a_place_are_marked_by_what_became_of_them():
    arm = poise.figures.arm()
    tip = arm.rest().position("hand")
    goals = [
        poise.Position("hand", tip, name="here"),
        poise.Pose6D("hand", tip + 9.0, np.eye(3), name="far"),
        poise.Aim("hand", (5.0, 1.0, 0.0)),
    ]
    solution = poise.solve(arm, goals, max_iterations=0)
    here, far = marks_of(solution)
    assert (here.label, here.reached) == ("here", True)
    assert far.label.startswith("far: ")
    assert not far.reached
    np.testing.assert_allclose(far.target - far.reached_point, 9.0)


def test_a_picture_of_a_clip_is_refused():
    with pytest.raises(OptionError, match=r"clip\[0\]"):
        poise.picture(poise.motions.jump())
