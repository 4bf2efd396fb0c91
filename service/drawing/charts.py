"""Small charts as SVG, in the colours of the page. Each stands beside a table with the same figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 320, 90
FORMS = 8
"""How many forms of lines the style has."""
GAP = 0.2
"""The share of a bar's place that is left empty."""


NAMED = 14
"""The most bars that have their names below: more would leave no room for them."""


FEWEST = 4
"""For so many bars there is room at least: one alone would be as wide as the page."""


def bars(values: Sequence[float], label: str, names: Sequence[str] = ()) -> Markup:
    """A bar for each value, from left to right, with `names` below. Values are not negative."""
    most, step = max([*values, 1]), WIDTH / max(len(values), FEWEST)
    parts = [
        Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
            number * step, HEIGHT * (1 - value / most), step * (1 - GAP), HEIGHT * value / most
        )
        for number, value in enumerate(values)
    ]
    return _chart(Markup("").join(parts), label) + _axis(names)


def _axis(names: Sequence[str]) -> Markup:
    """The names below the bars. Screen readers take them from the table beside the chart."""
    if not 0 < len(names) <= NAMED:
        return Markup()
    places = [*names, *[""] * (FEWEST - len(names))]
    words = Markup("").join(Markup("<span>{}</span>").format(name) for name in places)
    return Markup('<div class="axis" aria-hidden="true">{}</div>').format(words)


def curve(values: Sequence[float], spread: Sequence[float], label: str) -> Markup:
    """A line through values, with a band of `spread` above and below each."""
    tops = [value + each for value, each in zip(values, spread, strict=True)]
    bottoms = [value - each for value, each in zip(values, spread, strict=True)]
    low, high = min(bottoms, default=0), max(tops, default=1)
    step, scale = WIDTH / max(len(values) - 1, 1), HEIGHT / max(high - low, 1e-9)

    def path(points: Sequence[float]) -> list[str]:
        return [f"{number * step:.1f},{(high - point) * scale:.1f}" for number, point in enumerate(points)]

    band = Markup('<polygon class="band" points="{}"/>').format(" ".join([*path(tops), *reversed(path(bottoms))]))
    return _chart(band + Markup('<polyline points="{}"/>').format(" ".join(path(values))), label)


def lines(series: Sequence[Sequence[float | None]], label: str) -> Markup:
    """A line for each series, on one scale and in its own style, and a mark that a script can move.

    A line begins with its first value.
    """
    values = [value for each in series for value in each if value is not None]
    low, high = min([*values, 0]), max([*values, 1])
    scale = HEIGHT / (high - low)
    parts = []
    for number, each in enumerate(series):
        step = WIDTH / max(len(each) - 1, 1)
        points = [f"{at * step:.1f},{(high - value) * scale:.1f}" for at, value in enumerate(each) if value is not None]
        parts.append(Markup('<polyline class="line-{}" points="{}"/>').format(number % FORMS, " ".join(points)))
    cursor = Markup('<line class="cursor" data-width="{}" x1="{}" x2="{}" y1="0" y2="{}"/>')
    return _chart(Markup("").join([*parts, cursor.format(WIDTH, WIDTH, WIDTH, HEIGHT)]), label)


def _chart(content: Markup, label: str) -> Markup:
    size = Markup('viewBox="0 0 {} {}" preserveAspectRatio="none"').format(WIDTH, HEIGHT)
    return Markup('<svg class="chart" {} role="img" aria-label="{}">{}</svg>').format(size, label, content)
