import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from kernels.wrappers import inside_disc, project_disc

from poise.kernels import layout, limits

finite = st.floats(-1e6, 1e6)
INF = np.inf


def projected(angles, lower, upper, discs=()):
    """The projection, and how many DOFs it says it moved."""
    ints, floats = layout.pack(
        {
            layout.LOWER: np.array(lower, float),
            layout.UPPER: np.array(upper, float),
            layout.DISC_DOF: np.array([d for d, _ in discs], int),
            layout.DISC_RADIUS: np.array([radius for _, radius in discs], float),
        }
    )
    result = np.array(angles, float)
    return result, limits.bring_inside(floats, ints, result)


boxes = st.lists(
    st.tuples(
        finite,
        st.one_of(st.just(-INF), finite),
        st.one_of(st.just(INF), finite),
    ).filter(lambda box: box[1] <= box[2]),
    min_size=1,
    max_size=12,
)


@given(boxes)
def test_boxes_are_clamped_to_the_bit(given_boxes):
    angles, lower, upper = np.array(given_boxes).T
    result, moved = projected(angles, lower, upper)
    np.testing.assert_array_equal(result, np.clip(angles, lower, upper))
    assert moved == np.count_nonzero(result != angles)
    again, moved = projected(result, lower, upper)
    np.testing.assert_array_equal(again, result)
    assert moved == 0


radii = st.floats(1e-6, np.pi)


@given(x=finite, y=finite, radius=radii)
def test_a_disc_holds_its_projection_exactly(x, y, radius):
    px, py = project_disc(x, y, radius)
    assert inside_disc(px, py, radius)
    assert px * px + py * py <= radius * radius
    assert project_disc(px, py, radius) == (px, py)
    if x * x + y * y <= radius * radius:
        assert (px, py) == (x, y)
    else:
        assert np.hypot(px, py) >= radius * (1.0 - 1e-15)


@given(x=finite, y=finite, radius=radii)
def test_a_disc_keeps_the_direction(x, y, radius):
    assume(np.hypot(x, y) > 1e-9)
    px, py = project_disc(x, y, radius)
    length, out = np.hypot(px, py), np.hypot(x, y)
    assert px * x + py * y >= 0.0
    assert abs(px * (y / out) - py * (x / out)) <= 4e-16 * length


@given(x=st.floats(-20, 20), y=st.floats(-20, 20), radius=st.floats(0.05, 3.0))
@example(x=2.0, y=1e-11, radius=1.0)  # the box's point is in the disc by rounding alone
def test_a_cone_is_projected_onto_radially_from_anywhere(x, y, radius):
    """Its DOFs carry the box ±radius, which must not turn the direction."""
    result, _ = projected([x, y], [-radius] * 2, [radius] * 2, [(0, radius)])
    expected = np.array([x, y]) * min(1.0, radius / max(np.hypot(x, y), 1e-300))
    np.testing.assert_allclose(result, expected, atol=1e-14)


@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_a_cone_cut_by_a_box_is_projected_onto_exactly(data, seed):
    rng = np.random.default_rng(seed)
    radius = rng.uniform(0.1, 2.0)
    # A box with a point of the disc in it
    inner = rng.normal(size=2)
    inner *= 0.95 * radius * rng.random() / np.linalg.norm(inner)
    lower = np.array([data.draw(st.sampled_from([-INF, c - 0.05, c - 0.5])) for c in inner])
    upper = np.array([data.draw(st.sampled_from([INF, c + 0.05, c + 0.5])) for c in inner])
    start = rng.normal(size=2) * data.draw(st.sampled_from([0.1, 1.0, 10.0]))
    result, moved = projected(start, lower, upper, [(0, radius)])
    assert ((lower <= result) & (result <= upper)).all()
    assert inside_disc(*result, radius)
    again, moved_again = projected(result, lower, upper, [(0, radius)])
    np.testing.assert_array_equal(again, result)
    assert moved_again == 0
    assert (moved > 0) == (result != start).any()
    others = rng.uniform(np.maximum(lower, -radius), np.minimum(upper, radius), (300, 2))
    others = others[np.hypot(*others.T) <= radius]
    nearest = np.linalg.norm(others - start, axis=1).min(initial=np.inf)
    assert np.linalg.norm(result - start) <= nearest + 1e-12


def test_several_cones_between_boxes():
    angles = [9.0, 3.0, 4.0, -9.0, 0.3, 0.4, 0.5]
    result, moved = projected(
        angles,
        [-1, -10, -10, -2, -10, -10, -1],
        [1, 10, 10, 2, 10, 10, 1],
        [(1, 1.0), (4, 1.0)],
    )
    np.testing.assert_allclose(result, [1.0, 0.6, 0.8, -2.0, 0.3, 0.4, 0.5], atol=1e-15)
    assert moved >= 3


@pytest.mark.parametrize("x", [0.6, 1.0, 5.0])
def test_the_edge_of_a_cone_stays_to_the_bit(x):
    """Points that a solver puts on the edge are not moved again."""
    radius = 0.7
    for angle in np.linspace(0.0, 2.0 * np.pi, 1001):
        once, _ = projected([x * np.cos(angle), x * np.sin(angle)], [-9, -9], [9, 9], [(0, radius)])
        twice, moved = projected(once, [-9, -9], [9, 9], [(0, radius)])
        assert moved == 0
        np.testing.assert_array_equal(once, twice)
