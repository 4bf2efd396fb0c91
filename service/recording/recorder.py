"""Recording: entries are judged on the game's real state, and appended to the log.

The same code answers a dry run, a first attempt and every repetition of it, so all three say the same.
"""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime
from typing import TYPE_CHECKING, Any

from events import limits
from events.entries import check_event
from events.errors import BadEventError, IdReusedError, StaleVersionError
from events.event import NewEvent, timestamp
from events.schemas import SCHEMAS
from events.types import CORRECTIONS, ENTRY_ERASED, GameOpened
from games.errors import BadOpeningError
from projections.errors import FoldError, ProjectionError
from projections.fold import Fold, reader_of
from service.problems.errors import ServiceError
from service.recording.days import is_ahead
from service.recording.judging import EntryRejectedError, Judge, opening_answer, pending_event
from service.recording.locks import ATTEMPTS, KeyedLocks, OvertakenError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from events.entries import CheckedEvent
    from events.event import Event
    from games.contract import JSON, Ruleset
    from projections.archive import Archive
    from service.recording.judging import Draft, RecordedEntry
    from service.recording.permits import Permit
    from service.recording.player_recording import PlayerJudge

GAMES = KeyedLocks()
"""Those who write to the same game do so one after the other: each is judged by what the one before has stored."""

ENTRIES = limits.GAME
"""How many entries a game can have: a fold from zero holds them in memory."""

CHUNK = limits.BATCH
"""How many entries are stored at a time."""


class GameFullError(ServiceError):
    """The game has no room for the entries of the request."""

    kind = "game-full"

    def __init__(self, game: str) -> None:
        super().__init__(f"game {game} would have more than {ENTRIES:,} entries")


def record(
    archive: Archive,
    game: str,
    drafts: Sequence[Draft],
    *,
    expected: AbstractSet[int] | None,
    recorder: str,
    dry_run: bool = False,
    permit: Permit | None = None,
) -> list[RecordedEntry]:
    """Judge and append 1..n entries to a game, all of them or none.

    `expected` are the versions that the sender accepts as the newest one; None for any. `permit` says what the recorder
    may record; None for everything. Raises `EntryRejectedError` with the cause `RulesetError`, `ProjectionError` or
    `BadEventError`, and what `Log.append` raises.
    """
    try:
        with nullcontext() if dry_run else GAMES.holding(game):
            return _record(archive, game, drafts, expected=expected, recorder=recorder, dry_run=dry_run, permit=permit)
    except Exception:
        if permit:
            permit.note_refusal()
        raise


def _record(
    archive: Archive,
    game: str,
    drafts: Sequence[Draft],
    *,
    expected: AbstractSet[int] | None,
    recorder: str,
    dry_run: bool,
    permit: Permit | None,
) -> list[RecordedEntry]:
    for _ in range(ATTEMPTS):
        base = archive.folds.fold_until_error(game)
        try:
            if expected is not None and base.version not in expected:
                known = max((each for each in expected if each <= base.version), default=min(expected))
                if _only_erased(archive, game, known, base.version):
                    expected = {*expected, base.version}
                    continue
                raise StaleVersionError(game, known, base.version, missed_events(archive, game, known, base.version))
            return _record_on(archive, base, drafts, recorder=recorder, dry_run=dry_run, permit=permit)
        except (EntryRejectedError, StaleVersionError, IdReusedError) as error:
            stored = archive.log.find(drafts[0].id, game)
            if stored is not None and stored.game == game and stored.version > 1:
                base = archive.folds.fold_until_error(game, stored.version - 1)
                return _record_on(archive, base, drafts, recorder=recorder, dry_run=dry_run, permit=permit)
            if expected is not None or not isinstance(error, StaleVersionError):
                raise
            stale = error
    raise OvertakenError from stale


def _only_erased(archive: Archive, game: str, known: int, head: int) -> bool:
    """Whether only erasures came after a version. They change nothing that matters to a sender."""
    if not known < head <= known + limits.MISSED:
        return False
    return all(event.type == ENTRY_ERASED for event in archive.log.read(game, known, head))


def open_game(archive: Archive, game: str, draft: Draft, *, recorder: str, dry_run: bool = False) -> RecordedEntry:
    """Open a game with a `game.opened`. Raises as `record` does."""
    event = NewEvent(id=draft.id, type="game.opened", data=draft.data, happened_at=draft.happened_at)
    entry, fold = _opening(game, event)
    answer = opening_answer(fold, draft, pending_event(game, 1, entry))
    if dry_run:
        return answer
    (stored,) = archive.log.append(game, [entry], expected=0, recorder=recorder).events
    return _stamped(answer, stored)


def record_whole_game(
    archive: Archive, opening: Draft, drafts: Sequence[Draft], *, recorder: str
) -> list[RecordedEntry]:
    """Open the game with the id of `opening`, and record all its entries. Returns the result of each.

    Many entries are stored in several steps; a repeated request continues where it ended. Raises as `record`.
    """
    recorded = [open_game(archive, opening.id, opening, recorder=recorder)]
    for start in range(0, len(drafts), CHUNK):
        chunk = drafts[start : start + CHUNK]
        recorded += record(archive, opening.id, chunk, expected={1 + start}, recorder=recorder)
    return recorded


def kept_components(
    archive: Archive, game: str, ruleset: Ruleset, options: dict[str, Any], given: JSON | None
) -> dict[str, JSON]:
    """The field `components` of `game.opened`: the given ones, or those of the ruleset for these options.

    A repeated opening gets the components of the first time, even if the ruleset has others today. Raises
    `BadOpeningError`.
    """
    if given is None:
        stored = archive.log.find(game)
        opened = SCHEMAS.read(stored) if stored else None
        if isinstance(opened, GameOpened):
            given = opened.components
        else:
            given = ruleset.components(ruleset.check_options(options))
    return {} if given is None else {"components": given}


def opening_judge(archive: Archive, game: str, event: NewEvent) -> Judge:
    """A judge of the game as `event` would open it. Raises `EntryRejectedError`."""
    entry, fold = _opening(game, event)
    return Judge(archive, fold, [pending_event(game, 1, entry)])


def _opening(game: str, event: NewEvent) -> tuple[CheckedEvent, Fold]:
    try:
        entry = check_event(0, event)
        if event.happened_at and is_ahead(datetime.fromisoformat(event.happened_at)):
            day = event.happened_at[:10]
            raise BadEventError(0, "happened_at", f"{day} is later than tomorrow: give the day on which it was played")
        fold = Fold.start(pending_event(game, 1, entry))
        if fold.blocked_by:
            raise fold.blocked_by
        return check_event(0, event, reader_of(fold.ruleset)), fold
    except FoldError as error:
        cause = error.__cause__
        raise EntryRejectedError(0, cause if isinstance(cause, BadOpeningError) else error) from error
    except (BadEventError, ProjectionError) as error:
        raise EntryRejectedError(0, error) from error


def missed_events(archive: Archive, game: str, after: int, head: int) -> list[Event]:
    """The entries up to `head` that a sender at version `after` has missed, the oldest first."""
    return list(archive.log.read(game, after, min(after + limits.MISSED, head)))


def _record_on(
    archive: Archive,
    base: Fold,
    drafts: Sequence[Draft],
    *,
    recorder: str,
    dry_run: bool,
    permit: Permit | None,
) -> list[RecordedEntry]:
    if base.version + len(drafts) > ENTRIES:
        raise GameFullError(base.game)
    judge = permit.judge(archive, base, dry_run=dry_run) if permit else Judge(archive, base)
    answers = [_judged(judge, index, draft, permit, base.version) for index, draft in enumerate(drafts)]
    if dry_run:
        return answers
    appended = archive.log.append(base.game, judge.entries, expected=base.version, recorder=recorder)
    judge.fold.advance(appended.events[-1])
    if appended.new:
        archive.folds.put(judge.fold)
    whole = permit is None or permit.whole
    return [_stamped(answer, event, whole=whole) for answer, event in zip(answers, appended.events, strict=True)]


def _judged(
    judge: Judge | PlayerJudge, index: int, draft: Draft, permit: Permit | None, recorded: int
) -> RecordedEntry:
    if permit is None:
        return judge.judge(index, draft)
    permit.check_type(index, draft)
    if draft.type not in CORRECTIONS:
        return judge.judge(index, draft)
    revision = judge.fold.revision
    answer = judge.judge(index, draft)
    if permit.whole:
        permit.check_correction(index, judge.entries[-1], recorded)
    if judge.fold.revision != revision:
        permit.check_moving_on(index)
    return answer


def _stamped(answer: RecordedEntry, event: Event, *, whole: bool = True) -> RecordedEntry:
    """The answer with time and hash from the log; the hash only for callers who see `whole` entries."""
    answer.recorded_at, answer.hash = timestamp(event.recorded_at), event.hash if whole else None
    return answer
