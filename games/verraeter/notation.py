"""A move as one line of text that can be typed on a phone.

Words may be shortened to any beginning that fits one only, in any case, and left out where the step says what is meant.
Full-width letters and signs are read as the common ones.
"""

from __future__ import annotations

import re
from functools import singledispatch
from typing import TYPE_CHECKING

from games.reader import DASHES, GAPS, Reader
from games.verraeter.components import (
    ACTIONS,
    COPIES,
    HAND_LIMIT,
    HOUSES,
    LANDS,
    MOST_POINTS,
    PLACES,
    House,
    border_label,
)
from games.verraeter.moves import (
    Aside,
    Choose,
    Draw,
    Hold,
    Laid,
    Lands,
    Lay,
    Put,
    ReadPoints,
    Reveal,
    Site,
    Skip,
    Start,
    Turn,
    VerraeterMove,
)
from games.verraeter.moves.base import SeatMove
from games.verraeter.rounds import step_words
from games.verraeter.state import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.verraeter.state import VerraeterState

HELP = """\
start 2 E R R E   player 2 starts; each player's house from there on: E Eagle, R Rose (only `start 2` if they alternate)
lands E-River R-Village ... E-City  the twelve lands clockwise with the house whose side is up; short: eri rvi ... eci
estate 7          puts an estate under land 7: in the setup, or as the Builder
3-4               puts the conflict between lands 3 and 4
lay 5 3           lays supply cards; short: 53
lay -             lays nothing; short: -
choose Farmer     notes one's own action card before it is revealed; nobody else sees it
choose ?          the same, where it is not known which
aside Traitor     the start player notes which action card was put aside; nobody else sees it
reveal Builder Diplomat5 Farmer Traitor  everybody's action in turn order, the start player's first; short: reveal b5ft
points 4          the printed points of the conquered land, where no table has them; short: 4
post 7            puts a trading post under land 7
turn 7            turns the own card under land 7 over
skip              the Builder builds nothing; short: -
draw -            too many cards: draws fewer; short: -
draw -2 3         discards 2 and 3 and then draws; short: -23
hold 3 5          notes cards of one's own hand; nobody else sees them
hold + 5          notes the cards that came with the last draw, all of them
2: lay 5          names the player, if it is not that player's turn
"""

_SIGNS = DASHES | GAPS
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
_WORDS = (
    "start",
    "lands",
    "estate",
    "lay",
    "choose",
    "aside",
    "reveal",
    "points",
    "post",
    "turn",
    "skip",
    "draw",
    "hold",
)
_ACTIONS = {action.replace(" ", "").lower(): action for action in ACTIONS}
_INITIALS = {action[-1] if action[-1].isdigit() else action[0].lower(): action for action in ACTIONS}
_HOUSES: dict[str, House] = {house[0].lower(): house for house in HOUSES}

_SHORTS: dict[tuple[str | None, str], str] = {
    ("lay", "-"): "lay",
    ("draw", "-"): "draw",
}
"""The meaning of a sign at the beginning of a line, by the due step."""


def write(state: VerraeterState, move: VerraeterMove) -> str:
    """The move as a line of text. Its seat is written only if another seat acts next."""
    text = _revealed(state, move) if isinstance(move, Reveal) else _text.registry[type(move)](move)
    implied = state.start if isinstance(move, Aside) else state.to_move()
    if isinstance(move, SeatMove) and move.seat != implied:
        return f"{move.seat + 1}: {text}"
    return text


@singledispatch
def _text(move: VerraeterMove) -> str:
    raise TypeError(move)


@_text.register
def _(move: Start) -> str:
    around = [move.houses[(move.starts + step) % len(move.houses)] for step in range(len(move.houses))]
    return " ".join(["start", str(move.starts + 1), *(house[0] for house in around)])


@_text.register
def _(move: Lands) -> str:
    return " ".join(["lands", *(f"{laid.house[0]}-{laid.land}" if laid else "?" for laid in move.lands)])


@_text.register
def _(move: Put) -> str:
    return f"{move.side} {move.place + 1}"


@_text.register
def _(move: Site) -> str:
    return border_label(move.place)


@_text.register
def _(move: Choose) -> str:
    return f"choose {_action(move.action)}"


@_text.register
def _(move: Aside) -> str:
    return f"aside {_action(move.action)}"


@_text.register
def _(move: Lay) -> str:
    return f"lay {' '.join(move.cards) or '-'}"


@_text.register
def _(move: ReadPoints) -> str:
    return f"points {move.points}"


@_text.register
def _(move: Turn) -> str:
    return f"turn {move.place + 1}"


@_text.register
def _(_: Skip) -> str:
    return "skip"


@_text.register
def _(move: Draw) -> str:
    return f"draw -{' '.join(move.discards)}"


@_text.register
def _(move: Hold) -> str:
    return f"hold {'+ ' if move.drawn else ''}{' '.join(move.cards) or UNSEEN}"


def _revealed(state: VerraeterState, move: Reveal) -> str:
    """The line of a reveal: all actions in turn order."""
    count = len(move.actions)
    return " ".join(["reveal", *(_action(move.actions[(state.start + step) % count]) for step in range(count))])


def _action(action: str | None) -> str:
    return action.replace(" ", "") if action else UNSEEN


def parse(state: VerraeterState, text: str) -> VerraeterMove:
    """The move of a text. Raises `NotationError`."""
    return _Reader(state, text).move()


class _Reader(Reader):
    """Reads one move."""

    def __init__(self, state: VerraeterState, text: str) -> None:
        super().__init__(text, _TOKEN, _SIGNS)
        self.state = state

    def move(self) -> VerraeterMove:
        seats = self.state.seats
        self.seat = self._speaker(seats, f"expected a player from 1 to {seats} here")
        read = _READ.get(self._verb())
        if read is None:
            raise self._error(f"a move begins with one of {', '.join(_WORDS)}, or a border such as 3-4")
        move = read(self)
        self._end()
        return move

    def _verb(self) -> str:
        """The first word of the move, or the word that numbers and signs mean at this step."""
        word = self._peek()
        if word.isalpha():
            return self._pick({word: word for word in _WORDS}, "a move")
        if word.isdigit() and self._peek(1) == "-" and self._peek(2).isdigit():
            return "site"
        if word == "-" and self.state.due == "build":
            self._word()
            return "skip"
        if word.isdigit():
            return "points" if self.state.due == "points" else "lay"
        return _SHORTS.get((self.state.due, word), "")

    # Moves, in the order of the help.

    def start(self) -> Start:
        seats = self.state.seats
        starts = self._number(1, seats, f"say who starts: a player from 1 to {seats}") - 1
        if self._done():
            return Start(starts=starts)
        letters = [(letter, at + offset) for word, at in self.tokens[self.next :] for offset, letter in enumerate(word)]
        around: list[House] = []
        for letter, at in letters:
            if letter not in _HOUSES:
                raise self._error("a house is E for Eagle or R for Rose", at)
            around.append(_HOUSES[letter])
        if len(around) not in (seats - 1, seats):
            raise self._error(f"expected {seats} houses here, in turn order")
        self.next = len(self.tokens)
        around = around if len(around) == seats else ["Eagle", *around]
        return Start(starts=starts, houses=tuple(around[(seat - starts) % seats] for seat in range(seats)))

    def lands(self) -> Lands:
        lands: list[Laid | None] = []
        while not self._done() and len(lands) < PLACES:
            lands.append(None if self._sign("?") else self._laid())
        if len(lands) < PLACES:
            raise self._error(f"expected {PLACES} lands here, not {len(lands)}")
        return Lands(lands=tuple(lands))

    def estate(self) -> Put:
        return Put(seat=self._seat_of_move(), place=self._place())

    def post(self) -> Put:
        return Put(seat=self._seat_of_move(), place=self._place(), side="post")

    def site(self) -> Site:
        at = self._at()
        first = self._place()
        if not self._sign("-"):
            raise self._error("expected - and the next land here")
        second = self._place()
        if (first + 1) % PLACES == second:
            return Site(seat=self._seat_of_move(), place=first)
        if (second + 1) % PLACES == first:
            return Site(seat=self._seat_of_move(), place=second)
        raise self._error(f"lands {first + 1} and {second + 1} do not lie side by side", at)

    def lay(self) -> Lay:
        return Lay(seat=self._seat_of_move(), cards=() if self._sign("-") else self._cards())

    def choose(self) -> Choose:
        return Choose(seat=self._seat_of_move(), action=self._action_or_not())

    def aside(self) -> Aside:
        seat = self.state.start if self.seat is None else self.seat
        return Aside(seat=seat, action=self._action_or_not())

    def reveal(self) -> Reveal:
        """Read all actions in turn order, or only those that are not noted yet."""
        at, named = self._at(), self._actions()
        order = self.state.order()
        noted = {seat: action for seat, action in enumerate(self.state.choices) if action not in (None, UNSEEN)}
        if len(named) == len(order) - len(noted):
            rest = iter(named)
            named = [noted.get(seat) or next(rest) for seat in order]
        if len(named) != len(order):
            raise self._error(f"expected {len(order)} actions here, not {len(named)}", at)
        return Reveal(actions=tuple(named[order.index(seat)] for seat in range(len(order))))

    def points(self) -> ReadPoints:
        return ReadPoints(points=self._number(0, MOST_POINTS, f"expected points from 0 to {MOST_POINTS} here"))

    def turn(self) -> Turn:
        return Turn(seat=self._seat_of_move(), place=self._place())

    def skip(self) -> Skip:
        return Skip(seat=self._seat_of_move())

    def draw(self) -> Draw:
        if not self._sign("-"):
            raise self._error("expected - here, and after it what is discarded")
        return Draw(seat=self._seat_of_move(), discards=() if self._done() else self._cards())

    def hold(self) -> Hold:
        drawn = self._sign("+")
        return Hold(seat=self._seat_of_move(), cards=() if self._sign("?") else self._cards(), drawn=drawn)

    # Parts of moves.

    def _seat_of_move(self) -> int:
        """The seat of the move. In the setup and after the end it is the start player."""
        if self.seat is not None:
            return self.seat
        mover = self.state.to_move()
        if mover is None and self.state.due not in ("start", "lands", None):
            raise self._error(f"write the player's number and a colon before the move: now {step_words(self.state)}", 0)
        return self.state.start if mover is None else mover

    def _laid(self) -> Laid:
        word, at = self._peek(), self._at()
        house = _HOUSES.get(word[:1])
        if house is None:
            raise self._error("a land begins with E for Eagle or R for Rose")
        if len(word) > 1 and not house.lower().startswith(word):
            self.tokens[self.next] = word[1:], at + 1
        else:
            self._word()
            self._sign("-")
        return Laid(self._pick({land.lower(): land for land in LANDS}, "a land"), house)

    def _place(self) -> int:
        place = self._number(1, PLACES, f"expected a land's number from 1 to {PLACES} here") - 1
        if self._peek().isalpha():
            self._pick({self.state.lands[place].lower(): place}, f"land {place + 1}")
        return place

    def _cards(self) -> tuple[str, ...]:
        """Read cards up to the end, with or without spaces."""
        cards: list[str] = []
        for word, at in self.tokens[self.next :]:
            for offset, card in enumerate(word):
                if card not in COPIES:
                    raise self._error(f"expected a supply card here: {', '.join(COPIES)}", at + offset)
                if len(cards) == HAND_LIMIT:
                    raise self._error(f"a hand has {HAND_LIMIT} cards", at + offset)
                cards.append(card)
        if not cards:
            raise self._error(f"expected supply cards here: {', '.join(COPIES)}")
        self.next = len(self.tokens)
        return tuple(cards)

    def _action_or_not(self) -> str | None:
        if self._sign("?"):
            return None
        at = self._at()
        (action, *others) = self._actions() or [""]
        if others or not action:
            raise self._error(f"expected one action here: {', '.join(_ACTIONS.values())}", at)
        return action

    def _actions(self) -> list[str]:
        """Read actions up to the end: beginnings of words, or initials and numbers without spaces."""
        found: list[str] = []
        while not self._done():
            word = self._peek()
            if word == "?":
                break
            if word.isalpha() and "diplomat".startswith(word) and self._peek(1)[:1] in ("2", "5"):
                self._word()
            elif word.isalpha() and len(word) > 1 and any(action.startswith(word) for action in _ACTIONS):
                found.append(self._pick(_ACTIONS, "an action"))
            else:
                found += self._initials()
        return found

    def _initials(self) -> list[str]:
        word, at = self.tokens[self.next]
        for offset, letter in enumerate(word):
            if letter not in _INITIALS:
                raise self._error(f"expected an action here: {', '.join(_ACTIONS.values())}", at + offset)
        self._word()
        return [_INITIALS[letter] for letter in word]


_READ: dict[str, Callable[[_Reader], VerraeterMove]] = {
    "start": _Reader.start,
    "lands": _Reader.lands,
    "estate": _Reader.estate,
    "site": _Reader.site,
    "lay": _Reader.lay,
    "choose": _Reader.choose,
    "aside": _Reader.aside,
    "reveal": _Reader.reveal,
    "points": _Reader.points,
    "post": _Reader.post,
    "turn": _Reader.turn,
    "skip": _Reader.skip,
    "draw": _Reader.draw,
    "hold": _Reader.hold,
}
