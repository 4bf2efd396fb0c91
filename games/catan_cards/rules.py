"""Is it allowed? Every rule that a move would break."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.catan_cards.components import ACTIONS, COUNTERS, DEALT, RED, RESOURCES, UNITS
from games.catan_cards.effects import SKIPPED
from games.catan_cards.moves import (
    Alchemist,
    Attack,
    Barter,
    Build,
    Caravan,
    CatanCardsMove,
    City,
    Confiscate,
    Counter,
    Demolish,
    Draw,
    Duel,
    End,
    Gain,
    Happen,
    Hold,
    Lay,
    Merchant,
    Pick,
    Regions,
    Return,
    Road,
    Roll,
    Scout,
    SeatMove,
    Settle,
    Show,
    Skip,
    Spy,
    Start,
    Strike,
    Take,
    Trade,
    turned_up,
)
from games.catan_cards.payments import cost_of, paid, rates, search_price
from games.catan_cards.state import owner, tally
from games.catan_cards.steps import excess_rule, step_rule, step_words
from games.catan_cards.turns import STRUCK, due, takeable, targets
from games.errors import RuleBrokenError
from games.hidden import without
from games.words import counted, name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.catan_cards.state import CatanCardsState, Kind, Pending, Phase

    _Checks = tuple[Callable[[CatanCardsState, Any], Iterator[RuleBrokenError]], ...]

SETUP: tuple[Phase, ...] = ("start", "lay", "pick")
GATE = {"each3": 3, "sum7": 7}
"""The points from which on action cards can be played (catan_cards:51, catan_cards:Q10)."""


def breaches(state: CatanCardsState, move: CatanCardsMove) -> Iterator[RuleBrokenError]:
    """Every rule that the move would break."""
    kind = type(move)
    if state.outcome:
        if kind not in (Show, Hold):
            yield RuleBrokenError(state.outcome.rule, "the game is over")
        return
    for check in _CHECKS.get(kind, ()):
        yield from check(state, move)
    yield from _whereabouts(state, move)


# Where cards are


def _whereabouts(state: CatanCardsState, move: CatanCardsMove) -> Iterator[RuleBrokenError]:
    """Whether cards turn up that lie in a stack, as far as is known: the order in a stack does not change."""
    if not any(stack.sure for stack in state.stacks):
        return
    for holder, cards in turned_up(move):
        lacking = _lacking(state, move, holder, cards)
        for card in dict.fromkeys(lacking):
            if lacking.count(card) > state.at_large(card):
                lies = [number for number, stack in enumerate(state.stacks, 1) if card in stack.sure]
                if lies:
                    yield RuleBrokenError("catan_cards:14", f"{card} was put under stack {lies[0]}")


def _lacking(state: CatanCardsState, move: CatanCardsMove, holder: int, cards: Sequence[str]) -> list[str]:
    """Which of these cards are not known to be where they come from."""
    if isinstance(move, Draw):
        stack = state.stacks[move.stack - 1]
        return without(cards, stack.named() if move.search else stack.reachable())
    return list(cards) if isinstance(move, Pick) else state.hands[holder].lacking(cards)


# When


def _now(state: CatanCardsState, more: str = "") -> RuleBrokenError:
    """The step that is due comes before whatever was done."""
    return RuleBrokenError(step_rule(state), f"now {step_words(state)}{more}")


def _turn(state: CatanCardsState, seat: int) -> Iterator[RuleBrokenError]:
    if seat != state.active:
        yield RuleBrokenError("catan_cards:20", f"it is {name(state.active)}'s turn, not {name(seat)}'s")


def _timing(state: CatanCardsState, move: SeatMove) -> Iterator[RuleBrokenError]:
    if state.phase in SETUP:
        yield _now(state)
        return
    yield from _turn(state, move.seat)
    if state.pending or state.crowded():
        yield _now(state)
    elif state.phase == "roll":
        yield RuleBrokenError("catan_cards:52", "the dice come first")
    elif state.phase in ("refill", "exchange"):
        yield RuleBrokenError("catan_cards:58", f"{name(state.active)} has begun to draw")


def _choice(state: CatanCardsState, seat: int, kind: Kind) -> Iterator[RuleBrokenError]:
    """Whether it is time for a choice, and that of this player."""
    if state.phase in SETUP:
        return  # it cannot be made at all
    first = state.pending[0] if state.pending else None
    if first is None or first.kind != kind:
        yield _now(state)
    elif first.seat != seat:
        later = any(pending.kind == kind and pending.seat == seat for pending in state.pending)
        why = f"{name(first.seat)} chooses first" if later else f"it is {name(first.seat)} who chooses"
        yield RuleBrokenError(first.rule, f"{why}, not {name(seat)}")


def _gain(state: CatanCardsState, move: Gain) -> Iterator[RuleBrokenError]:
    return _choice(state, move.seat, "gain")


def _take(state: CatanCardsState, move: Take) -> Iterator[RuleBrokenError]:
    return _choice(state, move.seat, "take")


def _duel(state: CatanCardsState, move: Duel) -> Iterator[RuleBrokenError]:
    first = due(state, "duel", move.seat)
    if first and first.seat != move.seat:
        yield RuleBrokenError("catan_cards:62", f"{name(first.seat)} attacks and rolls the die, not {name(move.seat)}")


def _regions(state: CatanCardsState, move: Regions) -> Iterator[RuleBrokenError]:
    waiting = due(state, "regions", move.seat)
    if waiting and waiting.seat == move.seat and waiting != state.pending[0]:
        yield _now(state)


# Setup


def _start(state: CatanCardsState, move: Start) -> Iterator[RuleBrokenError]:
    if state.phase == "start" and move.sizes and sum(size >= DEALT for size in move.sizes) < 2:
        yield RuleBrokenError("catan_cards:14", f"both players take {DEALT} cards, each from another stack")


def _lay(state: CatanCardsState, move: Lay) -> Iterator[RuleBrokenError]:
    if state.phase != "lay":
        return
    lands = state.laid(move.seat, move.regions)
    resources = [land.resource for land in lands if land]
    for resource in RESOURCES:
        if resources.count(resource) > 1:
            yield RuleBrokenError("catan_cards:10", f"there is one region of {resource} among the six")
    if all(lands) and state.crests(lands) == [state.crest(1 - move.seat)]:
        yield RuleBrokenError("catan_cards:10", f"{name(1 - move.seat)} has the regions of this crest")


def _pick(state: CatanCardsState, move: Pick) -> Iterator[RuleBrokenError]:
    if state.phase != "pick":
        return
    if move.seat != state.active:
        yield RuleBrokenError("catan_cards:18", f"{name(state.active)} picks first")
    if state.picked[1 - move.seat] == move.stack:
        yield RuleBrokenError("catan_cards:18", f"{name(1 - move.seat)} has picked from stack {move.stack}")


# The dice and what they bring


def _roll(state: CatanCardsState, move: Roll) -> Iterator[RuleBrokenError]:
    if state.phase != "roll":
        return  # the dice of a turn are rolled once, or it would be another turn
    yield from _turn(state, move.seat)
    if state.pending:
        yield _now(state)
    if state.alchemist and move.number not in (None, state.alchemist):
        yield RuleBrokenError("catan_cards:63", f"an Alchemist has set the die to {state.alchemist}, not {move.number}")


def _happen(state: CatanCardsState, move: Happen) -> Iterator[RuleBrokenError]:
    waiting = due(state, "event", move.seat)
    if waiting and waiting.seat != move.seat:
        yield RuleBrokenError("catan_cards:26", f"{name(waiting.seat)} draws the event card")
    if waiting and waiting != state.pending[0]:
        yield _now(state)


def _strike(state: CatanCardsState, move: Strike) -> Iterator[RuleBrokenError]:
    first = due(state, "strike", move.seat)
    card = state.principalities[owner(move.at)].sites.get(move.at)
    if first is None or card is None:
        return
    yield from _choice(state, move.seat, "strike")
    if owner(move.at) == move.seat:
        yield RuleBrokenError(first.rule, f"{name(move.seat)} chooses among the other's cards")
    if card not in STRUCK[first.card]:
        yield RuleBrokenError(first.rule, f"{card} is no {first.card}")
    elif owner(move.at) == 1 - first.seat and move.at not in targets(state, first):
        yield RuleBrokenError("catan_cards:88", f"a Church keeps {card} from Civil War")


def _confiscate(state: CatanCardsState, move: Confiscate) -> Iterator[RuleBrokenError]:
    if due(state, "confiscate", move.seat) is None:
        return
    yield from _choice(state, move.seat, "confiscate")
    most = min(2, len(state.hands[1 - move.seat]))
    if len(move.cards) < most:
        yield RuleBrokenError("catan_cards:Q21b", f"{most} cards are put away, not {len(move.cards)}")


def _skip(state: CatanCardsState, move: Skip) -> Iterator[RuleBrokenError]:
    first = next((pending for pending in state.pending if pending.seat == move.seat), None)
    if first is None or first.kind not in SKIPPED:
        return
    yield from _choice(state, move.seat, first.kind)
    if first.kind == "give":
        if not state.options.master_builder_optional:
            yield RuleBrokenError("catan_cards:Q22", "Master Builder is not optional")
    else:
        declined = first.kind in ("gain", "take")
        yield RuleBrokenError("catan_cards:Q40" if declined else first.rule, "what can be done is not declined")


# Cards of the hand


def _return(state: CatanCardsState, move: Return) -> Iterator[RuleBrokenError]:
    first = state.pending[0] if state.pending else None
    if first:
        if first.kind != "give" or first.seat != move.seat:
            yield _now(state)
    elif state.crowded():
        if not state.excess(move.seat):
            yield RuleBrokenError(excess_rule(state), f"{name(move.seat)} holds no more cards than the limit")
    elif state.phase not in ("actions", "refill"):
        yield _now(state)
    elif move.seat != state.active:
        yield from _turn(state, move.seat)
    elif not state.full(move.seat):
        yield RuleBrokenError("catan_cards:57", "a card is exchanged only by who needs no refill")


def _draw(state: CatanCardsState, move: Draw) -> Iterator[RuleBrokenError]:
    first = state.pending[0] if state.pending else None
    if first:
        yield from _look(state, move, first)
        return
    if state.phase not in ("actions", "refill", "exchange") or state.crowded():
        yield _now(state)
        return
    if move.seat != state.active:
        yield from _turn(state, move.seat)
        return
    if state.phase != "exchange" and state.full(move.seat):
        yield RuleBrokenError("catan_cards:56", f"{name(move.seat)} holds {len(state.hands[move.seat])} cards already")
    if state.phase == "exchange" and state.options.exchange_same_stack and move.stack != state.looked:
        yield RuleBrokenError("catan_cards:Q12", f"the card comes from stack {state.looked}, as one went there")
    price = search_price(state, move.seat) if move.search else 0
    if len(move.pay) != price:
        rule = "catan_cards:94" if price == 1 else "catan_cards:56"
        yield RuleBrokenError(rule, f"that costs {counted(price, 'resource')}, not {len(move.pay)}")


def _look(state: CatanCardsState, move: Draw, first: Pending) -> Iterator[RuleBrokenError]:
    if first.kind != "look" or first.seat != move.seat:
        yield _now(state)
        return
    if not move.search or move.pay:
        yield RuleBrokenError("catan_cards:75", "the stack is looked through, and that costs nothing")
    if move.stack == state.looked:
        yield RuleBrokenError("catan_cards:Q22b", f"{name(1 - move.seat)} looked through stack {move.stack}")


def _end(state: CatanCardsState, move: End) -> Iterator[RuleBrokenError]:
    if state.phase in SETUP:
        return
    yield from _turn(state, move.seat)
    if state.pending or state.crowded() or state.phase == "roll":
        yield _now(state)
        return
    if state.phase == "exchange" and sources(state):
        yield RuleBrokenError("catan_cards:57", "a card is drawn for the one put away")
    elif not state.full(state.active) and state.drawable():
        limit = state.hand_limit(state.active)
        yield RuleBrokenError("catan_cards:56", f"{name(state.active)} refills the hand to {limit} cards")


def sources(state: CatanCardsState) -> list[int]:
    """The stacks from which a card can be drawn now (catan_cards:Q12, catan_cards:Q57)."""
    bound = state.phase == "exchange" and state.options.exchange_same_stack
    return [
        number for number, stack in enumerate(state.stacks, 1) if stack.size and (not bound or number == state.looked)
    ]


# Trade


def _trade(state: CatanCardsState, move: Trade) -> Iterator[RuleBrokenError]:
    given = paid(state.principalities[move.seat], move.give)
    if len(given) != 1:
        yield RuleBrokenError("catan_cards:37", "equal resources are given for one")
        return
    (resource,) = given
    prices = rates(state, move.seat, resource)
    if len(move.give) not in prices:
        words_ = " or ".join(map(str, prices))
        yield RuleBrokenError(_RATES[prices[0]], f"{words_} {resource} bring one resource, not {len(move.give)}")


_RATES = {3: "catan_cards:37", 2: "catan_cards:38", 1: "catan_cards:39"}


# Building


def _road(state: CatanCardsState, move: Road) -> Iterator[RuleBrokenError]:
    if _open(state, move):
        yield RuleBrokenError("catan_cards:42", f"a road lies on the {move.side}, and no road is next to a road")
    yield from _cost(state, move.seat, "road", move.pay)


def _settle(state: CatanCardsState, move: Settle) -> Iterator[RuleBrokenError]:
    if not _open(state, move):
        yield RuleBrokenError("catan_cards:43", f"no road is open on the {move.side}")
    yield from _cost(state, move.seat, "settlement", move.pay)


def _open(state: CatanCardsState, move: Road | Settle) -> bool:
    own = state.principalities[move.seat]
    return bool(own.line) and own.open_road(right=move.side == "right")


def _city(state: CatanCardsState, move: City) -> Iterator[RuleBrokenError]:
    yield from _cost(state, move.seat, "city", move.pay)


def _build(state: CatanCardsState, move: Build) -> Iterator[RuleBrokenError]:
    centre = state.principalities[move.seat].line.get(move.at[1])
    if move.card in RED and centre == "settlement":
        yield RuleBrokenError("catan_cards:46", f"{move.card} is for cities only")
    if move.at[3] == "2" and centre == "settlement":
        yield RuleBrokenError("catan_cards:6", "a settlement has one site above and one below")
    if move.card not in ACTIONS:
        yield from _cost(state, move.seat, move.card, move.pay)


def _cost(state: CatanCardsState, seat: int, thing: str, pay: Sequence[str]) -> Iterator[RuleBrokenError]:
    cost = cost_of(state, thing)
    if paid(state.principalities[seat], pay) != cost:
        given = words(tally(list(_kinds(state, pay))))
        yield RuleBrokenError("catan_cards:41", f"{thing} costs {words(cost)}, not {given}")


def _kinds(state: CatanCardsState, places: Sequence[str]) -> Iterator[str]:
    for place in places:
        land = state.land(place)
        yield land.resource if land else place


def words(cost: Mapping[Any, int]) -> str:
    """A cost in words."""
    return ", ".join(f"{count} {resource}" for resource, count in cost.items()) or "nothing"


def _demolish(state: CatanCardsState, _: Demolish) -> Iterator[RuleBrokenError]:
    if not state.options.demolish:
        yield RuleBrokenError("catan_cards:Q52", "what is built stays")


# Action cards


def gate(state: CatanCardsState) -> Iterator[RuleBrokenError]:
    """Whether action cards can be played already (catan_cards:51)."""
    kind = state.options.action_gate
    if kind == "each3" and min(state.points) < GATE[kind]:
        yield RuleBrokenError("catan_cards:51", f"each player needs {GATE[kind]} points first")
    if kind == "sum7" and sum(state.points) < GATE[kind]:
        yield RuleBrokenError("catan_cards:Q10", f"both players need {GATE[kind]} points together first")


def _alchemist(state: CatanCardsState, move: Alchemist) -> Iterator[RuleBrokenError]:
    yield from _turn(state, move.seat)
    if state.phase != "roll":
        yield RuleBrokenError("catan_cards:21", "an Alchemist comes before the dice")
    elif state.alchemist:
        yield RuleBrokenError("catan_cards:Q46", f"the die is set to {state.alchemist} already")
    yield from gate(state)


def _attack(state: CatanCardsState, move: Attack) -> Iterator[RuleBrokenError]:
    yield from gate(state)
    if not attackable(state, move.seat, move.card):
        yield RuleBrokenError("catan_cards:Q15", f"{name(1 - move.seat)} has nothing that {move.card} could hit")


def attackable(state: CatanCardsState, seat: int, card: str) -> bool:
    """Whether a duel has a target."""
    if card == "Brigands":
        return bool(takeable(state, seat))
    kinds = STRUCK["building" if card == "Arsonist" else "knight"]
    return any(own in kinds for own in state.principalities[1 - seat].sites.values())


def _counter(state: CatanCardsState, move: Counter) -> Iterator[RuleBrokenError]:
    first = state.pending[0] if state.pending else None
    if first and first.kind == "counter" and move.card not in (None, COUNTERS[first.card]):
        yield RuleBrokenError("catan_cards:53", f"{COUNTERS[first.card]} answers {first.card}, not {move.card}")


CARRIED = 2
"""How many resources a Caravan turns, and a Merchant takes, at the most (catan_cards:68, catan_cards:70)."""


def _caravan(state: CatanCardsState, move: Caravan) -> Iterator[RuleBrokenError]:
    yield from gate(state)
    if len(move.give) > CARRIED:
        yield RuleBrokenError("catan_cards:68", f"a Caravan turns one or two resources, not {len(move.give)}")
    if len(move.give) != len(move.get):
        yield RuleBrokenError("catan_cards:68", "as many resources are gained as are given")
    if len(move.give) < state.options.caravan_min:
        yield RuleBrokenError("catan_cards:Q17", f"a Caravan carries {state.options.caravan_min} resources")
    if sorted(move.give) == sorted(move.get):
        yield RuleBrokenError("catan_cards:Q47", "a Caravan that changes nothing")


def _merchant(state: CatanCardsState, move: Merchant) -> Iterator[RuleBrokenError]:
    yield from gate(state)
    if len(move.take) > CARRIED:
        yield RuleBrokenError("catan_cards:70", f"a Merchant takes one or two resources, not {len(move.take)}")
    if move.give in move.take_to and move.give_to in move.take and len(move.take) == 1:
        yield RuleBrokenError("catan_cards:Q47", "a Merchant who changes nothing")


def _scout(state: CatanCardsState, move: Scout) -> Iterator[RuleBrokenError]:
    first = state.pending[0] if state.pending else None
    if first is None or first.kind != "regions":
        yield RuleBrokenError("catan_cards:71", "a Scout comes right after a settlement")
    elif first.seat != move.seat:
        yield RuleBrokenError("catan_cards:71", f"the settlement is not {name(move.seat)}'s")
    if state.scouted:
        yield RuleBrokenError("catan_cards:71", "a Scout is at work already")


def _spy(state: CatanCardsState, move: Spy) -> Iterator[RuleBrokenError]:
    yield from gate(state)
    if not len(state.hands[1 - move.seat]):
        yield RuleBrokenError("catan_cards:Q47", f"{name(1 - move.seat)} has no card in hand")
    elif not move.taken and stealable(state, move.seat):
        yield RuleBrokenError("catan_cards:Q40", "the Spy takes a card")
    elif move.taken and move.card and not state.options.spy_any and move.card not in UNITS | ACTIONS:
        yield RuleBrokenError("catan_cards:Q19", f"{move.card} is no unit and no action")
    elif move.taken and not move.card and not (state.hands[1 - move.seat].unknown or stealable(state, move.seat)):
        yield RuleBrokenError("catan_cards:Q19", f"{name(1 - move.seat)} holds no unit and no action")


def stealable(state: CatanCardsState, seat: int) -> bool:
    """Whether it is sure that a Spy finds a card to take."""
    hand = state.hands[1 - seat]
    if state.options.spy_any:
        return len(hand) > 0
    return any(card in UNITS or card in ACTIONS for card in hand.known)


_FREE: dict[type[CatanCardsMove], _Checks] = {
    Trade: (_trade,),
    Barter: (),
    Road: (_road,),
    Settle: (_settle,),
    City: (_city,),
    Build: (_build,),
    Demolish: (_demolish,),
    Attack: (_attack,),
    Caravan: (_caravan,),
    Merchant: (_merchant,),
    Spy: (_spy,),
}
"""What the active player (catan_cards:1) does in any number and any order (catan_cards:36)."""

_CHECKS: dict[type[CatanCardsMove], _Checks] = {
    Start: (_start,),
    Lay: (_lay,),
    Pick: (_pick,),
    Roll: (_roll,),
    Happen: (_happen,),
    Gain: (_gain,),
    Take: (_take,),
    Duel: (_duel,),
    Regions: (_regions,),
    Strike: (_strike,),
    Confiscate: (_confiscate,),
    Return: (_return,),
    Draw: (_draw,),
    Skip: (_skip,),
    Alchemist: (_alchemist,),
    Counter: (_counter,),
    Scout: (_scout,),
    End: (_end,),
    **{kind: (_timing, *checks) for kind, checks in _FREE.items()},
}
"""What can be wrong with each kind of move."""
