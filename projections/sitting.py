"""Who sat in a seat at the time of an entry. Another person may sit there now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from events.types import SeatChanged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from projections.fold import Fold
    from projections.folds import Folds


def sitter_of(folds: Folds, fold: Fold) -> Callable[[int, int], str | None]:
    """A function for the person in a seat at an entry of the game of `fold`.

    If nobody was known then, it is the person there now: a guest mostly gets a name later.
    """
    now = fold.players
    if _all_stayed(fold):
        return lambda seat, _: now[seat]
    return sitter_among(now, [seat.player for seat in fold.opened.seats], _changes(folds, fold))


def sitter_among(
    now: Sequence[str | None], opened: Sequence[str | None], entries: Iterable[tuple[int, SeatTaken | None]]
) -> Callable[[int, int], str | None]:
    """As `sitter_of`, from the people `now`, those at the opening, and the counting entries in play order.

    Each entry has its version and, if somebody took a seat, the person and the seat.
    """
    players = [*opened]
    then = {1: players}
    for version, taken in entries:
        if taken:
            players = players + [None] * (taken.seat + 1 - len(players))
            players[taken.seat] = taken.player
        then[version] = players

    def sitter(seat: int, entry: int) -> str | None:
        found = then.get(entry, [])
        return (found[seat] if seat < len(found) else None) or now[seat]

    return sitter


class SeatTaken(NamedTuple):
    """Who took a seat: a person, or a guest."""

    seat: int
    player: str | None


def _all_stayed(fold: Fold) -> bool:
    """Whether everybody who ever sat there sits there now, and who opened the game in the same seat."""
    opened = [seat.player for seat in fold.opened.seats]
    moved = any(was and was != now for was, now in zip(opened, fold.players, strict=False))
    return not moved and fold.all_players <= {*fold.players}


def _changes(folds: Folds, fold: Fold) -> Iterator[tuple[int, SeatTaken | None]]:
    segment = folds.segment(fold.game, 1, fold.version)
    for event in segment.in_play_order():
        if not segment.corrections.counts(event):
            continue
        data = fold.read(segment.corrections.content(event)) if event.type == "seat.changed" else None
        yield event.version, SeatTaken(data.seat, data.player) if isinstance(data, SeatChanged) else None
