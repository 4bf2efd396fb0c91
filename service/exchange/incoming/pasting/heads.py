"""The meanings of heads: a seat, a round, a column of the sheet, or several of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from games.scoresheet.spelling import normalized_word
from games.scoresheet.work import ROUNDS
from service.exchange.incoming.pasting.headwords import AND, FOLLOWING, MOST_WORDS, ROUND, SEAT, TEAM, TOTALS, head_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.scoresheet.state import ScoresheetState

LABELS, VALUES, LEFT_OUT = "labels", "values", "-"
"""Codes for lines that contain heads, lines of values, and ignored lines."""

Reason = Literal["total", "computed", "unknown", "empty"]


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
        if name and (head := head_form(name)):
            self._exact.setdefault(head, meaning)

    def meaning_of(self, text: str) -> Meaning:
        """The meaning of a head; `UNKNOWN` if it has no known name."""
        head = head_form(text)
        if head not in self._known:
            found = self._found(head)
            self._known[head] = UNKNOWN if found is None else found
        return self._known[head]

    def _found(self, head: str) -> Meaning | None:
        if (known := self._single_meaning(head)) is not None:
            return known
        words = head.split(" ")
        for at in range(1, min(len(words), MOST_WORDS)):
            first, rest = self._single_meaning(" ".join(words[:at])), words[at:]
            if first is None:
                continue
            second = self._found(" ".join(rest[1:] if rest[0] in AND else rest))
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
        if found := SEAT.fullmatch(head):
            seat = int(found[1]) - 1
            return Meaning(side=self._state.side_of[seat]) if 0 <= seat < self._state.seats else None
        if self._template.teams and (found := TEAM.fullmatch(head)):
            side = int(found[1]) - 1
            return Meaning(side=side) if 0 <= side < self._state.sides else None
        if self._template.has_rounds and (found := ROUND.fullmatch(head)):
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
        column = self._template.typed_columns.get(normalized_word(word))
        if column is not None:
            return Meaning(column=column.id)
        found = self._single_meaning(head_form(word))
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
        words = head_form(name or "").split(" ")
        for count in range(1, len(words)):
            found.setdefault(" ".join(words[:count]), []).append(seat)
    return found
