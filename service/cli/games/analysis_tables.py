"""Analyses as tables of comma-separated values: a row for each entry, seat or outcome."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import msgspec

from projections.analyses.luck import LuckCounts
from projections.analyses.pace import GameTimeline
from projections.analyses.review import Review
from projections.analyses.turning import TurningPoints
from projections.analyses.winline import WinLine
from projections.analyses.worth import LuckValue
from projections.audit import Audit

if TYPE_CHECKING:
    from collections.abc import Callable

Rows = list[dict[str, Any]]


def csv_of(result: Any) -> str:
    """The result of an analysis as CSV."""
    rows = rows_of(result)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def rows_of(result: Any) -> Rows:
    """The rows of a result: one for each entry, seat or outcome."""
    return _ROWS[type(result)](result)


def _timeline_rows(result: GameTimeline) -> Rows:
    return [
        {"version": at.version, "leaders": " ".join(map(str, at.leaders)), "margin": at.margin}
        | {f"score_{seat}": points for seat, points in enumerate(at.scores)}
        for at in result.standings
    ]


def _luck_rows(result: LuckCounts) -> Rows:
    return [
        {"kind": kind.kind, "seat": _blank(kind.seat), "n": kind.n, "left_out": kind.left_out, "what": what}
        | {"got": count.got, "expected": count.expected, "sd": count.sd, "z": _blank(count.z)}
        | {"chance": _blank(count.chance)}
        for kind in result.kinds
        for what, count in [
            *((each.outcome, each.count) for each in kind.outcomes),
            *((f"brought to {each.seat}", each.count) for each in kind.brought),
        ]
    ]


def _win_line_rows(result: WinLine) -> Rows:
    return [
        {"version": point.version, "turn_of": _blank(point.seat), "seat": seat, "n": point.n}
        | msgspec.structs.asdict(chance)
        for point in result.points
        for seat, chance in enumerate(point.chances)
    ]


def _luck_value_rows(result: LuckValue) -> Rows:
    return [
        {"version": event.version, "kind": event.kind, "happened_to": _blank(event.seat)}
        | {"outcome": event.outcome, "odds": event.odds, "n": event.n, "seat": seat}
        | {"worth": worth.p, "margin": worth.margin}
        for event in result.events
        for seat, worth in enumerate(event.worth)
    ]


def _turning_point_rows(result: TurningPoints) -> Rows:
    return [
        {"turn": point.version, "entry": decision.version, "seat": decision.seat, "move": option.move}
        | {"made": option is decision.made, "n": option.n}
        | msgspec.structs.asdict(option.chances)
        for point in result.points
        for decision in point.decisions
        for option in (decision.made, *decision.others)
    ]


def _review_rows(result: Review) -> Rows:
    return [
        {"seat": seat.seat, "entry": slip.version, "move": option.move, "made": option is slip.made}
        | {"better": option is slip.better, "n": option.n}
        | msgspec.structs.asdict(option.chances)
        for seat in result.seats
        for slip in seat.slips
        for option in (slip.made, slip.better, *slip.others)
    ]


def _audit_rows(result: Audit) -> Rows:
    return [msgspec.structs.asdict(line) for line in result.lines]


_ROWS: dict[type, Callable[[Any], Rows]] = {
    GameTimeline: _timeline_rows,
    LuckCounts: _luck_rows,
    WinLine: _win_line_rows,
    LuckValue: _luck_value_rows,
    TurningPoints: _turning_point_rows,
    Review: _review_rows,
    Audit: _audit_rows,
}
"""The rows of each type of result: one for each entry, seat or outcome."""


def _blank(value: float | None) -> float | str:
    return "" if value is None else value
