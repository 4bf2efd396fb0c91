"""The rows of the catalogue: what they say of a game, and their checksums."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

from events.databases.checksums import by_json, checksum, is_sound
from events.folding import search_form
from games.contract import PUBLIC, Deciding, SeatMarker, Title
from projections.errors import ViewsDamagedError
from projections.fold import STATUSES
from projections.plays import plays_together

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.fold import Fold

UNREADABLE = "unreadable"
LISTED = (*STATUSES, UNREADABLE)
"""Every status that a game in a list can have."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A listed game. Times are milliseconds since 1970; `seats` are player ids or None.

    `game_name` is what was played where the ruleset does not say it: the template of a score sheet. `played_at` is when
    the opening happened, `day` its date by the clock of the table. `ranks` are those of the outcome, empty without one,
    and `together` says that all won or lost as one. `teams` are those of the seats, if any. `status` is one of
    `LISTED`. `reason` says why a game is `unreadable`, or how it ended. `irregular` counts the entries that everybody
    can see to have broken a rule. `markers` go round the table of a running game. `origin` is the parent of a fork.
    """

    game: str
    ruleset: str
    title: str
    place: str
    game_name: Title | None
    played_at: int
    day: str
    opened_at: int
    last_at: int
    version: int
    status: str
    reason: str | None
    winners: list[int]
    scores: list[int]
    ranks: list[int]
    together: bool
    teams: list[int]
    deciding: Deciding | None
    markers: tuple[SeatMarker, ...]
    irregular: int
    origin: str | None
    seats: list[str | None]


def row_of(fold: Fold, projected: int) -> dict[str, Any]:
    """The row of a game, with its search words and its people, which go into other tables."""
    outcome, opened, title, name = fold.outcome(), fold.opened, fold.ruleset.title, fold.state.game_name()
    row: dict[str, Any] = {
        "game": fold.game,
        "ruleset": opened.ruleset,
        "title": opened.title,
        "place": opened.place,
        "game_name": msgspec.json.encode(name).decode(),
        "played_at": fold.played_at,
        "day": fold.day,
        "opened_at": fold.started_at,
        "last_at": fold.recorded_at,
        "version": fold.version,
        "status": UNREADABLE if fold.blocked_by else fold.status,
        "reason": str(fold.blocked_by) if fold.blocked_by else outcome.reason if outcome else None,
        "winners": msgspec.json.encode(outcome.winners if outcome else ()).decode(),
        "scores": msgspec.json.encode(fold.totals()).decode(),
        "ranks": msgspec.json.encode(outcome.ranks if outcome else ()).decode(),
        "together": int(outcome is not None and plays_together(fold.state)),
        "teams": msgspec.json.encode(fold.state.teams).decode(),
        "deciding": msgspec.json.encode(fold.deciding()).decode(),
        "markers": msgspec.json.encode(fold.state.markers()).decode(),
        "irregular": len(fold.irregular_from(PUBLIC)),
        "text": search_form("\n".join((opened.title, opened.place)))
        + _called(opened.ruleset, title.en, title.ja, *((name.en, name.ja) if name else ())),
        "origin": opened.origin.game if opened.origin else None,
        "seats": msgspec.json.encode(fold.players).decode(),
        "sat": msgspec.json.encode(sorted(fold.all_players)).decode(),
        "projected": projected,
        "hashes_public": int(fold.hashes_public),
    }
    row["found_by"] = search_checksum(row["text"], row["sat"])
    row["checksum"] = checksum_of(row)
    return row


@cache
def _called(*names: str) -> str:
    """The search words of a ruleset; needed after every entry."""
    return search_form("\n".join(("", *names)))


def search_checksum(text: str, sat: str) -> int:
    """The checksum of a game's search words and people, which are in other tables."""
    return checksum([text, sat])


def checksum_of(row: dict[str, Any]) -> int:
    """The checksum of a row. A row that does not fit it is damaged."""
    return checksum(summed_of(row))


_LISTED = Listed.__struct_fields__
SUMMED = (*_LISTED, "projected", "found_by", "hashes_public")
COLUMNS = (*SUMMED, "checksum")
_NEEDED, summed_of = frozenset(COLUMNS), itemgetter(*SUMMED)


def listing_of(fold: Fold) -> Listed:
    """The listing of a fold's game."""
    return to_listed(row_of(fold, 0))


def to_listed(row: dict[str, Any]) -> Listed:
    """The game of a row. Raises `ViewsDamagedError` for a damaged row."""
    if not fits(row):
        raise ViewsDamagedError(f"the row of game {row['game']} is not what was written")
    told = {name: row[name] for name in _LISTED}
    for name, decoded in _DECODED.items():
        told[name] = decoded(told[name])
    return Listed(**told)


_DECODED: dict[str, Callable[[Any], Any]] = {
    "game_name": msgspec.json.Decoder(Title | None).decode,
    "winners": msgspec.json.Decoder(list[int]).decode,
    "scores": msgspec.json.Decoder(list[int]).decode,
    "ranks": msgspec.json.Decoder(list[int]).decode,
    "together": bool,
    "teams": msgspec.json.Decoder(list[int]).decode,
    "deciding": msgspec.json.Decoder(Deciding | None).decode,
    "markers": msgspec.json.Decoder(tuple[SeatMarker, ...]).decode,
    "seats": msgspec.json.Decoder(list[str | None]).decode,
}
"""What makes the fields of a listed game from the columns, where these differ."""


def fits(row: dict[str, Any]) -> bool:
    """Whether a row is whole, and is what was written."""
    return row.keys() >= _NEEDED and is_sound(summed_of(row), row["checksum"], by_json)
