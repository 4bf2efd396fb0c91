"""Games out of here and into here: whole records as NDJSON with their chain, or as text in notation.

Nothing is stored of a file before all of it has been read, proved and replayed.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from uuid import UUID, uuid5

import msgspec

from events import ndjson, seals
from events.clubs import is_of_game
from events.entries import check_chain
from events.erasures import without_erased
from events.errors import BadEventError, IdReusedError, LogNewerError, UnreadableError
from events.event import NewEvent, now_ms, timestamp
from events.people import BadNameError, checked_name
from events.schemas import SCHEMAS, is_uuid
from events.types import ENTRY_ERASED, NoteAdded, RulingGiven
from events.verification import verify_export
from games import adjustments, transcript
from games.contract import RECORD
from games.errors import NotationError, RulesetError, TranscriptError
from games.rulesets import RULESETS
from games.transcript import Comment
from projections.clubs import fold_club
from projections.errors import ProjectionError, RulesetMissingError
from projections.fold import adjustments_in, move_in, reader_of
from projections.history import Segment, refuse_older_revision
from service.problems.errors import ServiceError
from service.recording.judging import Draft, EntryRejectedError, Judge
from service.recording.recorder import CHUNK, ENTRIES, GameFullError, kept_components, opening_fold, record_whole
from service.recording.seating import BadSeatError, Seating

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence
    from typing import IO

    from events.event import Event
    from events.log import Log
    from events.ndjson import Written
    from events.types import EventData
    from games.contract import Ruleset, Viewpoint
    from projections.archive import Archive
    from projections.fold import Fold


class NamesErasedError(ServiceError):
    """A file brings back names that were erased here, and nobody has said what is to become of them. Nothing is stored.

    `players` are the ids of the people with these names.
    """

    kind = "names-erased"

    def __init__(self, players: Sequence[str]) -> None:
        super().__init__(f"names in the file that were erased here: {len(players)}")
        self.players = players

    @property
    def more(self) -> dict[str, Any]:
        """The people."""
        return {"players": self.players}


class UnsealedError(ServiceError):
    """A record with hashes that would reveal hidden facts to others than its owner."""

    kind = "not-sealed"

    def __init__(self, game: str) -> None:
        super().__init__(f"game {game} was recorded before what is hidden was sealed")


class BadImportError(ServiceError):
    """A file that is no record of a game, or not a sound one. `line` counts from 1."""

    kind = "bad-import"

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line

    @property
    def more(self) -> dict[str, Any]:
        """The line, if it is known."""
        return {"line": self.line} if self.line else {}


def export_record(archive: Archive, game: str, *, names: bool, viewpoint: Viewpoint = RECORD) -> Iterator[bytes]:
    """A game's whole record as lines of NDJSON; its header says which entries broke rules, and names if wanted.

    What may not be known from the viewpoint is sealed. A record that cannot be replayed, not by this release perhaps,
    is written down as it is. Raises `GameUnknownError`, `DamagedError`, `UnsealedError`.
    """
    try:
        fold = archive.folds.as_far_as_possible(game)
        sat, irregular, provable = fold.all_players, fold.irregular_from(viewpoint), fold.hashes_public
    except (ProjectionError, LogNewerError, UnreadableError):
        sat, irregular, provable = set(), {}, False
    if viewpoint != RECORD and not provable:
        raise UnsealedError(game)
    known = archive.log.people.recorded_names(sat) if names else {}
    now = now_ms()
    return ndjson.export(archive.log, game, now=now, viewpoint=viewpoint.name, players=known, irregular=irregular)


Erased = Literal["restore", "omit"]
"""What becomes of names in an imported file that were erased here: they come back, or stay erased."""


class ImportPlan(NamedTuple):
    """What a file brings to a game that is here already: entries, and erasures of what is open here."""

    game: str
    new: Sequence[Event]
    erases: bool


class ImportedRecord(NamedTuple):
    """A record that was taken in: how many entries it has, how many of them were new, and whether more, or less, of
    what was here already is open now."""

    game: str
    version: int
    new: int
    resealed: bool = False


def import_records(
    archive: Archive, file: IO[bytes], allow: Callable[[ImportPlan], None], erased: Erased | None = None
) -> list[ImportedRecord]:
    """Take in the records of a file as another log has them, with their ids, times and hashes: all of them or none.

    A game that is here already goes on if its chain is the beginning of the file's. Facts that are open in either are
    open then, and what was erased in either is erased. `allow` is asked before. Raises what that raises,
    `NamesErasedError` if the fate of erased names must be stated, `BadImportError`, `IdReusedError` and `LogFullError`.
    Raises `StaleVersionError` for a game that went another way here.
    """
    log, games = archive.log, _proved(file)
    for game in games:
        _check(log, game, allow)
    if len(games) > 1:
        _check_together(log, games)
    names = {player: name for game in games for player, name in _names_in(game).items()}
    if erased != "restore" and (gone := log.people.erased(names)):
        if erased is None:
            raise NamesErasedError(sorted(gone))
        names = {player: name for player, name in names.items() if player not in gone}
    brought = [_taken_in(log, game) for game in games]
    for player, name in names.items():
        if not log.people.recorded_names([player]):
            log.people.put(player, name)
    return brought


def _check(log: Log, game: Written, allow: Callable[[ImportPlan], None]) -> None:
    """See that a game of a file can be taken in, as far as it tells by itself. Raises as `import_records`."""
    id_, events = game.header.game, game.events
    here = [] if log.head(id_) is None else list(log.read(id_, 0, len(events)))
    known = len(here)
    if [event.hash for event in here] != [event.hash for event in events[:known]]:
        _replay(game, events)
        _adopt(log, game)  # which says what is here in its place
        return
    joined = [_joined(mine, other) for mine, other in zip(here, events, strict=False)]
    _replay(game, [*joined, *events[known:]])
    if here:
        erases = any(_closes(mine, both) for mine, both in zip(here, joined, strict=True))
        allow(ImportPlan(id_, events[known:], erases))


def _check_together(log: Log, games: Sequence[Written]) -> None:
    """See that none of several games fails once others are stored. Raises as `import_records`."""
    ids: dict[str, Event] = {}
    for game in games:
        try:
            check_chain(game.events)
        except BadEventError as error:
            raise _bad_event(game, error) from error
        _refuse_taken(log, game.events)
        if game.header.game in ids:
            raise BadImportError(f"game {game.header.game} stands in the file twice", game.line)
        for index, event in enumerate(game.events):
            if other := ids.get(event.id):
                raise IdReusedError(index, event.id, other)
            ids[event.id] = event


def _taken_in(log: Log, game: Written) -> ImportedRecord:
    id_, new = game.header.game, _adopt(log, game)
    resealed = new < len(game.events) and log.join(id_, list(without_erased(game.events, log.read(id_))))
    return ImportedRecord(id_, len(game.events), new, resealed)


def _proved(file: IO[bytes]) -> list[Written]:
    """The games of a file, once their chains are proved. Raises `BadImportError`."""
    report = verify_export(file)
    if report.problems:
        worst = report.problems[0]
        raise BadImportError(f"{worst.kind}: {worst.why}", worst.line)
    file.seek(0)
    return list(ndjson.read(file))


def _joined(mine: Event, other: Event) -> Event:
    """An entry that is here, with what of it is open in a file as well, and what was erased there closed."""
    return msgspec.structs.replace(mine, sealed=seals.join(mine.sealed, other.sealed))


def _closes(mine: Event, both: Event) -> bool:
    """Whether something of an entry that is open is closed in another form of it."""
    if mine.sealed == both.sealed:
        return False
    still = {each.name for each in seals.unpack(both.sealed) if each.content is not None}
    return not {each.name for each in seals.unpack(mine.sealed) if each.content is not None} <= still


def _adopt(log: Log, game: Written) -> int:
    """Store what of a record is not here yet, if all of it can be; how many entries. Raises as `import_records`.

    What takes several commits is looked at as a whole before the first of them.
    """
    events = game.events
    new = at = 0
    try:
        if len(events) > CHUNK:
            check_chain(events)
            _refuse_taken(log, events)
        for at in range(0, len(events), CHUNK):
            new += log.adopt(events[at : at + CHUNK]).new
    except BadEventError as error:
        raise _bad_event(game, error, at) from error
    return new


def _bad_event(game: Written, error: BadEventError, at: int = 0) -> BadImportError:
    """What is wrong with an entry of those after the first `at` of a game."""
    return BadImportError(f"{error.path}: {error.why}", game.line + at + error.index + 1)


def _refuse_taken(log: Log, events: Sequence[Event]) -> None:
    """Raise `IdReusedError` if an entry's id is that of another one that is here."""
    for index, event in enumerate(events):
        found = log.find(event.id)
        if found and found.hash != event.hash:
            raise IdReusedError(index, event.id, found)


def _names_in(game: Written) -> dict[str, str]:
    """The names that a header brings. Raises `BadImportError`."""
    players = game.header.players
    try:
        for player in players:
            if not is_uuid(player):
                raise BadImportError(f"players: {player!r} is not a UUID in lower case", game.line)
        return {player: checked_name(name) for player, name in players.items()}
    except BadNameError as error:
        raise BadImportError(f"players: {error}", game.line) from error


def _replay_club(game: Written, events: Sequence[Event]) -> None:
    try:
        fold_club(events)
    except BadEventError as error:
        raise _bad_event(game, error) from error
    except (LogNewerError, UnreadableError) as error:
        raise BadImportError(str(error), game.line) from error


def _replay(game: Written, events: Sequence[Event]) -> None:
    """See that a record with these entries can be replayed, or at least be read, where its ruleset is not here."""
    if not events:
        raise BadImportError("the file holds no entries", game.line)
    if sum(event.type != ENTRY_ERASED for event in events) > ENTRIES:
        raise BadImportError(str(GameFullError(events[0].game)))
    if not is_of_game(events[0].type):
        _replay_club(game, events)
        return
    try:
        refuse_older_revision(events)
        fold = Segment.whole(events).run_to_end()
    except RulesetMissingError:
        _read(game, events)
    except (ProjectionError, LogNewerError, UnreadableError) as error:
        why = getattr(error, "why", "")
        line = game.line + getattr(error, "version", 0)
        raise BadImportError(f"{error}: {why}" if why else str(error), line) from error
    else:
        at_odds = reader_of(fold.ruleset).contradiction
        for event in events:
            if why := at_odds(event):
                raise BadImportError(f"unsealed: {why}", game.line + event.version)


def _read(game: Written, events: Sequence[Event]) -> None:
    """Check that every entry is one of its type, with any moves. Raises `BadImportError`."""
    for event in events:
        try:
            SCHEMAS.read(event)
        except (LogNewerError, UnreadableError) as error:
            raise BadImportError(str(error), game.line + event.version) from error


def export_text(archive: Archive, game: str, *, names: bool, viewpoint: Viewpoint = RECORD) -> str:
    """A game as text: headers, and one move or ruling a line, as it counts after its corrections, with its notes.

    What may not be known from the viewpoint is left open. Raises `GameUnknownError`, `DamagedError`, and what folding
    raises.
    """
    head = archive.folds.current(game)
    opened, ruleset = head.opened, head.ruleset
    players = {seat: player for seat, player in enumerate(head.players) if player}
    known = archive.log.people.names(players.values()) if names else {}
    opening = transcript.Opening(opened.options, opened.components, len(opened.seats), head.revision)
    tags = transcript.tags(
        ruleset,
        opening,
        {seat: known[player] for seat, player in players.items() if player in known},
        head.outcome(),
        **_headers(head, archive.log.find(game)),
    )
    segment = archive.folds.segment(game, 1, head.version)
    effective_moves = list(segment.effective_moves())
    irregular = head.irregular_from(viewpoint)
    steps = [
        _step(data, segment.reason(event, irregular) if event.version in irregular else None, viewpoint)
        for event, data in effective_moves
    ]
    entries = transcript.transcribe(ruleset, opening, steps)
    notes = _notes(segment, {event.version for event, _ in effective_moves})
    noted = [
        msgspec.structs.replace(entry, comments=tuple(notes[event.version]))
        for entry, (event, _) in zip(entries, effective_moves, strict=True)
    ]
    return transcript.write(transcript.Transcript(tags, tuple(noted), tuple(notes[0])))


def _notes(segment: Segment, effective_moves: Container[int]) -> dict[int, list[Comment]]:
    """The notes that count, by the move or ruling that they name or follow; 0 is what was noted before all of them."""
    notes: dict[int, list[Comment]] = defaultdict(list)
    last = 0
    for event in segment.in_play_order():
        data = segment.fold.read(event)
        if event.version in effective_moves:
            last = event.version
        elif isinstance(data, NoteAdded) and segment.corrections.counts(event):
            named = data.entry if data.entry and data.entry in effective_moves else last
            notes[named].append(Comment(data.text, data.bookmark))
    return notes


def _step(data: EventData, reason: str | None, viewpoint: Viewpoint) -> transcript.TranscriptStep:
    if isinstance(data, RulingGiven):
        return transcript.TranscriptStep(
            adjustments=tuple(adjustment.seen(viewpoint) for adjustment in adjustments_in(data)), reason=data.reason
        )
    return transcript.TranscriptStep(move=move_in(data).seen(viewpoint), reason=reason)


def _headers(fold: Fold, opening: Event | None) -> dict[str, str]:
    opened = fold.opened
    day = ((opening and opening.happened_at) or timestamp(fold.started_at))[:10]
    found = {"Title": opened.title, "Place": opened.place, "Date": day.replace("-", ".")}
    return {name: value for name, value in found.items() if value}


def import_text(archive: Archive, text: str, game: str, *, recorder: str) -> ImportedRecord:
    """Record a game that was written down as text, as the game `game`.

    Sent again, the same text stores nothing twice: the ids of its entries follow from the game's and the line's.
    Raises `BadImportError`, and what `record` raises.
    """
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
    ruleset = _ruleset_of(written)
    with Seating(archive.log, _names(ruleset, written.tags, max(ruleset.seats))) as seating:
        opening, drafts = _drafts(archive, seating, ruleset, written, game)
        judge = Judge(archive, opening_fold(game, opening))
        for index, (line, draft) in enumerate(drafts):
            try:
                judge.judge(index, draft)
            except EntryRejectedError as error:
                raise BadImportError(str(error.cause), line) from error
        before = archive.log.head(game)
        first = Draft(id=game, data=opening.data, happened_at=opening.happened_at)
        recorded = record_whole(archive, first, [draft for _, draft in drafts], recorder=recorder)
        seating.keep()
    version = recorded[-1].version
    return ImportedRecord(game, version, version - (before.version if before else 0))


def _ruleset_of(written: transcript.Transcript) -> Ruleset:
    ruleset = RULESETS.get(written.tags["Ruleset"])
    if ruleset is None:
        known = ", ".join(RULESETS)
        raise BadImportError(f"no ruleset {written.tags['Ruleset']!r}; there are {known}", written.line)
    return ruleset


def _drafts(
    archive: Archive, seating: Seating, ruleset: Ruleset, written: transcript.Transcript, game: str
) -> tuple[NewEvent, list[tuple[int, Draft]]]:
    """The entries of a written game, each with its line; the opening first."""
    tags = written.tags
    try:
        opening = transcript.opening(ruleset, written)
        components = kept_components(archive, game, ruleset, opening.options, opening.components)
    except RulesetError as error:
        raise BadImportError(str(error), written.line) from error
    names = _names(ruleset, tags, opening.seats)
    try:
        seats = seating.seated(game, [{"name": name} if name else {} for name in names])
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
    drafts = list(_entries(ruleset, written, game))
    return NewEvent(id=game, type="game.opened", data=data, happened_at=_day(tags.get("Date", ""))), drafts


def _day(date: str) -> str | None:
    """The noon of a day that a header tells in full, in UTC: nearly everywhere it is the same day."""
    with suppress(ValueError):
        return f"{datetime.strptime(date, '%Y.%m.%d').date()}T12:00:00Z"  # noqa: DTZ007 - a day, wherever it was
    return None


def _names(ruleset: Ruleset, tags: dict[str, str], seats: int) -> list[str]:
    named = [tags.get(ruleset.seat_tag(seat), "?") for seat in range(seats)]
    return ["" if name == "?" else name for name in named]


def _entries(ruleset: Ruleset, written: transcript.Transcript, game: str) -> Iterator[tuple[int, Draft]]:
    yield from ((written.line, note) for note in _noted(written.comments, game, ""))
    for number, entry in enumerate(written.entries):
        key = str(uuid5(UUID(game), f"{number}"))
        if entry.ruling:
            yield entry.line, Draft(id=key, type="ruling.given", data=_ruling(ruleset, entry))
        else:
            override = {} if entry.reason is None else {"override": {"reason": entry.reason}}
            yield entry.line, Draft(id=key, data={"move": entry.text} | override)
        yield from ((entry.line, note) for note in _noted(entry.comments, game, f"{number}"))


def _noted(comments: Sequence[Comment], game: str, number: str) -> Iterator[Draft]:
    """The notes after the entry with a number; those before all entries have none."""
    for count, comment in enumerate(comments):
        if comment.text:
            mark = {"bookmark": True} if comment.bookmark else {}
            key = str(uuid5(UUID(game), f"{number}.{count}"))
            yield Draft(id=key, type="note.added", data={"text": comment.text} | mark)


def _ruling(ruleset: Ruleset, entry: transcript.WrittenEntry) -> dict[str, Any]:
    try:
        found = adjustments.parse_all(ruleset, entry.text)
    except NotationError as error:
        raise BadImportError(str(error), entry.line) from error
    return {"reason": entry.reason, "adjustments": [ruleset.adjustment_data(adjustment) for adjustment in found]}
