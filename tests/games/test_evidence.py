"""Messages about cards that cannot be there name the entries that show it. Without these entries, nothing is said.

Records of all card games get one mistake each: another card, a note that is wrong, or an entry that is missing.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from games.contract import PUBLIC, RECORD, Move, Viewpoint
from games.errors import ImpossibleError, RuleBrokenError
from games.examination.plays import random_game
from games.rulesets import SHIPPED
from tests.choosing import soak_except
from tests.games.recorded import ISLANDS, Noise, Table, few_islands

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tests.games.recorded import Made

VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
NOTING = (0.3, 0.6, 0.9, 0.0)
ABOUT_CARDS = re.compile(
    r"known to lie|holds (?!no more|the strategy|\d+ cards? already)|was put under stack|by all that was seen"
    r"|by what lay|drawn no card|has no card, and|can note|the row has no|not among the discards"
)
ENTRIES = re.compile(r"see entr(?:y|ies) (?P<seen>[\d, ]+)|(?:up to|in) entry (?P<since>\d+)")
MOST_ROUNDS = 6
"""How often the entries of a message are left out, until it is not said any more: often it then names others."""


def record_with_a_mistake(table: Table, seed: int) -> list[Made]:
    chance, noise = random.Random(f"mistake {seed}"), Noise(table, seed, NOTING[seed % 4])
    record, lot = noise.record(), chance.random()
    at = chance.randrange(1, len(record))
    if lot < 0.35:
        record[at] = record[at]._replace(entry=noise.mistaken(record[at].entry))
    elif lot < 0.9:
        forms = [form for form in table.ruleset.move_types if form.__struct_config__.tag in ("show", "hold")]
        form, kinds = chance.choice(forms), table.truth.ways.kinds
        cards = tuple(chance.choice(kinds) for _ in range(chance.choice((1, 1, 2, 3))))
        record.insert(at, record[at]._replace(entry=form(seat=chance.randrange(table.seats), cards=cards), version=500))
    else:
        del record[at]
    return record


def after(table: Table, record: Sequence[Made], without: Collection[int] = ()) -> Any:
    """The state after all entries of a record that can be, without some of them."""
    state = table.open()
    for made in record:
        if made.version not in without:
            state = applied(state, made) or state
    return state


def applied(state: Any, made: Made) -> Any:
    """The state after an entry; None if it is impossible."""
    twin = state.copy()
    try:
        twin.apply(made.entry, made.version) if isinstance(made.entry, Move) else twin.adjust(made.entry, made.version)
    except ImpossibleError:
        return None
    return twin


def said(state: Any, made: Made) -> Iterator[str]:
    """What is said of the cards of an entry."""
    found: list[RuleBrokenError | ImpossibleError] = []
    if isinstance(made.entry, Move):
        found += state.breaches(made.entry)
    twin = state.copy()
    try:
        twin.apply(made.entry, made.version) if isinstance(made.entry, Move) else twin.adjust(made.entry, made.version)
    except ImpossibleError as error:
        found.append(error)
    return (str(error.why) for error in found if ABOUT_CARDS.search(str(error.why)))


def named(text: str) -> set[int]:
    return {int(number) for found in ENTRIES.finditer(text) for number in re.findall(r"\d+", found[0])}


def subject(text: str) -> str:
    return ENTRIES.sub("", text)


def followed(table: Table, record: Sequence[Made], made: Made, view: Viewpoint, text: str) -> bool:
    """Whether the message is gone without the entries that it names, one after the other."""
    without, told = set[int](), text
    for _ in range(MOST_ROUNDS):
        if named(told) <= without:
            return False
        without |= named(told)
        state = after(table, record, without).view(view)
        again = [each for each in said(state, made) if subject(each) == subject(text)]
        if not again:
            return True
        told = again[0]
    return False


def tried(name: str, seed: int) -> Counter[str]:
    """How many messages a record with a mistake gets, by what they say. All are checked."""
    found = Counter[str]()
    with few_islands(ISLANDS[seed % 2]) if name == "kahuna" else nullcontext():
        table = Table(name, seed)
        table.play(30, slips=0.03, rulings=0.05 if seed % 2 else 0)
        record = record_with_a_mistake(table, seed)
        state = table.open()
        for at, made in enumerate(record):
            for view in VIEWPOINTS:
                for text in said(state.view(view), made):
                    found["all"] += 1
                    assert named(text) or not any(map(len, state.hands)), (name, seed, view.name, made, text)
                    if named(text) and "…" not in text:
                        assert followed(table, record[:at], made, view, text), (name, seed, view.name, made, text)
            state = applied(state, made) or state
    return found


EVERY = [(name, seed) for name in ("kahuna", "verraeter", "manapani", "catan_cards") for seed in range(60)]
FEW = [("kahuna", 0), ("kahuna", 1), ("verraeter", 0), ("verraeter", 3)]
FEW += [("manapani", 1), ("manapani", 15), ("catan_cards", 0), ("catan_cards", 4)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), soak_except(EVERY, *FEW))
def test_a_message_about_cards_names_the_entries_that_show_it(name: str, seed: int) -> None:
    found = tried(name, seed)
    assert found["all"] or (name, seed) not in FEW


@pytest.mark.parametrize("name", ["kahuna", "manapani"])
def test_moves_that_are_tried_at_one_moment_share_their_evidence(name: str) -> None:
    """To follow all facts of a long game takes longer than to try a move."""
    states = [step.before for step in random_game(SHIPPED[name], 0, 0).steps[20:]]
    shared = states[0].evidence()
    assert states[0].copy().evidence() is shared
    later = next(state for state in states if state.told != states[0].told)
    assert vars(later.evidence()) != vars(shared)
    assert vars(states[0].evidence()) == vars(shared)
