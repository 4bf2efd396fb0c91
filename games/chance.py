"""Events of chance that many games have: dice, and cards drawn one after the other.

It also makes the move that would have been with other outcomes.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

import msgspec

from games.contract import ChanceEvent
from games.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.contract import Chance, Effect, Move, State

DIE: Mapping[str, int] = {str(face): 1 for face in range(1, 7)}
"""The odds of a die."""

_BETWEEN = re.compile(r"([\s/?]+)")
"""What stands between the words of a notation: `+IFFI/ALOA`, `+?ALOA`, `roll 5 6`."""

Cards = list[str | None]
LOTS = range(1 << 48)
"""The numbers to draw lots from."""


def lot_of(chance: Chance) -> float:
    """A number from 0 to 1, drawn by chance."""
    return chance.choice(LOTS) / len(LOTS)


def drawn_events(
    kind: str,
    odds: Mapping[str, int],
    cards: Sequence[str | None],
    seat: int | None,
    instead: Callable[[Cards], Move] | None = None,
) -> Iterator[ChanceEvent]:
    """The events of cards that came one after the other.

    None is a card that was not noted; `odds` count possible cards.

    Each card is known when the next one comes. `instead` makes the move with other cards.
    """
    return dealt_events([(kind, seat)] * len(cards), partial(remaining_odds, odds), cards, instead)


def remaining_odds(odds: Mapping[str, int], gone: Sequence[str]) -> Mapping[str, int]:
    """The odds of the next card after some are gone."""
    return {card: copies - gone.count(card) for card, copies in odds.items()} if gone else odds


def dealt_events(
    places: Sequence[tuple[str, int | None]],
    odds: Callable[[Sequence[str]], Mapping[str, int]],
    cards: Sequence[str | None],
    instead: Callable[[Cards], Move] | None = None,
) -> Iterator[ChanceEvent]:
    """As `drawn_events`, for cards that each have their own kind of event and seat.

    The odds of a card depend on those before it.
    """
    gone: list[str] = []
    for place, (kind, seat) in enumerate(places[: len(cards)]):
        card, left = cards[place], {each: copies for each, copies in odds(gone).items() if copies > 0}
        if card is not None and card not in left:  # a wrong note: the record has the card elsewhere
            yield ChanceEvent(kind, left, None, seat)
            continue
        swapped = partial(_swapped, instead, cards, place) if instead else None
        yield ChanceEvent(kind, left, card, seat, with_outcome=swapped)
        if card is not None:
            gone.append(card)


def _swapped(instead: Callable[[Cards], Move], cards: Sequence[str | None], place: int, card: str) -> Move:
    """The move with a card at a place. If the card came later, both cards change places, so that no card is lost."""
    found = list(cards)
    if card in cards[place + 1 :]:
        found[cards.index(card, place + 1)] = cards[place]
    found[place] = card
    return instead(found)


def events_of(state: State, move: Move) -> Iterator[ChanceEvent]:
    """The independent events of chance in a move with outcomes that the move itself holds."""
    found = state.ruleset.chances(state, move, ())
    return (event for event in found if event.with_outcome and event.odds and not event.dependent)


def resampled(state: State, move: Move, chance: Chance, since: int = 0) -> Move:
    """The move with new outcomes of its events from number `since` on, drawn by their odds.

    Outcomes that were not noted stay open.
    """
    return _redecide(
        state, move, since, lambda event: weighted_choice(event.odds, chance) if event.outcome is not None else None
    )


def without_outcomes(state: State, move: Move) -> Move:
    """The decision in a move: the move with the first outcome of each event in place of the actual one."""
    return _redecide(state, move, 0, lambda event: min(event.odds))


def choice_text(state: State, move: Move) -> str:
    """The notation of the decision in a move: what all its outcomes have in common, as they are written last."""
    texts = {
        state.notation(event.with_outcome(outcome))
        for event in events_of(state, move)
        for outcome in event.odds
        if event.with_outcome
    }
    if len(texts) < 2:
        return state.notation(move)
    words = zip(*(_BETWEEN.split(text) for text in texts), strict=False)
    common = "".join(word for word, *_ in takewhile(lambda at: len(set(at)) == 1, words))
    return common.rstrip(" /?") or state.notation(move)


def choice_effects(state: State, move: Move, version: int) -> list[Effect]:
    """The effects of the decision in a move: those that it has with each of its outcomes, as they are known."""
    others = (
        event.with_outcome(outcome) for event in events_of(state, move) for outcome in event.odds if event.with_outcome
    )
    common = effects_of(state, move, version)
    for other in others:
        found = effects_of(state, other, version)
        common = [effect for effect in common if effect in found]
    return common


def effects_of(state: State, move: Move, version: int) -> list[Effect]:
    """The effects of a move; none if it is impossible by what is known from the viewpoint."""
    try:
        return state.copy().apply(move, version)
    except ImpossibleError:
        return []


def _redecide(state: State, move: Move, since: int, decide: Callable[[ChanceEvent], str | None]) -> Move:
    """The move with outcomes by `decide`. The odds of each depend on earlier outcomes, so they are computed again."""
    events = islice(events_of(state, move), since, None)
    while event := next(events, None):
        since += 1
        outcome = decide(event)
        if outcome is not None and event.with_outcome:
            move = event.with_outcome(outcome)
            events = islice(events_of(state, move), since, None)
    return move


def weighted_choice(odds: Mapping[str, int], chance: Chance) -> str:
    """Draw an outcome by its odds, which are not empty."""
    place = chance.choice(range(sum(odds.values())))
    for outcome, weight in odds.items():
        place -= weight
        if place < 0:
            return outcome
    raise ValueError("there are no odds")


def with_fields(move: Move, **facts: Any) -> Move:
    """The move with other facts of chance in its fields."""
    return msgspec.structs.replace(move, **facts)
