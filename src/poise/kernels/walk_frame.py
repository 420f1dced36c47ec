"""What a gait wants of a body in a frame, as one row of floats: where each number is.

All of it is under the canonical axes of the terrain: x to the left, y up, z forward. A rotation
turns the standing body's part, which faces +z, to where it should be.
"""

# The pelvis: where the middle of the hip joints is [m], and its rotation, row by row.
PELVIS_AT, PELVIS_TURN = 0, 3
# Each foot, left then right, FOOT_SIZE numbers from FEET on.
FEET = 12
HEEL, BALL, SOLE_TURN = 0, 3, 6  # points of the sole [m], and how the sole is turned
HEEL_GRIP, BALL_GRIP = 15, 16  # how much the two points count, from 0 to 1
TOES = 17  # how far the toes are bent up [rad]
CONTACT = 18  # 1 while the foot is on the ground
ROCKER = 19  # what it stands on, one of the codes below
CYCLE = 20  # its share of the cycle, 0 at its strike, to 1
PITCH = 21  # of the sole against the ground, toes up [rad]
FOOT_SIZE = 22
# The upper body: turns against the pelvis' heading [rad], see `poise.walk.drives`.
DRIVES = FEET + 2 * FOOT_SIZE
DRIVE_NAMES = (
    "trunk_yaw",
    "trunk_list",
    "trunk_lean",
    "head_yaw",
    "head_list",
    "head_nod",
    "left_swing",
    "right_swing",
    "left_elbow",
    "right_elbow",
)
FRAME_SIZE = DRIVES + len(DRIVE_NAMES)

NO_ROCKER, HEEL_ROCKER, SOLE_ROCKER, BALL_ROCKER = range(4)
