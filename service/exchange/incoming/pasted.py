"""A table from a spreadsheet as what stands on a score sheet.

Lines of the table, across and down, mean a seat, a round, a column of the sheet, or several of these. A cell belongs
where its two lines meet. What the lines mean is guessed by their heads, and can be named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from events.folding import searched
from games.scoresheet.moves import Enter, Line
from games.scoresheet.spelling import as_read, typed
from games.scoresheet.template import exact
from games.scoresheet.work import ROUNDS
from service.exchange.incoming.numbers import guessed_decimal, number_in, plain
from service.exchange.incoming.plays import BadFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column, Number
    from service.exchange.incoming.numbers import Decimal

Cells = Sequence[Sequence[str]]

LABELS, VALUES, LEFT_OUT = "labels", "values", "-"
"""What is said of a line that names the others, of one with the values of what they name, and of one not taken."""

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
"""Heads of lines with the totals of all, without accents."""
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
"""Heads of lines with something else that follows from the entries."""

SCORES = frozenset(
    {"score", "scores", "points", "pts", "value", "result", "punkte", "wert", "punktzahl", "ergebnis"}
    | {"valeur", "puntos", "puntuacion", "valor", "pontos", "pontuacao", "punti", "punteggio", "valore", "punten"}
    | {"waarde", "得点", "点", "点数", "スコア", "値"}
)
"""Heads of a column with the value of each row, without accents."""

_PUNCTUATION = re.compile(r"[\s:.,;#()/_|&+・、：（）-]+")
_ROUNDS = (
    "round|runde|durchgang|hand|deal|turn|game|spiel|manche|tour|donne|ronda|mano|rodada|mao|turno|giro|ronde|beurt"
)
"""What a round is called, without accents."""
_ROUND = re.compile(
    rf"(?:r|{_ROUNDS}|ラウンド|第|no)? ?([0-9]{{1,4}}) ?"
    rf"(?:(?:st|nd|rd|th|re|er|e|eme|a|o)? ?(?:{_ROUNDS})?|ラウンド|回戦|回|局|戦)"
)
_ROUND_WORD = re.compile(rf"(?:{_ROUNDS}|r|no|nr|num|ラウンド|回戦|回|局|戦)?")
"""What the head of a line that numbers the rounds says: nothing, or what a round is called."""
_AND = frozenset({"and", "und", "et", "y", "e", "en", "と"})
"""What parts two names in the head of a pair."""
_UNIT = re.compile(r"(?<=[0-9)]) ?(?:点|points?|pts?\.?|punkte?|puntos?|pontos?|punti)$", re.IGNORECASE)
"""What is counted, behind a number."""
_SEAT = re.compile(
    r"(?:p|player|seat|spieler|spielerin|jogador|jogadora|joueur|joueuse|jugador|jugadora|giocatore|giocatrice|speler|"
    r"プレイヤー|プレーヤー|席) ?([0-9]{1,2})"
)
_TEAM = re.compile(r"(?:t|team|mannschaft|equipe|equipo|squadra|チーム) ?([0-9]{1,2})")
_NOTHING = frozenset({"", "?", "-", "/", "."})
"""What stands in a cell that is not known, as `plain` has it."""
_TICKS: dict[str, frozenset[str]] = {
    "yes": frozenset({"x", "true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "ja", "oui", "si", "sim"})
    | {"はい", "✓", "✔", "✅", "☑", "○", "〇", "◯"},
    "no": frozenset({"false", "falsch", "faux", "falso", "onwaar", "nein", "non", "nao", "nee", "いいえ", "☐"}),
}
"""What spreadsheets and people write for the labels yes and no, without accents."""
_WORDS = 8
"""Words of a head that are looked at."""


class Meaning(NamedTuple):
    """What a line of a table is about: a side, a round, a column of the sheet; or why it is left out.

    It is `in_order` if nothing but its place in the table says so. A line of `values` says nothing itself: what they
    are about stands in the lines that cross it.
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

    def joined(self, other: Meaning) -> Meaning | None:
        """Both together; None if they say two things of one kind. What is left out stays so."""
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


class Found(NamedTuple):
    """A value of a table, and its row and column there, from 0."""

    value: Fraction
    row: int
    column: int


Values = dict[Place, Found]
"""What a table says, by the cells of the sheet."""


class BadCellError(Exception):
    """A cell of a table says nothing that can stand on the sheet."""


class TableProblem(msgspec.Struct, frozen=True):
    """What is wrong with a cell. Rows and columns count from 1."""

    row: int
    column: int
    why: str


class _Lines(NamedTuple):
    """What the rows and the columns of a table mean, by their numbers from 0."""

    rows: dict[int, Meaning]
    columns: dict[int, Meaning]

    @property
    def turned(self) -> _Lines:
        """The columns as rows, and the rows as columns."""
        return _Lines(self.columns, self.rows)


class Names:
    """What heads of a table can say: who sits there, the rounds and the columns of a sheet."""

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

    def of(self, text: str) -> Meaning:
        """What a head means; `UNKNOWN` if it says nothing that is known here."""
        head = _head(text)
        if head not in self._known:
            found = self._found(head)
            self._known[head] = UNKNOWN if found is None else found
        return self._known[head]

    def _found(self, head: str) -> Meaning | None:
        if (known := self._alone(head)) is not None:
            return known
        words = head.split(" ")
        for at in range(1, min(len(words), _WORDS)):
            first, rest = self._alone(" ".join(words[:at])), words[at:]
            if first is None:
                continue
            second = self._found(" ".join(rest[1:] if rest[0] in _AND else rest))
            both = first if first == second else second and first.joined(second)
            if both is not None:
                return both
        return None

    def _alone(self, head: str) -> Meaning | None:
        """What a head without parts means."""
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

    def named(self, text: str) -> Meaning | None:
        """What somebody says that a line means, in the words of the notation; None if that is not understood."""
        if (known := _SAID.get(text.strip())) is not None:
            return known
        meaning = Meaning()
        for word in text.split():
            found = self._word(word)
            joined = meaning.joined(found) if found else None
            if joined is None:
                return None
            meaning = joined
        return meaning or None

    def _word(self, word: str) -> Meaning:
        column = self._template.typed_columns.get(as_read(word))
        if column is not None:
            return Meaning(column=column.id)
        found = self._alone(_head(word))
        return found if found and found.skipped is None else Meaning()

    def said(self, meaning: Meaning) -> str:
        """A meaning in the words of the notation."""
        if meaning.labels or meaning.values:
            return LABELS if meaning.labels else VALUES
        side = [] if meaning.side is None else [self._state.speaker(meaning.side)]
        number = [] if meaning.round is None else [f"r{meaning.round}"]
        return " ".join([*number, *side, *([meaning.column] if meaning.column else [])]) or LEFT_OUT


def _beginnings(people: Sequence[str | None]) -> dict[str, list[int]]:
    """The first words of people's names, with the seats of all that begin so: `Ann` of Ann Smith."""
    found: dict[str, list[int]] = {}
    for seat, name in enumerate(people):
        words = _head(name or "").split(" ")
        for count in range(1, len(words)):
            found.setdefault(" ".join(words[:count]), []).append(seat)
    return found


def _head(text: str) -> str:
    return _PUNCTUATION.sub(" ", searched(plain(text))).strip()


def _number_in(cell: str, decimal: Decimal) -> Fraction | None:
    """The number of a cell, with or without a word for what is counted."""
    return number_in(_UNIT.sub("", plain(cell)), decimal)


def _label_in(cell: str, words: Mapping[str, Number]) -> Fraction | None:
    """The value of a label, or of a tick if the labels are yes and no; None if the cell is neither."""
    word = as_read(typed(cell))
    if word not in words and words.keys() == _TICKS.keys():
        word = next((label for label, ticks in _TICKS.items() if _head(cell) in ticks), word)
    return exact(words[word]) if word in words else None


class PastedTable:
    """A table, what its lines mean, and what it says of the cells of a sheet.

    `rows` and `columns` say what lines mean, by their numbers from 0; the rest is guessed, as is the sign before
    decimals if none is named.
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
        """Raises `BadFileError` for lines that are named and not there, and for words that mean nothing."""
        self.state, self.cells = state, cells
        self.decimal: Decimal = decimal or guessed_decimal(cell for row in cells for cell in row)
        self.names = Names(state, people)
        named = _Lines(self._named("rows", rows, len(cells)), self._named("columns", columns, len(cells[0])))
        self.rows, self.columns = max(self._guesses(named), key=self._worth)

    def _named(self, field: str, said: Mapping[int, str], lines: int) -> dict[int, Meaning]:
        found = dict[int, Meaning]()
        for at, text in said.items():
            if at >= lines:
                raise BadFileError(f"{field}: the table has {lines}, and {at + 1} are named")
            meaning = self.names.named(text)
            if meaning is None:
                raise BadFileError(
                    f"{field}: {text[:40]!r} is not a line of the sheet; write p1, r3, r3 bid, labels, values or -"
                )
            found[at] = meaning
        return found

    # What the lines mean

    def _guesses(self, named: _Lines) -> Iterator[_Lines]:
        """What the lines may mean, for each number of rows and of columns that can hold heads."""
        if all(len(lines) == count for lines, count in zip(named, (len(self.cells), len(self.cells[0])), strict=True)):
            yield named
            return
        title = sum(1 for _ in self._titles())
        if keys := self._keys(title, named.columns):
            yield self._long(title, keys, named)
            return
        for above, beside in product(range(min(3, len(self.cells) - title)), range(min(3, len(self._columns)))):
            rows = self._heads(self.cells, range(beside), title + above)
            columns = self._heads(self._columns, range(title, title + above), beside)
            yield self._placed(_Lines({**rows, **named.rows}, {**columns, **named.columns}), named)

    def _keys(self, title: int, named: Mapping[int, Meaning]) -> dict[str, int]:
        """The columns that say in each row a side, and a round or a column of the sheet; none if rows are no cells."""
        found = dict[str, int]()
        for at, (head, *below) in enumerate(column[title:] for column in self._columns):
            if named.get(at, HEAD) != HEAD:
                continue
            said = self._said_below(head, below)
            for kind in ("side", "column", "round"):
                count = sum(getattr(each, kind) is not None for each in said)
                if count and count * 2 >= len(said):
                    found.setdefault(kind, at)
        return found if "side" in found and len(found) > 1 else {}

    def _said_below(self, head: str, below: Sequence[str]) -> list[Meaning]:
        """What the cells below a head mean. Bare numbers are rounds under a word for one alone."""
        counts = head and _ROUND_WORD.fullmatch(_head(head))
        return [self.names.of(cell) if counts or not plain(cell).isdecimal() else UNKNOWN for cell in below if cell]

    def _long(self, title: int, keys: Mapping[str, int], named: _Lines) -> _Lines:
        """What the lines mean if each row is a cell of the sheet, or several of one side: its keys say which."""
        rows = self._heads(self.cells, sorted(keys.values()), title + 1)
        columns = self._heads(self._columns, range(title, title + 1), 0) | dict.fromkeys(keys.values(), HEAD)
        if "column" in keys or not any(columns.values()):
            columns |= self._column_of_values(columns, title, names_columns="column" in keys)
        return _Lines({**rows, **named.rows}, {**columns, **named.columns})

    def _column_of_values(
        self, columns: Mapping[int, Meaning], title: int, *, names_columns: bool
    ) -> dict[int, Meaning]:
        """The column with a value for each row: the one that is called so, or the only one that is left."""
        open_ = [at for at, each in columns.items() if not each.labels and any(map(self._is_value, self._columns[at]))]
        called = [at for at in open_ if _head(self._columns[at][title]) in SCORES]
        taken = called or [at for at in open_ if columns[at] == UNKNOWN]
        if len(taken) != 1:
            return {}
        template = self.state.template
        alone = len([column for column in template.entered if column.default is None]) == 1
        left = COMPUTED if template.counted else UNKNOWN
        return {taken[0]: OF_VALUES if names_columns or alone else left}

    @cached_property
    def _columns(self) -> list[tuple[str, ...]]:
        return [*zip(*self.cells, strict=True)]

    def _titles(self) -> Iterator[Sequence[str]]:
        """The rows at the beginning with a single text, where others have more."""
        if len(self.cells[0]) > 1:
            for row in self.cells[: min(3, len(self.cells) - 1)]:
                if sum(map(bool, row)) != 1 or self.names.of(next(filter(None, row))):
                    return
                yield row

    def _heads(self, lines: Cells, heads: Sequence[int], first: int) -> dict[int, Meaning]:
        """What lines mean by the cells at `heads`. Those before the `first` are heads themselves.

        An empty cell goes on with what stands in the line before, as joined cells do, if another one says more.
        """
        texts, going = dict[int, str](), [""] * len(heads)
        for at, line in enumerate(lines[first:], first):
            own = [line[head] for head in heads]
            going = [cell or (old if any(own) else "") for cell, old in zip(own, going, strict=True)]
            texts[at] = " ".join(filter(None, going))
        found = dict.fromkeys(range(min(first, len(lines))), HEAD)
        found |= {at: self.names.of(text) if text else UNKNOWN for at, text in texts.items()}
        figures = {at: int(plain(text)) for at, text in texts.items() if plain(text).isdecimal() and len(text) < _WORDS}
        found |= {} if self._are_rounds([*figures.values()]) else dict.fromkeys(figures, UNKNOWN)
        return dict(self._in_their_rounds(found))

    def _in_their_rounds(self, lines: Mapping[int, Meaning]) -> Iterator[tuple[int, Meaning]]:
        """Lines with the column of a round that name none belong to the round that was named before them."""
        number: int | None = None
        for at, line in lines.items():
            number = number if line.round is None else line.round
            in_round = line.column is not None and self.state.template.by_id[line.column].per == "round"
            yield at, line._replace(round=number) if in_round else line

    def _are_rounds(self, figures: Sequence[int]) -> bool:
        """Whether bare numbers can count rounds: one after the other, from the first or from the next one on."""
        return not figures or (
            [*figures] == [*range(figures[0], figures[0] + len(figures))] and figures[0] <= self.state.round + 1
        )

    def _placed(self, lines: _Lines, named: _Lines) -> _Lines:
        """The lines with those that say nothing taken in their order, where that can be."""
        said = [sum(each.side is not None for each in axis.values()) for axis in lines]
        across = len(self._open(lines.columns, self._columns))
        if said[0] > said[1] or (not any(said) and across != self.state.sides):
            columns, rows = self._filled_up(lines.turned, named.turned, self._columns, self.cells)
        else:
            rows, columns = self._filled_up(lines, named, self.cells, self._columns)
        return _Lines(rows, columns)

    def _filled_up(self, lines: _Lines, named: _Lines, rows: Cells, columns: Cells) -> _Lines:
        """The lines with the columns as sides, and the rows as places, that are not named by any head."""
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
            if len(open_) <= len(known := self._own_places(sides)):
                places = places | _in_order(open_, known)
        return _Lines(places, sides)

    def _open(self, axis: Mapping[int, Meaning], lines: Cells) -> list[int]:
        """The unknown lines with a value in them, without one that numbers the rounds."""
        open_ = [at for at, each in axis.items() if each == UNKNOWN and any(map(self._is_value, lines[at]))]
        return open_[1:] if open_[:1] == [0] and self._numbers_rounds(lines) else open_

    def _numbers_rounds(self, lines: Cells) -> bool:
        """Whether the first line says 1, 2, 3 … under no head, or under a word for a round, beside heads of others."""
        title = sum(1 for _ in self._titles()) if lines is self._columns else 0
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

    def _own_places(self, seats: Mapping[int, Meaning]) -> list[Meaning]:
        """The rounds, or the columns of a sheet without rounds, in the order of the sheet."""
        template = self.state.template
        if template.in_rounds:
            return [Meaning(round=number) for number in range(1, self.state.last + 1)]
        if any(each.column for each in seats.values()):
            return []
        return [Meaning(column=column.id) for column in template.entered]

    def _without_sum(self, axis: dict[int, Meaning], lines: Cells) -> dict[int, Meaning]:
        """The lines with the last one as a total, if each of its numbers is the sum of those before."""
        open_ = self._open(axis, lines)
        if len(open_) < 3:
            return axis
        *before, last = ([_number_in(cell, self.decimal) for cell in lines[at]] for at in open_)
        sums = [sum(each for each in column if each is not None) for column in zip(*before, strict=True)]
        fits = all(value in {None, total} for value, total in zip(last, sums, strict=True))
        return axis | {open_[-1]: TOTAL} if fits else axis

    def _worth(self, lines: _Lines) -> tuple[int, int]:
        """How much of the table is understood if its lines mean this, and how few of them are heads then."""
        worth, seen = 0, set[Place]()
        for row, column, cell in self._filled(lines):
            place = self._place(lines, row, column)
            if place is None:
                continue
            fits = place not in seen and self._is_value(cell)
            said = (not lines.rows[row].in_order) + (not lines.columns[column].in_order)
            worth += 2 + said if fits else -3
            seen.add(place)
        return worth - 5 * self._misread(lines), -sum(each.labels for axis in lines for each in axis.values())

    def _misread(self, lines: _Lines) -> int:
        """The known heads that lie where values are read or are crossed by others, and values that are read as heads.

        The head of a total, or of computed values, counts with the values of all sides that would be read beside it.
        """
        count = 0
        for row, column, cell in self._cells():
            across, down = lines.rows[row], lines.columns[column]
            number = _number_in(cell, self.decimal) is not None
            if not across.labels and not down.labels:
                known = self.names.of(cell) if cell and not number else UNKNOWN
                count += known != UNKNOWN
                count += self.state.sides if known in {TOTAL, COMPUTED} else 0
            elif across.labels and down.labels:
                count += self.names.of(cell).side is not None
            elif number and across.labels != down.labels:
                meant = down if across.labels else across
                count += meant.in_order or meant == UNKNOWN
        return count

    def _cells(self) -> Iterator[tuple[int, int, str]]:
        for row, cells in enumerate(self.cells):
            for column, cell in enumerate(cells):
                yield row, column, cell

    # What the cells say

    def _filled(self, lines: _Lines) -> Iterator[tuple[int, int, str]]:
        for row, meaning in lines.rows.items():
            if meaning:
                for column, cell in enumerate(self.cells[row]):
                    if lines.columns[column] and plain(cell) not in _NOTHING:
                        yield row, column, cell

    def _place(self, lines: _Lines, row: int, column: int) -> Place | None:
        """The cell of the sheet that a cell of the table stands for; None if its lines do not say that together."""
        both = lines.rows[row].joined(lines.columns[column])
        if both is None:
            return None
        template = self.state.template
        known = template.by_id[both.column] if both.column else self._usual(both)
        if known is None or (known.per == "round") != (both.round is not None):
            return None
        if both.side is None and not known.shared:
            return None
        return Place(known.id, both.round, 0 if known.shared else (both.side or 0))

    def _usual(self, meaning: Meaning) -> Column | None:
        """The column that is meant where none is named: the only one of its kind, or the usual one."""
        template = self.state.template
        per = "round" if meaning.round is not None else "game"
        usual = template.usual
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
    def found(self) -> tuple[Values, list[TableProblem]]:
        """The values by their places, and what is wrong with other cells."""
        values, problems = Values(), list[TableProblem]()
        for row, column, cell in self._filled(_Lines(self.rows, self.columns)):
            try:
                self._take(values, row, column, cell)
            except BadCellError as error:
                problems.append(TableProblem(row + 1, column + 1, str(error)))
        return values, problems

    def _take(self, values: Values, row: int, column: int, cell: str) -> None:
        """Note the value of a cell. Raises `BadCellError`."""
        place = self._place(_Lines(self.rows, self.columns), row, column)
        if place is None:
            raise BadCellError("its row and its column name no cell of the sheet together")
        known = values.setdefault(place, Found(self._value(place, cell), row, column))
        if known.value != self._value(place, cell):
            raise BadCellError(f"row {known.row + 1}, column {known.column + 1} says another value of the same cell")

    def totals(self, scores: Sequence[int]) -> Iterator[tuple[int, int, str, int]]:
        """The totals in the table that are not the `scores` of the seats: row, column, text, and the score."""
        for row, column, cell in self._cells():
            across, down = self.rows[row], self.columns[column]
            of = across if across.side is not None else down
            value = _number_in(cell, self.decimal)
            if of.side is not None and of.round is None and value is not None and TOTAL in {across, down}:
                score = scores[self.state.members[of.side][0]]
                if value != score:
                    yield row + 1, column + 1, cell, score


def _in_order(open_: Sequence[int], meanings: Sequence[Meaning]) -> dict[int, Meaning]:
    """Lines as what comes in this order."""
    return {at: each._replace(in_order=True) for at, each in zip(open_, meanings, strict=False)}


class Wanted(NamedTuple):
    """A move that brings what a table says onto a sheet, and the row and the column of its first cell."""

    move: Line | Enter
    row: int
    column: int

    @property
    def cells(self) -> int:
        """How many cells it fills in or changes."""
        return 1 if isinstance(self.move, Enter) else sum(value is not None for value in self.move.values)


def moves_for(state: ScoresheetState, values: Mapping[Place, Found]) -> list[Wanted]:
    """The moves after which a sheet holds what a table says: a line for empty cells, and each change by itself."""
    order = {column.id: number for number, column in enumerate(state.template.entered)}
    lines: dict[tuple[int, int], list[Place]] = {}
    for place in values:
        if not _stands(state, place, values[place].value):
            lines.setdefault((place.round or ROUNDS + 1, order[place.column]), []).append(place)
    return [wanted for key in sorted(lines) for wanted in _moves_of_line(state, sorted(lines[key]), values)]


def _stands(state: ScoresheetState, place: Place, value: Fraction) -> bool:
    cell = state.cell(state.template.by_id[place.column], place.round, place.side)
    return cell is not None and exact(cell.value) == value


def _moves_of_line(state: ScoresheetState, places: Sequence[Place], values: Mapping[Place, Found]) -> Iterator[Wanted]:
    column, number = state.template.by_id[places[0].column], places[0].round
    new = [place for place in places if state.cell(column, number, place.side) is None]
    if new or column.shared:
        given = {place.side: _number(values[place].value) for place in (new or places)}
        sides: Iterable[int] = range(1 if column.shared else state.sides)
        first = values[(new or places)[0]]
        line = Line(column=column.id, round=number, values=tuple(given.get(side) for side in sides))
        yield Wanted(line, first.row, first.column)
    for place in [] if column.shared else [place for place in places if place not in new]:
        value, row, at = values[place]
        seat = state.members[place.side][0]
        yield Wanted(Enter(seat=seat, column=column.id, round=number, value=_number(value)), row, at)


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
