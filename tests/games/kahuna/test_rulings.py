"""RULING: what a referee can change, within which limits, and what follows from it."""

from __future__ import annotations

import pytest

from games import adjustments
from games.contract import PUBLIC, Viewpoint
from games.kahuna import KAHUNA
from games.kahuna.components import LINES
from tests.cases import cases


def test_ruling_points_count_for_the_winner(table):
    t = table(black="ALOA-BARI", round=3, deck=0, last_turns=[0])
    assert t.rule("points seat=White points=1") == ["white points.ruled 1"]
    (line,) = t.state.scores()
    assert (line.seat, line.points, line.category, line.rule) == (1, 1, "ruling", "kahuna:RULING")
    t.do("-")
    assert t.state.outcome().winners == (1,)
    assert t.state.outcome().rule == "kahuna:WIN-1"


def test_ruling_points_are_no_points_of_the_third_round(table):
    t = table(black="ALOA-BARI ALOA-DUDA", round=3, deck=0, last_turns=[0])
    t.rule("points seat=White points=1")
    t.do("-")
    assert t.state.outcome().rule == "kahuna:WIN-2"
    assert t.state.outcome().winners == (0,)


def test_ruling_points_after_an_end_by_points_find_the_winner_anew(table):
    t = table(black="ALOA-BARI ALOA-DUDA", round=3, deck=0, last_turns=[0])
    t.do("-")
    assert "white game.won points" in t.rule("points seat=White points=2")
    assert t.state.outcome().winners == (1,)


def test_ruling_points_do_not_save_who_lost_the_last_bridge(table):
    t = table(black="ALOA-BARI ALOA-DUDA", white="ELAI-HUNA", round=2)
    t.do("x ELAI-HUNA (HUNA HUNA)")
    t.rule("points seat=White points=9")
    assert t.state.outcome().winners == (0,)


def test_ruling_a_turn_begins_anew(table):
    t = table(plays=5, seafarer=True, sailed=True)
    assert set(t.broken("BARI-DUDA")) == {"PLAY-1", "SEA-5"}
    assert t.rule("turn seat=Black") == ["black turn.ruled"]
    t.do("BARI-DUDA", "+")
    t.rule("turn seat=Black")
    t.do("ALOA-DUDA")


@pytest.mark.parametrize(("seat", "must"), [("Black", True), ("White", False)])
def test_ruling_who_had_to_draw_still_has_to_and_else_nobody(table, seat, must):
    t = table(must_draw=True)
    t.rule(f"turn seat={seat}")
    assert t.state.must_draw is must


def test_ruling_a_last_turn_that_was_skipped_is_still_to_come(table):
    t = table(black="ALOA-BARI", white="KAHU-LALE", round=3, deck=0, last_turns=[0, 1])
    t.rule("turn seat=White")
    t.do("-")
    assert t.state.to_move() == 0
    t.do("-")
    assert t.state.outcome()


def test_ruling_the_turn_says_who_begins_the_round_that_is_to_be_laid_out(table):
    t = table(due="row", round=2)
    t.rule("turn seat=White")
    t.do("row BARI COCO ?")
    assert t.state.to_move() == 1


def test_ruling_who_resigns_loses(table):
    t = table()
    assert t.rule("resign seat=Black") == ["black seat.resigned"]
    outcome = t.state.outcome()
    assert (outcome.ranks, outcome.winners, outcome.reason) == ((2, 1), (1,), "resigned")
    assert t.broken("black: +") == {"RULING": "the game is over"}
    assert t.legal() == []


@cases("text", ["turn seat=White", "resign seat=White", "resign seat=Black"])
def test_ruling_after_the_end_nobody_has_a_turn_or_resigns(table, text):
    t = table()
    t.rule("resign seat=Black")
    assert "the game is over" in t.cannot_rule(text)


@cases(("ranks", "winners"), [("1,2", (0,)), ("2,1", (1,)), ("1,1", (0, 1))])
def test_ruling_an_adjudged_game_has_these_ranks_also_after_another_end(table, ranks, winners):
    t = table()
    t.rule("resign seat=Black")
    assert t.rule(f"adjudge ranks={ranks}") == ["game.adjudged"]
    assert t.state.outcome().winners == winners
    assert t.state.outcome().reason == "adjudicated"


@pytest.mark.parametrize(("due", "line"), [("deal", "deal black"), ("row", "row ? ? ?")])
def test_ruling_an_adjudged_game_is_over_although_the_table_was_to_act(table, due, line):
    t = table(due=due)
    t.rule("adjudge ranks=1,1")
    assert t.legal() == []
    assert t.broken(line) == {"RULING": "the game is over"}
    assert t.state.describe()["due"] is None


@cases("ranks", ["1", "1,3", "2,2", "1,2,3"])
def test_ruling_ranks_that_are_none_are_refused(table, ranks):
    assert "rank" in table().cannot_rule(f"adjudge ranks={ranks}")


def test_ruling_a_house_rule_holds_from_then_on(table):
    t = table(white="ALOA-BARI ALOA-DUDA")
    assert t.broken("HUNA-ALOA") == {}
    assert t.rule("option name=box_variant value=true") == ["option.switched box_variant = true"]
    assert set(t.broken("HUNA-ALOA")) == {"BOX-1"}


def test_ruling_an_option_takes_only_its_choices(table):
    assert "cannot be switched" in table().cannot_rule("option name=weather value=true")
    assert "is one of false, true" in table().cannot_rule("option name=seafarer value=maybe")


def test_ruling_ships_come_into_the_game_and_go_only_when_none_is_on_the_board(table):
    t = table(hands=("BARI DUDA ELAI", "?"))
    t.rule("option name=seafarer value=true")
    t.do("bde")
    assert "no ship" in t.cannot_rule("option name=seafarer value=false")
    t.rule("ship sea=BARI-DUDA-ELAI + option name=seafarer value=false")
    assert not t.state.options.seafarer


def test_ruling_a_bridge_that_is_put_has_the_consequences_of_a_played_one(table):
    t = table(black="BARI-DUDA", white="ALOA-BARI ELAI-HUNA")
    played = table(black="BARI-DUDA", white="ALOA-BARI ELAI-HUNA")
    assert t.rule("bridge line=BARI-ELAI seat=Black")[0] == "black bridge.built BARI-ELAI"
    t.rule("bridge line=BARI-COCO seat=Black")
    played.do("BARI-ELAI", "BARI-COCO")
    assert (t.state.bridges, t.state.stones) == (played.state.bridges, played.state.stones)
    assert t.holder("BARI") == "black"
    assert t.state.plays == 0


def test_ruling_a_bridge_that_is_taken_off_costs_islands(table):
    t = table(black="ALOA-BARI ALOA-DUDA")
    assert t.rule("bridge line=ALOA-BARI") == ["black bridge.removed ALOA-BARI", "black island.lost ALOA"]


def test_ruling_the_last_bridge_taken_off_loses_as_in_play(table):
    t = table(black="ALOA-BARI", white="KAHU-LALE", round=2)
    t.rule("bridge line=ALOA-DUDA seat=Black + bridge line=ALOA-BARI")
    assert t.state.outcome() is None
    t.rule("bridge line=ALOA-DUDA")
    assert t.state.outcome().rule == "kahuna:LOSS-1"


def test_ruling_a_bridge_needs_a_free_line_and_a_bridge_left(table):
    t = table(black="ALOA-BARI")
    assert "a bridge of black lies" in t.cannot_rule("bridge line=ALOA-BARI seat=White")
    assert "no bridge lies" in t.cannot_rule("bridge line=ALOA-DUDA")
    *built, free, _ = LINES
    assert "no bridge left" in table(black=" ".join(built)).cannot_rule(f"bridge line={free} seat=Black")


def test_ruling_a_ship_is_put_and_taken_and_its_islands_follow(table):
    t = table(black="ALOA-BARI ALOA-DUDA", seafarer=True)
    assert t.rule("ship sea=ALOA-BARI-DUDA seat=White")[-1] == "black island.lost ALOA"
    assert "a ship of white is" in t.cannot_rule("ship sea=ALOA-BARI-DUDA seat=Black")
    assert t.rule("ship sea=ALOA-BARI-DUDA")[-1] == "black island.gained ALOA"
    assert "no ship is in" in t.cannot_rule("ship sea=ALOA-BARI-DUDA")


def test_ruling_a_ship_stays_no_matter_who_encloses_its_sea(table):
    t = table(white="BARI-DUDA BARI-ELAI DUDA-ELAI", replace_in_enclosed_sea="both_removed", seafarer=True)
    t.rule("ship sea=BARI-DUDA-ELAI seat=Black")
    assert t.state.ships[0]


def test_ruling_without_seafarer_there_is_no_ship(table):
    assert "seafarer is off" in table().cannot_rule("ship sea=BARI-DUDA-ELAI seat=Black")


# Cards


def test_ruling_a_card_drawn_too_much_goes_back_to_the_deck(table, check):
    t = table(hands=("? ? ? ? ?", "?"))
    t.force("+?COCO")
    deck = t.state.deck
    assert t.rule("card from=black to=deck card=COCO") == ["card.moved a card black → deck"]
    assert (t.hand(0), t.state.deck) == ("? ? ? ? ?", deck + 1)
    check(t.state)


@pytest.mark.parametrize(
    ("text", "hands", "row"),
    [
        ("card from=black to=white card=BARI", ("COCO ?", "BARI ?"), "DUDA ?"),
        ("card from=black to=row card=BARI", ("COCO ?", "?"), "DUDA ? BARI"),
        ("card from=black to=row card=LALE", ("BARI COCO", "?"), "DUDA ? LALE"),
        ("card from=black to=discards card=COCO", ("BARI ?", "?"), "DUDA ?"),
        ("card from=black to=unseen-black card=COCO", ("BARI ?", "?"), "DUDA ?"),
        ("card from=row to=white card=DUDA", ("BARI COCO ?", "DUDA ?"), "?"),
        ("card from=row to=white", ("BARI COCO ?", "? ?"), "DUDA"),
        ("card from=row to=unseen-black card=KAHU", ("BARI COCO ?", "?"), "DUDA"),
        ("card from=deck to=row card=LALE", ("BARI COCO ?", "?"), "DUDA ? LALE"),
        ("card from=deck to=row", ("BARI COCO ?", "?"), "DUDA ? ?"),
        ("card from=deck to=black card=LALE", ("BARI COCO LALE ?", "?"), "DUDA ?"),
        ("card from=white to=unseen-white card=LALE", ("BARI COCO ?", ""), "DUDA ?"),
        ("card from=white to=unseen-black", ("BARI COCO ?", ""), "DUDA ?"),
    ],
)
def test_ruling_a_card_goes_where_the_referee_says_and_none_is_lost(table, check, text, hands, row):
    t = table(hands=("BARI COCO ?", "?"), row="DUDA ?")
    t.rule(text)
    assert (t.hand(0), t.hand(1)) == hands
    assert t.state.row == [None if card == "?" else card for card in row.split()]
    check(t.state)


def test_ruling_a_card_that_passes_unseen_tells_nobody_what_it_is(table, check):
    t = table(hands=("BARI BARI COCO", "?"))
    t.rule("card from=black to=white")
    assert (t.hand(0), t.hand(1)) == ("BARI ?", "? ?")
    check(t.state)


def test_ruling_a_discard_taken_back_is_in_the_hand_again(table, check):
    t = table(hands=("BARI COCO", "?"))
    t.do("d BARI")
    t.rule("card from=unseen-black to=black card=BARI")
    assert t.hand(0) == "BARI COCO"
    check(t.state)


def test_ruling_others_do_not_see_a_card_that_goes_back_unseen():
    secret = adjustments.parse(KAHUNA, "card from=black to=deck card=BARI")
    shown = adjustments.parse(KAHUNA, "card from=black to=row card=BARI")
    assert secret.seen(PUBLIC) == adjustments.parse(KAHUNA, "card from=black to=deck")
    assert secret.seen(Viewpoint("seat", 0)) == secret
    assert shown.seen(PUBLIC) == shown


@cases(
    ("text", "why"),
    [
        ("card from=black to=black card=BARI", "lies in black already"),
        ("card from=black to=deck card=LALE", "black holds BARI, COCO, not LALE"),
        ("card from=row to=deck card=LALE", "the row has no LALE: its cards are DUDA, DUDA, GOLA"),
        ("card from=row to=deck", "say which card leaves the row: DUDA, DUDA, GOLA"),
        ("card from=deck to=row card=BARI", "the row has 3 cards"),
        ("card from=deck to=black card=DUDA", "of DUDA the box has 2 cards"),
        ("card from=white to=discards", "say which card"),
        ("card from=discards to=deck card=LALE", "LALE is not among the discards"),
        ("card from=discards to=deck", "the discards lie open: say which card"),
        ("card from=unseen-white to=deck", "no card lies in unseen-white"),
    ],
)
def test_ruling_a_card_comes_only_from_where_it_can_be(table, text, why):
    assert why in table(hands=("BARI COCO", "?"), row="DUDA DUDA GOLA").cannot_rule(text)


def test_ruling_the_last_card_of_deck_and_row_can_only_be_drawn(table):
    t = table(row="BARI", deck=0)
    assert "the last card" in t.cannot_rule("card from=row to=black card=BARI")
    t.rule("card from=row to=deck card=BARI")
    assert "the last card" in t.cannot_rule("card from=deck to=black")
    assert "the deck is empty" in table(row="BARI ?", deck=0).cannot_rule("card from=deck to=black")


def test_ruling_the_row_that_is_to_be_laid_out_takes_no_card(table):
    assert "not laid out yet" in table(due="row", round=2).cannot_rule("card from=deck to=row")


def test_round_4_a_card_put_back_in_the_last_turns_is_not_drawn(table):
    t = table(black="ALOA-BARI", white="KAHU-LALE", hands=("BARI", "?"), round=3, deck=0, last_turns=[0, 1])
    t.rule("card from=black to=deck card=BARI")
    assert "+" not in t.legal()
    assert set(t.broken("+")) == {"ROUND-4"}


@cases("text", ["turn seat=Black", "bridge line=ALOA-BARI seat=Black", "card from=deck to=black"])
def test_ruling_before_the_deal_there_is_nothing_to_move(table, text):
    assert "not been dealt" in table(due="deal").cannot_rule(text)
