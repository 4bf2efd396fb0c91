"""References: how the argument GAME names a game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import quote

import msgspec

from service.api.answers.clubs import ClubList
from service.api.answers.games import GameList, GameListed
from service.api.answers.seasons import SeasonList
from service.api.answers.tournaments import TournamentList
from service.cli.shell.client import UnexpectedAnswerError
from service.cli.shell.failures import CommandError
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.cli.shell.client import Client

SHORT_ID = 8
"""How many characters of the end of an id stand for it in lists."""

MOST_NAMED = 5
"""How many games are named when several are meant."""

PAGE = 500

_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PART = re.compile("[0-9a-f-]{4,36}")


class Listed(NamedTuple):
    """A listed record: its kind, its id, and its last version if the list has it."""

    kind: Literal["games", "clubs", "seasons", "tournaments"]
    id: str
    version: int | None = None


def game_id(client: Client, text: str) -> str:
    """The id of the game that `text` names. Raises `CommandError` if there is none, or more than one."""
    wanted = text.strip().lower()
    if _UUID.fullmatch(wanted):
        return wanted
    if wanted == "last":
        newest = client.get("/v1/games", GameList, limit=1).games
        if not newest:
            raise CommandError(
                gettext("there is no last game: no game is recorded yet"), gettext("Begin one with `kifu open`.")
            )
        return newest[0].game
    if not _PART.fullmatch(wanted):
        raise CommandError(
            gettext("%(text)s is not a game", text=f"{text!r}"),
            gettext("Give its id, at least four characters of it, or `last`."),
        )
    found = client.get("/v1/games", GameList, id=wanted, limit=MOST_NAMED + 1).games
    if not found:
        raise CommandError(
            gettext("no game's id begins or ends with %(wanted)s", wanted=wanted),
            gettext("`kifu games` lists those that are recorded."),
        )
    if len(found) > 1:
        named = "; ".join(f"{game.game} {game.title}".strip() for game in found[:MOST_NAMED])
        count = len(found) if len(found) <= MOST_NAMED else gettext("more than %(shown)s", shown=MOST_NAMED)
        raise CommandError(
            gettext("%(count)s games have ids that begin or end with %(wanted)s", count=count, wanted=wanted),
            gettext("Give more of it: %(named)s", named=named),
        )
    return found[0].game


def segment(name: str) -> str:
    """A name as a part of an address. Raises `CommandError` for an unusable one."""
    if "/" in name or name in {"", ".", ".."}:
        raise CommandError(gettext("%(name)s is not a valid name", name=f"{name!r}"))
    return quote(name, safe="")


def matches_id(game: str, text: str) -> bool:
    """Whether a game is meant by a part of its id."""
    return game.startswith(text) or game.endswith(text)


def all_games(client: Client, **query: object) -> Iterator[GameListed]:
    """Every game that the query asks for, in its order.

    Raises `UnexpectedAnswerError` for a list that goes on for ever: each game that it names has an entry of its own.
    """
    cursor, listed, end = None, 0, 0
    while True:
        page = client.get("/v1/games", GameList, limit=PAGE, cursor=cursor, **query)
        yield from page.games
        cursor, listed = page.next, listed + max(len(page.games), 1)
        if cursor is None:
            return
        if listed > end:
            end = end_of_log(client)
        if listed > end:
            why = gettext("it lists %(listed)s games, and its log has %(end)s entries", listed=listed, end=end)
            raise UnexpectedAnswerError(client.where, why)


class _LogEnd(msgspec.Struct, frozen=True):
    """The part of a service's health with the end of its log."""

    position: int


def end_of_log(client: Client) -> int:
    """The end of a service's log."""
    return client.get("/v1/health", _LogEnd).position


def every_game(client: Client, **query: object) -> Iterator[GameListed]:
    """Every game of the query, once. A game that goes on meanwhile moves in the list.

    So the list is read until it has no other games.
    """
    seen = set[str]()
    before = -1
    while len(seen) > before:
        before = len(seen)
        for game in all_games(client, **query):
            if game.game not in seen:
                seen.add(game.game)
                yield game


def every_record(client: Client) -> Iterator[Listed]:
    """Every record that the service shows: games, clubs, tournaments and seasons."""
    for game in every_game(client):
        yield Listed("games", game.game, game.version)
    for club in client.get("/v1/clubs", ClubList).clubs:
        yield Listed("clubs", club.club)
    for each in client.get("/v1/tournaments", TournamentList).tournaments:
        yield Listed("tournaments", each.tournament)
    for season in client.get("/v1/seasons", SeasonList).seasons:
        yield Listed("seasons", season.season)


def short_id(game: str) -> str:
    """The end of an id, which a person can type."""
    return game[-SHORT_ID:]
