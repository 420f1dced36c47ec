"""What the natural gait remembers from frame to frame, and the curves that it is made of.

One row of floats: the body, then two feet of FOOT_STATE numbers each. Lengths in m, angles in rad,
phases in cycles.
"""

import math

from poise.kernels.compiled import kernel

# --- the body
X, Z, HEADING = 0, 1, 2  # the middle of the body on the ground, without its sway
SPEED, SPEED_RATE = 3, 4
TURN, TURN_RATE = 5, 6  # how fast it turns to the left, and how fast that changes
PHASE = 7  # the left foot's share of the cycle
STEPPING = 8  # 1 while it takes steps
ACTIVITY, ACTIVITY_RATE = 9, 10  # 0 standing to 1 walking, smoothly
RUNNING_WANTED, RUN, RUN_RATE = 11, 12, 13  # 0 walking to 1 running, smoothly
BLOCKED = 14  # a code of what stops it
CYCLE_TIME = 15  # of a cycle [s]
DUTY = 16  # the share of the cycle in which a foot stands
SLOPE, SLOPE_RATE = 17, 18  # of the ground under way, smoothly
PULL = 19  # how fast the body goes on to where its next foothold is [m/s]
DROP, DROP_RATE = 20, 21  # how much lower the pelvis is than it should be, for its legs' sake
STEEP = 22  # how steep the ground is that it comes to, rise over run
FEET_STATE = 23

# --- a foot
STANDS = 0  # 1 on the ground
HELD = 1  # 1: stays down until its own strike comes round (the first step)
FIT = 2  # heel x, y, z, heading, pitch and roll of the sole where it stands flat
STRIKE_PITCH = 8  # of the sole against the ground when it came down, toes up
PUSH, PUSH_RATE = 9, 10  # by how much the heel has risen at toe-off
LIFT_PHASE = 11  # its share of the cycle at lift-off
START = 12  # heel x, y, z, heading, pitch, roll and pitch against the ground at lift-off
START_SPEED = 19  # of the heel and of that pitch, a whole swing
START_BEND = 23  # the second derivatives
AIM, AIM_RATE = 27, 33  # where it will stand: a FIT that follows the one WANTED_AT smoothly
WANTED_AT = 39
LATE = 45  # when in the swing it begins to go forward
EARLY = 46  # when it has arrived above its place
RISE, RISE_RATE = 47, 48  # how much higher than its way it goes
SUPPORT_START = 49  # height of the ground it stood on
LAND_PITCH = 50  # of the sole against the ground when it comes down
RISE_WANTED = 51
RAISED, RAISED_RATE = 52, 53  # how much more the heel has risen, for the leg's and ankle's sake
PLANNED = 54  # x, z and heading for which a foothold was searched
SEARCHED = 57  # 1 if it was
REPLANNED = 58  # 1 if that moved it
DIP = 59  # how much lower a swing goes over even ground [m]
STEPS = 60  # 1 if the ground jumps on its way
START_BALL = 61  # where the ball stood at lift-off
FOOT_STATE = 64
STATE_SIZE = FEET_STATE + 2 * FOOT_STATE
FIT_SIZE = 6

# --- the build: what the kernels know of the body
THIGH, SHANK, HIP_X, SCALE = 0, 1, 2, 3
HEEL_Y, HEEL_Z, BALL_Y, BALL_Z, TOE_Y, TOE_Z = 4, 5, 6, 7, 8, 9  # from the ankle, in the sole
LARGEST_DORSIFLEXION = 10
TOE_RAISE = 11  # height of the toes' joint above the sole over the toes' length
# Its manner of walking: what makes one walk differ from another's.
GAIN, LOSS = 12, 13  # shares of a swing in which the foot gains and loses speed
TURN_GAIN, TURN_LOSS = 14, 15  # and in which its toes come up
FLAT_FROM, HEEL_OFF = 16, 17  # shares of the stance: until when the sole comes down, the heel rises
PUSH_OFF = 18  # how much more than in place the heel has risen at toe-off, walking [rad]
PUSH_SPEED = 19  # how fast it still rises then, 1 as on the average
DIP_DEPTH = 20  # how much lower than its way a swing goes over even ground [m]
LOW_RIDE = 21  # how much lower the pelvis is at a brisk walk, over the length of the leg
BOUNCE, BOUNCE_LEAD = 22, 23  # half the rise of the pelvis [m], and how early it is [rad]
LANDING = 24  # pitch of the sole when the heel strikes [rad]
BEHIND = 25  # how far behind the pelvis the middle of a stance is at a walk [m]
CADENCE = 26  # how the square of the steps a second grows with speed
STANCE_SHARE = 27  # the duty factor at no speed
PUSH_KNEE = 28  # bend of the knee at toe-off for which the heel rises, walking [rad]
PUSH_FROM = 29  # the share of the stance at which it begins to bend
BUILD_SIZE = 30

# --- the command
WANTED_SPEED, WANTED_HEADING, HAS_HEADING, WANTED_TURN, WANTED_STRIDE = range(5)
COMMAND_SIZE = 5

# BLOCKED
FREE, TOO_HIGH, TOO_DEEP, TOO_STEEP = range(4)


@kernel
def smooth(x):
    """From 0 to 1 with no slope and no bend at either end (a quintic)."""
    x = min(max(x, 0.0), 1.0)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))


@kernel
def _ramp(x):
    """The integral of 3x^2 - 2x^3 from 0 to x, x from 0 to 1."""
    return x * x * x * (1.0 - 0.5 * x)


@kernel
def glide(x, gain, loss):
    """From 0 to 1 with no slope and no bend at either end: it gains speed over the first share
    `gain` of the way, and loses it over the last share `loss`."""
    x = min(max(x, 0.0), 1.0)
    top = 1.0 / (1.0 - 0.5 * (gain + loss))
    if x < gain:
        return top * gain * _ramp(x / gain)
    if x <= 1.0 - loss:
        return top * (x - 0.5 * gain)
    return 1.0 - top * loss * _ramp((1.0 - x) / loss)


@kernel
def fading(x, slope, bend):
    """Begins at 0 with a slope and a bend, and ends at 0 without, over x from 0 to 1."""
    x = min(max(x, 0.0), 1.0)
    third, fourth = -6.0 * slope - 1.5 * bend, 8.0 * slope + 1.5 * bend
    fifth = -3.0 * slope - 0.5 * bend
    return x * (slope + x * (0.5 * bend + x * (third + x * (fourth + x * fifth))))


@kernel
def follow(state, at, wanted, rate, dt):
    """state[at], with its derivative beside it, approaches a value as a critically damped spring.

    Exact for a constant value, whatever dt is.
    """
    follow_apart(state, at, at + 1, wanted, rate, dt)


@kernel
def follow_apart(state, at, rate_at, wanted, rate, dt):
    away, speed = state[at] - wanted, state[rate_at]
    fall = math.exp(-rate * dt)
    mixed = (speed + rate * away) * dt
    state[at] = wanted + (away + mixed) * fall
    state[rate_at] = (speed - rate * mixed) * fall


@kernel
def wrapped(angle):
    """The same angle between -pi and pi."""
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


@kernel
def above(x, width):
    """x where it is above `width`, 0 below -width, and smooth in between."""
    if x <= -width:
        return 0.0
    if x >= width:
        return x
    return (x + width) ** 3 * (3.0 * width - x) / (16.0 * width**3)


@kernel
def turn_matrix(heading, pitch, roll, bend, out, at):
    """out[at:at+9] <- Ry(heading) Rx(-pitch) Rz(roll) Rx(-bend): a sole on its slope, toes up."""
    ch, sh = math.cos(heading), math.sin(heading)
    cp, sp = math.cos(pitch), -math.sin(pitch)
    cr, sr = math.cos(roll), math.sin(roll)
    cb, sb = math.cos(bend), -math.sin(bend)
    # Rx(-pitch) Rz(roll)
    a00, a01 = cr, -sr
    a10, a11, a12 = cp * sr, cp * cr, -sp
    a20, a21, a22 = sp * sr, sp * cr, cp
    # Ry(heading) before it
    b00, b01, b02 = ch * a00 + sh * a20, ch * a01 + sh * a21, sh * a22
    b20, b21, b22 = ch * a20 - sh * a00, ch * a21 - sh * a01, ch * a22
    # Rx(-bend) after it
    out[at], out[at + 1], out[at + 2] = b00, b01 * cb + b02 * sb, b02 * cb - b01 * sb
    out[at + 3], out[at + 4], out[at + 5] = a10, a11 * cb + a12 * sb, a12 * cb - a11 * sb
    out[at + 6], out[at + 7], out[at + 8] = b20, b21 * cb + b22 * sb, b22 * cb - b21 * sb
