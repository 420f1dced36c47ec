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

ROWS, BALL_ROW = 5, 3  # of points of the sole, from heel to toes, that are looked at
HALF_SOLE = 0.035  # half the width of the sole that must be on the ground [m]
ROUGH = 0.012  # ground within this of a plane is even enough for the sole [m]
HIGHEST_STEP = 0.36  # that a leg of the human's length climbs at once [m]
OVERHANG = 0.006  # a row of the sole over nothing is as bad as ground rougher by this [m]
TOE_ROOM, HEEL_ROOM = 0.016, 0.006  # that a sole wants to walls before and behind it [m]
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
    for i in range(ROWS):
        along = (toe - heel) * i / (ROWS - 1)
        for side in range(-1, 2):
            there = height_below(build, values, shape, x, z, heading, i, side)
            away = there - (at_heel + slope * along + tilt * half * side)
            above, below = max(above, away), min(below, away)
    fit[0], fit[1], fit[2] = x + heel * ahead_x, at_heel + above, z + heel * ahead_z
    fit[3] = heading
    fit[4] = math.atan(min(max(slope, -0.7), 0.7))
    fit[5] = math.atan(min(max(tilt, -0.4), 0.4))
    return above - below


@kernel
def height_below(build, values, shape, x, z, heading, row, side):
    """The height of the ground below a point of the sole: a row from heel to toes, and a side."""
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    along = build[HEEL_Z] + (build[TOE_Z] - build[HEEL_Z]) * row / (ROWS - 1)
    across = HALF_SOLE * build[SCALE] * side
    x, z = x + along * ahead_x + across * ahead_z, z + along * ahead_z - across * ahead_x
    return height_at(values, shape, x, z)


@kernel
def place_on(build, values, shape, x, z, heading, fit):
    """As `fit_sole`; or a level sole of which heel or toes stand out over an edge, if the ground
    allows no better."""
    rough = fit_sole(build, values, shape, x, z, heading, fit)
    scale = build[SCALE]
    if rough < 3.0 * ROUGH * scale:
        return rough
    top = height_below(build, values, shape, x, z, heading, 0, 0)
    for i in range(ROWS):
        for side in range(-1, 2):
            top = max(top, height_below(build, values, shape, x, z, heading, i, side))
    lying = 0
    for i in range(ROWS):
        least = height_below(build, values, shape, x, z, heading, i, 0)
        for side in range(-1, 2, 2):
            least = min(least, height_below(build, values, shape, x, z, heading, i, side))
        if top - least < ROUGH * scale:
            lying += 1
        elif i == BALL_ROW:
            return rough
    if lying < ROWS - 2:
        return rough
    fit[0], fit[1] = x + build[HEEL_Z] * math.sin(heading), top
    fit[2] = z + build[HEEL_Z] * math.cos(heading)
    fit[3], fit[4], fit[5] = heading, 0.0, 0.0
    return (ROUGH + OVERHANG * (ROWS - lying)) * scale


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
        rough = place_on(build, values, shape, x, z, heading, fit)
        rise = abs(fit[1] - from_height)
        cost = max(rough - ROUGH * scale, 0.0) + 0.05 * abs(shift)
        if rise > highest:
            cost += 10.0 * (rise - highest)
        if cost < best:
            best, best_shift = cost, shift
        if 0.05 * SHIFT * scale * ((i + 2) // 2) > best:  # all that follow lie farther away
            break
    return make_room(build, values, shape, place, heading, best_shift, fit)


@kernel
def make_room(build, values, shape, place, heading, shift, fit):
    """Move a foothold, `shift` before a place, away from walls: toes go ahead as they bend.

    Gives how far before the place [m] it is then.
    """
    scale = build[SCALE]
    x, z = place[0] + shift * math.sin(heading), place[1] + shift * math.cos(heading)
    rough = max(place_on(build, values, shape, x, z, heading, fit), ROUGH * scale)
    for _ in range(12):
        if wall_within(build, values, shape, x, z, heading, build[TOE_Z], TOE_ROOM * scale):
            moved = shift - 0.002 * scale
        elif wall_within(build, values, shape, x, z, heading, build[HEEL_Z], -HEEL_ROOM * scale):
            moved = shift + 0.002 * scale
        else:
            break
        x, z = place[0] + moved * math.sin(heading), place[1] + moved * math.cos(heading)
        if place_on(build, values, shape, x, z, heading, fit) > rough:
            break
        shift = moved
    x, z = place[0] + shift * math.sin(heading), place[1] + shift * math.cos(heading)
    place_on(build, values, shape, x, z, heading, fit)
    return shift


@kernel
def wall_within(build, values, shape, x, z, heading, along, room):
    """Whether the ground rises at once within `room` of the end of a sole that is `along` it."""
    ahead_x, ahead_z = math.sin(heading), math.cos(heading)
    here = height_at(values, shape, x + along * ahead_x, z + along * ahead_z)
    along += room
    there = height_at(values, shape, x + along * ahead_x, z + along * ahead_z)
    return there - here > 3.0 * ROUGH * build[SCALE]


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
    way, jump = 0.0, 0.0
    found[0] = far
    while way < far:
        way += step
        here = height_at(values, shape, x + way * ahead_x, z + way * ahead_z)
        rise = here - before_3
        if abs(rise) > highest:
            found[0] = max(way - 3.0 * step, 0.0)
            return TOO_HIGH if rise > 0.0 else TOO_DEEP
        # One step of stairs is no slope.
        jump = max(0.94 * jump, abs(here - before) - STEEPEST * step)
        if way >= reach:
            back = way - reach
            start = height_at(values, shape, x + back * ahead_x, z + back * ahead_z)
            if abs(here - start) - jump > STEEPEST * reach:
                found[0] = back
                return TOO_STEEP
        before_3, before_2, before = before_2, before, here
    return FREE
