"""The cards as tables, and the entered components of a set: the squares of the board and the copies of each card.

Squares lie in a ring and are counted from 0, the Start, in the direction of play.
"""

from __future__ import annotations

import tomllib
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from games.errors import BadOpeningError

if TYPE_CHECKING:
    from games.contract import JSON

_BOX = tomllib.loads((files("games.manapani") / "components.toml").read_text(encoding="utf-8"))

Element = Literal["fire", "water", "wind", "earth"]
ELEMENTS: tuple[Element, ...] = ("fire", "water", "wind", "earth")
Colour = Literal["red", "blue", "yellow", "green", "white"]
COLOURS: tuple[Colour, ...] = ("red", "blue", "yellow", "green", "white")
"""The colours of chips; the first four are those of the elements, in the same order (manapani:2)."""
WHITE = COLOURS.index("white")

DEALT: int = _BOX["hand"]
HAND_LIMIT: int = _BOX["hand_limit"]
STARTING_CHIPS: int = _BOX["chips_per_colour"]
TOP_LEVEL: int = _BOX["top_level"]
BONUS: int = _BOX["bonus"]
SEATS = range(2, 5)
HANDS = tuple(f"player{seat + 1}" for seat in range(max(SEATS)))
"""The name of each seat's hand in rulings."""


class Cost(msgspec.Struct, frozen=True):
    """The cost of a card: chips of each colour, chips of any colour, and whether an X is added."""

    pips: tuple[int, ...]
    generic: int = 0
    x: bool = False


class Creature(msgspec.Struct, frozen=True):
    """A scroll: its element, its power, its bonuses, and the lands that it can attack."""

    element: Element
    power: int
    pips: int = 0
    generic: int = 0
    x: bool = False
    against: dict[Element, int] = {}
    attack: int = 0
    defence: int = 0
    attacks: tuple[Element, ...] = ELEMENTS

    def strength(self, land: Element, x: int, *, attacking: bool) -> int:
        """The power in a fight for a land, in attack or defence."""
        added = self.attack + self.against.get(land, 0) if attacking else self.defence
        return self.power + (x if self.x else 0) + added


SCROLLS: dict[str, Creature] = msgspec.convert(_BOX["scrolls"], dict[str, Creature])
SPELLS: tuple[str, ...] = tuple(_BOX["spells"])
CARDS: tuple[str, ...] = (*SCROLLS, *SPELLS)


def _spell_cost(printed: dict[str, int]) -> Cost:
    return Cost(tuple(printed.get(element, 0) for element in ELEMENTS), printed.get("generic", 0))


COSTS: dict[str, Cost] = {
    card: Cost(tuple(scroll.pips * (element == scroll.element) for element in ELEMENTS), scroll.generic, scroll.x)
    for card, scroll in SCROLLS.items()
} | {card: _spell_cost(printed) for card, printed in _BOX["spells"].items()}

CARD_RULES: dict[str, str] = {
    "Kobold": "manapani:CARD-1",
    "Goblin": "manapani:CARD-2",
    "Minotaur": "manapani:CARD-3",
    "Salamander": "manapani:CARD-4",
    "Hellhound": "manapani:CARD-5",
    "Fire Giant": "manapani:CARD-6",
    "Red Dragon": "manapani:CARD-7",
    "Skeleton": "manapani:CARD-8",
    "Banshee": "manapani:CARD-9",
    "Merfolk": "manapani:CARD-10",
    "Specter": "manapani:CARD-11",
    "Lizardman": "manapani:CARD-12",
    "Kraken": "manapani:CARD-13",
    "Snow Giant": "manapani:CARD-14",
    "Grassrunner": "manapani:CARD-15",
    "Hornet": "manapani:CARD-16",
    "Hurricane": "manapani:CARD-17",
    "Garuda": "manapani:CARD-18",
    "Djinn": "manapani:CARD-19",
    "Gremlin": "manapani:CARD-20",
    "Bandit": "manapani:CARD-21",
    "Gnome": "manapani:CARD-22",
    "Treant": "manapani:CARD-23",
    "Dwarf": "manapani:CARD-24",
    "Hell Plant": "manapani:CARD-25",
    "Troll": "manapani:CARD-26",
    "Guardian": "manapani:CARD-27",
    "Green Dragon": "manapani:CARD-28",
    "Mana": "manapani:CARD-29",
    "Holy Dice": "manapani:CARD-30",
    "Mana Prism": "manapani:CARD-31",
    "Brave Attack": "manapani:CARD-32",
    "Shield": "manapani:CARD-33",
    "Fly": "manapani:CARD-34",
    "Slow": "manapani:CARD-35",
    "Drain Magic": "manapani:CARD-36",
    "Armageddon": "manapani:CARD-37",
}
"""The rule that states each card, in the order of the printed list."""

MOST_SQUARES = 100
MOST_COPIES = 99
"""The most squares, and the most copies of a card. Larger numbers are typing errors."""

SAMPLE: JSON = _BOX["sample"]
"""An invented board and deck."""

COMPONENTS_HELP = """\
What is published nowhere, from one's own set. `board`: the squares in the direction of play, the start first, as
`start`, `fire land`, `water elemental`, `fort` or `sanctuary`; the elements are `fire`, `water`, `wind`, `earth`.
`deck`: how many copies there are of each of the 37 cards. A game that is opened without them has an invented board and
deck, and shows it.
"""

Kind = Literal["start", "land", "elemental", "fort", "sanctuary"]
_WITH_ELEMENT: tuple[Kind, ...] = ("land", "elemental")
_WITHOUT: tuple[Kind, ...] = ("start", "fort", "sanctuary")


class Square(msgspec.Struct, frozen=True):
    """A square of the track; lands and elementals have an element."""

    kind: Kind
    element: Element | None = None

    def __str__(self) -> str:
        return f"{self.element} {self.kind}" if self.element else self.kind


class Box(msgspec.Struct, frozen=True, dict=True):
    """The entered components: the track, one ring without branches (manapani:A17), and the copies of each card."""

    board: tuple[Square, ...]
    deck: dict[str, int]

    @cached_property
    def cards(self) -> int:
        """The total number of cards."""
        return sum(self.deck.values())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label of each square: number and kind."""
        return tuple(f"{place} {square}" for place, square in enumerate(self.board))

    @cached_property
    def lands(self) -> tuple[int, ...]:
        """The places of the lands."""
        return tuple(place for place, square in enumerate(self.board) if square.kind == "land")

    @cached_property
    def colours(self) -> tuple[int, ...]:
        """The colour index of each square's element; white for squares without one."""
        return tuple(ELEMENTS.index(square.element) if square.element else WHITE for square in self.board)

    @cached_property
    def steps_to_bringer(self) -> tuple[int, ...]:
        """From each square, the number of steps to the next square that brings a chip in passing."""
        size, bringing = len(self.board), ("start", "elemental")
        return tuple(
            next(step for step in range(1, size + 1) if self.board[(place + step) % size].kind in bringing)
            for place in range(size)
        )

    def next_fort(self, place: int) -> int | None:
        """The number of steps to the next fort: a whole lap to the same one (manapani:C8). None without a fort."""
        size = len(self.board)
        return next((step for step in range(1, size + 1) if self.board[(place + step) % size].kind == "fort"), None)


_SQUARES = {str(square): square for square in map(Square, _WITHOUT)} | {
    f"{element} {kind}": Square(kind, element) for kind in _WITH_ELEMENT for element in ELEMENTS
}


def read_box(components: JSON) -> Box:
    """The board and the deck for an opened game. Raises `BadOpeningError` with the field."""
    return SAMPLE_BOX if components is SAMPLE else _read(components)


def _read(components: JSON) -> Box:
    if set(components) != {"board", "deck"}:
        raise BadOpeningError("components", 'they are {"board": [...], "deck": {...}} and nothing else')
    return Box(_read_board(components["board"]), _read_deck(components["deck"]))


def _read_board(board: Any) -> tuple[Square, ...]:
    field = "components.board"
    if not isinstance(board, list) or not 2 <= len(board) <= MOST_SQUARES:
        raise BadOpeningError(field, f"expected a list of 2 to {MOST_SQUARES} squares here")
    for place, square in enumerate(board):
        if not isinstance(square, str) or square not in _SQUARES:
            raise BadOpeningError(f"{field}[{place}]", f"a square is one of {', '.join(_SQUARES)}")
        if (square == "start") != (place == 0):
            raise BadOpeningError(f"{field}[{place}]", "the track begins with its one start and closes after its end")
    squares = tuple(_SQUARES[square] for square in board)
    if not any(square.kind == "land" for square in squares):
        raise BadOpeningError(field, "there should be at least one land")
    return squares


def _read_deck(deck: Any) -> dict[str, int]:
    field = "components.deck"
    if not isinstance(deck, dict):
        raise BadOpeningError(field, "expected an object with the copies of every card here")
    for card in [*deck, *CARDS]:
        if card not in COSTS:
            raise BadOpeningError(f"{field}.{card}", "there is no such card")
        if card not in deck:
            raise BadOpeningError(f"{field}.{card}", "this card is missing; 0 if there is none")
        if type(deck[card]) is not int or not 0 <= deck[card] <= MOST_COPIES:
            raise BadOpeningError(f"{field}.{card}", f"copies are whole numbers from 0 to {MOST_COPIES}")
    if sum(deck.values()) < DEALT * SEATS.start:
        raise BadOpeningError(field, f"{SEATS.start} players are dealt {DEALT} cards each, and there are fewer")
    return {card: deck[card] for card in CARDS}


SAMPLE_BOX = _read(SAMPLE)
"""The invented board and deck. They are always shown as invented."""


def short_name(card: str) -> str:
    """A card's name as one word."""
    return card.replace(" ", "")
