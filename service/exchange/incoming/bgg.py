"""Plays from an XML file in the format of BoardGameGeek's API."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from service.exchange.incoming.days import parse_moment
from service.exchange.incoming.encodings import is_utf8
from service.exchange.incoming.plays import (
    BadFileError,
    BadPlayError,
    IncomingPlay,
    Result,
    Unreadable,
    UnreadPlay,
    check_seats,
    one_line,
    parse_score,
    parse_whole,
    refuse_too_many_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


SOURCE = "bgg"

PLAYS, PLAY = "plays", "play"
"""The root of such a file, and its elements."""

REGISTER = "https://boardgamegeek.com/using_the_xml_api"
"""Where people get a token for the API."""

ALIKE = 100
"""The highest `quantity` of one element. A higher one is a mistake."""


def read(content: bytes) -> Iterator[UnreadPlay]:
    """The plays of a file, in their order. Entities and document types are refused. Raises `BadFileError`."""
    root = root_of(content)
    if root.tag != PLAYS:
        raise BadFileError(f"plays of BoardGameGeek begin with <plays>, not <{one_line(root.tag, 40)}>")
    for play in root.iterfind(PLAY):
        key = play.get("id", "")
        first = UnreadPlay(key, partial(_play, play, key))
        yield first
        if play.get("quantity") not in {None, "", "1"} and not isinstance(first.item(), Unreadable):
            for number in range(2, _quantity(play) + 1):
                own = f"{key}/{number}"
                yield UnreadPlay(own, partial(_play, play, own))


def root_of(content: bytes) -> Element:
    """The root of a file of XML. Entities and document types are refused. Raises `BadFileError`."""
    refuse_too_many_parts(content, b"<")
    try:
        root: Element = fromstring(_in_utf8(content), forbid_dtd=True)
    except DefusedXmlException:
        raise BadFileError("XML with a document type or entities is not accepted") from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        line = error.position[0] if isinstance(error, ParseError) else None
        raise BadFileError(f"it is not XML: {error}", line) from None
    return root


_ENCODED = re.compile(
    rb"""<\?xml[^>]{1,80}encoding=["'](?:(?P<japanese>shift[_-]jis|sjis|cp932|windows-31j|(?P<euc>euc-jp))|[^"']{1,40})["']"""
    rb"""[^>]{0,40}\?>""",
    re.IGNORECASE,
)
"""The beginning of an XML file that says its encoding.

If these bytes match, the file is not in UTF-16, even if it says so: a program converted it.
"""


def _in_utf8(content: bytes) -> bytes:
    """The file in an encoding known to the parser. Raises `ValueError`.

    What can be read as UTF-8 is in UTF-8, even if it says something else. Japanese encodings are tried first, because
    single letters of them can be read as UTF-8, too.
    """
    content = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    said = _ENCODED.match(content)
    if not said:
        return content
    rest = content[said.end() :]
    if said["japanese"] and not rest.isascii():
        with suppress(UnicodeDecodeError):
            return rest.decode("euc-jp" if said["euc"] else "cp932").encode()
    return rest if is_utf8(rest) else content


def _play(play: Element, key: str) -> IncomingPlay:
    """The play of an element. A `quantity` means several identical plays."""
    if not key:
        raise BadPlayError("the play has no id, so it could not be recognised the next time")
    item = play.find("item")
    name = one_line(item.get("name")) if item is not None else ""
    if item is None or not name:
        raise BadPlayError("item: the file does not say what was played")
    if play.get("incomplete") == "1":
        raise BadPlayError("incomplete: the play did not come to its end")
    _quantity(play)
    players = play.findall("players/player")
    check_seats(len(players))
    return IncomingPlay(
        source=SOURCE,
        key=key,
        game=name,
        results=tuple(map(_result, players)),
        played_at=parse_moment(play.get("date", "")),
        place=one_line(play.get("location")),
        comment=play.findtext("comments") or "",
        minutes=_whole(play.get("length") or "0", "length"),
        bgg=_whole(item.get("objectid") or "0", "objectid") or None,
        counts=play.get("nowinstats") != "1",
    )


def _quantity(play: Element) -> int:
    """The number of plays of an element. Raises `BadPlayError`."""
    quantity = _whole(play.get("quantity") or "1", "quantity")
    if not 1 <= quantity <= ALIKE:
        raise BadPlayError(f"quantity: {quantity} is not between 1 and 100")
    return quantity


def _result(player: Element) -> Result:
    points, more = parse_score(player.get("score", "").strip())
    colour = one_line(player.get("color"))
    won = player.get("win")
    return Result(
        name=one_line(player.get("name")) or one_line(player.get("username")) or None,
        points=points,
        won=won == "1" if won in {"0", "1"} else None,
        more=", ".join([*more, *([colour] if colour else [])]),
    )


def _whole(text: str, field: str) -> int:
    """A whole number of at least 0. Raises `BadPlayError`."""
    number = parse_whole(text)
    if number is None:
        raise BadPlayError(f"{field}: {text[:20]!r} is not a whole number")
    return number
