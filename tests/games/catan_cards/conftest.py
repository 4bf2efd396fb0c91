"""Tables of the card game in a few words, and words for what happens on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.catan_cards import CATAN_CARDS
from games.catan_cards.components import KNIGHTS, STORE
from games.catan_cards.principality import offset
from games.catan_cards.scoring import commerce, strength
from games.catan_cards.turns import proceed
from games.hidden import Hand
from tests.games.table import Table

if TYPE_CHECKING:
    from games.catan_cards.state import CatanCardsState

CRESTS = ("lay grain1 ore2 wool3 lumber4 brick5 gold6", "lay grain2 ore3 wool4 lumber5 brick6 gold1")
"""Upper row k, m, o: grain, ore, wool; lower row: lumber, brick, gold."""


class CatanCardsTable(Table):
    """A table with two principalities."""

    ruleset = CATAN_CARDS

    def settle(self) -> list[str]:
        """What follows by itself from how the table was laid."""
        self.state.version += 1
        return self.words(proceed(self.state))

    def stocks(self, player: int, *places: str) -> list[int]:
        own = self.state.principalities[player - 1]
        return [own.stocks[f"{player}{place}"] for place in places]

    def tokens(self) -> list[int | None]:
        """Who has the knight and the windmill token, players from 1."""
        return [None if holder is None else holder + 1 for holder in self.state.tokens]


@pytest.fixture
def new() -> Any:
    """A table at which nothing is laid out."""

    def open_(components: Any = None, **options: Any) -> CatanCardsTable:
        return CatanCardsTable(options, components, 2)

    return open_


@pytest.fixture
def begun(new: Any) -> Any:
    """Player 1 is to roll the dice for the first time; all cards are unknown."""

    def begin(components: Any = None, **options: Any) -> CatanCardsTable:
        t = new(components, **options)
        t.do("start 1", *CRESTS, "pick 1 ? ? ?", "pick 2 ? ? ?")
        return t

    return begin


@pytest.fixture
def table(begun: Any) -> Any:
    """Player 1 acts: after the dice, both hands, what stands on sites (`1lu1 Smithy, 2nu1 Otto the Berserker`), cities
    (`1l 2n`), and stocks (`1ku 3, 2od 0`; those that are not named are 1). Action cards can be played.
    """

    def lay(
        sites: str = "",
        cities: str = "",
        stocks: str = "",
        hands: tuple[str, str] = ("???", "???"),
        **options: Any,
    ) -> CatanCardsTable:
        t = begun(options.pop("components", None), **options)
        state = t.state
        state.phase, state.production, state.face = "actions", 1, "plenty"
        for city in cities.split():
            state.principalities[int(city[0]) - 1].line[city[1]] = "city"
        for part in filter(None, sites.split(", ")):
            place, _, card = part.partition(" ")
            state.principalities[int(place[0]) - 1].sites[place] = card
            state.limits[int(place[0]) - 1] += state.box.cards[card].hand
        for part in filter(None, stocks.split(", ")):
            place, _, stock = part.partition(" ")
            state.principalities[int(place[0]) - 1].stocks[place] = int(stock)
        for seat, cards in enumerate(hands):
            named = [card for card in cards.replace("?", "").split(", ") if card.strip()]
            state.hands[seat] = Hand(sorted(named), cards.count("?"))
        return t

    return lay


@pytest.fixture
def act(table: Any) -> Any:
    """The same with 3 points each, so that action cards can be played."""

    def lay(*args: Any, **more: Any) -> CatanCardsTable:
        t = table(*args, **more)
        t.state.points = [max(3, points) for points in t.state.points]
        return t

    return lay


@pytest.fixture
def check() -> Any:
    """What is true of every state, also after irregular moves."""

    def holds(state: CatanCardsState) -> None:
        for seat, own in enumerate(state.principalities):
            assert set(own.stocks) == set(own.regions)
            assert all(0 <= stock <= STORE for stock in own.stocks.values())
            assert len(own.roads) + state.supply["road"] >= 0
            if own.line:
                ends = [offset(letter) for letter in own.line]
                assert sorted(own.line) == [chr(ord("m") + x) for x in range(min(ends), max(ends) + 1, 2)]
            assert strength(state, seat) >= 0
            assert state.points[seat] == state.totals()[seat] >= 0
        if state.phase != "start":
            lying = sum(len(own.sites) for own in state.principalities) + len(state.spent)
            held = sum(map(len, state.hands)) + sum(stack.size for stack in state.stacks)
            assert lying + held == state.box.expansions()
        laid = sum(len(own.roads) for own in state.principalities)
        assert state.supply["road"] + laid == 7 + sum(1 for own in state.principalities if own.line)
        for card in state.box.cards:
            assert state.unlocated_copies(card) >= 0
        for stack in state.stacks:
            assert all(len(cards) <= stack.size for cards in stack.known)
            assert 0 <= stack.under <= max(stack.size, 0)
        assert len(state.events) == sum(state.box.events.values())

    return holds


def knight_token(state: CatanCardsState) -> int | None:
    """Who holds the knight token by its definition, counted anew."""
    sums = []
    for own in state.principalities:
        knights = [card for card in own.sites.values() if card in KNIGHTS]
        smithies = list(own.sites.values()).count("Smithy")
        sums.append(sum(state.box.cards[card].strength + smithies for card in knights))
    return None if sums[0] == sums[1] else sums.index(max(sums))


def windmill_token(state: CatanCardsState, before: int | None) -> int | None:
    """Who holds the windmill token by its definition, given who held it."""
    sums = [commerce(state, 0), commerce(state, 1)]
    if sums[0] == sums[1]:
        return before if state.options.windmill_tie == "keep" else None
    leader = sums.index(max(sums))
    return leader if "city" in state.principalities[leader].line.values() else None
