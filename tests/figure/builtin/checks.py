"""What the tests of the built-in figures share."""

import numpy as np

MIRROR = np.diag([-1.0, 1.0, 1.0])
SIDEWAYS = ("lateral_bending", "axial_rotation")


def is_limited(figure):
    """Which DOFs have both limits."""
    return np.isfinite(figure.lower) & np.isfinite(figure.upper)


def random_pose(figure, rng):
    """Every limited DOF anywhere in its range, the others at rest."""
    limited = is_limited(figure)
    values = figure.rest().angles.copy()
    values[limited] = rng.uniform(figure.lower[limited], figure.upper[limited])
    return figure.pose(values)


def mirrored_name(name):
    if name.startswith("left_"):
        return name.replace("left_", "right_", 1)
    return name.replace("right_", "left_", 1) if name.startswith("right_") else name


def mirrored_pose(pose):
    """The same angles with the sides exchanged; the trunk bends and turns the other way."""
    figure = pose.figure
    values = {}
    for name, value in zip(figure.dof_names, pose.angles, strict=True):
        sign = -1.0 if name.endswith(SIDEWAYS) else 1.0
        values[mirrored_name(name)] = sign * value
    return figure.pose(values)


def assert_symmetric(figure, rng):
    """Exchanging the sides of any pose gives its mirror image, frame by frame."""
    pose = random_pose(figure, rng)
    image = mirrored_pose(pose)
    for name in figure.segment_names:
        other = mirrored_name(name)
        np.testing.assert_allclose(image.position(other), MIRROR @ pose.position(name), atol=1e-12)
        expected = MIRROR @ pose.rotation(name) @ MIRROR
        np.testing.assert_allclose(image.rotation(other), expected, atol=1e-12)
    for site in figure.sites:
        expected = MIRROR @ pose.position(site.name)
        np.testing.assert_allclose(image.position(mirrored_name(site.name)), expected, atol=1e-12)


def movement(figure, dof, effector, offset=(0.0, 0.0, 0.0), start=None, angle=0.05):
    """The unit vector along which `dof` moves a point of an effector, from rest or `start`."""
    pose = start or figure.rest()
    values = pose.angles.copy()
    values[figure.dof_index(dof)] += angle
    moved = figure.pose(values).position(effector, offset) - pose.position(effector, offset)
    return moved / np.linalg.norm(moved)


def position_jacobian(figure, site, patterns):
    """d position / d DOF (3, dofs) at rest by central differences."""
    rest, step = figure.rest().angles, 1e-6
    columns = []
    for i in figure.match_dofs(patterns):
        ahead, behind = rest.copy(), rest.copy()
        ahead[i] += step
        behind[i] -= step
        change = figure.pose(ahead).position(site) - figure.pose(behind).position(site)
        columns.append(change / (2.0 * step))
    return np.stack(columns, axis=1)


def smallest_singular_value(figure, site, patterns):
    return np.linalg.svd(position_jacobian(figure, site, patterns), compute_uv=False)[-1]


def center_of_mass(pose):
    masses = np.array([segment.mass for segment in pose.figure.segments])
    rotations, origins = pose.frames
    centers = np.array([segment.center for segment in pose.figure.segments])
    points = origins + np.einsum("sij,sj->si", rotations, centers)
    return masses @ points / masses.sum()
