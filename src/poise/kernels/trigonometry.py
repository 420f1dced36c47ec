"""Sine and cosine of many angles at once: written so that the compiler can use vector units."""

import math

from poise.kernels.compiled import exact_kernel, kernel


@exact_kernel
def sine_cosine(x):
    """(sin x, cos x) to an error below 2.3e-16 for |x| up to 1e5 rad.

    Cody-Waite reduction to [-pi/4, pi/4] in three parts, then the polynomials of fdlibm. The
    order of operations matters in the reduction, hence `exact_kernel`. No branches.
    """
    quarter = math.floor(x * 0.6366197723675814 + 0.5)
    r = x - quarter * 1.5707963267341256
    r = r - quarter * 6.077100506303966e-11
    r = r - quarter * 2.0222662487959506e-21
    z = r * r
    s = 2.75573137070700676789e-06 + z * (
        -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    )
    s = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * s)
    s = r + r * z * (-1.66666666666666324348e-01 + z * s)
    c = -2.75573143513906633035e-07 + z * (
        2.08757232129817482790e-09 - z * 1.13596475577881948265e-11
    )
    c = -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * c)
    c = 1.0 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * c)
    odd = quarter * 0.5 - math.floor(quarter * 0.5)  # 0 or 1/2
    turn = quarter * 0.25 - math.floor(quarter * 0.25)  # 0, 1/4, 1/2 or 3/4
    sine = s if odd == 0.0 else c
    cosine = c if odd == 0.0 else s
    if turn >= 0.5:
        sine = -sine
    if turn == 0.25 or turn == 0.5:
        cosine = -cosine
    return sine, cosine


@kernel
def sines_cosines(angles, sines, cosines):
    for i in range(angles.size):
        sines[i], cosines[i] = sine_cosine(angles[i])


@kernel
def rotation_coefficients(angle_squared):
    """(a, b, c) with exp[v] = I + a[v] + b[v]^2 and left Jacobian I + b[v] + c[v]^2.

    a = sin φ / φ, b = (1 - cos φ) / φ², c = (φ - sin φ) / φ³, by series near φ = 0.
    """
    if angle_squared < 1e-3:
        z = angle_squared
        a = 1.0 - z / 6.0 * (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0)))
        b = 0.5 * (1.0 - z / 12.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0 * (1.0 - z / 90.0))))
        c = (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0 * (1.0 - z / 110.0)))) / 6.0
        return a, b, c
    angle = math.sqrt(angle_squared)
    sine, cosine = sine_cosine(angle)
    return (
        sine / angle,
        (1.0 - cosine) / angle_squared,
        (angle - sine) / (angle_squared * angle),
    )


@kernel
def rotation_coefficient_slopes(angle_squared, a, b, c):
    """(b', c') with b' = (db/dφ)/φ and c' = (dc/dφ)/φ, for second derivatives of exp[v]."""
    if angle_squared < 1e-3:
        z = angle_squared
        slope_b = -1.0 / 12.0 + z / 180.0 - z * z / 6720.0
        slope_c = -1.0 / 60.0 + z / 1260.0 - z * z / 60480.0
        return slope_b, slope_c
    return (a - 2.0 * b) / angle_squared, (b - 3.0 * c) / angle_squared
