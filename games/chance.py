"""Events of chance that many games have: dice, and cards drawn one after the other.

And what a move would have been, had chance decided otherwise.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from games.contract import ChanceEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.contract import Chance, Move, State

DIE: Mapping[str, int] = {str(face): 1 for face in range(1, 7)}
"""The odds of a die."""

Cards = list[str | None]


def drawn_events(
    kind: str,
    odds: Mapping[str, int],
    cards: Sequence[str | None],
    seat: int | None,
    instead: Callable[[Cards], Move] | None = None,
) -> Iterator[ChanceEvent]:
    """Cards that came one after the other, None being one that was not noted; `odds` count those that could.

    What one of them was is known when the next one comes. `instead` is the move with other cards in their place.
    """
    return dealt_events([(kind, seat)] * len(cards), partial(remaining_odds, odds), cards, instead)


def remaining_odds(odds: Mapping[str, int], gone: Sequence[str]) -> Mapping[str, int]:
    """The odds of the next card when some are gone."""
    return {card: copies - gone.count(card) for card, copies in odds.items()} if gone else odds


def dealt_events(
    places: Sequence[tuple[str, int | None]],
    odds: Callable[[Sequence[str]], Mapping[str, int]],
    cards: Sequence[str | None],
    instead: Callable[[Cards], Move] | None = None,
) -> Iterator[ChanceEvent]:
    """As `drawn_events`, if each card is an event of its own kind and seat.

    The odds of a card depend on those before it.
    """
    gone: list[str] = []
    for place, (kind, seat) in enumerate(places[: len(cards)]):
        card, left = cards[place], {each: copies for each, copies in odds(gone).items() if copies > 0}
        if card is not None and card not in left:  # the record has it elsewhere: a note is wrong, so nothing is known
            yield ChanceEvent(kind, left, None, seat)
            continue
        swapped = partial(_swapped, instead, cards, place) if instead else None
        yield ChanceEvent(kind, left, card, seat, with_outcome=swapped)
        if card is not None:
            gone.append(card)


def _swapped(instead: Callable[[Cards], Move], cards: Sequence[str | None], place: int, card: str) -> Move:
    """The move in which a card came at a place; if it came later, they change places, so that all are still there."""
    found = list(cards)
    if card in cards[place + 1 :]:
        found[cards.index(card, place + 1)] = cards[place]
    found[place] = card
    return instead(found)


def events_of(state: State, move: Move) -> Iterator[ChanceEvent]:
    """The independent events of chance in a move, as far as the move itself holds their outcomes."""
    found = state.ruleset.chances(state, move, ())
    return (event for event in found if event.with_outcome and event.odds and not event.dependent)


def resampled(state: State, move: Move, chance: Chance, since: int = 0) -> Move:
    """The move with the outcomes of its events from the number `since` on decided by chance, by their odds.

    What was not noted of them is left so.
    """
    return _again(
        state, move, since, lambda event: weighted_choice(event.odds, chance) if event.outcome is not None else None
    )


def without_outcomes(state: State, move: Move) -> Move:
    """The decision in a move: the move with the first outcome of each event, independent of the actual outcomes."""
    return _again(state, move, 0, lambda event: min(event.odds))


def _again(state: State, move: Move, since: int, decide: Callable[[ChanceEvent], str | None]) -> Move:
    """The odds of an event depend on earlier outcomes, so they are computed again after each that is decided."""
    events = islice(events_of(state, move), since, None)
    while event := next(events, None):
        since += 1
        outcome = decide(event)
        if outcome is not None and event.with_outcome:
            move = event.with_outcome(outcome)
            events = islice(events_of(state, move), since, None)
    return move


def weighted_choice(odds: Mapping[str, int], chance: Chance) -> str:
    """An outcome, drawn by its odds; the odds are not empty."""
    place = chance.choice(range(sum(odds.values())))
    for outcome, weight in odds.items():
        place -= weight
        if place < 0:
            return outcome
    raise ValueError("there are no odds")


def with_fields(move: Move, **facts: Any) -> Move:
    """The move with other facts of chance in its fields."""
    return msgspec.structs.replace(move, **facts)
