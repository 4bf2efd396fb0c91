"""The events of `luck-counts`, against an own count of events from the moves, and of all ways of the cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import nullcontext
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from games.catan_cards.knowledge import StackedCards
from games.contract import PUBLIC, RECORD, Move, Viewpoint
from games.errors import ImpossibleError
from games.manapani import knowledge as manapani
from projections.analyses.luck import _events, luck_counts
from tests.choosing import soak_except
from tests.games.every_way import READERS, Seen
from tests.games.recorded import ISLANDS, Noise, Table, few_islands, tag
from tests.games.weighed_ways import WeighedWays

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.contract import ChanceEvent
    from tests.games.recorded import Made

BY_CHANCE = {"kahuna": ("row", "hand"), "verraeter": ("drawn",), "manapani": ("drawn",), "catan_cards": ("none",)}
"""The places to which cards of the deck come by chance. Stacks of the card game have their own way."""
MOST = 2_500
"""A game is followed until there are more ways than these."""
Kind = tuple[str, int | None]


class Counted:
    """Steps of a record from a viewpoint, with all ways of the cards, and the other events of chance."""

    def __init__(self, table: Table, record: Sequence[Made], seer: Viewpoint) -> None:
        self.name, self.seer, self.state = table.ruleset.name, seer, table.open()
        self.reader = READERS[self.name](table.copies, table.seats)
        self.reader.ways = WeighedWays.of(self.reader.ways, BY_CHANCE[self.name])
        self.steps: list[Any] = []
        self.others: Counter[Kind] = Counter()
        for made in record:
            if 0 < len(self.reader.ways.worlds) <= MOST:
                self.take(made)

    def take(self, made: Made) -> None:
        entry, before, after = made.entry, self.state.view(self.seer), self.state.copy()
        try:
            effects = after.apply(entry, made.version) if tag(entry) else after.adjust(entry, made.version)
        except ImpossibleError:
            return
        self.state, view = after, after.view(self.seer)
        self.reader.ways.by_chance = BY_CHANCE[self.name] if tag(entry) else ("drawn",)
        self.reader.take(entry, Seen(before, view, effects), self.seer)
        move = entry.seen(self.seer) if isinstance(entry, Move) else None
        ruled = [] if move else [change.seen(self.seer) for change in entry]
        self.others += other_events(before, move) if move else Counter()
        self.steps.append(SimpleNamespace(move=move, adjustments=ruled, before=before, after=view, effects=effects))

    def drawn(self) -> dict[Kind, list[tuple[Mapping[str, Fraction], str | None]]]:
        found = defaultdict(list)
        for to, odds, card in self.reader.ways.came:
            found["row" if to == "row" else "draw", None if to == "row" else int(to[-1])].append((odds, card))
        return dict(found)


def other_events(before: Any, move: Any) -> Counter[Kind]:
    """The events of chance of a move, without cards of the deck."""
    found: Counter[Kind] = Counter()
    match before.ruleset.name, tag(move):
        case "manapani", "roll":
            going_on = bool(before.dice) and move.is_due(before)
            found["die", move.seat] = len(move.dice) - (sum(map(bool, before.dice)) if going_on else 0)
            found["way", move.seat] = int(not going_on)
        case "catan_cards", "roll":
            found["event die", move.seat] = 1
            found["production die", move.seat] = int(bool(move.number and not before.alchemist))
        case "catan_cards", "duel":
            found["duel", move.seat] = 1
        case "catan_cards", "event":
            found["event card", None] = int(not before.events[0])
        case "catan_cards", "regions":
            found["region", move.seat] = 2 * (not before.scouted and len(before.lands) > 1)
        case "verraeter", "lands":
            found["land", None] = len(move.lands) * (not any(before.lands))
    return found


def shares(event: ChanceEvent) -> dict[str, Fraction]:
    return {card: Fraction(weight, sum(event.odds.values())) for card, weight in event.odds.items() if weight}


def in_order(odds: Sequence[Mapping[str, Fraction]]) -> list[list[tuple[str, Fraction]]]:
    return sorted(sorted(each.items()) for each in odds)


EVERY = [(name, seed) for name in READERS for seed in range(15 if name in ("manapani", "catan_cards") else 5)]
EVERY += [("manapani", 118)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), soak_except(EVERY, ("kahuna", 0), ("verraeter", 1), ("manapani", 0)))
def test_each_event_is_counted_or_left_out_with_the_odds_of_all_ways(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is sampled here, however many arrangements there are."""
    monkeypatch.setattr(manapani, "MOST", 20_000)
    monkeypatch.setattr(StackedCards.__init__, "__defaults__", (20_000, ""))
    with few_islands(ISLANDS[seed % 2]) if name == "kahuna" else nullcontext():
        table = Table(name, seed)
        table.play(36, slips=0.03 if seed % 3 else 0, rulings=0.05 if seed % 3 != 1 else 0)
        noise = Noise(table, seed, (1, 0.8, 0.5)[seed % 3])
        record = noise.record()
        for made, seer in [(record, RECORD), (record, PUBLIC), (noise.corrected(record, faithful=True), RECORD)]:
            compare(table, Counted(table, made, seer))


def compare(table: Table, counted: Counted) -> None:
    replay = cast("Any", SimpleNamespace(ruleset=table.ruleset, seats=table.seats, steps=counted.steps))
    events, drawn = list(_events(replay)), counted.drawn()
    for kind, cards in drawn.items():
        told = [event for event in events if (event.kind, event.seat) == kind]
        assert in_order([shares(event) for event in told]) == in_order([odds for odds, _ in cards]), kind
        seen = Counter(card for _, card in cards if card)
        assert seen <= Counter(event.outcome for event in told), kind
    found, cards_of = luck_counts(replay), Counter({kind: len(cards) for kind, cards in drawn.items()})
    assert {(each.kind, each.seat): each.n + each.left_out for each in found.kinds} == dict(counted.others + cards_of)
    assert found.n + found.left_out == len(events)
