"""The tables of a record: games, seats, points, entries, and people. Their columns stay the same forever.

All formats use these tables: CSV, spreadsheets, datasets. Columns have a type, so that a text never becomes a formula
and a number stays a number. A `value` is a number or a label, as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from projections.plays import Play, SheetCell
    from projections.timeline import Entry

Cell = str | int | None
Row = tuple[Cell, ...]
Type = Literal["text", "integer", "value", "time", "json"]


class Column(NamedTuple):
    """A column: its name, its type, its description, and the table that it refers to by that table's first column."""

    name: str
    type: Type
    meaning: str
    refers: str = ""


class Recorded(NamedTuple):
    """A game as input for the tables: the play, and the people's names by id.

    Its entries, with or without effects, and the filled cells of its score sheet are read only when a table needs
    them.
    """

    play: Play
    names: Mapping[str, str]
    entries: Callable[[bool], Iterable[Entry]]
    cells: Callable[[], Iterable[SheetCell]]


class Table(NamedTuple):
    """A table: its description, and its columns. The first `key` columns identify a row.

    Rows are made from a game (`of_game`), or from each entry of a game (`of_entry`), with `effects` or without.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    key: int
    of_game: Callable[[Recorded], Iterable[Row]] | None = None
    of_entry: Callable[[str, Entry], Iterable[Row]] | None = None
    effects: bool = False

    def rows(self, each: Recorded) -> Iterator[Row]:
        """The rows of a game."""
        return (row for _, row in rows_of_game(each, (self,)))


TOGETHER = 500
"""The most rows of a table that wait while other tables are made from the same entries."""


def rows_of_game(each: Recorded, tables: Sequence[Table]) -> Iterator[tuple[Table, Row]]:
    """The rows of a game in several tables. Its entries are read once for all tables."""
    for table in tables:
        if table.of_game:
            for row in table.of_game(each):
                yield table, row
    waiting = [(table, table.of_entry, list[Row]()) for table in tables if table.of_entry]
    for entry in each.entries(any(table.effects for table in tables)) if waiting else ():
        for table, rows_of, rows in waiting:
            rows.extend(rows_of(each.play.game, entry))
            if len(rows) >= TOGETHER:
                yield from ((table, row) for row in rows)
                rows.clear()
    for table, _, rows in waiting:
        yield from ((table, row) for row in rows)


def _game(meaning: str = "the game") -> Column:
    return Column("game", "text", meaning, "games")


def _games(each: Recorded) -> Iterator[Row]:
    play = each.play
    yield (
        *(play.game, play.ruleset, play.name, play.title, play.place, play.played_at, play.opened_at, play.last_at),
        *(play.minutes, play.status, play.ending, play.rule, len(play.seats), int(play.together)),
        *(play.irregular, play.version, play.revision, play.origin, play.deciding.en if play.deciding else None),
    )


def _seats(each: Recorded) -> Iterator[Row]:
    for seat in each.play.seats:
        name = each.names.get(seat.player) if seat.player else None
        result = (seat.points, seat.rank, int(seat.won), seat.team, seat.decides)
        yield (each.play.game, seat.seat, seat.player, name, *result)


def _options(each: Recorded) -> Iterator[Row]:
    for name, value in each.play.options.items():
        yield each.play.game, name, str(value).lower() if isinstance(value, bool) else str(value)


def _points(each: Recorded) -> Iterator[Row]:
    for number, line in enumerate(each.play.lines, 1):
        yield (each.play.game, number, line.seat, line.points, line.category, line.rule, line.version, str(line.note))


def _cells(each: Recorded) -> Iterator[Row]:
    for number, cell in enumerate(each.cells(), 1):
        whose = (cell.round, cell.column, cell.seat)
        yield each.play.game, number, *whose, cell.value, cell.text, int(cell.computed)


def _entry(game: str, entry: Entry) -> Iterable[Row]:
    breaks = _joined([breach.rule for breach in entry.irregular]) if entry.irregular else None
    return (
        (
            game,
            entry.version,
            entry.place,
            entry.type,
            entry.recorded_at,
            entry.happened_at,
            entry.seat,
            entry.notation,
            _json(entry.move),
            entry.text,
            1 if entry.withdrawn_by is None else 0,
            breaks,
            entry.override,
        ),
    )


def _effects(game: str, entry: Entry) -> Iterable[Row]:
    return [
        (
            *(game, entry.version, number, effect.kind, effect.rule, effect.seat, _joined(effect.at), effect.count),
            str(effect.text),
        )
        for number, effect in enumerate(entry.effects, 1)
    ]


def _correction(game: str, entry: Entry) -> Iterable[Row]:
    if entry.type not in {"entry.withdrawn", "entry.replaced", "entry.inserted"}:
        return ()
    return ((game, entry.version, entry.type, entry.entry, entry.text, int(entry.withdrawn_by is None)),)


def _people(each: Recorded) -> Iterator[Row]:
    for player in dict.fromkeys(seat.player for seat in each.play.seats if seat.player):
        yield player, each.names.get(player)


_encode = msgspec.json.Encoder(order="sorted").encode


def _json(value: object) -> str | None:
    return None if value is None else _encode(value).decode()


def _joined(parts: Sequence[str]) -> str | None:
    return " ".join(parts) or None


TABLES = (
    Table(
        "games",
        "one row a game",
        (
            Column("game", "text", "id of the game"),
            Column("ruleset", "text", "the rules: kahuna, verraeter, scoresheet …"),
            Column("name", "text", "what was played; of a score sheet the name of its template"),
            Column("title", "text", "title of the record"),
            Column("place", "text", "where it was played"),
            Column("played_at", "time", "when it was opened, by the clock of the table if that is known"),
            Column("opened_at", "time", "when its opening was recorded"),
            Column("last_at", "time", "when its last entry was recorded"),
            Column("minutes", "integer", "minutes between these two"),
            Column("status", "text", "playing, finished, adjudicated or abandoned"),
            Column("ending", "text", "how it ended"),
            Column("rule", "text", "the rule that ended it"),
            Column("players", "integer", "number of seats"),
            Column("together", "integer", "1 if all players won or lost as one"),
            Column("irregular", "integer", "number of entries that broke a rule and stand"),
            Column("entries", "integer", "number of entries of the record"),
            Column("revision", "integer", "revision of the rules"),
            Column("origin", "text", "the game that this one is a fork of"),
            Column("deciding", "text", "what decides in place of the points, or beside them; empty if only they do"),
        ),
        1,
        _games,
    ),
    Table(
        "seats",
        "one row a seat of a game",
        (
            _game(),
            Column("seat", "integer", "number of the seat, from 0"),
            Column("player", "text", "id of the person; empty for a guest", "people"),
            Column("player_name", "text", "name of the person, unless it was erased"),
            Column("points", "integer", "points"),
            Column("rank", "integer", "rank, 1 is best; empty while there is no outcome"),
            Column("won", "integer", "1 for winners"),
            Column("team", "text", "side of a score sheet"),
            Column("decides", "value", "what the seat has of what decides; empty if only the points do"),
        ),
        2,
        _seats,
    ),
    Table(
        "options",
        "one row an option of a game",
        (_game(), Column("option", "text", "name of the option"), Column("value", "text", "its value")),
        2,
        _options,
    ),
    Table(
        "score_lines",
        "one row a line of a game's score audit",
        (
            _game(),
            Column("line", "integer", "number of the line, from 1"),
            Column("seat", "integer", "the seat"),
            Column("points", "integer", "its points; the points of a seat sum to its score"),
            Column("category", "text", "what they are for"),
            Column("rule", "text", "the rule that gives them"),
            Column("entry", "integer", "the entry that brought them"),
            Column("note", "text", "what was counted"),
        ),
        2,
        _points,
    ),
    Table(
        "cells",
        "one row a filled cell of a score sheet",
        (
            _game(),
            Column("cell", "integer", "number of the cell, from 1"),
            Column("round", "integer", "its round; empty for a column of the whole game"),
            Column("column", "text", "id of its column in the template"),
            Column("seat", "integer", "the first seat of its side; empty for what all share"),
            Column("value", "integer", "its value; empty if that is not a whole number"),
            Column("text", "value", "the value as it stands there: a number or a label"),
            Column("computed", "integer", "1 if a formula gives it"),
        ),
        2,
        _cells,
    ),
    Table(
        "entries",
        "one row an entry of a record",
        (
            _game(),
            Column("entry", "integer", "number of the entry in the record, from 1"),
            Column("place", "integer", "its number in the order of play"),
            Column("type", "text", "type of the entry: move.made, note.added …"),
            Column("recorded_at", "time", "when it was recorded"),
            Column("happened_at", "time", "when it happened, by the clock of the table"),
            Column("seat", "integer", "the seat that moved; empty for the table"),
            Column("notation", "text", "the move in the notation of the ruleset"),
            Column("move", "json", "the move as JSON"),
            Column("text", "text", "text of a note, or reason of a correction"),
            Column("counts", "integer", "0 if it was taken back"),
            Column("breaks", "text", "ids of the rules that it breaks"),
            Column("override", "text", "why it stands nevertheless"),
        ),
        2,
        of_entry=_entry,
    ),
    Table(
        "effects",
        "one row an effect of an entry, by the rules",
        (
            _game(),
            Column("entry", "integer", "the entry"),
            Column("effect", "integer", "number of the effect, from 1"),
            Column("kind", "text", "kind of the effect: bridge.removed …"),
            Column("rule", "text", "the rule that it follows from"),
            Column("seat", "integer", "the seat that it affected"),
            Column("at", "text", "where on the board"),
            Column("count", "integer", "how many"),
            Column("text", "text", "the effect as a sentence"),
        ),
        3,
        of_entry=_effects,
        effects=True,
    ),
    Table(
        "corrections",
        "one row a correction of a record",
        (
            _game(),
            Column("entry", "integer", "the entry of the correction"),
            Column("type", "text", "entry.withdrawn, entry.replaced or entry.inserted"),
            Column("corrects", "integer", "the entry that it corrects"),
            Column("reason", "text", "why"),
            Column("counts", "integer", "0 if it was taken back"),
        ),
        2,
        of_entry=_correction,
    ),
    Table(
        "people",
        "one row a person who sits in a game",
        (Column("player", "text", "id of the person"), Column("name", "text", "name, unless it was erased")),
        1,
        _people,
    ),
)
"""The tables of all formats. A column here keeps its name, its place and its meaning."""

BY_NAME = {table.name: table for table in TABLES}
