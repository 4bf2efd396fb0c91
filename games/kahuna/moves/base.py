"""The common parts of Kahuna's moves: the types of pieces and places, and the order of play."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Literal

from games.contract import Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import CardState
from games.kahuna.components import ISLANDS, LINES, SEAS
from games.kahuna.turns import take_turn
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.kahuna.state import KahunaState

    Seat = int
    Card = str
    Line = str
    Sea = str
else:  # The names are data; a decoder that knows them says which field is wrong. Seat 0 is black, 1 is white.
    Seat = Literal[0, 1]
    Card = Literal[ISLANDS]
    Line = Literal[LINES]
    Sea = Literal[SEAS]

TURN_LIMIT = 5
"""The most cards to play in one turn (kahuna:PLAY-1)."""


class CardsNamed(Move, frozen=True, kw_only=True):
    """A move with named cards."""

    def from_hand(self) -> Sequence[str]:
        """The named cards of the seat's hand."""
        return ()

    def turned_up(self, state: KahunaState) -> Sequence[str]:  # noqa: ARG002
        """The named cards that come from the deck or the row."""
        return ()


class TableMove(CardsNamed, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None

    def breaches(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """The breach after the end of the game, or of impossible cards. A row can still be looked at again."""
        if state.due and (over := state.game_over_breach()):
            yield over
        yield from state.contradictions(self, None, self.turned_up(state))


class SeatMove(CardsNamed, frozen=True, kw_only=True):
    """A move of the player on turn. Each kind of move has its own `legal_on_turn`."""

    seat: Seat

    @classmethod
    def legal(cls, state: KahunaState) -> Iterator[Self]:
        """The legal moves of the seat on turn."""
        return cls.legal_on_turn(state) if state.to_move() is not None else iter(())

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """The legal moves of this kind for the seat on turn."""
        raise NotImplementedError

    def breaches(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """The breaches: of the order of turns, then of the rules of this kind of move."""
        own = self.check(state)
        if state.active == self.seat and not state.due and not state.ending:
            return own
        return chain(self._off_turn(state), own)

    def _off_turn(self, state: KahunaState) -> Iterator[RuleBrokenError]:
        """The breach if the seat is not on turn."""
        if over := state.game_over_breach():
            yield over
        elif state.due == "row":
            yield RuleBrokenError(
                "kahuna:ROUND-3", "round {round} begins when the new row is laid out", round=state.round
            )
        elif self.seat != state.active:
            whose = state.seat_name(state.active)
            yield RuleBrokenError(
                "kahuna:SET-2", "it is {whose}'s turn, not {name}'s", whose=whose, name=state.seat_name(self.seat)
            )

    def apply(self, state: KahunaState) -> list[Effect]:
        """Carry out the move. Raises `ImpossibleError` before the cards are dealt."""
        if state.due == "deal":
            raise ImpossibleError("the cards have not been dealt yet", "kahuna:SET-1")
        at = len(state.told)
        effects = self.execute(state)
        state.told.insert(at, (state.version, self))  # type: ignore[arg-type]  # the union of all its subclasses
        return effects


def played_cards(state: KahunaState, move: SeatMove) -> Iterable[RuleBrokenError]:
    """The breaches of playing the named cards in this turn, at any place."""
    seat, cards = move.seat, move.from_hand()
    if state.sailed and seat == state.active:
        yield RuleBrokenError(
            "kahuna:SEA-5", "{name} has moved a ship and plays no card in this turn", name=state.seat_name(seat)
        )
    played = len(cards) + (state.plays if seat == state.active else 0)
    if played > TURN_LIMIT:
        yield RuleBrokenError(
            "kahuna:PLAY-1",
            "{name} would play {played} in one turn",
            name=state.seat_name(seat),
            played=count_and_noun(played, "card"),
        )
    if state.round > 1 or state.ruled or any(state.lost):  # before, the known place of each card is enough
        yield from not_in_hand(state, move, cards)


def not_in_hand(state: KahunaState, move: SeatMove, cards: Sequence[str]) -> Iterable[RuleBrokenError]:
    """The breach if the named cards cannot be in the hand, by the last shuffle and everything that was seen.

    None if the move is impossible: the hand has no room for them, or the box has too few.
    """
    hand = state.hands[move.seat]
    lacking = hand.missing(cards)
    if not lacking or len(lacking) > hand.unknown:
        return ()
    found = []
    if not CardState.can_have(state, move.seat, cards):
        found.append(
            RuleBrokenError(
                "kahuna:CARD-2",
                "by what lay open when the cards were shuffled {name} cannot hold {cards}",
                name=state.seat_name(move.seat),
                cards=" ".join(cards),
            ).shown_by(state.evidence().of_last_shuffle())
        )
    found += state.contradictions(move, move.seat, lacking)
    if found and state.are_scarce(lacking):
        return ()
    return found


def play_cards(state: KahunaState, seat: int, cards: Sequence[str]) -> list[Effect]:
    """Put cards of a hand on the open discards. The hand must be able to hold them."""
    effects = take_turn(state, seat)
    state.give(seat, cards)
    state.played += cards
    state.plays += len(cards)
    effects.append(Effect("cards.played", "kahuna:PLAY-3", seat, tuple(cards)))
    return effects
