"""Planar arms in complex numbers, with second derivatives: nothing of the engine is used."""

import numpy as np

LENGTHS = (0.5, 0.4, 0.25)


def ends_of(lengths, angles):
    """Where the links end, and the joints that they turn about, as complex numbers."""
    ends = np.cumsum(np.asarray(lengths) * np.exp(1j * np.cumsum(angles)))
    return ends, np.concatenate([[0.0], ends[:-1]])


def value(lengths, angles, target):
    """f = |F - g|²."""
    return abs(ends_of(lengths, angles)[0][-1] - target) ** 2


def slope(lengths, angles, target):
    """∇f: turning joint i moves the tip by i(F - p_i)."""
    ends, joints = ends_of(lengths, angles)
    return 2.0 * ((ends[-1] - target).conjugate() * 1j * (ends[-1] - joints)).real


def hessian(lengths, angles, target, exact=True):
    """∇²f: ∂²F/∂θ_i∂θ_j = -(F - p_k), k the later of the two joints."""
    ends, joints = ends_of(lengths, angles)
    columns = 1j * (ends[-1] - joints)
    result = np.real(np.outer(columns.conjugate(), columns))
    if exact:
        later = np.maximum.outer(np.arange(len(joints)), np.arange(len(joints)))
        result += np.real((ends[-1] - target).conjugate() * -(ends[-1] - joints)[later])
    return 2.0 * result
