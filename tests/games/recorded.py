"""Games at random with real cards, and records of them: with backs, notes, shown cards, slips, rulings, corrections."""

from __future__ import annotations

import random
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import fields, replace

from games.catan_cards.components import ACTIONS, UNITS
from games.catan_cards.components import CARDS as EXPANSIONS
from games.catan_cards.moves.actions import Spy
from games.catan_cards.moves.events import Confiscate, Roll
from games.catan_cards.moves.hand import Draw as DrawExpansion
from games.catan_cards.moves.hand import Return
from games.catan_cards.moves.setup import Pick, Start
from games.contract import Move
from games.errors import ImpossibleError
from games.irregular import irregular_moves
from games.kahuna import knowledge as kahuna_knowledge
from games.kahuna import state as kahuna_state
from games.kahuna import turns as kahuna_turns
from games.kahuna.components import COPIES_OF
from games.kahuna.moves import Deal, Draw, Row, Take
from games.kahuna.moves import Discard as PutAway
from games.kahuna.moves import setup as kahuna_setup
from games.manapani.moves.cards import Discard
from games.manapani.moves.fighting import Reveal
from games.rulesets import RULESETS
from games.verraeter.components import COPIES
from tests.games.every_way import READERS, Seen
from tests.games.manapani.test_seen_cards import small_box

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


ISLANDS = ({"ALOA": 3, "BARI": 3, "COCO": 4, "DUDA": 3, "ELAI": 2}, {"BARI": 6, "COCO": 4, "DUDA": 3, "FAAA": 1})
MONSTERS = (
    {"Kobold": 4, "Goblin": 3, "Shield": 3, "Troll": 2, "Fly": 1},
    {"Kobold": 4, "Goblin": 4, "Shield": 3, "Troll": 2},
)
FEW = (
    {"Abbey": 9, "Smithy": 9, "Spy": 8, "Brick Fleet": 4},
    {"Abbey": 9, "Merchant": 8, "Spy": 8, "Karl the Strong": 5},
)
SIZES = ((24, 3, 3, 0, 0), (25, 0, 5, 0, 0))
Entry = Any
"""A move, or the adjustments of a ruling."""


class Made(NamedTuple):
    """An entry of a record, and the cards of each hand after it."""

    version: int
    entry: Entry
    hands: tuple[tuple[str, ...], ...]


@contextmanager
def few_islands(few: dict[str, int]) -> Iterator[None]:
    """A box of Kahuna with other cards than the printed ones, so that few ways are to be counted."""
    printed, modules = COPIES_OF.copy(), (kahuna_knowledge, kahuna_turns, kahuna_setup)
    box = kahuna_state.BOX
    cards = tuple(card for card, count in few.items() for _ in range(count))
    before = [module.CARDS for module in modules]
    COPIES_OF.update(dict.fromkeys(printed, 0) | few)
    for module in modules:
        module.CARDS = cards
    kahuna_state.BOX = sum(map(kahuna_state.DIGIT, cards))
    try:
        yield
    finally:
        kahuna_state.BOX = box
        COPIES_OF.update(printed)
        for module, told in zip(modules, before, strict=True):
            module.CARDS = told


class Table:
    """A game with real cards. All are noted: of each draw, a note tells what came."""

    def __init__(self, name: str, seed: int) -> None:
        self.ruleset, self.chance = RULESETS[name], random.Random(f"{name} {seed}")
        self.options: dict[str, Any] = {}
        for option in self.ruleset.options:
            choices = list(option.choices)
            if option.name not in ("profile", "chips") and choices and self.chance.random() < 0.3:
                self.options[option.name] = self.chance.choice(choices)
        self.seats = 3 + seed % 2 if name == "verraeter" else 2
        self.components: Any = None
        if name == "manapani":
            self.components = small_box(MONSTERS[seed % 2])
        elif name == "catan_cards":
            counts = FEW[seed % 2]
            self.components = {"cards": {card: {"count": counts.get(card, 0)} for card in EXPANSIONS}}
        self.sizes = SIZES[seed % 2]
        self.state = self.open()
        self.copies = self.state.copies if name != "verraeter" else COPIES
        self.truth = READERS[name](self.copies, self.seats)
        self.made: list[Made] = []

    def form(self, *tags: str) -> type[Any]:
        """The kind of move with one of these tags."""
        return next(form for form in self.ruleset.move_types if form.__struct_config__.tag in tags)

    def open(self) -> Any:
        return self.ruleset.open(self.options, self.components, self.seats)

    def play(self, entries: int, *, slips: float = 0.04, rulings: float = 0.04) -> None:
        while len(self.made) < entries:
            lot = self.chance.random()
            if lot < rulings and self.made:
                self.give_ruling()
            elif not self.move(slip=lot > 1 - slips and bool(self.made)):
                break

    def move(self, *, slip: bool) -> bool:
        moves: list[Any] = list(islice(irregular_moves(self.state), 400)) if slip else []
        moves = moves or list(self.state.legal_moves())
        if not moves:
            return False
        policy = self.ruleset.policy
        chosen = policy.choose(self.state, self.chance) if policy and self.chance.random() < 0.5 and not slip else None
        for _ in range(60):
            kind = self.chance.choice(sorted({type(move) for move in moves}, key=lambda each: each.__name__))
            move = chosen or self.chance.choice([move for move in moves if type(move) is kind])
            chosen = None
            if (real := self.filled(move)) is not None and self.apply(real):
                return True
        return False

    def give_ruling(self) -> None:
        """A card is moved, or it is somebody's turn."""
        forms = {form.__struct_config__.tag: form for form in self.ruleset.adjustments}
        if self.chance.random() < 0.2 and "turn" in forms:
            self.apply([forms["turn"](seat=self.chance.randrange(self.seats))])
            return
        (places,) = [field.type.__args__ for field in fields(forms["card"]) if field.encode_name == "from"]
        for _ in range(20):
            source, to = self.chance.choice(places), self.chance.choice(places)
            cards = sorted(set(self.truth.ways.kinds))
            data = {"type": "card", "from": source, "to": to, "card": self.chance.choice([*cards, *cards, None])}
            if self.apply([self.ruleset.read_adjustment(data)]):
                return

    def apply(self, entry: Entry) -> bool:
        """False if it cannot be with the real cards."""
        version = self.made[-1].version + 1 if self.made else 2
        after = self.state.copy()
        truth = self.truth.twin()
        try:
            told = step(after, truth, entry, version)
        except ImpossibleError:
            return False
        if not told or not truth.ways.worlds:
            return False
        truth.ways.worlds = {self.chance.choice(sorted(truth.ways.worlds))}
        self.state, self.truth = after, truth
        self.made.append(Made(version, entry, self.hands()))
        self.note_draws()
        return True

    def note_draws(self) -> None:
        """Of each draw that nobody noted, a note tells what came."""
        for seat, hand in enumerate(self.state.hands):
            if hand.unknown and self.ruleset.name in ("manapani", "verraeter"):
                form = self.form("hold")
                drawn = tuple(self.lying(f"drawn {seat}"))
                whole = form(seat=seat, cards=tuple(sorted(self.hands()[seat])))
                note = form(seat=seat, cards=drawn, drawn=True)
                is_whole = hand.unknown != len(drawn) or self.state.newly_drawn(seat) != len(drawn)
                assert self.apply(whole if is_whole else note), (self.state.version, note)

    def lying(self, *places: str) -> list[str]:
        """The real cards of places."""
        ways = self.truth.ways
        (world,) = ways.worlds
        counts = [world[ways.places.index(place)] for place in places]
        return [kind for count in counts for kind, number in zip(ways.kinds, count, strict=True) for _ in range(number)]

    def hands(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(self.lying(*self.truth.hand(seat))) for seat in range(self.seats))

    def some(self, count: int, *places: str) -> tuple[str, ...] | None:
        cards = self.lying(*places)
        return tuple(self.chance.sample(cards, count)) if len(cards) >= count else None

    def filled(self, move: Any) -> Any:
        """The move with the cards that are really there; None if there are too few."""
        match move:
            case Deal() | Row() | Take() | Draw() | PutAway():
                return self.filled_of_kahuna(move)
            case Start() | Pick() | DrawExpansion() | Return() | Confiscate() | Spy():
                return self.filled_of_card_game(move)
            case Reveal(attack=attack, defence=defence):
                sides = zip(self.state.fight.seats, (attack, defence), strict=True)
                one, other = (self.some(len(cards), *self.truth.hand(seat)) for seat, cards in sides)
                return None if one is None or other is None else replace(move, attack=one, defence=other)
            case Discard(seat=seat, cards=cards):
                return (got := self.some(len(cards), *self.truth.hand(seat))) and replace(move, cards=got)
            case Roll(event="brigands" | "plenty") if self.chance.random() < 0.6:
                return replace(move, event="event")
        return self.state.sample_chance(move, self.chance)

    def filled_of_kahuna(self, move: Any) -> Any:
        deck = self.lying("deck")
        match move:
            case Deal():
                cards = self.chance.sample(deck, 9)
                return replace(move, row=tuple(cards[:3]), hands=(tuple(cards[3:6]), tuple(cards[6:])))
            case Row(cards=cards) if None in cards and not self.state.row:
                return (got := self.some(len(cards), "deck")) and replace(move, cards=got)
            case Take(refill=None) if deck:
                return replace(move, refill=self.chance.choice(deck))
            case Draw():
                return replace(move, card=self.chance.choice(deck)) if deck else None
            case PutAway(seat=seat, count=count):
                return (got := self.some(count, *self.truth.hand(seat))) and replace(move, cards=got)
        return move

    def filled_of_card_game(self, move: Any) -> Any:
        hand = self.truth.hand
        match move:
            case Pick(stack=number):
                return (got := self.some(3, f"stack {number}")) and replace(move, cards=got)
            case DrawExpansion(stack=number, search=search):
                places = [place for place in self.truth.stacks[number - 1] if self.lying(place)]
                return (got := self.some(1, *(places if search else places[:1]))) and replace(move, card=got[0])
            case Return(seat=seat):
                return (got := self.some(1, *hand(seat))) and replace(move, card=got[0])
            case Confiscate(seat=seat, cards=cards):
                return (got := self.some(len(cards), *hand(1 - seat))) and replace(move, cards=got)
            case Spy(seat=seat):
                kinds = EXPANSIONS if self.state.options.spy_any else UNITS | ACTIONS
                able = [card for card in self.lying(*hand(1 - seat)) if card in kinds]
                return replace(move, card=self.chance.choice(able) if able else None, taken=bool(able))
        return replace(move, sizes=self.sizes)


def tag(entry: Entry) -> str:
    """The tag of a move; empty for a ruling."""
    return str(entry.__struct_config__.tag) if isinstance(entry, Move) else ""


def step(state: Any, reader: Any, entry: Entry, version: int) -> bool:
    """An entry is recorded, and read as the record has it. False if a rule about cards forbids it."""
    before = state.copy()
    if isinstance(entry, Move):
        told = not any("by all that was seen" in str(breach) for breach in state.breaches(entry))
        effects = state.apply(entry, version)
        reader.move(entry, Seen(before, state, effects))
        return told
    effects = state.adjust(entry, version)
    reader.rule(entry, Seen(before, state, effects))
    return True


class Noise:
    """Makes records of a game with less in them than it had."""

    def __init__(self, table: Table, seed: int, noting: float) -> None:
        self.table, self.chance, self.noting = table, random.Random(seed), noting

    def record(self) -> list[Made]:
        """With backs in place of cards, fewer notes, and others at any time."""
        found: list[Made] = []
        for made in self.table.made:
            if tag(made.entry) == "hold":
                if self.chance.random() < self.noting:
                    found.append(made)
            else:
                found.append(made._replace(entry=self.dimmed(made.entry)))
            if found and self.chance.random() < 0.12:
                found += self.noted(found[-1])
        return [made._replace(version=version) for version, made in enumerate(found, 2)]

    def noted(self, made: Made) -> list[Made]:
        """Some cards of a hand are shown, or noted."""
        able = [seat for seat, hand in enumerate(made.hands) if hand]
        forms = [form for form in self.table.ruleset.move_types if form.__struct_config__.tag in ("show", "hold")]
        if not able:
            return []
        seat, form = self.chance.choice(able), self.chance.choice(forms)
        cards = self.chance.sample(made.hands[seat], self.chance.randint(1, len(made.hands[seat])))
        return [made._replace(entry=form(seat=seat, cards=tuple(cards)))]

    def card(self, card: str | None) -> str | None:
        return card if card and self.chance.random() < self.noting else None

    def cards(self, cards: Sequence[str | None]) -> tuple[str | None, ...]:
        return tuple(map(self.card, cards))

    def dimmed(self, entry: Entry) -> Entry:
        match entry:
            case Deal(row=row, hands=hands):
                noted = tuple(tuple(filter(None, self.cards(hand))) for hand in hands)
                return replace(entry, row=self.cards(row), hands=noted)
            case PutAway(cards=cards):
                return replace(entry, cards=tuple(filter(None, self.cards(cards))))
            case Take(card=card, refill=refill):
                return replace(entry, card=self.card(card), refill=self.card(refill))
            case Draw(card=card) | DrawExpansion(card=card) | Return(card=card):
                return replace(entry, card=self.card(card))
            case Spy(card=card, taken=True):
                return replace(entry, card=self.card(card))
            case Row(cards=cards) | Discard(cards=cards) | Pick(cards=cards) | Confiscate(cards=cards):
                return replace(entry, cards=self.cards(cards))
            case list():
                return [replace(each, card=self.card(each.card)) if hasattr(each, "card") else each for each in entry]
        return entry

    def corrected(self, record: list[Made], *, faithful: bool) -> list[Made]:
        """Entries are replaced by what really was, notes inserted or withdrawn; or anything is if not `faithful`."""
        found, version = record.copy(), record[-1].version + 1
        for _ in range(self.chance.randint(1, 4)):
            at = self.chance.randrange(1, len(found))
            made, lot = found[at], self.chance.random()
            if lot < 0.4:
                found[at + 1 : at + 1] = [each._replace(version=version) for each in self.noted(made)]
            elif tag(made.entry) in ("hold", "show") or (not faithful and lot < 0.6):
                del found[at]
            elif not faithful and lot < 0.8:
                found[at] = made._replace(entry=self.mistaken(made.entry))
            else:
                found[at] = made._replace(entry=self.dimmed(made.entry))
            version += 1
        return found

    def mistaken(self, entry: Entry) -> Entry:
        """Another card in place of one."""
        kinds = self.table.truth.ways.kinds
        if isinstance(entry, Move) and getattr(entry, "card", None) in kinds and "card" in entry.__struct_fields__:
            return replace(entry, card=self.chance.choice(kinds))
        if isinstance(entry, Move) and (cards := getattr(entry, "cards", None)) and {*cards} <= {*kinds, None}:
            return replace(entry, cards=(self.chance.choice(kinds), *cards[1:]))
        return entry
