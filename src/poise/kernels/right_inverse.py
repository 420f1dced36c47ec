"""The right pseudo-inverse J⁺ = Jᵀ(JJᵀ)⁻¹ of a Jacobian of three or six rows, as HJ inverts it.

The paper says nothing of a JJᵀ without an inverse, as a planar or stretched arm has it: there a
RIDGE that is far below what else matters makes J⁺ the Moore-Penrose inverse. What no DOF can do
then remains as the error ‖(I - JJ⁺)dX‖, and dX is shortened for it.
"""

from poise.kernels.compiled import kernel
from poise.kernels.linear import dot

RIDGE = 1e-11  # share of the mean diagonal entry of JJᵀ


@kernel
def fill_gram(matrix, rows, c, gram):
    """JJᵀ (rows, rows)."""
    for i in range(rows):
        for j in range(i + 1):
            product = dot(matrix[i * c : i * c + c], matrix[j * c : j * c + c], c)
            gram[i * rows + j] = product
            gram[j * rows + i] = product


@kernel
def stiffen(gram, rows, at, least, system):
    """Add the ridge to three of the diagonal entries."""
    mean = 0.0
    for i in range(at, at + 3):
        mean += gram[i * rows + i] / 3.0
    for i in range(at, at + 3):
        system[i * rows + i] += RIDGE * max(mean, least)


@kernel
def solve_three(a, x):
    """x <- A⁻¹x by cofactors (1.10). A is symmetric."""
    c0 = a[4] * a[8] - a[5] * a[7]
    c1 = a[5] * a[6] - a[3] * a[8]
    c2 = a[3] * a[7] - a[4] * a[6]
    scale = 1.0 / (a[0] * c0 + a[1] * c1 + a[2] * c2)
    c4 = a[0] * a[8] - a[2] * a[6]
    c5 = a[2] * a[3] - a[0] * a[5]
    c8 = a[0] * a[4] - a[1] * a[3]
    x0, x1, x2 = x[0], x[1], x[2]
    x[0] = scale * (c0 * x0 + c1 * x1 + c2 * x2)
    x[1] = scale * (c1 * x0 + c4 * x1 + c5 * x2)
    x[2] = scale * (c2 * x0 + c5 * x1 + c8 * x2)


@kernel
def solve_lu(a, n, x):
    """x <- A⁻¹x by A = LU with ones on L's diagonal (1.8), then (1.9). A is overwritten.

    A = JJᵀ and the ridge is positive definite, so that no rows need to change places.
    """
    for k in range(n):
        inverse = 1.0 / a[k * n + k]
        for i in range(k + 1, n):
            factor = a[i * n + k] * inverse
            for j in range(k + 1, n):
                a[i * n + j] -= factor * a[k * n + j]
            x[i] -= factor * x[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= a[i * n + j] * x[j]
        x[i] /= a[i * n + i]


@kernel
def halved(error, allowed, most):
    """(1/2)^m with the least m, at most `most`, that brings the error to what is allowed."""
    share, count = 1.0, 0
    while error > allowed and count < most:
        error *= 0.5
        share *= 0.5
        count += 1
    return share
