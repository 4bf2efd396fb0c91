"""Before play: who starts, the starting principalities, and the first cards of each hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.catan_cards.components import CARDS, DEALT, RESOURCES, Land
from games.catan_cards.moves.base import (
    Card,
    Seat,
    SeatMove,
    Stack,
    TableMove,
    card_blanks,
    fill_unknown_cards,
    noted_cards,
)
from games.catan_cards.principality import starting_places
from games.catan_cards.scoring import score
from games.catan_cards.stacks import BOX, STACK_PILES
from games.catan_cards.steps import Due
from games.catan_cards.turns import begin_turn
from games.contract import Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import SecretMove
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.catan_cards.state import CatanCardsState
    from games.contract import Chance


class Start(TableMove, frozen=True, kw_only=True, tag="start"):
    """The first player, and the sizes of the five stacks; no sizes if they are as equal as possible."""

    steps: ClassVar[tuple[Due, ...]] = ("start",)
    wrong_step_rule = Sentence("who starts is named once, before all else")

    starts: Seat
    sizes: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=99)], ...], msgspec.Meta(max_length=5)] = ()

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:  # noqa: ARG003
        """A move for each start player."""
        yield cls(starts=0)
        yield cls(starts=1)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if fewer than two stacks are large enough for the first cards of a hand."""
        if state.phase == "start" and self.sizes and sum(size >= DEALT for size in self.sizes) < 2:
            yield RuleBrokenError(
                "catan_cards:14", "both players take {dealt} cards, each from another stack", dealt=DEALT
            )

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Make the stacks. Raises `ImpossibleError` if their sizes do not add up to the cards of the box."""
        self.require_phase(state, "start")
        sizes, cards = self.sizes or state.box.sizes(), state.box.expansions()
        if len(sizes) != len(state.stacks) or sum(sizes) != cards:
            raise ImpossibleError(
                "{cards} cards make five stacks, not {names}",
                "catan_cards:14",
                cards=cards,
                names=" ".join(map(str, sizes)),
            )
        for stack, size in zip(state.stacks, sizes, strict=True):
            stack.size = size
        for pile, size in zip(STACK_PILES, sizes, strict=True):
            state.told.append((state.version, (BOX, pile, (None,) * size, None)))
        state.starts = state.active = self.starts
        state.phase = "lay"
        return [
            Effect("start.chosen", "catan_cards:17", self.starts),
            Effect("stacks.made", "catan_cards:Q1", at=tuple(map(str, sizes))),
        ]


class Lay(SeatMove, frozen=True, kw_only=True, tag="lay"):
    """A starting principality: the six regions, the upper three from the left, then the lower three.

    None is unknown; all must be known before play begins.
    """

    steps: ClassVar[tuple[Due, ...]] = ("lay",)
    unknown_fields: ClassVar[tuple[str, ...]] = ("regions",)
    wrong_step_rule = Sentence("the first regions are laid once, after who starts is named")

    regions: Annotated[tuple[Land | None, ...], msgspec.Meta(min_length=6, max_length=6)]

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """The principality with the noted regions, the others unknown."""
        yield cls(seat=state.active, regions=tuple(state.starting_principality(state.active, [None] * 6)))

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches of two regions with one resource, or of the crest that the opponent has."""
        if state.phase != "lay":
            return
        lands = state.starting_principality(self.seat, self.regions)
        resources = [land.resource for land in lands if land]
        for resource in RESOURCES:
            if resources.count(resource) > 1:
                yield RuleBrokenError(
                    "catan_cards:10", "there is one region of {resource} among the six", resource=resource
                )
        if all(lands) and state.possible_sets(lands) == [state.starting_set(1 - self.seat)]:
            yield RuleBrokenError(
                "catan_cards:10", "{other} has the regions of this crest", other=state.seat_name(1 - self.seat)
            )

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """A blank for each unknown region, with the missing regions of the crests that the opponent does not have."""
        taken, lying = state.starting_set(1 - self.seat), {land.resource for land in self.regions if land}
        lands = tuple(
            f"{resource}{number}"
            for index in state.possible_sets(self.regions)
            if index != taken
            for resource, number in state.box.starting_regions[index].items()
            if resource not in lying
        )
        return tuple(Blank(self.seat, lands) for land in self.regions if land is None)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Lay the regions, each with 1 resource; settlements are the first points (catan_cards:12, catan_cards:19)."""
        self.require_phase(state, "lay")
        own, places = state.principalities[self.seat], starting_places(self.seat)
        if len(own.regions) == len(self.regions):
            raise ImpossibleError("{name} has laid already", "catan_cards:11", name=state.seat_name(self.seat))
        noted = {place: land for place, land in zip(places, self.regions, strict=True) if land}
        for place, land in noted.items():
            if own.regions.get(place, land) != land:
                raise ImpossibleError(
                    "{place} is known to be {region}, not {land}",
                    "catan_cards:11",
                    place=place,
                    region=own.regions[place],
                    land=land,
                )
        regions = own.regions | noted
        own.regions = {place: regions[place] for place in places if place in regions}
        own.stocks |= dict.fromkeys(noted, 1)
        lands = [*own.regions.values()]
        effects = [Effect("regions.laid", "catan_cards:11", self.seat, tuple(map(str, lands)))]
        return effects if len(lands) < len(places) else effects + self._finish_setup(state, lands)

    def _finish_setup(self, state: CatanCardsState, lands: Sequence[Land]) -> list[Effect]:
        """When all regions are known, lay the road and the settlements, and pass on to the next player."""
        own = state.principalities[self.seat]
        own.roads, own.line = ["m"], {"l": "settlement", "n": "settlement"}
        for letter in own.line:
            score(state, self.seat, 1, "settlement", "catan_cards:19", f"starting settlement {letter}")
        if all(one.line for one in state.principalities):
            state.active, state.phase = state.starts, "pick"
        else:
            state.active = 1 - self.seat
        return _unlisted(state, lands)

    def sample_chance(self, state: CatanCardsState, chance: Chance) -> Self:
        """The move with the missing regions of a crest that the opponent does not have, in random order."""
        if None not in self.regions:
            return self
        lands, taken = state.starting_principality(self.seat, self.regions), state.starting_set(1 - self.seat)
        free = [number for number in (0, 1) if number != taken]
        fitting = [number for number in state.possible_sets(lands) if number != taken]
        number = chance.choice(fitting or free)
        numbers = state.box.starting_regions[number]
        left = [resource for resource in RESOURCES if not any(land and land.resource == resource for land in lands)]
        rest = iter(chance.sample(left, len(left)))
        regions = tuple(land or Land(resource := next(rest), numbers[resource]) for land in lands)
        return msgspec.structs.replace(self, regions=regions)


def _unlisted(state: CatanCardsState, lands: Sequence[Land]) -> list[Effect]:
    """An effect for each difference from the nearest starting set: only a remark, because the cards are right."""
    nearest = max(
        state.box.starting_regions, key=lambda crest: sum(crest[land.resource] == land.number for land in lands)
    )
    differing = (land for land in lands if nearest[land.resource] != land.number)
    return [Effect("region.unlisted", "catan_cards:Q35", at=(str(land),)) for land in differing]


class Pick(SeatMove, SecretMove, frozen=True, kw_only=True, tag="pick"):
    """The first three cards of a hand, chosen from a stack. None is an unseen card."""

    steps: ClassVar[tuple[Due, ...]] = ("pick",)
    unknown_fields: ClassVar[tuple[str, ...]] = ("cards",)
    wrong_step_rule = Sentence("the first cards are picked once, after the regions are laid")

    stack: Stack
    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=3, max_length=3)] = (None,) * 3

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each stack that is large enough, and not taken by the opponent."""
        for number, stack in enumerate(state.stacks, 1):
            if stack.size >= DEALT and number not in state.picked:
                yield cls(seat=state.active, stack=number)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches of the order, and of a stack that the opponent has taken."""
        if state.phase != "pick":
            return
        if self.seat != state.active:
            yield RuleBrokenError("catan_cards:18", "{whose} picks first", whose=state.seat_name(state.active))
        if state.picked[1 - self.seat] == self.stack:
            other = state.seat_name(1 - self.seat)
            yield RuleBrokenError(
                "catan_cards:18", "{other} has picked from stack {stack}", other=other, stack=self.stack
            )

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """A blank for each unknown card, with the cards that may lie in a stack."""
        return card_blanks(self.seat, self.cards, (card for card in CARDS if state.unlocated_copies(card) > 0))

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The cards, for the player's hand."""
        return [(self.seat, noted_cards(*self.cards))]

    def missing_cards(self, state: CatanCardsState, holder: int, cards: Sequence[str]) -> list[str]:  # noqa: ARG002
        """All cards, because nothing is known of the stacks yet."""
        return list(cards)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Take the cards, once for each player. Then the first turn begins."""
        self.require_phase(state, "pick")
        if state.picked[self.seat]:
            raise ImpossibleError("{name} has taken cards already", "catan_cards:18", name=state.seat_name(self.seat))
        if state.stacks[self.stack - 1].size < len(self.cards):
            raise ImpossibleError("stack {stack} is too small", "catan_cards:18", stack=self.stack)
        state.require_copies(noted_cards(*self.cards))
        for card in self.cards:
            state.draw(self.seat, self.stack, card, top=False)
        state.picked[self.seat] = self.stack
        effects = [Effect("hand.picked", "catan_cards:18", self.seat, (str(self.stack),), len(self.cards))]
        other = 1 - self.seat
        if not state.picked[other]:
            state.active = other
            return effects
        return effects + begin_turn(state, state.starts)

    def sample_chance(self, state: CatanCardsState, chance: Chance) -> Self:
        """The move with sampled cards that are not known to lie anywhere."""
        if None not in self.cards:
            return self
        among = state.dealt_within(self.stack, top=False) or state.unlocated_cards()
        return msgspec.structs.replace(self, cards=fill_unknown_cards(self.cards, among, chance))
