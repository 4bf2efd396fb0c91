"""The replay of a game: every valid move and ruling, with the table before and after it, from a viewpoint.

All analyses look at games through it, and so at nothing that cannot be known from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from events.types import MOVES, NoteAdded, RulingGiven
from games.errors import ImpossibleError
from projections.audit import Audit, audit
from projections.fold import adjustments_in, move_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events.event import Event
    from games.contract import Adjustment, Effect, Move, Outcome, Ruleset, State, Viewpoint
    from projections.folds import Folds
    from projections.history import Segment


class Clock(NamedTuple):
    """A time in milliseconds since 1970: by the clock of the `table`, or by that of the service."""

    table: bool
    at: int


class Bookmark(NamedTuple):
    """An entry `version` that the entry `note` marks."""

    version: int
    note: int


@dataclass(frozen=True, eq=False)
class ReplayStep:
    """A move, or a ruling (`move` is None), that counts, as entry `version`.

    `before` and `after` are the table as it can be known from the viewpoint. `at` is when it was made, None where no
    clock was there. `adjustments` are those of a ruling, as they can be known from the viewpoint.
    """

    version: int
    move: Move | None
    before: State
    after: State
    at: Clock | None
    outcome: Outcome | None
    adjustments: Sequence[Adjustment] = ()

    @property
    def seat(self) -> int | None:
        """The seat that moved; None for a move of the table or a ruling."""
        return self.move.seat if self.move else None

    @cached_property
    def scores(self) -> list[int]:
        """The score of every seat after the step."""
        return self.after.totals()

    @cached_property
    def effects(self) -> list[Effect]:
        """The effects of the move, as far as they can be derived from its visible part; else none."""
        if self.move is None:
            return []
        try:
            return self.before.copy().apply(self.move, self.version)
        except ImpossibleError:
            return []

    @cached_property
    def digest(self) -> str:
        """A hash of the table after the step, as known from the viewpoint."""
        return sha256(msgspec.json.encode(self.after.dump())).hexdigest()

    @cached_property
    def input_hash(self) -> str:
        """A hash of the move and the table before it, as known from the viewpoint."""
        return sha256(msgspec.json.encode([self.before.dump(), self.move])).hexdigest()


@dataclass(frozen=True, eq=False)
class GameReplay:
    """A game at `version` from a viewpoint, step by step. `opened` is the table before the first of them.

    `seed` is the same for all versions of the game, and for all viewpoints: it comes from the opening alone.
    """

    game: str
    version: int
    hash: str
    viewpoint: Viewpoint
    ruleset: Ruleset
    seats: int
    seed: str
    began: Clock | None
    opened: State
    steps: Sequence[ReplayStep]
    audit: Audit
    marks: Sequence[Bookmark] = ()

    @property
    def revision(self) -> int:
        """The effective revision of the game's rules."""
        return self.opened.revision

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game, or None while it goes on."""
        return self.steps[-1].outcome if self.steps else self.opened.outcome()


def replay_of(folds: Folds, game: str, version: int, viewpoint: Viewpoint) -> GameReplay:
    """The replay of a game as its record stood at a version.

    Raises `VersionUnknownError`, `GameUnknownError`, `DamagedError`, `FoldError`.
    """
    head = folds.at(game, version)
    segment = folds.segment(game, 1, version)
    (opening,) = folds.read(game, 0, 1)
    opened = segment.fold.state.view(viewpoint)
    return GameReplay(
        game=game,
        version=version,
        hash=head.hash,
        viewpoint=viewpoint,
        ruleset=head.ruleset,
        seats=head.seats,
        seed=opening.hash,
        began=clock_of(opening),
        opened=opened,
        steps=_steps(segment, opened, viewpoint),
        audit=audit(head, viewpoint),
        marks=list(_marks(segment)),
    )


def _steps(segment: Segment, opened: State, viewpoint: Viewpoint) -> list[ReplayStep]:
    fold, corrections, steps, before = segment.fold, segment.corrections, list[ReplayStep](), opened
    for event in segment.in_play_order():
        if not corrections.counts(event):
            continue
        data = fold.read(corrections.content(event))
        segment.apply_entry(event)
        if event.type in MOVES or isinstance(data, RulingGiven):
            move = move_in(data).seen(viewpoint) if event.type in MOVES else None
            after = fold.state.view(viewpoint)
            ruled = [each.seen(viewpoint) for each in adjustments_in(data)] if isinstance(data, RulingGiven) else ()
            steps.append(ReplayStep(event.version, move, before, after, clock_of(event), fold.outcome(), ruled))
            before = after
    return steps


def _marks(segment: Segment) -> Iterator[Bookmark]:
    """The bookmarks that were not withdrawn. Everyone who may see the game sees them."""
    for event in segment.in_play_order():
        if event.type != "note.added" or not segment.corrections.counts(event):
            continue
        data = segment.fold.read(segment.corrections.content(event))
        if isinstance(data, NoteAdded) and data.bookmark:
            yield Bookmark(data.entry or event.version, event.version)


def clock_of(event: Event) -> Clock | None:
    """The time of an entry: at the table, or of recording. None for an entry that was inserted without a time."""
    if event.happened_at:
        return Clock(table=True, at=int(datetime.fromisoformat(event.happened_at).timestamp() * 1000))
    return None if event.type == "entry.inserted" else Clock(table=False, at=event.recorded_at)
