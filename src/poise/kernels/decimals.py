"""Decimal numbers from text and to text, as fast as memory: long motion files are made of them."""

import numpy as np

from poise.kernels.compiled import entry, exact_kernel

EXACT = 1 << 53
"""Whole numbers up to here are floats exactly."""
POWERS = np.array([10.0**k for k in range(23)])
"""The powers of ten that are floats exactly."""
EPSILON = 2.0**-52
DIGITS = 18
"""So many digits fit into an integer."""
WIDEST = 22
"""Bytes that a number takes at most: a sign, 17 digits, a point, a separator, and to spare."""

_TAB, _SPACE, _POINT, _PLUS, _MINUS, _ZERO, _NINE, _E = (ord(c) for c in "\t .+-09e")
_LAST_BLANK, _FIRST_SEPARATOR, _LAST_SEPARATOR = ord("\r"), 0x1C, 0x1F


@exact_kernel
def is_blank(byte):
    """What `str.split` splits at."""
    return (
        byte == _SPACE or _TAB <= byte <= _LAST_BLANK or _FIRST_SEPARATOR <= byte <= _LAST_SEPARATOR
    )


@exact_kernel
def number_at(text, first, last):
    """The number in text[first:last], rounded as Python rounds; NaN if it is not a plain one.

    Plain are up to 18 digits whose value is a product or a quotient of two exact floats: one
    operation that rounds once (Clinger 1990).
    """
    negative = text[first] == _MINUS
    at = first + 1 if negative or text[first] == _PLUS else first
    whole, power, digits, places = 0, 0, 0, 0
    fraction = False
    while at < last:
        byte = text[at]
        if _ZERO <= byte <= _NINE:
            whole = 10 * whole + (byte - _ZERO)
            digits += 1
            places += whole > 0
            power -= fraction
            if places > DIGITS:
                return np.nan
        elif byte == _POINT and not fraction:
            fraction = True
        else:
            break
        at += 1
    if digits == 0:
        return np.nan
    if at < last:
        if text[at] | 32 != _E:
            return np.nan
        at += 1
        down = at < last and text[at] == _MINUS
        if at < last and (down or text[at] == _PLUS):
            at += 1
        if at == last or last - at > 3:
            return np.nan
        exponent = 0
        for k in range(at, last):
            if not _ZERO <= text[k] <= _NINE:
                return np.nan
            exponent = 10 * exponent + (text[k] - _ZERO)
        power += -exponent if down else exponent
    if whole > EXACT or (whole > 0 and not -POWERS.size < power < POWERS.size):
        return np.nan
    value = float(whole)
    if whole > 0:
        value = value / POWERS[-power] if power < 0 else value * POWERS[power]
    return -value if negative else value


@entry
def read_numbers(text, values):
    """How many words the ASCII bytes `text` hold; fills `values` with the first of them.

    NaN stands for a word that is no plain number; others may still make something of it.
    """
    count, at = 0, 0
    while at < text.size:
        while at < text.size and is_blank(text[at]):
            at += 1
        first = at
        while at < text.size and not is_blank(text[at]):
            at += 1
        if at > first:
            if count < values.size:
                values[count] = number_at(text, first, at)
            count += 1
    return count


@exact_kernel
def put_number(value, decimals, text, at):
    """Write a number and a space at text[at:]; the place after it.

    -1 if it is too large, or so near the middle of two that the product may have gone over it.
    """
    scaled = abs(value) * POWERS[decimals]
    rounded = np.rint(scaled)
    if not (scaled < EXACT and 0.5 - abs(scaled - rounded) > scaled * EPSILON):
        return -1
    whole = np.int64(rounded)
    if value < 0.0 and whole > 0:
        text[at] = _MINUS
        at += 1
    digits, rest = 1, whole // 10
    while rest > 0:
        digits += 1
        rest //= 10
    digits = max(digits, decimals + 1)
    end = at + digits + (decimals > 0)
    place = end - 1
    for k in range(digits):
        if decimals > 0 and k == decimals:
            text[place] = _POINT
            place -= 1
        text[place] = _ZERO + whole % 10
        whole //= 10
        place -= 1
    text[end] = _SPACE
    return end + 1


@entry
def write_numbers(rows, decimals, text):
    """Write (rows, columns) as lines with so many decimals into the bytes `text`.

    A column takes WIDEST bytes at most. Returns how many bytes were used, or -1 if a number is not
    finite, has more than 15 digits, or may be rounded otherwise than exactly.
    """
    at = 0
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            at = put_number(rows[i, j], decimals, text, at)
            if at < 0:
                return -1
        if rows.shape[1] > 0:
            at -= 1
        text[at] = ord("\n")
        at += 1
    return at
