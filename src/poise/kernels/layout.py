"""Where everything lies in the two arenas that kernels read and write.

A kernel receives one integer arena and one float arena, because each array argument of a compiled
call costs about 0.1 µs. The first integers are a directory: section k lies at
`ints[2k]:ints[2k+1]` of its arena. A kernel names the sections it uses at its top:

    angles = floats_at(floats, ints, ANGLES)

Shapes are given as (rows, columns), stored row by row. n: DOFs, s: segments, m: motions, k: goals,
r: residual rows. "SoA" means one contiguous run per coordinate.
"""

from __future__ import annotations

import numpy as np

from poise.kernels.access import row_access, section_access

(
    # --- the figure ---
    SEGMENT_PARENT,  # (s) index of the parent segment, -1 for the root
    SEGMENT_MOTIONS,  # (s+1) first motion of each segment
    SEGMENT_DOFS,  # (s+1) first DOF of each segment
    SEGMENT_FLAGS,  # (s) bits HAS_BEFORE, HAS_AFTER
    MOTION_KIND,  # (m) MotionKind
    MOTION_DOF,  # (m) first DOF of each motion
    DISC_DOF,  # (discs) first of the two swing DOFs
    FOLLOWER_DOF,  # (f) DOFs that follow the leader of their joint group, ascending
    LEADER_DOF,  # (f) the leader of each: the first DOF of the group
    RELATION_FIRST,  # (c+1) first entry of each linear relation; those of one part are together
    RELATION_DOF,  # (entries) DOFs of the relations, leaders in the place of followers
    PART_RELATION,  # (p+1) first relation of each part; parts share no DOF
    PART_FIRST,  # (p+1) first entry of each part in PART_DOF
    PART_DOF,  # (entries) DOFs of the parts
    # --- the problem ---
    GOAL_KIND,  # (k) GoalKind
    GOAL_SEGMENT,  # (k) segment of the effector; -1: the centre of mass
    GOAL_OTHER,  # (k) segment of the second effector, -1 where there is none
    GOAL_GROUP,  # (k) goals of one group are alternatives, -1: none; empty if there are none
    GOAL_ROW,  # (k+1) first residual row of each goal
    GOAL_REACH,  # (k, k) columns of the Jacobian shared by two goals lie below this index
    PATH_FIRST,  # (k+1) first entry of each goal's path in PATH_RUNS
    PATH_RUNS,  # (runs, 2) DOF ranges [begin, end) on the way from the root to the effector
    ABOVE_FIRST,  # (s+1) first entry of each segment in ABOVE_RUNS
    ABOVE_RUNS,  # (runs, 2) DOF ranges coupled with a segment's DOFs in the Hessian, above them
    DYNAMIC_LIMIT,  # (limits, 4) DOF, the DOF that it depends on, first and last + 1 of its knots
    # --- the state of a solve ---
    COUNTERS,  # (COUNTER_COUNT) see the names below
    DISC_PLAIN,  # (discs) 1 where a step leaves a swing in its own coordinates: see discs.py
    HELD,  # (n) 1 where a DOF is held at a bound in this step, else 0
    FREE_LIST,  # (n) indices of the DOFs that are not held
    RELATION_HELD,  # (c) -1 or 1 where a relation is held at its low or high side, else 0
    PROJECTION_ACTIVE,  # (most DOFs of a part) the sides that a projection has reached
    INDICES,  # the methods' own lists of goals, joints and DOFs
    # --- the figure, floats ---
    SEGMENT_OFFSET,  # (s, 3) joint origin in the parent's frame [m]
    SEGMENT_BEFORE,  # (s, 9) rotation before the joint's motions
    SEGMENT_AFTER,  # (s, 12) rotation (9) and translation (3) after the joint's motions
    SEGMENT_MASS,  # (s, 4) share of the mass, and its centre in the segment's frame [m]
    MOTION_SIGN,  # (m) +1, or -1 for a reversed motion
    DISC_RADIUS,  # (discs) cone half-angle [rad]
    FOLLOWER_RATIO,  # (f) a follower is RATIO * leader + SHIFT
    FOLLOWER_SHIFT,  # (f)
    RELATION_FACTOR,  # (entries) relation i is LOW <= Σ factor * angle <= HIGH
    RELATION_LOW,  # (c)
    RELATION_HIGH,  # (c)
    RELATION_SCALE,  # (c) Σ |factor|, at least the size of the finite sides
    LOWER,  # (n) [rad or m]
    UPPER,  # (n)
    MOBILITY,  # (n) how readily a DOF moves: 0 frozen; the DOF metric is 1 / MOBILITY²
    MIDDLE,  # (n) the middle of a DOF's range, or its rest where a side is infinite
    HALF_RANGE,  # (n) half the range of a DOF that is limited on both sides, else 0
    SPREAD,  # (n) how far restarts spread an unlimited hinge about its start, else 0
    # --- the problem, floats ---
    GOAL_EFFECTOR,  # (k, 12) rotation (9) and point (3) of the effector in its segment
    GOAL_OTHER_EFFECTOR,  # (k, 12) the same of the second effector
    GOAL_TARGET,  # (k, TARGET_SIZE)
    GOAL_WEIGHT,  # (k, 4) square roots of the weights of a goal's parts
    GOAL_TOLERANCE,  # (k, 2) position [m], angle [rad]
    GOAL_SPAN,  # (k, k) greatest distance of two goals' points; diagonal: from the root's origin
    POSTURE_WEIGHT,  # (n) weights of Σ w (θ - θ_ref)², or empty
    POSTURE_TARGET,  # (n)
    DYNAMIC_KNOT,  # (knots, 3) angle of the other DOF, then the limits at it
    WEIGHT_FACTOR,  # (r, r) Cholesky factor L of the weight matrix W = L Lᵀ, or empty
    ROW_SHIFT,  # (r) added to the weighted rows; empty unless higher levels are held
    CUSTOM,  # what the user's own goals say at ANGLES, see the names below; or empty
    CUSTOM_TRIAL,  # the same at TRIAL: Python writes it before each evaluation
    CUSTOM_BEST,  # the same at BEST_ANGLES
    CUSTOM_CURVATURE,  # (n, n) an estimate of the Hessian of their part of f, or (n) its diagonal
    # --- the state, floats ---
    ANGLES,  # (n) the iterate; always inside the limits
    BEST_ANGLES,  # (n) the best iterate so far: what a solve answers
    START,  # (n) where the solve started
    SINES,  # (n)
    COSINES,  # (n)
    FRAMES,  # (s, 12) rotation (9) and origin (3) of every segment in the world
    AXES,  # (6, n) SoA: velocity of the world's origin (3), angular velocity (3) per unit of a DOF
    CHARTS,  # (m, 12) frame before each rotation-vector or swing motion
    WRENCHES,  # (s, 6) force and moment sums over subtrees
    SWEEPS,  # (s, 6) scratch of products with the Hessian
    COMPOSITES,  # (s, 30) sums over subtrees of what the Hessian needs: see hessian.py
    ROWS,  # (r) residuals e at ANGLES, with value f = e·e
    TRIAL_ROWS,  # (r)
    CENTERS,  # (s, 3) centres of mass in the world, or empty if no goal holds the whole one
    OTHER_WRENCHES,  # (r, 6) the wrench of a row on the second effector, or empty
    ROW_WRENCHES,  # (r, 6) the wrench whose product with a DOF's axis is the Jacobian entry
    GOAL_ERRORS,  # (k, 2) position [m] and angle [rad] error
    GRADIENT,  # (n)
    JACOBIAN,  # (r, n)
    SCALED,  # (r, n) the Jacobian times mobility
    GRAM,  # (r, r) SCALED SCALEDᵀ, lower triangle
    HESSIAN,  # (n, n) half of ∇²f or of its Gauss-Newton part, lower triangle
    SYSTEM,  # (max(r, n)²): the matrix that a step factorises, lower triangle
    STEP,  # (n)
    TRIAL,  # (n)
    PULLED,  # (n) the step that the mid-range pull alone would take
    LOW,  # (n) lowest and
    HIGH,  # (n) highest step that stays inside the limits
    DUAL,  # (r + c) solution of the rows' system, then the multipliers of the relations
    RELATION_AT,  # (c) what the relations are at ANGLES
    RELATION_STEPS,  # (c, n) how a step answers to the multiplier of each relation
    RELATION_SYSTEM,  # (c, c)
    PROJECTION,  # scratch of projections onto relations: see relations.py
    SCRATCH,  # (max(r, n))
    VECTORS,  # (VECTOR_COUNT, n) scratch of the methods
    SCALARS,  # (SCALAR_COUNT) see the names below
    SECTION_COUNT,
) = range(102)

FIRST_FLOAT_SECTION = SEGMENT_OFFSET
TARGET_SIZE = 12
VECTOR_COUNT = 8
HAS_BEFORE, HAS_AFTER = 1, 2

# COUNTERS
(
    STATUS,  # RUNNING, or why the solve ended
    ITERATIONS,
    EVALUATIONS,
    MAX_ITERATIONS,
    PHASE,  # the methods' own
    NEXT_PHASE,
    PHASE_ITERATIONS,
    SLOW,  # iterations in a row with little progress
    LINEARISED,  # 1 while Jacobian and gradient belong to ANGLES
    RESTARTS_LEFT,
    RESTARTS_USED,
    RANDOM,  # state of the generator
    BEST_STATUS,  # how the attempt that found BEST_ANGLES ended
    START_MOVED,  # how many limits the start broke
    SECANTS,  # how many steps CUSTOM_CURVATURE has learned from
    COUNTER_COUNT,
) = range(16)

# SCALARS
(
    VALUE,  # f at ANGLES
    WORST,  # worst ratio of a goal's error to its tolerance at ANGLES
    BEST_VALUE,
    BEST_WORST,
    RESIDUAL,  # ‖P(θ - ∇f) - θ‖∞ at ANGLES
    START_RESIDUAL,
    OPTIMALITY,  # the residual counts as zero below this fraction of START_RESIDUAL
    LENGTH,  # the figure's size as a residual: values are large or small against its square
    DAMPING,  # relative to SCALE
    DAMPING_GROWTH,
    SCALE,  # largest diagonal entry of the step's matrix, over STIFFNESS
    STIFFNESS,  # how many times heavier held levels are than the one being solved; 1 if none is
    PREDICTED,  # the fall of the value that the step's model expects
    PARAMETERS,  # the first of the methods' own
) = range(14)
SCALAR_COUNT = PARAMETERS + 16

# CUSTOM, CUSTOM_TRIAL and CUSTOM_BEST
(
    CUSTOM_SUM,  # Σ w P, their part of f
    CUSTOM_WORST,  # the worst ratio of a P to the value below which it is met
    CUSTOM_PREFERENCE,  # 1 if one of them is never met: then the best pose is looked for
    CUSTOM_GRADIENT,  # the first of (n): ∇ Σ w P; every single P follows
) = range(4)

# STATUS
RUNNING, REACHED, OPTIMAL, STALLED, OUT_OF_ITERATIONS = range(5)


@section_access
def ints_at(ints, section):
    return ints[ints[2 * section] : ints[2 * section + 1]]


@section_access
def floats_at(floats, ints, section):
    return floats[ints[2 * section] : ints[2 * section + 1]]


@row_access
def row_of(values, k, n):
    """Row k of a matrix with rows of n, stored row by row."""
    return values[k * n : k * n + n]


def pack(sections: dict[int, np.ndarray | int]) -> tuple[np.ndarray, np.ndarray]:
    """Lay sections out in an integer and a float arena.

    A section is given as its content, or as its length, which means zeros. Absent ones are empty.
    """
    ints = _Arena(2 * SECTION_COUNT, np.int64)
    floats = _Arena(0, np.float64)
    directory: list[int] = []
    for section in range(SECTION_COUNT):
        arena = ints if section < FIRST_FLOAT_SECTION else floats
        directory += arena.append(sections.get(section, 0))
    int_arena, float_arena = ints.joined(), floats.joined()
    int_arena[: len(directory)] = directory
    return int_arena, float_arena


class _Arena:
    """Grows by sections, each starting at a multiple of 64 bytes."""

    def __init__(self, reserved: int, dtype: type) -> None:
        self.parts: list[tuple[int, np.ndarray]] = []
        self.size = -(-reserved // 8) * 8
        self.dtype = dtype

    def append(self, content: np.ndarray | int) -> tuple[int, int]:
        begin = self.size
        if isinstance(content, int):
            length = content
        else:
            flat = np.ascontiguousarray(content, self.dtype).reshape(-1)
            self.parts.append((begin, flat))
            length = flat.size
        self.size += -(-length // 8) * 8
        return begin, begin + length

    def joined(self) -> np.ndarray:
        arena = np.zeros(self.size, self.dtype)
        for begin, flat in self.parts:
            arena[begin : begin + flat.size] = flat
        return arena
