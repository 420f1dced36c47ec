"""The spectrum of a symmetric matrix, and through it the singular values of a Jacobian.

The methods that need J = UΣVᵀ take U and Σ² from the rows x rows matrix JJᵀ and V = JᵀUΣ⁻¹. Rows
are few: this takes a fifth of the time of a decomposition of J itself and allocates nothing. It
halves the digits of small singular values, which those methods cut or damp anyway.

By Householder's reduction to three diagonals and implicit QL steps (Golub & Van Loan §8.3).
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.linear import dot

MOST_STEPS = 50  # of QL for one eigenvalue; two are usual
ROUNDING = 2.3e-16


@kernel
def eigen(matrix, n, vectors, values, beside):
    """Eigenvalues into `values` and eigenvectors into the rows of `vectors`.

    The lower triangle of `matrix` counts; the matrix and `beside` (n) are overwritten.
    """
    if n == 0:
        return
    for i in range(n):
        for j in range(i):
            matrix[j * n + i] = matrix[i * n + j]
    tridiagonalise(matrix, n, values, beside)
    gather_reflections(matrix, n, vectors)
    for k in range(n):
        values[k] = matrix[k * n + k]
    diagonalise(n, vectors, values, beside)


@kernel
def tridiagonalise(matrix, n, product, beside):
    """Reflect to three diagonals: the middle one in the matrix, the others in `beside`.

    Reflection k is I - vvᵀ, with v stored in matrix[k, k+1:].
    """
    for k in range(n - 1):
        v = matrix[k * n + k + 1 : k * n + n]
        m = n - k - 1
        squared = dot(v, v, m)
        length = math.sqrt(squared)
        head = -length if v[0] > 0.0 else length
        beside[k] = head
        norm = squared - head * v[0]  # ½‖x - head e₁‖²
        if k == n - 2 or not norm > 0.0:  # nothing to reflect
            beside[k] = v[0]
            for i in range(m):
                v[i] = 0.0
            continue
        v[0] -= head
        scale = 1.0 / math.sqrt(norm)
        for i in range(m):
            v[i] *= scale
        along = 0.0
        for i in range(m):
            row = matrix[(k + 1 + i) * n + k + 1 : (k + 2 + i) * n]
            product[i] = dot(row, v, m)
            along += product[i] * v[i]
        for i in range(m):
            product[i] -= 0.5 * along * v[i]
        for i in range(m):
            row = matrix[(k + 1 + i) * n + k + 1 : (k + 2 + i) * n]
            a, b = v[i], product[i]
            for j in range(m):
                row[j] -= a * product[j] + b * v[j]
    beside[n - 1] = 0.0


@kernel
def gather_reflections(matrix, n, vectors):
    """The rows of `vectors` <- the columns of the product of all reflections."""
    for i in range(n * n):
        vectors[i] = 0.0
    for i in range(n):
        vectors[i * n + i] = 1.0
    for k in range(n - 3, -1, -1):
        m = n - k - 1
        v = matrix[k * n + k + 1 : k * n + n]
        for i in range(k + 1, n):
            row = vectors[i * n + k + 1 : i * n + n]
            along = dot(row, v, m)
            for j in range(m):
                row[j] -= along * v[j]


@kernel
def split_after(values, beside, first):
    """The end of the block that starts at `first`: where the entry beside the diagonal is zero."""
    last = first
    while last < values.size - 1:
        size = abs(values[last]) + abs(values[last + 1])
        if abs(beside[last]) <= ROUNDING * size:
            break
        last += 1
    return last


@kernel
def diagonalise(n, vectors, values, beside):
    """QL steps with implicit shifts on three diagonals; the rows of `vectors` turn along."""
    for first in range(n):
        for _ in range(MOST_STEPS):
            last = split_after(values[:n], beside, first)
            if last == first:
                break
            gap = 0.5 * (values[first + 1] - values[first]) / beside[first]
            reach = math.sqrt(gap * gap + 1.0)
            reach = reach if gap >= 0.0 else -reach
            g = values[last] - values[first] + beside[first] / (gap + reach)
            sine, cosine, carried, apart = 1.0, 1.0, 0.0, False
            for i in range(last - 1, first - 1, -1):
                f, b = sine * beside[i], cosine * beside[i]
                r = math.sqrt(f * f + g * g)
                beside[i + 1] = r
                if r == 0.0:  # the block has fallen apart
                    values[i + 1] -= carried
                    beside[last] = 0.0
                    apart = True
                    break
                sine, cosine = f / r, g / r
                g = values[i + 1] - carried
                r = (values[i] - g) * sine + 2.0 * cosine * b
                carried = sine * r
                values[i + 1] = g + carried
                g = cosine * r - b
                turn_rows(vectors, n, i, cosine, sine)
            if not apart:
                values[first] -= carried
                beside[first] = g
                beside[last] = 0.0


@kernel
def turn_rows(vectors, n, i, cosine, sine):
    """Turn the rows i and i + 1 in their plane."""
    one, other = vectors[i * n : i * n + n], vectors[(i + 1) * n : (i + 2) * n]
    for k in range(n):
        a, b = one[k], other[k]
        one[k] = cosine * a - sine * b
        other[k] = sine * a + cosine * b
