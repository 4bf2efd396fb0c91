"""The cells of a table, with their places and values on a score sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from games.scoresheet.spelling import normalized_word, typed_form
from games.scoresheet.template import exact
from service.exchange.incoming.numbers import guessed_decimal, parse_number, with_common_signs
from service.exchange.incoming.pasting.headwords import head_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column, Number
    from service.exchange.incoming.numbers import Decimal
    from service.exchange.incoming.pasting.heads import Meaning

Cells = Sequence[Sequence[str]]

_UNIT = re.compile(r"(?<=[0-9)]) ?(?:点|points?|pts?\.?|punkte?|puntos?|pontos?|punti)$", re.IGNORECASE)
"""Units behind a number."""
_NOTHING = frozenset({"", "?", "-", "/", "."})
"""Texts for an unknown value, after `with_common_signs`."""
_TICKS: dict[str, frozenset[str]] = {
    "yes": frozenset({"x", "true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "ja", "oui", "si", "sim"})
    | {"はい", "✓", "✔", "✅", "☑", "○", "〇", "◯"},
    "no": frozenset({"false", "falsch", "faux", "falso", "onwaar", "nein", "non", "nao", "nee", "いいえ", "☐"}),
}
"""Texts that spreadsheets and people write for the labels yes and no, without accents."""


class Place(NamedTuple):
    """A cell of a score sheet."""

    column: str
    round: int | None
    side: int


class BadCellError(Exception):
    """A cell of a table is not a valid value of the sheet."""


class Lines(NamedTuple):
    """The meanings of rows and columns of a table, by index from 0."""

    rows: dict[int, Meaning]
    columns: dict[int, Meaning]

    @property
    def transposed(self) -> Lines:
        """The lines with rows and columns exchanged."""
        return Lines(self.columns, self.rows)


class Grid:
    """The cells of a table for a sheet. `decimal` is the decimal separator; it is guessed if it is None."""

    def __init__(self, state: ScoresheetState, cells: Cells, decimal: Decimal | None) -> None:
        self.state, self.cells = state, cells
        self.columns: list[tuple[str, ...]] = [*zip(*cells, strict=True)]
        self.decimal: Decimal = decimal or guessed_decimal(cell for row in cells for cell in row)

    def number(self, cell: str) -> Fraction | None:
        """The number of a cell, with or without a unit."""
        return parse_number(_UNIT.sub("", with_common_signs(cell)), self.decimal)

    def is_value(self, cell: str) -> bool:
        """Whether a cell has a number, or a label of any column."""
        labels = self.state.template.typed_labels.values()
        return self.number(cell) is not None or any(label_in(cell, words) is not None for words in labels)

    def all_cells(self) -> Iterator[tuple[int, int, str]]:
        """All cells, with their rows and columns."""
        for row, cells in enumerate(self.cells):
            for column, cell in enumerate(cells):
                yield row, column, cell

    def filled(self, lines: Lines) -> Iterator[tuple[int, int, str]]:
        """The cells with values in lines that have a meaning, with their rows and columns."""
        for row, meaning in lines.rows.items():
            if meaning:
                for column, cell in enumerate(self.cells[row]):
                    if lines.columns[column] and with_common_signs(cell) not in _NOTHING:
                        yield row, column, cell

    def place(self, lines: Lines, row: int, column: int) -> Place | None:
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

    def value(self, place: Place, cell: str) -> Fraction:
        """The value of a cell for a place. Raises `BadCellError`."""
        words = self.state.template.typed_labels[place.column]
        value = label_in(cell, words)
        if value is None:
            value = self.number(cell)
        if value is None and words:
            raise BadCellError(f"{cell[:40]!r} is none of these: {', '.join(words)}")
        if value is None:
            raise BadCellError(f"{cell[:40]!r} is not a number")
        return value


def label_in(cell: str, words: Mapping[str, Number]) -> Fraction | None:
    """The value of a label, or of a tick if the labels are yes and no; None for another text."""
    word = normalized_word(typed_form(cell))
    if word not in words and words.keys() == _TICKS.keys():
        word = next((label for label, ticks in _TICKS.items() if head_form(cell) in ticks), word)
    return exact(words[word]) if word in words else None
