"""The course of a round: its steps, the draws, the change of the start player, and the end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from games.contract import Effect
from games.hidden import Hand, ShuffleKnowledge
from games.knowledge import DRAWN
from games.verraeter.components import HAND_LIMIT, HANDS, ROUNDS, SUPPLY
from games.verraeter.scoring import decide
from games.words import Sentence

if TYPE_CHECKING:
    from games.verraeter.state import VerraeterState


Due = Literal["start", "lands", "estates", "site", "lay", "reveal", "points", "build", "draw"]

STEPS: dict[Due, tuple[Sentence, str]] = {
    "start": (Sentence("the start player is to be named"), "verraeter:3"),
    "lands": (Sentence("the lands are to be laid out"), "verraeter:5"),
    "estates": (Sentence("the estates are to be put under lands"), "verraeter:7"),
    "site": (Sentence("the conflict card is to be put down"), "verraeter:11"),
    "lay": (Sentence("the supply cards are to be laid"), "verraeter:13"),
    "reveal": (Sentence("the action cards are to be revealed"), "verraeter:14"),
    "points": (Sentence("the points on the conquered card are to be read"), "verraeter:16"),
    "build": (Sentence("the Builder is to build"), "verraeter:20"),
    "draw": (Sentence("somebody has to choose how to draw"), "verraeter:26"),
}
"""The next step, in words, and its rule."""

DRAWN_BEFORE, DRAWS = (
    [[("pile", apart + hand, (None,) * count, None) for count in range(len(SUPPLY) + 1)] for hand in HANDS]
    for apart in ("", DRAWN)
)
"""The sighting of a draw, by seat and number of cards: in older revisions, and in those that keep a draw apart."""


def step_words(state: VerraeterState) -> Sentence:
    """The next step, in words."""
    return STEPS[state.due][0] if state.due else Sentence("the game is over")


def begin_round(state: VerraeterState) -> list[Effect]:
    """Begin a round: action cards are taken back, and the conflict card must be put down."""
    seats = state.seats
    state.round += 1
    state.due = "site"
    state.site = None
    state.choices = [None] * seats
    state.aside = None
    state.actions = []
    state.laid = [None] * seats
    state.counted = None
    return [Effect("round.begun", "verraeter:11", state.strategy, count=state.round)]


def build_next(state: VerraeterState) -> list[Effect]:
    """Go on after the points: the Builder, if revealed, is next."""
    if state.actor("Builder") is not None:
        state.due = "build"
        return []
    return finish_round(state)


def finish_round(state: VerraeterState) -> list[Effect]:
    """Do steps 8 to 13: strategy card, discards, draws, and the next round or the end. A choice in a draw waits."""
    effects = []
    strategist = state.actor("Strategist")
    if strategist is not None and strategist != state.strategy:
        state.strategy = strategist
        effects.append(Effect("strategy.taken", "verraeter:22", strategist))
    spent = 0
    for cards in state.laid:
        if cards:
            state.discards += cards
            spent += len(cards)
    state.laid = [[] for _ in state.laid]
    if spent:
        effects.append(Effect("supplies.spent", "verraeter:23", count=spent))
    state.draws = _draws_due(state)
    return effects + draw_in_turn(state)


def _draws_due(state: VerraeterState) -> list[tuple[int, int]]:
    """The due draws in order: the Farmer, the others for their estates, the Diplomat 2 (verraeter:24)."""
    farmer, diplomat, supplies = state.actor("Farmer"), state.actor("Diplomat 2"), state.supplies()
    due = [(farmer, 3)] if farmer is not None else []
    due += [(seat, supplies[seat]) for seat in state.order() if supplies[seat] and seat != farmer]
    return [*due, (diplomat, 1)] if diplomat is not None else due


def excess(state: VerraeterState, index: int = 0) -> int:
    """The excess of a due draw over the hand limit, in cards; 0 or less if it does not exceed it."""
    seat, count = state.draws[index]
    hand = state.hands[seat]
    return len(hand.known) + hand.unknown + count - HAND_LIMIT


def draw_in_turn(state: VerraeterState) -> list[Effect]:
    """Draw one after the other, until a player must choose how to draw too many cards."""
    effects: list[Effect] = []
    while state.draws:
        seat, count = state.draws[0]
        if excess(state) > 0:
            state.due = "draw"
            return [*effects, Effect("hand.exceeded", "verraeter:26", seat, count=count)]
        del state.draws[0]
        effects += draw(state, seat, count)
    return effects + _end_round(state)


def draw(state: VerraeterState, seat: int, count: int) -> list[Effect]:
    """Draw cards unseen by others. If the pile runs out, the discards are shuffled as a new pile (A16)."""
    drawn = Effect("cards.drawn", "verraeter:24", seat, count=count)
    if count <= state.pile:
        _take(state, seat, count)
        return [drawn]
    left = count - state.pile
    _take(state, seat, state.pile)
    _shuffle(state)
    shuffled = Effect("pile.shuffled", "verraeter:23", count=state.pile)
    _take(state, seat, left)
    return [shuffled, drawn]


def _take(state: VerraeterState, seat: int, count: int) -> None:
    """Take cards from the pile, which must have enough."""
    state.pile -= count
    state.hands[seat].unknown += count
    state.told.append((state.version, (DRAWS if state.keeps_draws_apart else DRAWN_BEFORE)[seat][count]))
    if state.shuffled:
        state.shuffled.draw(seat, count)
    if state.piles:
        state.piles.draw(seat, count)


def _shuffle(state: VerraeterState) -> None:
    """Make the discards the new pile. All players have seen them, so less is possible in hands."""
    state.tell_shuffle("pile", Hand(state.discards))
    if state.revision < state.looks_back_since:
        unseen = Counter(SUPPLY)
        for hand in state.hands:
            unseen.subtract(hand.open)
        mixed = Counter(state.discards)
        state.shuffled = ShuffleKnowledge.of(unseen - mixed, mixed, state.hands)
    state.pile, state.discards = len(state.discards), []


def _end_round(state: VerraeterState) -> list[Effect]:
    if len(set(state.owners)) == 1:
        return decide(state, "one_house", "verraeter:29")
    seats = state.seats
    if state.round >= ROUNDS[seats]:
        return decide(state, "rounds", "verraeter:28")
    state.start = (state.start + 1) % seats
    return [Effect("start.passed", "verraeter:27", state.start), *begin_round(state)]
