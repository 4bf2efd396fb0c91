"""The box as tables: cards with their counts, costs and points, the starting regions, the region stack.

For a different box, enter the differences; everything else is as printed. Names of cards and their effects are rules
and stay.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar, get_args

import msgspec

from games.errors import BadMoveError, BadOpeningError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.contract import JSON

_PRINTED = tomllib.loads((files("games.catan_cards") / "components.toml").read_text(encoding="utf-8"))

Resource = Literal["grain", "ore", "wool", "lumber", "brick", "gold"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)
LANDS: dict[Resource, str] = {
    "grain": "field",
    "ore": "mountain",
    "wool": "pasture",
    "lumber": "forest",
    "brick": "hill",
    "gold": "gold field",
}
"""The name of the region that brings a resource (catan_cards:2)."""
if TYPE_CHECKING:
    Number = int
else:
    Number = Literal[1, 2, 3, 4, 5, 6]

STORE = 3
"""The most that a region holds (catan_cards:3)."""
STACKS = 5
"""The number of stacks of expansion cards (catan_cards:14)."""
DEALT = 3
"""The size of a first hand, and the hand limit without Abbeys and Libraries (catan_cards:55)."""
MOST_SETTLEMENTS = 5
"""The most settlements of a player. With more, there would not be enough letters for columns."""

_Small = Annotated[int, msgspec.Meta(ge=0, le=20)]
_Cost = dict[Resource, Annotated[int, msgspec.Meta(ge=1, le=9)]]


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of expansion card (catan_cards:9): its number of copies, its cost, and its printed values."""

    colour: Literal["yellow", "green", "red"]
    count: int
    cost: dict[Resource, int] = {}
    points: int = 0
    commerce: int = 0
    strength: int = 0
    tournament: int = 0
    hand: int = 0
    doubles: Resource | None = None
    fleet: Resource | None = None


class Supply(msgspec.Struct, frozen=True):
    """The roads, settlements or cities: their number without the starting ones, and the cost of one."""

    count: int
    cost: dict[Resource, int]


class Land(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A region card: its resource and its number."""

    resource: Resource
    number: Number

    def __str__(self) -> str:
        return f"{self.resource} {self.number}"


class Box(msgspec.Struct, frozen=True, dict=True):
    """The printed facts of a box."""

    cards: dict[str, Card]
    events: dict[str, int]
    supply: dict[str, Supply]
    starting_regions: tuple[dict[Resource, Number], dict[Resource, Number]]
    region_stack: tuple[tuple[Resource, Number], ...]

    @cached_property
    def copies(self) -> dict[str, int]:
        """The number of copies of each expansion card."""
        return {name: card.count for name, card in self.cards.items()}

    @cached_property
    def commerce(self) -> dict[str, int]:
        """The commerce points of each card."""
        return {name: card.commerce for name, card in self.cards.items()}

    @cached_property
    def strength(self) -> dict[str, int]:
        """The strength of each card; 0 except for knights."""
        return {name: card.strength if name in KNIGHTS else 0 for name, card in self.cards.items()}

    @cached_property
    def tournament(self) -> dict[str, int]:
        """The tournament points of each card."""
        return {name: card.tournament for name, card in self.cards.items()}

    def expansions(self) -> int:
        """The total number of expansion cards."""
        return sum(self.copies.values())

    def lands(self) -> list[Land]:
        """The regions of the region stack, by the box's list."""
        return [Land(resource, number) for resource, number in self.region_stack]

    def sizes(self) -> tuple[int, ...]:
        """The sizes of the five stacks of expansion cards, as equal as possible (catan_cards:14)."""
        each, more = divmod(self.expansions(), STACKS)
        return tuple(each + (stack < more) for stack in range(STACKS))


_BOX = msgspec.convert({name: part for name, part in _PRINTED.items() if name != "event_die"}, Box)

CARDS: tuple[str, ...] = tuple(_BOX.cards)
EVENTS: tuple[str, ...] = tuple(_BOX.events)
SIDES_WITH: dict[str, int] = dict(Counter(_PRINTED["event_die"]))
"""The number of sides of the event die with each face; `event` is on two of six (catan_cards:16)."""
FACES: tuple[str, ...] = tuple(SIDES_WITH)
"""The faces of the event die."""

ACTIONS = frozenset(name for name, card in _BOX.cards.items() if card.colour == "yellow")
RED = frozenset(name for name, card in _BOX.cards.items() if card.colour == "red")
KNIGHTS = frozenset(name for name, card in _BOX.cards.items() if card.tournament)
FLEETS = frozenset(name for name, card in _BOX.cards.items() if card.fleet)
UNITS = KNIGHTS | FLEETS
BUILDINGS = frozenset(CARDS) - ACTIONS - UNITS
"""Units are knights and fleets; buildings are all other expansions (catan_cards:8)."""
DOUBLERS: dict[Resource, str] = {card.doubles: name for name, card in _BOX.cards.items() if card.doubles}
"""The production building of each resource that has one (catan_cards:82)."""
FLEET_OF: dict[Resource, str] = {card.fleet: name for name, card in _BOX.cards.items() if card.fleet}
"""The fleet of each resource (catan_cards:85)."""
COUNTERS: dict[str, str] = {"Arsonist": "Bishop", "The Black Knight": "Herb Woman", "Brigands": "Bishop"}
"""The attack cards of duels, with the card that answers each."""


def printed_box(alchemist_spy: str) -> Box:
    """The printed box. Sources disagree on the numbers of Alchemists and Spies, so they are given as `2+3` or `1+4`."""
    return _PRINTINGS[alchemist_spy]


def _printing(counts: str) -> Box:
    alchemists, spies = map(int, counts.split("+"))
    replaced = {"Alchemist": alchemists, "Spy": spies}
    cards = {
        name: msgspec.structs.replace(card, count=replaced.get(name, card.count)) for name, card in _BOX.cards.items()
    }
    return msgspec.structs.replace(_BOX, cards=cards)


_PRINTINGS = {counts: _printing(counts) for counts in ("2+3", "1+4")}


# The entered components of a different box


P = TypeVar("P", Card, Supply)


class _OwnCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    count: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    cost: _Cost | None = None
    points: _Small | None = None
    commerce: _Small | None = None
    strength: _Small | None = None
    tournament: _Small | None = None
    hand: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None


class _OwnSupply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    count: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    cost: _Cost | None = None


class _OwnBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: dict[str, _OwnCard] = {}
    events: dict[str, Annotated[int, msgspec.Meta(ge=0, le=9)]] = {}
    supply: dict[str, _OwnSupply] = {}
    starting_regions: tuple[dict[Resource, Number], dict[Resource, Number]] | None = None
    region_stack: Annotated[tuple[tuple[Resource, Number], ...], msgspec.Meta(max_length=30)] | None = None


COMPONENTS_HELP = """\
What differs in your box; what you leave out is as printed. `cards` by name with `count`, `cost`, `points`, `commerce`,
`strength`, `tournament` and `hand`; `events` by name with their counts; `supply` of road, settlement and city with
`count` and `cost`; `starting_regions`, the number of each resource for both crests; `region_stack`, a list of resource
and number. The list that games have without it is inferred, and nobody has confirmed it: a region that is not in it is
only remarked upon.
"""

SAMPLE: JSON = {
    "region_stack": [list(land) for land in _BOX.region_stack],
    "cards": {"Alchemist": {"count": 2}, "Spy": {"count": 3}, "Harbor": {"commerce": 0}},
}
"""The parts of one's own cards to check first."""


def read_box(components: JSON | None, alchemist_spy: str) -> Box:
    """The box for an opened game: the printed one with the entered `components`. Raises `BadOpeningError`."""
    box = printed_box(alchemist_spy)
    if components is None:
        return box
    own = _read(components)
    _name(own.cards, CARDS, "cards")
    _demand_bare_actions(own)
    _name(own.events, EVENTS, "events")
    _name(own.supply, box.supply, "supply")
    cards = {name: _changed(card, own.cards.get(name)) for name, card in box.cards.items()}
    supply = {name: _changed(part, own.supply.get(name)) for name, part in box.supply.items()}
    if supply["settlement"].count > MOST_SETTLEMENTS:
        raise BadOpeningError("components.supply.settlement.count", f"at most {MOST_SETTLEMENTS} settlements fit")
    changed = Box(
        cards=cards,
        events=box.events | own.events,
        supply=supply,
        starting_regions=own.starting_regions or box.starting_regions,
        region_stack=box.region_stack if own.region_stack is None else own.region_stack,
    )
    for number, lands in enumerate(changed.starting_regions):
        if set(lands) != set(RESOURCES):
            raise BadOpeningError(f"components.starting_regions[{number}]", f"there is one each of {_list(RESOURCES)}")
    if changed.expansions() < STACKS * 2 * DEALT:
        raise BadOpeningError("components.cards", f"with {changed.expansions()} cards nobody can play")
    if not sum(changed.events.values()):
        raise BadOpeningError("components.events", "there has to be an event card")
    return changed


def box_data(box: Box) -> JSON:
    """A box in the form in which the opening of a game takes it."""
    data: JSON = msgspec.json.decode(msgspec.json.encode(box))
    data["cards"] = {name: _card_data(name, card) for name, card in box.cards.items()}
    return data


def _card_data(name: str, card: Card) -> JSON:
    """The fields that can be entered for a card. A field is left out if it is empty both here and in print."""
    fields = _OwnCard.__struct_fields__
    return {field: value for field in fields if (value := getattr(card, field)) or getattr(_BOX.cards[name], field)}


def _read(components: JSON) -> _OwnBox:
    fields = _OwnBox.__struct_fields__
    if not set(components) <= set(fields):
        raise BadOpeningError("components", f"they can hold {_list(sorted(fields))}")
    for field, part in components.items():
        for name, entry in part.items() if isinstance(part, dict) else ():
            _convert({field: {name: entry}}, name)
    return _convert(components)


def _convert(components: JSON, name: str = "") -> _OwnBox:
    """The entered components. `name` is the name of their only entry, for the path of an error."""
    try:
        return msgspec.convert(components, _OwnBox)
    except msgspec.ValidationError as error:
        bad = BadMoveError.of(error)
        path = bad.path.replace("[...]", f".{name}", 1) if name else bad.path
        raise BadOpeningError(f"components.{path}", bad.why) from None


def _demand_bare_actions(own: _OwnBox) -> None:
    """Require that action cards have no other value than their number (catan_cards:50)."""
    for name, card in own.cards.items():
        if name in ACTIONS and card != _OwnCard(count=card.count):
            raise BadOpeningError(f"components.cards.{name}", "an action costs nothing, and counts nothing: only count")


def _changed(part: P, own: _OwnCard | _OwnSupply | None) -> P:
    given = msgspec.structs.asdict(own) if own else {}
    return msgspec.structs.replace(part, **{name: value for name, value in given.items() if value is not None})


def _name(own: Mapping[str, object], names: Iterable[str], field: str) -> None:
    for name in own:
        if name not in names:
            raise BadOpeningError(f"components.{field}.{name}", f"the names are {_list(names)}")


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


def short_name(card: str) -> str:
    """A card's name as one word: a knight's first name, or the name without "The" and spaces."""
    if card in KNIGHTS:
        return card.partition(" ")[0]
    return "Colossus" if card.endswith("Colossus of Catan") else card.removeprefix("The ").replace(" ", "")
