"""Pictures to keep: a board with the players' names in it, in the language that is spoken, as PNG, drawn with
the font that comes with the service.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol
from xml.etree import ElementTree as ET

from games import svg
from service import languages
from service.languages import ENGLISH, UNSPACED, gettext, locale, paragraph
from service.languages.plain import translated
from service.languages.sentences import localized_state
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import State, Title


class Seated(Protocol):
    """A seat of a board: its name in the ruleset, and the name of the person there."""

    @property
    def label(self) -> Title:
        """The name of the seat in the ruleset."""

    @property
    def name(self) -> str | None:
        """The name of the person, if known."""


WIDTH = 1000
"""How many pixels wide a picture is if nobody says so."""

NARROWEST, WIDEST = 64, 2000

AREA = 4_000_000
"""The most pixels of a picture: one that would have more, such as a long score sheet, is drawn less wide."""

CACHE_SIZE = 32
"""How many of the pictures that were drawn last are kept in memory: those of one moment are asked for again."""

DRAWING_TIMEOUT = 20
"""Seconds that a picture may wait for its turn, and then be drawn for."""

_turns = threading.Semaphore(2)
"""So many pictures are drawn at once: the processors are needed for other things."""

_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z0-9])")
_NUMBER = re.compile("[-+]?[0-9.]*")
_SVG = "http://www.w3.org/2000/svg"

RIGHT_TO_LEFT = "\u200f"
"""A mark without width: what stands before it, without a direction of its own, is read from the right."""
_NARROW, _CAPITAL, _WIDE = 0.62, 0.78, 1.0
"""About how wide small letters are, capitals and digits, and kanji, in lengths of the font's size."""
_WIDEST = "MWmw@%"
"""Letters as wide as kanji. So are those of Greek and Cyrillic."""

ET.register_namespace("", _SVG)


def translated_picture(state: State) -> str:
    """The picture of a board in the current language."""
    return state.picture() if locale() == ENGLISH else ET.tostring(_spoken(state), encoding="unicode")


def picture_with_names(state: State, seats: Sequence[Seated]) -> str:
    """The picture of a board with the known names of people in place of the names of seats, where there is room."""
    root = _spoken(state)
    for place in root.iter(f"{{{_SVG}}}g"):
        _name(place, seats)
    return ET.tostring(root, encoding="unicode")


def _spoken(state: State) -> ET.Element:
    root = ET.fromstring(localized_state(state).picture())  # noqa: S314 - we drew it
    if locale() != ENGLISH:
        root.set("lang", locale())
        for line in filter(_is_read, root.iter()):
            _say(line, state.ruleset.name)
    return root


def _is_read(line: ET.Element) -> bool:
    return line.tag in {f"{{{_SVG}}}{name}" for name in ("text", "title", "desc")}


def _say(line: ET.Element, ruleset: str) -> None:
    """Translate a text of a board. If it gets longer, its letters get smaller."""
    before = "".join(line.itertext())
    if _NUMBER.fullmatch(before):
        return
    widest = max(length(row) for row in line.itertext())
    after = paragraph(translated(sentence, ruleset) for sentence in _SENTENCES.split(before))
    if locale() in UNSPACED:
        after = after.replace(", ", "、")
    if after == before:
        return
    for part in list(line):
        line.remove(part)
    line.text = after
    if size := line.get("font-size"):
        line.set("font-size", f"{float(size) * min(1, widest / length(after)):.1f}")


def _name(place: ET.Element, seats: Sequence[Seated]) -> None:
    """Write the known names of people into a group, if it has room for them."""
    room, line = place.get("data-room"), place.find(f"{{{_SVG}}}text")
    if room is None or line is None:
        return
    seat = place.get("data-seat")
    text = line.text or ""
    if seat is None:
        text = people(text, seats)
    elif int(seat) < len(seats):  # a board of the past can have a seat that was taken back since
        text = seats[int(seat)].name or languages.localized(seats[int(seat)].label)
    _fit(line, text, float(room), [seat.name or languages.localized(seat.label) for seat in seats])


def _fit(line: ET.Element, text: str, room: float, names: Sequence[str]) -> None:
    """Write a text in smaller letters if it needs them, and cut it only if it does not fit then."""
    size = float(line.get("font-size", "16"))
    if (fitting := room / max(length(text), 1)) < size:
        size = max(fitting, min(size, svg.LEGIBLE))
        line.set("font-size", f"{size:.1f}")
    line.text = svg.shorten(text, names, lambda cut: length(cut) * size <= room + 0.1)
    if line.text != text and _is_right_to_left(text):
        line.text += RIGHT_TO_LEFT


def people(text: str, seats: Sequence[Seated]) -> str:
    """A text of the rules with people's names in place of the names of seats: "black is to move"."""
    known: dict[str, str | None] = {}
    for seat in seats:
        label = seat.label.en.lower()
        known |= dict.fromkeys((label, label.replace("player ", "p"), languages.localized(seat.label)), seat.name)
    labels = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(map(re.escape, known))})(?![A-Za-z0-9])", re.IGNORECASE)
    return labels.sub(lambda found: known[found[0].lower()] or found[0], text)


def shorten_to(text: str, room: float) -> str:
    """The part of a text that fits into `room`, which counts in font sizes.

    The dots follow it in its reading direction.
    """
    if length(text) <= room:
        return text
    while text and length(text) + _WIDE > room:
        text = text[:-1]
    return text.rstrip() + ("…" + RIGHT_TO_LEFT if _is_right_to_left(text) else "…")


def _is_right_to_left(text: str) -> bool:
    """Whether a text is read from the right, as its first letter with a direction says."""
    directions = map(unicodedata.bidirectional, text)
    return next((each for each in directions if each in {"L", "R", "AL"}), "L") != "L"


def length(text: str) -> float:
    """The approximate length of a text, in font sizes."""
    return sum(map(_width, text))


def _width(letter: str) -> float:
    """The approximate width of a letter, in font sizes. A combining mark has none."""
    if unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    if letter in _WIDEST or unicodedata.east_asian_width(letter) in "WFA":
        return _WIDE
    return _CAPITAL if letter.isupper() or letter.isdigit() else _NARROW


def height_per_width(picture: str) -> float:
    """How many times as high as wide an SVG document is."""
    size = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', picture)
    return float(size[2]) / float(size[1]) if size else 1


@lru_cache(CACHE_SIZE)
def png(picture: str, width: int = WIDTH) -> bytes:
    """An SVG document as PNG of this width in pixels, or smaller if it had more than `AREA` pixels.

    It is drawn by a process of its own: the library lets nothing else run beside it, and it can be stopped. Raises
    `overloaded` where that takes too long.
    """
    width = min(width, int((AREA / height_per_width(picture)) ** 0.5))
    if not _turns.acquire(timeout=DRAWING_TIMEOUT):
        raise _too_busy()
    try:
        command = [sys.executable, "-I", "-m", "service.drawing.painter", str(width)]
        drawn = subprocess.run(
            command, input=picture.encode(), stdout=subprocess.PIPE, timeout=DRAWING_TIMEOUT, check=True
        )
    except subprocess.TimeoutExpired:
        raise _too_busy() from None
    finally:
        _turns.release()
    return drawn.stdout


def _too_busy() -> ProblemError:
    late = ProblemError("overloaded", gettext("too many pictures are being drawn; try again later"))
    late.headers["Retry-After"] = str(DRAWING_TIMEOUT)
    return late
