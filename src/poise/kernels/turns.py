"""Moving one joint so that what it carries comes nearest to where it is pulled, in closed form.

A pull is a row of PULL_SIZE floats: a point or direction r, its target g, the square w of its
weight, and 1 for a point or 0 for a direction. With r' = r - t and g' = g - t about a pivot t (r
and g themselves for directions), turning by R changes Σ w ‖r - g‖² by -2 Σ w g'·(R - I)r'. About a
unit axis u, Σ w g'·R(δ)r' is a cos δ + b sin δ and a constant, with

    a = Σ w (r'·g' - (u·r')(u·g')),    b = Σ w u·(r' x g'),

so that δ = atan2(b, a) is best; a slide along u is best at Σ w u·(g - r) / Σ w over the points.
Outside the limits the better end of the range is best, which need not be the nearer one.

A swing or a limited rotation vector is no turn about an axis that stays: there the best turn about
the axis of the moment is tried, projected onto the limits, and halved until Σ w ‖r - g‖² falls.
"""

import math

from poise.kernels.compiled import kernel
from poise.kernels.forward import (
    ROTATE_Z,
    ROTATION_VECTOR,
    SLIDE_Z,
    exponential,
    left_jacobian_column,
    nine,
    times,
    transposed,
)
from poise.kernels.layout import (
    AXES,
    CHARTS,
    DISC_DOF,
    LOWER,
    MOTION_DOF,
    MOTION_KIND,
    MOTION_SIGN,
    UPPER,
    floats_at,
    ints_at,
)
from poise.kernels.limits import project_pair
from poise.kernels.potentials import norm, rotation_vector_of
from poise.kernels.trigonometry import rotation_coefficients

PULL_SIZE = 8
NO_LEVER = 1e-12  # a share of Σ w |r'||g'| below which a joint has no say
HALVINGS = 30  # of a turn in a chart before its coordinate is left as it is


@kernel
def move_motion(floats, ints, m, which, pulls, ease, angles):
    """Move the DOFs of motion m to the best for the pulls `which`, and these along with it.

    AXES and CHARTS must be those of `angles` as far as they lie above the motion. `ease` (dofs)
    is the share of the best step that each DOF takes, 0 for those that stay.
    """
    kind = ints_at(ints, MOTION_KIND)[m]
    d = ints_at(ints, MOTION_DOF)[m]
    if kind <= ROTATE_Z:
        if ease[d] > 0.0:
            turn_hinge(floats, ints, d, which, pulls, ease[d], angles)
    elif kind <= SLIDE_Z:
        if ease[d] > 0.0:
            slide(floats, ints, d, which, pulls, ease[d], angles)
    elif kind == ROTATION_VECTOR and is_free_ball(floats, ints, d, ease):
        turn_ball(floats, ints, m, which, pulls, ease, angles)
    else:
        turn_chart(floats, ints, m, which, pulls, ease, angles)


@kernel
def slide(floats, ints, d, which, pulls, ease, angles):
    axes = floats_at(floats, ints, AXES)
    n = angles.size
    ux, uy, uz = axes[d], axes[n + d], axes[2 * n + d]
    along = total = 0.0
    for i in which:
        r = pulls[PULL_SIZE * i : PULL_SIZE * i + PULL_SIZE]
        weight = r[6] * r[7]
        along += weight * (ux * (r[3] - r[0]) + uy * (r[4] - r[1]) + uz * (r[5] - r[2]))
        total += weight
    if total == 0.0:
        return
    wanted = angles[d] + ease * along / total
    reached = min(max(wanted, floats_at(floats, ints, LOWER)[d]), floats_at(floats, ints, UPPER)[d])
    step = reached - angles[d]
    angles[d] = reached
    for i in which:
        r = pulls[PULL_SIZE * i : PULL_SIZE * i + PULL_SIZE]
        share = step * r[7]
        r[0] += share * ux
        r[1] += share * uy
        r[2] += share * uz


@kernel
def turn_hinge(floats, ints, d, which, pulls, ease, angles):
    axes = floats_at(floats, ints, AXES)
    n = angles.size
    u = (axes[3 * n + d], axes[4 * n + d], axes[5 * n + d])
    pivot = cross(u, (axes[d], axes[n + d], axes[2 * n + d]))  # u x (t x u): on the axis
    a, b, size = turn_sums(pulls, which, u, pivot)
    lower, upper = floats_at(floats, ints, LOWER)[d], floats_at(floats, ints, UPPER)[d]
    step = ease * best_turn(a, b, size, lower - angles[d], upper - angles[d])
    reached = min(max(angles[d] + step, lower), upper)
    step = reached - angles[d]
    if step != 0.0 and a * math.cos(step) + b * math.sin(step) > a:
        angles[d] = reached
        turn_pulls(pulls, which, pivot, about(u, step))


@kernel
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def about(u, angle):
    """The rotation by an angle about a unit axis."""
    a, b, _ = rotation_coefficients(angle * angle)
    return exponential(angle * u[0], angle * u[1], angle * u[2], a, b)


@kernel
def turn_sums(pulls, which, u, pivot):
    """(a, b) of a turn about the axis u, and how large they could be."""
    a = b = size = 0.0
    for i in which:
        r = pulls[PULL_SIZE * i : PULL_SIZE * i + PULL_SIZE]
        x, y, z = r[0] - r[7] * pivot[0], r[1] - r[7] * pivot[1], r[2] - r[7] * pivot[2]
        gx, gy, gz = r[3] - r[7] * pivot[0], r[4] - r[7] * pivot[1], r[5] - r[7] * pivot[2]
        out = u[0] * x + u[1] * y + u[2] * z
        wanted = u[0] * gx + u[1] * gy + u[2] * gz
        a += r[6] * (x * gx + y * gy + z * gz - out * wanted)
        b += r[6] * (u[0] * (y * gz - z * gy) + u[1] * (z * gx - x * gz) + u[2] * (x * gy - y * gx))
        size += r[6] * norm(x, y, z) * norm(gx, gy, gz)
    return a, b, size


@kernel
def best_turn(a, b, size, low, high):
    """The turn in [low, high], which contains 0, where a cos δ + b sin δ is largest."""
    if a * a + b * b <= (NO_LEVER * size) ** 2:
        return 0.0
    best = math.atan2(b, a)
    if low <= best <= high:
        return best
    other = best - 2.0 * math.pi if best > 0.0 else best + 2.0 * math.pi
    if low <= other <= high:
        return other
    at_low = a * math.cos(low) + b * math.sin(low)
    return low if at_low > a * math.cos(high) + b * math.sin(high) else high


@kernel
def turn_pulls(pulls, which, pivot, rotation):
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation
    for i in which:
        r = pulls[PULL_SIZE * i : PULL_SIZE * i + PULL_SIZE]
        px, py, pz = r[7] * pivot[0], r[7] * pivot[1], r[7] * pivot[2]
        x, y, z = r[0] - px, r[1] - py, r[2] - pz
        r[0] = px + r0 * x + r1 * y + r2 * z
        r[1] = py + r3 * x + r4 * y + r5 * z
        r[2] = pz + r6 * x + r7 * y + r8 * z


@kernel
def is_free_ball(floats, ints, d, ease):
    """Whether a rotation vector may turn any way and anywhere."""
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    for c in range(d, d + 3):
        if ease[c] == 0.0 or lower[c] != -math.inf or upper[c] != math.inf:
            return False
    return True


@kernel
def turn_ball(floats, ints, m, which, pulls, ease, angles):
    """Turn a free rotation vector about the three axes of its chart, one after the other."""
    chart = floats_at(floats, ints, CHARTS)[12 * m : 12 * m + 12]
    sign = floats_at(floats, ints, MOTION_SIGN)[m]
    d = ints_at(ints, MOTION_DOF)[m]
    pivot = (chart[9], chart[10], chart[11])
    turned = chart_rotation(angles, d, 3, sign)
    for c in range(3):
        u = (chart[c], chart[c + 3], chart[c + 6])
        a, b, size = turn_sums(pulls, which, u, pivot)
        step = ease[d + c] * best_turn(a, b, size, -math.inf, math.inf)
        turn_pulls(pulls, which, pivot, about(u, step))
        local = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        turned = times(about(local, step), turned)
    x, y, z = rotation_vector_of(turned)
    angles[d], angles[d + 1], angles[d + 2] = sign * x, sign * y, sign * z


@kernel
def chart_rotation(angles, d, count, sign):
    """exp[v] of a rotation vector (three DOFs) or a swing (two), as a tuple of nine."""
    x, y = sign * angles[d], sign * angles[d + 1]
    z = sign * angles[d + 2] if count == 3 else 0.0
    a, b, _ = rotation_coefficients(x * x + y * y + z * z)
    return exponential(x, y, z, a, b)


@kernel
def pull_moments(pulls, which, pivot):
    """N = Σ w g' r'ᵀ: the pulls' score Σ w g'·R r' of any rotation R is the sum of N and R."""
    n0 = n1 = n2 = n3 = n4 = n5 = n6 = n7 = n8 = 0.0
    for i in which:
        r = pulls[PULL_SIZE * i : PULL_SIZE * i + PULL_SIZE]
        x, y, z = r[0] - r[7] * pivot[0], r[1] - r[7] * pivot[1], r[2] - r[7] * pivot[2]
        gx = r[6] * (r[3] - r[7] * pivot[0])
        gy = r[6] * (r[4] - r[7] * pivot[1])
        gz = r[6] * (r[5] - r[7] * pivot[2])
        n0, n1, n2 = n0 + gx * x, n1 + gx * y, n2 + gx * z
        n3, n4, n5 = n3 + gy * x, n4 + gy * y, n5 + gy * z
        n6, n7, n8 = n6 + gz * x, n7 + gz * y, n8 + gz * z
    return n0, n1, n2, n3, n4, n5, n6, n7, n8


@kernel
def score(moments, rotation):
    n0, n1, n2, n3, n4, n5, n6, n7, n8 = moments
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation
    first = n0 * r0 + n1 * r1 + n2 * r2
    return first + n3 * r3 + n4 * r4 + n5 * r5 + n6 * r6 + n7 * r7 + n8 * r8


@kernel
def turn_chart(floats, ints, m, which, pulls, ease, angles):
    """Move the coordinates of a swing or a limited rotation vector one after the other."""
    chart = floats_at(floats, ints, CHARTS)[12 * m : 12 * m + 12]
    count = 3 if ints_at(ints, MOTION_KIND)[m] == ROTATION_VECTOR else 2
    d = ints_at(ints, MOTION_DOF)[m]
    pivot = (chart[9], chart[10], chart[11])
    for c in range(count):
        if ease[d + c] == 0.0:
            continue
        wanted = chart_wish(floats, ints, m, count, c, which, pulls, angles)
        if wanted != 0.0:
            moments = pull_moments(pulls, which, pivot)
            step = ease[d + c] * wanted
            turn = try_chart(floats, ints, m, count, c, moments, step, angles)
            turn_pulls(pulls, which, pivot, turn)


@kernel
def chart_wish(floats, ints, m, count, c, which, pulls, angles):
    """How far coordinate c of a chart would go if its axis stayed as it is."""
    chart = floats_at(floats, ints, CHARTS)[12 * m : 12 * m + 12]
    sign = floats_at(floats, ints, MOTION_SIGN)[m]
    d = ints_at(ints, MOTION_DOF)[m]
    x, y = sign * angles[d], sign * angles[d + 1]
    z = sign * angles[d + 2] if count == 3 else 0.0
    _, b, k = rotation_coefficients(x * x + y * y + z * z)
    cx, cy, cz = left_jacobian_column(x, y, z, b, k, c)
    length = norm(cx, cy, cz)
    if length < 1e-9:
        return 0.0
    scale = sign / length
    u = (
        scale * (chart[0] * cx + chart[1] * cy + chart[2] * cz),
        scale * (chart[3] * cx + chart[4] * cy + chart[5] * cz),
        scale * (chart[6] * cx + chart[7] * cy + chart[8] * cz),
    )
    a, b, size = turn_sums(pulls, which, u, (chart[9], chart[10], chart[11]))
    return best_turn(a, b, size, -math.inf, math.inf) / length


@kernel
def try_chart(floats, ints, m, count, c, moments, step, angles):
    """Move coordinate c by `step`, halved until the score rises. Returns the turn in the world."""
    frame = nine(floats_at(floats, ints, CHARTS), 12 * m)
    sign = floats_at(floats, ints, MOTION_SIGN)[m]
    d = ints_at(ints, MOTION_DOF)[m]
    disc_dof = ints_at(ints, DISC_DOF)
    lower = floats_at(floats, ints, LOWER)
    upper = floats_at(floats, ints, UPPER)
    none = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    back = times(transposed(chart_rotation(angles, d, count, sign)), transposed(frame))
    before, x, y, last = score(moments, none), angles[d], angles[d + 1], angles[d + c]
    for _ in range(HALVINGS):
        angles[d + c] = min(max(last + step, lower[d + c]), upper[d + c])
        if count == 2:
            for i in range(disc_dof.size):
                if disc_dof[i] == d:
                    angles[d], angles[d + 1] = project_pair(
                        floats, ints, i, angles[d], angles[d + 1]
                    )
        turn = times(frame, times(chart_rotation(angles, d, count, sign), back))
        if score(moments, turn) > before:
            return turn
        angles[d], angles[d + 1], angles[d + c] = x, y, last
        step *= 0.5
    return none
