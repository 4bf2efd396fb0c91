"""The parts of all pictures, as SVG: the document, texts, boxes and discs.

Lengths are in the picture's own coordinates: each picture is 1000 wide.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal
from xml.sax import saxutils

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WIDTH = 1000
"""The width of every picture."""
LEGIBLE = 24
"""The least size of a name's letters, for reading on a phone."""
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FONTS = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"


def in_xml(text: str) -> str:
    """A text with U+FFFD in place of each character that XML does not allow, such as U+FFFE."""
    return _NOT_IN_XML.sub("\ufffd", text)


def escape(text: str) -> str:
    """A text escaped for XML."""
    return saxutils.escape(in_xml(text))


def document(
    title: str, description: str, height: int, ground: str, parts: Iterable[str], least: int = 0, *, whole: bool = False
) -> str:
    """The whole picture on its ground, without anything outside it, and in words for those who cannot see it.

    It says whether the ground is light: a page in dark colours inverts a light picture. `least` is the smallest width
    in pixels at which its letters can be read and its pieces tapped; in a narrower page it scrolls. A `whole` picture
    is scaled down to fit the page, but not below `least`.
    """
    room = (f' data-least="{least}"' if least else "") + (' data-whole=""' if whole else "")
    light = sum(int(ground[at : at + 2], 16) for at in (1, 3, 5)) > 3 * 0x80
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'data-ground="{"light" if light else "dark"}"{room} font-family="{_FONTS}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        f'<rect width="{WIDTH}" height="{height}" rx="24" fill="{ground}"/>{"".join(parts)}</svg>'
    )


def group(at: str | None = None, means: str | None = None, types: str | None = None, blank: int | None = None) -> str:
    """The beginning of a group, with its name for moves and effects, if it has one.

    After a tap on the group, a page finds the legal moves that it `means`: those with these fields (`type=take
    card=BARI`), or with the first of several alternatives that match (`type=put place=3|type=turn place=3`). Fields
    have their names in the move's data. In a move with open values, the group fills the one numbered `blank`. If
    no such move is legal, the page types the group's `types`, else its name.
    """
    said = {"at": at, "means": means, "types": types, "blank": None if blank is None else str(blank)}
    return f"<g{''.join(f' data-{name}={saxutils.quoteattr(in_xml(text))}' for name, text in said.items() if text)}>"


def current(drawn: Iterable[str]) -> str:
    """Mark the part of the picture that the next move is about. A page that shows only a part shows this one."""
    return f'<g data-now="">{"".join(drawn)}</g>'


def player_name(seat: int, room: float, drawn: str) -> str:
    """A text for a player, such as a number. A page that knows the player's name writes it there."""
    return f'<g data-seat="{seat}" data-room="{room:.0f}">{drawn}</g>'


def shorten(name: str, others: Iterable[str], fits: Callable[[str], bool]) -> str:
    """A name, cut to what `fits`.

    Where another name begins in the same way, its end stays, too: "Pl…2" and "Pl…12" for two players by number.
    """
    if fits(name):
        return name
    heads = [name[:length] for length in range(len(name) - 1, 0, -1)]
    head = next((head for head in heads if fits(f"{head.rstrip()}…")), name[:1])
    rivals = [other for other in others if other != name and other.startswith(head.rstrip())]
    if rivals:
        number = len(name) - len(name.rstrip("0123456789"))
        ends = (name[-length:] for length in range(max(1, number), len(name)))
        end = next((end for end in ends if not any(rival.endswith(end) for rival in rivals)), "")
        both = (f"{head.rstrip()}…{end.lstrip()}" for head in heads[len(end) :])
        return next(filter(fits, both), f"{name[:1]}…{end.lstrip()}")
    return f"{head.rstrip()}…"


def text_with_players(room: float, drawn: str) -> str:
    """A text that may mention players. A page that knows their names puts them in, if there is room."""
    return f'<g data-room="{room:.0f}">{drawn}</g>'


def text(
    x: float, y: int, words: str, size: int, fill: str, *, bold: bool = False, anchor: Literal["middle", "end", ""] = ""
) -> str:
    """A line of text on the base line `y`.

    It begins at `x`, unless another anchor is given; nothing if there are no words.
    """
    if not words:
        return ""
    weight = ' font-weight="700"' if bold else ""
    place = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:.0f}" y="{y}" font-size="{size}" fill="{fill}"{weight}{place}>{escape(words)}</text>'


def lines(x: float, y: int, words: Sequence[str], size: int, fill: str, *, bold: bool = True, leading: int = 30) -> str:
    """Lines of words, the first on the base line `y`. They are one text for readers and translators."""
    rows = [f'<tspan x="{x:.0f}" y="{y + leading * row}">{escape(word)}</tspan>' for row, word in enumerate(words)]
    weight, blank = ' font-weight="700"' if bold else "", '<tspan font-size="0"> </tspan>'
    return (
        f'<text x="{x:.0f}" y="{y}" font-size="{size}" fill="{fill}"{weight} text-anchor="middle">'
        f"{blank.join(rows)}</text>"
    )


def box(x: int, y: int, width: int, height: int, radius: int, fill: str, edge: tuple[str, int] | None = None) -> str:
    """A box with round corners. `edge` is the colour and the thickness of the line around it."""
    stroke = f' stroke="{edge[0]}" stroke-width="{edge[1]}"' if edge else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{fill}"{stroke}/>'


def disc(x: int, y: int, radius: int, fill: str, edge: str) -> str:
    """A disc with a line of this colour around it: a stone, a chip, the mark of a seat."""
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{edge}" stroke-width="3"/>'


def polygon(x: int, y: int, radius: float, corners: int, turned: float, fill: str, edge: str) -> str:
    """A regular polygon with a line around it; its first corner is `turned` degrees clockwise from the top."""
    angles = (math.radians(turned - 90 + 360 * corner / corners) for corner in range(corners))
    points = " ".join(f"{x + radius * math.cos(angle):.1f},{y + radius * math.sin(angle):.1f}" for angle in angles)
    return f'<polygon points="{points}" fill="{fill}" stroke="{edge}" stroke-width="3" stroke-linejoin="round"/>'
