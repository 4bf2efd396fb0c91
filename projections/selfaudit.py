"""Self-audit: a game compared with everything derived from it. Only the log is trusted, after a proof of its chain.

What is answered goes on from checkpoints, rows and memory; here the game is folded from zero beside them, by the rules
as they are, and what differs is named. That says where, and nothing of what is recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from events.errors import DamagedError
from games.contract import PUBLIC, RECORD, Viewpoint
from games.words import in_english
from projections.audit import audit
from projections.catalogue.lookups import find_game
from projections.catalogue.rows import listing_of
from projections.checkpoints import checkpoints_of
from projections.errors import ProjectionError, ViewsDamagedError
from projections.folds import Folds
from projections.history import Segment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events.event import Event
    from events.log import LogReader
    from projections.fold import Fold
    from projections.views import Views

Kind = Literal["chain", "checkpoint", "catalogue", "answer", "snapshot", "analysis", "rules"]
"""The kinds of differences: a game, its derived data, or the promises of the rules for a random game."""


class Difference(NamedTuple):
    """A fact that is different from what it should be: its kind, and a description."""

    kind: Kind
    why: str


def fold_from_zero(events: Sequence[Event]) -> Fold:
    """A game by its entries alone. Raises `FoldError`."""
    return Segment.of_game(events).run_to_end()


def differences(log: LogReader, views: Views, game: str) -> Iterator[Difference]:
    """The differences from the log in a game's chain, checkpoints, catalogue row and answers.

    A game that cannot be replayed here has only those of its chain.
    """
    try:
        events = list(log.read(game))
    except DamagedError as error:
        yield Difference("chain", str(error))
        return
    try:
        fold = fold_from_zero(events)
    except ProjectionError:
        return
    yield from _checkpoints(views, game, events)
    yield from _catalogue(views, fold)
    yield from _answers(log, views, fold)


def _checkpoints(views: Views, game: str, events: Sequence[Event]) -> Iterator[Difference]:
    for saved in checkpoints_of(views.db, game):
        if saved.version > len(events) or saved.hash != events[saved.version - 1].hash:
            continue  # of another past of the game: nothing goes on from it
        fold = fold_from_zero(events[: saved.version])
        if saved.revision == fold.ruleset.revision and saved.data != fold.dump():
            yield Difference("checkpoint", f"the checkpoint at version {saved.version} is not what a replay gives")


def _catalogue(views: Views, fold: Fold) -> Iterator[Difference]:
    try:
        found = find_game(views.db, fold.game)
    except ViewsDamagedError as error:
        yield Difference("catalogue", str(error))
        return
    if found is None or found.version != fold.version:
        return  # it is not listed as far yet
    wanted = listing_of(fold)
    for name in found.__struct_fields__:
        if getattr(found, name) != getattr(wanted, name):
            yield Difference("catalogue", f"its {name} is not what its entries say")


def _answers(log: LogReader, views: Views, fold: Fold) -> Iterator[Difference]:
    """The differences in answers, which continue from a checkpoint."""
    try:
        answered = Folds(log, views).at(fold.game, fold.version)
    except ProjectionError as error:
        yield Difference("answer", f"it cannot be answered for: {error}")
        return
    for viewpoint in (RECORD, PUBLIC, *(Viewpoint("seat", seat) for seat in range(fold.seats))):
        if _seen(answered, viewpoint) != _seen(fold, viewpoint):
            yield Difference("answer", f"the answer from {viewpoint.name} is not what a replay gives")


def _seen(fold: Fold, viewpoint: Viewpoint) -> bytes:
    """All answers about a state from a viewpoint, as one text."""
    state = fold.state.view(viewpoint)
    return in_english([audit(fold, viewpoint), state.dump(), state.describe(), state.picture()])
