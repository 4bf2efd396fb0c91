"""A move as one line of text that can be typed on a phone.

Words may be shortened to any unique beginning, in any case. Regions are named by column and side (`ku`), or by their
print (`ore 2`, `ore`) where only one region has it. The opponent's regions have the number of the opponent before them
(`2ku`). The payment is left out if there is only one way to pay.
"""

from __future__ import annotations

import re
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from games.catan_cards.components import ACTIONS, CARDS, COUNTERS, EVENTS, FACES, RESOURCES, STORE, Land, short_name
from games.catan_cards.moves import (
    Alchemist,
    Attack,
    Barter,
    Build,
    Caravan,
    CatanCardsMove,
    City,
    Confiscate,
    Counter,
    Demolish,
    Draw,
    Duel,
    End,
    Gain,
    Happen,
    Hold,
    Lay,
    Merchant,
    Pick,
    Regions,
    Return,
    Road,
    Roll,
    Scout,
    Settle,
    Show,
    Skip,
    Spy,
    Start,
    Strike,
    Take,
    Trade,
)
from games.catan_cards.moves.base import MOST_CARDS, MOST_PLACES, SeatMove
from games.catan_cards.payments import (
    can_pay,
    cost_of,
    cost_words,
    income_of,
    only_way,
    rate,
    search_price,
    ways_to_pay,
    ways_to_pay_any,
)
from games.catan_cards.principality import CENTRES, ROADS
from games.catan_cards.state import UNSEEN, CatanCardsState
from games.reader import DASHES, GAPS, Reader
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.catan_cards.components import Resource

HELP = """\
start 1           player 1 starts (start 1 13 13 12 12 12 with the sizes of the stacks)
lay grain1 ore2 wool3 lumber4 brick5 gold6  the starting regions, upper row first; short: lay g1 o2 w3 l4 b5 a6
pick 2 ? ? ?      takes the first three cards from stack 2; those that are known by name
roll brigands 4   both dice: tournament, trade, brigands, plenty or event, and the number; short: roll b4
event Plague      the event card that was drawn
gain ku           gains a resource of choice; or by what is printed: gain ore 2, gain ore
take 2ku > mu     takes a resource from the opponent; the own region can be left out where there is one only
strike Otto       chooses which card of the opponent goes back to his hand; or by its place: strike 2nu1
confiscate 3 Spy ?  puts cards of the opponent's hand under stack 3
under 3 Abbey     puts a card of the own hand under stack 3; unseen: under 3
draw 3            draws from stack 3; seen: draw 3 Abbey
search 3 Abbey (ku mu)  searches stack 3; the regions that pay can be left out if only they could
trade ore > ku    turns three ore (or two, with its fleet) into one on ku; with the regions: trade kd kd md > ku
barter ku > 2ku = 2mu > mu  gives from ku, stored at 2ku, and takes from 2mu, stored at mu
road left (ku kd kd)  builds a road at the left end; short where there is one way to pay: road left
settlement right  builds a settlement at the right end
regions grain3 ore4  the new settlement's regions, the upper and the lower
city n            builds a city in column n
build Abbey nu    builds an expansion above the settlement in column n; below it: nd, in a city also nu2 and nd2
play Arsonist     plays an action card: Arsonist, BlackKnight, Brigands, Scout
play Alchemist 4  sets the production die before the roll
play Caravan ku mu > od od  turns resources into others
play Merchant 2ku 2ku > ku ku = mu > 2mu  takes two and gives one
play Spy Abbey    takes a card from the opponent's hand; unseen: play Spy; nothing: play Spy -
counter Bishop    answers a duel; counter - does not
duel 5            the attacker's die; short: 5
demolish nu1      tears an own expansion down, where the switch allows it
skip              does without what is optional
end               hands the dice over without a draw
show Abbey Spy    shows cards of the hand to everybody
hold Abbey Spy    notes cards of one's own hand; nobody else sees them
2: trade ore > ku  names the player, if it is not that player's turn
"""

_SIGNS = DASHES | GAPS | {"→": ">"}
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
_PLACE = re.compile(f"[{ROADS}][ud]")
_SITE = re.compile(f"[{CENTRES}][ud]")
_RESOURCES: dict[str, Resource] = {"g": "grain", "a": "gold", **{name: name for name in RESOURCES}}

_CARDS = {short_name(card).lower(): card for card in CARDS}
_EVENTS = {short_name(card).lower(): card for card in EVENTS}
_ACTIONS = {short_name(card).lower(): card for card in CARDS if card in ACTIONS}


def write(state: CatanCardsState, move: CatanCardsMove) -> str:
    """The move as a line of text. Its seat is written only if another seat acts next."""
    text = _text.registry[type(move)](move, state)  # which `_text` itself looks for in four calls
    if isinstance(move, SeatMove) and move.seat != state.to_move():
        return f"{move.seat + 1}: {text}"
    return text


@singledispatch
def _text(move: CatanCardsMove, _: CatanCardsState) -> str:
    raise TypeError(move)


@_text.register
def _(move: Start, _: Any) -> str:
    return " ".join(map(str, ["start", move.starts + 1, *move.sizes]))


@_text.register
def _(move: Lay, _: Any) -> str:
    return " ".join(["lay", *(_land(land) for land in move.regions)])


@_text.register
def _(move: Pick, _: Any) -> str:
    return f"pick {move.stack} {_names(move.cards)}"


@_text.register
def _(move: Roll, _: Any) -> str:
    return f"roll {move.event}" + (f" {move.number}" if move.number else "")


@_text.register
def _(move: Happen, _: Any) -> str:
    return f"event {short_name(move.card)}"


@_text.register
def _(move: Gain, _: Any) -> str:
    return f"gain {_at(move, move.at)}"


@_text.register
def _(move: Take, state: CatanCardsState) -> str:
    land = state.region_at(move.at)
    alone = land and state.principalities[move.seat].room_for(land.resource) == [move.to]
    return f"take {move.at}" + ("" if alone else f" > {_at(move, move.to)}")


@_text.register
def _(move: Strike, state: CatanCardsState) -> str:
    return f"strike {_struck(state, 1 - move.seat, move.at)}"


def _struck(state: CatanCardsState, seat: int, site: str) -> str:
    """A card on a site, by its name if that is unique, else by its place."""
    sites = state.principalities[seat].sites
    card = sites.get(site)
    return short_name(card) if card and list(sites.values()).count(card) == 1 else site


@_text.register
def _(move: Confiscate, _: Any) -> str:
    return f"confiscate {move.stack} {_names(move.cards)}"


@_text.register
def _(move: Return, _: Any) -> str:
    return f"under {move.stack}" + (f" {short_name(move.card)}" if move.card else "")


@_text.register
def _(move: Draw, state: CatanCardsState) -> str:
    card = f" {short_name(move.card)}" if move.card else ""
    if not move.search:
        return f"draw {move.stack}{card}{_pay(move, move.pay, ())}"
    return f"search {move.stack}{card}{_pay(move, move.pay, _search_payment(state, move.seat))}"


def _search_payment(state: CatanCardsState, seat: int) -> tuple[str, ...] | None:
    """The payment for a search that the text can leave out: none, or the only possible one; else None."""
    if state.due == "look":
        return ()
    return only_way(ways_to_pay_any(state.principalities[seat], search_price(state, seat)))


@_text.register
def _(_: Skip, __: Any) -> str:
    return "skip"


@_text.register
def _(move: Trade, state: CatanCardsState) -> str:
    own = state.principalities[move.seat]
    resources = list(income_of(own, move.give))
    if len(resources) == 1 and own.regions.get(move.give[0]):
        (resource,) = resources
        if only_way(ways_to_pay(own, {resource: rate(state, move.seat, resource)})) == move.give:
            return f"trade {resource} > {_at(move, move.get)}"
    return f"trade {_places(move, move.give)} > {_at(move, move.get)}"


@_text.register
def _(move: Barter, _: Any) -> str:
    given, taken = " ".join(move.give_to), " ".join(move.take)
    return f"barter {_places(move, move.give)} > {given} = {taken} > {_places(move, move.take_to)}"


@_text.register
def _(move: Road, state: CatanCardsState) -> str:
    return f"road {move.side}{_pay(move, move.pay, _payment(state, move.seat, 'road'))}"


@_text.register
def _(move: Settle, state: CatanCardsState) -> str:
    return f"settlement {move.side}{_pay(move, move.pay, _payment(state, move.seat, 'settlement'))}"


@_text.register
def _(move: Regions, _: Any) -> str:
    return f"regions {_land(move.up)} {_land(move.down)}"


@_text.register
def _(move: City, state: CatanCardsState) -> str:
    return f"city {move.at}{_pay(move, move.pay, _payment(state, move.seat, 'city'))}"


@_text.register
def _(move: Build, state: CatanCardsState) -> str:
    site = move.at[1:] if move.at[0] == str(move.seat + 1) else move.at
    return f"build {short_name(move.card)} {site}{_pay(move, move.pay, _payment(state, move.seat, move.card))}"


def _payment(state: CatanCardsState, seat: int, thing: str) -> tuple[str, ...] | None:
    """The only way to pay for a thing; None if there are several."""
    return only_way(ways_to_pay(state.principalities[seat], cost_of(state, thing)))


@_text.register
def _(move: Demolish, state: CatanCardsState) -> str:
    return f"demolish {_struck(state, move.seat, move.at)}"


@_text.register
def _(move: Alchemist, _: Any) -> str:
    return f"play Alchemist {move.number}"


@_text.register
def _(move: Attack, _: Any) -> str:
    return f"play {short_name(move.card)}"


@_text.register
def _(move: Counter, _: Any) -> str:
    return f"counter {short_name(move.card) if move.card else '-'}"


@_text.register
def _(move: Duel, _: Any) -> str:
    return f"duel {move.number}"


@_text.register
def _(move: Caravan, _: Any) -> str:
    return f"play Caravan {_places(move, move.give)} > {_places(move, move.get)}"


@_text.register
def _(move: Merchant, _: Any) -> str:
    taken = " ".join(move.take)
    return f"play Merchant {taken} > {_places(move, move.take_to)} = {_at(move, move.give)} > {move.give_to}"


@_text.register
def _(_: Scout, __: Any) -> str:
    return "play Scout"


@_text.register
def _(move: Spy, _: Any) -> str:
    if not move.taken:
        return "play Spy -"
    return f"play Spy {short_name(move.card)}" if move.card else "play Spy"


@_text.register
def _(_: End, __: Any) -> str:
    return "end"


@_text.register
def _(move: Show, _: Any) -> str:
    return f"show {_names(move.cards)}"


@_text.register
def _(move: Hold, _: Any) -> str:
    return f"hold {_names(move.cards) or UNSEEN}"


def _land(land: Land | None) -> str:
    return f"{land.resource}{land.number}" if land else UNSEEN


def _names(cards: Iterable[str | None]) -> str:
    return " ".join(short_name(card) if card else UNSEEN for card in cards)


def _at(move: SeatMove, place: str) -> str:
    """A region by column and side; one of the opponent's with its owner's number before it."""
    return place[1:] if place[0] == str(move.seat + 1) else place


def _places(move: SeatMove, places: Iterable[str]) -> str:
    return " ".join(_at(move, place) for place in places)


def _pay(move: SeatMove, pay: tuple[str, ...], implied: tuple[str, ...] | None) -> str:
    return "" if pay == implied else f" ({_places(move, pay)})"


def parse(state: CatanCardsState, text: str) -> CatanCardsMove:
    """The move of a text. Raises `NotationError`."""
    return _Reader(state, text).move()


def read_name(text: str, choices: Sequence[str]) -> str:
    """The card, resource, region or site that a text names. Raises `NotationError`."""
    return _Names(text).one_of(choices)


class _Names(Reader):
    """Reads names of cards and places."""

    def __init__(self, text: str) -> None:
        super().__init__(text, _TOKEN, _SIGNS)

    def one_of(self, choices: Sequence[str]) -> str:
        """Read a name of the kind of `choices`. Places begin with their owner's number."""
        if choices[0] in CARDS:
            name = self._card(_CARDS)
        elif choices[0] in RESOURCES:
            name = self._pick(_RESOURCES, "a resource")
        else:
            name = f"{self._number(1, 2, 'expected player 1 or 2 here')}{self._peek()}"
            self._word()
            if f"{name}1" in choices:
                name += self._peek() if self._peek() in ("1", "2") else "1"
                self.next += not self._done()
        self._end()
        return name

    def _card(self, names: dict[str, str]) -> str:
        """Read a card's name, in one word or several."""
        words_: list[str] = []
        while self._peek(len(words_)).isalpha():
            words_.append(self._peek(len(words_)))
        for count in range(len(words_), 1, -1):
            whole = "".join(words_[:count]).removeprefix("the")
            found = [name for name, card in names.items() if card.lower().replace(" ", "").removeprefix("the") == whole]
            if found:
                self.next += count
                return names[found[0]]
        return self._pick(names, "a card")


class _Reader(_Names):
    """Reads one move."""

    def __init__(self, state: CatanCardsState, text: str) -> None:
        super().__init__(text)
        self.state = state

    def move(self) -> CatanCardsMove:
        self.said = self._speaker(2, "expected player 1 or 2 here")
        if self._peek().isdigit():
            read: Callable[[_Reader], CatanCardsMove] = _Reader.duel
        else:
            read = self._pick(_READ, "a move")
        move = read(self)
        self._end()
        return move

    @property
    def seat(self) -> int:
        """The seat of the move. If no seat is to act, it is the active one."""
        if self.said is not None:
            return self.said
        mover = self.state.to_move()
        return self.state.active if mover is None else mover

    # Moves, in the order of the help.

    def start(self) -> Start:
        starts = self._number(1, 2, "say who starts: player 1 or 2") - 1
        sizes = []
        while not self._done():
            sizes.append(self._number(0, 99, "expected the sizes of five stacks here"))
            if len(sizes) > 5:
                raise self._error("there are five stacks")
        return Start(starts=starts, sizes=tuple(sizes))

    def lay(self) -> Lay:
        lands: list[Land | None] = []
        while not self._done() and len(lands) < 6:
            self._sign("/")
            lands.append(None if self._sign("?") else self._land())
        if len(lands) < 6:
            raise self._error("expected six regions here: the upper row, then the lower")
        return Lay(seat=self.seat, regions=tuple(lands))

    def pick(self) -> Pick:
        stack = self._stack()
        return Pick(seat=self.seat, stack=stack, cards=tuple([*self._cards(3), None, None, None][:3]))

    def roll(self) -> Roll:
        face = self._pick({face: face for face in FACES}, "a face of the event die")
        return Roll(seat=self.seat, event=face, number=None if self._done() else self._die())

    def event(self) -> Happen:
        return Happen(seat=self.seat, card=self._card(_EVENTS))

    def gain(self) -> Gain:
        return Gain(seat=self.seat, at=self._place(self.seat, room=True))

    def take(self) -> Take:
        at = self._place(1 - self.seat)
        return Take(seat=self.seat, at=at, to=self._store(at, self.seat))

    def strike(self) -> Strike:
        return Strike(seat=self.seat, at=self._site_or_card(1 - self.seat))

    def confiscate(self) -> Confiscate:
        return Confiscate(seat=self.seat, stack=self._stack(), cards=tuple(self._cards(2)) or (None,))

    def under(self) -> Return:
        return Return(seat=self.seat, stack=self._stack(), card=self._card_or_not())

    def draw(self) -> Draw:
        return Draw(seat=self.seat, stack=self._stack(), card=self._card_or_not(), pay=self._paid(()))

    def search(self) -> Draw:
        seat, stack, card = self.seat, self._stack(), self._card_or_not()
        if self.state.due == "look":
            return Draw(seat=seat, stack=stack, card=card, search=True, pay=self._paid(()))
        price = search_price(self.state, seat)
        own = self.state.principalities[seat]
        held = [resource for resource, count in own.holdings().items() if count]
        enough = sum(own.stocks.values()) >= price
        pay = self._paid(only_way(ways_to_pay_any(own, price)), count_and_noun(price, "resource"), held, enough=enough)
        return Draw(seat=seat, stack=stack, card=card, search=True, pay=pay)

    def skip(self) -> Skip:
        return Skip(seat=self.seat)

    def trade(self) -> Trade:
        at = self._at()
        said = self._peek().isdigit() and not _PLACE.fullmatch(self._peek(1))
        count = self._number(1, MOST_PLACES, "expected the number that is given here") if said else 0
        named = [word for word in _RESOURCES if self._peek() and word.startswith(self._peek())]
        if said or (named and self._peek(1) == ">"):
            resource = self._pick(_RESOURCES, "a resource")
            price = count or rate(self.state, self.seat, resource)
            give = only_way(ways_to_pay(self.state.principalities[self.seat], {resource: price}))
            if give is None:
                raise self._error(f"which regions give {price} {resource}? {self._stocks(resource)}", at)
        else:
            give = self._all_places(self.seat)
        if not self._sign(">"):
            raise self._error("expected > and the region that gains here")
        return Trade(seat=self.seat, give=give, get=self._place(self.seat, room=True))

    def barter(self) -> Barter:
        give, give_to = self._moved(self.seat)
        self._equals()
        take, take_to = self._moved(1 - self.seat)
        return Barter(seat=self.seat, give=give, give_to=give_to, take=take, take_to=take_to)

    def road(self) -> Road:
        return Road(seat=self.seat, side=self._side(), pay=self._price("road"))

    def settlement(self) -> Settle:
        return Settle(seat=self.seat, side=self._side(), pay=self._price("settlement"))

    def regions(self) -> Regions:
        return Regions(seat=self.seat, up=self._land(), down=self._land())

    def city(self) -> City:
        letter = self._peek()
        if len(letter) != 1 or letter not in CENTRES:
            lying = [at for at, centre in self.state.principalities[self.seat].line.items() if centre == "settlement"]
            raise self._error(f"expected a column with a settlement here: {', '.join(sorted(lying))}")
        self._word()
        return City(seat=self.seat, at=letter, pay=self._price("city"))

    def build(self) -> Build:
        card = self._card(_CARDS)
        return Build(seat=self.seat, card=card, at=self._site(self.seat, free=True), pay=self._price(card))

    def play(self) -> CatanCardsMove:
        at, card = self._at(), self._card(_ACTIONS)
        if card in COUNTERS.values():
            raise self._error(f"a counter only answers the opponent's card: counter {short_name(card)}", at)
        match card:
            case "Alchemist":
                return Alchemist(seat=self.seat, number=self._die())
            case "Scout":
                return Scout(seat=self.seat)
            case "Spy":
                if self._sign("-"):
                    return Spy(seat=self.seat, taken=False)
                return Spy(seat=self.seat, card=self._card_or_not())
            case "Caravan":
                give = self._all_places(self.seat)
                if not self._sign(">"):
                    raise self._error("expected > and the regions that gain here")
                return Caravan(seat=self.seat, give=give, get=self._all_places(self.seat))
            case "Merchant":
                take, take_to = self._moved(1 - self.seat)
                self._equals()
                gift = self._place(self.seat)
                store = self._store(gift, 1 - self.seat)
                return Merchant(seat=self.seat, take=take, take_to=take_to, give=gift, give_to=store)
            case _:
                return Attack(seat=self.seat, card=card)

    def counter(self) -> Counter:
        if self._sign("-"):
            return Counter(seat=self.seat)
        return Counter(seat=self.seat, card=self._card(_CARDS))

    def duel(self) -> Duel:
        return Duel(seat=self.seat, number=self._die())

    def demolish(self) -> Demolish:
        return Demolish(seat=self.seat, at=self._site_or_card(self.seat))

    def end(self) -> End:
        return End(seat=self.seat)

    def show(self) -> Show:
        return Show(seat=self.seat, cards=self._named())

    def hold(self) -> Hold:
        return Hold(seat=self.seat, cards=() if self._sign("?") else self._named())

    # Parts of moves.

    def _die(self) -> int:
        return self._number(1, 6, "expected a number from 1 to 6 here")

    def _stack(self) -> int:
        return self._number(1, 5, "expected the number of a stack from 1 to 5 here")

    def _side(self) -> str:
        return self._pick({"left": "left", "right": "right"}, "a side")

    def _land(self) -> Land:
        resource = self._pick(_RESOURCES, "a resource")
        return Land(resource, self._die())

    def _card_or_not(self) -> str | None:
        if self._done() or self._peek() == "(":
            return None
        return None if self._sign("?") else self._card(_CARDS)

    def _cards(self, most: int = MOST_CARDS) -> list[str | None]:
        cards: list[str | None] = []
        while not self._done() and len(cards) < most:
            cards.append(self._card_or_not())
        return cards

    def _named(self) -> tuple[str, ...]:
        at, cards = self._at(), self._cards()
        named = tuple(card for card in cards if card)
        if not named or len(named) < len(cards):
            raise self._error("expected names of cards here", at)
        return named

    def _regions(self, seat: int) -> dict[str, Land]:
        return self.state.principalities[seat].regions

    def _place(self, seat: int, *, room: bool = False) -> str:
        """Read a region, by its place or by what is printed on it."""
        whose = seat
        if self._peek() in ("1", "2") and _PLACE.fullmatch(self._peek(1)):
            whose = int(self._peek()) - 1
            self._word()
        if _PLACE.fullmatch(self._peek()):
            place = f"{whose + 1}{self._peek()}"
            self._word()
            return place
        at = self._at()
        if not self._peek().isalpha():
            raise self._error("expected a region here: its column and side (ku), or its resource")
        resource = self._pick(_RESOURCES, "a region")
        found = [place for place, land in self._regions(seat).items() if land.resource == resource]
        if self._peek() in "123456" and self._peek() and not _PLACE.fullmatch(self._peek(1)):
            number = int(self._peek())
            self._word()
            found = [place for place in found if self._regions(seat)[place].number == number]
        if room and len(found) > 1:
            found = [place for place in found if self.state.stock(place) < STORE] or found
        if not found:
            raise self._error("no such region lies there", at)
        if len(found) > 1:
            raise self._error(f"which region? {self._stocks(resource, seat)}", at)
        return found[0]

    def _stocks(self, resource: Resource, seat: int | None = None) -> str:
        """The regions of a resource with their stocks, to choose from: `ku 2, md 0`."""
        own = self.state.principalities[self.seat if seat is None else seat]
        return ", ".join(f"{place[1:]} {own.stocks[place]}" for place in own.places_of(resource))

    def _all_places(self, seat: int) -> tuple[str, ...]:
        """Read regions up to a sign."""
        places: list[str] = []
        while not self._done() and self._peek() not in (">", "=", ")") and len(places) < MOST_PLACES:
            places.append(self._place(seat))
        if not places:
            raise self._error("expected regions here")
        return tuple(places)

    def _moved(self, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Read the regions that give, and the other player's regions that store."""
        places = self._all_places(seat)
        return places, self._stores(places, 1 - seat)

    def _store(self, place: str, seat: int) -> str:
        """Read the region that stores one resource. It can be left out if only one is possible."""
        return self._place(seat) if self._sign(">") else self._stores([place], seat)[0]

    def _stores(self, places: Sequence[str], seat: int) -> tuple[str, ...]:
        """Read the regions that store resources. They can be left out if each has only one possible region."""
        if self._sign(">"):
            return self._all_places(seat)
        found = []
        for place in places:
            land = self.state.region_at(place)
            stores = self.state.principalities[seat].room_for(land.resource) if land else []
            if not land or len(stores) != 1:
                raise self._error(f"expected > and where it is stored here: {', '.join(s[1:] for s in stores)}")
            found.append(stores[0])
        return tuple(found)

    def _equals(self) -> None:
        if not self._sign("="):
            raise self._error("expected = and what comes back here")

    def _site(self, seat: int, *, free: bool = False) -> str:
        whose = seat
        if self._peek() in ("1", "2") and _SITE.fullmatch(self._peek(1)):
            whose = int(self._peek()) - 1
            self._word()
        if not _SITE.fullmatch(self._peek()):
            raise self._error("expected a site here: nu is above the settlement in column n, nd below")
        site = f"{whose + 1}{self._peek()}"
        self._word()
        if self._peek() in ("1", "2"):
            site += self._peek()
            self._word()
            return site
        sites = self.state.principalities[whose].sites
        return f"{site}2" if free and f"{site}1" in sites else f"{site}1"

    def _site_or_card(self, seat: int) -> str:
        """Read an expansion, by its place, or by its name if that is unique."""
        if _SITE.fullmatch(self._peek()) or self._peek().isdigit():
            return self._site(seat)
        at, card = self._at(), self._card(_CARDS)
        found = [site for site, own in self.state.principalities[seat].sites.items() if own == card]
        if not found:
            raise self._error("no such card lies there", at)
        if len(found) > 1:
            raise self._error(f"which one? {', '.join(found)}", at)
        return found[0]

    def _price(self, thing: str) -> tuple[str, ...]:
        own, cost = self.state.principalities[self.seat], cost_of(self.state, thing)
        return self._paid(
            only_way(ways_to_pay(own, cost)), cost_words(cost), cost, enough=can_pay(own.holdings(), cost)
        )

    def _paid(
        self, way: tuple[str, ...] | None, price: str = "", kinds: Iterable[Resource] = (), *, enough: bool = True
    ) -> tuple[str, ...]:
        """Read the paying regions in parentheses; without them take `way`. Errors list the regions of `kinds`."""
        if self._sign("("):
            pay = () if self._peek() == ")" else self._all_places(self.seat)
            if not self._sign(")"):
                raise self._error("expected ) here")
            return pay
        if way is None:
            stocks = "; ".join(f"{resource} ({self._stocks(resource)})" for resource in kinds)
            if not stocks:
                raise self._error(f"that costs {price}, and there is nothing: () if nothing was paid")
            if not enough:
                raise self._error(f"that costs {price}, and there is not enough: {stocks}; () if nothing was paid")
            raise self._error(f"which regions pay {price}, in parentheses? {stocks}; () if nothing was paid")
        return way


_READ: dict[str, Callable[[_Reader], CatanCardsMove]] = {
    "start": _Reader.start,
    "lay": _Reader.lay,
    "pick": _Reader.pick,
    "roll": _Reader.roll,
    "event": _Reader.event,
    "gain": _Reader.gain,
    "take": _Reader.take,
    "strike": _Reader.strike,
    "confiscate": _Reader.confiscate,
    "under": _Reader.under,
    "draw": _Reader.draw,
    "search": _Reader.search,
    "skip": _Reader.skip,
    "trade": _Reader.trade,
    "barter": _Reader.barter,
    "road": _Reader.road,
    "settlement": _Reader.settlement,
    "regions": _Reader.regions,
    "city": _Reader.city,
    "build": _Reader.build,
    "play": _Reader.play,
    "counter": _Reader.counter,
    "duel": _Reader.duel,
    "demolish": _Reader.demolish,
    "end": _Reader.end,
    "show": _Reader.show,
    "hold": _Reader.hold,
}
