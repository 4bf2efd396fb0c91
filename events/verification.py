"""Proof of histories: the faults of a chain, entry by entry, and of an exported file, line by line."""

from __future__ import annotations

from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from events import signing
from events.canonical import GENESIS, canonical, digest
from events.erasures import ErasureCheck
from events.errors import DamagedError, LogNewerError, UnreadableError
from events.event import now_ms, timestamp
from events.kinds import FOUNDINGS, MIXED, OPENINGS, opening_of
from events.ndjson import BrokenLineError, BrokenSealError, WrittenGame, header_in, parse_event, parse_header
from events.rows import decode_unchecked
from events.schemas import SCHEMAS
from events.seals import BadSealsError
from events.signing import BadSignatureError
from events.types import RECORD_SIGNED, RecordSigned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from events.event import Event
    from events.ndjson import Header
    from events.rows import Row

    Look = Callable[["Report", WrittenGame], "Report"]

Kind = Literal[
    "edited",
    "swapped",
    "deleted",
    "truncated",
    "reordered",
    "doubled",
    "rewritten",
    "unsealed",
    "backdated",
    "postdated",
    "misflagged",
    "unerased",
    "unrecorded",
    "missigned",
    "unreadable",
    "unreplayable",
]

PROGRESS_STEP = 1000
"""Events between two words of progress."""

CLOCKS_DIFFER = 86_400_000
"""Milliseconds that a time in a file may be after this machine's clock. Entries after it get no earlier time."""

_PAIRED = 64
"""How many entries that do not fit are looked at for having changed places."""


class Problem(msgspec.Struct, frozen=True):
    """One fault: which entry, and what was done to it. `line` counts from 1 in an exported file."""

    kind: Kind
    why: str
    game: str | None = None
    version: int | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = [f"line {self.line}"] if self.line else []
        place += [f"game {self.game}"] if self.game else []
        place += [f"version {self.version}"] if self.version else []
        return ", ".join([*place, self.kind]) + f": {self.why}"


class SealCounts(msgspec.Struct, frozen=True):
    """The numbers of open seals, of erased seals, and of other closed seals."""

    open: int = 0
    erased: int = 0
    shut: int = 0


class FoundSignature(msgspec.Struct, frozen=True):
    """A sound signature: its entry, the last entry that it signs, the seat, and the fingerprint of its key."""

    game: str
    version: int
    signs: int
    seat: int | None
    key: str


class Report(msgspec.Struct, frozen=True):
    """The scope and the findings of a verification.

    `bare_erasures` counts the erased parts that no entry tells of: they were erased before erasures were entries.
    `seals` and `signatures` are those of a file. A database has too many. `irregular` is how many entries of a file
    were found to break rules, None if they were not replayed. `clubs` are counted beside the games.
    """

    games: int
    events: int
    problems: tuple[Problem, ...]
    bare_erasures: int = 0
    seals: SealCounts = SealCounts()
    signatures: tuple[FoundSignature, ...] = ()
    irregular: int | None = None
    clubs: int = 0

    @property
    def sound(self) -> bool:
        """Whether there is no problem."""
        return not self.problems


class Place(NamedTuple):
    """An entry and the line on which it stands, if it stands in a file."""

    event: Event
    line: int | None


class ChainCheck:
    """Walks one game's entries in their stored order, and collects what is wrong.

    An entry's `prev` is what it names as its predecessor's hash or, where only the order says so, the hash that stands
    before it. No entry may be later than `latest`, in milliseconds since 1970.
    """

    def __init__(self, game: str, head: tuple[int, str] | None = None, latest: float = inf) -> None:
        self.game, self._head, self._latest = game, head, latest
        self.version, self.hash, self._true = 0, GENESIS, GENESIS
        self._recorded_at = 0
        self._signatures: list[FoundSignature] = []
        self.events = 0
        self._opening = ""
        self._gaps: list[range] = []
        self._rewritten = False
        self._misfits: list[Place] = []
        self._erasures = ErasureCheck()
        self._problems: list[Problem] = []

    def add(self, event: Event, line: int | None = None, *, provable: bool = True) -> None:
        """Add the next entry. `provable` is false when the hash before it is not known."""
        self.events += 1
        self._opening = self._opening or opening_of(event.type)
        if opening_of(event.type) != self._opening:
            self.note("unreadable", event.version, MIXED, line)
        self._check_place(event, line)
        if event.type == RECORD_SIGNED:
            self._check_signature(event, line)
        true = _digest(event)
        if provable and true != event.hash:
            self._misfits.append(Place(event, line))
        else:
            self._check_erasures(event, line)
            self._check_clock(event, line)
            if (event.type in OPENINGS) != (event.version == 1):
                self.note("unreadable", event.version, "what opens a record is its first entry, and no other one", line)
        if event.version > self.version:
            self.version, self.hash, self._true = event.version, event.hash, true
        if self._head and self._head[0] == event.version:
            self._rewritten = event.hash != self._head[1]

    def _check_place(self, event: Event, line: int | None) -> None:
        """Note an entry that does not follow from the one before it."""
        if event.version <= self.version:
            self._misplaced(event, line)
        elif event.version > self.version + 1:
            self._gaps.append(range(self.version + 1, event.version))
        elif self.hash and event.prev not in {self.hash, self._true}:
            self.note("rewritten", event.version, "it does not follow from the entry before it", line)

    @property
    def of_club(self) -> bool:
        """Whether it is the record of a club, a season or a tournament."""
        return self._opening in FOUNDINGS

    def unreadable(self, version: int, why: str, line: int | None = None) -> None:
        """Add an entry that cannot be read."""
        self.events += 1
        self.version, self.hash = version, ""
        self.note("unreadable", version, why, line)

    def note(self, kind: Kind, version: int, why: str, line: int | None = None) -> None:
        """Note a fault of an entry."""
        self._problems.append(Problem(kind, why, self.game, version, line))

    def problems(self) -> list[Problem]:
        """All faults. Call it once, after the last entry."""
        self._explain_misfits()
        for gap in self._gaps:
            self.note("deleted", gap[0], f"{_entries(gap)} missing")
        if self._head and self.version < self._head[0]:
            missing = range(self.version + 1, self._head[0] + 1)
            self.note("truncated", missing[0], f"{_entries(missing)} missing at the end")
        elif self._head and self._rewritten and not self._problems:
            self.note("rewritten", self._head[0], "its hash is not the one that was recorded")
        for finding in self._erasures.findings():
            self.note(*finding)
        return self._problems

    @property
    def bare_erasures(self) -> int:
        """The erased parts that are older than entries that tell of them; known after `problems`."""
        return self._erasures.bare

    def report(self, *more: Problem) -> Report:
        """The report, with `more` problems first. Call it once, after the last entry."""
        problems, parts = (*more, *self.problems()), self._erasures
        counts = SealCounts(parts.open, parts.erased, parts.shut)
        signatures, clubs = tuple(self._signatures), int(self.of_club)
        return Report(1 - clubs, self.events, problems, parts.bare, counts, signatures, clubs=clubs)

    def _check_signature(self, event: Event, line: int | None) -> None:
        if why := _missigned(event):
            self.note("missigned", event.version, why, line)
            return
        signed = SCHEMAS.read(event)
        if isinstance(signed, RecordSigned):
            key = signing.fingerprint(signed.key)
            self._signatures.append(FoundSignature(event.game, event.version, signed.version, signed.seat, key))

    def _check_clock(self, event: Event, line: int | None) -> None:
        if event.recorded_at < self._recorded_at:
            self.note("backdated", event.version, "its time is before that of the entry before it", line)
        self._recorded_at = max(self._recorded_at, event.recorded_at)
        if event.recorded_at > self._latest:
            why = f"its time {timestamp(event.recorded_at)} is more than a day after the clock here"
            self.note("postdated", event.version, why, line)
            self._latest = inf  # those after it are as late

    def _check_erasures(self, event: Event, line: int | None) -> None:
        try:
            self._erasures.add(event)
        except (LogNewerError, UnreadableError, BadSealsError, TypeError, ValueError) as error:
            self.note("unreadable", event.version, str(error), line)

    def _misplaced(self, event: Event, line: int | None) -> None:
        for index, gap in enumerate(self._gaps):
            if event.version in gap:
                halves = range(gap.start, event.version), range(event.version + 1, gap.stop)
                self._gaps[index : index + 1] = filter(None, halves)
                self.note("reordered", event.version, f"it stands after version {self.version}", line)
                return
        self.note("doubled", event.version, "a second entry of this version", line)

    def _explain_misfits(self) -> None:
        """Explain each entry that does not fit its hash: it was edited, or changed places with another one.

        An entry after a false one fits again with the true hash of that one.
        """
        partners: dict[int, Event] = {}
        for (one, _), (other, _) in combinations(self._misfits[:_PAIRED], 2):
            if _changed_places(one, other):
                partners |= {one.version: other, other.version: one}
        before: Event | None = None
        for event, line in self._misfits:
            partner = partners.get(event.version)
            if partner is not None:
                self.note("swapped", event.version, f"it changed places with version {partner.version}", line)
            elif before is None or not _fits_behind(before, partners.get(before.version), event):
                self.note("edited", event.version, "it is not what was hashed", line)
            before = event


def _entries(versions: range) -> str:
    if len(versions) == 1:
        return f"entry {versions[0]} is"
    return f"entries {versions[0]} to {versions[-1]} are"


def _digest(event: Event) -> str:
    """The correct hash of an event; empty for impossible values."""
    try:
        return digest(canonical(event))
    except (TypeError, ValueError, AttributeError, OverflowError, OSError):
        return ""


def _is_hashed(event: Event, version: int, prev: str, own: str) -> bool:
    """Whether an event fits its hash at another version, after another entry."""
    return _digest(msgspec.structs.replace(event, version=version, prev=prev)) == own


def _changed_places(one: Event, other: Event) -> bool:
    """Whether each of two entries, `one` standing first, fits its hash at the other's place."""
    neighbours = other.version == one.version + 1
    return _is_hashed(other, one.version, one.prev, other.hash) and _is_hashed(
        one, other.version, other.hash if neighbours else other.prev, one.hash
    )


def _fits_behind(before: Event, partner: Event | None, event: Event) -> bool:
    """Whether an entry fits after a false one if that one's true hash is taken for the one that stands there."""
    true = partner.hash if partner else _digest(before)
    return event.version == before.version + 1 and _is_hashed(event, event.version, true, event.hash)


def _missigned(event: Event) -> str | None:
    """Why a signature is not one of the record right before it, if it is not."""
    try:
        signed = SCHEMAS.read(event)
        if not isinstance(signed, RecordSigned):
            return None
        if (signed.version, signed.hash) != (event.version - 1, event.prev):
            return "it signs another head than that of the entry before it"
        signing.check(event.game, signed)
    except (BadSignatureError, LogNewerError, UnreadableError) as error:
        return str(error)
    return None


def walk(chain: ChainCheck, rows: Iterable[tuple[object, Row | Exception]]) -> Iterator[None]:
    """Add a game's stored rows to a chain, by version. An error stands in the place of an unreadable row."""
    position = 0
    for version, row in rows:
        known = version == chain.version + 1 and chain.hash != ""
        try:
            if not isinstance(version, int):
                raise DamagedError(chain.game, chain.version + 1, "it has no version")
            if isinstance(row, Exception):
                raise DamagedError(chain.game, version, str(row))
            if row[2] != version:
                raise DamagedError(chain.game, version, "the index points to another event here")
            chain.add(decode_unchecked(row, chain.game, chain.hash if known else GENESIS), provable=known)
            if row[0] < position:
                chain.note("reordered", version, "in the feed it stands before its predecessor")
            position = row[0]
        except DamagedError as error:
            chain.unreadable(error.version, error.why)
        yield


class _GameCheck:
    """Proves one game of a file: its header, every line and the whole chain."""

    def __init__(self, header: Header, line: int, look: Look | None) -> None:
        self._header, self._look = header, look
        self._written = WrittenGame(header, line, [])
        self.chain = ChainCheck(header.game, (header.events, header.head), latest=now_ms() + CLOCKS_DIFFER)
        self._foreign: list[Problem] = []

    def add(self, line: bytes, number: int) -> None:
        """Add the next line."""
        game, chain = self._header.game, self.chain
        try:
            event = parse_event(line)
        except BrokenSealError as error:
            event = error.event
            chain.note("unsealed", event.version, error.why, number)
        except BrokenLineError as error:
            chain.unreadable(chain.version + 1, error.why, number)
            return
        if event.game == game:
            chain.add(event, number)
            if self._look:
                self._written.events.append(event)
        else:
            why = f"an entry of game {event.game}"
            self._foreign.append(Problem("rewritten", why, game, event.version, number))

    def report(self) -> Report:
        """The report. Call it once, after the last line."""
        counted = self._header.events
        if self.chain.version > counted:
            why = f"the header counts {counted} entries, and the file has more"
            self.chain.note("doubled", counted + 1, why)
        report = self.chain.report(*self._foreign)
        return self._look(report, self._written) if self._look and report.sound else report


def verify_export(lines: Iterable[bytes], look: Look | None = None) -> Report:
    """Prove an exported file of one game, or of several. Memory is constant for a sound file.

    A line that is written in another way is refused, even with the same content: a reader of it may see another entry.
    `look` gets the report of each game that is sound, with its entries, and gives it back with what else it finds.

    >>> from pathlib import Path
    >>> lines = Path("sunday.ndjson").read_bytes().splitlines()
    >>> verify_export(lines).sound
    True
    >>> verify_export(lines[:-1]).problems[0].kind
    'truncated'
    """
    numbered = enumerate(lines, 1)
    try:
        header = parse_header(next(numbered, (1, b""))[1])
    except BrokenLineError as error:
        return Report(0, 0, (Problem("unreadable", error.why, line=1),))
    return join_reports(_reports(header, numbered, look))


def _reports(header: Header, numbered: Iterator[tuple[int, bytes]], look: Look | None) -> Iterator[Report]:
    """The report of each game of a file. `header` is its first line."""
    games = set[str]()
    following: tuple[int, Header] | None = (1, header)
    while following:
        at, header = following
        report, following = _checked(_GameCheck(header, at, look), numbered)
        if header.game in games:
            why = "the game is in the file twice, and readers may see either"
            yield Report(0, 0, (Problem("doubled", why, header.game, line=at),))
        games.add(header.game)
        yield report


def _checked(check: _GameCheck, numbered: Iterator[tuple[int, bytes]]) -> tuple[Report, tuple[int, Header] | None]:
    """The report of one game of a file, and the header of the next one with its line, if there is one."""
    for number, line in numbered:
        if following := header_in(line):
            return check.report(), (number, following)
        if line.rstrip(b"\n"):
            check.add(line, number)
    return check.report(), None


def join_reports(reports: Iterable[Report]) -> Report:
    """Join several reports. The irregular entries are known if they are known in each."""
    games = events = bare = clubs = open_ = erased = shut = irregular = 0
    replayed = True
    problems, signatures = list[Problem](), list[FoundSignature]()
    for each in reports:
        games, events, clubs = games + each.games, events + each.events, clubs + each.clubs
        seals, bare = each.seals, bare + each.bare_erasures
        replayed, irregular = replayed and each.irregular is not None, irregular + (each.irregular or 0)
        open_, erased, shut = open_ + seals.open, erased + seals.erased, shut + seals.shut
        problems += each.problems
        signatures += each.signatures
    counts = SealCounts(open_, erased, shut)
    known = irregular if replayed and games + clubs else None
    return Report(games, events, (*problems,), bare, counts, (*signatures,), known, clubs)
