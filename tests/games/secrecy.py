"""That nobody is told what he does not know: checks for rulesets in which a player may note hidden cards."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from games.contract import Move, State, Viewpoint
    from games.hidden import Hand


def replace_hidden_cards(hand: Hand, cards: Sequence[str], chance: random.Random) -> None:
    """Let the cards that only the holder knows be any others."""
    private = Counter(hand.known) - Counter(hand.open)
    hand.known = sorted([*hand.open, *chance.choices(cards, k=private.total())])


def assert_alike(one: State, two: State, viewpoints: Iterable[Viewpoint]) -> None:
    """From none of these viewpoints two states can be told apart."""
    for viewpoint in viewpoints:
        views = [state.view(viewpoint) for state in (one, two)]
        assert views[0] == views[1]
        assert len({view.picture() for view in views}) == 1


def assert_recordable(state: State, noted: Iterable[tuple[State, Move]], viewpoint: Viewpoint) -> None:
    """A view of a game, from `state` on, is what somebody could have recorded who was shown only that."""
    for record, move in noted:
        seen = move.seen(viewpoint)
        assert list(state.breaches(seen)) == []
        state.apply(seen, record.version)
        assert record.view(viewpoint) == state
