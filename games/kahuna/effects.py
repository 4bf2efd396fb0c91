"""What each move does on the table. A move that cannot be is refused before anything is changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from games.contract import Effect
from games.errors import ImpossibleError
from games.hidden import Hand
from games.kahuna.components import BRIDGES, CARDS, COPIES, LINE, SEA, owner
from games.kahuna.control import remove_bridge
from games.kahuna.moves import Build, Deal, Decline, Discard, Draw, KahunaMove, Launch, Remove, Row, Sail, Show, Take
from games.kahuna.ships import build_bridge, move_ship, place_ship
from games.kahuna.turns import end_turn, take_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.kahuna.state import KahunaState

KINDS = {
    "cards.dealt": "{seat} goes first; {count} cards are the deck",
    "row.laid": "The row is {at}",
    "cards.played": "{seat} played {at}",
    "bridge.built": "{seat} built {at}",
    "bridge.removed": "{seat} lost the bridge {at}",
    "ship.placed": "{seat} placed a ship in {at}",
    "ship.moved": "{seat} moved a ship: {at}",
    "ship.removed": "{seat} lost the ship in {at}",
    "spaces.changed": "{at} has {count} spaces now",
    "island.gained": "{seat} gained {at}",
    "island.lost": "{seat} lost {at}",
    "stone.lacked": "{seat} holds {at} without a stone, for lack of one",
    "cards.discarded": "{seat} discarded {count} unseen",
    "card.taken": "{seat} took {at} from the row",
    "card.drawn": "{seat} drew from the deck",
    "cards.shown": "{seat} showed {at}",
    "turn.taken": "{seat} acted out of turn and is on turn now",
    "turn.passed": "It is {seat}'s turn",
    "draw.forced": "{seat} must draw at the end of this turn",
    "cards.exhausted": "The last card of round {count} is drawn",
    "turns.numbered": "Each player has one more turn, {seat} first",
    "round.scored": "{seat} scored {count} in {at}",
    "round.tied": "Nobody scored in {at}",
    "cards.shuffled": "The cards that are not in hands are shuffled: {count}",
    "game.won": "{seat} won",
    "game.drawn": "The game is a draw",
}
"""Every kind of effect, and the sentence it reads as."""

SEATS = ("black", "white")
NO_SHIPS = "there are no ships in this game: seafarer is off"


def apply(state: KahunaState, move: KahunaMove) -> list[Effect]:
    """Carry the move out, and say what followed. Raises `ImpossibleError`."""
    if state.due == "deal" and not isinstance(move, Deal):
        raise ImpossibleError("the cards have not been dealt yet", "kahuna:SET-1")
    return _APPLY[type(move)](state, move)


def _deal(state: KahunaState, move: Deal) -> list[Effect]:
    if state.due != "deal":
        raise ImpossibleError("the cards have been dealt already", "kahuna:SET-1")
    demand_copies(state, [*move.row, *move.hands[0], *move.hands[1]])
    state.hands = [Hand(sorted(known), 3 - len(known)) for known in move.hands]
    state.row = list(move.row)
    state.deck = len(CARDS) - 9
    state.due = None
    state.round = 1
    state.turn = move.starts
    return [Effect("cards.dealt", "kahuna:SET-1", move.starts, count=state.deck)]


def _row(state: KahunaState, move: Row) -> list[Effect]:
    size = min(3, state.deck) if state.due else len(state.row)
    if len(move.cards) != size:
        raise ImpossibleError(f"the row has {size} cards, not {len(move.cards)}", "kahuna:ROUND-3")
    told = Counter(card for card in move.cards if card)
    known = Counter(card for card in state.row if card)
    if gone := known - told:
        raise ImpossibleError(f"{listed(gone)} is known to lie in the row", "kahuna:CARD-2")
    demand_copies(state, [*(told - known).elements()])
    state.row = list(move.cards)
    if state.due:
        state.deck -= size
        state.due = None
    return [Effect("row.laid", "kahuna:ROUND-3", at=_names(move.cards))]


def _build(state: KahunaState, move: Build) -> list[Effect]:
    seat = move.seat
    line = LINE[move.line]
    if (state.bridges[0] | state.bridges[1]) >> line & 1:
        raise ImpossibleError(f"a bridge lies on {move.line} already", "kahuna:PLAY-2")
    demand_bridge(state, seat)
    demand_cards(state, seat, (move.card,))
    return _play(state, seat, (move.card,)) + build_bridge(state, seat, line)


def _remove(state: KahunaState, move: Remove) -> list[Effect]:
    seat, line = move.seat, LINE[move.line]
    builder = owner(state.bridges, line)
    if builder is None:
        raise ImpossibleError(f"no bridge lies on {move.line}", "kahuna:REM-1")
    if move.rebuild and builder != seat:
        demand_bridge(state, seat)
    demand_cards(state, seat, move.cards)
    effects = _play(state, seat, move.cards) + remove_bridge(state, builder, line, "kahuna:REM-2")
    return effects + build_bridge(state, seat, line) if move.rebuild else effects


def _launch(state: KahunaState, move: Launch) -> list[Effect]:
    seat, sea = move.seat, SEA[move.sea]
    demand_ships(state)
    if state.ships[seat] >> sea & 1:
        raise ImpossibleError(f"{SEATS[seat]} has a ship in {move.sea} already", "kahuna:SEA-1")
    demand_cards(state, seat, move.cards)
    return _play(state, seat, move.cards) + place_ship(state, seat, sea)


def _sail(state: KahunaState, move: Sail) -> list[Effect]:
    seat, sea, to = move.seat, SEA[move.sea], SEA[move.to]
    demand_ships(state)
    if not state.ships[seat] >> sea & 1:
        raise ImpossibleError(f"{SEATS[seat]} has no ship in {move.sea}", "kahuna:SEA-5")
    if state.ships[seat] >> to & 1:
        raise ImpossibleError(f"{SEATS[seat]} has a ship in {move.to} already", "kahuna:SEA-1")
    effects = take_turn(state, seat)
    state.sailed = True
    return effects + move_ship(state, seat, sea, to)


def _play(state: KahunaState, seat: int, cards: tuple[str, ...]) -> list[Effect]:
    effects = take_turn(state, seat)
    for card in cards:
        _give(state, seat, card)
    state.played += cards
    state.plays += len(cards)
    effects.append(Effect("cards.played", "kahuna:PLAY-3", seat, cards))
    return effects


def _discard(state: KahunaState, move: Discard) -> list[Effect]:
    seat, hand = move.seat, state.hands[move.seat]
    if len(move.cards) > move.count:
        raise ImpossibleError(f"{len(move.cards)} cards are named, but only {move.count} discarded", "kahuna:PLAY-4")
    if len(hand) < move.count:
        raise ImpossibleError(f"{SEATS[seat]} has {len(hand)} cards, not {move.count}", "kahuna:PLAY-4")
    demand_cards(state, seat, move.cards)
    effects = take_turn(state, seat)
    was = Counter(hand.open)
    state.buried[seat].put(hand.give_unseen(move.count, move.cards))
    if state.shuffled:
        state.shuffled.blur(seat, was - Counter(hand.open), len(hand) - len(hand.open))
    return [*effects, Effect("cards.discarded", "kahuna:PLAY-4", seat, count=move.count)]


def _take(state: KahunaState, move: Take) -> list[Effect]:
    row, seat = state.row, move.seat
    if not row:
        raise ImpossibleError("no card lies in the row", "kahuna:DRAW-1")
    if move.card in row:
        place = row.index(move.card)
    elif None in row:
        place = row.index(None)
    elif move.card:
        raise ImpossibleError(f"the row is {listed(row)}; {move.card} is not in it", "kahuna:DRAW-1")
    else:
        raise ImpossibleError(f"the row is {listed(row)}; say which card was taken", "kahuna:CARD-2")
    if move.refill and not state.deck:
        raise ImpossibleError("the deck is empty, so that no card can refill the row", "kahuna:DRAW-4")
    named = [move.refill] if row[place] else [move.refill, move.card]
    demand_copies(state, named)
    effects = take_turn(state, seat)
    state.hands[seat].take(move.card, open=True)
    if state.shuffled and not move.card:
        state.shuffled.draw(seat)
    if state.deck:
        state.deck -= 1
        row[place] = move.refill
    else:
        del row[place]
    effects.append(Effect("card.taken", "kahuna:DRAW-1", seat, (move.card or "a card",)))
    return effects + end_turn(state, seat, declined=False)


def _draw(state: KahunaState, move: Draw) -> list[Effect]:
    if not state.deck:
        raise ImpossibleError("the deck is empty", "kahuna:DRAW-4")
    demand_copies(state, [move.card])
    effects = take_turn(state, move.seat)
    state.deck -= 1
    state.hands[move.seat].take(move.card)
    if state.shuffled:
        state.shuffled.draw(move.seat)
    effects.append(Effect("card.drawn", "kahuna:DRAW-1", move.seat))
    return effects + end_turn(state, move.seat, declined=False)


def _decline(state: KahunaState, move: Decline) -> list[Effect]:
    return take_turn(state, move.seat) + end_turn(state, move.seat, declined=True)


def _show(state: KahunaState, move: Show) -> list[Effect]:
    demand_cards(state, move.seat, move.cards)
    hand = state.hands[move.seat]
    was = Counter(hand.open)
    hand.show(move.cards)
    if state.shuffled:
        for card in (Counter(hand.open) - was).elements():
            state.shuffled.give(move.seat, card, len(hand) - len(hand.open))
    return [Effect("cards.shown", "kahuna:REC-2", move.seat, move.cards)]


_APPLY: dict[type[KahunaMove], Callable[[KahunaState, Any], list[Effect]]] = {
    Deal: _deal,
    Row: _row,
    Build: _build,
    Remove: _remove,
    Launch: _launch,
    Sail: _sail,
    Discard: _discard,
    Take: _take,
    Draw: _draw,
    Decline: _decline,
    Show: _show,
}


def _give(state: KahunaState, seat: int, card: str) -> None:
    """Let a card out of a hand, where everybody sees it."""
    hand = state.hands[seat]
    is_open = card in hand.open
    hand.give(card)
    if state.shuffled and not is_open:
        state.shuffled.give(seat, card, len(hand) - len(hand.open))


def demand_bridge(state: KahunaState, seat: int) -> None:
    """Make sure that the seat has a bridge to put on the board. Raises `ImpossibleError`."""
    if state.bridges[seat].bit_count() >= BRIDGES:
        raise ImpossibleError(f"{SEATS[seat]} has no bridge left", "kahuna:PLAY-5")


def demand_ships(state: KahunaState) -> None:
    """Make sure that the game is played with ships. Raises `ImpossibleError`."""
    if not state.options.seafarer:
        raise ImpossibleError(NO_SHIPS, "kahuna:SEA-1")


def demand_cards(state: KahunaState, seat: int, cards: Sequence[str]) -> None:
    """Make sure that the cards can be in the hand. Raises `ImpossibleError`."""
    hand = state.hands[seat]
    if len(cards) == 1 and cards[0] in hand.known:
        return
    if not hand.can_hold(cards):
        holds = [*hand.known, *["?"] * hand.unknown]
        raise ImpossibleError(f"{SEATS[seat]} holds {listed(holds)}, not {listed(cards)}", "kahuna:CARD-2")
    demand_copies(state, hand.lacking(cards))


def demand_copies(state: KahunaState, cards: Iterable[str | None]) -> None:
    """Make sure that cards not known yet can exist beside all that are known. Raises `ImpossibleError`."""
    for card, count in Counter(card for card in cards if card).items():
        located = state.located(card)
        if located + count > COPIES:
            raise ImpossibleError(
                f"there are {COPIES} {card} cards, and {located} of them known to lie elsewhere", "kahuna:CARD-1"
            )


def _names(cards: Sequence[str | None]) -> tuple[str, ...]:
    return tuple(card or "?" for card in cards)


def listed(cards: Iterable[str | None]) -> str:
    """Cards in words, ? for one that is not known."""
    return " ".join(card or "?" for card in cards) or "no card"
