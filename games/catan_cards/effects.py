"""What a move does. Whatever is not physically impossible can be carried out, legal or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.catan_cards.components import COUNTERS, KNIGHTS, STORE
from games.catan_cards.happenings import happen, turn_up
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
    Settle,
    Show,
    Skip,
    Spy,
    Start,
    Strike,
    Take,
    Trade,
    seers,
    turned_up,
)
from games.catan_cards.scoring import score, score_building
from games.catan_cards.state import SIDES, UNSEEN, Pending, column, corners, owner, tally
from games.catan_cards.steps import out_of_step
from games.catan_cards.turns import begin_turn, drop, due, hand_over, proceed, remove, step, store
from games.contract import Effect
from games.errors import ImpossibleError
from games.words import name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.catan_cards.components import Land
    from games.catan_cards.state import CatanCardsState, Kind, Phase, Principality

KINDS = {
    "start.chosen": "{seat} starts",
    "stacks.made": "The stacks have {at} cards",
    "regions.laid": "{seat} laid {at}",
    "region.unlisted": "{at} is not in the list of this box: look at the card, and at the list",
    "hand.picked": "{seat} took {count} cards from stack {at}",
    "turn.begun": "{seat} begins turn {count}",
    "dice.rolled": "{seat} rolled {at} and {count}",
    "stock.gained": "{seat}: {at} +{count}",
    "stock.lost": "{seat}: {at} −{count}",
    "tournament.won": "{seat} wins the tournament, {at}",
    "tournament.tied": "Nobody wins the tournament, {at}",
    "advantage.held": "{seat} holds the windmill token and takes a resource",
    "advantage.missed": "Nobody holds the windmill token",
    "brigands.spared": "It is too early for brigands",
    "brigands.repelled": "{seat} has {count} unprotected resources: brigands take nothing",
    "brigands.raided": "{seat} has {count} unprotected resources: brigands take all ore and wool",
    "event.drawn": "{seat} drew the event card {at}",
    "conflict.missed": "Nobody holds the knight token",
    "plague.averted": "{seat} is kept from plague {at}",
    "events.shuffled": "The event cards are shuffled",
    "choice.passed": "There is nothing to choose for {seat}",
    "choice.skipped": "{seat} does without",
    "card.struck": "{seat} takes {at} back into the hand",
    "cards.confiscated": "{seat} lost {count} cards of the hand, which go under stack {at}",
    "card.returned": "{seat} put a card under stack {at}",
    "card.drawn": "{seat} drew a card from stack {at}",
    "card.searched": "{seat} searched stack {at} for a card",
    "trade.made": "{seat} traded {at}",
    "road.built": "{seat} built a road in column {at}",
    "settlement.built": "{seat} built a settlement in column {at}",
    "city.built": "{seat} built a city in column {at}",
    "expansion.built": "{seat} built {at}",
    "expansion.demolished": "{seat} tore down {at}",
    "action.played": "{seat} played {at}",
    "number.set": "{seat} set the production die to {count}",
    "counter.played": "{seat} answered with {at}",
    "counter.missed": "{seat} did not answer",
    "duel.won": "{seat} won the duel with a {count}",
    "region.added": "{seat} put {at}",
    "regions.shuffled": "The region cards are shuffled",
    "card.stolen": "{seat} took {at} from the other hand",
    "spy.failed": "{seat} found nothing to take",
    "token.gained": "{seat} has the {at}",
    "token.lost": "{seat} has the {at} no longer",
    "hand.shown": "{seat} showed {at}",
    "hand.noted": "{seat} noted cards in hand",
    "actions.ended": "{seat} is done, with too many cards in hand",
    "turn.ended": "{seat} handed the dice over",
    "game.won": "{seat} won with {count} points",
}
"""Every kind of effect, and the sentence it reads as."""

HITS = {False: 5, True: 2}
"""Up to which number a duel succeeds, without a counter and with one (catan_cards:65)."""


def apply(state: CatanCardsState, move: CatanCardsMove) -> list[Effect]:
    """Carry the move out, and say what followed. Raises `ImpossibleError`."""
    effects = _APPLY[type(move)](state, move) + proceed(state, built=type(move) in _BUILDING)
    for _, cards in turned_up(move):
        state.correct(seers(move), cards)
    return effects


_BUILDING = frozenset({Strike, City, Build, Demolish})
"""The moves that change who should hold a token (catan_cards:35)."""


# Setup


def _start(state: CatanCardsState, move: Start) -> list[Effect]:
    _demand_step(state, "start")
    sizes, cards = move.sizes or state.box.sizes(), state.box.expansions()
    if len(sizes) != len(state.stacks) or sum(sizes) != cards:
        raise ImpossibleError(f"{cards} cards make five stacks, not {' '.join(map(str, sizes))}", "catan_cards:14")
    for stack, size in zip(state.stacks, sizes, strict=True):
        stack.size = size
    state.starts = state.active = move.starts
    state.phase = "lay"
    return [
        Effect("start.chosen", "catan_cards:17", move.starts),
        Effect("stacks.made", "catan_cards:Q1", at=tuple(map(str, sizes))),
    ]


def _lay(state: CatanCardsState, move: Lay) -> list[Effect]:
    """The six regions show 1 each; the settlements are the first two points (catan_cards:12, catan_cards:19)."""
    _demand_step(state, "lay")
    own = state.principalities[move.seat]
    if len(own.regions) == len(move.regions):
        raise ImpossibleError(f"{name(move.seat)} has laid already", "catan_cards:11")
    places = corners(move.seat)
    for place, land in zip(places, move.regions, strict=True):
        if land and place in own.regions and own.regions[place] != land:
            raise ImpossibleError(f"{place} is known to be {own.regions[place]}, not {land}", "catan_cards:11")
    for place, land in zip(places, move.regions, strict=True):
        if land:
            own.regions[place], own.stocks[place] = land, 1
    own.regions = {place: own.regions[place] for place in places if place in own.regions}
    effects = [Effect("regions.laid", "catan_cards:11", move.seat, tuple(map(str, own.regions.values())))]
    if len(own.regions) < len(places):
        return effects
    effects += _unlisted(state, [*own.regions.values()])
    own.roads, own.line = ["m"], {"l": "settlement", "n": "settlement"}
    for letter in own.line:
        score(state, move.seat, 1, "settlement", "catan_cards:19", f"starting settlement {letter}")
    if all(one.line for one in state.principalities):
        state.active, state.phase = state.starts, "pick"
    else:
        state.active = 1 - move.seat
    return effects


def _unlisted(state: CatanCardsState, lands: Sequence[Land]) -> list[Effect]:
    """What differs from the crest that the regions are nearest to: a remark only, as the cards are right."""
    nearest = max(
        state.box.starting_regions, key=lambda crest: sum(crest[land.resource] == land.number for land in lands)
    )
    differing = (land for land in lands if nearest[land.resource] != land.number)
    return [Effect("region.unlisted", "catan_cards:Q35", at=(str(land),)) for land in differing]


def _pick(state: CatanCardsState, move: Pick) -> list[Effect]:
    _demand_step(state, "pick")
    if state.picked[move.seat]:
        raise ImpossibleError(f"{name(move.seat)} has taken cards already", "catan_cards:18")
    if state.stacks[move.stack - 1].size < len(move.cards):
        raise ImpossibleError(f"stack {move.stack} is too small", "catan_cards:18")
    _demand_copies(state, [card for card in move.cards if card])
    for card in move.cards:
        _take_from(state, move.seat, move.stack, card, top=False)
    state.picked[move.seat] = move.stack
    effects = [Effect("hand.picked", "catan_cards:18", move.seat, (str(move.stack),), len(move.cards))]
    other = 1 - move.seat
    if not state.picked[other]:
        state.active = other
        return effects
    return effects + begin_turn(state, state.starts)


# The dice


def _roll(state: CatanCardsState, move: Roll) -> list[Effect]:
    if state.phase != "roll":
        raise out_of_step(state)
    number = move.number or state.alchemist
    if not number:
        raise ImpossibleError("the production die shows a number", "catan_cards:20")
    effects = []
    if move.seat != state.active:  # the other one has taken the turn, which was not had by whom it belonged to
        state.turns[state.active] -= 1
        effects = begin_turn(state, move.seat)
    state.phase, state.face, state.production = "event", move.event, number
    effects.append(Effect("dice.rolled", "catan_cards:20", move.seat, (move.event,), number))
    return effects + happen(state, move.event)


def _happen(state: CatanCardsState, move: Happen) -> list[Effect]:
    first = _demand_due(state, "event", move.seat)
    top = state.events[0]
    if top and top != move.card:
        raise ImpossibleError(f"the top event card is {top}: it was put under the stack before", "catan_cards:26")
    if not top and state.events.count(move.card) >= state.box.events[move.card]:
        raise ImpossibleError(f"{move.card} lies further down: it was put under the stack before", "catan_cards:26")
    drop(state, first)
    state.events = [*state.events[1:], move.card]
    return [Effect("event.drawn", "catan_cards:26", move.seat, (move.card,)), *turn_up(state, move.card)]


# What is pending


def _gain(state: CatanCardsState, move: Gain) -> list[Effect]:
    """A gain that is nobody's due is one all the same, if somebody helped himself."""
    _demand_begun(state)
    _demand_own(state, move.seat, [move.at])
    _demand_room(state, [move.at])
    return [store(state, move.at, 1, _made(state, "gain", move.seat))]


def _take(state: CatanCardsState, move: Take) -> list[Effect]:
    _demand_begun(state)
    _demand_own(state, move.seat, [move.to])
    _demand_own(state, 1 - move.seat, [move.at])
    _demand_stock(state, [move.at])
    _demand_alike(state, [move.at], [move.to])
    _demand_room(state, [move.to])
    rule = _made(state, "take", move.seat)
    return [remove(state, move.at, 1, rule), store(state, move.to, 1, rule)]


def _made(state: CatanCardsState, kind: Kind, seat: int) -> str:
    """The rule of a choice that is made now, and waits no longer if it did."""
    found = due(state, kind, seat)
    if found is None:
        return "catan_cards:3"
    drop(state, found)
    return found.rule


def _strike(state: CatanCardsState, move: Strike) -> list[Effect]:
    first = _demand_due(state, "strike", move.seat)
    if move.at not in state.principalities[owner(move.at)].sites:
        raise ImpossibleError(f"no card lies at {move.at}", first.rule)
    drop(state, first)
    card = take_off(state, move.at, first.rule)
    state.hands[owner(move.at)].take(card, open=True)
    return [Effect("card.struck", first.rule, owner(move.at), (card, move.at))]


def take_off(state: CatanCardsState, site: str, rule: str) -> str:
    """Take an expansion off its site (catan_cards:47); its points go with it."""
    card = state.principalities[owner(site)].sites.pop(site)
    score_building(state, owner(site), card, -1, rule, f"{card} lost")
    return card


def _confiscate(state: CatanCardsState, move: Confiscate) -> list[Effect]:
    first = _demand_due(state, "confiscate", move.seat)
    victim = 1 - move.seat
    named = [card for card in move.cards if card]
    if len(move.cards) > len(state.hands[victim]):
        raise ImpossibleError(f"{name(victim)} holds {len(state.hands[victim])} cards", "catan_cards:Q21b")
    demand_held(state, victim, named)
    drop(state, first)
    state.hands[victim].give_unseen(len(move.cards), named, peeked=True)
    for card in move.cards:
        state.stacks[move.stack - 1].put((move.seat, victim), card)
    return [Effect("cards.confiscated", first.rule, victim, (str(move.stack),), len(move.cards))]


def _counter(state: CatanCardsState, move: Counter) -> list[Effect]:
    first = _demand_own_due(state, "counter", move.seat)
    if move.card:
        _play(state, move.seat, move.card)
    rule = _DUELS[first.card]
    at = state.pending.index(first)
    state.pending[at] = Pending("duel", 1 - move.seat, rule, first.card, countered=bool(move.card))
    if not move.card:
        return [Effect("counter.missed", "catan_cards:Q15b", move.seat)]
    return [Effect("counter.played", _COUNTERED[COUNTERS[first.card]], move.seat, (move.card,))]


def _duel(state: CatanCardsState, move: Duel) -> list[Effect]:
    """Whoever wins the attacker's roll chooses what the other loses (catan_cards:62, catan_cards:Q14)."""
    first = _demand_due(state, "duel", move.seat)
    winner = first.seat if move.number <= HITS[first.countered] else 1 - first.seat
    drop(state, first)
    if first.card == "Brigands":
        state.pending[:0] = [Pending("take", winner, first.rule)] * 2
    else:
        struck = "building" if first.card == "Arsonist" else "knight"
        state.pending.insert(0, Pending("strike", winner, first.rule, struck))
    return [Effect("duel.won", first.rule, winner, count=move.number)]


def _regions(state: CatanCardsState, move: Regions) -> list[Effect]:
    first = _demand_own_due(state, "regions", move.seat)
    own, effects = state.principalities[move.seat], []
    drop(state, first)
    for side, land in zip(SIDES, (move.up, move.down), strict=True):
        place = f"{move.seat + 1}{first.column}{side}"
        own.regions[place], own.stocks[place] = land, 0
        effects.append(Effect("region.added", "catan_cards:43", move.seat, (place, str(land))))
        if land in state.lands:
            state.lands.remove(land)
        else:
            effects.append(Effect("region.unlisted", "catan_cards:13", at=(str(land),)))
    if state.scouted:
        state.scouted = False
        effects.append(Effect("regions.shuffled", "catan_cards:71"))
    return effects


# Cards of the hand


def _return(state: CatanCardsState, move: Return) -> list[Effect]:
    if move.card:
        demand_held(state, move.seat, [move.card])
    elif not len(state.hands[move.seat]):
        raise ImpossibleError(f"{name(move.seat)} has no card in hand", "catan_cards:57")
    first, next_, rule = due(state, "give", move.seat), step(state), "catan_cards:57"
    if first and first.seat == move.seat:
        state.pending.remove(first)
        rule = first.rule
    elif next_ == "excess":
        rule = "catan_cards:Q5"
    elif next_ in ("actions", "refill") and move.seat == state.active:
        if state.options.own_turn_limit == "end" and len(state.hands[move.seat]) > state.hand_limit(move.seat):
            state.phase, rule = "refill", "catan_cards:Q50"  # too many: they go first, and end the actions
        else:
            state.phase, state.looked = "exchange", move.stack
    state.hands[move.seat].give_unseen(1, [move.card] if move.card else [])
    state.stacks[move.stack - 1].put((move.seat,), move.card)
    return [Effect("card.returned", rule, move.seat, (str(move.stack),))]


def _draw(state: CatanCardsState, move: Draw) -> list[Effect]:
    """A card from the top, or searched; the hand refilled, or the exchange made, the turn ends (catan_cards:58)."""
    stack = state.stacks[move.stack - 1]
    if not stack.size:
        raise ImpossibleError(f"stack {move.stack} is empty", "catan_cards:Q57")
    if move.card:
        demand_free(state, move.card, stack.named() if move.search else stack.reachable())
    effects = _pay(state, move.seat, move.pay, "catan_cards:56") if move.pay else []
    _take_from(state, move.seat, move.stack, move.card, top=not move.search)
    first = due(state, "look", move.seat)
    if first and first.seat == move.seat:
        drop(state, first)
        state.looked = move.stack
        return [*effects, _drawn(move, first.rule)]
    effects.append(_drawn(move, "catan_cards:57" if state.phase == "exchange" else "catan_cards:56"))
    if move.seat != state.active or state.pending or state.phase not in ("actions", "refill", "exchange"):
        return effects
    if state.phase == "exchange" or state.full(move.seat) or not state.drawable():
        return effects + hand_over(state)
    state.phase = "refill"
    return effects


def _drawn(move: Draw, rule: str) -> Effect:
    if move.search:
        return Effect("card.searched", rule, move.seat, (str(move.stack),))
    return Effect("card.drawn", rule, move.seat, (str(move.stack),))


def _skip(state: CatanCardsState, move: Skip) -> list[Effect]:
    first = next((pending for pending in state.pending if pending.seat == move.seat), None)
    if first is None or first.kind not in SKIPPED:
        raise out_of_step(state)
    drop(state, first)
    return [Effect("choice.skipped", first.rule, move.seat)]


SKIPPED: tuple[Kind, ...] = ("event", "gain", "take", "strike", "confiscate", "give", "look")
"""What somebody can do without, or forget. A duel is answered with `-`, and a settlement has its regions."""


def _end(state: CatanCardsState, move: End) -> list[Effect]:
    _demand_begun(state)
    if step(state) == "actions" and len(state.hands[state.active]) > state.hand_limit(state.active):
        state.phase = "refill"  # the limit holds from now on, and the hand is above it (catan_cards:Q50)
        return [Effect("actions.ended", "catan_cards:Q50", move.seat)]
    return hand_over(state)


def _show(state: CatanCardsState, move: Show) -> list[Effect]:
    demand_held(state, move.seat, move.cards)
    state.hands[move.seat].show(move.cards)
    return [Effect("hand.shown", "catan_cards:72", move.seat, move.cards)]


def _hold(state: CatanCardsState, move: Hold) -> list[Effect]:
    demand_held(state, move.seat, move.cards)
    state.hands[move.seat].note(move.cards)
    return [Effect("hand.noted", "catan_cards:18", move.seat)]


# Trade


def _trade(state: CatanCardsState, move: Trade) -> list[Effect]:
    _demand_own(state, move.seat, [*move.give, move.get])
    _exchange(state, [*move.give], [move.get])
    given = _resource(state, move.give[0])
    words = f"{len(move.give)} {given} for 1 {_resource(state, move.get)}"
    rule = {1: "catan_cards:39", 2: "catan_cards:38"}.get(len(move.give), "catan_cards:37")
    return [Effect("trade.made", rule, move.seat, (words,)), *_swap(state, move.give, [move.get], rule)]


def _barter(state: CatanCardsState, move: Barter) -> list[Effect]:
    """Both pay first, and then receive (catan_cards:Q8b)."""
    _demand_own(state, move.seat, [*move.give, *move.take_to])
    _demand_own(state, 1 - move.seat, [*move.take, *move.give_to])
    _demand_alike(state, move.give, move.give_to)
    _demand_alike(state, move.take, move.take_to)
    _exchange(state, [*move.give, *move.take], [*move.give_to, *move.take_to])
    words = f"{_goods(state, move.give)} for {_goods(state, move.take)}"
    effects = [Effect("trade.made", "catan_cards:40", move.seat, (words,))]
    return effects + _swap(state, [*move.give, *move.take], [*move.give_to, *move.take_to], "catan_cards:40")


def _exchange(state: CatanCardsState, give: Sequence[str], get: Sequence[str]) -> None:
    """Make sure that some regions can give, and then others receive."""
    _demand_stock(state, give)
    for place in get:
        if state.stock(place) - give.count(place) + get.count(place) > STORE:
            raise ImpossibleError(f"{place} has no room", "catan_cards:4")


def _swap(state: CatanCardsState, give: Sequence[str], get: Sequence[str], rule: str) -> list[Effect]:
    effects = [remove(state, place, count, rule) for place, count in tally(give).items()]
    return effects + [store(state, place, count, rule) for place, count in tally(get).items()]


def _goods(state: CatanCardsState, places: Sequence[str]) -> str:
    return " and ".join(f"{count} {goods}" for goods, count in tally([_resource(state, at) for at in places]).items())


def _resource(state: CatanCardsState, place: str) -> str:
    land = state.land(place)
    return land.resource if land else ""


# Building


def _road(state: CatanCardsState, move: Road) -> list[Effect]:
    """A road beside a road, against catan_cards:42, lies where the next one would: the place between stays open."""
    own = _laid(state, move.seat)
    letter = own.next_road(right=move.side == "right")
    if letter is None:
        raise ImpossibleError(f"no column is left on the {move.side}", "catan_cards:42")
    _demand_supply(state, "road")
    effects = _charge(state, move.seat, move.pay, "road")
    own.roads.append(letter)
    return [*effects, Effect("road.built", "catan_cards:42", move.seat, (letter,))]


def _settle(state: CatanCardsState, move: Settle) -> list[Effect]:
    """A settlement counts before its regions are drawn (catan_cards:Q45).

    One without a road, against catan_cards:43, lies where it would with one.
    """
    own, right = _laid(state, move.seat), move.side == "right"
    _demand_supply(state, "settlement")
    effects = _charge(state, move.seat, move.pay, "settlement")
    x, outwards = own.end(right=right), 1 if right else -1
    letter, beyond = column(x + 2 * outwards), column(x + 3 * outwards)
    own.line[letter] = "settlement"
    score(state, move.seat, 1, "settlement", "catan_cards:61", f"settlement {letter}")
    state.pending.insert(0, Pending("regions", move.seat, "catan_cards:43", column=beyond))
    return [*effects, Effect("settlement.built", "catan_cards:43", move.seat, (letter,))]


def _city(state: CatanCardsState, move: City) -> list[Effect]:
    own = _laid(state, move.seat)
    if own.line.get(move.at) != "settlement":
        raise ImpossibleError(f"no settlement to build on lies in column {move.at}", "catan_cards:44")
    _demand_supply(state, "city")
    effects = _charge(state, move.seat, move.pay, "city")
    own.line[move.at] = "city"
    score(state, move.seat, 1, "city", "catan_cards:61", f"city {move.at} on its settlement")
    return [*effects, Effect("city.built", "catan_cards:44", move.seat, (move.at,))]


def _build(state: CatanCardsState, move: Build) -> list[Effect]:
    own = _laid(state, move.seat)
    if owner(move.at) != move.seat or move.at[1] not in own.line:
        raise ImpossibleError(f"{move.at} is no site of {name(move.seat)}", "catan_cards:6")
    if move.at in own.sites:
        raise ImpossibleError(f"{own.sites[move.at]} lies at {move.at}", "catan_cards:45")
    if move.card not in state.box.cards or state.box.cards[move.card].colour == "yellow":
        raise ImpossibleError(f"{move.card} is an action, and nothing to build", "catan_cards:50")
    demand_held(state, move.seat, [move.card])
    effects = _charge(state, move.seat, move.pay)
    state.hands[move.seat].give(move.card)
    own.sites[move.at] = move.card
    rule = _BUILT.get(move.card, "catan_cards:45" if state.box.cards[move.card].colour == "green" else "catan_cards:46")
    score_building(state, move.seat, move.card, 1, rule, f"{move.card} at {move.at[1:]}")
    return [*effects, Effect("expansion.built", rule, move.seat, (move.card, move.at))]


def _demolish(state: CatanCardsState, move: Demolish) -> list[Effect]:
    if owner(move.at) != move.seat or move.at not in state.principalities[move.seat].sites:
        raise ImpossibleError(f"no card of {name(move.seat)} lies at {move.at}", "catan_cards:Q52")
    card = take_off(state, move.at, "catan_cards:Q52")
    state.spent.append(card)
    return [Effect("expansion.demolished", "catan_cards:Q52", move.seat, (card, move.at))]


_BUILT = {
    "Abbey": "catan_cards:80",
    "Garrison": "catan_cards:81",
    "Grain Mill": "catan_cards:82",
    "Sawmill": "catan_cards:82",
    "Brick Factory": "catan_cards:82",
    "Foundry": "catan_cards:82",
    "Woolen Mill": "catan_cards:82",
    **dict.fromkeys(KNIGHTS, "catan_cards:83"),
    "Smithy": "catan_cards:84",
    "Brick Fleet": "catan_cards:85",
    "Gold Fleet": "catan_cards:85",
    "Grain Fleet": "catan_cards:85",
    "Lumber Fleet": "catan_cards:85",
    "Ore Fleet": "catan_cards:85",
    "Wool Fleet": "catan_cards:85",
    "Aqueduct": "catan_cards:86",
    "Bathhouse": "catan_cards:87",
    "Church": "catan_cards:88",
    "The Colossus of Catan": "catan_cards:89",
    "Harbor": "catan_cards:90",
    "Library": "catan_cards:91",
    "Marketplace": "catan_cards:92",
    "Counting House": "catan_cards:92",
    "Merchant Guild": "catan_cards:92",
    "Mint": "catan_cards:93",
    "Town Hall": "catan_cards:94",
}
"""The rule of each expansion."""


# Action cards


def _alchemist(state: CatanCardsState, move: Alchemist) -> list[Effect]:
    _play(state, move.seat, "Alchemist")
    state.alchemist = move.number
    return [
        Effect("action.played", "catan_cards:63", move.seat, ("Alchemist",)),
        Effect("number.set", "catan_cards:63", move.seat, count=move.number),
    ]


_DUELS = {"Arsonist": "catan_cards:64", "The Black Knight": "catan_cards:66", "Brigands": "catan_cards:67"}
_COUNTERED = {"Bishop": "catan_cards:65", "Herb Woman": "catan_cards:69"}


def _attack(state: CatanCardsState, move: Attack) -> list[Effect]:
    _play(state, move.seat, move.card)
    state.pending.insert(0, Pending("counter", 1 - move.seat, _DUELS[move.card], move.card))
    return [Effect("action.played", _DUELS[move.card], move.seat, (move.card,))]


def _caravan(state: CatanCardsState, move: Caravan) -> list[Effect]:
    _demand_own(state, move.seat, [*move.give, *move.get])
    _exchange(state, move.give, move.get)
    _play(state, move.seat, "Caravan")
    effects = [Effect("action.played", "catan_cards:68", move.seat, ("Caravan",))]
    return effects + _swap(state, move.give, move.get, "catan_cards:68")


def _merchant(state: CatanCardsState, move: Merchant) -> list[Effect]:
    """First take, then give, so that what was taken can be given (catan_cards:Q18)."""
    other = 1 - move.seat
    _demand_own(state, move.seat, [*move.take_to, move.give])
    _demand_own(state, other, [*move.take, move.give_to])
    _demand_alike(state, move.take, move.take_to)
    _demand_alike(state, [move.give], [move.give_to])
    _demand_stock(state, move.take)
    for place in move.take_to:
        if state.stock(place) + move.take_to.count(place) > STORE:
            raise ImpossibleError(f"{place} has no room", "catan_cards:70")
    if state.stock(move.give) + move.take_to.count(move.give) < 1:
        raise ImpossibleError(f"nothing lies at {move.give}", "catan_cards:70")
    if state.stock(move.give_to) - move.take.count(move.give_to) >= STORE:
        raise ImpossibleError(f"{move.give_to} has no room", "catan_cards:70")
    _play(state, move.seat, "Merchant")
    effects = [Effect("action.played", "catan_cards:70", move.seat, ("Merchant",))]
    effects += _swap(state, move.take, move.take_to, "catan_cards:70")
    return effects + _swap(state, [move.give], [move.give_to], "catan_cards:70")


def _scout(state: CatanCardsState, move: Scout) -> list[Effect]:
    _demand_begun(state)
    _play(state, move.seat, "Scout")
    state.scouted = True
    return [Effect("action.played", "catan_cards:71", move.seat, ("Scout",))]


def _spy(state: CatanCardsState, move: Spy) -> list[Effect]:
    """The opponent shows his hand, and everybody sees what is taken. No hand grows by it (catan_cards:Q19b)."""
    victim, hand = state.hands[1 - move.seat], state.hands[move.seat]
    if move.card and not move.taken:
        raise ImpossibleError(f"{move.card} is taken, or nothing is", "catan_cards:72")
    if move.taken and not len(victim):
        raise ImpossibleError(f"{name(1 - move.seat)} has no card in hand", "catan_cards:72")
    if move.taken and move.card:
        demand_held(state, 1 - move.seat, [move.card])
    _play(state, move.seat, "Spy")
    effects = [Effect("action.played", "catan_cards:72", move.seat, ("Spy",))]
    if not move.taken:
        return [*effects, Effect("spy.failed", "catan_cards:Q48", move.seat)]
    hand.put(victim.hand_over(move.card, secret=False))
    return [*effects, Effect("card.stolen", "catan_cards:72", move.seat, (move.card or UNSEEN,))]


_APPLY: dict[type[CatanCardsMove], Callable[[CatanCardsState, Any], list[Effect]]] = {
    Start: _start,
    Lay: _lay,
    Pick: _pick,
    Roll: _roll,
    Happen: _happen,
    Gain: _gain,
    Take: _take,
    Strike: _strike,
    Confiscate: _confiscate,
    Return: _return,
    Draw: _draw,
    Skip: _skip,
    Trade: _trade,
    Barter: _barter,
    Road: _road,
    Settle: _settle,
    Regions: _regions,
    City: _city,
    Build: _build,
    Demolish: _demolish,
    Alchemist: _alchemist,
    Attack: _attack,
    Counter: _counter,
    Duel: _duel,
    Caravan: _caravan,
    Merchant: _merchant,
    Scout: _scout,
    Spy: _spy,
    End: _end,
    Show: _show,
    Hold: _hold,
}


# What physically has to be


def _demand_step(state: CatanCardsState, due_: Phase) -> None:
    """Make sure that it is time for the move: each step builds on what lies there after the one before."""
    if state.pending or state.phase != due_:
        raise out_of_step(state)


def _demand_begun(state: CatanCardsState) -> None:
    """Make sure that turns are being played."""
    if state.phase in (None, "start", "lay", "pick"):
        raise out_of_step(state)


def _demand_due(state: CatanCardsState, kind: Kind, seat: int) -> Pending:
    """The choice that the move makes, be it out of order, or the other player's: that is for the rules to say."""
    found = due(state, kind, seat)
    if found is None:
        raise out_of_step(state)
    return found


def _demand_own_due(state: CatanCardsState, kind: Kind, seat: int) -> Pending:
    """The same where nobody can choose for the other."""
    found = _demand_due(state, kind, seat)
    if found.seat != seat:
        raise ImpossibleError(f"it is {name(found.seat)} who chooses, not {name(seat)}", found.rule)
    return found


def demand_regions_laid(state: CatanCardsState, rule: str) -> None:
    """Make sure that no settlement still waits for its two regions."""
    if any(pending.kind == "regions" for pending in state.pending):
        raise ImpossibleError("the regions of the new settlement are laid first", rule)


def _laid(state: CatanCardsState, seat: int) -> Principality:
    own = state.principalities[seat]
    if not own.line:
        raise ImpossibleError(f"{name(seat)} has laid no principality", "catan_cards:11")
    return own


def _demand_own(state: CatanCardsState, seat: int, places: Sequence[str]) -> None:
    regions = state.principalities[seat].regions
    for place in places:
        if place not in regions:
            raise ImpossibleError(f"{place} is no region of {name(seat)}", "catan_cards:5")


def _demand_stock(state: CatanCardsState, places: Sequence[str]) -> None:
    for place in places:
        if state.stock(place) < places.count(place):
            raise ImpossibleError(f"{place} holds {state.stock(place)}, not {places.count(place)}", "catan_cards:3")


def _demand_room(state: CatanCardsState, places: Sequence[str]) -> None:
    for place in places:
        if state.stock(place) + places.count(place) > STORE:
            raise ImpossibleError(f"{place} has no room", "catan_cards:4")


def _demand_alike(state: CatanCardsState, sources: Sequence[str], stores: Sequence[str]) -> None:
    """A resource can only be stored on a region that brings it."""
    if sorted(_resource(state, place) for place in sources) != sorted(_resource(state, place) for place in stores):
        raise ImpossibleError(
            f"{_goods(state, sources)} cannot lie where {_goods(state, stores)} belongs", "catan_cards:2"
        )


def _demand_supply(state: CatanCardsState, thing: str) -> None:
    if not state.supply[thing]:
        raise ImpossibleError(f"no {thing} is left", "catan_cards:49")


def _charge(state: CatanCardsState, seat: int, pay: Sequence[str], thing: str | None = None) -> list[Effect]:
    """Take what is paid, and a card of the supply."""
    effects = _pay(state, seat, pay, "catan_cards:41")
    if thing:
        state.supply[thing] -= 1
    return effects


def _pay(state: CatanCardsState, seat: int, pay: Sequence[str], rule: str) -> list[Effect]:
    _demand_own(state, seat, pay)
    _demand_stock(state, pay)
    return [remove(state, place, count, rule) for place, count in tally(pay).items()]


def _play(state: CatanCardsState, seat: int, card: str) -> None:
    """Use an action card up (catan_cards:50)."""
    demand_held(state, seat, [card])
    state.hands[seat].give(card)
    state.spent.append(card)


def _take_from(state: CatanCardsState, seat: int, stack: int, card: str | None, *, top: bool) -> None:
    state.stacks[stack - 1].take((seat,), card, top=top)
    state.hands[seat].take(card)


def demand_held(state: CatanCardsState, seat: int, cards: Sequence[str]) -> None:
    """Make sure that the cards can be in the hand."""
    hand = state.hands[seat]
    if not hand.can_hold(cards):
        holds = ", ".join([*hand.known, *[UNSEEN] * hand.unknown]) or "no card"
        raise ImpossibleError(f"{name(seat)} holds {holds}, not {', '.join(cards)}", "catan_cards:18")
    if len(cards) > 1:
        _demand_copies(state, hand.lacking(cards))
    elif cards:
        demand_free(state, cards[0], hand.known)


def demand_free(state: CatanCardsState, card: str, known: Sequence[str]) -> None:
    """Make sure that a card can lie where these cards are known to lie, and others that nobody has seen."""
    if card not in known:
        _demand_copies(state, [card])


def _demand_copies(state: CatanCardsState, cards: Sequence[str]) -> None:
    """Make sure that so many cards can be among those that do not lie open, or in a hand that is known.

    Where one should lie in a stack, as somebody noted, that may have been wrong: which is for the rules to say.
    """
    for card in cards:
        copies, shown = state.box.cards[card].count, state.shown(card)
        if cards.count(card) > copies - shown:
            raise ImpossibleError(
                f"there are {copies} cards of {card}, and {shown} of them known to be elsewhere", "catan_cards:14"
            )
