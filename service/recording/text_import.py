"""Importing a game as text: every line becomes an entry, judged as if it were recorded now."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from events.errors import BadEventError
from events.event import NewEvent
from events.types import CORRECTIONS
from games import adjustments, transcript
from games.errors import NotationError, RulesetError, TranscriptError
from games.rulesets import RULESETS
from games.transcript_lines import EXAMPLES, HASH
from service.recording.judging import Draft, EntryRejectedError, WrittenDraft
from service.recording.recorder import ENTRIES, kept_components, opening_judge, record_whole_game
from service.recording.seating import BadSeatError, Seating
from service.recording.transfers import BadImportError, ImportedRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.contract import Ruleset
    from games.transcript import Comment, Transcript, WrittenEntry
    from projections.archive import Archive

FOLDED_ANEW = 500_000
"""How many entries corrections may fold anew: each folds all entries of its game."""

TYPES = {
    "": "move.made",
    "note": "note.added",
    "claim": "score.claimed",
    "seat": "seat.changed",
    "close": "game.closed",
    "reopen": "game.reopened",
    "withdraw": "entry.withdrawn",
    "replace": "entry.replaced",
    "insert": "entry.inserted",
    "reveal": "move.revealed",
    "ruling": "ruling.given",
    "revoke": "ruling.revoked",
    "revision": "revision.adopted",
}
"""The types of entries by the words of their lines."""

ABOUT = {"insert": "after", "ruling": "after", "revoke": "ruling"}
"""The field for the entry that a line names, where it is not `entry`."""

NAMED = frozenset({"withdraw", "replace", "insert", "reveal", "revoke"})
"""The words of lines that have to name an entry."""

BOOKMARK = "bookmark"
"""The word of a note, and its field, that marks the moment."""

TEXTS = frozenset({"note", "claim"})
"""The words of lines with a text after `!`, and not a reason."""

_ENTRY = re.compile(rf"{HASH}([1-9][0-9]{{0,15}})")
_CLAIMED = re.compile(r'\s*(\S+) ("[^"]*") ([+-]?[0-9]{1,15})\s*(?:,|$)')
_REVISION = re.compile("[1-9][0-9]{0,8}")
_POINTS = re.compile(r"[+-]?[0-9]{1,15}")


def import_text(archive: Archive, text: str, game: str, *, recorder: str) -> ImportedRecord:
    """Record a game from its text, as the game `game`.

    Sent again, the same text stores nothing twice: the ids of its entries follow from the game's and the line's.
    Raises `BadImportError`, and what `record` raises.
    """
    written = _only_game(text)
    ruleset = _ruleset_of(written)
    with Seating(archive.log, _names(ruleset, written)) as seating:
        opening, drafts = _drafts(archive, seating, ruleset, written, game)
        judge = opening_judge(archive, game, opening)
        for index, (line, draft) in enumerate(drafts):
            try:
                judge.judge(index, draft)
            except EntryRejectedError as error:
                cause = error.cause
                why = cause.message if isinstance(cause, RulesetError) else str(cause)
                raise BadImportError(why, line) from error
        before = archive.log.head(game)
        first = Draft(id=game, data=opening.data, happened_at=opening.happened_at)
        recorded = record_whole_game(archive, first, [draft for _, draft in drafts], recorder=recorder)
        seating.keep()
    version = recorded[-1].version
    return ImportedRecord(game, version, version - (before.version if before else 0))


def _only_game(text: str) -> Transcript:
    try:
        games = transcript.read(text, ENTRIES)
        written = next(games, None)
        further = written and next(games, None)
    except TranscriptError as error:
        raise BadImportError(error.why, error.line) from error
    if written is None:
        raise BadImportError("there is no game in the text")
    if further:
        raise BadImportError("a second game begins here; send one game of text at a time", further.line)
    return written


def _ruleset_of(written: Transcript) -> Ruleset:
    ruleset = RULESETS.get(written.tags["Ruleset"])
    if ruleset is None:
        known = ", ".join(RULESETS)
        raise BadImportError(f"no ruleset {written.tags['Ruleset']!r}; choose one of {known}", written.line)
    return ruleset


def _drafts(
    archive: Archive, seating: Seating, ruleset: Ruleset, written: Transcript, game: str
) -> tuple[NewEvent, list[tuple[int, Draft]]]:
    """The entries of a written game, each with its line; the opening first."""
    opening, seats = _opening(archive, seating, ruleset, written, game)
    drafts = [
        (line, _identified(seating, index, line, draft))
        for index, (line, draft) in enumerate(_Entries(ruleset, game, seats).drafts_of(written))
    ]
    _refuse_too_much_work(drafts)
    return opening, drafts


def _opening(
    archive: Archive, seating: Seating, ruleset: Ruleset, written: Transcript, game: str
) -> tuple[NewEvent, int]:
    """The opening of a written game, and its number of seats."""
    tags = written.tags
    try:
        opening = transcript.opening(ruleset, written)
        components = kept_components(archive, game, ruleset, opening.options, opening.components)
    except TranscriptError as error:
        raise BadImportError(error.why, error.line) from error
    except RulesetError as error:
        raise BadImportError(error.message, written.line) from error
    names = _seat_names(ruleset, tags, opening.seats)
    try:
        seats = seating.fill_seats(game, [{"name": name} if name else {} for name in names])
    except BadSeatError as error:
        raise BadImportError(f"{ruleset.seat_tag(error.seat)}: {error}", written.line) from error
    data: dict[str, Any] = {
        "ruleset": ruleset.name,
        "revision": opening.revision or ruleset.revision,
        "options": opening.options,
        "seats": seats,
    }
    data |= {field: tags[tag] for field, tag in (("title", "Title"), ("place", "Place")) if tags.get(tag)}
    data |= components
    return NewEvent(id=game, type="game.opened", data=data, happened_at=_day(written)), opening.seats


def _identified(seating: Seating, index: int, line: int, draft: Draft) -> Draft:
    try:
        return seating.with_player_id(index, draft)
    except BadEventError as error:
        raise BadImportError(str(error), line) from error


def _refuse_too_much_work(drafts: Sequence[tuple[int, Draft]]) -> None:
    corrections = [line for line, draft in drafts if draft.type in CORRECTIONS and draft.type != "ruling.given"]
    most = FOLDED_ANEW // len(drafts) if drafts else 0
    if len(corrections) > most:
        why = f"a text of {len(drafts):,} entries has at most {most:,} corrections; take the record as NDJSON"
        raise BadImportError(why, corrections[most])


def _day(written: Transcript) -> str | None:
    """The noon (UTC) of the day in the headers: it is the same day nearly everywhere. None for an unknown day."""
    date = written.tags.get("Date", "")
    if not date or "?" in date:
        return None
    try:
        return f"{datetime.strptime(date.replace('-', '.'), '%Y.%m.%d').date()}T12:00:00Z"  # noqa: DTZ007 - a day
    except ValueError:
        why = f"Date: {date[:40]!r} is not a day; write it as 2026.11.30, or as ????.??.??"
        raise BadImportError(why, written.line) from None


def _seat_names(ruleset: Ruleset, tags: dict[str, str], seats: int) -> list[str]:
    named = [tags.get(ruleset.seat_tag(seat), "?") for seat in range(seats)]
    return ["" if name == "?" else name for name in named]


def _names(ruleset: Ruleset, written: Transcript) -> list[str]:
    """The names of all who sit in a written game or rule in it."""
    names = _seat_names(ruleset, written.tags, max(ruleset.seats))
    for entry in written.entries:
        for word in entry.words if entry.word in {"seat", "ruling"} else ():
            with suppress(msgspec.DecodeError):
                names.append(msgspec.json.decode(word.removeprefix("referee="), type=str))
    return names


class _Said(NamedTuple):
    """The words of a line: bare references to entries, named values, and all other words."""

    entries: list[int]
    fields: dict[str, str]
    others: list[str]


NOTHING = _Said([], {}, [])


class _Entries:
    """Turns the lines of a text into drafts. `_versions` has the entries by their names in the text."""

    def __init__(self, ruleset: Ruleset, game: str, seats: int) -> None:
        self._ruleset, self._game, self._opened = ruleset, UUID(game), seats
        self._seats = {ruleset.seat_tag(seat): seat for seat in range(max(ruleset.seats))}
        self._versions = {1: 1}
        self._version = 1
        self._read: dict[str, Callable[[WrittenEntry, _Said], dict[str, Any]]] = {
            "note": self._note,
            "claim": self._claim,
            "seat": self._seat,
            "close": self._close,
            "revision": self._revision,
            "ruling": self._ruling,
            "replace": self._move,
            "insert": self._move,
            "reveal": self._move,
        }

    def drafts_of(self, written: Transcript) -> Iterator[tuple[int, Draft]]:
        """The entries, each with its line."""
        yield from self._notes(written.comments, "", written.line)
        for number, entry in enumerate(written.entries):
            self._version += 1
            try:
                data = self._data(entry)
            except NotationError as error:
                raise BadImportError(error.message, entry.line) from error
            form = "ruling.given" if entry.ruling else TYPES[entry.word]
            yield entry.line, WrittenDraft(id=str(uuid5(self._game, f"{number}")), type=form, data=data)
            if entry.name:
                self._versions[entry.name.number] = self._version
            yield from self._notes(entry.comments, f"{number}", entry.line)

    def _notes(self, comments: Sequence[Comment], number: str, line: int) -> Iterator[tuple[int, Draft]]:
        """The notes after the entry with a number; without one before the first entry."""
        for count, comment in enumerate(comments):
            if comment.text:
                self._version += 1
                mark = {"bookmark": True} if comment.bookmark else {}
                key = str(uuid5(self._game, f"{number}.{count}"))
                yield line, Draft(id=key, type="note.added", data={"text": comment.text} | mark)

    def _data(self, entry: WrittenEntry) -> dict[str, Any]:
        if entry.ruling:
            return {"reason": entry.reason} | self._ruling(entry, NOTHING)
        if not entry.word:
            override = {} if entry.reason is None else {"override": {"reason": entry.reason}}
            return {"move": entry.text} | override
        said = self._said(entry)
        data = self._common(entry, said)
        if read := self._read.get(entry.word):
            data |= read(entry, said)
        for left in (*said.others, *said.fields):
            raise _bad(entry, f"{left} has no meaning")
        return data

    def _said(self, entry: WrittenEntry) -> _Said:
        """The parsed words of a line. A seat's total is a value, too. Raises `BadImportError`."""
        said = _Said([], {}, [])
        for word in entry.words:
            name, sign, value = word.partition("=")
            if word.startswith(HASH):
                said.entries.append(self._entry(entry, word))
            elif not sign or word.startswith('"'):
                said.others.append(word)
            elif name in said.fields:
                raise _bad(entry, f"write {name} once")
            else:
                said.fields[name] = value
        return said

    def _common(self, entry: WrittenEntry, said: _Said) -> dict[str, Any]:
        """The fields that lines of several kinds have."""
        _check_named(entry, len(said.entries))
        data: dict[str, Any] = {ABOUT.get(entry.word, "entry"): named for named in said.entries}
        if entry.reason is not None:
            data["text" if entry.word in TEXTS else "reason"] = entry.reason
        for name in ("keep", "withdraw"):
            if name in said.fields:
                data[name] = [self._entry(entry, each) for each in said.fields.pop(name).split(",")]
        if "override" in said.fields:
            data["override"] = {"reason": _string(entry, said.fields.pop("override"))}
        if "referee" in said.fields:
            data["referee_name"] = _string(entry, said.fields.pop("referee"))
        return data

    def _entry(self, entry: WrittenEntry, word: str) -> int:
        found = _ENTRY.fullmatch(word)
        if not found:
            raise _bad(entry, f"an entry is named #3, not {word}")
        if int(found[1]) not in self._versions:
            raise _bad(entry, f"no entry above has the name {word}: write {word} on the line below it")
        return self._versions[int(found[1])]

    def _seat_of(self, entry: WrittenEntry, tag: str) -> int:
        if tag not in self._seats:
            raise _bad(entry, f"a seat is one of {', '.join([*self._seats][: self._opened])}, not {tag}")
        return self._seats[tag]

    def _claim(self, entry: WrittenEntry, said: _Said) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if said.fields:
            totals = {self._seat_of(entry, tag): _points(entry, value) for tag, value in said.fields.items()}
            seats = max(self._opened, 1 + max(totals))  # some may have been added during the game
            data["scores"] = [totals.get(seat) for seat in range(seats)]
            said.fields.clear()
        at, lines = 0, []
        while at < len(entry.text):
            found = _CLAIMED.match(entry.text, at)
            if not found:
                raise _bad(entry, f'a line of a claim is a seat, "what for" and points, not {entry.text[at:]}')
            category, at = _string(entry, found[2]), found.end()
            lines.append({"seat": self._seat_of(entry, found[1]), "category": category, "points": int(found[3])})
        return data | ({"lines": lines} if lines else {})

    def _seat(self, entry: WrittenEntry, said: _Said) -> dict[str, Any]:
        if len(said.others) != 2:
            raise _bad(entry, 'write the seat and the name, or ? for a guest: #seat SEAT "Chiyo"')
        seat = self._seat_of(entry, said.others.pop(0))
        name = said.others.pop()
        return {"seat": seat} if name == "?" else {"seat": seat, "name": _string(entry, name)}

    def _note(self, _: WrittenEntry, said: _Said) -> dict[str, Any]:
        marked = said.others == [BOOKMARK]
        return {BOOKMARK: bool(said.others.pop())} if marked else {}

    def _close(self, entry: WrittenEntry, said: _Said) -> dict[str, Any]:
        return {"how": _only(entry, said)}

    def _revision(self, entry: WrittenEntry, said: _Said) -> dict[str, Any]:
        word = _only(entry, said)
        if not _REVISION.fullmatch(word):
            raise _bad(entry, f"a revision is a number, not {word}")
        return {"revision": int(word)}

    def _ruling(self, entry: WrittenEntry, _: _Said) -> dict[str, Any]:
        found = adjustments.parse_all(self._ruleset, entry.text)
        if entry.reason is None:
            raise _bad(entry, "write the reason of the ruling after !")
        return {"adjustments": [self._ruleset.adjustment_data(adjustment) for adjustment in found]}

    def _move(self, entry: WrittenEntry, _: _Said) -> dict[str, Any]:
        return {"move": entry.text}


def _only(entry: WrittenEntry, said: _Said) -> str:
    """The only word of a line."""
    if len(said.others) != 1:
        raise _bad(entry, f"write it as here: {EXAMPLES[entry.word]}")
    return said.others.pop()


def _bad(entry: WrittenEntry, why: str) -> BadImportError:
    return BadImportError(f"{entry.word}: {why}", entry.line)


def _check_named(entry: WrittenEntry, count: int) -> None:
    """Check that a line names as many entries as its word takes. Raises `BadImportError`."""
    if entry.word in NAMED and count != 1:
        raise _bad(entry, f"name one entry: #{entry.word} #3")
    if count > 1:
        raise _bad(entry, "name only one entry")
    if count and entry.word not in NAMED | {"note", "claim", "ruling"}:
        raise _bad(entry, "no entry is named here")


def _string(entry: WrittenEntry, text: str) -> str:
    try:
        return msgspec.json.decode(text, type=str)
    except msgspec.DecodeError:
        raise _bad(entry, f"{text} is not a text in quotation marks") from None


def _points(entry: WrittenEntry, text: str) -> int | None:
    if text == "?":
        return None
    if not _POINTS.fullmatch(text):
        raise _bad(entry, f"a total is a whole number, or ? where none was written, not {text}")
    return int(text)
