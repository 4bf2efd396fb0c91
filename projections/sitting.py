"""Who sat in a seat when an entry was made: another person may sit there now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.types import SeatChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.fold import Fold
    from projections.folds import Folds


def sitter_of(folds: Folds, fold: Fold) -> Callable[[int, int], str | None]:
    """A function that tells the person in a seat at an entry of a game, as its record stands in `fold`.

    If nobody was known there then, it is who sits there now: a guest mostly gets a name later.
    """
    now = fold.players
    if _all_stayed(fold):
        return lambda seat, _: now[seat]
    then = _seating(folds, fold)

    def sitter(seat: int, entry: int) -> str | None:
        players = then.get(entry, [])
        return (players[seat] if seat < len(players) else None) or now[seat]

    return sitter


def _all_stayed(fold: Fold) -> bool:
    """Whether everybody who ever sat there sits there now, and who opened the game in the same seat."""
    opened = [seat.player for seat in fold.opened.seats]
    moved = any(was and was != now for was, now in zip(opened, fold.players, strict=False))
    return not moved and fold.all_players <= {*fold.players}


def _seating(folds: Folds, fold: Fold) -> dict[int, list[str | None]]:
    """The players of the first seats at each entry that counts."""
    segment = folds.segment(fold.game, 1, fold.version)
    players: list[str | None] = [seat.player for seat in fold.opened.seats]
    found = {1: players}
    for event in segment.in_play_order():
        if not segment.corrections.counts(event):
            continue
        data = fold.read(segment.corrections.content(event)) if event.type == "seat.changed" else None
        if isinstance(data, SeatChanged):
            players = players + [None] * (data.seat + 1 - len(players))
            players[data.seat] = data.player
        found[event.version] = players
    return found
