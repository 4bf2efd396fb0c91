"""The events of chance in Manapani: the dice, their gains on the way, and drawn cards."""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from itertools import accumulate, product
from typing import TYPE_CHECKING

from games.chance import DIE, drawn_events, with_fields
from games.contract import ChanceEvent, Title
from games.manapani.chips import gain
from games.manapani.moves.rolling import Roll
from games.manapani.scoring import end_without_mana

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.contract import Effect, Move
    from games.manapani.moves import ManapaniMove
    from games.manapani.state import ManapaniState

CHANCES = {
    "die": Title("dice", "サイコロ"),
    "way": Title("chips that the way brings", "通り道のチップ"),
    "draw": Title("cards drawn", "引いたカード"),
}


def chances(state: ManapaniState, move: ManapaniMove, effects: Sequence[Effect]) -> Iterator[ChanceEvent]:
    """The chance events of a move: each die of a roll, with the chips that the way of the pawn brings, and draws."""
    if isinstance(move, Roll):
        going_on = state.dice if move.is_due(state) else []
        noted = going_on or [None] * len(move.dice)
        for place, (before, die) in enumerate(zip(noted, move.dice, strict=False)):
            if before is None:
                instead = partial(_with_die, move, place)
                yield ChanceEvent("die", DIE, str(die) if die else None, move.seat, with_outcome=instead)
        if not going_on:
            yield _way(state, move)
    for effect in effects:
        if effect.kind == "card.drawn":
            yield from drawn_events("draw", Counter(state.unlocated_cards()), [None], effect.seat)


def _with_die(roll: Roll, place: int, face: str) -> Move:
    dice = (*roll.dice[:place], int(face), *roll.dice[place + 1 :])
    return with_fields(roll, dice=dice)


def _way(state: ManapaniState, move: Roll) -> ChanceEvent:
    odds = _sums(len(move.dice))
    thrown, chips = [die for die in move.dice if die], _chips(state, move, list(map(int, odds)))
    brings = {
        rolled: tuple(count if seat == move.seat else 0 for seat in range(state.seats))
        for rolled, count in zip(odds, chips, strict=True)
    }
    outcome = str(sum(thrown)) if len(thrown) == len(move.dice) else None
    return ChanceEvent("way", odds, outcome, move.seat, brings, dependent=True)


@cache
def _sums(dice: int) -> Mapping[str, int]:
    """The odds of the sum of `dice` dice."""
    return Counter(str(sum(faces)) for faces in product(range(1, 7), repeat=dice))


def _chips(state: ManapaniState, move: Roll, pips: Sequence[int]) -> list[int]:
    """The chips gained on a way of `pips` squares: at the Start, and at elemental squares without a panic."""
    place, own = state.pawns[move.seat], move.seat == state.active
    face, times = (own and state.face) or 0, 2 if own and "Fly" in state.spells else 1
    walked, squares = state.copy(), len(state.box.board)
    ahead = range(place + 1, place + 1 + (max(pips) + face) * times)
    gained = [0, *accumulate([_brings(walked, move.seat, square % squares) for square in ahead])]
    return [gained[(rolled + face) * times] for rolled in pips]


def _brings(walked: ManapaniState, seat: int, place: int) -> int:
    """The number of chips that the next square of a way brings. A panic brings none, and can end the game.

    The Start always brings one, because white chips are left until the end. The source does not change here, because
    the colour is still unknown.
    """
    kind = walked.box.board[place].kind
    if walked.ending or kind not in ("start", "elemental"):
        return 0
    if kind == "start":
        return 1
    effects = gain(walked, seat, walked.box.colours[place], "manapani:10")
    end_without_mana(walked)
    return int(effects[0].kind == "chip.gained")
