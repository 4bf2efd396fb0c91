"""Is it allowed? Every rule that a move would break, and the moves that break none."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, islice
from typing import TYPE_CHECKING, Any

from games.contract import Blank
from games.errors import RuleBrokenError
from games.manapani import chips, fights
from games.manapani.components import CARD_RULES, CARDS, COLOURS, COSTS, HAND_LIMIT, SPELLS, WHITE, Cost
from games.manapani.moves import (
    PLAIN_SPELLS,
    SPELL_MOVES,
    Attack,
    Claim,
    Defend,
    Discard,
    Done,
    DrainMagic,
    Exchange,
    Gain,
    Go,
    Hold,
    HolyDice,
    Leave,
    Mana,
    ManapaniMove,
    ManaPrism,
    Pay,
    Put,
    Reveal,
    Roll,
    Slow,
    Spell,
    Start,
    Toll,
    Use,
)
from games.manapani.state import ATTACK, DEFENCE, tally
from games.manapani.steps import untimely
from games.manapani.turns import growth
from games.words import counted, name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.manapani.state import ManapaniState

FACES = range(1, 7)
ENOUGH = 200
"""How many choices of discards are listed at most; any other can be typed."""


def breaches(state: ManapaniState, move: ManapaniMove) -> Iterator[RuleBrokenError]:
    """Every rule that the move would break."""
    if state.outcome and not isinstance(move, Hold):
        return iter((RuleBrokenError(state.outcome.rule, "the game is over"),))
    check = _CHECKS.get(type(move))
    if check is None or untimely(state, move):
        return iter(())  # most moves that can be are allowed; and whatever is out of step can only not be
    return check(state, move)


# Before the roll


def _spell(state: ManapaniState, move: Spell) -> Iterator[RuleBrokenError]:
    if state.spells:
        # manapani:C4: so Fly and Holy Dice never meet in one turn.
        why = f"{name(move.seat)} has cast {' and '.join(state.spells)} in this turn already"
        yield RuleBrokenError("manapani:25", why)
    if not chips.is_proper(COSTS[move.card], tally(move.chips)):
        yield RuleBrokenError("manapani:16", f"{move.card} costs {cost_words(COSTS[move.card])}")
    if isinstance(move, Mana) and move.colour == "white":
        yield RuleBrokenError(CARD_RULES["Mana"], "Mana brings no white chip")
    if isinstance(move, ManaPrism) and "white" in (*move.given, *move.gained):
        yield RuleBrokenError("manapani:C1", "white chips are neither given nor gained")


def cost_words(cost: Cost) -> str:
    """A cost as people say it."""
    parts = [chips.words((*cost.pips, 0))] if any(cost.pips) else []
    parts += [f"{cost.generic} of any colour"] * bool(cost.generic) + ["X of any colour"] * cost.x
    return " and ".join(parts) or "nothing"


def _exchange(state: ManapaniState, move: Exchange) -> Iterator[RuleBrokenError]:
    if state.due != "turn" or state.dice:
        yield RuleBrokenError("manapani:4", "the exchange comes before the roll")
    if state.exchanged:
        yield RuleBrokenError("manapani:4", "there is one exchange a turn")
    if "white" in move.chips:
        # manapani:A2: the two can be of one colour or of two.
        yield RuleBrokenError("manapani:A2", "two coloured chips are exchanged for a white one")


def _roll(state: ManapaniState, move: Roll) -> Iterator[RuleBrokenError]:
    if state.dice:
        return  # They are rolled, and were judged then: now it is only noted what they show.
    due = state.dice_due()
    if state.held:
        yield RuleBrokenError("manapani:B21", f"{name(move.seat)} cannot move in this turn")
    elif state.moved:
        yield RuleBrokenError(CARD_RULES["Brave Attack"], "nothing is rolled after Brave Attack")
    elif not due:
        yield RuleBrokenError("manapani:C3", f"the only die is set to {state.face}")
    elif len(move.dice) != due:
        rule = CARD_RULES["Slow"] if state.slowed else "manapani:4"
        yield RuleBrokenError(rule, f"{due} {'die is' if due == 1 else 'dice are'} rolled, not {len(move.dice)}")


def _go(state: ManapaniState, _: Go) -> Iterator[RuleBrokenError]:
    if _rolls(state):
        yield RuleBrokenError("manapani:4", "the dice are to be rolled")


def _rolls(state: ManapaniState) -> bool:
    """Whether dice are to be rolled now (manapani:C9, manapani:B21)."""
    return not state.held and not state.moved and state.dice_due() > 0


# Squares


def _leave(state: ManapaniState, _: Leave) -> Iterator[RuleBrokenError]:
    if state.due in ("foreign", "toll") and "Shield" not in state.spells:
        rule = "manapani:13" if state.due == "foreign" else "manapani:20"
        yield RuleBrokenError(rule, f"a toll of {state.levels[state.place]} is owed at {state.label(state.place)}")


def _put(state: ManapaniState, put: Put) -> Iterator[RuleBrokenError]:
    if put.place >= len(state.owners):
        return
    owner, fort = state.owners[put.place], state.box.board[state.place].kind == "fort"
    if owner is not None and owner != put.seat:
        rule = "manapani:9" if fort else "manapani:7"
        yield RuleBrokenError(rule, f"{state.label(put.place)} is {name(owner)}'s")
    if not fort and put.place != state.place:
        why = f"only {state.label(state.place)} can be strengthened from here"
        yield RuleBrokenError("manapani:7", why)


def _toll(state: ManapaniState, toll: Toll) -> Iterator[RuleBrokenError]:
    if any(place >= len(state.levels) for place in toll.lands):
        return
    if "Shield" in state.spells:
        yield RuleBrokenError("manapani:C7", "under a Shield no toll is owed")
        return
    colour, due = state.box.colours[state.place], state.levels[state.place]
    given = tally(toll.chips)
    for place in toll.lands:
        given[state.box.colours[place]] += 1
    if chips.is_minimal(given, colour, due):
        return
    value = chips.worth(given, colour)
    if chips.worth(chips.means(state, toll.seat), colour) < due:
        if not chips.is_everything(state, toll.seat, toll.chips, toll.lands):
            yield RuleBrokenError("manapani:A8", "whoever cannot pay in full hands over every chip")
    elif value < due:
        yield RuleBrokenError("manapani:13", f"the toll is {due} {COLOURS[colour]}; this is worth {value}")
    else:
        yield RuleBrokenError("manapani:A10", f"the toll is {due} {COLOURS[colour]}; some chip could be left out")


def _discard(state: ManapaniState, move: Discard) -> Iterator[RuleBrokenError]:
    excess = len(state.hands[state.seat]) - HAND_LIMIT
    if len(move.cards) != excess:
        yield RuleBrokenError("manapani:4", f"{counted(excess, 'card')} are discarded, not {len(move.cards)}")


# Fights


def _attack(state: ManapaniState, move: Attack) -> Iterator[RuleBrokenError]:
    if state.owners[state.place] == move.seat:
        yield RuleBrokenError("manapani:8", "nobody fights for an own land")


def _pay(state: ManapaniState, move: Pay) -> Iterator[RuleBrokenError]:
    fight = fights.ongoing(state)
    if move.card >= len(fight.cards):
        return
    laid = fight.cards[move.card]
    if move.seat != fight.seats[laid.side]:
        return  # nobody can pay for another's card
    if laid.side != fight.side:
        attacker = name(fight.seats[ATTACK])
        why = f"{attacker} has paid" if laid.side == ATTACK else f"{attacker} pays first"
        yield RuleBrokenError("manapani:17", f"the attacker decides before the defender: {why}")
    if not fights.can_cast(laid.card, laid.side, fights.land_of(state, fight)):
        side = fights.SIDES[laid.side]
        yield RuleBrokenError("manapani:18", f"{laid.card} cannot be cast in {side} at {state.label(fight.place)}")
    elif not chips.is_proper(COSTS[laid.card], tally(move.chips)):
        yield RuleBrokenError("manapani:16", f"{laid.card} costs {cost_words(COSTS[laid.card])}")


_CHECKS: dict[type[ManapaniMove], Callable[[ManapaniState, Any], Iterator[RuleBrokenError]]] = {
    **dict.fromkeys(SPELL_MOVES, _spell),
    Exchange: _exchange,
    Roll: _roll,
    Go: _go,
    Leave: _leave,
    Put: _put,
    Toll: _toll,
    Discard: _discard,
    Attack: _attack,
    Pay: _pay,
}


# What is legal


def legal_moves(state: ManapaniState) -> Iterator[ManapaniMove]:
    """The legal moves, each with a whole payment and the sensible one first; what chance decides is left open.

    Where the same thing can be paid in very many ways, only sensible ones are listed, and any other can be typed.
    Noting what one holds is always allowed and never listed.
    """
    find = _LEGAL.get(state.due or "")
    if find:
        yield from find(state)


def _starts(state: ManapaniState) -> Iterator[ManapaniMove]:
    for seat in range(state.seats):
        if seat not in state.resigned:
            yield Start(starts=seat)


def _turn(state: ManapaniState) -> Iterator[ManapaniMove]:
    seat = state.seat
    if state.dice:
        yield Roll(seat=seat, dice=tuple(state.dice))
        return
    if _rolls(state):
        yield Roll(seat=seat, dice=(None,) * state.dice_due())
    else:
        yield Go(seat=seat)
    if not state.spells:
        yield from _spells(state)
    if not state.exchanged:
        held = state.chips[seat]
        for one, two in combinations_with_replacement(range(WHITE), 2):
            if held[one] and held[two] and (one != two or held[one] > 1):
                yield Exchange(seat=seat, chips=(COLOURS[one], COLOURS[two]))


def _spells(state: ManapaniState) -> Iterator[ManapaniMove]:
    hand, held = state.hands[state.seat], state.chips[state.seat]
    for card in SPELLS:
        if chips.affords(held, card) and (card in hand.known or (hand.unknown and state.at_large(card) > 0)):
            yield from _castings(state, card)


def _castings(state: ManapaniState, card: str) -> Iterator[ManapaniMove]:
    """Every way to cast a spell that is affordable."""
    if card in _CASTINGS:
        yield from _CASTINGS[card](state)
    elif card != "Brave Attack" or state.box.next_fort(state.place) is not None:
        yield PLAIN_SPELLS[card](seat=state.seat, chips=_usual(state, card))


def _usual(state: ManapaniState, card: str) -> tuple[str, ...]:
    """The sensible payment for a card that is affordable."""
    return next(chips.payments(state.chips[state.seat], COSTS[card]))


def _manas(state: ManapaniState) -> Iterator[ManapaniMove]:
    for colour in COLOURS[:WHITE]:
        yield Mana(seat=state.seat, colour=colour)


def _holy_dice(state: ManapaniState) -> Iterator[ManapaniMove]:
    for paid in chips.payments(state.chips[state.seat], COSTS["Holy Dice"]):
        for face in FACES:
            yield HolyDice(seat=state.seat, face=face, chips=paid)


def _slows(state: ManapaniState) -> Iterator[ManapaniMove]:
    for target in range(state.seats):
        yield Slow(seat=state.seat, target=target, chips=_usual(state, "Slow"))


def _drains(state: ManapaniState) -> Iterator[ManapaniMove]:
    for place in state.box.lands:
        if state.levels[place]:
            yield DrainMagic(seat=state.seat, place=place, chips=_usual(state, "Drain Magic"))


def _prisms(state: ManapaniState) -> Iterator[ManapaniMove]:
    """Each choice of three chips to give, for three of one other colour; mixed ones can be typed."""
    held = state.chips[state.seat]
    for given in combinations_with_replacement(range(WHITE), 3):
        if all(given.count(colour) <= held[colour] for colour in given):
            for gained in range(WHITE):
                if gained not in given:
                    given_chips = tuple(COLOURS[colour] for colour in given)
                    yield ManaPrism(seat=state.seat, given=given_chips, gained=(COLOURS[gained],) * 3)


_CASTINGS: dict[str, Callable[[ManapaniState], Iterator[ManapaniMove]]] = {
    "Mana": _manas,
    "Holy Dice": _holy_dice,
    "Mana Prism": _prisms,
    "Slow": _slows,
    "Drain Magic": _drains,
}


def _gains(state: ManapaniState) -> Iterator[ManapaniMove]:
    for colour in COLOURS:
        yield Gain(seat=state.seat, colour=colour)


def _lands(state: ManapaniState) -> Iterator[ManapaniMove]:
    yield Claim(seat=state.seat)
    yield Leave(seat=state.seat)


def _puts(state: ManapaniState) -> Iterator[ManapaniMove]:
    """Chips of the land's own colour only (manapani:A3)."""
    for place, most in growth(state):
        for count in range(1, most + 1):
            yield Put(seat=state.seat, place=place, count=count)
    yield Leave(seat=state.seat)


def _foreign(state: ManapaniState) -> Iterator[ManapaniMove]:
    yield from _tolls(state)
    for count in range(len(state.hands[state.seat]) + 1):
        yield Attack(seat=state.seat, count=count)


def _tolls(state: ManapaniState) -> Iterator[ManapaniMove]:
    if "Shield" in state.spells:
        yield Leave(seat=state.seat)
        return
    place = state.place
    for paid, lands in chips.tolls(state, state.seat, state.box.colours[place], state.levels[place]):
        yield Toll(seat=state.seat, chips=paid, lands=lands)


def _defends(state: ManapaniState) -> Iterator[ManapaniMove]:
    seat = fights.ongoing(state).seats[DEFENCE]
    for count in range(len(state.hands[seat]) + 1):
        yield Defend(seat=seat, count=count)


def _reveals(state: ManapaniState) -> Iterator[ManapaniMove]:
    attack, defence = fights.ongoing(state).shown
    yield Reveal(attack=tuple(attack), defence=tuple(defence))


def _pays(state: ManapaniState) -> Iterator[ManapaniMove]:
    fight = fights.ongoing(state)
    seat = fight.seats[fight.side]
    for index in fights.payable(state):
        for paid in chips.payments(state.chips[seat], COSTS[fight.cards[index].card]):
            yield Pay(seat=seat, card=index, chips=paid)
    yield Done(seat=seat)


def _uses(state: ManapaniState) -> Iterator[ManapaniMove]:
    fight = fights.ongoing(state)
    seat = fight.seats[fight.side]
    for index in fights.options(fight):
        aims: list[int | None] = [*fights.targets(fight, index)]
        for target in aims or [None]:
            yield Use(seat=seat, card=index, target=target)


def _discards(state: ManapaniState) -> Iterator[ManapaniMove]:
    """What is known to be in hand, or cards that nobody noted."""
    hand = state.hands[state.seat]
    held: list[tuple[str | None, int]] = [*Counter(hand.known).items(), (None, hand.unknown)]
    for cards in islice(_choices(held, len(hand) - HAND_LIMIT), ENOUGH):
        yield Discard(seat=state.seat, cards=cards)


def _choices(held: Sequence[tuple[str | None, int]], wanted: int) -> Iterator[tuple[str | None, ...]]:
    """Every choice of so many cards, of which there are as many as stand beside them."""
    if not wanted:
        yield ()
        return
    (card, count), *rest = held
    least = max(0, wanted - sum(others for _, others in rest))
    for taken in range(min(count, wanted), least - 1, -1):
        for cards in _choices(rest, wanted - taken):
            yield (card,) * taken + cards


_LEGAL: dict[str, Callable[[ManapaniState], Iterator[ManapaniMove]]] = {
    "start": _starts,
    "turn": _turn,
    "gain": _gains,
    "land": _lands,
    "put": _puts,
    "foreign": _foreign,
    "defend": _defends,
    "reveal": _reveals,
    "pay": _pays,
    "effects": _uses,
    "toll": _tolls,
    "discard": _discards,
}


def blanks(state: ManapaniState, move: ManapaniMove) -> tuple[Blank, ...]:
    """The faces of dice that are to be noted, and the cards that can have been laid."""
    if isinstance(move, Roll):
        faces = tuple(map(str, FACES))
        return tuple(Blank(move.seat, faces) for die in move.dice if die is None)
    if isinstance(move, Reveal) and state.fight:
        sides = zip(state.fight.seats, (move.attack, move.defence), strict=True)
        return tuple(Blank(seat, _possible(state, seat)) for seat, cards in sides for card in cards if card is None)
    return ()


def _possible(state: ManapaniState, seat: int) -> tuple[str, ...]:
    """The cards that a hand can hold, as one types them."""
    hand = state.hands[seat]
    able = (card for card in CARDS if card in hand.known or (hand.unknown and state.at_large(card) > 0))
    return tuple(card.replace(" ", "") for card in able)
