"""Kernels that only kernels may call, made callable from Python for their tests.

They are here and not in the tests because the cache remembers the name of the module.
"""

from poise.kernels import (
    alignment,
    custom,
    groups,
    krylov,
    limits,
    linear,
    potentials,
    right_inverse,
    row_step,
    spectrum,
    state,
    trigonometry,
    turns,
)
from poise.kernels import discs as disc_kernels
from poise.kernels import dof_step as dof_steps
from poise.kernels.compiled import entry


@entry
def sines_cosines(angles, sines, cosines):
    trigonometry.sines_cosines(angles, sines, cosines)


@entry
def rotation_coefficients(angle_squared):
    """a, b, c and the slopes of b and c."""
    a, b, c = trigonometry.rotation_coefficients(angle_squared)
    slope_b, slope_c = trigonometry.rotation_coefficient_slopes(angle_squared, a, b, c)
    return a, b, c, slope_b, slope_c


@entry
def cholesky(matrix, n):
    return linear.cholesky(matrix, n)


@entry
def solve_cholesky(matrix, n, x):
    linear.solve_cholesky(matrix, n, x)


@entry
def solve_three(matrix, x):
    right_inverse.solve_three(matrix, x)


@entry
def solve_lu(matrix, n, x):
    right_inverse.solve_lu(matrix, n, x)


@entry
def halved(error, allowed, most):
    return right_inverse.halved(error, allowed, most)


@entry
def best_turn(a, b, size, low, high):
    return turns.best_turn(a, b, size, low, high)


@entry
def project_disc(x, y, radius):
    return limits.project_disc(x, y, radius)


@entry
def inside_disc(x, y, radius):
    return limits.inside_disc(x, y, radius)


@entry
def quaternion(m):
    return potentials.quaternion((m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]))


@entry
def prepare_rows(floats, ints):
    row_step.prepare_rows(floats, ints)


@entry
def take_row_step(floats, ints, damping, rounds):
    return row_step.row_step(floats, ints, damping, rounds)


@entry
def release_rows(floats, ints):
    row_step.release_rows(floats, ints)


@entry
def factorise(floats, ints, damping):
    return dof_steps.factorise(floats, ints, damping)


@entry
def solve_factorised(floats, ints, x):
    dof_steps.solve_factorised(floats, ints, x)


@entry
def multiply_hessian(floats, ints, x, result):
    dof_steps.multiply_hessian(floats, ints, x, result)


@entry
def take_dof_step(floats, ints, damping, rounds):
    return dof_steps.dof_step(floats, ints, damping, rounds)


@entry
def multiply_matrix_free(floats, ints, x, result):
    krylov.multiply(floats, ints, x, result)


@entry
def take_krylov_step(floats, ints, damping):
    return krylov.krylov_step(floats, ints, damping)


@entry
def turn_discs(floats, ints, vector, inverse):
    disc_kernels.turn_discs(floats, ints, vector, inverse)


@entry
def turn_disc_derivatives(floats, ints, with_hessian):
    disc_kernels.turn_disc_derivatives(floats, ints, with_hessian)


@entry
def bound_discs(floats, ints):
    disc_kernels.bound_discs(floats, ints)


@entry
def wrap_rotation_vectors(floats, ints, angles):
    state.wrap_rotation_vectors(floats, ints, angles)


@entry
def projected_gradient_norm(floats, ints):
    return state.projected_gradient_norm(floats, ints)


@entry
def keep_best(floats, ints, status):
    state.keep_best(floats, ints, status)


@entry
def fold_derivatives(floats, ints, n, with_hessian):
    groups.fold_derivatives(floats, ints, n, with_hessian)


@entry
def fold_vector(floats, ints, vector):
    groups.fold_vector(floats, ints, vector)


@entry
def spread_vector(floats, ints, vector, clear):
    groups.spread_vector(floats, ints, vector, clear)


@entry
def eigen(matrix, n, vectors, values, beside):
    spectrum.eigen(matrix, n, vectors, values, beside)


@entry
def learn_curvature(floats, ints):
    custom.learn_curvature(floats, ints)


@entry
def add_custom_curvature(floats, ints, matrix):
    custom.add_custom_curvature(floats, ints, matrix)


@entry
def align_root(floats, ints):
    """Whether the figure has a free root, which is then aligned."""
    free = alignment.has_free_root(floats, ints)
    if free:
        alignment.align_root(floats, ints)
    return free
