"""How a sole stands on the ground, where it can, and what lies ahead."""

import math

from poise.kernels.compiled import kernel
from poise.kernels.terrain import height_at
from poise.kernels.walk_state import (
    BALL_Z,
    FREE,
    HEEL_Z,
    SCALE,
    TOE_Z,
    TOO_DEEP,
    TOO_HIGH,
    TOO_STEEP,
)

HALF_SOLE = 0.035  # half the width of the sole that must be on the ground [m]
ROUGH = 0.012  # ground within this of a plane is even enough for the sole [m]
HIGHEST_STEP = 0.36  # that a leg of the human's length climbs at once [m]
TOE_ROOM = 0.016  # that toes want before them [m]
SHIFT = 0.012  # between places that are tried [m]: less than the play of a sole on a stair
STEEPEST = 0.9  # rise over run


@kernel
def fit_sole(build, values, shape, x, z, heading, fit):
    """fit <- heel x, y, z, heading, pitch and roll of a sole below an ankle at (x, z).

    Gives how far the ground is from the sole's plane [m]. No point of the ground is above it.
    """
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    left_x, left_z = ahead_z, -ahead_x
    heel, ball, toe = build[HEEL_Z], build[BALL_Z], build[TOE_Z]
    half = HALF_SOLE * build[SCALE]
    length = ball - heel
    at_heel = height_at(values, shape, x + heel * ahead_x, z + heel * ahead_z)
    at_ball = height_at(values, shape, x + ball * ahead_x, z + ball * ahead_z)
    slope = (at_ball - at_heel) / length
    middle = 0.5 * (heel + ball)
    mx, mz = x + middle * ahead_x, z + middle * ahead_z
    left = height_at(values, shape, mx + half * left_x, mz + half * left_z)
    right = height_at(values, shape, mx - half * left_x, mz - half * left_z)
    tilt = (left - right) / (2.0 * half)
    above, below = 0.0, 0.0
    for i in range(5):
        along = heel + (toe - heel) * 0.25 * i
        for side in range(-1, 2):
            across = half * side
            there = height_at(
                values,
                shape,
                x + along * ahead_x + across * left_x,
                z + along * ahead_z + across * left_z,
            )
            away = there - (at_heel + slope * (along - heel) + tilt * across)
            above, below = max(above, away), min(below, away)
    fit[0], fit[1], fit[2] = x + heel * ahead_x, at_heel + above, z + heel * ahead_z
    fit[3] = heading
    fit[4] = math.atan(min(max(slope, -0.7), 0.7))
    fit[5] = math.atan(min(max(tilt, -0.4), 0.4))
    return above - below


@kernel
def find_foothold(build, values, shape, place, heading, from_height, fit):
    """fit <- the best place for a sole near place (x, z): on even ground that a leg can reach.

    Tries the place itself, then others before and behind it. Gives how far before it [m] that is.
    """
    scale = build[SCALE]
    best, best_shift = 1e9, 0.0
    highest = HIGHEST_STEP * scale
    for i in range(35):
        shift = SHIFT * scale * ((i + 1) // 2) * (1.0 if i % 2 == 1 else -1.0)
        x, z = place[0] + shift * math.sin(heading), place[1] + shift * math.cos(heading)
        rough = fit_sole(build, values, shape, x, z, heading, fit)
        rise = abs(fit[1] - from_height)
        cost = max(rough - ROUGH * scale, 0.0) + 0.05 * abs(shift)
        if rise > highest:
            cost += 10.0 * (rise - highest)
        if cost < best:
            best, best_shift = cost, shift
        if 0.05 * SHIFT * scale * ((i + 2) // 2) > best:  # all that follow lie farther away
            break
    x, z = place[0] + best_shift * math.sin(heading), place[1] + best_shift * math.cos(heading)
    best_shift -= room_for_toes(build, values, shape, x, z, heading, fit)
    x, z = place[0] + best_shift * math.sin(heading), place[1] + best_shift * math.cos(heading)
    fit_sole(build, values, shape, x, z, heading, fit)
    return best_shift


@kernel
def room_for_toes(build, values, shape, x, z, heading, fit):
    """How far back from a wall before the toes a sole can stand: they go ahead as they bend [m]."""
    scale = build[SCALE]
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    toe, back = build[TOE_Z], 0.0
    for _ in range(4):
        tip = toe - back
        there = height_at(values, shape, x + tip * ahead_x, z + tip * ahead_z)
        tip += TOE_ROOM * scale
        wall = height_at(values, shape, x + tip * ahead_x, z + tip * ahead_z)
        if wall - there < 3.0 * ROUGH * scale:
            break
        further = back + 0.004 * scale
        rough = fit_sole(
            build, values, shape, x - further * ahead_x, z - further * ahead_z, heading, fit
        )
        if rough > ROUGH * scale:
            break
        back = further
    return back


@kernel
def steepness(build, values, shape, x, z, heading, way):
    """How steep the ground is from a place to `way` ahead, rise over run, over a step's length."""
    reach = 0.55 * build[SCALE]
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    before = height_at(values, shape, x - 0.6 * reach * ahead_x, z - 0.6 * reach * ahead_z)
    here = height_at(values, shape, x, z)
    steepest = abs(here - before) / (0.6 * reach)
    for k in range(4):
        there = way * k / 3.0
        here = height_at(values, shape, x + there * ahead_x, z + there * ahead_z)
        there += reach
        ahead = height_at(values, shape, x + there * ahead_x, z + there * ahead_z)
        steepest = max(steepest, abs(ahead - here) / reach)
    return steepest


@kernel
def look_ahead(build, values, shape, x, z, heading, far, found):
    """found[0] <- how far the ground can be walked on [m], at most `far`; gives what ends it."""
    step = 0.06 * build[SCALE]
    highest = HIGHEST_STEP * build[SCALE]
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    before_3 = before_2 = before = height_at(values, shape, x, z)
    start = before
    reach = 10.0 * step
    way = 0.0
    found[0] = far
    while way < far:
        way += step
        here = height_at(values, shape, x + way * ahead_x, z + way * ahead_z)
        rise = here - before_3
        if abs(rise) > highest:
            found[0] = max(way - 3.0 * step, 0.0)
            return TOO_HIGH if rise > 0.0 else TOO_DEEP
        if way >= reach:
            back = way - reach
            start = height_at(values, shape, x + back * ahead_x, z + back * ahead_z)
            if abs(here - start) > STEEPEST * reach:
                found[0] = back
                return TOO_STEEP
        before_3, before_2, before = before_2, before, here
    return FREE
