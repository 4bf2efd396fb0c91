"""The kinds of records: games, clubs, tournaments and seasons. The type of an entry says in which kind it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from events.clubs import CLUB_FOUNDED, CLUB_TYPES
from events.seasons import SEASON_FOUNDED, SEASON_TYPES
from events.tournaments import TOURNAMENT_FOUNDED, TOURNAMENT_TYPES
from events.types import ENTRY_ERASED, GAME_OPENED

if TYPE_CHECKING:
    from events.types import EventData

OTHER_TYPES: dict[str, type[EventData]] = {**CLUB_TYPES, **TOURNAMENT_TYPES, **SEASON_TYPES}
"""The event types of records that are not games."""

FOUNDINGS = (CLUB_FOUNDED, TOURNAMENT_FOUNDED, SEASON_FOUNDED)
"""The types of the first events of records that are not games."""

Kind = Literal["game", "club", "tournament", "season"]
"""A kind of record."""

MIXED = "entries of two kinds of records do not stand in one"
"""Why an entry is refused in a record of another kind."""

_OPENINGS = (
    dict.fromkeys(CLUB_TYPES, CLUB_FOUNDED)
    | dict.fromkeys(TOURNAMENT_TYPES, TOURNAMENT_FOUNDED)
    | dict.fromkeys(SEASON_TYPES, SEASON_FOUNDED)
)

_KINDS: dict[str, Kind] = {
    GAME_OPENED: "game",
    CLUB_FOUNDED: "club",
    TOURNAMENT_FOUNDED: "tournament",
    SEASON_FOUNDED: "season",
}

ERASURES: dict[Kind, str] = {
    "game": ENTRY_ERASED,
    "club": "club.erased",
    "tournament": "tournament.erased",
    "season": "season.erased",
}
"""The type of the entries that erased something, in each kind of record. The log itself makes them."""

ERASING = frozenset(ERASURES.values())
"""The types of entries that erased something."""

OPENINGS = frozenset(_KINDS)
"""The types of the first events of records."""


def is_of_game(event_type: str) -> bool:
    """Whether an event of this type stands in the record of a game."""
    return event_type not in _OPENINGS


def kind_of(event_type: str) -> Kind:
    """The kind of record in which an event of this type stands."""
    return _KINDS[opening_of(event_type)]


def opening_of(event_type: str) -> str:
    """The type of the first event of a record with this type of event in it."""
    return _OPENINGS.get(event_type, GAME_OPENED)
