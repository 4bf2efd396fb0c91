"""Rulings: the adjustments that mean the same in every game, and how any adjustment is typed.

    points seat=White points=-3 + turn seat=Black
    adjudge ranks=1,2

A `+` separates the adjustments of one ruling, and a comma the values of a field. A seat is called by its name in the
ruleset, or by its number from 1 on. Names may be shortened to any unique beginning. Otherwise they are read as in
moves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, cast, overload

import msgspec

from games.contract import Adjustment, Effect, Outcome, ScoreLine, choice_texts, option_text
from games.errors import ImpossibleError, NotationError
from games.reader import DASHES, to_ascii
from games.words import Sentence, first_few

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import JSON, Option, Ruleset, State, Viewpoint

SEATS = 20
"""The most seats of a game in a record, of any ruleset."""

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=SEATS, extra_json_schema={"x-seat": True})]
"""A field that names a seat: forms offer the seats for it, and notation has their names."""


class Points(Adjustment, frozen=True, kw_only=True, tag="points"):
    """Points given to a seat, or taken from it."""

    seat: SeatNumber
    points: Annotated[int, msgspec.Meta(ge=-1000, le=1000)]

    def apply(self, state: State) -> list[Effect]:
        """Add a line to the audit."""
        rule = state.ruleset.ruling
        require_seat(self.seat, state.seats, rule)
        line = ScoreLine(self.seat, self.points, "ruling", rule, state.version)
        return [effect_of(self, rule), *state.award(line)]


class Turn(Adjustment, frozen=True, kw_only=True, tag="turn"):
    """It is this seat's turn now, from its beginning: somebody's is skipped, or had again."""

    seat: SeatNumber

    def apply(self, state: State) -> list[Effect]:
        """Give the turn to the seat, if the game goes on."""
        rule = state.ruleset.ruling
        require_seat(self.seat, state.seats, rule)
        require_going_on(state.outcome(), rule)
        return [effect_of(self, rule), *state.give_turn(self.seat)]


class Resign(Adjustment, frozen=True, kw_only=True, tag="resign"):
    """A seat gives up. The game ends when only one seat is left. Otherwise the seat that gave up comes last."""

    seat: SeatNumber

    def apply(self, state: State) -> list[Effect]:
        """End the game, or go on without the seat."""
        rule = state.ruleset.ruling
        require_seat(self.seat, state.seats, rule)
        require_going_on(state.outcome(), rule)
        return [effect_of(self, rule), *state.resign(self.seat)]


class Adjudge(Adjustment, frozen=True, kw_only=True, tag="adjudge"):
    """The game ends here, with a rank for each seat: 1 is best, and equal ranks share."""

    ranks: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=SEATS)], ...], msgspec.Meta(min_length=1, max_length=SEATS)
    ]

    def apply(self, state: State) -> list[Effect]:
        """End the game with these ranks."""
        rule = state.ruleset.ruling
        return [effect_of(self, rule), *state.end(checked_ranks(self, state.seats, rule))]


class Switch(Adjustment, frozen=True, kw_only=True, tag="option"):
    """A house rule is on, off or another one from here on: a switchable option gets another value."""

    name: str
    value: bool | int | str

    def apply(self, state: State) -> list[Effect]:
        """Play on with the option's other value."""
        rule = state.ruleset.ruling
        return [effect_of(self, rule), *state.switch(self.name, checked_switch(state.ruleset.options, self, rule))]


class CardMove(Adjustment, frozen=True, kw_only=True):
    """A card goes from one place to another; None is one that was not noted. The places are those of a ruleset.

    `holders` are the places where only one seat sees the cards, `shown` those where all do.
    """

    holders: ClassVar[Mapping[str, int]]
    shown: ClassVar[Collection[str]]

    source: str = msgspec.field(name="from")
    to: str
    card: str | None = None

    @property
    def informed_seat(self) -> int | None:
        """The only seat that knows the card.

        None if the card lies open at one of the places, or passes openly from one seat to another.
        """
        places = {self.source, self.to}
        seats = {self.holders[place] for place in places if place in self.holders}
        return seats.pop() if len(seats) == 1 and places.isdisjoint(self.shown) else None

    def moved_effect(self, rule: str) -> Effect:
        """The effect of the moved card. It names no card that is a seat's secret or was not noted."""
        card = self.card if self.card and self.informed_seat is None else "a card"
        return Effect("card.moved", rule, at=(card, f"{self.source} → {self.to}"))

    def seen(self, viewpoint: Viewpoint) -> Self:
        """The adjustment without the card, if only its holder saw it and the viewpoint is another."""
        keeper = self.informed_seat
        return self if keeper is None or viewpoint.sees(keeper) else msgspec.structs.replace(self, card=None)

    def informed_seats(self) -> tuple[int, ...]:
        """The seat that alone knows the card, if there is one."""
        return () if self.informed_seat is None else (self.informed_seat,)


COMMON = (Points, Turn, Resign, Adjudge, Switch)
"""The adjustments of every game."""

KINDS = {
    "points.ruled": "The referee gave {seat} points: {count}",
    "turn.ruled": "The referee gave the turn to {seat}",
    "seat.resigned": "{seat} resigned",
    "game.adjudged": "The referee ended the game",
    "option.switched": "From here on: {at}",
    "card.moved": "The referee moved a card: {at}",
}
"""The kinds of effect of these adjustments, and of a moved card, with their sentences."""

_KIND = {
    "points": "points.ruled",
    "turn": "turn.ruled",
    "resign": "seat.resigned",
    "adjudge": "game.adjudged",
    "option": "option.switched",
    "card": "card.moved",
}
"""The kind of effect by the tag of the adjustment. Each ruleset has its own class for moved cards, with its places.
"""


def sentences_of(forms: Sequence[type[Adjustment]]) -> dict[str, str]:
    """The kinds of effect of these adjustments, with their sentences."""
    tags = {form.__struct_config__.tag for form in forms}
    return {kind: KINDS[kind] for tag, kind in _KIND.items() if tag in tags}


def option_words(ruleset: Ruleset, switched: str) -> Sentence:
    """The text of an effect about an option, `name = value`, in words for people."""
    name, _, value = switched.partition(" = ")
    option = next(option for option in ruleset.options if option.name == name)
    choice = next(choice for choice in option.choices if option_text(choice) == value)
    return Sentence("{option}: {choice}", option=option.title, choice=option.choice_name(choice))


ENDINGS = ("adjudicated", "resigned")
"""The reasons of outcomes by rulings."""


def require_seat(seat: int, seats: int, rule: str) -> None:
    """Make sure that the game has the seat. Raises `ImpossibleError`."""
    if seat >= seats:
        raise ImpossibleError("the game has {seats} seats, and no seat {number}", rule, seats=seats, number=seat + 1)


def require_going_on(ending: object, rule: str) -> None:
    """Make sure that the game has no ending yet. Raises `ImpossibleError`."""
    if ending:
        raise ImpossibleError("the game is over", rule)


def require_elsewhere(source: str, to: str, rule: str) -> None:
    """Make sure that a card goes to another place than its own. Raises `ImpossibleError`."""
    if source == to:
        raise ImpossibleError("the card lies in {to} already", rule, to=to)


def checked_ranks(adjustment: Adjudge, seats: int, rule: str) -> Outcome:
    """The outcome of a game by a ruling. Raises `ImpossibleError` for invalid ranks."""
    ranks = adjustment.ranks
    if len(ranks) != seats:
        raise ImpossibleError("there are {seats} seats, and {count} ranks", rule, seats=seats, count=len(ranks))
    for rank in ranks:
        if rank != 1 + sum(other < rank for other in ranks):
            raise ImpossibleError(
                "{rank} is no rank here: as many seats are before a rank as it says, less one", rule, rank=rank
            )
    return Outcome.of(ranks, "adjudicated", rule)


@overload
def ranked_last(outcome: Outcome, gone: Sequence[int]) -> Outcome: ...


@overload
def ranked_last(outcome: Outcome | None, gone: Sequence[int]) -> Outcome | None: ...


def ranked_last(outcome: Outcome | None, gone: Sequence[int]) -> Outcome | None:
    """The outcome with the seats that gave up ranked after all others, the first of them last.

    It stays the same if nobody won, or if it is a ruling's.
    """
    if outcome is None or not gone or not outcome.winners or outcome.reason in ENDINGS:
        return outcome
    seats = range(len(outcome.ranks))
    keys = [(seat in gone, -gone.index(seat) if seat in gone else outcome.ranks[seat]) for seat in seats]
    ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
    return msgspec.structs.replace(outcome, ranks=ranks, winners=tuple(seat for seat in seats if ranks[seat] == 1))


def checked_switch(known: Sequence[Option], adjustment: Switch, rule: str) -> bool | int | str:
    """The new value of a switched option. Raises `ImpossibleError`."""
    switchable = {option.name: option for option in known if option.switchable}
    if adjustment.name not in switchable:
        names = ", ".join(switchable) or "none"
        raise ImpossibleError(
            "{name} cannot be switched while the game goes on; {names} can", rule, name=adjustment.name, names=names
        )
    choices = {option_text(choice): choice for choice in switchable[adjustment.name].choices}
    value = option_text(adjustment.value)
    if value not in choices:
        said = first_few(choice_texts(tuple(choices.values())))
        raise ImpossibleError(
            "{name} is one of {said}, not {value}", rule, name=adjustment.name, said=said, value=value
        )
    return choices[value]


def effect_of(adjustment: Points | Turn | Resign | Adjudge | Switch, rule: str) -> Effect:
    """The direct effect of one of these adjustments. Further effects depend on the game."""
    kind = _KIND[str(adjustment.__struct_config__.tag)]
    match adjustment:
        case Points():
            return Effect(kind, rule, adjustment.seat, count=adjustment.points)
        case Turn() | Resign():
            return Effect(kind, rule, adjustment.seat)
        case Adjudge():
            return Effect(kind, rule)
        case Switch():
            return Effect(kind, rule, at=(f"{adjustment.name} = {option_text(adjustment.value)}",))


# Notation

_WORD = re.compile(r'(?P<name>[^\s="]+)(?:(?P<sign>=)(?P<value>"[^"]*"|[^\s"]*))?(?!\S)')
_BLANK = re.compile(r"\s*")
_NEXT = "+"


class _Field(msgspec.Struct, frozen=True):
    """A field of an adjustment: whether it names a seat, or holds several or any values; its choices and its bounds."""

    seat: bool
    several: bool
    loose: bool
    choices: tuple[int | str, ...]
    number: msgspec.inspect.IntType | None

    @property
    def in_words(self) -> bool:
        """Whether the value is a name, which can have several words."""
        return self.seat or bool(self.choices)


@cache
def _fields(form: type[Adjustment]) -> dict[str, _Field]:
    fields = cast("msgspec.inspect.StructType", msgspec.inspect.type_info(form)).fields
    return {field.encode_name: _field(field.type) for field in fields}


def _field(kind: msgspec.inspect.Type) -> _Field:
    kinds = list(kind.types) if isinstance(kind, msgspec.inspect.UnionType) else [kind]
    kinds = [each for each in kinds if not isinstance(each, msgspec.inspect.NoneType)]
    loose, kind = len(kinds) > 1, kinds[0]
    marked = False
    if isinstance(kind, msgspec.inspect.Metadata):
        marked, kind = bool((kind.extra_json_schema or {}).get("x-seat")), kind.type
    several = isinstance(kind, (msgspec.inspect.VarTupleType, msgspec.inspect.ListType))
    literal = kind.values if isinstance(kind, msgspec.inspect.LiteralType) else ()
    number = kind if isinstance(kind, msgspec.inspect.IntType) and not marked else None
    choices = tuple(choice for choice in literal if choice is not None)
    return _Field(marked, several, loose, choices, number)


def write(ruleset: Ruleset, adjustment: Adjustment) -> str:
    """An adjustment as one line of text, which `parse` reads back. It holds no `!` and no `;`."""
    data: JSON = msgspec.to_builtins(adjustment)
    fields = _fields(type(adjustment))
    words = [data.pop("type")]
    for name, value in data.items():
        if fields[name].seat and value is not None:
            text = ruleset.seat_tag(value)
        elif fields[name].several:
            text = ",".join(map(option_text, value))
        else:
            text = option_text(value)
        words.append(f'{name}="{text}"' if re.search(r"\s", text) else f"{name}={text}")
    return " ".join(words)


def write_all(ruleset: Ruleset, adjustments: Sequence[Adjustment]) -> str:
    """The adjustments of a ruling as one line of text, which `parse_all` reads back."""
    return f" {_NEXT} ".join(write(ruleset, adjustment) for adjustment in adjustments)


def parse(ruleset: Ruleset, text: str) -> Adjustment:
    """Read a typed adjustment. Raises `NotationError` with the place of the error."""
    found = parse_all(ruleset, text) or (_adjustment(ruleset, text, []),)
    if len(found) > 1:
        raise NotationError(text, text.index(_NEXT), "one adjustment ends here")
    return found[0]


def parse_all(ruleset: Ruleset, text: str) -> tuple[Adjustment, ...]:
    """Read the typed adjustments of a ruling; none if the text is empty. Raises `NotationError`."""
    parts: list[list[re.Match[str]]] = [[]]
    for word in _words(text):
        if word[0] == _NEXT:
            parts.append([])
        else:
            parts[-1].append(word)
    return tuple(_adjustment(ruleset, text, part) for part in parts) if len(parts) > 1 or parts[0] else ()


def _words(text: str) -> Iterator[re.Match[str]]:
    """The words of a line. Full-width characters are read as the common ones."""
    common = _common(text)
    at = cast("re.Match[str]", _BLANK.match(common)).end()
    while at < len(common):
        word = _WORD.match(common, at)
        if word is None:
            raise NotationError(text, at, "expected a word or name=value here")
        yield word
        at = cast("re.Match[str]", _BLANK.match(common, word.end())).end()


def _common(text: str) -> str:
    return "".join(to_ascii(character, DASHES) for character in text)


def _adjustment(ruleset: Ruleset, text: str, words: Sequence[re.Match[str]]) -> Adjustment:
    forms: dict[str, type[Adjustment]] = {str(form.__struct_config__.tag): form for form in ruleset.adjustments}
    kind = words[0]["name"].lower() if words else ""
    if kind not in forms or words[0]["sign"]:
        at = words[0].start() if words else len(text)
        raise NotationError(text, at, f"a ruling of {ruleset.name} begins with one of {', '.join(forms) or 'nothing'}")
    fields = _fields(forms[kind])
    values: dict[str, Any] = {}
    places = {"type": words[0].start()}
    for word, *more in _by_field(words[1:]):
        name = word["name"].lower()
        if name not in fields or not word["sign"] or (more and not fields[name].in_words):
            wrong = word if name not in fields else [word, *more][-1]
            names = ", ".join(f"{field}=…" for field in fields)
            raise NotationError(text, wrong.start(), f"{kind} goes on with {names}")
        if name in places:
            raise NotationError(text, word.start(), f"{name} stands here twice")
        places[name] = word.start()
        values[name] = _value(ruleset, fields[name], text, [word, *more])
    try:
        adjustment: Adjustment = msgspec.convert({"type": kind} | values, ruleset.adjustment_type, strict=False)
    except msgspec.ValidationError as error:
        place = re.search(r"\$\.(\w+)", str(error))
        at = places.get(place[1], len(text)) if place else len(text)
        raise NotationError(text, at, str(error).partition(" - at")[0]) from None
    return adjustment


def _by_field(words: Sequence[re.Match[str]]) -> list[list[re.Match[str]]]:
    """The words with a sign, each with the words after it that have none: a name can have several words."""
    parts: list[list[re.Match[str]]] = []
    for word in words:
        if word["sign"] or not parts:
            parts.append([word])
        else:
            parts[-1].append(word)
    return parts


def _value(ruleset: Ruleset, field: _Field, text: str, words: Sequence[re.Match[str]]) -> Any:
    """A field's value: the text after its sign, and any words that follow."""
    name, at = words[0]["name"], words[0].start("value")
    value = " ".join([words[0]["value"].strip('"'), *(word[0] for word in words[1:])])
    if field.several:
        return value.split(",")
    if field.loose:
        return _guess_type(value)
    if field.number:
        return _whole(name, field.number, text, words[0])
    if field.seat and re.fullmatch("[1-9][0-9]?", value):
        return int(value) - 1
    tags = [ruleset.seat_tag(seat) for seat in range(len(ruleset.seat_names))]
    choices = tags if field.seat else list(map(str, field.choices))
    if not choices:
        return value
    found = _choice_index(value, choices)
    if found is None:
        found = _as_in_moves(ruleset, value, choices)
    if found is None:
        raise NotationError(text, at, f"{name} is one of {first_few(choices)}")
    return found if field.seat else field.choices[found]


def _whole(name: str, bounds: msgspec.inspect.IntType, text: str, word: re.Match[str]) -> int:
    """The whole number after a sign. Raises `NotationError` if it is not within its bounds."""
    value = word["value"].strip('"')
    number = int(value) if re.fullmatch(r"[+-]?[0-9]{1,9}", value) else None
    least, most = cast("int", bounds.ge), bounds.le if bounds.lt is None else bounds.lt - 1
    if number is None or not least <= number <= cast("int", most):
        raise NotationError(text, word.start("value"), f"{name} is a whole number from {least} to {most}")
    return number


def _as_in_moves(ruleset: Ruleset, value: str, choices: Sequence[str]) -> int | None:
    """The choice that a text means, read as in moves: players by their numbers or their other names."""
    if f"player{value}" in choices:
        return choices.index(f"player{value}")
    called = {_common(name.ja): ruleset.seat_tag(seat) for seat, name in enumerate(ruleset.seat_names)}
    if value in called and called[value] in choices:
        return choices.index(called[value])
    if ruleset.read_name is None:
        return None
    try:
        return choices.index(ruleset.read_name(value, choices))
    except (NotationError, ValueError):
        return None


def _guess_type(value: str) -> bool | int | str:
    """The value of an option in a text: a number or a truth value if it looks like one."""
    if value in ("true", "false"):
        return value == "true"
    return int(value) if re.fullmatch("-?[0-9]{1,9}", value) else value


def _choice_index(value: str, choices: Sequence[str]) -> int | None:
    """The choice that a text means: an exact match, else a unique beginning. Case and blanks do not matter."""
    typed, words = _plain(value), list(map(_plain, choices))
    if typed in words:
        return words.index(typed)
    found = [index for index, choice in enumerate(words) if typed and choice.startswith(typed)]
    return found[0] if len(found) == 1 else None


def _plain(word: str) -> str:
    return "".join(word.lower().split())
