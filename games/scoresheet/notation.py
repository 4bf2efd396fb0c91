"""A move as one line of text that can be typed on a phone.

Columns may be shortened to any beginning that no other column has, in any case. Full-width letters and signs are read
as the common ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

import msgspec

from games.adjustments import SEATS
from games.contract import Title
from games.errors import NotationError
from games.reader import DASHES, Reader
from games.scoresheet.markers import present_round
from games.scoresheet.moves import Adjust, Decide, Enter, Finish, Give, Join, Leave, Line, ScoresheetMove, Stop
from games.scoresheet.moves.players import Reason
from games.scoresheet.scoring import offered_lines
from games.scoresheet.spelling import EARLY, END, IN, LOST, NOBODY, OUT, WON, normalized_word, typed_form
from games.scoresheet.template import NAME, Missed
from games.scoresheet.values import write_value
from games.scoresheet.work import ROUNDS
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column, Marker

HELP = """\
r3 12 7 -4          the points of round 3, side by side; ? is one that is not known yet
12 7 -4             the same for the line that is due: the oldest one in which these cells are empty
r3 bid 2 0 1        another column of round 3
wood 3 4 5          a column of the whole game
weather 2           what all share
r3 p2 7             one cell: round 3 of the second player; where something stands already it is changed
r3 p2 bid 1         the same in another column
p2 wood 4           one cell of a column of the whole game
p2 +5 longest road  a bonus, and what it is for
p2 -3 late          a penalty
p4 out              drops out
p4 in               joins late, from the round that is due; after the last seat this adds one
p4 in 20            the same with 20 points
p4 in average       the same with the average of the others' points
p4 in lowest        the same with the lowest of the others' points
p4 in highest       the same with the highest of the others' points
p4 in zero          the same with 0 points
p4 in nothing       the same with no points for what was missed, also if the template gives some
r3 dealer p2        player 2 has a marker in round 3, and it goes on from there
dealer p2           the same for the round that is played
solo p2 off         a marker is taken from player 2
won                 all have won together
lost                all have lost together
end                 the game is over
end early           the game is stopped here: the player who is ahead wins
end nobody          the game is stopped here, and nobody wins
end time            an end that the template names
Columns can be shortened to any clear beginning (w 3 4 5). t2 is any player of the second team. Where a column has
labels they stand for values (result win loss).
"""

_WORD = re.compile(r"[^\s,、]+")
_NUMBER = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{1,9})?")
_DIGITS = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_PLAYER = re.compile(r"([pt])([0-9]{1,2}):?")
_ROUND = re.compile(r"r([0-9]{0,6})")
_POINTS = re.compile(r"[+-][0-9]{1,10}")
_LIMIT = 10**9
OFF = "off"
"""The word after a marker and a player that it is taken from."""


def write(state: ScoresheetState, move: ScoresheetMove) -> str:
    """The move as a line of text."""
    match move:
        case Line():
            values = ("?" if value is None else _value(state, move.column, value) for value in move.values)
            return " ".join([*_place(state, move, None), *values])
        case Enter():
            return " ".join([*_place(state, move, move.seat), _value(state, move.column, move.value)])
        case Adjust():
            return f"{state.seat_name(move.seat)} {move.points:+} {move.reason}"
        case Give():
            place = [] if move.round is None else [f"r{move.round}"]
            return " ".join([*place, move.marker, state.seat_name(move.seat), *([OFF] if move.taken else [])])
        case Leave():
            return f"{state.seat_name(move.seat)} {OUT}"
        case Join():
            with_ = move.missed or (str(move.points) if move.points else "")
            return f"{state.seat_name(move.seat)} {IN} {with_}".rstrip()
        case Decide():
            return move.result
        case Finish():
            return END
        case Stop():
            words = [*([move.why] if move.why else []), *([] if move.winner else [NOBODY])]
            return " ".join([END, *(words or [EARLY])])


def _place(state: ScoresheetState, move: Line | Enter, seat: int | None) -> list[str]:
    """The round, the player and the column of an entry; the usual column is left out."""
    usual = state.template.default_column
    known = usual is not None and usual.id == move.column and move.round is not None
    parts = [] if move.round is None else [f"r{move.round}"]
    if seat is not None:
        parts.append(state.seat_name(seat))
    return parts if known else [*parts, move.column]


def _value(state: ScoresheetState, name: str, value: float) -> str:
    column = state.template.by_id.get(name)
    return str(value) if column is None else typed_form(write_value(column, value))


def parse(state: ScoresheetState, text: str) -> ScoresheetMove:
    """Read a move from a text. Raises `NotationError`."""
    return _Reader(state, text).move()


def read_name(text: str, choices: Sequence[str]) -> str:
    """A player, as entries name them: `p2`. Raises `NotationError`."""
    found = _PLAYER.fullmatch(text.lower())
    if not found or found[1] != "p" or not 0 < int(found[2]) <= len(choices):
        raise NotationError(text, 0, f"there are players from p1 to p{len(choices)}")
    return choices[int(found[2]) - 1]


class _Reader(Reader):
    """Reads one move."""

    def __init__(self, state: ScoresheetState, text: str) -> None:
        super().__init__(text, _WORD, DASHES)
        self.state = state
        self.round: int | None = None
        self.named = True  # False for `r` alone, which is the due round
        self.seat: int | None = None

    def move(self) -> ScoresheetMove:
        if not self.tokens:
            raise self._error("a move begins with a round, a player, a column or a value; or it is end, won or lost")
        while self._round() or self._player():
            pass
        move = self._read_marker_move() or self._alone() or self._of_player() or self._cells()
        self._end()
        return move

    # Rounds and players.

    def _round(self) -> bool:
        found = _ROUND.fullmatch(self._peek())
        named = self.state.template.typed_rounds.get(self._peek())
        if not (found or named) or self.round is not None:
            return False
        if not found:
            self.round, self.next = named, self.next + 1
            return True
        columns = (self.state.template.default_column, *self.state.template.entered_columns)
        usual = next((column for column in columns if column and column.per == "round"), None)
        if usual is None:
            raise self._error("this sheet has no rounds")
        self.named = bool(found[1])
        number = int(found[1]) if self.named else (self.state.next_round(usual) or 1)
        if not 1 <= number <= ROUNDS:
            raise self._error(f"rounds go from 1 to {ROUNDS}")
        self.round = number
        self.next += 1
        return True

    def _player(self) -> bool:
        found = _PLAYER.fullmatch(self._peek())
        if not found or self.seat is not None:
            return False
        number = int(found[2]) - 1
        if found[1] == "t":
            if not 0 <= number < len(self.state.template.teams):
                raise self._error(f"there are {len(self.state.template.teams)} teams")
            number = self.state.members[number][0]
        elif not 0 <= number < self.state.seats and not self._is_added(number):
            raise self._error(f"there are players from p1 to p{self.state.seats}")
        self.seat = number
        self.next += 1
        return True

    def _is_added(self, seat: int) -> bool:
        """Whether this is a player who joins in a new seat after the last one."""
        return seat == self.state.seats < SEATS and self._peek(1) == IN

    # Moves.

    def _read_marker_move(self) -> Give | None:
        """Read a marker and a player after it: the marker is given to the player, or taken away."""
        marker = None if self.seat is not None else self._marker()
        if marker is None:
            return None
        self.next += 1
        if not self._player() or self.seat is None:
            raise self._error(f"expected a player here, from p1 to p{self.state.seats}")
        taken = self._peek() == OFF
        self.next += taken
        number = self.round or present_round(self.state) or None
        return Give(seat=self.seat, marker=marker.id, round=number, taken=taken)

    def _marker(self) -> Marker | None:
        """The marker in the text, by its name, or by its beginning before a player."""
        word, known = self._peek(), self.state.template.typed_markers
        after = self.tokens[self.next + 1 : self.next + 2]
        if word in known or not word or not any(_PLAYER.fullmatch(text) for text, _ in after):
            return known.get(word)
        found = [marker for name, marker in known.items() if name.startswith(word)]
        if len(found) > 1:
            raise self._error(
                Sentence("this can be each of {value}", value=_listed(marker.typed_name for marker in found))
            )
        return found[0] if found else None

    def _stop(self) -> Stop:
        """Read an end before the usual one."""
        stops = {normalized_word(stop.id): stop.id for stop in self.state.template.stops}
        if self._peek() == EARLY:
            self.next += 1
            return Stop()
        why = stops.get(self._peek())
        self.next += why is not None
        nobody = self._peek() == NOBODY
        self.next += nobody
        if why is None and not nobody:
            words = [
                *(Title(word, word) for word in (EARLY, NOBODY)),
                *(stop.typed_name for stop in self.state.template.stops),
            ]
            raise self._error(Sentence("expected nothing more here, or {value}", value=_listed(words)))
        return Stop(why=why, winner=not nobody)

    def _alone(self) -> ScoresheetMove | None:
        """Read a move of one word."""
        if self.next:
            return None
        word = self._peek()
        if word == END:
            self.next += 1
            return self._stop() if self._peek() else Finish()
        if word in {WON, LOST}:
            self.next += 1
            return Decide(result="won" if word == WON else "lost")
        return None

    def _of_player(self) -> ScoresheetMove | None:
        """Read a move of a player beside cells."""
        seat, word = self.seat, self._peek()
        if seat is None or self.round is not None:
            return None
        if word == OUT:
            self.next += 1
            return Leave(seat=seat)
        if word == IN:
            self.next += 1
            missed = next((rule for rule in get_args(Missed) if rule == self._peek()), None)
            if missed is not None:
                self.next += 1
                return Join(seat=seat, missed=missed)
            return Join(seat=seat, points=self._whole() if self._peek() else 0)
        if _POINTS.fullmatch(word) and (self._reason() or word.startswith("+")):
            return self._adjust(seat)
        return None

    def _adjust(self, seat: int) -> Adjust:
        reason = self._reason()
        points = self._whole()
        if not reason:
            raise self._error("say what the points are for")
        try:
            msgspec.convert(reason, Reason)
        except msgspec.ValidationError:
            raise self._error("a reason is one line of 100 characters at most, without ! and ;") from None
        self.next = len(self.tokens)
        return Adjust(seat=seat, points=points, reason=reason)

    def _reason(self) -> str:
        """The text after the next word, without a comma right after that word."""
        word, at = self.tokens[self.next]
        rest = self.text[at + len(word) :]
        return (rest if rest[:1].isspace() else rest.lstrip(",、，")).strip()

    def _whole(self) -> int:
        word = self._peek()
        if not _NUMBER.fullmatch(word) or "." in word or abs(int(word)) > _LIMIT:
            raise self._error("expected a whole number here")
        self.next += 1
        return int(word)

    def _cells(self) -> Line | Enter:
        column = self._column()
        number = self.round if self.named else None
        if number is None and column.per == "round":
            number = self._round_for(column)
            if number > ROUNDS:
                raise self._error(f"round {ROUNDS} is the last one")
        if self.seat is not None:
            if column.shared:
                raise self._error(Sentence("{id} is nobody's own: leave the player out", id=column.name_in_sentence))
            value = self._one(column)
            if value is None:
                raise self._error("expected a value here", self.tokens[self.next - 1][1])
            return Enter(seat=self.seat, column=column.id, round=number, value=value)
        count = 1 if column.shared else self.state.sides
        values = tuple(self._one(column) for _ in range(count))
        if self._peek():
            text = "{title}: the line has {count} values, and here is one more"
            raise self._error(Sentence(text, title=column.titles, count=count))
        return Line(column=column.id, round=number, values=values)

    def _column(self) -> Column:
        """The named column, or the usual one; without a round, the column of the first due line."""
        template, word = self.state.template, self._peek()
        usual = template.default_column if self.round is not None else self._waiting()
        open_ = [column for column in template.entered_columns if self.round is None or column.per == "round"]
        named = [column for column in open_ if normalized_word(column.id) == word]
        if not named and word and not self._is_value(usual, word):
            named = [column for column in open_ if normalized_word(column.id).startswith(word)]
        if len(named) == 1:
            self.next += 1
            return named[0]
        if named:
            raise self._error(
                Sentence("this can be each of {value}", value=_listed(column.typed_name for column in named))
            )
        if word and (usual is None or not self._is_value(usual, word)):
            raise self._error(
                Sentence(
                    "expected a value or a column here: {value}", value=_listed(column.typed_name for column in open_)
                )
            )
        if usual is None:
            raise self._error(
                Sentence("say which column: {value}", value=_listed(column.typed_name for column in open_))
            )
        return usual

    def _waiting(self) -> Column | None:
        """The column of the next due line with a cell for each side that fits, else the usual one."""
        own = ((column, number) for column, number in self._lines() if not column.shared)
        return next(
            (column for column, number in own if self._fits(column, number)), self.state.template.default_column
        )

    def _lines(self) -> list[tuple[Column, int | None]]:
        """The lines that a text without a round can mean, with gaps, in the order of the sheet."""
        order = self.state.template.entered_columns
        return sorted(offered_lines(self.state), key=lambda line: (line[1] or ROUNDS + 1, order.index(line[0])))

    def _round_for(self, column: Column) -> int:
        """The oldest round with empty cells for all given values: a text without a round changes no filled cell."""
        rounds = range(1, self.state.round + 1)
        open_ = (number for number in rounds if next(self.state.empty(column, number), None) is not None)
        return next((number for number in open_ if self._fits(column, number)), self.state.round + 1)

    def _fits(self, column: Column, number: int | None) -> bool:
        """Whether the cells of a line are empty for all values in the rest of the text."""
        if self.seat is not None:
            sides = [self.state.side_of[self.seat]]
        else:
            given = [word for word, _ in self.tokens[self.next :]]
            sides = [side for side, word in enumerate(given[: self.state.sides]) if word != "?"]
        return all(self.state.cell(column, number, side) is None for side in sides)

    def _is_value(self, column: Column | None, word: str) -> bool:
        labels = self.state.template.typed_labels[column.id] if column else {}
        return word == "?" or _NUMBER.fullmatch(word) is not None or word in labels

    def _one(self, column: Column) -> float | None:
        """Read a value of the column; None for `?`."""
        word = self._peek()
        labels = self.state.template.typed_labels[column.id]
        if word in labels:
            value: float | None = labels[word]
        elif word == "?":
            value = None
        elif _NUMBER.fullmatch(word) and abs(float(word)) <= _LIMIT:
            value = float(word) if "." in word else int(word)
        elif _DIGITS.fullmatch(word) and not column.labels:
            text = "{title}: the largest number is {limit}, with nine decimals at most"
            raise self._error(Sentence(text, title=column.titles, limit=_LIMIT))
        else:
            raise self._wanted(column)
        self.next += 1
        return value

    def _wanted(self, column: Column) -> NotationError:
        """The possible values of a cell, for an error; a line also takes `?` for an unknown one."""
        line = self.seat is None
        if not column.labels:
            text = "{title}: expected a number or ? here" if line else "{title}: expected a number here"
            return self._error(Sentence(text, title=column.titles))
        text = "{title}: expected one of {words} here"
        if line:
            text = "{title}: expected one of {words}, or ? here"
        return self._error(Sentence(text, title=column.titles, words=column.choices))

    def _error(self, why: str, at: int | None = None) -> NotationError:
        return super()._error(why.by(NAME) if isinstance(why, Sentence) else why, at)


def _listed(words: Iterable[Title]) -> Title:
    """The words that can be typed here, as a list."""
    known = tuple(words)
    return Title(", ".join(word.en for word in known), "、".join(word.ja for word in known))
