"""A conflict: its place, the chosen actions, the laid cards, and the reveal."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import SecretMove
from games.verraeter.components import ACTIONS, HAND_LIMIT, MOST_POINTS, border_label, opposing_house, possible_points
from games.verraeter.conflict import conquest, resolve_conflict, reward
from games.verraeter.moves.base import Action, Card, Place, SeatMove, TableMove, cannot_hold, out_of_turn
from games.verraeter.rounds import Due, build_next, draw_in_turn, excess
from games.verraeter.state import UNSEEN
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.contract import Chance
    from games.verraeter.state import VerraeterState


class Site(SeatMove, frozen=True, kw_only=True, tag="site"):
    """The conflict card is put between the land at a place and the next one clockwise."""

    steps: ClassVar[tuple[Due, ...]] = ("site",)
    wrong_step_rule = ("verraeter:11", Sentence("the conflict card is put down once a round, at its beginning"))

    place: Place

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each border between the houses."""
        for place in state.borders():
            yield cls(seat=state.strategy, place=place)

    def can_be_late(self, state: VerraeterState) -> bool:
        """Whether the lands are laid: then the conflict card can have been moved."""
        return state.is_dealt

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breach if the player does not hold the strategy card."""
        if self.seat != state.strategy:
            holder, name = state.seat_name(state.strategy), state.seat_name(self.seat)
            yield RuleBrokenError(
                "verraeter:11", "{holder} holds the strategy card, not {name}", holder=holder, name=name
            )

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Put the conflict card there. Raises `ImpossibleError` between lands of one house. Laid cards stay.

        Nothing follows from it after the reveal, or outside a round (verraeter:REC-1).
        """
        house = state.owners[self.place]
        if house == state.owners[(self.place + 1) % len(state.owners)]:
            raise ImpossibleError(
                "both lands at {border} belong to {house}: no conflict can be there",
                "verraeter:11",
                border=border_label(self.place),
                house=house,
            )
        if state.due not in ("site", "lay", "reveal"):
            return [Effect("site.chosen", "verraeter:REC-1", self.seat, (border_label(self.place),))]
        state.site = self.place
        if state.due == "site":
            state.due = "lay" if None in state.laid else "reveal"
        return [Effect("site.chosen", "verraeter:11", self.seat, (border_label(self.place),))]


class Lay(SeatMove, frozen=True, kw_only=True, tag="lay"):
    """Supply cards are laid face up, or none."""

    steps: ClassVar[tuple[Due, ...]] = ("lay", "reveal")
    wrong_step_rule = ("verraeter:13", Sentence("supply cards are laid after the conflict card, and before the reveal"))

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=HAND_LIMIT)] = ()

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each choice of cards that the hand of the active seat can hold."""
        seat = state.to_move()
        if seat is not None:
            for cards in state.possible_cards(seat, HAND_LIMIT):
                yield cls(seat=seat, cards=cards)

    @classmethod
    def legal_at_random(cls, state: VerraeterState, chance: Chance) -> Self | None:
        """A choice of cards that the hand of the active seat can hold."""
        seat = state.to_move()
        if seat is None:
            return None
        return cls(
            seat=seat, cards=state.random_possible_choice(seat, state.holdable_choices(seat, HAND_LIMIT), chance)
        )

    def can_be_late(self, state: VerraeterState) -> bool:
        """Whether the supply cards are dealt: then a player can lay some, even without a conflict."""
        return state.is_dealt

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breaches of the turn, of a second laying, and of cards that the hand cannot hold."""
        if state.laid[self.seat] is None:
            early = out_of_turn(state, self.seat, "verraeter:13")
        else:
            early = [RuleBrokenError("verraeter:13", "{name} has laid already", name=state.seat_name(self.seat))]
        return [*early, *cannot_hold(state, self.seat, self.cards)] if self.cards else early

    def check_late(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breach of cards that the hand cannot hold."""
        return cannot_hold(state, self.seat, self.cards)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Lay the cards. Raises `ImpossibleError` if the hand cannot hold them."""
        laid = self._lay(state)
        state.laid[self.seat] = [*(state.laid[self.seat] or ()), *self.cards]
        if None not in state.laid:
            state.due = "reveal"
        return [laid]

    def execute_late(self, state: VerraeterState) -> list[Effect]:
        """Add the cards to the laid ones; without a conflict, put them away at once (verraeter:23)."""
        laid = self._lay(state)
        if state.due in ("estates", "draw", None):
            state.discards += self.cards
        else:
            state.laid[self.seat] = [*(state.laid[self.seat] or ()), *self.cards]
        return [laid, *(draw_in_turn(state) if state.due == "draw" and excess(state) <= 0 else [])]

    def _lay(self, state: VerraeterState) -> Effect:
        if not self.cards:
            return Effect("supplies.kept", "verraeter:13", self.seat)
        state.require_hand(self.seat, self.cards)
        state.give_to(self.seat, "discards", self.cards)
        return Effect("supplies.laid", "verraeter:13", self.seat, self.cards)


class Reveal(TableMove, frozen=True, kw_only=True, tag="reveal"):
    """Everybody's action card is revealed; `actions` go by seat."""

    steps: ClassVar[tuple[Due, ...]] = ("reveal",)
    wrong_step_rule = ("verraeter:14", Sentence("the action cards are revealed once a round, after all have laid"))

    actions: Annotated[tuple[Action, ...], msgspec.Meta(min_length=3, max_length=4)]

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each combination of actions that fits the notes."""
        noted = [None if chosen == UNSEEN else chosen for chosen in state.choices]
        for others in permutations(_not_noted(state), noted.count(None)):
            rest = iter(others)
            yield cls(actions=tuple([action or next(rest) for action in noted]))

    def can_be_late(self, state: VerraeterState) -> bool:
        """Whether players still lay cards: then the actions can have been revealed too early."""
        return state.due == "lay"

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Reveal the actions. The Traitor changes houses; then the conflict is resolved."""
        self._demand_noted(state)
        state.actions = list(self.actions)
        state.choices = [None] * state.seats
        effects = [Effect("action.revealed", "verraeter:14", seat, (self.actions[seat],)) for seat in state.order()]
        traitor = state.actor("Traitor")
        if traitor is not None:
            state.houses[traitor] = opposing_house(state.houses[traitor])
            effects.append(Effect("house.changed", "verraeter:14", traitor, (state.houses[traitor],)))
        effects += resolve_conflict(state)
        return effects if state.due == "points" else effects + build_next(state)

    def _demand_noted(self, state: VerraeterState) -> None:
        if len(self.actions) != state.seats:
            raise ImpossibleError(
                "{seats} actions are revealed, not {count}", "verraeter:14", seats=state.seats, count=len(self.actions)
            )
        actions, aside = self.actions, state.aside
        if len({*actions, aside}) > len(actions) and not any(state.choices):
            return  # all are different, and nothing was noted
        for seat, (action, chosen) in enumerate(zip(actions, state.choices, strict=True)):
            if actions.count(action) > 1:
                raise ImpossibleError("there is only one {action}", "verraeter:12", action=action)
            if action == aside:
                raise ImpossibleError("the {action} was put aside", "verraeter:A32", action=action)
            if chosen and chosen not in (UNSEEN, action):
                raise ImpossibleError(
                    "{name} noted the {chosen}, not the {action}",
                    "verraeter:12",
                    name=state.seat_name(seat),
                    chosen=chosen,
                    action=action,
                )


class _Note(SeatMove, SecretMove, frozen=True, kw_only=True):
    """A note of an action card that nobody else sees."""

    steps: ClassVar[tuple[Due, ...]] = ("lay", "reveal")
    wrong_step_rule = (
        "verraeter:12",
        Sentence("action cards are chosen after the conflict card, and before the reveal"),
    )
    unknown_fields: ClassVar[tuple[str, ...]] = ("action",)

    action: Action | None = None

    def can_be_late(self, state: VerraeterState) -> bool:
        """Whether the conflict card is still to be put down: players already have their action cards."""
        return state.due == "site"


class Choose(_Note, frozen=True, kw_only=True, tag="choose"):
    """A player notes the own action card that lies face down. None is unknown."""

    decision: ClassVar[str | None] = "action"

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each action card that is not noted elsewhere."""
        for seat in state.order():
            if state.choices[seat] is None:
                for action in _not_noted(state):
                    yield cls(seat=seat, action=action)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Note the card. Raises `ImpossibleError` if the player has chosen, or if the card is noted elsewhere."""
        if state.choices[self.seat] is not None:
            raise ImpossibleError("{name} has chosen already", "verraeter:12", name=state.seat_name(self.seat))
        if self.action and self.action not in _not_noted(state):
            raise ImpossibleError(
                "the {action} is noted already, and there is one only", "verraeter:12", action=self.action
            )
        state.choices[self.seat] = self.action or UNSEEN
        return [Effect("action.chosen", "verraeter:12", self.seat)]


class Aside(_Note, frozen=True, kw_only=True, tag="aside"):
    """The start player notes the action card that was put aside unseen. None is unknown."""

    decision: ClassVar[str | None] = None

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each action card that is not noted elsewhere."""
        if state.aside is None:
            for action in _not_noted(state):
                yield cls(seat=state.start, action=action)

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Note the card, which only the start player knows. Raises `ImpossibleError` for others."""
        if self.seat != state.start:
            raise ImpossibleError(
                "only {name} can know what was put aside", "verraeter:A32", name=state.seat_name(state.start)
            )
        if state.aside is not None:
            raise ImpossibleError("what was put aside is noted already", "verraeter:A32")
        if self.action and self.action not in _not_noted(state):
            raise ImpossibleError(
                "the {action} is noted already, and there is one only", "verraeter:12", action=self.action
            )
        state.aside = self.action or UNSEEN
        return [Effect("action.removed", "verraeter:A32", self.seat)]


def _not_noted(state: VerraeterState) -> list[str]:
    """The action cards that are not noted yet."""
    return [action for action in ACTIONS if action not in state.choices and action != state.aside]


class ReadPoints(TableMove, frozen=True, kw_only=True, tag="points"):
    """The points on the conquered card for each winner, if no table has them."""

    steps: ClassVar[tuple[Due, ...]] = ("points",)
    wrong_step_rule = ("verraeter:16", Sentence("no conquered land is to be read"))

    points: Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each number of points that fits the known points of the land."""
        won = conquest(state)
        if won is not None:
            least, most = possible_points(state.known_worth(state.lands[won.place]), state.houses.count(won.winner))
            for points in range(least, most + 1):
                yield cls(points=points)

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breaches of a number that differs from an earlier reading, or from the order by winners."""
        won = conquest(state)
        if won is None:
            return
        land, winners = state.lands[won.place], state.houses.count(won.winner)
        worth = state.known_worth(land)
        least, most = possible_points(worth, winners)
        if worth[winners - 1] not in (None, self.points):
            yield RuleBrokenError(
                "verraeter:A33",
                "{land} brought {worth} to each of {winners} before, not {points}",
                land=land,
                worth=worth[winners - 1],
                winners=count_and_noun(winners, "winner"),
                points=self.points,
            )
        elif not least <= self.points <= most:
            yield RuleBrokenError(
                "verraeter:A33",
                "{land} brings {least} to {most} to each of {winners} after what was read of it before, not {points}",
                land=land,
                least=least,
                most=most,
                winners=count_and_noun(winners, "winner"),
                points=self.points,
            )

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Give the points to the winners. Raises `ImpossibleError` without a conquest."""
        won = conquest(state)
        if won is None:
            raise ImpossibleError("nothing was conquered", "verraeter:16")
        land, winners = state.lands[won.place], state.houses.count(won.winner)
        if state.known_points(land, winners) is None:
            state.learnt[land][winners - 1] = self.points
        effects = [Effect("points.read", "verraeter:16", at=(f"{land} with {winners}",), count=self.points)]
        return effects + reward(state, won, self.points) + build_next(state)
