"""The rulebook's own examples, and sums worked out by hand."""

from __future__ import annotations

from games.manapani.chips import is_minimal, tally
from tests.cases import cases


def test_kobold_and_merfolk_win_a_fire_land_from_a_goblin_that_is_not_paid_for(fight):
    t = fight("fire", 1, "Kobold Merfolk", "Goblin")
    t.do("pay Kobold", "pay Merfolk y")
    effects = t.do("done")
    assert "1 power.counted attack 3" in effects
    assert "2 power.counted defence 1" in effects
    assert t.land(2) == (1, 1)


def test_the_goblin_would_not_have_been_enough(fight):
    t = fight("fire", 1, "Kobold Merfolk", "Goblin")
    t.do("pay Kobold", "pay Merfolk y")
    effects = t.do("pay Goblin")
    assert "2 power.counted defence 2" in effects
    assert t.land(2) == (1, 1)


def test_a_tie_attacks(fight):
    t = fight("fire", 1, "Kobold Grassrunner", "Skeleton")
    t.do("pay Kobold", "pay Grassrunner")
    assert "1 fight.won 2 fire land" in t.do("pay Skeleton")


@cases("paid", ["by", "w", "r", "yy"])
def test_a_toll_of_one_on_a_fire_land_can_be_paid_with(table, paid):
    t = table("?", "?", lands={2: (2, 1)}, held=["rbyyw", "r"])
    t.do("roll 1 1")
    assert f"toll {paid}" in t.legal()
    assert f"1 toll.paid {one_by_one(paid)} {len(paid)}" in t.do(f"toll {paid}")


def one_by_one(paid: str) -> str:
    return {"by": "1 blue, 1 yellow", "w": "1 white", "r": "1 red", "yy": "2 yellow"}[paid]


def test_a_panic_of_red_halves_hands_and_lands_and_the_gainer_gets_nothing(table):
    t = table(lands={1: (1, 3), 2: (2, 1)}, held=["rrrrrb", "rb"], pawns=[1], chips=10)
    assert t.state.source[0] == 0
    assert t.do("roll 1 1")[1:8] == [
        "1 pawn.moved 3 fire elemental",
        "1 panic.struck red",
        "1 chips.halved red 3",
        "2 chips.halved red 1",
        "1 level.lowered 1 fire land 2",
        "2 level.lowered 2 fire land 1",
        "2 land.lost 2 fire land",
    ]
    assert [t.chips(1), t.chips(2)] == ["rrb", "b"]
    assert [t.land(1), t.land(2)] == [(1, 1), (None, 0)]
    assert t.state.source[0] == 3 + 1 + 2 + 1


def test_guardian_alone(fight):
    t = fight("fire", 1, "Guardian", "Guardian")
    t.do("pay Guardian b")
    effects = t.do("pay Guardian b")
    assert "1 power.counted attack 2" in effects
    assert "2 power.counted defence 7" in effects


def test_hurricane_with_x_2(fight):
    t = fight("fire", 1, "Hurricane", "Hurricane")
    t.do("pay Hurricane rr")
    effects = t.do("pay Hurricane rr")
    assert "1 power.counted attack 3" in effects
    assert "2 power.counted defence 3" in effects
    assert fight("earth", 1, "Hurricane").state.due == "toll"


def test_specter_alone_against_level_1_wins_nothing_if_the_level_falls_first(fight):
    t = fight("fire", 1, "Specter")
    effects = t.do("pay Specter")
    assert "1 power.counted attack 0" in effects
    assert "2 power.counted defence 0" in effects
    assert "1 fight.won 2 fire land" in effects
    assert (t.land(2), t.state.active) == ((None, 0), 1)


def test_specter_alone_against_level_1_loses_for_no_toll_if_the_level_falls_later(fight):
    t = fight("fire", 1, "Specter", level_drop="after")
    effects = t.do("pay Specter")
    assert "2 power.counted defence 1" in effects
    assert "2 fight.won 2 fire land" in effects
    assert (t.land(2), t.state.active) == ((None, 0), 1)


def test_payments_are_told_apart_by_what_could_be_left_out():
    red = 0
    assert is_minimal(tally(["blue", "yellow"]), red, 1)
    assert not is_minimal(tally(["blue", "yellow", "yellow"]), red, 1)
    assert not is_minimal(tally(["red", "white"]), red, 1)
    assert not is_minimal(tally(["blue"]), red, 1)
