"""A play as a tracker tells it, from any kind of file."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import msgspec

from events import limits
from events.people import JOINERS
from games.scoresheet.template import DECIMALS, MOST
from service.exchange.incoming.numbers import guessed_decimal, number_in, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from service.exchange.incoming.numbers import Decimal

DIGITS = 9
"""The most digits of a whole number."""

LONGEST = 200
"""Characters of a name or a place that are taken."""

MOST_PLAYS = 100_000
"""Plays of a file. A backup of many years has some tens of thousands."""

LARGEST = 64 << 20
"""Bytes of a file of plays: it is read as a whole, and takes several times as much memory."""

MOST_PARTS = 5_000_000
"""Fields of a JSON file, or elements of an XML file. Each takes up to a hundred bytes of memory, however short it is.
"""

LONGEST_KEY = 420
"""Characters of what a play is known by."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""A character that no note can hold."""

_RANK = re.compile(r"#?([0-9]{1,4})(?:\.|st|nd|rd|th|er|re|eme|e|o|a|位|着)?", re.IGNORECASE)


class BadPlayError(Exception):
    """A play of a file cannot be read. `why` says what is wrong, and in which field."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class BadFileError(Exception):
    """A file cannot be read as what it is said to be."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a play says of one person.

    Nothing is known of what is None. `name` is None for a guest. `rank` 1 is the best. `more` is what has no place on
    a sheet: a team, a role, a score that is not a number.
    """

    name: str | None = None
    points: Fraction | None = None
    rank: int | None = None
    won: bool | None = None
    more: str = ""


class IncomingPlay(msgspec.Struct, frozen=True, kw_only=True):
    """One play of a file.

    `source` is the kind of file, and `key` what the play is known by there: both stay the same in every later file.
    `game` is what was played. `played_at` is ISO 8601, None if no day is told. `bgg` is the number at BoardGameGeek.
    Nobody wins a play that does not `count`.
    """

    source: str
    key: str
    game: str
    results: tuple[Result, ...]
    played_at: str | None = None
    place: str = ""
    comment: str = ""
    minutes: int = 0
    bgg: int | None = None
    together: bool = False
    highest_wins: bool = True
    counts: bool = True


class Unreadable(msgspec.Struct, frozen=True):
    """A play of a file that cannot be taken in: what it is known by, if that can be read, and why."""

    key: str
    why: str


Item = IncomingPlay | Unreadable


class Unread(NamedTuple):
    """A play of a file that is not read yet: what it is known by, and what reads it."""

    key: str
    read: Callable[[], IncomingPlay]

    def item(self) -> Item:
        """The play that is read, or why it cannot be."""
        key = self.key
        if len(key) > LONGEST_KEY:
            return Unreadable(f"{key[:40]}…", f"id: it has {len(key):,} characters, and {LONGEST_KEY} are taken")
        if _CONTROL.search(key):
            return Unreadable(one_line(key, LONGEST_KEY), "id: it has a character that cannot be printed")
        try:
            return self.read()
        except BadPlayError as error:
            return Unreadable(key, error.why)


def check_seats(count: int) -> None:
    """See that a game can have so many players. Raises `BadPlayError`."""
    if count > limits.SEATS:
        raise BadPlayError(f"players: a game has {limits.SEATS} seats at most, not {count}")


def each_once(plays: Iterable[Unread]) -> Iterator[Unread]:
    """The plays, of several with the same key the first alone: a second one would correct it at every import.

    Raises `BadFileError` for too many.
    """
    seen = set[str]()
    for number, play in enumerate(plays):
        if number == MOST_PLAYS:
            raise BadFileError(f"it has more than {MOST_PLAYS:,} plays; import it in several files")
        yield Unread(play.key, _refuse_repeated) if play.key and play.key in seen else play
        seen.add(play.key)


def _refuse_repeated() -> NoReturn:
    raise BadPlayError("this play stands in the file twice, with the same id")


def refuse_too_many_parts(content: bytes, sign: bytes) -> None:
    """Raise `BadFileError` for a file with more parts than memory is for. Each has the sign."""
    if (count := content.count(sign)) > MOST_PARTS:
        raise BadFileError(f"it has {count:,} parts; {MOST_PARTS:,} are taken at most. Import it in several files")


def number_of(text: str, decimal: Decimal | None = None) -> Fraction | None:
    """The points that a text tells; None if it is no number. `decimal` is guessed if None."""
    value = number_in(text, decimal or guessed_decimal([text])) if len(text) <= LONGEST else None
    fits = value is not None and abs(value) <= MOST and (value * 10**DECIMALS).denominator == 1
    return value if fits else None


def score_of(told: str, decimal: Decimal | None = None) -> tuple[Fraction | None, tuple[str, ...]]:
    """The points that a score tells, and the score itself if it is not a number."""
    points = number_of(told, decimal)
    return points, (told,) if told and points is None else ()


def rank_of(told: str) -> tuple[int | None, tuple[str, ...]]:
    """The place that a text tells, as 1, 2. or 3rd, and the text itself if it tells none."""
    found = _RANK.fullmatch(plain(told)) if len(told) <= LONGEST else None
    rank = int(found[1]) if found else 0
    return rank or None, (told,) if told and not found else ()


def whole_of(text: str) -> int | None:
    """The whole number, from 0 on, that a text tells; None if it is none, or too long for any use."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS else None


def one_line(text: object, longest: int = LONGEST) -> str:
    """A text in one line, without characters that cannot be printed. What joins letters stays between them."""
    begun = str(text or "")[: 50 * longest]  # blanks are taken out of it
    kept = "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in begun)
    words = (word.strip(JOINERS) for word in kept.split())
    return " ".join(filter(None, words))[:longest].strip(JOINERS)
