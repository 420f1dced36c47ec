"""Joint groups: DOFs that follow another one, their leader. θ_f = ratio θ_l + shift.

A group is a substitution, not a constraint: derivatives of followers are folded into those of
their leader, steps move leaders only, and followers are set from them. Followers have mobility 0.
"""

from poise.kernels.compiled import exact_kernel, kernel
from poise.kernels.layout import (
    FOLLOWER_DOF,
    FOLLOWER_RATIO,
    FOLLOWER_SHIFT,
    HESSIAN,
    JACOBIAN,
    LEADER_DOF,
    floats_at,
    ints_at,
)


@exact_kernel
def follow(floats, ints, angles):
    """Set every follower from its leader; the leaders' bounds are such that none leaves its own.

    Returns how many moved.
    """
    follower = ints_at(ints, FOLLOWER_DOF)
    leader = ints_at(ints, LEADER_DOF)
    ratio = floats_at(floats, ints, FOLLOWER_RATIO)
    shift = floats_at(floats, ints, FOLLOWER_SHIFT)
    moved = 0
    for i in range(follower.size):
        value = ratio[i] * angles[leader[i]] + shift[i]
        if value != angles[follower[i]]:
            moved += 1
        angles[follower[i]] = value
    return moved


@exact_kernel
def gather(floats, ints, angles):
    """Set every leader to where its group is nearest to `angles`, unless that holds already."""
    follower = ints_at(ints, FOLLOWER_DOF)
    leader = ints_at(ints, LEADER_DOF)
    ratio = floats_at(floats, ints, FOLLOWER_RATIO)
    shift = floats_at(floats, ints, FOLLOWER_SHIFT)
    i = 0
    while i < follower.size:  # followers of one leader stand together
        head, begin = leader[i], i
        holds, total, squares = True, angles[head], 1.0
        while i < follower.size and leader[i] == head:
            value = angles[follower[i]]
            holds = holds and value == ratio[i] * angles[head] + shift[i]
            total += ratio[i] * (value - shift[i])
            squares += ratio[i] * ratio[i]
            i += 1
        if not holds and i > begin:
            angles[head] = total / squares


@kernel
def fold_vector(floats, ints, vector):
    """A gradient by all DOFs -> by leaders; that of a follower becomes zero."""
    follower = ints_at(ints, FOLLOWER_DOF)
    leader = ints_at(ints, LEADER_DOF)
    ratio = floats_at(floats, ints, FOLLOWER_RATIO)
    for i in range(follower.size):
        vector[leader[i]] += ratio[i] * vector[follower[i]]
        vector[follower[i]] = 0.0


@kernel
def spread_vector(floats, ints, vector, clear):
    """The motion of followers from that of their leaders; `clear` sets it back to zero."""
    follower = ints_at(ints, FOLLOWER_DOF)
    leader = ints_at(ints, LEADER_DOF)
    ratio = floats_at(floats, ints, FOLLOWER_RATIO)
    for i in range(follower.size):
        vector[follower[i]] = 0.0 if clear else ratio[i] * vector[leader[i]]


@kernel
def clear_leader_columns(floats, ints, n):
    """Before JACOBIAN is filled: a leader off a goal's path has a column only by its followers."""
    leader = ints_at(ints, LEADER_DOF)
    matrix = floats_at(floats, ints, JACOBIAN)
    for i in range(leader.size):
        for at in range(leader[i], matrix.size, n):
            matrix[at] = 0.0


@kernel
def fold_derivatives(floats, ints, n, with_hessian):
    """Fold JACOBIAN and, if asked, HESSIAN (lower triangle): J B and Bᵀ H B."""
    follower = ints_at(ints, FOLLOWER_DOF)
    leader = ints_at(ints, LEADER_DOF)
    ratio = floats_at(floats, ints, FOLLOWER_RATIO)
    matrix = floats_at(floats, ints, JACOBIAN)
    hessian = floats_at(floats, ints, HESSIAN)
    for i in range(follower.size):
        f, head, factor = follower[i], leader[i], ratio[i]
        for row in range(0, matrix.size, n):
            matrix[row + head] += factor * matrix[row + f]
            matrix[row + f] = 0.0
        if with_hessian:
            fold_hessian(hessian, n, f, head, factor)


@kernel
def fold_hessian(hessian, n, f, head, factor):
    corner = hessian[f * n + f]
    hessian[head * n + head] += factor * (2.0 * hessian[f * n + head] + factor * corner)
    for d in range(n):
        if d != f and d != head:
            source = f * n + d if d < f else d * n + f
            target = head * n + d if d < head else d * n + head
            hessian[target] += factor * hessian[source]
            hessian[source] = 0.0
    hessian[f * n + head] = 0.0
    hessian[f * n + f] = 0.0
