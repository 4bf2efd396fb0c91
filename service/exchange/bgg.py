"""Plays in the XML format of BoardGameGeek's API, for programs that read such files, including Kifu."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING
from uuid import UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, tostring

from werkzeug.wsgi import FileWrapper

from games.svg import in_xml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from projections.plays import Play, PlaySeat

_IDS = UUID("1d0d7d62-6b1f-5a55-9e0e-6a0c3f6e7b21")
"""The namespace for the numbers of plays. It never changes, so a play keeps its number."""
FIRST, BITS = 10**15, 52
"""The lowest number of a play, and the bits above it. All have 16 digits, so every language can read them."""
IN_MEMORY = 4 << 20
"""The bytes of a file that stay in memory, not on disk."""


def plays_file(plays: Iterable[tuple[Play, Mapping[str, str]]]) -> Iterator[bytes]:
    """The file of plays. Its first element has the number of plays, so it is complete before anything is sent."""
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        total = sum(file.write(tostring(_play(play, names), encoding="utf-8") + b"\n") > 0 for play, names in plays)
        file.seek(0)
        head = f'<plays username="Kifu" userid="0" total="{total}" page="1">'
        yield f'<?xml version="1.0" encoding="utf-8"?>\n{head}\n'.encode()
        yield from FileWrapper(file)
        yield b"</plays>\n"


def _play(play: Play, names: Mapping[str, str]) -> Element:
    found = _element("play", id=_number(play.game), date=play.played_at[:10], quantity=1, length=play.minutes)
    found.attrib |= {"incomplete": "0", "nowinstats": "0", "location": in_xml(play.place)}
    item = _element("item", name=play.name, objecttype="thing", objectid=play.bgg or 0)
    SubElement(SubElement(item, "subtypes"), "subtype", value="boardgame")
    comments, players = Element("comments"), Element("players")
    comments.text = in_xml(play.title)
    players.extend(_player(seat, names) for seat in play.seats)
    found.extend([item, comments, players])
    return found


def _player(seat: PlaySeat, names: Mapping[str, str]) -> Element:
    """The name of the person in a seat; empty for a guest."""
    name = names.get(seat.player, "") if seat.player else ""
    found = _element("player", username="", userid=0, name=name, startposition=seat.seat + 1, color=seat.team or "")
    found.attrib |= {"score": str(seat.points), "new": "0", "rating": "0", "win": str(int(seat.won))}
    return found


def _element(tag: str, **attributes: str | int) -> Element:
    return Element(tag, {name: in_xml(str(value)) for name, value in attributes.items()})


def _number(game: str) -> int:
    """The number of a play, made from the id of the game."""
    return FIRST + (uuid5(_IDS, game).int >> (128 - BITS))
