"""A table from a spreadsheet as values of a score sheet.

Lines (rows and columns) of the table mean a seat, a round, a column of the sheet, or several of these. The two lines of
a cell say its place on the sheet. Their meaning is guessed from the heads, and the user can set it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from events.folding import search_form
from games.scoresheet.moves import Enter, Line
from games.scoresheet.spelling import as_read, typed_form
from games.scoresheet.template import exact
from games.scoresheet.work import ROUNDS
from service.exchange.incoming.numbers import guessed_decimal, parse_number, plain
from service.exchange.incoming.plays import BadFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column, Number
    from service.exchange.incoming.numbers import Decimal

Cells = Sequence[Sequence[str]]

LABELS, VALUES, LEFT_OUT = "labels", "values", "-"
"""Codes for lines that contain heads, lines of values, and ignored lines."""

Reason = Literal["total", "computed", "unknown", "empty"]

TOTALS = frozenset(
    {"total", "totals", "sum", "grand total", "final", "final score", "points total", "total points", "total score"}
    | {"gesamt", "summe", "gesamtpunkte", "gesamtsumme", "gesamtpunktzahl", "endstand", "endergebnis", "somme"}
    | {"score final", "score total", "total des points", "suma", "total puntos", "total de puntos", "puntos totales"}
    | {"puntuacion total", "puntuacion final", "total geral", "soma", "total de pontos", "pontuacao total"}
    | {"pontuacao final", "totale", "totale punti", "punti totali", "punteggio totale", "punteggio finale", "totaal"}
    | {"eindtotaal", "eindstand", "eindscore", "totaalscore", "合計", "計", "総計", "総合計", "合計点", "総合得点"}
    | {"得点合計", "総得点", "最終得点", "最終スコア", "トータル", "σ", "∑"}
)
"""Heads of totals, without accents."""
FOLLOWING = frozenset(
    {"subtotal", "rank", "place", "position", "average", "winner", "zwischensumme", "zwischenstand", "platz", "rang"}
    | {
        "platzierung",
        "schnitt",
        "durchschnitt",
        "sieger",
        "siegerin",
        "gewinner",
        "sous total",
        "moyenne",
        "classement",
    }
    | {"gagnant", "vainqueur", "puesto", "posicion", "clasificacion", "promedio", "ganador", "media", "posicao"}
    | {"classificacao", "vencedor", "subtotale", "posizione", "classifica", "vincitore", "subtotaal", "tussenstand"}
    | {"plaats", "gemiddelde", "winnaar", "小計", "順位", "平均", "平均点", "勝者"}
)
"""Heads of other values that the sheet computes, without accents."""

SCORES = frozenset(
    {"score", "scores", "points", "pts", "value", "result", "punkte", "wert", "punktzahl", "ergebnis"}
    | {"valeur", "puntos", "puntuacion", "valor", "pontos", "pontuacao", "punti", "punteggio", "valore", "punten"}
    | {"waarde", "得点", "点", "点数", "スコア", "値"}
)
"""Heads of the column with the value of each row, without accents."""

_PUNCTUATION = re.compile(r"[\s:.,;#()/_|&+・、：（）-]+")
_ROUNDS = (
    "round|runde|durchgang|hand|deal|turn|game|spiel|manche|tour|donne|ronda|mano|rodada|mao|turno|giro|ronde|beurt"
)
"""Words for a round, without accents."""
_ROUND = re.compile(
    rf"(?:r|{_ROUNDS}|ラウンド|第|no)? ?([0-9]{{1,4}}) ?"
    rf"(?:(?:st|nd|rd|th|re|er|e|eme|a|o)? ?(?:{_ROUNDS})?|ラウンド|回戦|回|局|戦)"
)
_ROUND_WORD = re.compile(rf"(?:{_ROUNDS}|r|no|nr|num|ラウンド|回戦|回|局|戦)?")
"""Heads of a line with round numbers: nothing, or a word for a round."""
_AND = frozenset({"and", "und", "et", "y", "e", "en", "と"})
"""The separators between two names in the head of a pair."""
_UNIT = re.compile(r"(?<=[0-9)]) ?(?:点|points?|pts?\.?|punkte?|puntos?|pontos?|punti)$", re.IGNORECASE)
"""Units behind a number."""
_SEAT = re.compile(
    r"(?:p|player|seat|spieler|spielerin|jogador|jogadora|joueur|joueuse|jugador|jugadora|giocatore|giocatrice|speler|"
    r"プレイヤー|プレーヤー|席) ?([0-9]{1,2})"
)
_TEAM = re.compile(r"(?:t|team|mannschaft|equipe|equipo|squadra|チーム) ?([0-9]{1,2})")
_NOTHING = frozenset({"", "?", "-", "/", "."})
"""Texts for an unknown value, after `plain`."""
_TICKS: dict[str, frozenset[str]] = {
    "yes": frozenset({"x", "true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "ja", "oui", "si", "sim"})
    | {"はい", "✓", "✔", "✅", "☑", "○", "〇", "◯"},
    "no": frozenset({"false", "falsch", "faux", "falso", "onwaar", "nein", "non", "nao", "nee", "いいえ", "☐"}),
}
"""Texts that spreadsheets and people write for the labels yes and no, without accents."""
_WORDS = 8
"""The most words of a head that are examined."""


class Meaning(NamedTuple):
    """The meaning of a line of a table: a side, a round, a column of the sheet; or the reason to ignore it.

    It is `in_order` if it was guessed only from the position in the table. A line of `values` has no own meaning: the
    crossing lines say what its values are.
    """

    side: int | None = None
    round: int | None = None
    column: str | None = None
    labels: bool = False
    skipped: Reason | None = None
    in_order: bool = False
    values: bool = False

    def __bool__(self) -> bool:
        return self.values or self.side is not None or self.round is not None or self.column is not None

    def join(self, other: Meaning) -> Meaning | None:
        """Both meanings together; None if they contradict each other. An ignored line stays ignored."""
        if skipped := self.skipped or other.skipped:
            return Meaning(skipped=skipped)
        if any(mine is not None and its is not None for mine, its in zip(self[:3], other[:3], strict=True)):
            return None
        return Meaning(
            other.side if self.side is None else self.side,
            other.round if self.round is None else self.round,
            self.column or other.column,
        )


HEAD, UNKNOWN, EMPTY = Meaning(labels=True), Meaning(skipped="unknown"), Meaning(skipped="empty")
TOTAL, COMPUTED, OUT = Meaning(skipped="total"), Meaning(skipped="computed"), Meaning()
OF_VALUES = Meaning(values=True)
_SAID = {LABELS: HEAD, VALUES: OF_VALUES, LEFT_OUT: OUT}


class Place(NamedTuple):
    """A cell of a score sheet."""

    column: str
    round: int | None
    side: int


class FoundValue(NamedTuple):
    """A value in a table, with its row and column there, from 0."""

    value: Fraction
    row: int
    column: int


Values = dict[Place, FoundValue]
"""The values of a table, by cell of the sheet."""


class BadCellError(Exception):
    """A cell of a table is not a valid value of the sheet."""


class TableProblem(msgspec.Struct, frozen=True):
    """A problem of a cell. Rows and columns count from 1."""

    row: int
    column: int
    why: str


class _Lines(NamedTuple):
    """The meanings of rows and columns of a table, by index from 0."""

    rows: dict[int, Meaning]
    columns: dict[int, Meaning]

    @property
    def transposed(self) -> _Lines:
        """The lines with rows and columns exchanged."""
        return _Lines(self.columns, self.rows)


class Names:
    """The names that heads of a table can have: people, rounds, and columns of a sheet."""

    def __init__(self, state: ScoresheetState, people: Sequence[str | None]) -> None:
        self._state, self._template = state, state.template
        self._exact: dict[str, Meaning] = {}
        self._known: dict[str, Meaning] = {}
        for seat, name in enumerate(people):
            self._call(name, Meaning(side=state.side_of[seat]))
        for side, team in enumerate(self._template.teams):
            self._call(team.name, Meaning(side=side))
        for column in self._template.columns:
            meaning = COMPUTED if column.formula is not None else Meaning(column=column.id)
            for name in (column.id, column.id.replace("_", " "), column.name, column.ja):
                self._call(name, meaning)
        for names in (self._template.round_names, self._template.round_names_ja):
            for number, name in enumerate(names, 1):
                self._call(name, Meaning(round=number))

        for name, seats in _beginnings(people).items():
            if len(seats) == 1:
                self._call(name, Meaning(side=state.side_of[seats[0]]))

    def _call(self, name: str | None, meaning: Meaning) -> None:
        if name and (head := _head(name)):
            self._exact.setdefault(head, meaning)

    def meaning_of(self, text: str) -> Meaning:
        """The meaning of a head; `UNKNOWN` if it has no known name."""
        head = _head(text)
        if head not in self._known:
            found = self._found(head)
            self._known[head] = UNKNOWN if found is None else found
        return self._known[head]

    def _found(self, head: str) -> Meaning | None:
        if (known := self._single_meaning(head)) is not None:
            return known
        words = head.split(" ")
        for at in range(1, min(len(words), _WORDS)):
            first, rest = self._single_meaning(" ".join(words[:at])), words[at:]
            if first is None:
                continue
            second = self._found(" ".join(rest[1:] if rest[0] in _AND else rest))
            both = first if first == second else second and first.join(second)
            if both is not None:
                return both
        return None

    def _single_meaning(self, head: str) -> Meaning | None:
        """The meaning of a head that is a single name."""
        if (known := self._exact.get(head)) is not None:
            return known
        if head in TOTALS:
            return TOTAL
        if head in FOLLOWING:
            return COMPUTED
        if found := _SEAT.fullmatch(head):
            seat = int(found[1]) - 1
            return Meaning(side=self._state.side_of[seat]) if 0 <= seat < self._state.seats else None
        if self._template.teams and (found := _TEAM.fullmatch(head)):
            side = int(found[1]) - 1
            return Meaning(side=side) if 0 <= side < self._state.sides else None
        if self._template.in_rounds and (found := _ROUND.fullmatch(head)):
            return Meaning(round=int(found[1])) if 1 <= int(found[1]) <= ROUNDS else None
        return None

    def parse(self, text: str) -> Meaning | None:
        """Parse a meaning that the user set, in notation. None if it is not valid."""
        if (known := _SAID.get(text.strip())) is not None:
            return known
        meaning = Meaning()
        for word in text.split():
            found = self._word(word)
            joined = meaning.join(found) if found else None
            if joined is None:
                return None
            meaning = joined
        return meaning or None

    def _word(self, word: str) -> Meaning:
        column = self._template.typed_columns.get(as_read(word))
        if column is not None:
            return Meaning(column=column.id)
        found = self._single_meaning(_head(word))
        return found if found and found.skipped is None else Meaning()

    def write(self, meaning: Meaning) -> str:
        """A meaning in notation."""
        if meaning.labels or meaning.values:
            return LABELS if meaning.labels else VALUES
        side = [] if meaning.side is None else [self._state.speaker(meaning.side)]
        number = [] if meaning.round is None else [f"r{meaning.round}"]
        return " ".join([*number, *side, *([meaning.column] if meaning.column else [])]) or LEFT_OUT


def _beginnings(people: Sequence[str | None]) -> dict[str, list[int]]:
    """The first words of people's names, each with the seats that have them: `Ann` for Ann Smith."""
    found: dict[str, list[int]] = {}
    for seat, name in enumerate(people):
        words = _head(name or "").split(" ")
        for count in range(1, len(words)):
            found.setdefault(" ".join(words[:count]), []).append(seat)
    return found


def _head(text: str) -> str:
    return _PUNCTUATION.sub(" ", search_form(plain(text))).strip()


def _number_in(cell: str, decimal: Decimal) -> Fraction | None:
    """The number of a cell, with or without a unit."""
    return parse_number(_UNIT.sub("", plain(cell)), decimal)


def _label_in(cell: str, words: Mapping[str, Number]) -> Fraction | None:
    """The value of a label, or of a tick if the labels are yes and no; None for another text."""
    word = as_read(typed_form(cell))
    if word not in words and words.keys() == _TICKS.keys():
        word = next((label for label, ticks in _TICKS.items() if _head(cell) in ticks), word)
    return exact(words[word]) if word in words else None


class PastedTable:
    """A table, the meanings of its lines, and its values for the cells of a sheet.

    `rows` and `columns` set meanings of lines by index from 0; the others are guessed. So is `decimal`, the decimal
    separator, if it is None.
    """

    def __init__(
        self,
        state: ScoresheetState,
        people: Sequence[str | None],
        cells: Cells,
        rows: Mapping[int, str],
        columns: Mapping[int, str],
        decimal: Decimal | None,
    ) -> None:
        """Raises `BadFileError` for meanings of missing lines, and for meanings that are not valid."""
        self.state, self.cells = state, cells
        self.decimal: Decimal = decimal or guessed_decimal(cell for row in cells for cell in row)
        self.names = Names(state, people)
        named = _Lines(self._named("rows", rows, len(cells)), self._named("columns", columns, len(cells[0])))
        self.rows, self.columns = max(self._guesses(named), key=self._score_meanings)

    def _named(self, field: str, said: Mapping[int, str], lines: int) -> dict[int, Meaning]:
        found = dict[int, Meaning]()
        for at, text in said.items():
            if at >= lines:
                raise BadFileError(f"{field}: the table has {lines}, and {at + 1} are named")
            meaning = self.names.parse(text)
            if meaning is None:
                raise BadFileError(
                    f"{field}: {text[:40]!r} is not a line of the sheet; write p1, r3, r3 bid, labels, values or -"
                )
            found[at] = meaning
        return found

    # The meaning of the lines

    def _guesses(self, named: _Lines) -> Iterator[_Lines]:
        """The possible meanings of the lines, for each number of rows and of columns that can hold heads."""
        if all(len(lines) == count for lines, count in zip(named, (len(self.cells), len(self.cells[0])), strict=True)):
            yield named
            return
        title = sum(1 for _ in self._title_rows())
        if keys := self._key_columns(title, named.columns):
            yield self._meanings_by_key(title, keys, named)
            return
        for above, beside in product(range(min(3, len(self.cells) - title)), range(min(3, len(self._columns)))):
            rows = self._head_meanings(self.cells, range(beside), title + above)
            columns = self._head_meanings(self._columns, range(title, title + above), beside)
            yield self._in_sheet_order(_Lines({**rows, **named.rows}, {**columns, **named.columns}), named)

    def _key_columns(self, title: int, named: Mapping[int, Meaning]) -> dict[str, int]:
        """The columns that say side, and round or column of the sheet, in each row; empty if rows are not cells."""
        found = dict[str, int]()
        for at, (head, *below) in enumerate(column[title:] for column in self._columns):
            if named.get(at, HEAD) != HEAD:
                continue
            said = self._meanings_below(head, below)
            for kind in ("side", "column", "round"):
                count = sum(getattr(each, kind) is not None for each in said)
                if count and count * 2 >= len(said):
                    found.setdefault(kind, at)
        return found if "side" in found and len(found) > 1 else {}

    def _meanings_below(self, head: str, below: Sequence[str]) -> list[Meaning]:
        """The meaning of the cells below a head. Bare numbers are rounds only below a word for a round."""
        counts = head and _ROUND_WORD.fullmatch(_head(head))
        return [
            self.names.meaning_of(cell) if counts or not plain(cell).isdecimal() else UNKNOWN for cell in below if cell
        ]

    def _meanings_by_key(self, title: int, keys: Mapping[str, int], named: _Lines) -> _Lines:
        """The meanings if each row is a cell of the sheet, or several cells of one side, as its key columns say."""
        rows = self._head_meanings(self.cells, sorted(keys.values()), title + 1)
        columns = self._head_meanings(self._columns, range(title, title + 1), 0) | dict.fromkeys(keys.values(), HEAD)
        if "column" in keys or not any(columns.values()):
            columns |= self._column_of_values(columns, title, names_columns="column" in keys)
        return _Lines({**rows, **named.rows}, {**columns, **named.columns})

    def _column_of_values(
        self, columns: Mapping[int, Meaning], title: int, *, names_columns: bool
    ) -> dict[int, Meaning]:
        """The column with a value for each row: the one with such a head, or the only one left."""
        open_ = [at for at, each in columns.items() if not each.labels and any(map(self._is_value, self._columns[at]))]
        called = [at for at in open_ if _head(self._columns[at][title]) in SCORES]
        taken = called or [at for at in open_ if columns[at] == UNKNOWN]
        if len(taken) != 1:
            return {}
        template = self.state.template
        alone = len([column for column in template.entered_columns if column.default is None]) == 1
        left = COMPUTED if template.point_columns else UNKNOWN
        return {taken[0]: OF_VALUES if names_columns or alone else left}

    @cached_property
    def _columns(self) -> list[tuple[str, ...]]:
        return [*zip(*self.cells, strict=True)]

    def _title_rows(self) -> Iterator[Sequence[str]]:
        """The rows at the beginning with a single text, above wider rows."""
        if len(self.cells[0]) > 1:
            for row in self.cells[: min(3, len(self.cells) - 1)]:
                if sum(map(bool, row)) != 1 or self.names.meaning_of(next(filter(None, row))):
                    return
                yield row

    def _head_meanings(self, lines: Cells, heads: Sequence[int], first: int) -> dict[int, Meaning]:
        """The meanings of lines from the cells at `heads`. Lines before the `first` are heads themselves.

        An empty cell repeats the head of the line before, as in merged cells, if another head adds to it.
        """
        texts, going = dict[int, str](), [""] * len(heads)
        for at, line in enumerate(lines[first:], first):
            own = [line[head] for head in heads]
            going = [cell or (old if any(own) else "") for cell, old in zip(own, going, strict=True)]
            texts[at] = " ".join(filter(None, going))
        found = dict.fromkeys(range(min(first, len(lines))), HEAD)
        found |= {at: self.names.meaning_of(text) if text else UNKNOWN for at, text in texts.items()}
        figures = {at: int(plain(text)) for at, text in texts.items() if plain(text).isdecimal() and len(text) < _WORDS}
        found |= {} if self._are_rounds([*figures.values()]) else dict.fromkeys(figures, UNKNOWN)
        return dict(self._with_rounds(found))

    def _with_rounds(self, lines: Mapping[int, Meaning]) -> Iterator[tuple[int, Meaning]]:
        """Give a round to lines that name a column but no round: the last round named before them."""
        number: int | None = None
        for at, line in lines.items():
            number = number if line.round is None else line.round
            in_round = line.column is not None and self.state.template.by_id[line.column].per == "round"
            yield at, line._replace(round=number) if in_round else line

    def _are_rounds(self, figures: Sequence[int]) -> bool:
        """Whether bare numbers can count rounds: consecutive, from the first or the next round on."""
        return not figures or (
            [*figures] == [*range(figures[0], figures[0] + len(figures))] and figures[0] <= self.state.round + 1
        )

    def _in_sheet_order(self, lines: _Lines, named: _Lines) -> _Lines:
        """The lines with unknown ones filled in by their order, where this is possible."""
        said = [sum(each.side is not None for each in axis.values()) for axis in lines]
        across = len(self._open(lines.columns, self._columns))
        if said[0] > said[1] or (not any(said) and across != self.state.sides):
            columns, rows = self._with_default_lines(lines.transposed, named.transposed, self._columns, self.cells)
        else:
            rows, columns = self._with_default_lines(lines, named, self.cells, self._columns)
        return _Lines(rows, columns)

    def _with_default_lines(self, lines: _Lines, named: _Lines, rows: Cells, columns: Cells) -> _Lines:
        """The lines, with columns as sides and rows as rounds or columns of the sheet where no head says so."""
        places, sides = lines
        left = [Meaning(side=side) for side in range(self.state.sides)]
        left = [each for each in left if each.side not in {there.side for there in sides.values()}]
        open_ = [at for at in self._open(sides, columns) if at not in named.columns]
        if len(open_) == len(left):
            sides = sides | _in_order(open_, left)
        if not any(places.values()):
            places = self._without_sum(places, rows)
            numbered = self._numbers_rounds(columns)
            open_ = [at for at in self._open(places, rows) if at not in named.rows and (not numbered or rows[at][0])]
            if len(open_) <= len(known := self._sheet_places(sides)):
                places = places | _in_order(open_, known)
        return _Lines(places, sides)

    def _open(self, axis: Mapping[int, Meaning], lines: Cells) -> list[int]:
        """The unknown lines that contain values, except one with round numbers."""
        open_ = [at for at, each in axis.items() if each == UNKNOWN and any(map(self._is_value, lines[at]))]
        return open_[1:] if open_[:1] == [0] and self._numbers_rounds(lines) else open_

    def _numbers_rounds(self, lines: Cells) -> bool:
        """Whether the first line counts 1, 2, 3 … below an empty head or a word for a round, beside other heads."""
        title = sum(1 for _ in self._title_rows()) if lines is self._columns else 0
        head, *below = lines[0][title:]
        numbers = [cell for cell in below if _number_in(cell, self.decimal) is not None]
        beside = [line[title] for line in lines[1:] if line[title]]
        return (
            self.state.template.in_rounds
            and _ROUND_WORD.fullmatch(_head(head)) is not None
            and any(_number_in(cell, self.decimal) is None for cell in beside)
            and all(plain(cell).isdecimal() for cell in numbers)
            and self._are_rounds([int(plain(cell)) for cell in numbers])
        )

    def _is_value(self, cell: str) -> bool:
        labels = self.state.template.typed_labels.values()
        return _number_in(cell, self.decimal) is not None or any(_label_in(cell, words) is not None for words in labels)

    def _sheet_places(self, seats: Mapping[int, Meaning]) -> list[Meaning]:
        """The rounds in order, or the columns of a sheet without rounds."""
        template = self.state.template
        if template.in_rounds:
            return [Meaning(round=number) for number in range(1, self.state.last + 1)]
        if any(each.column for each in seats.values()):
            return []
        return [Meaning(column=column.id) for column in template.entered_columns]

    def _without_sum(self, axis: dict[int, Meaning], lines: Cells) -> dict[int, Meaning]:
        """The lines with the last one as a total, if each of its numbers is the sum of those before it."""
        open_ = self._open(axis, lines)
        if len(open_) < 3:
            return axis
        *before, last = ([_number_in(cell, self.decimal) for cell in lines[at]] for at in open_)
        sums = [sum(each for each in column if each is not None) for column in zip(*before, strict=True)]
        fits = all(value in {None, total} for value, total in zip(last, sums, strict=True))
        return axis | {open_[-1]: TOTAL} if fits else axis

    def _score_meanings(self, lines: _Lines) -> tuple[int, int]:
        """A score for these meanings: how much of the table is understood, and how few lines are heads."""
        worth, seen = 0, set[Place]()
        for row, column, cell in self._filled(lines):
            place = self._place(lines, row, column)
            if place is None:
                continue
            fits = place not in seen and self._is_value(cell)
            said = (not lines.rows[row].in_order) + (not lines.columns[column].in_order)
            worth += 2 + said if fits else -3
            seen.add(place)
        return worth - 5 * self._contradictions(lines), -sum(each.labels for axis in lines for each in axis.values())

    def _contradictions(self, lines: _Lines) -> int:
        """A count of contradictions: known heads read as values or crossed by others, and values read as heads.

        The head of a total or of computed values counts once more per side: the values beside it would be read.
        """
        count = 0
        for row, column, cell in self._cells():
            across, down = lines.rows[row], lines.columns[column]
            number = _number_in(cell, self.decimal) is not None
            if not across.labels and not down.labels:
                known = self.names.meaning_of(cell) if cell and not number else UNKNOWN
                count += known != UNKNOWN
                count += self.state.sides if known in {TOTAL, COMPUTED} else 0
            elif across.labels and down.labels:
                count += self.names.meaning_of(cell).side is not None
            elif number and across.labels != down.labels:
                meant = down if across.labels else across
                count += meant.in_order or meant == UNKNOWN
        return count

    def _cells(self) -> Iterator[tuple[int, int, str]]:
        for row, cells in enumerate(self.cells):
            for column, cell in enumerate(cells):
                yield row, column, cell

    # The values of the cells

    def _filled(self, lines: _Lines) -> Iterator[tuple[int, int, str]]:
        for row, meaning in lines.rows.items():
            if meaning:
                for column, cell in enumerate(self.cells[row]):
                    if lines.columns[column] and plain(cell) not in _NOTHING:
                        yield row, column, cell

    def _place(self, lines: _Lines, row: int, column: int) -> Place | None:
        """The cell of the sheet for a cell of the table; None if its two lines do not determine one."""
        both = lines.rows[row].join(lines.columns[column])
        if both is None:
            return None
        template = self.state.template
        known = template.by_id[both.column] if both.column else self._default_column(both)
        if known is None or (known.per == "round") != (both.round is not None):
            return None
        if both.side is None and not known.shared:
            return None
        return Place(known.id, both.round, 0 if known.shared else (both.side or 0))

    def _default_column(self, meaning: Meaning) -> Column | None:
        """The column meant by a line without one: the only one of its kind, or the default one."""
        template = self.state.template
        per = "round" if meaning.round is not None else "game"
        usual = template.default_column
        return usual if usual is not None and usual.per == per else None

    def _value(self, place: Place, cell: str) -> Fraction:
        """Raises `BadCellError`."""
        words = self.state.template.typed_labels[place.column]
        value = _label_in(cell, words)
        if value is None:
            value = _number_in(cell, self.decimal)
        if value is None and words:
            raise BadCellError(f"{cell[:40]!r} is none of these: {', '.join(words)}")
        if value is None:
            raise BadCellError(f"{cell[:40]!r} is not a number")
        return value

    @cached_property
    def read_cells(self) -> tuple[Values, list[TableProblem]]:
        """The values by their places, and the problems of other cells."""
        values, problems = Values(), list[TableProblem]()
        for row, column, cell in self._filled(_Lines(self.rows, self.columns)):
            try:
                self._store_value(values, row, column, cell)
            except BadCellError as error:
                problems.append(TableProblem(row + 1, column + 1, str(error)))
        return values, problems

    def _store_value(self, values: Values, row: int, column: int, cell: str) -> None:
        """Store the value of a cell. Raises `BadCellError`."""
        place = self._place(_Lines(self.rows, self.columns), row, column)
        if place is None:
            raise BadCellError("its row and its column together name no cell of the sheet")
        known = values.setdefault(place, FoundValue(self._value(place, cell), row, column))
        if known.value != self._value(place, cell):
            raise BadCellError(f"row {known.row + 1}, column {known.column + 1} says another value of the same cell")

    def totals(self, scores: Sequence[int]) -> Iterator[tuple[int, int, str, int]]:
        """The totals in the table that differ from the `scores` of the seats: row, column, text, and score."""
        for row, column, cell in self._cells():
            across, down = self.rows[row], self.columns[column]
            of = across if across.side is not None else down
            value = _number_in(cell, self.decimal)
            if of.side is not None and of.round is None and value is not None and TOTAL in {across, down}:
                score = scores[self.state.members[of.side][0]]
                if value != score:
                    yield row + 1, column + 1, cell, score


def _in_order(open_: Sequence[int], meanings: Sequence[Meaning]) -> dict[int, Meaning]:
    """The lines, with the open ones given the meanings in their order."""
    return {at: each._replace(in_order=True) for at, each in zip(open_, meanings, strict=False)}


class PlannedMove(NamedTuple):
    """A move that enters values of a table, with the row and the column of its first cell."""

    move: Line | Enter
    row: int
    column: int

    @property
    def cells(self) -> int:
        """The number of cells that it fills in or changes."""
        return 1 if isinstance(self.move, Enter) else sum(value is not None for value in self.move.values)


def moves_for(state: ScoresheetState, values: Mapping[Place, FoundValue]) -> list[PlannedMove]:
    """The moves that enter values into a sheet: one per line of empty cells, and one per changed cell."""
    order = {column.id: number for number, column in enumerate(state.template.entered_columns)}
    lines: dict[tuple[int, int], list[Place]] = {}
    for place in values:
        if not _stands(state, place, values[place].value):
            lines.setdefault((place.round or ROUNDS + 1, order[place.column]), []).append(place)
    return [wanted for key in sorted(lines) for wanted in _moves_of_line(state, sorted(lines[key]), values)]


def _stands(state: ScoresheetState, place: Place, value: Fraction) -> bool:
    cell = state.cell(state.template.by_id[place.column], place.round, place.side)
    return cell is not None and exact(cell.value) == value


def _moves_of_line(
    state: ScoresheetState, places: Sequence[Place], values: Mapping[Place, FoundValue]
) -> Iterator[PlannedMove]:
    column, number = state.template.by_id[places[0].column], places[0].round
    new = [place for place in places if state.cell(column, number, place.side) is None]
    if new or column.shared:
        given = {place.side: _number(values[place].value) for place in (new or places)}
        sides: Iterable[int] = range(1 if column.shared else state.sides)
        first = values[(new or places)[0]]
        line = Line(column=column.id, round=number, values=tuple(given.get(side) for side in sides))
        yield PlannedMove(line, first.row, first.column)
    for place in [] if column.shared else [place for place in places if place not in new]:
        value, row, at = values[place]
        seat = state.members[place.side][0]
        yield PlannedMove(Enter(seat=seat, column=column.id, round=number, value=_number(value)), row, at)


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
