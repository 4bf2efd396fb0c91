"""Plays from a backup file of the app BG Stats.

The fields were found in files of the app. Unknown fields are ignored, and scores are free text there.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from events.repeated_keys import find_repeated_key, repeated_key
from service.exchange.incoming.days import parse_moment
from service.exchange.incoming.encodings import is_utf8
from service.exchange.incoming.plays import (
    DIGITS,
    BadFileError,
    BadPlayError,
    IncomingPlay,
    Result,
    UnreadPlay,
    check_seats,
    one_line,
    parse_score,
    refuse_too_many_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction


SOURCE = "bgstats"

_TWICE = ("twice",)
"""The key of an object that has a key twice, with this key. No key of JSON is a tuple."""

REFERENCES = (("games", "gameRefId"), ("locations", "locationRefId"))
"""The things that a play refers to by number, each with the field of this number."""


def read(content: bytes) -> Iterator[UnreadPlay]:
    """The plays of a backup file, in their order. Raises `BadFileError`."""
    refuse_too_many_parts(content, b",")
    found = _decoded(content.removeprefix(b"\xef\xbb\xbf"))
    if not isinstance(found, dict) or not isinstance(found.get("plays"), list):
        raise BadFileError("a backup of BG Stats is a JSON object with a list `plays`")
    if _TWICE in found:
        raise BadFileError(f"{found[_TWICE]}: this key is in one object twice")
    book = {name: _by_id(found.get(name)) for name in ("players", "locations", "games")}
    deleted = {_text(each.get("uuid")) for each in _objects(found.get("deletedObjects"))}
    for play in found["plays"]:
        key = _text(play.get("uuid")) if isinstance(play, dict) else ""
        if key and key in deleted:
            continue
        yield UnreadPlay(key, partial(_play, play, key, book))


def _decoded(content: bytes) -> Any:
    """The JSON in a file. Numbers out of range, unpaired surrogates and repeated keys spoil only their own object.

    Raises `BadFileError`.
    """
    if line := next((number for number, line in enumerate(content.splitlines(), 1) if not is_utf8(line)), 0):
        raise BadFileError(f"line {line}: it is not in UTF-8, as JSON has to be", line)
    try:
        with suppress(msgspec.DecodeError, ValueError):
            found = msgspec.json.decode(content)
            if find_repeated_key(content) is None:
                return found
        return _whole_letters(json.loads(content, parse_int=_bounded, object_pairs_hook=_object))
    except RecursionError:
        raise BadFileError("it is not JSON of a backup: it is nested too deeply") from None
    except ValueError as error:
        at = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise BadFileError(f"it is not JSON: {error}", at) from None


def _object(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """An object, with the key that stands in it twice."""
    twice = repeated_key(pairs)
    return dict(pairs) if twice is None else dict(pairs) | {_TWICE: twice}


def _refuse_twice(found: dict[Any, Any]) -> None:
    """Raise `BadPlayError` for an object that has a key twice: programs do not agree which of the two counts."""
    if _TWICE in found:
        raise BadPlayError(f"{one_line(found[_TWICE], 40)}: this key is in one object twice")


def _bounded(digits: str) -> int | str:
    return int(digits) if len(digits) <= DIGITS else digits


def _whole_letters(found: Any) -> Any:
    if isinstance(found, str):
        return found.encode(errors="replace").decode()
    if isinstance(found, list):
        return [_whole_letters(each) for each in found]
    if isinstance(found, dict):
        return {_whole_letters(name): _whole_letters(each) for name, each in found.items()}
    return found


def _play(play: Any, key: str, book: dict[str, dict[int, dict[str, Any]]]) -> IncomingPlay:
    if not isinstance(play, dict):
        raise BadPlayError("a play is a JSON object")
    _refuse_twice(play)
    if not key:
        raise BadPlayError("uuid: the play has none, so it could not be recognised the next time")
    if play.get("ignored") is True:
        raise BadPlayError("ignored: the app does not count this play")
    game, place = (_referred(book[name], play.get(field)) for name, field in REFERENCES)
    if game is None or not one_line(game.get("name")):
        raise BadPlayError("gameRefId: the file does not say what was played")
    scores = _objects(play.get("playerScores"))
    check_seats(len(scores))
    together = game.get("cooperative") is True
    return IncomingPlay(
        source=SOURCE,
        key=key,
        game=one_line(game["name"]),
        results=tuple(_result(each, book["players"]) for each in scores),
        played_at=parse_moment(_text(play.get("playDate"))),
        place=one_line(place.get("name")) if place else "",
        comment=_text(play.get("comments")),
        minutes=max(0, _whole(play.get("durationMin"))),
        bgg=_whole(game.get("bggId")) if _whole(game.get("bggId")) > 0 else None,
        together=together,
        highest_wins=game.get("highestWins") is not False,
    )


def _result(score: dict[str, Any], players: dict[int, dict[str, Any]]) -> Result:
    _refuse_twice(score)
    player = _referred(players, score.get("playerRefId"))
    if player is None:
        raise BadPlayError("playerRefId: the file does not say who played")
    points, more = _score(score.get("score"))
    rank = _whole(score.get("rank"))
    beside = (f"{name}: {_text(score.get(name))}" for name in ("team", "role") if _text(score.get(name)))
    won = score.get("winner")
    return Result(
        name=None if player.get("isAnonymous") is True else one_line(player.get("name")) or None,
        points=points,
        rank=rank if rank > 0 else None,
        won=won if isinstance(won, bool) else None,
        more=", ".join([*more, *beside]),
    )


def _by_id(found: Any) -> dict[int, dict[str, Any]]:
    """The objects of a list by number. Objects without a number, or with one that another object has, are left out."""
    known, several = dict[int, dict[str, Any]](), set[int]()
    for each in _objects(found):
        number = _number(each.get("id"))
        if number is not None and known.setdefault(number, each) != each:
            several.add(number)
    return {number: each for number, each in known.items() if number not in several}


def _referred(book: dict[int, dict[str, Any]], number: Any) -> dict[str, Any] | None:
    """The object for a number; None if there is none. Raises `BadPlayError`."""
    known = _number(number)
    found = None if known is None else book.get(known)
    if found:
        _refuse_twice(found)
    return found


def _objects(found: Any) -> list[dict[str, Any]]:
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _number(found: Any) -> int | None:
    """A whole number, or None."""
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _whole(found: Any) -> int:
    """A whole number, or 0."""
    return _number(found) or 0


def _score(found: Any) -> tuple[Fraction | None, tuple[str, ...]]:
    """The points of a score, or its text if it is not a number. Some programs write a number instead of a text."""
    if isinstance(found, int | float) and not isinstance(found, bool):
        return parse_score(str(found), "point")
    return parse_score(_text(found))


def _text(found: Any) -> str:
    return found if isinstance(found, str) else ""
