"""Arrays that callers give: copied, as floats, and read-only."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def float_array(values: ArrayLike) -> NDArray[np.float64]:
    """A read-only copy as floats; what is not numbers becomes an empty array.

    So one check of the shape turns every kind of bad input into the caller's own error.
    """
    try:
        array = np.array(values, float)
    except (TypeError, ValueError):
        array = np.empty(0)
    array.flags.writeable = False
    return array
