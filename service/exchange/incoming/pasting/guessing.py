"""The meanings of the lines of a table, guessed from its heads and from the order of its lines."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from service.exchange.incoming.numbers import with_common_signs
from service.exchange.incoming.pasting.grid import Cells, Grid, Lines, Place
from service.exchange.incoming.pasting.heads import COMPUTED, HEAD, OF_VALUES, TOTAL, UNKNOWN, Meaning, Names
from service.exchange.incoming.pasting.headwords import ROUND_WORD, SCORES, head_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_FIGURE = 8
"""A bare number of so many digits counts no rounds."""


class MeaningGuesser:
    """The guesses of what the lines of a table mean, beside those that the user set."""

    def __init__(self, grid: Grid, names: Names) -> None:
        self._grid, self._names = grid, names
        self._state, self._cells, self._columns = grid.state, grid.cells, grid.columns

    def best(self, named: Lines) -> Lines:
        """The meanings that explain most of the table. Those of `named` lines are known."""
        return max(self._guesses(named), key=self._score_meanings)

    def _guesses(self, named: Lines) -> Iterator[Lines]:
        """The possible meanings of the lines, for each number of rows and of columns that can hold heads."""
        if (len(named.rows), len(named.columns)) == (len(self._cells), len(self._columns)):
            yield named
            return
        title = sum(1 for _ in self._title_rows())
        if keys := self._key_columns(title, named.columns):
            yield self._meanings_by_key(title, keys, named)
            return
        for above, beside in product(range(min(3, len(self._cells) - title)), range(min(3, len(self._columns)))):
            rows = self._head_meanings(self._cells, range(beside), title + above)
            columns = self._head_meanings(self._columns, range(title, title + above), beside)
            yield self._in_sheet_order(Lines({**rows, **named.rows}, {**columns, **named.columns}), named)

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
        counts = head and ROUND_WORD.fullmatch(head_form(head))
        return [
            self._names.meaning_of(cell) if counts or not with_common_signs(cell).isdecimal() else UNKNOWN
            for cell in below
            if cell
        ]

    def _meanings_by_key(self, title: int, keys: Mapping[str, int], named: Lines) -> Lines:
        """The meanings if each row is a cell of the sheet, or several cells of one side, as its key columns say."""
        rows = self._head_meanings(self._cells, sorted(keys.values()), title + 1)
        columns = self._head_meanings(self._columns, range(title, title + 1), 0) | dict.fromkeys(keys.values(), HEAD)
        if "column" in keys or not any(columns.values()):
            columns |= self._column_of_values(columns, title, names_columns="column" in keys)
        return Lines({**rows, **named.rows}, {**columns, **named.columns})

    def _column_of_values(
        self, columns: Mapping[int, Meaning], title: int, *, names_columns: bool
    ) -> dict[int, Meaning]:
        """The column with a value for each row: the one with such a head, or the only one left."""
        open_ = [at for at, each in columns.items() if not each.labels and self._has_value(self._columns[at])]
        called = [at for at in open_ if head_form(self._columns[at][title]) in SCORES]
        taken = called or [at for at in open_ if columns[at] == UNKNOWN]
        if len(taken) != 1:
            return {}
        template = self._state.template
        alone = len([column for column in template.entered_columns if column.default is None]) == 1
        left = COMPUTED if template.point_columns else UNKNOWN
        return {taken[0]: OF_VALUES if names_columns or alone else left}

    def _title_rows(self) -> Iterator[Sequence[str]]:
        """The rows at the beginning with a single text, above wider rows."""
        if len(self._cells[0]) > 1:
            for row in self._cells[: min(3, len(self._cells) - 1)]:
                if sum(map(bool, row)) != 1 or self._names.meaning_of(next(filter(None, row))):
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
        found |= {at: self._names.meaning_of(text) if text else UNKNOWN for at, text in texts.items()}
        figures = {at: int(with_common_signs(text)) for at, text in texts.items() if _is_figure(text)}
        found |= {} if self._are_rounds([*figures.values()]) else dict.fromkeys(figures, UNKNOWN)
        return dict(self._with_rounds(found))

    def _with_rounds(self, lines: Mapping[int, Meaning]) -> Iterator[tuple[int, Meaning]]:
        """Give a round to lines that name a column but no round: the last round named before them."""
        number: int | None = None
        for at, line in lines.items():
            number = number if line.round is None else line.round
            in_round = line.column is not None and self._state.template.by_id[line.column].per == "round"
            yield at, line._replace(round=number) if in_round else line

    def _are_rounds(self, figures: Sequence[int]) -> bool:
        """Whether bare numbers can count rounds: consecutive, from the first or the next round on."""
        return not figures or (
            [*figures] == [*range(figures[0], figures[0] + len(figures))] and figures[0] <= self._state.round + 1
        )

    def _in_sheet_order(self, lines: Lines, named: Lines) -> Lines:
        """The lines with unknown ones filled in by their order, where this is possible."""
        said = [sum(each.side is not None for each in axis.values()) for axis in lines]
        across = len(self._open(lines.columns, self._columns))
        if said[0] > said[1] or (not any(said) and across != self._state.sides):
            columns, rows = self._with_default_lines(lines.transposed, named.transposed, self._columns, self._cells)
        else:
            rows, columns = self._with_default_lines(lines, named, self._cells, self._columns)
        return Lines(rows, columns)

    def _with_default_lines(self, lines: Lines, named: Lines, rows: Cells, columns: Cells) -> Lines:
        """The lines, with columns as sides and rows as rounds or columns of the sheet where no head says so."""
        places, sides = lines
        left = [Meaning(side=side) for side in range(self._state.sides)]
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
        return Lines(places, sides)

    def _open(self, axis: Mapping[int, Meaning], lines: Cells) -> list[int]:
        """The unknown lines that contain values, except one with round numbers."""
        open_ = [at for at, each in axis.items() if each == UNKNOWN and self._has_value(lines[at])]
        return open_[1:] if open_[:1] == [0] and self._numbers_rounds(lines) else open_

    def _has_value(self, line: Sequence[str]) -> bool:
        return any(map(self._grid.is_value, line))

    def _numbers_rounds(self, lines: Cells) -> bool:
        """Whether the first line counts 1, 2, 3 … below an empty head or a word for a round, beside other heads."""
        title = sum(1 for _ in self._title_rows()) if lines is self._columns else 0
        head, *below = lines[0][title:]
        numbers = [cell for cell in below if self._grid.number(cell) is not None]
        beside = [line[title] for line in lines[1:] if line[title]]
        return (
            self._state.template.has_rounds
            and ROUND_WORD.fullmatch(head_form(head)) is not None
            and any(self._grid.number(cell) is None for cell in beside)
            and all(with_common_signs(cell).isdecimal() for cell in numbers)
            and self._are_rounds([int(with_common_signs(cell)) for cell in numbers])
        )

    def _sheet_places(self, seats: Mapping[int, Meaning]) -> list[Meaning]:
        """The rounds in order, or the columns of a sheet without rounds."""
        template = self._state.template
        if template.has_rounds:
            return [Meaning(round=number) for number in range(1, self._state.last + 1)]
        if any(each.column for each in seats.values()):
            return []
        return [Meaning(column=column.id) for column in template.entered_columns]

    def _without_sum(self, axis: dict[int, Meaning], lines: Cells) -> dict[int, Meaning]:
        """The lines with the last one as a total, if each of its numbers is the sum of those before it."""
        open_ = self._open(axis, lines)
        if len(open_) < 3:
            return axis
        *before, last = ([self._grid.number(cell) for cell in lines[at]] for at in open_)
        sums = [sum(each for each in column if each is not None) for column in zip(*before, strict=True)]
        fits = all(value in {None, total} for value, total in zip(last, sums, strict=True))
        return axis | {open_[-1]: TOTAL} if fits else axis

    def _score_meanings(self, lines: Lines) -> tuple[int, int]:
        """A score for these meanings: how much of the table is understood, and how few lines are heads."""
        worth, seen = 0, set[Place]()
        for row, column, cell in self._grid.filled(lines):
            place = self._grid.place(lines, row, column)
            if place is None:
                continue
            fits = place not in seen and self._grid.is_value(cell)
            said = (not lines.rows[row].in_order) + (not lines.columns[column].in_order)
            worth += 2 + said if fits else -3
            seen.add(place)
        return worth - 5 * self._contradictions(lines), -sum(each.labels for axis in lines for each in axis.values())

    def _contradictions(self, lines: Lines) -> int:
        """A count of contradictions: known heads read as values or crossed by others, and values read as heads.

        The head of a total or of computed values counts once more per side: the values beside it would be read.
        """
        count = 0
        for row, column, cell in self._grid.all_cells():
            across, down = lines.rows[row], lines.columns[column]
            number = self._grid.number(cell) is not None
            if not across.labels and not down.labels:
                known = self._names.meaning_of(cell) if cell and not number else UNKNOWN
                count += known != UNKNOWN
                count += self._state.sides if known in {TOTAL, COMPUTED} else 0
            elif across.labels and down.labels:
                count += self._names.meaning_of(cell).side is not None
            elif number and across.labels != down.labels:
                meant = down if across.labels else across
                count += meant.in_order or meant == UNKNOWN
        return count


def _is_figure(text: str) -> bool:
    """Whether a head is a bare number of a few digits."""
    return with_common_signs(text).isdecimal() and len(text) < _FIGURE


def _in_order(open_: Sequence[int], meanings: Sequence[Meaning]) -> dict[int, Meaning]:
    """The lines, with the open ones given the meanings in their order."""
    return {at: each._replace(in_order=True) for at, each in zip(open_, meanings, strict=False)}
