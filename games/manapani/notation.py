"""A move as one line of text that can be typed on a phone.

Words may be shortened to any beginning that fits one only, in any case. Chips are letters run together: `rry` is two
red and a yellow one. Full-width letters and signs are read as the common ones.
"""

from __future__ import annotations

import re
from functools import singledispatch
from typing import TYPE_CHECKING

from games.manapani.chips import is_proper, most_plentiful, payments, single_chips, tally, ways_to_pay_toll
from games.manapani.components import CARDS, COLOURS, COSTS, MOST_COPIES, SPELLS, TOP_LEVEL, short_name
from games.manapani.fights import next_effects, targets
from games.manapani.moves import (
    AnySpell,
    Armageddon,
    Attack,
    BraveAttack,
    Claim,
    Defend,
    Discard,
    Done,
    DrainMagic,
    Exchange,
    Fly,
    Gain,
    Go,
    Hold,
    HolyDice,
    Leave,
    Mana,
    ManapaniMove,
    ManaPrism,
    Pay,
    Put,
    Reveal,
    Roll,
    Shield,
    Slow,
    Start,
    Toll,
    Use,
)
from games.manapani.moves.base import MOST_CHIPS, SeatMove
from games.manapani.moves.cards import Spell
from games.manapani.moves.fighting import MOST_REVEALED
from games.reader import DASHES, GAPS, Reader
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.contract import Move
    from games.manapani.components import Cost
    from games.manapani.state import ManapaniState

HELP = """\
start 2           player 2 has the first turn; five cards and two chips of each colour are dealt
cast Mana r       casts a world spell; chips are letters: r b y g w for red, blue, yellow, green, white
cast HolyDice 6 y  sets a die to 6; after it the chip that pays the generic cost (left out: of what one has most)
cast ManaPrism rrb yyy  gives two red and a blue chip back and gains three yellow ones
cast BraveAttack, cast Shield, cast Fly, cast Armageddon  need nothing else
cast Slow 3       names player 3
cast DrainMagic 7 rby  takes a chip from land 7
exchange rb       exchanges two coloured chips for a white one
roll 3 5          what the dice show; short: 3 5 or 35
go                goes on without a roll: after Brave Attack, when the only die is set, or when the pawn cannot move
gain w            the chip that the Start brings
claim             takes the land stood on
put 2             puts two chips on the own land stood on
put 2 at 13       the same at a fort, on land 13
leave             does nothing on the square; short: -
toll rw from 7 7  pays a toll: a red and a white chip from hand, two from land 7; toll alone: the fewest chips
attack 2          fights with two cards face down
defend 1          the owner lays one card face down
reveal Kobold Merfolk / Goblin  turns all laid cards up, the attacker's first
pay Merfolk y     casts a scroll: only the chips of the generic cost or the X are named
pay Goblin#3      the third of the revealed cards, where there are several of a name
pay Merfolk =ww   casts it with exactly these chips, at any cost
done              casts nothing else; short: -
use Bandit Guardian  lets the effect of a scroll happen, on another card
discard Kobold ?  discards what is too much; ? is a card that nobody saw
hold Kobold Mana  notes cards of one's own hand; nobody else sees them
hold + Kobold     notes the card that came with the last draw
2: hold Shield    names the player, if it is not that player's turn
"""

_SIGNS = DASHES | GAPS | {"＃": "#"}
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
_LETTERS = {colour[0]: colour for colour in COLOURS}
_NAMES = {card.replace(" ", "").lower(): card for card in CARDS}
_SPELL_NAMES = {card.replace(" ", "").lower(): card for card in SPELLS}
_PLAIN_SPELLS: dict[str, type[BraveAttack | Shield | Fly | Armageddon]] = {
    form.card: form for form in (BraveAttack, Shield, Fly, Armageddon)
}
"""The spells that need only their cost in notation."""
_FIRST_WORDS = {card.partition(" ")[0].lower() for card in CARDS if " " in card}


def write(state: ManapaniState, move: ManapaniMove) -> str:
    """The move as a line of text. Its seat is written only if another seat acts next."""
    text = _with_cards(state, move) if isinstance(move, Pay | Use) else _text(move)
    if isinstance(move, SeatMove) and move.seat != state.to_move():
        return f"{move.seat + 1}: {text}"
    if isinstance(move, Put) and move.place == state.place:
        return text.partition(" at ")[0]
    return text


@singledispatch
def _text(move: Move) -> str:
    raise TypeError(move)


@_text.register
def _(move: Start) -> str:
    return f"start {move.starts + 1}"


@_text.register
def _(move: Spell) -> str:
    return f"cast {short_name(move.card)}{_spell_words(move)}{_paid(COSTS[move.card], move.chips)}"


def _spell_words(move: Spell) -> str:
    """The words after the spell's name."""
    match move:
        case Mana():
            return f" {move.colour[0]}"
        case HolyDice():
            return f" {move.face}"
        case ManaPrism():
            return f" {_letters(move.given)} {_letters(move.gained)}"
        case Slow():
            return f" {move.target + 1}"
        case DrainMagic():
            return f" {move.place}"
        case _:
            return ""


@_text.register
def _(move: Exchange) -> str:
    return f"exchange {_letters(move.chips)}"


@_text.register
def _(move: Roll) -> str:
    return f"roll {' '.join(str(die or '?') for die in move.dice)}"


@_text.register
def _(_: Go) -> str:
    return "go"


@_text.register
def _(move: Gain) -> str:
    return f"gain {move.colour[0]}"


@_text.register
def _(_: Claim) -> str:
    return "claim"


@_text.register
def _(_: Leave) -> str:
    return "leave"


@_text.register
def _(move: Put) -> str:
    return f"put {move.count} at {move.place}"


@_text.register
def _(move: Toll) -> str:
    lands = ["from", *map(str, move.lands)] if move.lands else []
    return " ".join(["toll", _letters(move.chips) or "-", *lands])


@_text.register
def _(move: Discard) -> str:
    return " ".join(["discard", *_shorts(move.cards)])


@_text.register
def _(move: Attack) -> str:
    return f"attack {move.count}"


@_text.register
def _(move: Defend) -> str:
    return f"defend {move.count}"


@_text.register
def _(move: Reveal) -> str:
    return " ".join(["reveal", *_shorts(move.attack), "/", *_shorts(move.defence)])


@_text.register
def _(_: Done) -> str:
    return "done"


@_text.register
def _(move: Hold) -> str:
    return f"hold {'+ ' if move.drawn else ''}{' '.join(_shorts(move.cards) or ['?'])}"


def _with_cards(state: ManapaniState, move: Pay | Use) -> str:
    """A move that names revealed cards."""
    card = _revealed(state, move.card)
    if isinstance(move, Use):
        return " ".join(["use", card, *([] if move.target is None else [_revealed(state, move.target)])])
    cards = state.fight.cards if state.fight else []
    if move.card < len(cards):
        return f"pay {card}{_paid(COSTS[cards[move.card].card], move.chips)}"
    return f"pay {card} ={_letters(move.chips)}"


def _revealed(state: ManapaniState, index: int) -> str:
    """A revealed card by name, with its number if the name is not unique; by number alone if it does not exist."""
    cards = [laid.card for laid in state.fight.cards] if state.fight else []
    if index >= len(cards):
        return f"#{index + 1}"
    return short_name(cards[index]) + (f"#{index + 1}" if cards.count(cards[index]) > 1 else "")


def _paid(cost: Cost, chips: Sequence[str]) -> str:
    """The payment beyond the coloured chips of a cost, in the order of colours; else all chips, after `=`."""
    counted = tally(chips)
    if not is_proper(cost, counted) or list(chips) != list(single_chips(counted)):
        return f" ={_letters(chips)}"
    rest = [count - pips for count, pips in zip(counted, (*cost.pips, 0), strict=True)]
    if cost.x and not any(rest):
        return " 0"
    return f" {_letters(single_chips(rest))}" if any(rest) else ""


def _letters(chips: Sequence[str]) -> str:
    return "".join(chip[0] for chip in chips)


def _shorts(cards: Sequence[str | None]) -> list[str]:
    return [short_name(card) if card else "?" for card in cards]


def parse(state: ManapaniState, text: str) -> ManapaniMove:
    """The move of a text. Raises `NotationError`."""
    return _Reader(state, text).move()


def read_name(text: str, choices: Sequence[str]) -> str:
    """The card or colour that a text names. Raises `NotationError`."""
    return _Names(text).one_of(choices)


class _Names(Reader):
    """Reads names of cards and colours."""

    def __init__(self, text: str) -> None:
        super().__init__(text, _TOKEN, _SIGNS)

    def one_of(self, choices: Sequence[str]) -> str:
        """Read a name of the kind of `choices`."""
        name = self._card(_NAMES, "a card") if choices[0] in CARDS else self._colour()
        self._end()
        return name

    def _colour(self) -> str:
        return self._pick({colour: colour for colour in COLOURS}, "a colour")

    def _card(self, names: dict[str, str], what: str) -> str:
        """Read a card's name or its beginning. Names of two words can have a space."""
        both = self._peek() + self._peek(1)
        if self._peek() in _FIRST_WORDS and any(name.startswith(both) for name in names) and self._peek(1).isalpha():
            self.tokens[self.next : self.next + 2] = [(both, self._at())]
        return self._pick(names, what)


class _Reader(_Names):
    """Reads one move."""

    def __init__(self, state: ManapaniState, text: str) -> None:
        super().__init__(text)
        self.state = state

    def move(self) -> ManapaniMove:
        seats = self.state.seats
        self.seat = self._speaker(seats, f"expected a player from 1 to {seats} here")
        read = _READ.get(self._verb())
        if read is None:
            raise self._error(f"a move begins with one of {', '.join(_READ)}, or with the dice")
        move = read(self)
        self._end()
        return move

    def _verb(self) -> str:
        """The first word of the move, or the word that dice or a dash mean at this step."""
        if self._peek().isalpha():
            return self._pick({word: word for word in _READ}, "a move")
        if self._peek().isdigit() or self._peek() == "?":
            return "roll"
        if self.state.due in ("land", "put", "pay") and self._sign("-"):
            return "done" if self.state.due == "pay" else "leave"
        return ""

    # Moves, in the order of the help.

    def start(self) -> Start:
        return Start(starts=self._player())

    def cast(self) -> AnySpell:
        card, seat = self._card(_SPELL_NAMES, "a world spell"), self._seat_of_move()
        match card:
            case "Mana":
                colour = self._colour()
                return Mana(seat=seat, colour=colour, chips=self._payment(card, seat))
            case "Holy Dice":
                face = self._face()
                return HolyDice(seat=seat, face=face, chips=self._payment(card, seat))
            case "Mana Prism":
                given, gained = self._chips(3), self._chips(3)
                return ManaPrism(seat=seat, given=given, gained=gained, chips=self._payment(card, seat))
            case "Slow":
                target = self._player()
                return Slow(seat=seat, target=target, chips=self._payment(card, seat))
            case "Drain Magic":
                place = self._place()
                return DrainMagic(seat=seat, place=place, chips=self._payment(card, seat))
            case _:
                return _PLAIN_SPELLS[card](seat=seat, chips=self._payment(card, seat))

    def exchange(self) -> Exchange:
        return Exchange(seat=self._seat_of_move(), chips=self._chips(2))

    def roll(self) -> Roll:
        dice: list[int | None] = []
        while not self._done() and len(dice) < 2:
            word = self._peek()
            if len(word) == 2 and word.isdigit() and not dice:
                self.tokens[self.next : self.next + 1] = [(word[0], self._at()), (word[1], self._at() + 1)]
            dice.append(None if self._sign("?") else self._face())
        if not dice:
            raise self._error("expected the roll of the dice here")
        return Roll(seat=self._seat_of_move(), dice=tuple(dice))

    def go(self) -> Go:
        return Go(seat=self._seat_of_move())

    def gain(self) -> Gain:
        return Gain(seat=self._seat_of_move(), colour=self._colour())

    def claim(self) -> Claim:
        return Claim(seat=self._seat_of_move())

    def leave(self) -> Leave:
        return Leave(seat=self._seat_of_move())

    def put(self) -> Put:
        count = self._number(1, TOP_LEVEL, f"expected a number of chips from 1 to {TOP_LEVEL} here")
        seat = self._seat_of_move()
        place = self._place() if self._keyword("at") else self.state.pawns[seat]
        return Put(seat=seat, place=place, count=count)

    def toll(self) -> Toll:
        seat = self._seat_of_move()
        if self._done():
            return self._usual_toll(seat)
        chips = () if self._sign("-") or self._peek() == "from" else self._chips()
        lands: list[int] = []
        if self._keyword("from"):
            lands.append(self._place())
            while not self._done() and len(lands) < MOST_CHIPS:
                lands.append(self._place())
        return Toll(seat=seat, chips=chips, lands=tuple(lands))

    def attack(self) -> Attack:
        return Attack(seat=self._seat_of_move(), count=self._cards_laid())

    def defend(self) -> Defend:
        return Defend(seat=self._seat_of_move(), count=self._cards_laid())

    def reveal(self) -> Reveal:
        attack = self._cards()
        if not self._sign("/"):
            raise self._error("expected / here, and after it the defender's cards")
        return Reveal(attack=tuple(attack), defence=tuple(self._cards()))

    def pay(self) -> Pay:
        index, seat = self._laid(owned=True), self._seat_of_move()
        fight = self.state.fight
        if fight and index < len(fight.cards):
            return Pay(seat=seat, card=index, chips=self._payment(fight.cards[index].card, seat))
        if not self._sign("="):
            raise self._error("there is no such card: expected = and all chips that are paid here")
        return Pay(seat=seat, card=index, chips=() if self._done() else self._chips())

    def done(self) -> Done:
        return Done(seat=self._seat_of_move())

    def use(self) -> Use:
        card = self._laid(owned=True)
        return Use(
            seat=self._seat_of_move(), card=card, target=None if self._done() else self._laid(owned=False, actor=card)
        )

    def discard(self) -> Discard:
        cards = self._cards()
        if not cards:
            raise self._error("expected the cards that are discarded here")
        return Discard(seat=self._seat_of_move(), cards=tuple(cards))

    def hold(self) -> Hold:
        drawn = self._sign("+")
        if self._sign("?"):
            return Hold(seat=self._seat_of_move(), drawn=drawn)
        cards = [card for card in self._cards() if card]
        if not cards or not self._done():
            raise self._error("expected cards here")
        return Hold(seat=self._seat_of_move(), cards=tuple(cards), drawn=drawn)

    # Parts of moves.

    def _seat_of_move(self) -> int:
        """The seat of the move. If no seat is to act, it is the active one."""
        if self.seat is not None:
            return self.seat
        mover = self.state.to_move()
        return self.state.active if mover is None else mover

    def _player(self) -> int:
        seats = self.state.seats
        return self._number(1, seats, f"expected a player from 1 to {seats} here") - 1

    def _face(self) -> int:
        return self._number(1, 6, "a die shows 1 to 6")

    def _cards_laid(self) -> int:
        return self._number(0, MOST_COPIES, "expected the number of cards that are laid here")

    def _place(self) -> int:
        last = len(self.state.box.board) - 1
        place = self._number(0, last, f"expected a square's number from 0 to {last} here")
        for word in str(self.state.box.board[place]).split():
            if self._peek() == word:
                self._word()
        return place

    def _keyword(self, word: str) -> bool:
        if self._peek() != word:
            return False
        self._word()
        return True

    def _chips(self, count: int | None = None, most: int = MOST_CHIPS) -> tuple[str, ...]:
        """Read chips as letters in one word: exactly `count` of them, if given."""
        word, at = self._peek(), self._at()
        for offset, letter in enumerate(word or " "):
            if letter not in _LETTERS:
                raise self._error(f"expected chips here: {', '.join(_LETTERS)} for {', '.join(COLOURS)}", at + offset)
        if len(word) > most or count not in (None, len(word)):
            raise self._error(
                f"expected {count_and_noun(count or most, 'chip')} here"
                if count
                else f"expected at most {most} chips here"
            )
        self._word()
        return tuple(_LETTERS[letter] for letter in word)

    def _payment(self, card: str, seat: int) -> tuple[str, ...]:
        """Read the payment for a card: all chips after `=`, or only those beyond its coloured ones."""
        cost = COSTS[card]
        if self._sign("="):
            return () if self._done() else self._chips()
        rest = [0] * len(COLOURS)
        if self._peek().isdigit() and cost.x:
            count = self._number(0, MOST_CHIPS, "expected the size of X here")
            rest = self._plenty(cost, seat, count)
        elif not self._done():
            if not cost.x and not cost.generic:
                raise self._error(f"{card} costs nothing of any colour, and the chips of its colours go without saying")
            rest = tally(self._chips(None, MOST_CHIPS - sum(cost.pips)) if cost.x else self._chips(cost.generic))
        elif cost.generic:
            usual = next(payments(self.state.chips[seat], cost), None)
            if usual is not None:
                return usual
            raise self._error(
                f"expected the chips that pay {cost.generic} of any colour here; = alone if nothing was paid"
            )
        return single_chips([pips + other for pips, other in zip((*cost.pips, 0), rest, strict=True)])

    def _plenty(self, cost: Cost, seat: int, count: int) -> list[int]:
        """The most plentiful chips for an X of `count`."""
        pips = zip(self.state.chips[seat], (*cost.pips, 0), strict=True)
        left = [max(0, held - wanted) for held, wanted in pips]
        if count > sum(left):
            raise self._error(f"X can be {sum(left)} at most", self.tokens[self.next - 1][1])
        return most_plentiful(left, count)

    def _usual_toll(self, seat: int) -> Toll:
        state = self.state
        stood = state.pawns[seat]
        if state.owners[stood] in (None, seat):
            raise self._error("expected the chips of the toll here")
        chips, lands = next(ways_to_pay_toll(state, seat, state.box.colours[stood], state.levels[stood]))
        return Toll(seat=seat, chips=chips, lands=lands)

    def _cards(self) -> list[str | None]:
        """Read cards up to a sign or the end. `?` is an unknown one."""
        cards: list[str | None] = []
        while (self._peek().isalpha() or self._peek() == "?") and len(cards) < MOST_COPIES:
            cards.append(None if self._sign("?") else self._card(_NAMES, "a card"))
        return cards

    def _laid(self, *, owned: bool, actor: int | None = None) -> int:
        """Read a revealed card, by its name, its number, or both.

        Among several of that name, the first plausible one is taken. That is an own card that still waits for its
        payment or effect, or a card that `actor` can act on.
        """
        fight = self.state.fight
        at = self._at()
        if self._sign("#"):
            return self._number(1, MOST_REVEALED, "expected the number of a revealed card here") - 1
        cards = fight.cards if fight else []
        names = {short_name(laid.card).lower(): laid.card for laid in cards}
        if not names:
            raise self._error("no cards are revealed")
        card = self._card(names, "a revealed card")
        if self._sign("#"):
            index = self._number(1, MOST_REVEALED, "expected the number of a revealed card here") - 1
            if index >= len(cards) or cards[index].card != card:
                raise self._error(f"card {index + 1} is no {card}", at)
            return index
        found = [index for index, laid in enumerate(cards) if laid.card == card]
        return next((index for index in found if self._is_meant(index, owned=owned, actor=actor)), found[0])

    def _is_meant(self, index: int, *, owned: bool, actor: int | None) -> bool:
        fight = self.state.fight
        if fight is None:
            return False
        if owned:
            if self.state.due == "effects":
                return index in next_effects(fight)
            laid = fight.cards[index]
            return laid.side == fight.side and not laid.paid
        return actor is not None and actor < len(fight.cards) and index in targets(fight, actor)


_READ: dict[str, Callable[[_Reader], ManapaniMove]] = {
    "start": _Reader.start,
    "cast": _Reader.cast,
    "exchange": _Reader.exchange,
    "roll": _Reader.roll,
    "go": _Reader.go,
    "gain": _Reader.gain,
    "claim": _Reader.claim,
    "leave": _Reader.leave,
    "put": _Reader.put,
    "toll": _Reader.toll,
    "attack": _Reader.attack,
    "defend": _Reader.defend,
    "reveal": _Reader.reveal,
    "pay": _Reader.pay,
    "done": _Reader.done,
    "use": _Reader.use,
    "discard": _Reader.discard,
    "hold": _Reader.hold,
}
