"""The curve of a finished game on its card: the scores after each entry, as everybody may see them."""

from __future__ import annotations

import threading
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from projections.folds import GameMemory
from service.api.embedding import LONG

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from projections.fold import Fold
    from projections.folds import Folds

FEWEST = 3
"""The fewest different scores of a curve, with those of the opening: one result at the end is no curve."""
WIDTH = 4
"""The thickness of a line, in pixels of the card."""
FORMS = (
    ("#3b82c4", ""),
    ("#cf5f3b", "14 6"),
    ("#44945a", "4 6"),
    ("#9a6cc6", "18 6 4 6"),
    ("#ad7f14", "24 8"),
    ("#7d8390", "8 4 2 4"),
    ("#1d2a33", "3 10"),
    ("#b5447f", "14 4 14 12"),
)
"""By seat: the colour and the dashes of its line. The first six colours are those of the pages."""


class Scores(NamedTuple):
    """The scores of all seats from the entry with this place in the order of play on."""

    place: int
    points: list[int]


class _Kept(NamedTuple):
    hash: str
    curve: Sequence[Scores]


_memory: GameMemory[_Kept] = GameMemory(64, 64 * LONG)
_lock = threading.Lock()


def curve_of(folds: Folds, fold: Fold) -> Sequence[Scores]:
    """Each change of the scores of a finished game, and its last entry. Nothing if the game is long or has no curve.

    A chat does not wait while a long game is replayed.
    """
    if fold.outcome() is None or fold.version > LONG:
        return ()
    kept = _memory.get(fold.game)
    if kept is None or kept.hash != fold.hash:
        found = list(_replayed(folds, fold))
        kept = _Kept(fold.hash, [*found, Scores(fold.version, found[-1].points)] if len(found) >= FEWEST else ())
        with _lock:
            _memory.put(fold.game, kept, fold.version)
    return kept.curve


def _replayed(folds: Folds, fold: Fold) -> Iterator[Scores]:
    segment = folds.segment(fold.game, 1, fold.version)
    found = Scores(1, segment.fold.totals())
    yield found
    for place, event in enumerate(segment.in_play_order(), 2):
        if segment.apply_entry(event) is not None and (points := segment.fold.totals()) != found.points:
            found = Scores(place, points)
            yield found


def draw_lines(curve: Sequence[Scores], x: int, y: int, width: int, height: int) -> Iterator[str]:
    """The lines of all seats in this frame, as SVG, on one scale with 0. The points change in steps."""
    if not curve:
        return
    every = [0, *chain.from_iterable(scores.points for scores in curve)]
    low, last = min(every), curve[-1].place
    scale, step = height / (max(every) - low or 1), width / (last - 1)
    zero = y + height + low * scale
    yield f'<path d="M{x} {zero:.1f}H{x + width}" stroke="#d8cfb8" stroke-width="2"/>'
    for seat in range(len(curve[-1].points)):
        there = ((place, points[seat]) for place, points in curve if seat < len(points))
        (left, top), *others = [(x + (place - 1) * step, zero - points * scale) for place, points in there]
        path = "".join(f"H{at:.1f}V{high:.1f}" for at, high in others)
        yield f'<path class="curve" d="M{left:.1f} {top:.1f}{path}" fill="none" {style(seat)}/>'


def style(seat: int) -> str:
    """The look of a seat's line."""
    colour, dashes = FORMS[seat % len(FORMS)]
    return f'stroke="{colour}" stroke-width="{WIDTH}"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
