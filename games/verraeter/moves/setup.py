"""The setup: the start player, the houses, and the circle of lands."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import Hand
from games.verraeter.components import DEALT, HOUSES, LANDS, PLACES, SUPPLY, House
from games.verraeter.moves.base import Land, Seat, TableMove, no_player
from games.verraeter.rounds import Due
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.contract import Chance
    from games.verraeter.state import VerraeterState


class Start(TableMove, frozen=True, kw_only=True, tag="start"):
    """The first player, and the house of each seat; no houses if they alternate."""

    steps: ClassVar[tuple[Due, ...]] = ("start",)
    wrong_step_rule = ("verraeter:3", Sentence("the start player is named once, before all else"))

    starts: Seat
    houses: Annotated[tuple[House, ...], msgspec.Meta(max_length=4)] = ()

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each start player and each choice of houses in which that player belongs to Eagle."""
        for starts in range(state.seats):
            if state.options.alternating_allegiance:
                yield cls(starts=starts)
                continue
            for houses in product(HOUSES, repeat=state.seats):
                if houses[starts] == "Eagle":
                    yield cls(starts=starts, houses=houses)

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breaches of a start player in Rose, and with the option, of houses that do not alternate."""
        if self.starts >= state.seats or len(self.houses) != state.seats:
            return
        if self.houses[self.starts] != "Eagle":
            name = state.seat_name(self.starts)
            yield RuleBrokenError("verraeter:3", "{name} starts and must belong to Eagle", name=name)
        if state.options.alternating_allegiance and list(self.houses) != alternating_houses(state.seats, self.starts):
            yield RuleBrokenError("verraeter:A1", "the houses do not alternate from the start player on")

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Set the start player and the houses. The next player gets the strategy card."""
        seats = state.seats
        if self.starts >= seats:
            raise no_player(state, self.starts)
        if len(self.houses) != seats and (self.houses or not state.options.alternating_allegiance):
            raise ImpossibleError(
                "{seats} houses are to be named, not {count}", "verraeter:4", seats=seats, count=len(self.houses)
            )
        state.start = self.starts
        state.houses = list(self.houses) or alternating_houses(seats, self.starts)
        state.strategy = (self.starts + 1) % seats
        state.due = "lands"
        return [
            Effect("start.chosen", "verraeter:3", state.start),
            *(Effect("house.chosen", "verraeter:4", seat, (house,)) for seat, house in enumerate(state.houses)),
            Effect("strategy.given", "verraeter:9", state.strategy),
        ]


class Laid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A land in the circle, with the house on its upper side."""

    land: Land
    house: House


class Lands(TableMove, frozen=True, kw_only=True, tag="lands"):
    """The circle of lands, clockwise. None is unknown; all must be known before play begins."""

    steps: ClassVar[tuple[Due, ...]] = ("lands",)
    wrong_step_rule = ("verraeter:5", Sentence("the lands are laid out once, after the start player is named"))
    unknown_fields: ClassVar[tuple[str, ...]] = ("lands",)

    lands: Annotated[tuple[Laid | None, ...], msgspec.Meta(min_length=PLACES, max_length=PLACES)]

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:  # noqa: ARG003
        """The circle with all lands unknown, because chance decides it."""
        yield cls(lands=(None,) * PLACES)

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breach of two cards of a land with the same house up."""
        before = zip(state.lands, state.owners, strict=True)
        sides = [(new.land, new.house) if new else old for new, old in zip(self.lands, before, strict=True)]
        told = {(new.land, new.house) for new, known in zip(self.lands, state.lands, strict=True) if new and not known}
        for land, house in dict.fromkeys(sides):
            if (land, house) in told and sides.count((land, house)) > 1:
                yield RuleBrokenError(
                    "verraeter:5",
                    "both lands {land} lie with {house} up: one of each house begins",
                    land=land,
                    house=house,
                )

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Note the lands beside the earlier notes. Once all are known, deal the supply cards."""
        noted = {place: (laid.land, laid.house) for place, laid in enumerate(self.lands) if laid}
        self._demand_circle(state, noted)
        for place, (land, house) in noted.items():
            state.lands[place], state.owners[place] = land, house
        effects = [Effect("lands.laid", "verraeter:5", at=tuple(land or "?" for land in state.lands))]
        if not all(state.lands):
            return effects
        state.hands = [Hand(sorted(DEALT), 0, sorted(DEALT)) for _ in state.hands]
        state.pile = len(SUPPLY) - len(DEALT) * state.seats
        state.told += [(state.version, ("pile", place, DEALT, None)) for place in state.hand_places[: state.seats]]
        state.due = "estates"
        return [*effects, Effect("supplies.dealt", "verraeter:6", count=state.pile)]

    def _demand_circle(self, state: VerraeterState, noted: dict[int, tuple[str, House]]) -> None:
        for place, land in enumerate(state.lands):
            if land and place in noted and noted[place] != (land, state.owners[place]):
                raise ImpossibleError(
                    "land {place} is known to be {owner}'s {land}",
                    "verraeter:5",
                    place=place + 1,
                    owner=state.owners[place],
                    land=land,
                )
        known = {place: (land, state.owners[place]) for place, land in enumerate(state.lands) if land} | noted
        for (land, _), count in Counter((land, None) for land, _ in known.values()).items():
            if count > 2:
                raise ImpossibleError("there are two lands {land}, not {count}", "verraeter:5", land=land, count=count)

    def blanks(self, state: VerraeterState) -> tuple[Blank, ...]:
        """A blank for each unknown land, with the lands that are left."""
        told = [Laid(land, house) for land, house in zip(state.lands, state.owners, strict=True) if land and house]
        left = tuple(f"{laid.house[0]}-{laid.land}" for land in LANDS for laid in _cards_left(land, told))
        return tuple(Blank(choices=left, once=True) for laid in self.lands if laid is None)

    def sample_chance(self, state: VerraeterState, chance: Chance) -> Self:
        """The move with the unknown lands shuffled."""
        lying = enumerate(zip(state.lands, state.owners, strict=True))
        told = {place: Laid(land, house) for place, (land, house) in lying if house}
        told |= {place: laid for place, laid in enumerate(self.lands) if laid}
        left = [card for land in LANDS for card in _cards_left(land, list(told.values()))]
        rest = iter(chance.sample(left, len(left)))
        lands = tuple(told.get(place) or next(rest) for place in range(len(self.lands)))
        return msgspec.structs.replace(self, lands=lands)


def alternating_houses(seats: int, starts: int) -> list[House]:
    """The houses of the seats if they alternate clockwise from the start player, who belongs to Eagle."""
    return [HOUSES[(seat - starts) % seats % 2] for seat in range(seats)]


def _cards_left(land: str, told: list[Laid]) -> list[Laid]:
    """The cards of a land that are not noted yet, with each possible house up."""
    up = [laid.house for laid in told if laid.land == land]
    return [Laid(land, house) for house in HOUSES if house not in up][: len(HOUSES) - len(up)]
