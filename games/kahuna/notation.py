"""A move as one line of text that can be typed on a phone.

Islands may be shortened to any beginning, in any case; all initials are different. Full-width letters and signs are
read as the common ones.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import singledispatch
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from games.kahuna.components import CARDS, ENDS, ISLAND, ISLANDS, LINE, LINES_AT, SEA, line_between, members
from games.kahuna.moves import (
    Build,
    Deal,
    Decline,
    Discard,
    Draw,
    KahunaMove,
    Launch,
    Remove,
    Row,
    Sail,
    Show,
    Take,
)
from games.kahuna.moves.base import SeatMove
from games.kahuna.moves.sailing import NO_SHIPS
from games.kahuna.state import SEATS
from games.reader import DASHES, GAPS, Reader
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from games.kahuna.state import KahunaState

HELP = """\
BARI-DUDA                plays BARI and builds to DUDA: the island named first is the card
BARI-DUDA (COCO)         the same with a card that names neither
x HUNA-ELAI (HUNA HUNA)  removes a bridge with two cards, which can be left out where only one pair fits
x HUNA-ELAI (HUNA HUNA) =  the same, and builds there at once (box variant)
BARI-DUDA-ELAI (BARI ELAI ELAI)  places a ship with three cards (Seafarer)
BARI-DUDA-ELAI > BARI-ELAI-FAAA  moves a ship (Seafarer); bde > bef will do
d2                       discards two cards unseen
d BARI ?                 discards two cards, one of them known
+COCO                    takes COCO from the row
+COCO/BARI               takes COCO, and BARI refills the row
+/                       takes a card of the row that was not noted
+                        draws from the deck
+?BARI                   draws BARI from the deck
-                        ends the turn without a card
show BARI                shows a card of the hand
row BARI COCO ?          the row of a new round, one card not noted
deal black               black goes first
deal black BARI COCO DUDA / ALOA ALOA ? / ? ? ?  the same with the row and what is known of both hands
white: BARI-DUDA         names the player, if it is not white's turn
Islands can be shortened to any beginning (b-d, x h-e, +c/b), and cards to initials where their number is fixed
(x h-e hh, row bcd).
"""

_SIGNS = DASHES | GAPS | {"×": "x"}
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
_SEA_INITIALS = {"".join(island[0] for island in sea.split("-")) for sea in SEA}
_SEAT_NAMES = {"b": 0, "black": 0, "黒": 0, "w": 1, "white": 1, "白": 1}


def write(state: KahunaState, move: KahunaMove) -> str:
    """The move as a line of text. Its seat is written only if another seat is on turn."""
    text = _text.registry[type(move)](move)  # which `_text` itself looks for in four calls
    if isinstance(move, SeatMove) and move.seat != state.to_move():
        return f"{SEATS[move.seat]}: {text}"
    return text


@singledispatch
def _text(move: KahunaMove) -> str:
    raise TypeError(move)


@_text.register
def _(move: Build) -> str:
    first, second = move.line.split("-")
    if move.card == second:
        return f"{second}-{first}"
    return move.line if move.card == first else f"{move.line} ({move.card})"


@_text.register
def _(move: Remove) -> str:
    return f"x {move.line} ({_cards(move.cards)}){' =' if move.rebuild else ''}"


@_text.register
def _(move: Launch) -> str:
    return f"{move.sea} ({_cards(move.cards)})"


@_text.register
def _(move: Sail) -> str:
    return f"{move.sea} > {move.to}"


@_text.register
def _(move: Discard) -> str:
    named = [*move.cards, *[None] * (move.count - len(move.cards))]
    return f"d {_cards(named)}" if move.cards else f"d{move.count}"


@_text.register
def _(move: Take) -> str:
    if move.card and not move.refill:
        return f"+{move.card}"
    return f"+{move.card or ''}/{move.refill or ''}"


@_text.register
def _(move: Draw) -> str:
    return f"+?{move.card}" if move.card else "+"


@_text.register
def _(_: Decline) -> str:
    return "-"


@_text.register
def _(move: Show) -> str:
    return f"show {_cards(move.cards)}"


@_text.register
def _(move: Row) -> str:
    return f"row {_cards(move.cards)}"


@_text.register
def _(move: Deal) -> str:
    text = f"deal {SEATS[move.starts]}"
    if any(move.row) or any(move.hands):
        text += f" {_cards(move.row)}"
    if any(move.hands):
        text += "".join(f" / {_cards([*hand, None, None, None][:3])}" for hand in move.hands)
    return text


def _cards(cards: Iterable[str | None]) -> str:
    return " ".join(card or "?" for card in cards)


def parse(state: KahunaState, text: str) -> KahunaMove:
    """Read a move from a text. Raises `NotationError`."""
    return _Reader(state, text).move()


def read_name(text: str, choices: Sequence[str]) -> str:
    """The island, line, sea or player of a text, read as in moves. Raises `NotationError`."""
    return _Names(text).one_of(choices)


class _Names(Reader):
    """Reads names of places."""

    def __init__(self, text: str) -> None:
        super().__init__(text, _TOKEN, _SIGNS, lower=False)

    def one_of(self, choices: Sequence[str]) -> str:
        """The name in the text, of the same kind as the choices."""
        if choices[0] in LINE:
            name = self._line()[1]
        elif choices[0] in SEA:
            name = self._sea()
        elif choices[0] in ISLAND:
            name = self._island()
        else:
            seat = self._pick(_SEAT_NAMES, "a player")
            name = next(choice for choice in choices if choice.lower() == SEATS[seat])
        self._end()
        return name

    def _line(self) -> tuple[str, str]:
        """Read a line: its first island and its name."""
        first = self._island()
        if not self._sign("-"):
            raise self._error(f"after {first} comes - and the island at the other end")
        at = self._at()
        second = self._island()
        line = line_between(first, second)
        if line is None:
            others = (ENDS[number] for number in members(LINES_AT[ISLAND[first]]))
            ends = ", ".join(ISLANDS[b if ISLANDS[a] == first else a] for a, b in others)
            raise self._error(f"no line joins {first} and {second}; from {first} lines lead to {ends}", at)
        return first, line

    def _sea(self) -> str:
        at = self._at()
        if "".join(sorted(self._peek().upper())) in _SEA_INITIALS:
            self._split(self.next, 1)
            islands = [self._island() for _ in range(3)]
        else:
            islands = [self._island()]
            while len(islands) < 3:
                if not self._sign("-"):
                    raise self._error("a sea is named by its three islands, with - between them")
                islands.append(self._island())
        sea = "-".join(sorted(islands))
        if sea not in SEA:
            raise self._error(f"no sea lies between {', '.join(islands)}", at)
        return sea

    def _split(self, start: int, words: int) -> None:
        """Take words apart into their letters."""
        letters = [
            (letter, at + offset)
            for word, at in self.tokens[start : start + words]
            for offset, letter in enumerate(word)
        ]
        self.tokens[start : start + words] = letters

    def _island(self) -> str:
        word = self._peek().upper()
        for island in ISLANDS:
            if word and island.startswith(word):
                self.next += 1
                return island
        raise self._error(f"expected an island here: {', '.join(ISLANDS)}")


class _Reader(_Names):
    """Reads one move."""

    def __init__(self, state: KahunaState, text: str) -> None:
        super().__init__(text)
        self.state = state

    def move(self) -> KahunaMove:
        seat = self._seat()
        word = self._peek().lower()
        if word == "deal":
            move: KahunaMove = self._deal()
        elif word == "row":
            self._word()
            size = min(3, self.state.deck) if self.state.due else max(1, len(self.state.row))
            move = Row(cards=tuple(self._known_or_not(size, others=range(1, 4))))
        else:
            move = self._seat_move(word, self._seat_of_move(seat))
        self._end()
        return move

    def _seat_move(self, word: str, seat: int) -> KahunaMove:
        if word == "+":
            return self._draw(seat)
        if word == "-":
            self._word()
            return Decline(seat=seat)
        if word == "x":
            return self._remove(seat)
        if word == "show":
            return self._show(seat)
        if word == "d" and self._peek(1) != "-":
            return self._discard(seat)
        return self._sea_move(seat) if self._is_sea() else self._build(seat)

    # Moves, in the order of the help.

    def _build(self, seat: int) -> Build:
        if not self._peek().isalpha():
            raise self._error("a move begins with an island, x, d, +, -, row, deal or show")
        card, line = self._line()
        if cards := self._group(1):
            card = cards[0]
        return Build(seat=seat, card=card, line=line)

    def _remove(self, seat: int) -> Remove:
        self._word()
        _, line = self._line()
        a, b = self._group(2) or self._only_group(seat, line, 2)
        return Remove(seat=seat, cards=(a, b), line=line, rebuild=self._sign("="))

    def _sea_move(self, seat: int) -> Launch | Sail:
        at = self._at()
        sea = self._sea()
        if not self.state.options.seafarer:
            raise self._error(NO_SHIPS, at)
        if self._sign(">"):
            return Sail(seat=seat, sea=sea, to=self._sea())
        a, b, c = self._group(3) or self._only_group(seat, sea, 3)
        return Launch(seat=seat, cards=(a, b, c), sea=sea)

    def _discard(self, seat: int) -> Discard:
        self._word()
        if self._peek().isdecimal():
            return Discard(seat=seat, count=self._count())
        if self._done():
            raise self._error("say how many cards, or which")
        cards = self._read_cards()
        return Discard(seat=seat, count=len(cards), cards=tuple(card for card in cards if card))

    def _draw(self, seat: int) -> Take | Draw:
        self._word()
        if self._done():
            return Draw(seat=seat)
        if self._sign("?"):
            return Draw(seat=seat, card=self._island())
        card = None if self._peek() == "/" else self._island()
        refill = None
        if self._sign("/") and not self._done():
            refill = self._island()
        return Take(seat=seat, card=card, refill=refill)

    def _show(self, seat: int) -> Show:
        self._word()
        at = self._at()
        cards = self._read_cards()
        named = tuple(card for card in cards if card)
        if not named or len(named) < len(cards):
            raise self._error("say which cards were shown", at)
        return Show(seat=seat, cards=named)

    def _deal(self) -> Deal:
        self._word()
        starts = _SEAT_NAMES.get(self._peek().lower())
        if starts is None:
            raise self._error("say who starts: black or white")
        self._word()
        row: list[str | None] = [None] * 3
        hands: list[list[str | None]] = [[], []]
        if not self._done():
            row = self._known_or_not(3)
        if self._sign("/"):
            hands[0] = self._known_or_not(3)
            if not self._sign("/"):
                raise self._error("after black's hand comes / and white's")
            hands[1] = self._known_or_not(3)
        black, white = (tuple(card for card in hand if card) for hand in hands)
        return Deal(starts=starts, row=(row[0], row[1], row[2]), hands=(black, white))

    # Parts of moves.

    def _seat(self) -> int | None:
        if self._peek(1) != ":":
            return None
        seat = _SEAT_NAMES.get(self._peek().lower())
        if seat is None:
            raise self._error("before the colon stands black or white")
        self.next += 2
        return seat

    def _seat_of_move(self, seat: int | None) -> int:
        """The seat of the move; if nobody is on turn, the seat that had, or will have, the turn."""
        return self.state.active if seat is None else seat

    def _is_sea(self) -> bool:
        """Whether three islands come next, or their joined initials."""
        return self._peek(3) == "-" or "".join(sorted(self._peek().upper())) in _SEA_INITIALS

    def _group(self, count: int) -> list[str]:
        """Read exactly `count` cards or none, in brackets or not, as separate words or as joined initials."""
        if self._peek() in ("", "="):
            return []
        bracket = self._sign("(")
        at = self._at()
        cards = [card for card in self._known_or_not(count) if card]
        if len(cards) < count:
            raise self._error("a card that is played is always seen", at)
        if bracket and not self._sign(")"):
            raise self._error(") is missing")
        return cards

    def _known_or_not(self, count: int, others: Container[int] = ()) -> list[str | None]:
        """Read `count` cards, as separate words or joined initials, or `others` as words.

        `?` is a card that was not noted.
        """
        start, words = self.next, 0
        while self._peek(words) and (self._peek(words).isalpha() or self._peek(words) == "?"):
            words += 1
        if words != count and sum(len(self._peek(word)) for word in range(words)) == count:
            self._split(start, words)
        elif words in others:
            count = words
        elif words != count:
            self.next += min(words, count)
            what = count_and_noun(count, "card")
            raise self._error(f"expected {what} here" if words < count else f"expected only {what} here")
        return [None if self._sign("?") else self._island() for _ in range(count)]

    def _only_group(self, seat: int, place: str, count: int) -> list[str]:
        """The cards that were played at a line or a sea, if only one choice is possible."""
        groups = [list(group) for group in combinations_with_replacement(place.split("-"), count)]
        hand = self.state.hands[seat]
        held = [
            group
            for group in groups
            if hand.can_hold(group)
            and self.state.can_have(seat, group)
            and all(
                self.state.unlocated_copies(card) >= lacking for card, lacking in Counter(hand.missing(group)).items()
            )
        ]
        if len(held) != 1:
            cards = " / ".join(" ".join(group) for group in held or groups)
            raise self._error(f"say which {count} cards were played: {cards}")
        return held[0]

    def _read_cards(self) -> list[str | None]:
        """Read all cards up to the end. `?` is an unknown card."""
        cards: list[str | None] = []
        while not self._done():
            if len(cards) == len(CARDS):
                raise self._error(f"there are only {len(CARDS)} cards")
            cards.append(None if self._sign("?") else self._island())
        return cards

    def _count(self) -> int:
        count = int(self._peek()[:3])
        if not 1 <= count <= len(CARDS):
            raise self._error(f"between 1 and {len(CARDS)} cards can be discarded")
        self._word()
        return count
