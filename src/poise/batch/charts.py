"""Distributions drawn as SVG, to be part of a page."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT, FOOT = 300.0, 96.0, 18.0
BARS = 28
SPREAD = 50.0
"""Values that differ by more than this factor are drawn on a logarithmic scale."""

Shown = Callable[[float], str]


def histogram(values: NDArray[np.float64], shown: Shown) -> str:
    """How many clips have which value; `shown` writes a value with its unit."""
    low, high = float(values.min()), float(values.max())
    logarithmic = low > 0 and high / low > SPREAD
    if high - low <= 1e-12 * max(abs(high), 1.0):
        low, high = low - 0.5 * abs(low) - 1e-12, high + 0.5 * abs(high) + 1e-12
        logarithmic = False
    edges = (np.geomspace if logarithmic else np.linspace)(low, high, BARS + 1)
    edges[0], edges[-1] = low, high
    counts = np.histogram(values, edges)[0]
    place = np.log if logarithmic else np.asarray

    def x(value: float) -> float:
        first, last = float(place(low)), float(place(high))
        return WIDTH * (float(place(value)) - first) / (last - first)

    parts = [_bar(x, edges, i, count, counts.max(), shown) for i, count in enumerate(counts)]
    parts += _middle(x, float(np.median(values)))
    parts.append(f'<line class="axis" x1="0" x2="{WIDTH:g}" y1="{HEIGHT:g}" y2="{HEIGHT:g}"/>')
    foot = HEIGHT + FOOT - 4
    parts.append(f'<text x="0" y="{foot:g}">{escape(shown(low))}</text>')
    kind = "log scale" if logarithmic else ""
    parts.append(f'<text x="{WIDTH / 2:g}" y="{foot:g}" text-anchor="middle">{kind}</text>')
    parts.append(f'<text x="{WIDTH:g}" y="{foot:g}" text-anchor="end">{escape(shown(high))}</text>')
    size = f'viewBox="0 0 {WIDTH:g} {HEIGHT + FOOT:g}"'
    return f'<svg class="chart" {size} role="img">{"".join(parts)}</svg>'


def _bar(
    x: Callable[[float], float],
    edges: NDArray[np.float64],
    i: int,
    count: int,
    most: int,
    shown: Shown,
) -> str:
    if not count:
        return ""
    left, right = x(float(edges[i])), x(float(edges[i + 1]))
    # The square root lets few clips far away be seen beside many near ones.
    tall = max((HEIGHT - 6.0) * float(np.sqrt(count / most)), 2.0)
    said = f"{count} clips from {shown(float(edges[i]))} to {shown(float(edges[i + 1]))}"
    return (
        f'<rect x="{left + 0.75:.1f}" y="{HEIGHT - tall:.1f}" width="{right - left - 1.5:.1f}"'
        f' height="{tall:.1f}" rx="1.5"><title>{escape(said)}</title></rect>'
    )


def _middle(x: Callable[[float], float], median: float) -> list[str]:
    at = x(median)
    return [f'<line class="median" x1="{at:.1f}" x2="{at:.1f}" y1="2" y2="{HEIGHT:g}"/>']
