"""Plays for the app BG Stats: the link that opens a new play there, and the file of all plays.

The app recognises plays by their ids, so these are made from Kifu's ids and never change. The names of the fields were
found in files of the app, and in programs that read and write them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import UUID, uuid5

import msgspec

from events.folding import normalized

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from projections.plays import Play, PlaySeat

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Kifu"
"""The name of Kifu as the source of a play in the app. It never changes."""

LONGEST = 8_000
"""The most characters of a link that phones accept."""

_IDS = UUID("6f2c3f0e-52a9-5d5b-9a57-2c4f6f0b6d11")
"""The namespace of the ids in files for the app."""

DONE = {"finished", "adjudicated"}
"""The statuses of finished games. The app would show an unfinished game as lost by all."""


def is_play(play: Play) -> bool:
    """Whether trackers get a game: it has ended, and is not a fork."""
    return play.status in DONE and play.origin is None


def link(play: Play, names: Mapping[str, str]) -> str:
    """The address that opens the play in the app. The user confirms it there."""
    data = {
        "sourceName": SOURCE,
        "sourcePlayId": play.game,
        "playDate": _date(play.played_at),
        "durationMin": play.minutes,
        "location": play.place,
        "comments": play.title,
        "game": {
            "name": play.name,
            "sourceGameId": _game(play),
            "highestWins": play.highest_wins,
            "noPoints": False,
            **({"bggId": play.bgg} if play.bgg else {}),
        },
        "players": [
            {
                "name": _name(seat, names),
                "sourcePlayerId": _player(seat, names),
                "startPlayer": False,
                "winner": seat.won,
                "score": str(seat.points),
                **({"rank": seat.rank} if seat.rank else {}),
                **({"team": seat.team} if seat.team else {}),
            }
            for seat in play.seats
        ],
    }
    kept = {name: value for name, value in data.items() if value not in ("", 0)}
    return LINK + quote(msgspec.json.encode(kept).decode(), safe="")


def plays_file(plays: Iterable[tuple[Play, Mapping[str, str]]]) -> Iterator[bytes]:
    """The file of plays for the app, piece by piece. People, games and places follow the plays."""
    book = _Book()
    yield b'{"plays":['
    for number, (play, names) in enumerate(plays):
        yield (b"," if number else b"") + msgspec.json.encode(book.entered(play, names))
    yield b"],"
    yield msgspec.json.encode(book.rest())[1:]


class _Book:
    """The people, games and places of a file. Their numbers are valid in this file only."""

    def __init__(self) -> None:
        self._players: dict[str, dict[str, Any]] = {}
        self._games: dict[str, dict[str, Any]] = {}
        self._places: dict[str, dict[str, Any]] = {}

    def entered(self, play: Play, names: Mapping[str, str]) -> dict[str, Any]:
        date = _date(play.played_at)
        scores = [
            {
                "playerRefId": self._player(seat, names, date),
                "score": str(seat.points),
                "winner": seat.won,
                "startPlayer": False,
                "newPlayer": False,
                "rank": seat.rank or 0,
                "seatOrder": seat.seat + 1,
                **({"team": seat.team} if seat.team else {}),
            }
            for seat in play.seats
        ]
        place = {"locationRefId": self._place(play.place, date)} if play.place else {}
        return {
            "uuid": _uuid("play", play.game),
            "gameRefId": self._game(play, date),
            **place,
            "playDate": date,
            "playDateYmd": int(play.played_at[:10].replace("-", "")),
            "entryDate": _date(play.opened_at),
            "modificationDate": _date(play.last_at),
            "durationMin": play.minutes,
            "rounds": 0,
            "scoringSetting": 0,
            "manualWinner": True,
            "ignored": False,
            "usesTeams": any(seat.team for seat in play.seats),
            "rating": 0,
            "comments": play.title,
            "playImages": "[]",
            "importPlayId": 0,
            "expansionPlays": [],
            "playerScores": scores,
        }

    def rest(self) -> dict[str, Any]:
        players, games = [*self._players.values()], [*self._games.values()]
        return {
            "userInfo": {"meRefId": 0},
            "players": players,
            "locations": [*self._places.values()],
            "games": games,
        }

    def _player(self, seat: PlaySeat, names: Mapping[str, str], date: str) -> int:
        key = _player(seat, names)
        if key not in self._players:
            self._players[key] = {
                "uuid": _uuid("player", key),
                "id": len(self._players) + 1,
                "name": _name(seat, names),
                "isAnonymous": seat.player is None,
                "modificationDate": date,
            }
        return int(self._players[key]["id"])

    def _game(self, play: Play, date: str) -> int:
        key = _game(play)
        if key not in self._games:
            self._games[key] = {
                "uuid": _uuid("game", key),
                "id": len(self._games) + 1,
                "name": play.name,
                "bggId": play.bgg or 0,
                "bggYear": 0,
                "cooperative": play.together,
                "highestWins": play.highest_wins,
                "noPoints": False,
                "usesTeams": any(seat.team for seat in play.seats),
                "rating": 0,
                "modificationDate": date,
            }
        return int(self._games[key]["id"])

    def _place(self, place: str, date: str) -> int:
        key = normalized(place)
        if key not in self._places:
            number = len(self._places) + 1
            self._places[key] = {"uuid": _uuid("place", key), "id": number, "name": place, "modificationDate": date}
        return int(self._places[key]["id"])


def _uuid(kind: str, key: str) -> str:
    return str(uuid5(_IDS, f"{kind} {key}")).upper()


def _date(moment: str) -> str:
    """A time in the format of the app, in UTC."""
    return datetime.fromisoformat(moment).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _game(play: Play) -> str:
    return f"{play.ruleset}/{normalized(play.name)}" if play.template else play.ruleset


def _name(seat: PlaySeat, names: Mapping[str, str]) -> str:
    """The name of the person in a seat, or the number of the seat."""
    return (names.get(seat.player) if seat.player else None) or f"Seat {seat.seat + 1}"


def _player(seat: PlaySeat, names: Mapping[str, str]) -> str:
    return seat.player or f"guest {normalized(_name(seat, names))}"
