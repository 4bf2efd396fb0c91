"""What chance decides in Manapani: the dice, what they bring on the way, and the cards that hands draw."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from games.chance import DIE, drawn, with_facts
from games.contract import ChanceEvent, Title
from games.manapani.moves.rolling import Roll

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Effect, Move
    from games.manapani.moves import ManapaniMove
    from games.manapani.state import ManapaniState

CHANCES = {
    "die": Title("dice", "ダイス"),
    "way": Title("chips that the way brings", "通り道のチップ"),
    "draw": Title("cards drawn", "引いたカード"),
}


def chances(state: ManapaniState, move: ManapaniMove, effects: Sequence[Effect]) -> Iterator[ChanceEvent]:
    """Each die of a roll, and the chips on the way that all of them together lead along."""
    if isinstance(move, Roll):
        noted = state.dice or [None] * len(move.dice)
        for place, (before, die) in enumerate(zip(noted, move.dice, strict=False)):
            if before is None:
                instead = partial(_with_die, move, place)
                yield ChanceEvent("die", DIE, str(die) if die else None, move.seat, instead=instead)
        if not state.dice:
            yield _way(state, move)
    for effect in effects:
        if effect.kind == "card.drawn":
            odds = {card: count for card in state.copies if (count := state.at_large(card)) > 0}
            yield from drawn("draw", odds, [None], effect.seat)


def _with_die(roll: Roll, place: int, face: str) -> Move:
    dice = (*roll.dice[:place], int(face), *roll.dice[place + 1 :])
    return with_facts(roll, dice=dice)


def _way(state: ManapaniState, move: Roll) -> ChanceEvent:
    sums = Counter(map(sum, product(range(1, 7), repeat=len(move.dice))))
    thrown = [die for die in move.dice if die]
    brings = {
        str(rolled): tuple(_chips(state, rolled) * (seat == move.seat) for seat in range(state.seats))
        for rolled in sums
    }
    outcome = str(sum(thrown)) if len(thrown) == len(move.dice) else None
    odds = {str(rolled): count for rolled, count in sums.items()}
    return ChanceEvent("way", odds, outcome, move.seat, brings, follows=True)


def _chips(state: ManapaniState, rolled: int) -> int:
    """How many chips are gained on the way of so many pips: at the Start, and at each elemental square."""
    steps = (rolled + (state.face or 0)) * (2 if "Fly" in state.spells else 1)
    board, place = state.box.board, state.place
    return sum(board[(place + step) % len(board)].kind in ("start", "elemental") for step in range(1, steps + 1))
