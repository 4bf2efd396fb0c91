"""All ways in which cards can lie, counted from what a viewpoint saw of the moves, by the rules of the table alone.

A way says how many of each kind lie in each place. Nothing here looks at what states keep of cards: the readers of the
four games take moves, the effects that everybody sees, and rulings.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from games.catan_cards.adjustments import Expansion, MoveCard
from games.catan_cards.components import ACTIONS, UNITS
from games.catan_cards.moves.actions import Alchemist, Caravan, Merchant, Scout, Spy
from games.catan_cards.moves.building import Build as BuildExpansion
from games.catan_cards.moves.duels import Attack
from games.catan_cards.moves.duels import Counter as Answer
from games.catan_cards.moves.events import Confiscate, Strike
from games.catan_cards.moves.hand import Draw as DrawExpansion
from games.catan_cards.moves.hand import Hold as HoldExpansions
from games.catan_cards.moves.hand import Return
from games.catan_cards.moves.hand import Show as ShowExpansions
from games.catan_cards.moves.setup import Pick, Start
from games.contract import Move
from games.errors import ImpossibleError
from games.kahuna.moves import Build, Deal, Draw, Launch, Remove, Row, Show, Take
from games.kahuna.moves import Discard as PutAway
from games.manapani.components import DEALT as MANAPANI_DEALT
from games.manapani.moves.cards import Discard
from games.manapani.moves.cards import Hold as HoldManapani
from games.verraeter.components import DEALT
from games.verraeter.moves.drawing import Draw as DrawSupplies
from games.verraeter.moves.drawing import Hold as HoldSupplies
from games.verraeter.moves.fighting import Lay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from games.contract import Adjustment, Effect, Viewpoint

Cards = tuple[int, ...]
World = tuple[Cards, ...]
"""How many of each kind lie in each place."""


class EveryWay:
    """All ways, and what is asked of them."""

    def __init__(self, copies: Mapping[str, int], places: Sequence[str], deck: str) -> None:
        self.kinds = [card for card, count in copies.items() if count]
        self.places = list(places)
        cards = tuple(copies[kind] for kind in self.kinds)
        self._kept: tuple[Set[World], dict[Any, set[tuple[Cards, ...]]]] = (set(), {})
        self.worlds: Set[World] = {tuple(cards if place == deck else (0,) * len(cards) for place in places)}

    def twin(self) -> EveryWay:
        found = copy(self)
        found.places = self.places.copy()
        return found

    def add(self, place: str) -> None:
        self.places.append(place)
        self.worlds = {(*world, (0,) * len(self.kinds)) for world in self.worlds}

    def move(
        self,
        sources: Sequence[str],
        to: str,
        cards: Sequence[str | None],
        *,
        stay: Sequence[str] = (),
        kinds: Set[str] | None = None,
    ) -> None:
        """Cards go from any of these places to another. None is any card, or one of these kinds; `stay` do not go."""
        at, end = [self.places.index(place) for place in sources], self.places.index(to)
        self.see(sources, [*stay, *filter(None, cards)])
        least = [stay.count(kind) for kind in self.kinds]
        for card in sorted(cards, key=lambda card: card is None):
            able = [n for n, kind in enumerate(self.kinds) if (kind == card if card else kind in (kinds or {kind}))]
            self.worlds = {
                after for world in self.worlds for kind in able for after in moved(world, at, end, kind, least[kind])
            }

    def next(self, stack: Sequence[str], to: str, card: str | None) -> None:
        """The top card of a stack, its first place that has one, goes to another place."""
        at, end = [self.places.index(place) for place in stack], self.places.index(to)
        able = [number for number, kind in enumerate(self.kinds) if card in (None, kind)]
        self.worlds = {
            after
            for world in self.worlds
            for top in [place for place in at if any(world[place])][:1]
            for kind in able
            for after in moved(world, [top], end, kind, 0)
        }

    def pour(self, sources: Sequence[str], to: str) -> None:
        """All cards of these places go to another."""
        at, end = [self.places.index(place) for place in sources], self.places.index(to)
        self.worlds = {poured(world, at, end) for world in self.worlds}

    def see(self, places: Sequence[str], cards: Sequence[str]) -> None:
        """These places have all these cards together."""
        if any(card not in self.kinds for card in cards):
            self.worlds = set()
        elif cards:
            at, wanted = [self.places.index(place) for place in places], self._counts(cards)
            self.worlds = {world for world in self.worlds if all(map(int.__ge__, _together(world, at), wanted))}

    def lack(self, places: Sequence[str], kinds: Set[str]) -> None:
        """These places have no card of these kinds."""
        at = [self.places.index(place) for place in places]
        none = [number for number, kind in enumerate(self.kinds) if kind in kinds]
        self.worlds = {world for world in self.worlds if not any(world[place][kind] for place in at for kind in none)}

    def can_have(self, *held: tuple[Sequence[str], Sequence[str]]) -> bool:
        """Whether places can have these cards, all together."""
        if any(card not in self.kinds for _, cards in held for card in cards):
            return False
        wanted = [self._counts(cards) for _, cards in held]
        lying = self._lying(tuple(tuple(places) for places, _ in held))
        return any(all(all(map(int.__ge__, *each)) for each in zip(sums, wanted, strict=True)) for sums in lying)

    def can_be(self, *held: tuple[Sequence[str], Sequence[str]]) -> bool:
        """Whether places can have just these cards, all together."""
        return tuple(self._counts(cards) for _, cards in held) in self._lying(tuple(tuple(p) for p, _ in held))

    def _counts(self, cards: Sequence[str]) -> Cards:
        return tuple(map(cards.count, self.kinds))

    def _lying(self, groups: tuple[tuple[str, ...], ...]) -> set[tuple[Cards, ...]]:
        """The cards of some groups of places, in each way."""
        known, found = self._kept
        if known is not self.worlds:
            self._kept = known, found = self.worlds, {}
        if groups not in found:
            at = [[self.places.index(place) for place in places] for places in groups]
            found[groups] = {tuple(_together(world, places) for places in at) for world in self.worlds}
        return found[groups]

    def size(self, *places: str) -> int:
        """How many cards lie in these places: as many in each way."""
        world = next(iter(self.worlds))
        return sum(sum(world[self.places.index(place)]) for place in places)


def _together(world: World, places: Sequence[int]) -> Cards:
    return world[places[0]] if len(places) == 1 else tuple(map(sum, zip(*(world[at] for at in places), strict=True)))


def moved(world: World, at: Sequence[int], end: int, kind: int, least: int) -> Iterator[World]:
    if not least or sum([world[place][kind] for place in at]) > least:
        for place in at:
            if world[place][kind]:
                found = list(world)
                found[place] = changed(found[place], kind, -1)
                found[end] = changed(found[end], kind, 1)
                yield tuple(found)


@cache
def changed(cards: Cards, kind: int, by: int) -> Cards:
    return (*cards[:kind], cards[kind] + by, *cards[kind + 1 :])


def poured(world: World, at: Sequence[int], end: int) -> World:
    found = list(world)
    for place in at:
        if place != end:
            found[end] = tuple(map(int.__add__, found[end], world[place]))
            found[place] = (0,) * len(found[place])
    return tuple(found)


class Seen(NamedTuple):
    """The table before and after an entry, as a viewpoint sees it, and the effects."""

    before: Any
    after: Any
    effects: Sequence[Effect]


class Reader:
    """Reads what a viewpoint sees of a game, entry by entry."""

    ways: EveryWay

    def twin(self) -> Any:
        found = copy(self)
        found.ways = self.ways.twin()
        return found

    def hand(self, seat: int) -> list[str]:
        """The places of the cards of a hand."""
        return [f"hand {seat}"]

    def can_hold(self, seat: int, cards: Sequence[str]) -> bool:
        return self.ways.can_have((self.hand(seat), cards))

    def can_be(self, state: Any, move: Move) -> bool:
        """Whether any way has the cards of a move."""
        twin, after = self.twin(), state.copy()
        try:
            effects = after.apply(move)
        except ImpossibleError:
            effects, after = [], state
        twin.move(move, Seen(state, after, effects))
        return bool(twin.ways.worlds)

    def take(self, entry: Any, seen: Seen, seer: Viewpoint) -> None:
        """An entry, as it is seen from a viewpoint."""
        if isinstance(entry, Move):
            self.move(entry.seen(seer), seen)
        else:
            self.rule([change.seen(seer) for change in entry], seen)

    def move(self, move: Move, seen: Seen) -> None:
        raise NotImplementedError

    def rule(self, adjustments: Sequence[Adjustment], seen: Seen) -> None:
        raise NotImplementedError


class OfKahuna(Reader):
    """The row has cards that were noted in it; of the others nobody said which they are."""

    def __init__(self, copies: Mapping[str, int], _: int) -> None:
        self.ways = EveryWay(copies, ("deck", "row", "discards", "hand 0", "hand 1", "away 0", "away 1"), "deck")
        self.row: tuple[str, ...] = ()

    def move(self, move: Any, seen: Seen) -> None:
        own = [f"hand {move.seat}"]
        match move:
            case Deal() | Row() | Take() | Draw():
                self.come(move)
            case PutAway(count=count, cards=cards):
                self.ways.move(own, f"away {move.seat}", _filled(cards, count))
            case Show(cards=cards):
                self.ways.see(own, cards)
            case Build(card=card):
                self.ways.move(own, "discards", [card])
            case Remove(cards=cards) | Launch(cards=cards):
                self.ways.move(own, "discards", cards)
        self.follow(seen.effects)

    def come(self, move: Deal | Row | Take | Draw) -> None:
        """Cards come from the deck or the row."""
        match move:
            case Deal(row=row, hands=hands):
                self.turn_up(row)
                for seat, cards in enumerate(hands):
                    self.ways.move(["deck"], f"hand {seat}", _filled(cards, 3))
            case Row(cards=cards) if self.ways.size("row"):
                self.row = tuple(filter(None, cards))
                self.ways.see(["row"], self.row)
            case Row(cards=cards):
                self.turn_up(cards)
            case Take(card=card, refill=refill):
                self.leave_row(f"hand {move.seat}", card)
                if self.ways.worlds and self.ways.size("deck"):
                    self.turn_up([refill])
            case Draw(card=card):
                self.ways.move(["deck"], f"hand {move.seat}", [card])

    def turn_up(self, cards: Sequence[str | None]) -> None:
        self.ways.move(["deck"], "row", cards)
        self.row = (*self.row, *filter(None, cards))

    def leave_row(self, to: str, card: str | None) -> None:
        self.ways.move(["row"], to, [card], stay=() if card else self.row)
        if card in self.row:
            left = list(self.row)
            left.remove(card)
            self.row = tuple(left)

    def follow(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if effect.kind == "cards.shuffled":
                self.ways.pour(["row", "discards", "away 0", "away 1"], "deck")
                self.row = ()

    def rule(self, adjustments: Sequence[Adjustment], seen: Seen) -> None:
        names = {"black": "hand 0", "white": "hand 1", "unseen-black": "away 0", "unseen-white": "away 1"}
        for change in _cards_moved(adjustments):
            source, to = names.get(change.source, change.source), names.get(change.to, change.to)
            if source == "row":
                self.leave_row(to, change.card)
            else:
                self.ways.move([source], to, [change.card])
            if to == "row":
                self.row = (*self.row, *filter(None, [change.card]))
        self.follow(seen.effects)


class _OfDraws(Reader):
    """What a hand drew last lies apart, until something else happens to the hand."""

    dealt: Sequence[str | None]

    def __init__(self, copies: Mapping[str, int], seats: int) -> None:
        hands = [place for seat in range(seats) for place in self.hand(seat)]
        self.ways, self.seats = EveryWay(copies, ("deck", "discards", "laid", *hands), "deck"), seats
        self.drawn_at = [-1] * seats

    def hand(self, seat: int) -> list[str]:
        return [f"hand {seat}", f"drawn {seat}"]

    def draw(self, seat: int, count: int, version: int) -> None:
        """Cards of the deck come to a hand. Those of one entry are one draw."""
        if self.drawn_at[seat] != version:
            self.gather(seat)
            self.drawn_at = [version if each == seat else at for each, at in enumerate(self.drawn_at)]
        self.ways.move(["deck"], f"drawn {seat}", [None] * count)

    def gather(self, seat: int) -> None:
        self.ways.pour([f"drawn {seat}"], f"hand {seat}")

    def lose(self, seat: int, to: str, cards: Sequence[str | None]) -> None:
        self.gather(seat)
        self.ways.move([f"hand {seat}"], to, cards)

    def note(self, seat: int, cards: Sequence[str], *, drawn: bool) -> None:
        """A hand holds these cards, or the last draw brought them."""
        if drawn and cards:
            self.ways.see([f"drawn {seat}"], cards)
        else:
            self.gather(seat)
            self.ways.see([f"hand {seat}"], cards)

    def deal(self) -> None:
        for seat in range(self.seats):
            self.ways.move(["deck"], f"hand {seat}", self.dealt)

    def rule(self, adjustments: Sequence[Adjustment], seen: Seen) -> None:
        names = {"pile": "deck"} | {f"player{seat + 1}": f"hand {seat}" for seat in range(self.seats)}
        for change in _cards_moved(adjustments):
            source, to = names.get(change.source, change.source), names.get(change.to, change.to)
            for seat in range(self.seats):
                if f"hand {seat}" in (source, to):
                    self.gather(seat)
            self.ways.move([source], to, [change.card])
        self.follow(seen)

    def follow(self, seen: Seen) -> None:
        raise NotImplementedError


class OfManapani(_OfDraws):
    """Cards of a fight are as good as put away once they are turned up: none is drawn before they are."""

    dealt = (None,) * MANAPANI_DEALT

    def move(self, move: Any, seen: Seen) -> None:
        match move:
            case Discard(seat=seat, cards=cards):
                self.lose(seat, "discards", cards)
            case HoldManapani(seat=seat, cards=cards, drawn=drawn):
                self.note(seat, cards, drawn=drawn)
        self.follow(seen)

    def follow(self, seen: Seen) -> None:
        drawn = Counter(effect.seat for effect in seen.effects if effect.kind == "card.drawn")
        for effect in seen.effects:
            seat = effect.seat or 0
            if effect.kind == "hands.dealt":
                self.deal()
            elif effect.kind == "spell.cast":  # out of turn, the turn begins first, with its draw
                self.lose(seat, "discards", effect.at)
            elif effect.kind == "cards.revealed":
                left = len(seen.before.hands[seat]) + drawn[seat] - len(seen.after.hands[seat])
                if effect.at and left == len(effect.at):
                    self.lose(seat, "discards", effect.at)
                else:
                    self.note(seat, [card for card in effect.at if card != "?"], drawn=False)
            elif effect.kind == "pile.shuffled":
                self.ways.pour(["discards"], "deck")
            elif effect.kind == "card.drawn":
                self.draw(seat, 1, seen.after.version)


class OfVerraeter(_OfDraws):
    """Laid cards are put away at the end of a round; a late one at once if no conflict is on."""

    dealt = DEALT

    def move(self, move: Any, seen: Seen) -> None:
        match move:
            case Lay(seat=seat, cards=cards) if cards:
                self.lose(seat, "discards" if seen.before.due in ("estates", "draw", None) else "laid", cards)
            case DrawSupplies(seat=seat, discards=cards) if cards:
                self.lose(seat, "discards", cards)
            case HoldSupplies(seat=seat, cards=cards, drawn=drawn):
                self.note(seat, cards, drawn=drawn)
        self.follow(seen)

    def follow(self, seen: Seen) -> None:
        shuffled = False
        for effect in seen.effects:
            seat, count = effect.seat or 0, effect.count or 0
            if effect.kind == "supplies.dealt":
                self.deal()
            elif effect.kind == "supplies.spent":
                self.ways.pour(["laid"], "discards")
            elif effect.kind == "pile.shuffled":
                shuffled = True
            elif effect.kind == "cards.drawn" and self.ways.worlds:
                left = self.ways.size("deck") if shuffled else count
                self.draw(seat, min(left, count), seen.after.version)
                if shuffled:
                    self.ways.pour(["discards"], "deck")
                    self.draw(seat, count - min(left, count), seen.after.version)
                shuffled = False


class OfCardGame(Reader):
    """A stack has dealt cards in any order, and below them what was put under it, in its order."""

    def __init__(self, copies: Mapping[str, int], _: int) -> None:
        self.stacks = [[f"stack {number}"] for number in range(1, 6)]
        self.ways = EveryWay(copies, ("box", "open", "hand 0", "hand 1", *(stack[0] for stack in self.stacks)), "box")

    def twin(self) -> Any:
        found = super().twin()
        found.stacks = [stack.copy() for stack in self.stacks]
        return found

    def move(self, move: Any, seen: Seen) -> None:
        own = f"hand {move.seat}"
        match move:
            case Start():
                for stack, pile in zip(self.stacks, seen.after.stacks, strict=True):
                    self.ways.move(["box"], stack[0], [None] * pile.size)
            case Pick() | DrawExpansion() | Return() | Confiscate():
                self.stack(move, own)
            case Spy():
                self.spy(move, seen.before)
            case ShowExpansions(cards=cards) | HoldExpansions(cards=cards):
                self.ways.see([own], cards)
            case Strike(at=at):
                victim = int(at[0]) - 1
                self.ways.move(["open"], f"hand {victim}", [seen.before.principalities[victim].sites[at]])
            case BuildExpansion(card=card) | Attack(card=card) | Answer(card=str(card)):
                self.ways.move([own], "open", [card])
            case Alchemist() | Caravan() | Merchant() | Scout():
                self.ways.move([own], "open", [move.plays])

    def stack(self, move: Pick | DrawExpansion | Return | Confiscate, own: str) -> None:
        """Cards come from a stack, or are put under it."""
        match move:
            case Pick(stack=number, cards=cards):
                for card in sorted(cards, key=lambda card: card is None):
                    self.ways.move(self.stacks[number - 1], own, [card])
            case DrawExpansion(stack=number, card=card, search=True):
                self.ways.move(self.stacks[number - 1], own, [card])
            case DrawExpansion(stack=number, card=card):
                self.ways.next(self.stacks[number - 1], own, card)
            case Return(stack=number, card=card):
                self.put_under(own, number, [card])
            case Confiscate(stack=number, cards=cards):
                self.put_under(f"hand {1 - move.seat}", number, cards)

    def spy(self, move: Spy, before: Any) -> None:
        """A card goes from hand to hand, or the victim has none that a Spy takes."""
        ways, own, victim = self.ways, f"hand {move.seat}", f"hand {1 - move.seat}"
        ways.move([own], "open", ["Spy"])
        kinds = set(ways.kinds) if before.options.spy_any else set(ways.kinds) & (UNITS | ACTIONS)
        if move.taken:
            ways.move([victim], own, [move.card], kinds=kinds)
        else:
            ways.lack([victim], kinds)

    def put_under(self, source: str, number: int, cards: Sequence[str | None]) -> None:
        place = f"stack {number}/{len(self.stacks[number - 1])}"
        self.stacks[number - 1].append(place)
        self.ways.add(place)
        self.ways.move([source], place, cards)

    def rule(self, adjustments: Sequence[Adjustment], seen: Seen) -> None:
        for change in adjustments:
            match change:
                case MoveCard(source=source, to=to, card=card):
                    self.shift(source, to, card)
                case Expansion(at=at, pile=pile, card=card):
                    lies = seen.before.principalities[int(at[0]) - 1].sites.get(at)
                    self.shift(*(("spent", pile) if lies else (pile, "spent")), lies or card)

    def shift(self, source: str, to: str, card: str | None) -> None:
        names = {"hand-1": "hand 0", "hand-2": "hand 1", "spent": "open"}
        if source.startswith("stack") and to.startswith("stack"):
            self.ways.add(f"way {len(self.ways.places)}")
            between = self.ways.places[-1]
            self.ways.move(self.stacks[int(source[-1]) - 1], between, [None])
            self.put_under(between, int(to[-1]), [None])
        elif source.startswith("stack"):
            self.ways.move(self.stacks[int(source[-1]) - 1], names[to], [card])
        elif to.startswith("stack"):
            self.put_under(names[source], int(to[-1]), [card])
        else:
            self.ways.move([names[source]], names[to], [card])


def _filled(cards: Sequence[str], count: int) -> list[str | None]:
    return [*cards, *[None] * (count - len(cards))]


def _cards_moved(adjustments: Sequence[Adjustment]) -> list[Any]:
    return [change for change in adjustments if type(change).__name__ == "MoveCard"]


READERS: dict[str, type[Any]] = {
    "kahuna": OfKahuna,
    "verraeter": OfVerraeter,
    "manapani": OfManapani,
    "catan_cards": OfCardGame,
}
