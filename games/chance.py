"""Events of chance that many games have: dice, and cards drawn one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import ChanceEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

DIE: Mapping[str, int] = {str(face): 1 for face in range(1, 7)}
"""The odds of a die."""


def drawn(kind: str, odds: Mapping[str, int], cards: Iterable[str | None], seat: int | None) -> Iterator[ChanceEvent]:
    """Cards that came one after the other, None being one that was not noted; `odds` count those that could.

    What one of them was is known when the next one comes.
    """
    left = {card: count for card, count in odds.items() if count > 0}
    for card in cards:
        if card is not None and card not in left:
            continue  # by the record it lay elsewhere: somebody noted it wrong, and nothing can be said of it
        yield ChanceEvent(kind, left, card, seat)
        if card is not None:
            left = {other: count - (other == card) for other, count in left.items() if count > (other == card)}
