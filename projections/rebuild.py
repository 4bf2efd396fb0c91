"""Rebuilding: all read models are made again from the log and proved, while the old ones are still read."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import msgspec

from events.errors import LogError
from events.kinds import is_of_game
from projections.catalogue import find_game, list_folds, list_unreadable, record_rulesets
from projections.checkpoints import STRIDE, load_checkpoint, next_checkpoint, save_checkpoint
from projections.clubs import clubs_in, list_clubs
from projections.errors import ProjectionError, ViewsDamagedError
from projections.fold import Fold
from projections.history import Corrections, Segment
from projections.views import connect, set_cursor

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlite_utils import Database

    from events.event import Event
    from events.log import LogReader
    from projections.catalogue import Listed
    from projections.views import Views


class Rebuilt(msgspec.Struct, frozen=True):
    """The scope of a rebuild, the games with wrong rows, and the unreadable games with the reasons."""

    games: int
    events: int
    drifted: list[str]
    unreadable: dict[str, str]
    clubs: int = 0


class ProofError(ProjectionError):
    """The new read models do not give back what a fold from zero gives. The old ones stay in use."""


def rebuild(log: LogReader, views: Views, progress: Callable[[int], None] | None = None) -> Rebuilt:
    """Rebuild all read models and put them in the place of the old ones once they are proved.

    `progress` gets the number of folded events. Raises `ProofError`.
    """
    path = views.prepare()
    fresh = connect(path)
    try:
        rebuilt = _fill(fresh, views.db, log, progress)
    except BaseException:
        fresh.conn.close()
        views.discard(path)
        raise
    fresh.conn.close()
    views.install(path)
    return rebuilt


def _fill(fresh: Database, old: Database, log: LogReader, progress: Callable[[int], None] | None) -> Rebuilt:
    position, hash_ = _newest(log)
    events, drifted, unreadable = 0, list[str](), dict[str, str]()
    heads = list(log.heads())
    for head in heads:
        with fresh.atomic():
            try:
                events += _make(fresh, log, head.game, head.version, position)
            except ProofError:
                raise
            except (ProjectionError, LogError) as error:
                unreadable[head.game] = str(error)
                list_unreadable(fresh, head.game, str(error), position)
        if _known(old, head.game) != find_game(fresh, head.game):
            drifted.append(head.game)
        if progress:
            progress(events)
    for game, damage in log.damage.items():
        unreadable[game] = str(damage)
        list_unreadable(fresh, game, str(damage), position)
    with fresh.atomic():
        record_rulesets(fresh)
        set_cursor(fresh, position, hash_)
    clubs = len(clubs_in(fresh))
    return Rebuilt(len(heads) - clubs, events, drifted, unreadable, clubs)


def _make(db: Database, log: LogReader, game: str, until: int, projected: int) -> int:
    """One game's checkpoints and row, proved; returns how many entries it has."""
    events = list(log.read(game, 0, until))
    if not is_of_game(events[0].type):
        list_clubs(db, [game])
        return len(events)
    corrections = Corrections(events)
    fold = Fold.start(events[0], corrections.adopted)
    if fold.blocked_by:
        list_folds(db, [Segment(fold, events[1:], corrections).blocked_at(fold.blocked_by)], projected)
        return len(events)
    due = 1 + STRIDE
    while due < until:
        if corrections.unchanged_since(due):
            Segment(fold, events[fold.version : due], corrections).run_to_end()
            save_checkpoint(db, fold)
        due = max(due + STRIDE, next_checkpoint(db, game, until))
    Segment(fold, events[fold.version :], corrections).run_to_end()
    save_checkpoint(db, fold)
    list_folds(db, [fold], projected)
    _prove(db, fold, events, corrections)
    return len(events)


def _prove(db: Database, fold: Fold, events: list[Event], corrections: Corrections) -> None:
    """Whether what was written, read back and gone on from, is what the fold from zero is."""
    saved = load_checkpoint(db, fold.game, fold.version)
    if saved is not None:
        Segment(saved, events[saved.version :], corrections).run_to_end()
        if saved.dump() != fold.dump():
            raise ProofError(f"game {fold.game}: going on from its checkpoint does not give the fold from zero")
    listed = find_game(db, fold.game)
    if listed is None or (listed.version, listed.scores) != (fold.version, fold.totals()):
        raise ProofError(f"game {fold.game}: the catalogue does not list it as the fold from zero has it")


def _known(db: Database, game: str) -> Listed | None:
    """The row of a game in the used read models; None if it is not reliable."""
    try:
        return find_game(db, game)
    except (ViewsDamagedError, sqlite3.DatabaseError):
        return None


def _newest(log: LogReader) -> tuple[int, str]:
    position = log.position()
    for reached, event in log.feed(max(position - 1, 0), 1):
        return reached, event.hash
    return 0, ""
