"""What is certain of the cards of a game of Kahuna, followed move by move."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.kahuna.adjustments import MoveCard
from games.kahuna.components import ISLANDS
from games.kahuna.knowledge import TABLE, KahunaTeller, KahunaWatch
from games.kahuna.moves.cards import Draw, Show, Take
from games.kahuna.moves.setup import Deal
from games.knowledge import Course
from games.rulesets import RULESETS
from tests.choosing import some

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


# Against the rules by all that was seen


def test_a_third_copy_that_comes_is_against_the_rules_since_the_second_one_was_seen(new: Any) -> None:
    """It is recorded, and play goes on. Entry 1 is the deal here; the second COCO is drawn in entry 11."""
    new.do(*BURIED_COCO[:-1])
    assert new.broken("+?COCO") == {"CARD-1": "by all that was seen up to entry 11 no COCO can come"}
    assert new.broken("+?BARI") == {}
    assert set(new.broken("+FAAA/COCO")) == {"CARD-1"}
    new.force("+?COCO")
    assert new.do("-", "d1")


def test_a_card_is_not_held_that_was_certainly_put_away(new: Any) -> None:
    """White puts one of BARI and COCO away, and plays BARI. The hand is empty then, so nothing has to be said of it."""
    new.do(*BURIED_COCO[:8])
    assert new.broken("DUDA-ELAI") == {"CARD-2": "by all that was seen up to entry 3 white cannot hold DUDA"}
    assert set(new.broken("show DUDA")) == {"CARD-2"}
    cards = {line.split("-")[0] for line in new.legal() if "-" in line and line != "-"}
    assert cards == {"BARI", "COCO"}
    new.force("DUDA-ELAI")
    assert new.broken("+") == {}


def test_the_cards_of_a_ruling_are_among_what_was_seen(new: Any) -> None:
    """Of BARI and COCO a ruling takes one from the hand, unseen: the other one stays, and no DUDA."""
    new.do(*BURIED_COCO[:7])
    new.rule("card from=white to=unseen-white")
    assert set(new.broken("DUDA-ELAI")) == {"CARD-2"}
    assert new.broken("COCO-FAAA") == {}


def test_by_the_revision_before_it_is_recorded_without_a_word() -> None:
    state = RULESETS["kahuna"].open({}, None, 2, 2)
    for number, line in enumerate(BURIED_COCO):
        move = state.parse(line)
        assert list(state.breaches(move)) == []
        state.apply(move, number + 1)


def test_nobody_is_told_a_contradiction_of_what_he_did_not_see(new: Any) -> None:
    """Black drew both COCO unseen by white and by the public, and white's own cards are no secret to white."""
    new.do(*BURIED_COCO[:-1])
    move = new.parse("+?COCO")
    seen = {
        viewpoint.name: [breach.rule for breach in new.state.view(viewpoint).breaches(move.seen(viewpoint))]
        for viewpoint in (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
    }
    assert seen == {"public": [], "seat-0": ["kahuna:CARD-1"], "seat-1": []}


def test_states_that_differ_in_hidden_cards_alone_refuse_the_same(new: Any) -> None:
    """What was told is kept in the state, and its view holds only what was seen."""
    new.do(*BURIED_COCO[:9])
    twins = [new.state.copy() for _ in "ab"]
    for twin, card in zip(twins, ("COCO", "HUNA"), strict=True):
        twin.apply(twin.parse(f"+?{card}"))
    for viewpoint in (PUBLIC, Viewpoint("seat", 0)):
        one, two = (twin.view(viewpoint) for twin in twins)
        assert one == two
        assert one.dump() == two.dump()


@pytest.mark.parametrize("seed", some(range(12), 0, 1, 5, 9))
def test_what_some_arrangement_has_is_never_refused(seed: int) -> None:
    """In random games, as the public or black saw them; and most of what no arrangement has is refused."""
    chance, state = random.Random(seed), RULESETS["kahuna"].open({}, None, 2)
    viewpoint, refused, missed = (PUBLIC, Viewpoint("seat", 0))[seed % 2], 0, 0
    for version in range(2, 150):
        moves = list(state.legal_moves())
        if not moves:
            break
        kind = chance.choice(sorted({type(move) for move in moves}, key=lambda each: each.__name__))
        move = state.sample_chance(chance.choice([each for each in moves if type(each) is kind]), chance)
        state.apply(move, version)
        view = state.view(viewpoint)
        course = Course.of(TABLE, KahunaTeller, view.told)
        for seat, card in product((0, 1), ISLANDS):
            shown = Show(seat=seat, cards=(card,))
            fits = course.contradicted_since(version, shown) is None
            told = view.may_hold(seat, card) and not list(view.breaches(shown))
            assert told or not fits, (version, shown)
            refused, missed = refused + (not told), missed + (told and not fits)
    assert refused > 100 * missed
