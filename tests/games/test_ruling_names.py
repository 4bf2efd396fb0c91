"""Rulings read names as moves do: each spelling that a move takes names the same thing in a ruling.

The moves are the measure. Each name is respelled in many ways, and those that a move reads are tried in rulings.
"""

from __future__ import annotations

import random
import re
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pytest

from games import adjustments
from games.adjustments import Switch
from games.catan_cards.components import CARDS as CATAN_CARDS
from games.catan_cards.components import RESOURCES, short_name
from games.catan_cards.principality import CENTRES, PLACES, SITES
from games.errors import NotationError
from games.examination.plays import random_adjustment
from games.kahuna.components import ISLANDS, LINES, SEAS
from games.manapani.components import CARDS as MANAPANI_CARDS
from games.manapani.components import COLOURS
from games.rulesets import SHIPPED
from games.verraeter.components import COPIES
from games.verraeter.components import PLACES as CIRCLE
from tests import goldens, tiers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.contract import Adjustment, Move, Ruleset, State

OPENINGS: dict[str, tuple[dict[str, Any], int]] = {
    "kahuna": ({"seafarer": True}, 2),
    "verraeter": ({}, 4),
    "manapani": ({}, 4),
    "catan_cards": ({}, 2),
    "scoresheet": ({}, 3),
}
STARTS = {
    "kahuna": ("deal black",),
    "verraeter": (),
    "manapani": ("start 1",),
    "catan_cards": (
        "start 1",
        "lay g1 o2 w3 l4 b5 a6",
        "lay g2 o3 w4 l5 b6 a1",
        "pick 1 ? ? ?",
        "pick 2 ? ? ?",
        "roll trade 6",
    ),
    "scoresheet": (),
}


class Name(NamedTuple):
    """A field of a ruling and a move that names the same kind of thing, and how the move has it; `{}` is the name."""

    ruleset: str
    ruling: str
    field: str
    move: str
    said: Callable[[Any], Any]
    names: Sequence[str]


def _seats(ruleset: str, ruling: str, move: str) -> Name:
    seats = OPENINGS[ruleset][1]
    tags = [SHIPPED[ruleset].seat_tag(seat) for seat in range(seats)]
    return Name(ruleset, ruling, "seat", move, lambda made: made.seat, [*tags, *map(str, range(1, seats + 1))])


def _card(move: Any) -> str | None:
    """The card of a move that can name several, if it names one."""
    return move.cards[0] if len(move.cards) == 1 else None


NAMES = (
    _seats("kahuna", "turn seat={}", "{}: -"),
    Name("kahuna", "bridge line={} seat=Black", "line", "black: {}", lambda move: move.line, LINES),
    Name("kahuna", "ship sea={}", "sea", "black: {} (ALOA BARI COCO)", lambda move: move.sea, SEAS),
    Name("kahuna", "card from=deck to=white card={}", "card", "black: +{}", lambda move: move.card, ISLANDS),
    Name(
        "kahuna",
        "card from=deck to={}",
        "to",
        "{}: -",
        lambda move: ("black", "white")[move.seat],
        ("black", "white"),
    ),
    _seats("verraeter", "resign seat={}", "{}: lay 3"),
    Name("verraeter", "card from=pile to=discards card={}", "card", "1: lay {}", _card, tuple(COPIES)),
    Name(
        "verraeter",
        "land land={} house=Eagle",
        "land",
        "1: estate {}",
        lambda move: move.place + 1,
        [str(number + 1) for number in range(CIRCLE)],
    ),
    Name("verraeter", "house seat=1 house={}", "house", "start 1 {} R R R", lambda m: m.houses[0], ("Eagle", "Rose")),
    Name(
        "verraeter",
        "card from=pile to={}",
        "to",
        "{}: lay 3",
        lambda move: f"player{move.seat + 1}",
        [str(number) for number in range(1, 5)],
    ),
    _seats("manapani", "turn seat={}", "{}: go"),
    Name("manapani", "card from=deck to=discards card={}", "card", "1: hold {}", _card, MANAPANI_CARDS),
    Name("manapani", "chip from=source to=player1 colour={}", "colour", "1: gain {}", lambda m: m.colour, COLOURS),
    Name(
        "manapani",
        "chip from=source colour=red to={}",
        "to",
        "{}: go",
        lambda move: f"player{move.seat + 1}",
        [str(number) for number in range(1, 5)],
    ),
    Name(
        "manapani",
        "pawn seat=1 place={}",
        "place",
        "1: put 1 at {}",
        lambda move: move.place,
        [str(place) for place in range(24)],
    ),
    _seats("catan_cards", "turn seat={}", "{}: end"),
    Name(
        "catan_cards",
        "card from=stack-1 to=spent card={}",
        "card",
        "1: hold {}",
        _card,
        [*CATAN_CARDS, *map(short_name, CATAN_CARDS)],
    ),
    Name("catan_cards", "stock at={} stock=1", "at", "1: gain {}", lambda move: move.at, PLACES),
    Name("catan_cards", "expansion at={} pile=spent", "at", "1: build Abbey {} ()", lambda move: move.at, SITES),
    Name(
        "catan_cards",
        "region at=1ku resource={} number=3",
        "resource",
        "1: regions {} 3 g3",
        lambda move: move.up.resource,
        RESOURCES,
    ),
    Name("catan_cards", "line seat=1 at={} card=city", "at", "1: city {} ()", lambda move: move.at, tuple(CENTRES)),
    Name(
        "scoresheet", "resign seat={}", "seat", "{} out", lambda move: move.seat, [f"p{number}" for number in (1, 2, 3)]
    ),
)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: f"{name.ruleset} {name.ruling}")
@pytest.mark.slow
def test_a_ruling_reads_each_name_as_moves_do(name: Name) -> None:
    state, read, other = _begun(name.ruleset), 0, []
    for spelling in dict.fromkeys(each for canonical in name.names for each in _spellings(state.ruleset, canonical)):
        move = _parsed(state, name.move.format(spelling))
        if move is None or name.said(move) is None:
            continue
        read += 1
        meant = _of_ruling(state.ruleset, name, spelling)
        if meant != name.said(move):
            other.append((spelling, name.said(move), meant))
    assert not other
    assert read >= len(set(name.names))


def _begun(ruleset: str) -> State:
    options, seats = OPENINGS[ruleset]
    state: State = SHIPPED[ruleset].open(options, None, seats)
    for line in STARTS[ruleset]:
        state.apply(state.parse(line))
    return state


def _parsed(state: State, line: str) -> Move | None:
    try:
        return state.parse(line)
    except NotationError:
        return None


def _of_ruling(ruleset: Ruleset, name: Name, spelling: str) -> Any:
    """What the ruling names, with the name in quotes and without: None where they differ, else the fault."""
    try:
        bare, quoted = (
            adjustments.parse(ruleset, name.ruling.format(text)) for text in (spelling, f'"{spelling.strip()}"')
        )
    except NotationError as error:
        return str(error)
    data = msgspec.to_builtins(bare)
    return data[name.field] if bare == quoted else None


def _spellings(ruleset: Ruleset, name: str) -> Iterator[str]:
    """A name in other letters, shortened, in its parts, turned round, by its initials, and in Japanese.

    In the short run the name itself is written in all sixteen ways, and each other form in one of them by turns.
    """
    parts = name.split("-")
    whole = [name, *("-".join(order) for order in permutations(parts))]
    whole += ["-".join(part[:length] for part in order) for order in permutations(parts) for length in (1, 2, 3)]
    whole += ["".join(part[0] for part in order) for order in permutations(parts)]
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    whole += [words, f"the {words}", words.replace(" ", ""), words.replace(" of ", " Of ")]
    whole += [re.sub(r"(?<=[0-9])(?=[a-z])|(?<=[a-z])(?=[0-9])", " ", name), re.sub(r"-", " - ", name)]
    whole += [name[:length] for length in range(1, len(name))]
    whole += [" ".join(word[:length] for word in words.split()) for length in range(1, 8)]
    whole += [title.ja for title in ruleset.seat_names]
    for turn, text in enumerate(whole):
        cased = (text, text.lower(), text.upper(), text.title())
        ways = [way for each in cased for way in (each, _wide(each), each.replace("-", "−"), each.replace("-", "ー"))]
        yield from ways if tiers.SOAK or turn == 0 else ways[turn % 16 :][:1]


def _wide(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def test_rulings_are_read_in_other_letters(ruleset: Ruleset) -> None:
    chance = random.Random(ruleset.name)
    found: list[Adjustment] = [
        random_adjustment(ruleset, form, min(ruleset.seats), chance) for form in ruleset.adjustments for _ in range(40)
    ]
    for recording in goldens.games(ruleset).values():
        for entry in recording.entries:
            if entry.ruling:
                found += adjustments.parse_all(ruleset, entry.text)
    assert len({type(each) for each in found}) == len(ruleset.adjustments)
    for adjustment in found:
        text = adjustments.write(ruleset, adjustment)
        assert adjustments.parse(ruleset, _wide(text)) == adjustment
        if not isinstance(adjustment, Switch):
            assert adjustments.parse(ruleset, text.lower()) == adjustment
            assert adjustments.parse(ruleset, text.upper()) == adjustment
