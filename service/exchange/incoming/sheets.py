"""An imported play as a score sheet: its values become columns and moves, and nothing is invented."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from events.folding import normalized
from events.people import JOINERS
from games.scoresheet.template import LABEL
from service.exchange.incoming.plays import BadPlayError, check_seats
from service.recording.judging import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from service.exchange.incoming.plays import IncomingPlay, Result

_IDS = UUID("0f5d3c51-7b0a-5a0e-8f6b-5f0f3f0b7a11")
"""The namespace for the ids of imported games. It never changes: a second import must find the same games."""

CALLED = {"bgstats": "BG Stats", "bgg": "BoardGameGeek", "csv": "a CSV file"}

UNTOLD = "the file does not say who won"
UNCOUNTED = "the file says that nobody's win counts"
"""The reason for closing a game without a result."""

COMMENT = 2_000
"""The most characters of a comment; the rest is cut off."""
_KEPT = f"\n{JOINERS}"
"""Unprintable characters that stay in a comment."""


class Slot(NamedTuple):
    """An entry of an imported game: its purpose, type and data."""

    name: str
    type: str
    data: dict[str, Any]


class Sheet(NamedTuple):
    """A play as a game: its id, its opening without people, their names, and its entries."""

    game: str
    opening: dict[str, Any]
    names: list[str | None]
    happened_at: str | None
    slots: list[Slot]

    @property
    def fingerprint(self) -> str:
        """A digest of the opening, which corrections cannot change."""
        return _digest([self.opening, self.names, self.happened_at])

    def drafts(self) -> list[Draft]:
        """The entries after the opening. Their ids are made from the game and their content."""
        first = [str(uuid5(UUID(self.game), f"opening {self.fingerprint}"))]
        rest = [str(uuid5(UUID(self.game), f"{slot.name} {_digest(slot.data)}")) for slot in self.slots[1:]]
        return [
            Draft(id=id_, type=slot.type, data=slot.data, happened_at=self.happened_at)
            for id_, slot in zip(first + rest, self.slots, strict=True)
        ]


def sheet_of(play: IncomingPlay) -> Sheet:
    """The game for a play. Raises `BadPlayError`."""
    if not play.results:
        raise BadPlayError("players: the play names nobody")
    check_seats(len(play.results))
    if twice := _repeated_name([result.name for result in play.results if result.name]):
        raise BadPlayError(f"players: {twice} is in this play twice; give one of them another name")
    columns, moves, wins = _columns_and_moves(play)
    template: dict[str, Any] = {"name": play.game[:LABEL], "columns": columns} | wins
    if play.bgg:
        template["bgg"] = play.bgg
    opening = {"components": template} | ({"place": play.place} if play.place else {})
    slots = [Slot("source", "note.added", {"text": f"Imported from {CALLED[play.source]}: {play.key}"})]
    if more := _note_text(play):
        slots.append(Slot("more", "note.added", {"text": more}))
    slots += [Slot(name, "move.made", {"move": move}) for name, move in moves]
    if not any(name == "end" for name, _ in moves):
        why = UNTOLD if play.counts else UNCOUNTED
        slots.append(Slot("end", "game.closed", {"how": "abandoned", "reason": why}))
    game = str(uuid5(_IDS, f"{play.source} {play.key}"))
    return Sheet(game, opening, [result.name for result in play.results], play.played_at, slots)


def is_of_totals(game: str, template: dict[str, Any]) -> bool:
    """Whether a game is an imported play with only totals and a result."""
    known = {"points", "place", "result"}
    return UUID(game).version == 5 and all(column["id"] in known for column in template["columns"])


def _repeated_name(names: Sequence[str]) -> str | None:
    """The first name that occurs more than once, as first written; None without one."""
    counts = Counter(normalized(name) for name in names)
    return next((name for name in names if counts[normalized(name)] > 1), None)


def _columns_and_moves(play: IncomingPlay) -> tuple[list[dict[str, Any]], list[tuple[str, str]], dict[str, Any]]:
    """The columns of the sheet, the moves that fill them in and end the game, and how it is won."""
    results = play.results
    columns, moves = list[dict[str, Any]](), list[tuple[str, str]]()
    known = all(result.points is not None for result in results)
    if not play.counts:
        results = tuple(msgspec.structs.replace(result, won=None, rank=None) for result in results)
    if known:
        columns.append(_points_column(results))
        values = " ".join(_points_text(result.points) for result in results if result.points is not None)
        moves.append(("points", f"points {values}"))
    won = [bool(result.won) for result in results]
    told = any(result.won is not None for result in results)
    if (play.together or len(results) == 1) and told and len(set(won)) == 1:
        return columns or [_points_column()], [*moves, ("end", "won" if won[0] else "lost")], {"wins": "cooperative"}
    if decisive := _deciding_column(results):
        column, move, wins = decisive
        return [*columns, column], [*moves, ("result", move), ("end", "end")], wins
    if known and not play.together and play.counts:
        wins = {} if play.highest_wins else {"wins": "lowest"}
        return columns, [*moves, ("end", "end")], wins | ({"by": "points"} if "counts" in columns[0] else {})
    return columns or [_points_column()], moves, {"wins": "cooperative"} if play.together else {}


def _deciding_column(results: Sequence[Result]) -> tuple[dict[str, Any], str, dict[str, Any]] | None:
    """The column that decides the winner, its values, and how the game is won; None if the result is unknown."""
    ranks = [result.rank for result in results if result.rank]
    won = [bool(result.won) for result in results]
    places = len(ranks) == len(results) and 1 in ranks and max(ranks) <= len(results)
    if places and (not any(won) or won == [rank == 1 for rank in ranks]):
        place = {"id": "place", "ja": "順位", "per": "game", "counts": False, "least": 1, "most": len(results)}
        return place, f"place {' '.join(map(str, ranks))}", {"wins": "lowest", "by": "place"}
    if not any(won):
        return None
    column = {"id": "result", "ja": "結果", "per": "game", "counts": False, "labels": {"win": 1, "loss": 0}}
    return column, f"result {' '.join('win' if each else 'loss' for each in won)}", {"by": "result"}


def _points_column(results: Sequence[Result] = ()) -> dict[str, Any]:
    """The column of the points, left empty if unknown.

    Totals are whole numbers, so fractions of points are dropped.
    """
    whole = all(result.points is None or result.points.denominator == 1 for result in results)
    return {"id": "points", "ja": "得点", "per": "game"} | ({} if whole else {"counts": False})


def _points_text(points: Fraction) -> str:
    """Points in notation."""
    return str(points) if points.denominator == 1 else f"{float(points):.3f}".rstrip("0")


def _note_text(play: IncomingPlay) -> str:
    """A note with the values that have no place on the sheet."""
    return "\n".join(_lines(play))[:COMMENT]


def _lines(play: IncomingPlay) -> Iterator[str]:
    known = all(result.points is not None for result in play.results)
    for number, result in enumerate(play.results, 1):
        partly = [] if known or result.points is None else [_points_text(result.points)]
        if found := [*partly, *([result.more] if result.more else [])]:
            yield f"Player {number}: {', '.join(found)}"
    if play.minutes:
        yield f"{play.minutes} minutes"
    comment = "".join(sign for sign in play.comment if sign.isprintable() or sign in _KEPT).strip()
    if comment:
        yield comment


def _digest(data: Any) -> str:
    return sha256(msgspec.json.encode(data, order="deterministic")).hexdigest()
