"""Plays from an XML file of BoardGameGeek, as its API gives a user's plays."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from service.exchange.incoming.plays import (
    BadFileError,
    BadPlayError,
    IncomingPlay,
    Result,
    Unreadable,
    moment_of,
    number_of,
    one_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.exchange.incoming.plays import Item

SOURCE = "bgg"


def read(content: bytes) -> Iterator[Item]:
    """The plays of a file, in its order. Entities and document types are refused. Raises `BadFileError`."""
    try:
        root = fromstring(content, forbid_dtd=True)
    except DefusedXmlException:
        raise BadFileError("XML with a document type or entities is not taken") from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise BadFileError(f"it is not XML: {error}") from None
    if root.tag != "plays":
        raise BadFileError(f"plays of BoardGameGeek begin with <plays>, not <{one_line(root.tag, 40)}>")
    for play in root.iter("play"):
        key = play.get("id", "")
        try:
            yield from _plays(play, key)
        except BadPlayError as error:
            yield Unreadable(key, error.why)


def _plays(play: Element, key: str) -> Iterator[IncomingPlay]:
    """The plays of one element: a `quantity` stands for several that were alike."""
    if not key:
        raise BadPlayError("the play has no id, so it could not be recognised the next time")
    item = play.find("item")
    name = one_line(item.get("name")) if item is not None else ""
    if item is None or not name:
        raise BadPlayError("item: the file does not say what was played")
    if play.get("incomplete") == "1":
        raise BadPlayError("incomplete: the play did not come to its end")
    quantity = _whole(play.get("quantity", "1"), "quantity")
    if not 1 <= quantity <= 100:
        raise BadPlayError(f"quantity: {quantity} is not between 1 and 100")
    first = IncomingPlay(
        source=SOURCE,
        key=key,
        game=name,
        results=tuple(_result(each) for each in play.iter("player")),
        played_at=moment_of(play.get("date", "")),
        place=one_line(play.get("location")),
        comment=play.findtext("comments") or "",
        minutes=_whole(play.get("length", "0"), "length"),
        bgg=_whole(item.get("objectid", "0"), "objectid") or None,
    )
    yield first
    for number in range(2, quantity + 1):
        yield IncomingPlay(
            **{field: getattr(first, field) for field in first.__struct_fields__} | {"key": f"{key}/{number}"}
        )


def _result(player: Element) -> Result:
    told = player.get("score", "").strip()
    points = number_of(told)
    colour = one_line(player.get("color"))
    won = player.get("win")
    return Result(
        name=one_line(player.get("name")) or one_line(player.get("username")) or None,
        points=points,
        won=won == "1" if won in {"0", "1"} else None,
        more=", ".join([*([told] if told and points is None else []), *([colour] if colour else [])]),
    )


def _whole(text: str, field: str) -> int:
    """A whole number from 0 on. Raises `BadPlayError`."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise BadPlayError(f"{field}: {text[:20]!r} is no whole number")
    return int(text)
