"""What each move does on the table. A move that cannot be is refused before anything is changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from games.contract import Effect
from games.errors import ImpossibleError
from games.manapani import fights, scoring
from games.manapani.chips import beyond, demand, gain, lower, move, set_level, spend, take_off, words
from games.manapani.components import CARD_RULES, COLOURS, COSTS, DEALT, TOP_LEVEL, WHITE
from games.manapani.moves import (
    SPELL_MOVES,
    Armageddon,
    Attack,
    BraveAttack,
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
from games.manapani.state import ATTACK, DEFENCE, Fight, Laid, starting_chips, tally
from games.manapani.steps import square_rule, untimely
from games.manapani.turns import begin_turn, end_turn, finish_square, gain_at_start, next_seat, set_out
from games.words import name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.hidden import Hand
    from games.manapani.state import ManapaniState

F = TypeVar("F", int, str)

KINDS = {
    "hands.dealt": "Everybody is dealt {count} cards and two chips of each colour but white",
    "turn.begun": "Turn {count}: {seat}",
    "card.drawn": "{seat} drew a card",
    "draw.missed": "There is no card for {seat} to draw",
    "pile.shuffled": "The {count} discards are shuffled and are the new pile",
    "spell.cast": "{seat} cast {at}",
    "spell.wasted": "It has no effect: {seat} cannot move",
    "chips.paid": "{seat} paid {at}",
    "chips.exchanged": "{seat} gave {at} for a white chip",
    "chips.returned": "{seat} gave back {at}",
    "chip.gained": "{seat} gained a {at} chip",
    "panic.struck": "Mana panic: no {at} chip is left for {seat}",
    "chips.halved": "{seat} lost {count} {at} in the panic",
    "die.set": "{seat} set a die to {count}",
    "player.slowed": "{seat} rolls one die in the next turn",
    "dice.rolled": "{seat} rolled {at}",
    "pawn.moved": "{seat} came to {at}",
    "pawn.stopped": "{seat} moves no further",
    "land.claimed": "{seat} took {at}",
    "land.left": "{seat} did nothing at {at}",
    "level.raised": "{seat} put {count} on {at}",
    "level.lowered": "{at} lost {count}",
    "land.lost": "{seat} owns {at} no more",
    "chip.taken": "{seat} took a {at} chip off the land",
    "toll.waived": "{seat} paid no toll at {at}",
    "toll.paid": "{seat} paid a toll of {count}: {at}",
    "toll.received": "{seat} received {count}: {at}",
    "fight.begun": "{seat} fights for {at} with cards face down: {count}",
    "defence.laid": "{seat} defends with cards face down: {count}",
    "cards.revealed": "{seat} laid {at}",
    "scroll.cast": "{seat} cast {at}",
    "casting.stopped": "{seat} casts nothing else",
    "power.halved": "The power of {at} is halved",
    "scroll.nullified": "{at} is nullified",
    "scroll.stolen": "{seat} stole {at}",
    "effect.missed": "There is nothing for the {at} of {seat} to act on",
    "power.counted": "{seat}, {at}: power {count}",
    "fight.won": "{seat} won the fight for {at}",
    "land.captured": "{seat} took {at} with all its chips",
    "pawn.held": "{seat} cannot move in the next turn",
    "cards.discarded": "{seat} discarded {at}",
    "hand.noted": "{seat} noted cards in hand",
    "mana.exhausted": "{seat} has no mana left",
    "game.ended": "The game is over: {at}",
    "bonus.scored": "{seat} took the last white chip: {count} more points",
    "game.won": "{seat} won with {count} mana",
    "victory.shared": "{seat} shares the victory with {count} mana",
}
"""Every kind of effect, and the sentence it reads as."""


def apply(state: ManapaniState, move: ManapaniMove) -> list[Effect]:
    """Carry the move out, and say what followed. Raises `ImpossibleError`."""
    if move.seat is not None:
        _demand_seat(state, move.seat)
    if reason := untimely(state, move):
        raise reason
    return _APPLY[type(move)](state, move)


# Setup


def _start(state: ManapaniState, move: Start) -> list[Effect]:
    _demand_seat(state, move.starts)
    if move.starts in state.resigned:
        raise ImpossibleError(f"{name(move.starts)} has given up", "manapani:RULING")
    for seat, hand in enumerate(state.hands):
        hand.unknown = DEALT
        state.pile -= DEALT
        state.chips[seat] = starting_chips()
        state.hand_since[seat] = state.version
        state.source = [left - dealt for left, dealt in zip(state.source, starting_chips(), strict=True)]
    return [Effect("hands.dealt", "manapani:3", count=DEALT), *begin_turn(state, move.starts)]


# World spells


def _cast(state: ManapaniState, move: Spell) -> list[Effect]:
    """Pay the cost, put the card away, and let the spell happen (manapani:25)."""
    _demand_held(state, move.seat, (move.card,))
    paid = demand(state, move.seat, move.chips)
    _DEMANDS.get(type(move), _demand_nothing)(state, move)
    spend(state, move.seat, paid)
    state.hands[move.seat].give(move.card)
    state.discards.take(move.card)
    state.spells += (move.card,)
    rule = CARD_RULES[move.card]
    effects = [Effect("spell.cast", rule, move.seat, (move.card,))]
    if move.chips:
        effects.append(Effect("chips.paid", "manapani:16", move.seat, (words(paid),), len(move.chips)))
    effects += _SPELLS.get(type(move), _no_effect)(state, move)
    effects += scoring.end_without_white(state)
    # manapani:C12: a spell may leave its caster without mana; the game then ends behind it.
    return effects if state.brave else effects + scoring.end_without_mana(state)


def _demand_nothing(_: ManapaniState, __: Spell) -> None:
    """Most spells can be cast on any table."""


def _demand_given(state: ManapaniState, move: ManaPrism) -> None:
    demand(state, move.seat, (*move.chips, *move.given))


def _demand_target(state: ManapaniState, move: Slow) -> None:
    _demand_seat(state, move.target)


def _demand_fort(state: ManapaniState, _: BraveAttack) -> None:
    if state.box.next_fort(state.place) is None:
        raise ImpossibleError("there is no fort to move to", "manapani:E8")


def _demand_owned(state: ManapaniState, move: DrainMagic) -> None:
    if not any(state.levels):
        raise ImpossibleError("nobody owns a land, so no level can be lowered", "manapani:E9")
    _demand_square(state, move.place)
    if not state.levels[move.place]:
        raise ImpossibleError(f"{state.label(move.place)} is nobody's: there is no chip on it", "manapani:C10")


_DEMANDS: dict[type[Spell], Callable[[ManapaniState, Any], None]] = {
    ManaPrism: _demand_given,
    Slow: _demand_target,
    BraveAttack: _demand_fort,
    DrainMagic: _demand_owned,
}
"""What must lie on the table for a spell to be able to happen."""


def _no_effect(_: ManapaniState, __: Spell) -> list[Effect]:
    """Shield and Fly are remembered and take effect later."""
    return []


def _mana(state: ManapaniState, move: Mana) -> list[Effect]:
    return gain(state, move.seat, COLOURS.index(move.colour), CARD_RULES["Mana"])


def _holy_dice(state: ManapaniState, move: HolyDice) -> list[Effect]:
    state.face = move.face
    return [Effect("die.set", CARD_RULES["Holy Dice"], move.seat, count=move.face)]


def _mana_prism(state: ManapaniState, move: ManaPrism) -> list[Effect]:
    """Give three chips, which are in the source first (manapani:C2), then gain three one by one (manapani:C1)."""
    given = tally(move.given)
    spend(state, move.seat, given)
    effects = [Effect("chips.returned", CARD_RULES["Mana Prism"], move.seat, (words(given),), len(move.given))]
    for chip in move.gained:
        if state.taker is None:
            effects += gain(state, move.seat, COLOURS.index(chip), CARD_RULES["Mana Prism"])
    return effects


def _brave_attack(state: ManapaniState, move: BraveAttack) -> list[Effect]:
    """Move to the next fort at once; no roll follows. Whoever cannot move has cast it in vain (manapani:E8)."""
    steps = state.box.next_fort(state.place)
    if state.held or steps is None:
        return [Effect("spell.wasted", "manapani:E8", move.seat)]
    state.brave = True
    return set_out(state, steps)


def _slow(state: ManapaniState, move: Slow) -> list[Effect]:
    """It waits for the next turn, also where the caster names himself (manapani:C6, manapani:E1).

    Two of them are as one (manapani:C5).
    """
    state.slow[move.target] = True
    return [Effect("player.slowed", CARD_RULES["Slow"], move.target)]


def _drain_magic(state: ManapaniState, drained: DrainMagic) -> list[Effect]:
    """The chip goes from the land to the caster's hand; nothing is gained from the source (manapani:C11)."""
    rule, colour = CARD_RULES["Drain Magic"], state.box.colours[drained.place]
    effects = lower(state, drained.place, 1, rule)
    move(state, drained.seat, colour, 1)
    return [*effects, Effect("chip.taken", rule, drained.seat, (COLOURS[colour],), 1)]


def _armageddon(state: ManapaniState, _: Armageddon) -> list[Effect]:
    rule = CARD_RULES["Armageddon"]
    return [effect for place in state.box.lands if state.levels[place] for effect in lower(state, place, 1, rule)]


_SPELLS: dict[type[Spell], Callable[[ManapaniState, Any], list[Effect]]] = {
    Mana: _mana,
    HolyDice: _holy_dice,
    ManaPrism: _mana_prism,
    BraveAttack: _brave_attack,
    Slow: _slow,
    DrainMagic: _drain_magic,
    Armageddon: _armageddon,
}


def _exchange(state: ManapaniState, exchanged: Exchange) -> list[Effect]:
    """Two chips go to the source for a white one, against the rules also after the roll."""
    paid = demand(state, exchanged.seat, exchanged.chips)
    spend(state, exchanged.seat, paid)
    state.exchanged = True
    effects = [Effect("chips.exchanged", "manapani:4", exchanged.seat, (words(paid),))]
    effects += gain(state, exchanged.seat, WHITE, "manapani:4")
    effects += scoring.end_without_white(state)
    return effects if state.brave else effects + scoring.end_without_mana(state)


# The roll


def _roll(state: ManapaniState, move: Roll) -> list[Effect]:
    """Note the dice; when all are known, go as far as they say, twice as far with Fly (manapani:26)."""
    if len(move.dice) > 1 and state.face is not None:
        raise ImpossibleError(f"one die is set to {state.face}, so only one is rolled", CARD_RULES["Holy Dice"])
    dice = _all_noted(state.dice, move.dice) if state.dice else list(move.dice)
    shown = tuple([str(die or "?") for die in dice])
    thrown = [die for die in dice if die]
    if len(thrown) < len(dice):
        state.dice = dice
        return [Effect("dice.rolled", "manapani:4", move.seat, shown)]
    state.dice = []
    rolled = sum(thrown)
    return [Effect("dice.rolled", "manapani:4", move.seat, shown, rolled), *_move_by(state, rolled)]


def _all_noted(before: Sequence[int | None], dice: Sequence[int | None]) -> list[int | None]:
    """What was noted of a roll before with what is noted now."""
    if len(before) != len(dice):
        raise ImpossibleError(f"{len(before)} dice were rolled", "manapani:4")
    return _noted_beside(before, dice, "a die is known to show", "manapani:4")


def _noted_beside(before: Sequence[F | None], now: Sequence[F | None], known_to: str, rule: str) -> list[F | None]:
    """As many facts as were noted in part before, with what is noted of them now, which must not gainsay it."""
    for known, told in zip(before, now, strict=True):
        if known and told and known != told:
            raise ImpossibleError(f"{known_to} {known}, not {told}", rule)
    return [told or known for told, known in zip(now, before, strict=True)]


def _move_by(state: ManapaniState, rolled: int) -> list[Effect]:
    steps = rolled + (state.face or 0)
    return set_out(state, 2 * steps if "Fly" in state.spells else steps)


def _go(state: ManapaniState, move: Go) -> list[Effect]:
    """Nothing is rolled: the one die that Slow leaves is set (manapani:C3), or the pawn does not move (any more)."""
    if state.face is not None and state.slowed and not (state.held or state.moved):
        return _move_by(state, 0)
    return [Effect("pawn.stopped", "manapani:4", move.seat), *end_turn(state)]


def _gain(state: ManapaniState, move: Gain) -> list[Effect]:
    return gain_at_start(state, COLOURS.index(move.colour))


# Squares


def _claim(state: ManapaniState, move: Claim) -> list[Effect]:
    """A chip of the source comes on the land, and a mark, of which there are enough (manapani:6, manapani:A5).

    If there is no such chip, a panic follows, and the land stays unowned (manapani:A4).
    """
    place = state.place
    colour = state.box.colours[place]
    if not state.source[colour]:
        effects = gain(state, move.seat, colour, "manapani:6")
        return effects + (scoring.end_without_mana(state) or end_turn(state))
    state.source[colour] -= 1
    state.owners[place] = move.seat
    set_level(state, place, 1)
    return [Effect("land.claimed", "manapani:6", move.seat, (state.label(place),)), *end_turn(state)]


def _leave(state: ManapaniState, move: Leave) -> list[Effect]:
    if state.due in ("foreign", "toll"):
        return [fights.waived(state), *fights.finish(state)]
    left = Effect("land.left", square_rule(state), move.seat, (state.label(state.place),))
    return [left, *finish_square(state)]


def _put(state: ManapaniState, put: Put) -> list[Effect]:
    _demand_square(state, put.place)
    label, level = state.label(put.place), state.levels[put.place]
    if not level:
        raise ImpossibleError(f"{label} is nobody's land", "manapani:7")
    if level + put.count > TOP_LEVEL:
        raise ImpossibleError(f"{label} has level {level}, and {TOP_LEVEL} is the highest", "manapani:7")
    colour = state.box.colours[put.place]
    demand(state, put.seat, (COLOURS[colour],) * put.count)
    state.chips[put.seat][colour] -= put.count
    state.hand_since[put.seat] = state.version
    set_level(state, put.place, level + put.count)
    return [Effect("level.raised", square_rule(state), put.seat, (label,), put.count), *finish_square(state)]


def _toll(state: ManapaniState, toll: Toll) -> list[Effect]:
    """The owner receives just those chips that are paid (manapani:13, manapani:A7)."""
    counted, lands = demand(state, toll.seat, toll.chips), Counter(toll.lands)
    for place, count in lands.items():
        _demand_square(state, place)
        # manapani:A11: the land stood on is another's, so it is never among those that pay.
        if state.owners[place] != toll.seat or state.levels[place] < count:
            why = f"{name(toll.seat)} has no {count} chips on {state.label(place)}"
            raise ImpossibleError(why, "manapani:15")
    owner = state.owners[state.place]
    if owner is None:
        raise ImpossibleError(f"{state.label(state.place)} is nobody's land", "manapani:13")
    return _pay_toll(state, toll.seat, owner, counted, lands)


def _pay_toll(state: ManapaniState, payer: int, owner: int, paid: list[int], lands: Counter[int]) -> list[Effect]:
    """Chips `paid` from the hand, and those of the lands, go to the owner."""
    if any(paid):
        state.chips[payer] = [held - count for held, count in zip(state.chips[payer], paid, strict=True)]
        state.hand_since[payer] = state.version
    effects = []
    for place, count in lands.items():
        effects += take_off(state, place, count, "manapani:15")
        paid[state.box.colours[place]] += count
    state.chips[owner] = [held + count for held, count in zip(state.chips[owner], paid, strict=True)]
    state.hand_since[owner] = state.version
    at, total = (words(paid),), sum(paid)
    told = [
        Effect("toll.paid", "manapani:13", payer, at, total),
        Effect("toll.received", "manapani:13", owner, at, total),
    ]
    return [*told, *effects, *fights.finish(state)]


def _discard(state: ManapaniState, move: Discard) -> list[Effect]:
    named = [card for card in move.cards if card]
    hand = state.hands[move.seat]
    if len(move.cards) > len(hand):
        raise ImpossibleError(f"{name(move.seat)} holds {len(hand)} cards", "manapani:3")
    _demand_held(state, move.seat, named)
    for card in named:
        hand.give(card)
        state.discards.take(card)
    hand.give_unseen(len(move.cards) - len(named))
    state.discards.unknown += len(move.cards) - len(named)
    shown = tuple(card or "?" for card in move.cards)
    return [Effect("cards.discarded", "manapani:4", move.seat, shown), *begin_turn(state, next_seat(state))]


# Fights


def _attack(state: ManapaniState, move: Attack) -> list[Effect]:
    """Cards are laid face down; none is enough for a fight (manapani:B23). Their number is seen (manapani:B24)."""
    _demand_count(state, move.seat, move.count)
    owner = state.owners[state.place]
    if owner is None:
        raise ImpossibleError(f"{state.label(state.place)} is nobody's land", "manapani:8")
    state.fight = Fight(state.place, (move.seat, owner), [move.count, None], [[None] * move.count, []])
    state.due = "defend"
    return [Effect("fight.begun", "manapani:17", move.seat, (state.label(state.place),), move.count)]


def _defend(state: ManapaniState, move: Defend) -> list[Effect]:
    fight = fights.ongoing(state)
    if move.seat != fight.seats[DEFENCE]:
        raise ImpossibleError(f"{name(fight.seats[DEFENCE])} owns the land and defends it", "manapani:17")
    _demand_count(state, move.seat, move.count)
    fight.counts[DEFENCE] = move.count
    fight.shown[DEFENCE] = [None] * move.count
    effects = [Effect("defence.laid", "manapani:17", move.seat, count=move.count)]
    if any(fight.counts):
        state.due = "reveal"
        return effects
    return effects + fights.begin_paying(state, ATTACK)


def _reveal(state: ManapaniState, move: Reveal) -> list[Effect]:
    """Turn the cards up; once all are noted, those that can be cast can be paid for.

    Until then those that are noted lie open, and nobody else can hold them.
    """
    fight = fights.ongoing(state)
    merged = [_merge(fight, side, cards) for side, cards in ((ATTACK, move.attack), (DEFENCE, move.defence))]
    named = [[card for card in cards if card] for cards in merged]
    sides = list(zip(fight.seats, named, strict=True))
    _demand_copies(state, [card for seat, cards in sides for card in _lacking(state.hands[seat], name(seat), cards)])
    fight.shown = merged
    effects = [
        Effect("cards.revealed", "manapani:17", fight.seats[side], tuple(card or "?" for card in cards))
        for side, cards in enumerate(merged)
        if cards
    ]
    if named != merged:
        for seat, cards in sides:
            state.hands[seat].show(cards)
        return effects
    for side, (seat, cards) in enumerate(sides):
        for card in cards:
            state.hands[seat].give(card)
            fight.cards.append(Laid(card, side, side))
    return effects + fights.begin_paying(state, ATTACK)


def _merge(fight: Fight, side: int, cards: Sequence[str | None]) -> list[str | None]:
    """What is known of a side's cards with what is noted now."""
    before = fight.shown[side]
    if len(cards) != len(before):
        raise ImpossibleError(f"{len(before)} cards were laid in {fights.SIDES[side]}, not {len(cards)}", "manapani:17")
    return _noted_beside(before, cards, "a laid card is known to be", "manapani:17")


def _pay(state: ManapaniState, move: Pay) -> list[Effect]:
    fight = fights.ongoing(state)
    laid = _revealed(fight, move.card)
    if move.seat != fight.seats[laid.side]:
        raise ImpossibleError(f"{fights.label(fight, move.card)} is {name(fight.seats[laid.side])}'s", "manapani:17")
    if laid.paid:
        raise ImpossibleError(f"{fights.label(fight, move.card)} is paid for already", "manapani:17")
    paid = demand(state, move.seat, move.chips)
    spend(state, move.seat, paid)
    laid.paid = laid.active = True
    cost = COSTS[laid.card]
    laid.x = max(0, beyond(cost, paid) or 0) if cost.x else 0
    at = (fights.label(fight, move.card), *([words(paid)] if move.chips else []))
    effects = [Effect("scroll.cast", CARD_RULES[laid.card], move.seat, at, len(move.chips))]
    return effects if any(True for _ in fights.payable(state)) else effects + fights.stop_paying(state)


def _done(state: ManapaniState, move: Done) -> list[Effect]:
    fight = fights.ongoing(state)
    if move.seat != fight.seats[fight.side]:
        raise ImpossibleError(f"it is {name(fight.seats[fight.side])} who pays now", "manapani:17")
    return [Effect("casting.stopped", "manapani:17", move.seat), *fights.stop_paying(state)]


def _use(state: ManapaniState, move: Use) -> list[Effect]:
    fight = fights.ongoing(state)
    laid = _revealed(fight, move.card)
    if move.seat != fight.seats[fight.side] or move.card not in fights.options(fight):
        why = f"{fights.label(fight, move.card)} does not act for {name(move.seat)} now"
        raise ImpossibleError(why, "manapani:B2")
    aims = fights.targets(fight, move.card)
    if move.target is None and aims:
        raise ImpossibleError(f"{laid.card} needs a target, and there is one", "manapani:E6")
    if move.target is not None and move.target not in aims:
        raise ImpossibleError(f"{laid.card} cannot act on that card", "manapani:E4")
    return [*fights.use(state, move.card, move.target), *fights.carry_on(state)]


def _revealed(fight: Fight, index: int) -> Laid:
    if index >= len(fight.cards):
        raise ImpossibleError(f"{len(fight.cards)} cards were revealed", "manapani:17")
    return fight.cards[index]


# Hands


def _hold(state: ManapaniState, move: Hold) -> list[Effect]:
    _demand_held(state, move.seat, move.cards)
    state.hands[move.seat].note(move.cards)
    return [Effect("hand.noted", "manapani:3", move.seat)]


_APPLY: dict[type[ManapaniMove], Callable[[ManapaniState, Any], list[Effect]]] = {
    Start: _start,
    **dict.fromkeys(SPELL_MOVES, _cast),
    Exchange: _exchange,
    Roll: _roll,
    Go: _go,
    Gain: _gain,
    Claim: _claim,
    Leave: _leave,
    Put: _put,
    Toll: _toll,
    Discard: _discard,
    Attack: _attack,
    Defend: _defend,
    Reveal: _reveal,
    Pay: _pay,
    Done: _done,
    Use: _use,
    Hold: _hold,
}


def _demand_seat(state: ManapaniState, seat: int) -> None:
    if seat >= state.seats:
        raise ImpossibleError(f"{state.seats} play: there is no {name(seat)}", "manapani:1")


def _demand_square(state: ManapaniState, place: int) -> None:
    if place >= len(state.box.board):
        raise ImpossibleError(f"the squares are 0 to {len(state.box.board) - 1}", "manapani:1")


def _demand_count(state: ManapaniState, seat: int, count: int) -> None:
    held = len(state.hands[seat])
    if count > held:
        raise ImpossibleError(f"{name(seat)} holds {held} cards, not {count}", "manapani:3")


def _demand_held(state: ManapaniState, seat: int, cards: Sequence[str]) -> None:
    """Make sure that a player can hold these cards."""
    demand_cards(state, state.hands[seat], name(seat), cards)


def demand_cards(state: ManapaniState, hand: Hand, holder: str, cards: Sequence[str]) -> None:
    """Make sure that the cards can be there, and that there are so many of them. Raises `ImpossibleError`."""
    _demand_copies(state, _lacking(hand, holder, cards))


def _lacking(hand: Hand, holder: str, cards: Sequence[str]) -> list[str]:
    """Which of these cards must be among the unknown ones of a hand. Raises `ImpossibleError` if they cannot be."""
    lacking = hand.lacking(cards)
    if len(lacking) > hand.unknown:
        holds = ", ".join([*hand.known, *["?"] * hand.unknown]) or "no card"
        raise ImpossibleError(f"{holder} holds {holds}, and not {', '.join(cards)}", "manapani:3")
    return lacking


def _demand_copies(state: ManapaniState, cards: Sequence[str]) -> None:
    """Make sure that there are so many of these cards among the unknown ones."""
    for card in cards:
        if cards.count(card) > state.at_large(card):
            why = f"there are {state.box.deck[card]} of {card}, and {state.located(card)} are known to lie elsewhere"
            raise ImpossibleError(why, "manapani:1")
