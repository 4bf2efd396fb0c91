"""Forks: a "what if" is a game of its own that begins with the entries of another one, and names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

import msgspec

from events.errors import GameUnknownError
from events.event import NewEvent
from events.schemas import SCHEMAS, SEALED_TEXT
from events.types import MOVES, GameOpened, MoveMade, Origin, Override, RulingGiven, SeatChanged
from games.contract import as_json
from projections.errors import VersionUnknownError
from projections.fold import move_in
from projections.history import NO_REASON
from service.recording.judging import Draft
from service.recording.recorder import opening_judge, record_whole_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.event import Event
    from events.types import EventData
    from projections.archive import Archive
    from projections.fold import Fold
    from projections.history import Segment
    from service.recording.judging import RecordedEntry


def fork(
    archive: Archive, parent: str, game: str, *, at: int | None, after: int | None, title: str, recorder: str
) -> list[RecordedEntry]:
    """Open `game` as a fork of `parent`, at version `at` or right after an entry. Returns the recorded entries.

    Without both, with all of it. Sent again, the same request stores nothing twice, even if the parent has gone on.
    Raises `GameUnknownError`, `VersionUnknownError`, and what `record` raises.
    """
    origin = _origin(archive, parent, game, at, after)
    before = archive.folds.at(parent, origin.version)
    opening = _opening(before, game, origin, title)
    drafts = list(_copies(archive, game, origin))
    judge = opening_judge(archive, game, NewEvent(id=game, type=opening.type, data=opening.data))
    for index, draft in enumerate(drafts):
        judge.judge(index, draft)
    return record_whole_game(archive, opening, drafts, recorder=recorder)


def _origin(archive: Archive, parent: str, game: str, at: int | None, after: int | None) -> Origin:
    """The origin of the fork; the stored one if the fork was opened before."""
    stored = archive.log.find(game)
    opened = SCHEMAS.read(stored) if stored else None
    if isinstance(opened, GameOpened) and opened.origin:
        known = opened.origin
        if known.game == parent and at in (None, known.version) and after == known.after:
            return known
    head = archive.log.head(parent)
    if head is None:
        raise GameUnknownError(parent)
    version = at or head.version
    for wanted, last_one in ((version, head.version), (after or 1, version)):
        if wanted > last_one:
            raise VersionUnknownError(parent, wanted, last_one)
    last = next(iter(archive.log.read(parent, version - 1, version)))
    return Origin(parent, version, last.hash, after)


def _opening(before: Fold, game: str, origin: Origin, title: str) -> Draft:
    data: dict[str, Any] = msgspec.to_builtins(before.opened)
    data |= {"revision": before.pinned_revision, "origin": msgspec.to_builtins(origin)}
    data |= {"title": title} if title else {}
    return Draft(id=game, type="game.opened", data=data)


def _copies(archive: Archive, game: str, origin: Origin) -> Iterator[Draft]:
    """The counting entries of the parent up to the origin, in the order of play, as new entries."""
    if origin.after == 1:
        return  # right after the opening nothing had happened yet
    segment = archive.folds.segment(origin.game, 1, origin.version)
    irregular = archive.folds.at(origin.game, origin.version).irregular
    for event in segment.in_play_order():
        data = _copy(segment, event, irregular) if segment.corrections.counts(event) else None
        if data:
            kind = "move.made" if event.type in MOVES else event.type
            yield Draft(id=str(uuid5(UUID(game), event.id)), type=kind, data=data, happened_at=event.happened_at)
        if event.version == origin.after:
            return


def _copy(segment: Segment, event: Event, irregular: dict[int, tuple[str, ...]]) -> dict[str, Any] | None:
    data: EventData = segment.fold.read(segment.corrections.content(event))
    if event.type in MOVES:
        reason = segment.reason(event, irregular)
        return as_json(MoveMade(move_in(data), Override(reason) if reason else None))
    if isinstance(data, RulingGiven):
        reason = (
            NO_REASON if data.reason == SEALED_TEXT else data.reason
        )  # nobody typed what stands where a text was erased
        return as_json(RulingGiven(reason=reason, adjustments=data.adjustments, referee=data.referee))
    return as_json(data) if isinstance(data, SeatChanged) else None
