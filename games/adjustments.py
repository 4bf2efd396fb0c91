"""Rulings: the adjustments that mean the same in every game, and how any adjustment is typed.

    points seat=White points=-3
    adjudge ranks=1,2

A seat goes by the ruleset's name for it, without blanks, or by its number from 1 on.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, cast

import msgspec

from games.contract import Adjustment, Effect, Outcome, option_text
from games.errors import ImpossibleError, NotationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import JSON, Option, Ruleset

SEATS = 20
"""More seats than any game has."""

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=SEATS, extra_json_schema={"x-seat": True})]
"""A field that names a seat: forms offer the seats for it, and notation has their names."""


class Points(Adjustment, frozen=True, kw_only=True, tag="points"):
    """Points given to a seat, or taken from it."""

    seat: SeatNumber
    points: Annotated[int, msgspec.Meta(ge=-1000, le=1000)]


class Turn(Adjustment, frozen=True, kw_only=True, tag="turn"):
    """It is this seat's turn now, from its beginning: somebody's is skipped, or had again."""

    seat: SeatNumber


class Resign(Adjustment, frozen=True, kw_only=True, tag="resign"):
    """A seat gives up. The game ends when only one is left; else whoever gave up comes last in the end."""

    seat: SeatNumber


class Adjudge(Adjustment, frozen=True, kw_only=True, tag="adjudge"):
    """The game ends here, with a rank for each seat: 1 is best, and equal ranks share."""

    ranks: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=SEATS)], ...], msgspec.Meta(min_length=1, max_length=SEATS)
    ]


class Switch(Adjustment, frozen=True, kw_only=True, tag="option"):
    """A house rule is on, off or another one from here on: a switchable option gets another value."""

    name: str
    value: bool | int | str


KINDS = {
    "points.ruled": "The referee gave {seat} points: {count}",
    "turn.ruled": "The referee gave the turn to {seat}",
    "seat.resigned": "{seat} resigned",
    "game.adjudged": "The referee ended the game",
    "option.switched": "From here on: {at}",
}
"""The kinds of effect of these adjustments, and the sentences they read as."""

ENDINGS = ("adjudicated", "resigned")
"""The reasons of outcomes that rulings bring."""


def demand_seat(seat: int, seats: int, rule: str) -> None:
    """Make sure that the game has the seat. Raises `ImpossibleError`."""
    if seat >= seats:
        raise ImpossibleError(f"the game has {seats} seats, and no seat {seat + 1}", rule)


def adjudged(adjustment: Adjudge, seats: int, rule: str) -> Outcome:
    """The outcome that a ruling gives the game. Raises `ImpossibleError` if the ranks are none."""
    ranks = adjustment.ranks
    if len(ranks) != seats:
        raise ImpossibleError(f"there are {seats} seats, and {len(ranks)} ranks", rule)
    for rank in ranks:
        if rank != 1 + sum(other < rank for other in ranks):
            raise ImpossibleError(f"{rank} is no rank here: as many seats are before a rank as it says, less one", rule)
    return Outcome(ranks, tuple(seat for seat, rank in enumerate(ranks) if rank == 1), "adjudicated", rule)


def resigned(gone: Sequence[int], seats: int, rule: str) -> Outcome | None:
    """The outcome when these seats have given up, one after the other; None as long as several are left."""
    if len(gone) < seats - 1:
        return None
    ranks = [1] * seats
    for place, seat in enumerate(gone):
        ranks[seat] = seats - place
    return Outcome(tuple(ranks), tuple(seat for seat, rank in enumerate(ranks) if rank == 1), "resigned", rule)


def resign(gone: tuple[int, ...], adjustment: Resign, seats: int, rule: str) -> tuple[int, ...]:
    """The seats that have given up, with this one. Raises `ImpossibleError`."""
    demand_seat(adjustment.seat, seats, rule)
    if adjustment.seat in gone:
        raise ImpossibleError(f"seat {adjustment.seat + 1} has given up already", rule)
    return (*gone, adjustment.seat)


def behind(outcome: Outcome | None, gone: Sequence[int]) -> Outcome | None:
    """The outcome with the seats that gave up behind all others, the first of them last."""
    if outcome is None or not gone or outcome.reason in ENDINGS:
        return outcome
    seats = range(len(outcome.ranks))
    keys = [(seat in gone, -gone.index(seat) if seat in gone else outcome.ranks[seat]) for seat in seats]
    ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
    return msgspec.structs.replace(outcome, ranks=ranks, winners=tuple(seat for seat in seats if ranks[seat] == 1))


def switch(options: Any, known: Sequence[Option], adjustment: Switch, rule: str) -> Any:
    """The struct of options with one of them switched. Raises `ImpossibleError`."""
    switchable = {option.name: option for option in known if option.switchable}
    if adjustment.name not in switchable:
        names = ", ".join(switchable) or "none"
        raise ImpossibleError(f"{adjustment.name} cannot be switched while the game goes on; {names} can", rule)
    choices = {option_text(choice): choice for choice in switchable[adjustment.name].choices}
    value = option_text(adjustment.value)
    if value not in choices:
        raise ImpossibleError(f"{adjustment.name} is one of {', '.join(choices)}, not {value}", rule)
    return msgspec.structs.replace(options, **{adjustment.name: choices[value]})


def switched(adjustment: Switch, rule: str) -> Effect:
    """What follows when an option was switched."""
    return Effect("option.switched", rule, at=(f"{adjustment.name} = {option_text(adjustment.value)}",))


# Notation


class _Field(msgspec.Struct, frozen=True):
    """A field of an adjustment: whether it names a seat, holds several values, and can be left out."""

    seat: bool
    several: bool


@cache
def _fields(form: type[Adjustment]) -> dict[str, _Field]:
    found = {}
    for field in cast("msgspec.inspect.StructType", msgspec.inspect.type_info(form)).fields:
        marked, kind = False, field.type
        if isinstance(kind, msgspec.inspect.Metadata):
            marked, kind = bool((kind.extra_json_schema or {}).get("x-seat")), kind.type
        found[field.name] = _Field(marked, isinstance(kind, (msgspec.inspect.VarTupleType, msgspec.inspect.ListType)))
    return found


def write(ruleset: Ruleset[Any, Any], adjustment: Adjustment) -> str:
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


_WORD = re.compile(r'(?P<name>[^\s=]+)(?P<sign>=)?(?P<value>"[^"]*"|[^\s"]*)')


def parse(ruleset: Ruleset[Any, Any], text: str) -> Adjustment:
    """The adjustment that a person typed. Raises `NotationError` that says where it stops making sense."""
    forms: dict[str, type[Adjustment]] = {str(form.__struct_config__.tag): form for form in ruleset.adjustments}
    words = list(_WORD.finditer(text))
    kind = words[0]["name"].lower() if words else ""
    if kind not in forms or words[0]["sign"]:
        at = words[0].start() if words else len(text)
        raise NotationError(text, at, f"a ruling of {ruleset.name} begins with one of {', '.join(forms) or 'nothing'}")
    fields = _fields(forms[kind])
    values: dict[str, Any] = {}
    for word in words[1:]:
        name = word["name"].lower()
        if name not in fields or not word["sign"]:
            names = ", ".join(f"{field}=…" for field in fields)
            raise NotationError(text, word.start(), f"{kind} goes on with {names}")
        values[name] = _value(ruleset, fields[name], text, word)
    try:
        adjustment: Adjustment = msgspec.convert({"type": kind} | values, ruleset.adjustment_type, strict=False)
    except msgspec.ValidationError as error:
        place = re.search(r"\$\.(\w+)", str(error))
        at = next((word.start() for word in words[1:] if place and word["name"].lower() == place[1]), len(text))
        raise NotationError(text, at, str(error).partition(" - at")[0]) from None
    return adjustment


def _value(ruleset: Ruleset[Any, Any], field: _Field, text: str, word: re.Match[str]) -> Any:
    value = word["value"].strip('"')
    if field.several:
        return value.split(",")
    if not field.seat:
        return value
    tags = [ruleset.seat_tag(seat).lower() for seat in range(len(ruleset.seat_names))]
    if value.isascii() and value.isdigit():
        return int(value) - 1
    found = [seat for seat, tag in enumerate(tags) if tag == value.lower()]
    found = found or [seat for seat, tag in enumerate(tags) if value and tag.startswith(value.lower())]
    if len(found) != 1:
        raise NotationError(text, word.start("value"), f"the seats are {', '.join(tags)}")
    return found[0]
