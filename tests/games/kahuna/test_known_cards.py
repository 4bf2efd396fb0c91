"""What is certain of the cards of a game of Kahuna, followed move by move."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.kahuna.adjustments import MoveCard
from games.kahuna.components import ISLANDS
from games.kahuna.knowledge import KahunaWatch
from games.kahuna.moves.cards import Draw, Take
from games.kahuna.moves.setup import Deal
from games.rulesets import RULESETS

BURIED_COCO = [
    *("deal black BARI COCO DUDA", "-", "d3", "+COCO/ELAI", "-", "+BARI/FAAA", "-", "d1", "BARI-DUDA", "+", "+?COCO"),
    *("+", "+?COCO"),
]


def follow(lines: list[str], viewpoint: Viewpoint = RECORD) -> tuple[KahunaWatch, list[int]]:
    """The watch at the end, and the numbers of the lines after which anything was possible."""
    state, watch, fitting = RULESETS["kahuna"].open({}, None, 2), KahunaWatch(), []
    for number, line in enumerate(lines):
        before, move = state.view(viewpoint), state.parse(line)
        state.apply(move, number + 1)
        watch.follow(before, move.seen(viewpoint), state.view(viewpoint))
        fitting += [number] if watch.cards.is_exact else []
    return watch, fitting


def test_a_third_copy_is_found_although_one_was_put_away_unseen() -> None:
    """Of COCO and BARI white put one away unseen and then played BARI: so COCO lies there, and one is left to draw."""
    _, fitting = follow(BURIED_COCO)
    assert fitting == list(range(len(BURIED_COCO) - 1))


def test_the_public_knows_no_more_than_it_saw() -> None:
    """What black drew unseen changes nothing of what the public knows."""
    seen = [
        follow([*BURIED_COCO[:-3], "+", last], Viewpoint("public"))[0].cards.odds("deck")
        for last in ("+?COCO", "+?HUNA")
    ]
    assert seen[0] == seen[1]
    assert sum(seen[0].values()) > 0


def shares(odds: dict[str, int] | Counter[str]) -> dict[str, Fraction]:
    whole = sum(odds.values())
    return {card: Fraction(weight, whole) for card, weight in odds.items() if weight}


def test_an_unnoted_card_is_taken_from_those_of_the_row_that_are_not_known() -> None:
    """BARI stays, beside one of the 23 other cards."""
    state, watch = RULESETS["kahuna"].open({}, None, 2), KahunaWatch()
    for move in (Deal(starts=0, row=("BARI", None, None)), Take(seat=0, refill="ELAI")):
        before = state.copy()
        state.apply(move)
        watch.follow(before, move, state)
    watch.cards.move("row", "discards", ["ELAI"])
    bari = watch.cards.odds("row")["BARI"] / sum(watch.cards.odds("row").values())
    assert bari == pytest.approx((1 + 1 / 22) / 2)


@pytest.mark.parametrize("card", ["GOLA", None])
def test_a_ruling_moves_what_it_says_and_no_known_card_of_the_row_instead(card: str | None) -> None:
    state, watch = RULESETS["kahuna"].open({}, None, 2), KahunaWatch()
    deal = Deal(starts=0, row=("BARI", None, "COCO"))
    before = state.copy()
    state.apply(deal)
    watch.follow(before, deal, state)
    ruling = [MoveCard(source="row", to="black", card=card), MoveCard(source="row", to="white", card="COCO")]
    watch.rule(state, ruling)
    assert watch.cards.odds("row") == {"BARI": 1}
    if card:
        assert shares(watch.cards.odds("deck"))["GOLA"] == Fraction(1, 21)


@pytest.mark.parametrize("seed", range(4))
def test_in_whole_games_the_odds_are_what_the_deck_holds_where_all_is_noted(seed: int) -> None:
    """And from every other viewpoint what really came was possible, over all shuffles."""
    chance, state = random.Random(seed), RULESETS["kahuna"].open({}, None, 2)
    viewpoints = (RECORD, PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
    watches, drawn = [KahunaWatch() for _ in viewpoints], 0
    for _ in range(400):
        moves = list(state.legal_moves())
        if not moves:
            break
        kind = chance.choice(sorted({type(move) for move in moves}, key=lambda each: each.__name__))
        move = state.sample_chance(chance.choice([each for each in moves if type(each) is kind]), chance)
        before = state.copy()
        state.apply(move)
        for viewpoint, watch in zip(viewpoints, watches, strict=True):
            events = watch.follow(before.view(viewpoint), move.seen(viewpoint), state.view(viewpoint))
            assert watch.cards.is_exact, viewpoint.name
            assert all(event.odds for event in events)
            if isinstance(move, Draw) and viewpoint == RECORD:
                deck = Counter(before.unlocated_cards())
                assert deck.total() == before.deck
                assert shares(dict(events[0].odds)) == shares(deck)
                assert events[0].outcome == move.card
                drawn += 1
    assert state.round > 1
    assert drawn > 5
    assert set(ISLANDS) >= set(watches[0].cards.odds("deck"))
