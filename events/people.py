"""The names of people. They are not part of a record, so that a name can be erased for good."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from functools import lru_cache
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple, Protocol
from zlib import crc32

from events import limits
from events.folding import normalized, same_name, search_form
from events.merges import Merge, Merges, damaged
from events.rows import uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    NameRow = tuple[bytes, bytes, int | None]
    """A row about a person: the id, the name in UTF-8 and the checksum."""

JOINERS = "\u200c\u200d"
"""Invisible characters that join letters or keep them apart. Names in many scripts need them."""
_WITHOUT_JOINERS = str.maketrans("", "", JOINERS)

_BLANKS = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
"""Blanks of any width, among them the one of Japanese keyboards."""

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159]")
"""Letters and signs that show nothing: a name with one looks like another name, or like none."""

_ALPHABETS = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "COPTIC", "CHEROKEE"})
"""Alphabets with letters that look like those of another one. No word is written in two of them."""

_TWINS = str.maketrans(
    "АВЕЅЗІЈКМНОРСТХҮԚԜаеіјорсухѕԁԛԝһԍ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ" + "օոսհ",
    "ABES3IJKMHOPCTXYQWaeijopcyxsdqwhg" + "ABEZHIKMNOPTYXovp" + "onuh",
)
"""Cyrillic, Greek and Armenian letters that look like Latin ones."""

UNKNOWN = "?"
"""Stands in texts for a person without a known name."""

ERASED = ""
"""The stored form of an erased name; no name is empty."""


PROVED = 1 << 14
"""Rows with names that a process remembers: bytes that were proved once need no second proof."""


def name_sum(person: bytes, name: bytes) -> int:
    """The checksum of a name in UTF-8 and the id that it belongs to.

    It is `checksum([person, name])` in less time.
    """
    return crc32(b"(%a, %a)" % (person, name))


def readable_names(rows: Iterable[NameRow]) -> Iterator[tuple[str, str]]:
    """The ids and names in rows, without damaged ones.

    A name of a release without checksums is believed.
    """
    return filter(None, starmap(proved_name, rows))


@lru_cache(maxsize=PROVED)
def proved_name(person: bytes, name: bytes, kept: int | None) -> tuple[str, str] | None:
    """The id and the name of a sound row: text that fits its checksum, if it has one. None for a damaged row."""
    try:
        return (uuid_text(person), name.decode()) if kept in {None, name_sum(person, name)} else None
    except UnicodeDecodeError:
        return None


class NameRecord(NamedTuple):
    """What is kept about somebody: a name, or nothing if it was erased. An older release kept no checksum.

    A record that goes to another log keeps its checksum, so a damaged name is damaged there, too.
    """

    person: str
    name: str
    checksum: int | None = None


class BadNameError(ValueError):
    """A name that cannot be kept: empty, too long, the sign for nobody, or with control characters."""


class People(Protocol):
    """Names by player id. Events hold only ids.

    A person can have several ids: an id that was merged into another one has that one's name.
    """

    def put(self, person: str, name: str) -> None:
        """Set the name of an id. Raises `BadNameError`, `LogFullError`."""

    def name(self, person: str) -> str | None:
        """The person's name; None for somebody unknown or erased."""

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """The names of several people; those without one are left out."""

    def recorded_names(self, people: Iterable[str]) -> dict[str, str]:
        """The names that were entered for exactly these ids, before any merge. A damaged one is left out."""

    def named_ids(self, people: Iterable[str]) -> set[str]:
        """The ids among these that have a name, sound or damaged. An erased name does not count."""

    def find(self, text: str) -> list[str]:
        """The ids of all people with `text` in their name, sorted by name. Case, accents and width do not count.

        Merged people are found by each of their names, and returned with the id that counts.
        """

    def ids_named(self, text: str) -> list[str]:
        """The ids of all people with the name `text`, compared as `find` does."""

    def all(self) -> dict[str, str]:
        """Every name, by the id that it was entered with, in the order of the names. Damaged ones are left out."""

    def all_records(self) -> list[NameRecord]:
        """All stored rows about people, in the order of the ids."""

    def unreadable(self) -> list[str]:
        """The ids with damaged names. A name without a checksum, of an older release, counts as sound."""

    def merge_records(self) -> list[Merge]:
        """Every record of a merge, also a damaged one, in the order of their numbers."""

    def damaged_merges(self) -> list[int]:
        """The numbers of missing records of merges, and of damaged ones that no later record has replaced."""

    def restore(self, kept: Iterable[NameRecord], merges: Iterable[Merge] = ()) -> None:
        """Keep everything that another log has kept. This log must have the first of its merge records, or none.

        Raises `LogFullError`.
        """

    def erased_among(self, people: Iterable[str]) -> set[str]:
        """The ids with an erased name. The erasure is kept, so that no name comes back by accident."""

    def erase(self, person: str) -> bool:
        """Remove all names of a person so that no byte is left in any file of the log; False if there was none.

        A database server keeps old bytes until it vacuums and recycles its own log. It is asked to vacuum at once.
        Raises `LogBusyError` if the bytes must stay until a long read has ended.
        """

    def merges(self) -> Merges:
        """The merges of people."""

    def merge(self, person: str, kept: str, *, by: str) -> bool:
        """Merge a person into `kept`: that id counts from now on. False if they were merged already.

        Raises `BadMergeError`.
        """

    def split(self, person: str, *, by: str) -> bool:
        """Undo the merge of a person; False if they are not merged."""


class KnownPeople(ABC):
    """The readable facts about people, from any store. Safe to share between threads."""

    def __init__(self) -> None:
        self._merges = Merges()

    def name(self, person: str) -> str | None:
        """The person's name; None for somebody unknown or erased."""
        return self.names([person]).get(person)

    def names(self, people: Iterable[str]) -> dict[str, str]:
        """The names of several people; those without one are left out."""
        merges = self.merges()
        ends = {person: merges.final_id(person) for person in people}
        found = self.recorded_names(set(ends.values()))
        return {person: found[end] for person, end in ends.items() if end in found}

    def find(self, text: str) -> list[str]:
        """The ids of all people with `text` in their name, sorted by name. Case, accents and width do not count."""
        part, merges, called = search_form(text), self.merges(), self.all()
        found = {merges.final_id(person) for person, name in called.items() if part in search_form(name)}
        return [person for person in called if person in found] + sorted(found - called.keys())

    def ids_named(self, text: str) -> list[str]:
        """The ids of all people with the name `text`, compared as `find` does."""
        merges, name = self.merges(), same_name(text)
        return sorted({merges.final_id(person) for person, called in self.all().items() if search_form(called) == name})

    def erased_among(self, people: Iterable[str]) -> set[str]:
        """The ids with an erased name. The erasure is kept, so that no name comes back by accident."""
        merges = self.merges()
        ends = {person: merges.final_id(person) for person in people}
        gone = self._erased({*ends, *ends.values()})
        return {person for person, end in ends.items() if person in gone or end in gone}

    def merges(self) -> Merges:
        """The merges of people."""
        if self._merges.number != self._last_merge():
            self._merges = Merges(self.merge_records())
        return self._merges

    def damaged_merges(self) -> list[int]:
        """The numbers of missing records of merges, and of damaged ones that no later record has replaced."""
        return damaged(self.merge_records())

    def recorded_names(self, people: Iterable[str]) -> dict[str, str]:
        """The names that were entered for exactly these ids, before any merge. A damaged one is left out."""
        wanted = list(people)
        found = dict(readable_names(row for row in self._rows(wanted) if row[1]))
        return {person: found[person] for person in wanted if person in found}

    def named_ids(self, people: Iterable[str]) -> set[str]:
        """The ids among these that have a name, sound or damaged. An erased name does not count."""
        return {uuid_text(key) for key, name, _ in self._rows(people) if name}

    def _erased(self, people: set[str]) -> set[str]:
        return {uuid_text(key) for key, name, _ in self._rows(people) if not name}

    @abstractmethod
    def _rows(self, people: Iterable[str]) -> Sequence[NameRow]:
        """The rows of these people. An erased name is empty."""

    @abstractmethod
    def all(self) -> dict[str, str]:
        """See `People.all`."""

    @abstractmethod
    def unreadable(self) -> list[str]:
        """See `People.unreadable`."""

    @abstractmethod
    def _last_merge(self) -> int:
        """The number of the last record of a merge, 0 if there is none."""

    @abstractmethod
    def merge_records(self) -> list[Merge]:
        """Every record of a merge, also a damaged one, in the order of their numbers."""


class WritablePeople(KnownPeople):
    """People in a store that can be written."""

    def put(self, person: str, name: str) -> None:
        """Set the name of a person. Raises `BadNameError`, `LogFullError`."""
        if not is_uuid(person):
            raise ValueError(f"{person!r} is no UUID in lower-case canonical form")
        self.restore([NameRecord(person, checked_name(name))])

    def merge(self, person: str, kept: str, *, by: str) -> bool:
        """Merge a person into `kept`: that id counts from now on. False if they were merged already.

        Raises `BadMergeError`.
        """
        return self._record(person, kept, by, lambda merges: merges.check(person, kept))

    def split(self, person: str, *, by: str) -> bool:
        """Undo the merge of a person; False if they are not merged."""
        return self._record(person, None, by, lambda merges: merges.find(person) is not None)

    @abstractmethod
    def restore(self, kept: Iterable[NameRecord], merges: Iterable[Merge] = ()) -> None:
        """See `People.restore`."""

    @abstractmethod
    def _record(self, person: str, kept: str | None, by: str, changes: Callable[[Merges], bool]) -> bool:
        """Record a merge if it `changes` what is recorded; whether it did. Nobody else records one meanwhile."""


def checked_name(name: str) -> str:
    """The name as it is kept: composed, without outer blanks, and with one kind of blank. Raises `BadNameError`."""
    name = _BLANKS.sub(" ", unicodedata.normalize("NFC", name).strip())
    seen = name.translate(_WITHOUT_JOINERS)
    if not is_visible(seen):
        raise BadNameError("a name needs at least one character")
    if len(name) > limits.NAME:
        raise BadNameError(f"a name has at most {limits.NAME} characters, not {len(name)}")
    if name == UNKNOWN:
        raise BadNameError(f"{UNKNOWN} cannot be a name: it stands for an unknown name")
    if not seen.isprintable():
        raise BadNameError("a name holds no control characters")
    if unseen := _UNSEEN.search(name):
        raise BadNameError(f"a name cannot have invisible characters, such as U+{ord(unseen[0]):04X}")
    if unicodedata.category(seen[0]).startswith("M"):
        raise BadNameError("a name cannot begin with a mark that belongs to a letter before it")
    return name


def is_visible(text: str) -> bool:
    """Whether a text shows anything: more than blanks, marks and invisible characters."""
    left = _UNSEEN.sub("", text)
    return any(unicodedata.category(sign)[0] not in "ZMC" for sign in left)


def refuse_lookalike(name: str, known: Iterable[str]) -> None:
    """Check that a new name does not look like a `known` one. Raises `BadNameError`."""
    for word in re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", name)):
        alphabets = {unicodedata.name(letter, "").partition(" ")[0] for letter in word} & _ALPHABETS
        if len(alphabets) > 1:
            which = " and ".join(alphabet.capitalize() for alphabet in sorted(alphabets))
            raise BadNameError(f"{word} mixes letters of two alphabets that look alike: {which}")
    look, plain = _look(name), name.isascii()
    for other in known:
        if not (plain and other.isascii()) and _look(other) == look and normalized(other) != normalized(name):
            raise BadNameError(f"{name} looks like {other}, who is known here, in letters of another alphabet")


def _look(name: str) -> str:
    """The name with letters that look alike replaced by one of them."""
    return normalized(unicodedata.normalize("NFKC", name).translate(_TWINS))
