"""Small dense linear algebra on flat, row-major matrices whose lower triangle counts."""

import math

from poise.kernels.compiled import kernel


@kernel
def dot(a, b, n):
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@kernel
def cholesky(matrix, n):
    """Replace the lower triangle by L with L Lᵀ = matrix; its diagonal holds the inverses.

    False if the matrix is not positive definite.
    """
    for i in range(n):
        row = matrix[i * n : i * n + n]
        for j in range(i):
            other = matrix[j * n : j * n + n]
            row[j] = (row[j] - dot(row, other, j)) * other[j]
        pivot = row[i] - dot(row, row, i)
        if not pivot > 0.0:
            return False
        row[i] = 1.0 / math.sqrt(pivot)
    return True


@kernel
def solve_cholesky(matrix, n, x):
    """x <- (L Lᵀ)⁻¹ x."""
    for i in range(n):
        row = matrix[i * n : i * n + n]
        x[i] = (x[i] - dot(row, x, i)) * row[i]
    for i in range(n - 1, -1, -1):
        row = matrix[i * n : i * n + n]
        x[i] *= row[i]
        value = x[i]
        for j in range(i):
            x[j] -= row[j] * value
