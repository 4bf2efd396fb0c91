"""Recording: what a client sends is judged by the rules on the game's real state, and appended to the log.

The same code answers a dry run, a first attempt and every repetition of it, so all three say the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.entries import check_event
from events.errors import BadEventError, IdReusedError, StaleVersionError
from events.event import Event, NewEvent, timestamp
from events.types import EntryWithdrawn
from games.contract import Outcome
from games.errors import BadOpeningError, ImpossibleError, RulesetError
from projections.errors import FoldError, ProjectionError
from projections.fold import Fold
from projections.history import advance_checked, check_withdrawal, voided
from projections.timeline import Breach, Happening, explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.entries import Entry
    from games.contract import JSON, Move, Ruleset
    from projections.archive import Archive
    from projections.fold import Step

ATTEMPTS = 8
"""How often an append without an expected version is judged anew when others write to the same game meanwhile."""

ENTRIES = 100_000
"""How many entries a game can have: a fold from zero holds them in memory."""

MISSED = 1000
"""How many missed entries a stale sender is told at most."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An entry as a client sends it: an event whose move may be a line of notation instead of an object."""

    id: str
    type: str = "move.made"
    data: dict[str, Any]
    happened_at: str | None = None


class Recorded(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What became of one entry. A dry run has neither `recorded_at` nor `hash`."""

    version: int
    id: str
    type: str
    recorded_at: str | None = None
    hash: str | None = None
    data: dict[str, Any]
    seat: int | None = None
    notation: str | None = None
    effects: list[Happening] = []
    irregular: list[Breach] = []
    scores: list[int]
    outcome: Outcome | None = None


class EntryRejectedError(Exception):
    """An entry of the request was not taken, and so none of them was. The cause says why."""

    def __init__(self, index: int, cause: Exception) -> None:
        super().__init__(f"entry {index}: {cause}")
        self.index, self.cause = index, cause


class GameFullError(Exception):
    """The game has no room for the entries of the request."""

    def __init__(self, game: str) -> None:
        super().__init__(f"game {game} would have more than {ENTRIES:,} entries")


def record(
    archive: Archive,
    game: str,
    drafts: Sequence[Draft],
    *,
    expected: int | None,
    recorder: str,
    dry_run: bool = False,
) -> list[Recorded]:
    """Judge and append 1..n entries to a game, all of them or none.

    `expected` is the version that the sender knows; None takes the newest. Raises `EntryRejectedError` whose cause is
    a `RulesetError`, `ProjectionError` or `BadEventError`, and what `Log.append` raises.
    """
    for _ in range(ATTEMPTS):
        base = archive.folds.current(game)
        try:
            if expected is not None and expected != base.version:
                raise StaleVersionError(game, expected, base.version, missed(archive, game, expected))
            return _record_on(archive, base, drafts, recorder=recorder, dry_run=dry_run)
        except (EntryRejectedError, StaleVersionError, IdReusedError) as error:
            stored = archive.log.find(drafts[0].id)
            if stored is not None and stored.game == game and stored.version > 1:
                base = archive.folds.at(game, stored.version - 1)
                return _record_on(archive, base, drafts, recorder=recorder, dry_run=dry_run)
            if expected is not None or not isinstance(error, StaleVersionError):
                raise
            stale = error
    raise stale


def open_game(archive: Archive, game: str, draft: Draft, *, recorder: str, dry_run: bool = False) -> Recorded:
    """Open a game with a `game.opened`. Raises as `record` does."""
    event = NewEvent(id=draft.id, type="game.opened", data=draft.data, happened_at=draft.happened_at)
    fold = opening_fold(game, event)
    if dry_run:
        return _recorded(fold, event)
    (stored,) = archive.log.append(game, [event], expected=0, recorder=recorder).events
    return _stamped(_recorded(fold, event), stored)


def kept_components(
    archive: Archive, game: str, ruleset: Ruleset[Any, Any], options: dict[str, Any], given: JSON | None
) -> dict[str, JSON]:
    """The field `components` that `game.opened` gets: what is given, or else what the ruleset has for these options.

    A repeated opening gets what was kept the first time, whatever the ruleset has today. Raises `BadOpeningError`.
    """
    if given is None:
        stored = archive.log.find(game)
        given = stored.data.get("components") if stored else ruleset.components(options)
    return {} if given is None else {"components": given}


def opening_fold(game: str, event: NewEvent) -> Fold:
    """The game as `event` would open it. Raises `EntryRejectedError`."""
    try:
        return Fold.start(_pending(game, 1, check_event(0, event)))
    except FoldError as error:
        cause = error.__cause__
        raise EntryRejectedError(0, cause if isinstance(cause, BadOpeningError) else error) from error
    except (BadEventError, ProjectionError) as error:
        raise EntryRejectedError(0, error) from error


def missed(archive: Archive, game: str, after: int) -> list[Event]:
    """What a sender who knows a game up to version `after` has not seen, the oldest first."""
    return list(archive.log.read(game, after, after + MISSED))


def _record_on(
    archive: Archive, base: Fold, drafts: Sequence[Draft], *, recorder: str, dry_run: bool
) -> list[Recorded]:
    if base.version + len(drafts) > ENTRIES:
        raise GameFullError(base.game)
    judge = Judge(archive, base)
    answers = [judge.judge(index, draft) for index, draft in enumerate(drafts)]
    if dry_run:
        return answers
    appended = archive.log.append(base.game, judge.entries, expected=base.version, recorder=recorder)
    judge.fold.reach(appended.events[-1])
    if appended.new:
        archive.folds.put(judge.fold)
    return [_stamped(answer, event) for answer, event in zip(answers, appended.events, strict=True)]


class Judge:
    """Judges entries one after the other on a fold of its own, as if each before had been stored."""

    def __init__(self, archive: Archive, base: Fold) -> None:
        self.entries: list[Entry] = []
        self.fold = base.copy()
        self._archive, self._base = archive, base
        self._pending: list[Event] = []

    def judge(self, index: int, draft: Draft) -> Recorded:
        """What `draft` does as the next entry. Raises `EntryRejectedError`."""
        try:
            if draft.type == "move.made":
                return self._move(index, draft)
            return self._other(index, draft)
        except (RulesetError, ProjectionError, BadEventError) as error:
            raise EntryRejectedError(index, error) from error

    def _move(self, index: int, draft: Draft) -> Recorded:
        fold, ruleset = self.fold, self.fold.ruleset
        said: Any = draft.data.get("move")
        move = ruleset.parse(fold.state, said) if isinstance(said, str) else ruleset.read_move(said)
        data = draft.data | {"move": ruleset.move_data(move)}
        event = self._next(index, draft, data)
        notation = ruleset.notation(fold.state, move)
        step = self._play(move)
        if step.breaches and "override" not in data:
            raise step.breaches[0]
        return _recorded(
            fold,
            event,
            seat=move.seat,
            notation=notation,
            effects=[explain(ruleset, effect) for effect in step.effects],
            irregular=[Breach(breach.rule, breach.why) for breach in step.breaches],
        )

    def _play(self, move: Move) -> Step:
        fold = self.fold
        try:
            step = fold.play(fold.version + 1, move)
        except ImpossibleError:
            fold.ruleset.verify(fold.state, move)  # a broken rule says more than what cannot be because of it
            raise
        fold.version += 1
        return step

    def _other(self, index: int, draft: Draft) -> Recorded:
        event = self._next(index, draft, draft.data)
        if draft.type == "entry.withdrawn":
            self._withdraw(msgspec.convert(draft.data, EntryWithdrawn))
        self.fold.version = self._base.version + len(self.entries)
        return _recorded(self.fold, event)

    def _next(self, index: int, draft: Draft, data: dict[str, Any]) -> NewEvent:
        event = NewEvent(id=draft.id, type=draft.type, data=data, happened_at=draft.happened_at)
        version = self._base.version + len(self.entries) + 1
        entry = check_event(index, event)
        self._pending.append(_pending(self._base.game, version, entry))
        self.entries.append(entry)
        return event

    def _withdraw(self, correction: EntryWithdrawn) -> None:
        """Fold the game anew without the withdrawn entry, and see that all that came after still fits."""
        base, game = self._base, self._base.game
        record = [*self._archive.log.read(game, 0, base.version), *self._pending]
        check_withdrawal(record[:-1], correction)
        start = min(voided(record[:-1]).items() ^ voided(record).items())[0] - 1
        fold, _, _ = self._archive.folds.history(game, start, base.version)
        after = record[fold.version :]
        advance_checked(fold, after, voided(after), self.fold.irregular)
        self.fold = fold


def _pending(game: str, version: int, entry: Entry) -> Event:
    """The entry as an event, before the log has put time and hash to it."""
    return Event(
        game=game,
        version=version,
        id=entry.id,
        type=entry.type,
        schema=entry.schema,
        recorded_at=0,
        happened_at=entry.happened_at,
        recorder="",
        body=entry.body,
        prev="",
        hash="",
    )


def _recorded(fold: Fold, event: NewEvent, **more: Any) -> Recorded:
    return Recorded(
        version=fold.version,
        id=event.id,
        type=event.type,
        data=event.data,
        scores=fold.totals(),
        outcome=fold.outcome(),
        **more,
    )


def _stamped(answer: Recorded, event: Event) -> Recorded:
    answer.recorded_at, answer.hash = timestamp(event.recorded_at), event.hash
    return answer
