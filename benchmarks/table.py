"""The rows of the table of figures, and their printing."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Row(NamedTuple):
    """One figure: its value, the raw floor that it is compared with, the ratio of the two, and the target.

    `target` is read against `ratio` if there is one, else against `value`; a target of "<= 300" is a ceiling, ">= 0.75"
    a floor to be reached.
    """

    name: str
    value: float
    unit: str
    floor: float | None = None
    ratio: float | None = None
    target: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the target was reached; None without a target."""
        if not self.target:
            return None
        sign, _, number = self.target.partition(" ")
        figure = self.value if self.ratio is None else self.ratio
        return figure <= float(number) if sign == "<=" else figure >= float(number)


class Pair(NamedTuple):
    """A figure and its floor, from one round."""

    value: float
    floor: float


def rounds(count: int, measure: Callable[[], Pair]) -> tuple[float, float, float]:
    """The medians of a figure, of its floor and of their ratio over several rounds: neighbours on the machine make
    single rounds worthless."""
    pairs = [measure() for _ in range(count)]
    values, floors = [pair.value for pair in pairs], [pair.floor for pair in pairs]
    return median(values), median(floors), median(pair.value / pair.floor for pair in pairs)


def render(rows: Iterable[Row]) -> Table:
    """The table of all figures."""
    table = Table()
    for title in ("figure", "value", "unit", "floor", "ratio", "target", ""):
        table.add_column(title, justify="left" if title in {"figure", "unit"} else "right")
    for row in rows:
        table.add_row(
            row.name,
            _number(row.value),
            row.unit,
            _number(row.floor),
            "" if row.ratio is None else f"{row.ratio:.2f}",
            row.target,
            {True: "reached", False: "[bold]missed[/bold]", None: ""}[row.reached],
        )
    return table


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"
