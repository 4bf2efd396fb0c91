"""Exporting a game as text: its headers, and every entry as a line, in the order of the record."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from events import limits
from events.event import timestamp
from events.schemas import SCHEMAS
from events.signing import fingerprint
from events.types import (
    Correction,
    EntryErased,
    EntryInserted,
    EntryWithdrawn,
    EventData,
    GameClosed,
    GameReopened,
    MoveData,
    NoteAdded,
    RecordSigned,
    RevisionAdopted,
    RulingGiven,
    RulingRevoked,
    ScoreClaimed,
    SeatChanged,
)
from games import adjustments, transcript
from games.contract import RECORD
from games.transcript import Comment, WrittenEntry
from games.transcript_lines import HASH, Name, quoted
from projections.errors import FoldError
from projections.flattening import flatten
from projections.fold import move_in, open_state
from projections.history import NO_REASON, Corrections
from projections.retracing import retrace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from events.event import Event
    from games.contract import Ruleset, Viewpoint
    from projections.archive import Archive
    from projections.fold import Adoption, Fold
    from projections.retracing import RetracedEntry

MOVES = {"entry.replaced": "replace", "entry.inserted": "insert", "move.revealed": "reveal"}
"""The words of corrections that bring a move."""


def export_text(
    archive: Archive, game: str, *, names: bool, viewpoint: Viewpoint = RECORD, until: int | None = None
) -> str:
    """A game as text: headers, and one entry per line, in the order of its record, corrections included.

    A record that could not be carried out before it was corrected is written as it counts now. What may not be known
    from the viewpoint is left open. With `until` it ends after the entry of that version. Raises `GameUnknownError`,
    `DamagedError`, and what folding raises.
    """
    head = archive.folds.current(game)
    record = list(archive.log.read(game, 0, min(head.version, until or head.version)))
    known: dict[str | None, str] = {}
    if names:
        known.update(archive.log.people.names(_people(record)).items())
    ruleset, opened = head.ruleset, head.opened
    written = _write_entries(record, _Words(ruleset, known), viewpoint)
    pinned = open_state(opened, written.adopted).revision
    opening = transcript.Opening(opened.options, opened.components, len(opened.seats), pinned)
    seated = {
        seat: known[each.player] for seat, each in enumerate(opened.seats) if each.player and each.player in known
    }
    tags = transcript.tags(ruleset, opening, seated, head.outcome(), **_headers(head, record[0]))
    return transcript.write(_assembled(tags, written))


class _Written(NamedTuple):
    """The lines of a record by their numbers, those that others name, and the corrections that they tell of.

    `adopted` is the revision of the rules for the header, if it is not the one of the opening.
    """

    lines: Mapping[int, WrittenEntry | Comment]
    named: set[int]
    corrections: Corrections
    adopted: Adoption | None = None


def _write_entries(record: Sequence[Event], words: _Words, viewpoint: Viewpoint) -> _Written:
    """The entries as they were recorded. If the record could not be carried out then, as they count at the end."""
    corrections = Corrections(record)
    try:
        return _Written(*_lines(retrace(record, viewpoint), words, viewpoint), corrections)
    except FoldError:
        flat = _lines(flatten(record, viewpoint), words, viewpoint)
        return _Written(*flat, Corrections(()), corrections.adopted)


def _lines(
    entries: Iterable[RetracedEntry], words: _Words, viewpoint: Viewpoint
) -> tuple[Mapping[int, WrittenEntry | Comment], set[int]]:
    lines = _Lines(words, viewpoint)
    return {met.event.version: lines.line_of(met) for met in entries}, lines.named


def _people(record: Sequence[Event]) -> set[str]:
    """All people who sat in a game or ruled in it."""
    found: set[str | None] = {seat.player for seat in SCHEMAS.read(record[0]).seats}  # type: ignore[attr-defined]
    for event in record:
        if event.type in {"seat.changed", "ruling.given"}:
            data = SCHEMAS.read(event)
            found.add(data.player if isinstance(data, SeatChanged) else getattr(data, "referee", None))
    return {player for player in found if player}


def _headers(fold: Fold, opening: Event) -> dict[str, str]:
    opened = fold.opened
    day = (opening.happened_at or timestamp(fold.started_at))[:10]
    found = {"Title": opened.title, "Place": opened.place, "Date": day.replace("-", ".")}
    return {name: value for name, value in found.items() if value}


def _assembled(tags: dict[str, str], written: _Written) -> transcript.Transcript:
    """The lines in order, with a name below each entry that another one names. Only a line of its own can have one."""
    before: list[Comment] = []
    entries: list[WrittenEntry] = []
    comments = before
    for version, found in written.lines.items():
        if isinstance(found, Comment) and version not in written.named:
            comments.append(found)
            continue
        if entries:
            entries[-1] = msgspec.structs.replace(entries[-1], comments=tuple(comments))
        entry = _note_line(found) if isinstance(found, Comment) else found
        name = _name(version, written.corrections) if version in written.named else None
        entries.append(msgspec.structs.replace(entry, name=name))
        comments = []
    if entries:
        entries[-1] = msgspec.structs.replace(entries[-1], comments=tuple(comments))
    return transcript.Transcript(tags, tuple(entries), tuple(before))


def _name(version: int, corrections: Corrections) -> Name:
    if version in corrections.taken_out:
        return Name(version, "withdrawn", corrections.taken_out[version])
    if version in corrections.replacements:
        return Name(version, "replaced", corrections.replacements[version].version)
    return Name(version)


def _note_line(comment: Comment, *about: str) -> WrittenEntry:
    words = (*about, *(["bookmark"] if comment.bookmark else []))
    return WrittenEntry("", comment.text, word="note", words=words)


class _Words(NamedTuple):
    """The vocabulary of entries: the ruleset, and people's names by id."""

    ruleset: Ruleset
    known: Mapping[str | None, str]

    def person(self, player: str | None) -> str:
        return quoted(self.known[player]) if player in self.known else "?"


class _Lines:
    """Writes the entries of one game; `named` are those that other entries refer to."""

    def __init__(self, words: _Words, viewpoint: Viewpoint) -> None:
        self.named: set[int] = set()
        self._words, self._viewpoint = words, viewpoint

    def line_of(self, met: RetracedEntry) -> WrittenEntry | Comment:
        """An entry as a line, or as a comment, if it is a note about nothing in particular."""
        data = met.data
        if met.past:
            return Comment(_rest_without_effect(met)[: limits.TEXT])
        if isinstance(data, NoteAdded) and data.entry is None:
            return Comment(data.text, data.bookmark)
        data = _fitted(data, met.fold)
        if isinstance(data, RecordSigned | EntryErased) or (isinstance(data, ScoreClaimed) and data.empty):
            return Comment(_remark(data, self._words)[: limits.TEXT])
        entry = self._move(met) if data.ruleset_field == "move" else _line(data, self._words)
        if isinstance(data, Correction):
            entry = self._chosen(entry, data, met)
        self.named |= {int(word.removeprefix(HASH)) for word in entry.words if word.startswith(HASH)} - {1}
        return entry

    def _move(self, met: RetracedEntry) -> WrittenEntry:
        """A move with the reason of its override, if the viewpoint may know that it has one."""
        data: MoveData = met.data  # type: ignore[assignment]
        text = met.fold.state.notation(move_in(data))
        why = None
        if data.override and (met.breaches or self._viewpoint == RECORD):
            why = data.override.reason
        elif met.breaches and not met.excused:
            why = NO_REASON
        broken = tuple(dict.fromkeys(breach.rule for breach in met.breaches))
        if not isinstance(data, Correction):
            return WrittenEntry(text, why, broken=broken)
        about = (f"{HASH}{data.corrected_entry or data.inserted_after}",)
        words = about if why is None else (*about, f"override={quoted(why)}")
        return WrittenEntry(text, data.reason or None, broken=broken, word=MOVES[met.event.type], words=words)

    def _chosen(self, entry: WrittenEntry, data: Correction, met: RetracedEntry) -> WrittenEntry:
        """A correction with its choices for later entries."""
        words = list(entry.words)
        for name, chosen in (("keep", met.kept), ("withdraw", data.withdraw)):
            if chosen:
                words.append(f"{name}={','.join(f'{HASH}{each}' for each in chosen)}")
                self.named.update(chosen)
        if words and entry.ruling:
            return msgspec.structs.replace(entry, ruling=False, word="ruling", words=tuple(words))
        return msgspec.structs.replace(entry, words=tuple(words))


def _fitted(data: EventData, fold: Fold) -> EventData:
    """The data as the game has it by now: a claim for its seats, and a closing that fits its end.

    Both can differ from what was recorded once something was erased, or a seat was added or withdrawn.
    """
    if isinstance(data, ScoreClaimed):
        scores = [*data.scores, *[None] * fold.seats][: fold.seats] if data.scores else []
        return msgspec.structs.replace(
            data, scores=scores, lines=[line for line in data.lines if line.seat < fold.seats]
        )
    if isinstance(data, GameClosed) and data.how != fold.ending:
        reason = ": ".join(filter(None, (f"recorded as {data.how}", data.reason)))
        return msgspec.structs.replace(data, how=fold.ending, reason=reason[: limits.TEXT])
    return data


def _remark(data: RecordSigned | EntryErased | ScoreClaimed, words: _Words) -> str:
    """A remark for an entry that a text cannot carry: a signature of this record, an erasure, or an empty claim.

    A claim is empty if its text was erased, and its lines with it.
    """
    if isinstance(data, ScoreClaimed):
        return "empty: score.claimed" + (f", {data.text}" if data.text else "")
    if isinstance(data, EntryErased):
        return f"erased: {data.what} of entry {data.entry}" + (f", {data.reason}" if data.reason else "")
    by = "a spectator" if data.seat is None else words.ruleset.seat_tag(data.seat)
    return f"signed up to entry {data.version} by {by} with the key {fingerprint(data.key)}"


def _rest_without_effect(met: RetracedEntry) -> str:
    """The rest of an entry without effect: a correction still says what it corrected, and why."""
    form, data = met.event.type, met.data
    match data:
        case GameClosed(how=how):
            about = f"{form}: {how}"
        case GameReopened() | EntryInserted():
            about = form
        case RevisionAdopted(revision=revision):
            about = f"{form}: {revision}"
        case Correction():
            about = f"{form}: entry {data.subject}"
        case _:
            return f"withdrawn: {form}"
    return f"{about}, {data.reason}" if data.reason else about


@singledispatch
def _line(data: EventData, _: _Words) -> WrittenEntry:
    raise TypeError(data)


@_line.register
def _(data: NoteAdded, _: _Words) -> WrittenEntry:
    return _note_line(Comment(data.text, data.bookmark), f"{HASH}{data.entry}")


@_line.register
def _(data: ScoreClaimed, words: _Words) -> WrittenEntry:
    tag = words.ruleset.seat_tag
    about = [f"{HASH}{data.entry}"] if data.entry else []
    totals = (f"{tag(seat)}={'?' if points is None else points}" for seat, points in enumerate(data.scores))
    lines = (f"{tag(line.seat)} {quoted(line.category)} {line.points}" for line in data.lines)
    return WrittenEntry(", ".join(lines), data.text or None, word="claim", words=(*about, *totals))


@_line.register
def _(data: SeatChanged, words: _Words) -> WrittenEntry:
    sits = (words.ruleset.seat_tag(data.seat), words.person(data.player))
    return WrittenEntry("", data.reason or None, word="seat", words=sits)


@_line.register
def _(data: GameClosed, _: _Words) -> WrittenEntry:
    return WrittenEntry("", data.reason or None, word="close", words=(data.how,))


@_line.register
def _(data: GameReopened, _: _Words) -> WrittenEntry:
    return WrittenEntry("", data.reason, word="reopen")


@_line.register
def _(data: EntryWithdrawn, _: _Words) -> WrittenEntry:
    return WrittenEntry("", data.reason or None, word="withdraw", words=(f"{HASH}{data.entry}",))


@_line.register
def _(data: RulingRevoked, _: _Words) -> WrittenEntry:
    return WrittenEntry("", data.reason or None, word="revoke", words=(f"{HASH}{data.ruling}",))


@_line.register
def _(data: RevisionAdopted, _: _Words) -> WrittenEntry:
    return WrittenEntry("", data.reason or None, word="revision", words=(str(data.revision),))


@_line.register(RulingGiven)
def _(data: RulingGiven[Any], words: _Words) -> WrittenEntry:
    """At its place it is a line of its own kind; one for another place, or of a referee, has a word."""
    text = adjustments.write_all(words.ruleset, data.adjustments)
    about = (f"{HASH}{data.after}",) if data.after else ()
    by = (f"referee={words.person(data.referee)}",) if data.referee in words.known else ()
    named = bool(about or by)
    return WrittenEntry(text, data.reason, ruling=not named, word="ruling" if named else "", words=(*about, *by))
