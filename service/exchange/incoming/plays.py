"""A play as imported from a tracker, independent of the kind of file."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import msgspec

from events import limits
from events.people import JOINERS
from games.scoresheet.template import DECIMALS, MOST
from service.exchange.incoming.numbers import guessed_decimal, parse_number, with_common_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from service.exchange.incoming.numbers import Decimal

DIGITS = 9
"""The most digits of a whole number."""

LONGEST = 200
"""The most characters of a name or a place; the rest is cut off."""

MOST_PLAYS = 100_000
"""The most plays of a file. A backup of many years has tens of thousands."""

LARGEST = 64 << 20
"""The most bytes of a file. It is read completely, and takes several times as much memory."""

MOST_PARTS = 5_000_000
"""The most fields of a JSON file, or elements of an XML file. Each takes up to a hundred bytes of memory."""

LONGEST_KEY = 420
"""The most characters of the key of a play."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""A character that notes cannot contain."""

_RANK = re.compile(r"#?([0-9]{1,4})(?:\.|st|nd|rd|th|er|re|eme|e|o|a|位|着)?", re.IGNORECASE)


class BadPlayError(Exception):
    """A play of a file cannot be read. `why` has the reason and the field."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class BadFileError(Exception):
    """A file cannot be read in its format. `members` has the `line` with the error, if one is to blame."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.members = {} if line is None else {"line": line}


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one person in a play.

    None means unknown. `name` is None for a guest. `rank` 1 is the best. `more` has values without a place on a
    score sheet: a team, a role, a score that is not a number.
    """

    name: str | None = None
    points: Fraction | None = None
    rank: int | None = None
    won: bool | None = None
    more: str = ""


class IncomingPlay(msgspec.Struct, frozen=True, kw_only=True):
    """One play of a file.

    `source` is the kind of file, and `key` identifies the play there: both stay the same in every later file.
    `game` is the name of the game. `played_at` is ISO 8601, or None without a day. `bgg` is the BoardGameGeek number.
    A play that does not `count` has no winner.
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
    """A play of a file that cannot be imported: its key if readable, and the reason."""

    key: str
    why: str


Item = IncomingPlay | Unreadable


class UnreadPlay(NamedTuple):
    """A play of a file that is not parsed yet: its key, and the parser."""

    key: str
    read: Callable[[], IncomingPlay]

    def item(self) -> Item:
        """Parse the play, or return why it is not possible."""
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
    """Check that a game can have this number of players. Raises `BadPlayError`."""
    if count > limits.SEATS:
        raise BadPlayError(f"players: a game has {limits.SEATS} seats at most, not {count}")


def without_repeats(plays: Iterable[UnreadPlay]) -> Iterator[UnreadPlay]:
    """The plays, without repeated keys: a second play with the same key would change the first at every import.

    Raises `BadFileError` for too many plays.
    """
    seen = set[str]()
    for number, play in enumerate(plays):
        if number == MOST_PLAYS:
            raise BadFileError(f"it has more than {MOST_PLAYS:,} plays; import it in several files")
        yield UnreadPlay(play.key, _refuse_repeated) if play.key and play.key in seen else play
        seen.add(play.key)


def _refuse_repeated() -> NoReturn:
    raise BadPlayError("this play is in the file twice, with the same id")


def refuse_too_many_parts(content: bytes, sign: bytes) -> None:
    """Raise `BadFileError` for a file with too many parts for the memory. Every part contains `sign`."""
    if (count := content.count(sign)) > MOST_PARTS:
        raise BadFileError(f"it has {count:,} parts; {MOST_PARTS:,} are taken at most. Import it in several files")


def parse_points(text: str, decimal: Decimal | None = None) -> Fraction | None:
    """The points in a text; None if it is not a number. `decimal` is guessed if None."""
    value = parse_number(text, decimal or guessed_decimal([text])) if len(text) <= LONGEST else None
    fits = value is not None and abs(value) <= MOST and (value * 10**DECIMALS).denominator == 1
    return value if fits else None


def parse_score(told: str, decimal: Decimal | None = None) -> tuple[Fraction | None, tuple[str, ...]]:
    """The points of a score, or its text if it is not a number."""
    points = parse_points(told, decimal)
    return points, (told,) if told and points is None else ()


def parse_rank(told: str) -> tuple[int | None, tuple[str, ...]]:
    """The place in a text such as 1, 2. or 3rd, or the text itself if it is not a place."""
    found = _RANK.fullmatch(with_common_signs(told)) if len(told) <= LONGEST else None
    rank = int(found[1]) if found else 0
    return rank or None, (told,) if told and not found else ()


def parse_whole(text: str) -> int | None:
    """The whole number, from 0 on, in a text; None for another text, or too many digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS else None


def one_line(text: object, longest: int = LONGEST) -> str:
    """A text in one line, without unprintable characters. Characters that join letters stay between them."""
    begun = str(text or "")[: 50 * longest]  # blanks are taken out of it
    kept = "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in begun)
    words = (word.strip(JOINERS) for word in kept.split())
    return " ".join(filter(None, words))[:longest].strip(JOINERS)
