"""The table in rows and columns: for screen readers, and for everybody who prefers text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PLAYER, POINTS, HAND = Sentence("Player"), Sentence("Points"), Sentence("Hand")
PILE, CARDS, NONE = Sentence("Pile"), Sentence("Cards"), Sentence("none")
"""Words that the tables of several rulesets share."""


class Table(msgspec.Struct, frozen=True):
    """A part of the table: the first cell of each row names the subject of the row.

    All translatable text, including seats, is a `Sentence`.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def by(self, ruleset: str) -> Table:
        """The table with sentences that belong to a ruleset, for their translation."""

        def own(cells: Sequence[str]) -> tuple[str, ...]:
            return tuple(
                Sentence(cell.text, **cell.values).by(ruleset) if isinstance(cell, Sentence) else cell for cell in cells
            )

        return Table(own([self.caption])[0], own(self.columns), tuple(map(own, self.rows)))


def cards(known: Sequence[str], unknown: int = 0) -> str:
    """Cards in words: the known ones by name, and the number of unknown ones."""
    listed = ", ".join(known)
    if not unknown:
        return listed or NONE
    if not listed:
        return Sentence("{unknown} not known", unknown=unknown)
    return Sentence("{cards}, {unknown} not known", cards=listed, unknown=unknown)


def tables_of(description: dict[str, Any]) -> list[Table]:
    """A described state as one table, for a ruleset without its own tables."""
    return [Table(Sentence("Table"), (Sentence("What"), Sentence("How it stands")), tuple(_rows(description, "")))]


def _rows(value: dict[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for key, inner in value.items():
        name = f"{prefix}{str(key).replace('_', ' ')}"
        if isinstance(inner, dict) and inner:
            yield from _rows(inner, f"{name}, ")
        elif isinstance(inner, list) and any(isinstance(part, dict) for part in inner):
            yield from _rows({str(at): part for at, part in enumerate(inner, 1)}, f"{name} ")
        else:
            yield name, _worded(inner)


def _worded(value: Any) -> str:
    match value:
        case None | [] | {}:
            return NONE
        case bool():
            return Sentence("yes") if value else Sentence("no")
        case list():
            return ", ".join(map(_worded, value))
        case _:
            return str(value)
