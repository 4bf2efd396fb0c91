"""Rules 4 to 16 and 25 to 32: turns, squares, payments, spells, panics and ends."""

from __future__ import annotations

import random

import pytest

from games.contract import PUBLIC
from games.manapani.components import ELEMENTS, SAMPLE
from tests.cases import cases
from tests.games.manapani.conftest import LAND


def test_4_a_turn_is_draw_spell_exchange_roll_square(table):
    t = table("Fly", held=["rrby"])
    t.do("exchange rr", "cast Fly")
    assert {line.split()[0] for line in t.legal()} == {"roll"}
    assert set(t.broken("exchange bb")) == {"4"}
    effects = t.do("roll 1 1")
    assert effects == ["1 dice.rolled 1 1 2", "1 chip.gained red 1", "1 pawn.moved 4 fire land"]
    assert t.do("claim") == ["1 land.claimed 4 fire land", "2 turn.begun 2", "2 card.drawn"]


def test_4_dice_can_be_noted_one_after_the_other(table):
    t = table(held=["b"])
    assert t.do("roll 3 ?") == ["1 dice.rolled 3 ?"]
    assert t.legal() == ["roll 3 ?"]
    assert "a die is known to show 3, not 4" in t.cannot("roll 4 4")
    assert "both dice were rolled" in t.cannot("roll 3")
    assert t.broken("cast Shield =")["4"] == "the dice are rolled, and what they show is to be noted"
    assert t.do("roll ? 4")[:1] == ["1 dice.rolled 3 4 7"]


@pytest.mark.parametrize("dice", ["?", "? ?"])
def test_4_dice_that_were_rolled_against_the_rules_are_noted_as_others(table, dice):
    t = table(held=["b"])
    t.state.slowed, t.state.held = dice == "? ?", dice == "? ?"
    assert t.broken(f"roll {dice}")
    t.force(f"roll {dice}")
    assert t.legal() == [f"roll {dice}"]
    t.do(f"roll {dice.replace('?', '2')}")
    assert t.at(1) == 2 * dice.count("?")


def test_4_an_exchange_after_the_roll_is_against_the_rules_and_can_stand(table, fight, check):
    t = table(held=["rrbb", "g"], lands={2: (2, 1)})
    t.do("roll 1 1")
    why = "the exchange comes before the roll: now the toll is to be paid, or the owner to be fought"
    assert t.broken("exchange bb")["4"] == why
    assert t.force("exchange bb") == ["1 chips.exchanged 2 blue", "1 chip.gained white 1"]
    assert t.do("toll w")[0] == "1 toll.paid 1 white 1"
    t = fight("fire", 2, held=["rrbb", "w" * 19])
    assert t.state.due == "toll"
    assert t.force("exchange bb")[-1] == "2 game.won 21"
    assert (t.state.ending.reason, t.state.fight) == ("no_white", None)
    assert t.broken("1: exchange rr") == {"30": "the game is over"}
    assert t.force("1: exchange rr") == ["1 move.uncounted"]
    check(t.state)


def test_4_who_rolls_out_of_turn_takes_the_turn(table):
    t = table("?", "?", held=["b", "r"])
    assert t.broken("2: roll 1 1") == {"4": "it is player 1's turn, not player 2's"}
    assert t.force("2: roll 1 1")[:3] == ["2 turn.taken", "2 turn.begun 2", "2 card.drawn"]
    assert (t.state.active, t.at(2), t.state.due, t.hand(2)) == (1, 2, "land", "? ?")


def test_4_a_second_roll_moves_the_pawn_on_and_drops_the_square(table):
    t = table(held=["b"])
    t.do("roll 1 1")
    assert t.broken("roll 6 6") == {"4": "the dice are rolled once a turn: now the unowned land is to be taken or left"}
    t.force("roll 6 6")
    assert (t.at(1), t.state.active, t.land(2)) == (14, 0, (None, 0))
    t.force("roll 1 ?")
    assert t.legal() == ["roll 1 ?"]


def test_25_a_spell_out_of_turn_is_cast_and_the_turn_stays(table):
    t = table("?", "Mana DrainMagic", lands={8: (1, 2)}, held=["b", "rrby"])
    assert t.broken("2: cast Mana g") == {"4": "it is player 1's turn, not player 2's"}
    assert t.force("2: cast Mana g") == ["2 spell.cast Mana", "2 chip.gained green 1"]
    t.force("2: cast DrainMagic 8 rby")
    assert (t.state.active, t.state.spells, t.land(8), t.chips(2)) == (0, (), (1, 1), "rbg")
    t.do("roll 1 1")


@cases("spell", ["Shield", "Fly", "HolyDice 6 y", "BraveAttack"])
def test_25_a_spell_that_acts_in_its_casters_turn_takes_the_turn(table, spell):
    t = table("?", f"{spell.split()[0]} ?", held=["b", "rrrbbbyyyggg"])
    assert t.force(f"2: cast {spell}")[:2] == ["2 turn.taken", "2 turn.begun 2"]
    assert t.state.active == 1
    assert len(t.state.spells) == 1


def test_25_a_world_spell_after_the_roll_acts_and_the_square_is_still_to_be_resolved(table):
    t = table("Shield", lands={2: (2, 1)}, held=["bb", "r"])
    t.do("roll 1 1")
    assert list(t.broken("cast Shield")) == ["25", "13"]
    t.force("cast Shield")
    assert t.state.due == "foreign"
    t.do("leave")


def test_e9_a_drained_land_that_one_stands_on_is_nobodys_and_can_be_taken(table):
    t = table("DrainMagic", lands={2: (2, 1)}, held=["rrbby", "r"])
    t.do("roll 1 1")
    t.force("cast DrainMagic 2 rby")
    assert t.state.due == "land"
    t.do("claim")
    assert t.land(2) == (1, 1)


def test_8_anothers_land_is_taken_against_the_rules_with_its_chips(table):
    t = table(lands={2: (2, 3)}, held=["bb", "r"])
    t.do("roll 1 1")
    assert t.broken("claim") == {
        "13": "a toll of 3 is owed at 2 fire land: enter leave if it was not paid",
        "8": "2 fire land is player 2's",
    }
    assert t.force("claim")[:2] == ["1 land.captured 2 fire land", "2 turn.begun 2"]
    assert t.land(2) == (1, 3)


def test_9_strengthening_without_a_fort_is_against_the_rules_and_can_stand(table):
    t = table(lands={8: (1, 1)}, held=["bb", "r"])
    assert set(t.broken("put 1 at 8")) == {"7"}
    assert t.force("put 1 at 8") == ["1 level.raised 8 water land 1"]
    assert (t.state.due, t.state.active, t.land(8)) == ("turn", 0, (1, 2))


def test_13_who_forgot_the_toll_is_told_how_that_is_recorded(table):
    t = table("?", "?", lands={2: (2, 2)}, held=["bb", "r"])
    t.do("roll 1 1")
    hint = "a toll of 2 is owed at 2 fire land: enter leave if it was not paid"
    assert t.broken("2: roll 1 1")["13"] == hint
    assert set(t.broken("leave")) == {"13"}
    assert t.force("leave")[0] == "1 toll.waived 2 fire land"
    t.do("roll 1 1")


def test_13_a_toll_that_is_paid_late_goes_to_the_owner_and_the_turn_stays(table):
    t = table("?", "?", lands={2: (2, 2)}, held=["rrr", "b"])
    t.do("roll 1 1")
    t.force("leave")
    assert set(t.broken("1: toll")) == {"4"}
    t.force("1: toll")
    assert (t.chips(1), t.chips(2), t.state.active) == ("r", "rrb", 1)


def test_12_a_chip_of_the_start_can_be_forgotten(table):
    t = table(held=["b"], pawns=[22])
    t.do("roll 1 2")
    assert set(t.broken("leave")) == {"12"}
    assert t.force("leave")[0] == "1 chip.forgone"
    assert (t.chips(1), t.state.active) == ("b", 1) or t.state.due == "land"


def test_17_effects_and_payments_out_of_their_order_happen_once(fight, check):
    t = fight("fire", 1, "SnowGiant Kobold", "Salamander Goblin")
    t.do("pay SnowGiant")
    assert t.state.due == "pay"
    assert set(t.broken("1: use SnowGiant")) == {"B2"}
    assert "1 scroll.nullified" not in " ".join(t.force("1: use SnowGiant"))
    assert t.state.fight.acted == [0]
    assert "does not act" in t.cannot("1: use SnowGiant")
    t.do("done", "pay Goblin", "done") if "pay Goblin" in t.legal() else t.do("done")
    check(t.state)


def test_17_more_cards_laid_later_and_cards_turned_up_early_stand(table, check):
    t = table("Kobold Troll", "Goblin Dwarf", lands={2: (2, 1)}, held=["rg", "rg"])
    t.do("roll 1 1", "attack 1")
    assert set(t.broken("reveal Kobold /")) == {"17"}
    t.force("reveal Kobold /")
    assert t.state.due == "defend"
    t.do("defend 1")
    assert set(t.broken("2: defend 1")) == {"17"}
    t.force("2: defend 1")
    assert t.legal() == ["reveal Kobold / ? ?"]
    check(t.state)
    t.do("reveal Kobold / Goblin Dwarf")


def test_17_a_card_that_lies_face_down_is_not_cast_or_discarded(table):
    t = table("Shield Kobold", "?", lands={2: (2, 1)}, held=["rb", "r"])
    t.do("roll 1 1", "attack 2")
    assert "beside those that lie face down" in t.cannot("1: cast Shield")
    assert "beside those that lie face down" in t.cannot("1: discard ?")


def test_4_who_holds_eight_cards_discards_one(table):
    t = table("Kobold Kobold ? ? ? ? ? ?", held=["b"])
    t.do("roll 1 1", "leave")
    assert t.legal() == ["discard Kobold", "discard ?"]
    assert t.do("discard Kobold")[0] == "1 cards.discarded Kobold"
    assert t.hand(1) == "Kobold ? ? ? ? ? ?"
    assert t.state.discards.known == ["Kobold"]


def test_6_a_land_can_be_taken_or_left(table):
    t = table(held=["b"])
    t.do("roll 1 1")
    assert t.legal() == ["claim", "leave"]
    t.do("leave")
    assert t.land(2) == (None, 0)
    t.do("roll 1 1", "claim")
    assert (t.land(2), t.chips(2)) == ((2, 1), "rrbbyygg")


def test_7_an_own_land_is_strengthened_up_to_five(table):
    t = table(held=["rrrrr"], lands={2: (1, 3)})
    t.do("roll 1 1")
    assert t.legal() == ["put 1", "put 2", "leave"]
    assert "5 is the highest" in t.cannot("put 3")
    (left, *_) = t.state.copy().apply(t.parse("leave"))
    assert (left.kind, left.rule) == ("land.left", "manapani:7")
    assert t.do("put 2")[0] == "1 level.raised 2 fire land 2"
    assert (t.land(2), t.chips(1)) == ((1, 5), "rrr")


def test_7_where_nothing_can_be_put_the_turn_goes_on(table):
    t = table(held=["bbb"], lands={2: (1, 3)})
    t.do("roll 1 1")
    assert t.state.active == 1
    t = table(held=["rrr"], lands={2: (1, 5)})
    t.do("roll 1 1")
    assert t.state.active == 1


def test_9_a_fort_strengthens_one_own_land_anywhere(table):
    t = table(held=["rb"], lands={2: (1, 1), 8: (1, 1), 14: (2, 1)}, pawns=[4])
    t.do("roll 1 1")
    assert t.legal() == ["put 1 at 2", "put 1 at 8", "leave"]
    assert set(t.broken("put 1 at 14")) == {"9"}
    assert "is nobody's land" in t.cannot("put 1 at 20")
    (left, *_) = t.state.copy().apply(t.parse("leave"))
    assert (left.kind, left.rule) == ("land.left", "manapani:9")
    t.do("put 1 at 8")
    assert t.land(8) == (1, 2)


def test_7_another_land_is_not_strengthened_from_an_own_one(table):
    t = table(held=["rrb"], lands={2: (1, 1), 4: (1, 1)})
    t.do("roll 1 1")
    assert set(t.broken("put 1 at 4")) == {"7"}


@cases(("start", "dice", "gained"), [(1, "1 2", "r"), (1, "1 1", "r"), (7, "6 6", "by")])
def test_10_an_elemental_brings_its_colour_passed_or_landed_on(table, start, dice, gained):
    t = table(held=["w"], pawns=[start])
    t.do(f"roll {dice}")
    assert t.chips(1) == f"{gained}w"


@cases("seed", range(20))
def test_10_on_any_board_each_elemental_and_start_on_the_way_brings_its_chip(table, seed):
    chance = random.Random(seed)
    squares = ["fire land", "sanctuary", *(f"{element} elemental" for element in ELEMENTS)]
    board = ["start", "wind land", *chance.choices(squares, k=chance.randrange(8))]
    size, start = len(board), chance.randrange(len(board))
    components = {"board": board, "deck": SAMPLE["deck"] | {"Brave Attack": 0}}
    t = table(held=["w"], pawns=[start], components=components)
    t.do("roll 6 5")
    while t.state.due == "gain":
        t.do("gain w")
    passed = [board[(start + step) % size] for step in range(1, 12)]
    gained = [sum(square == f"{element} elemental" for square in passed) for element in ELEMENTS]
    assert (t.at(1), t.state.chips[0]) == ((start + 11) % size, [*gained, 1 + passed.count("start")])


def test_11_the_sanctuary_brings_a_card(table):
    t = table("", held=["w"], pawns=[10])
    assert t.do("roll 1 1") == [
        "1 dice.rolled 1 1 2",
        "1 pawn.moved 12 sanctuary",
        "1 card.drawn",
        "2 turn.begun 2",
        "2 card.drawn",
    ]


@cases("colour", "rbygw")
def test_12_the_start_brings_a_chip_of_any_colour(table, colour):
    t = table(held=["w"], pawns=[23])
    t.do("roll 1 1")
    assert t.legal() == ["gain r", "gain b", "gain y", "gain g", "gain w"]
    t.do(f"gain {colour}")
    assert t.state.chips[0]["rbygw".index(colour)] == 1 + (colour == "w")
    assert t.at(1) == 1


def test_13_the_toll_is_the_level_and_goes_to_the_owner(table):
    t = table(held=["rrr", "g"], lands={2: (2, 2)})
    t.do("roll 1 1")
    assert set(t.broken("toll r")) == {"13"}
    assert t.do("toll rr")[:2] == ["1 toll.paid 2 red 2", "2 toll.received 2 red 2"]


def test_14_every_combination_of_colours_is_listed_the_fewest_chips_first(table):
    t = table(held=["rwbbyg", "g"], lands={2: (2, 2)})
    t.do("roll 1 1")
    tolls = [line for line in t.legal() if line.startswith("toll")]
    assert tolls[0] == "toll rw"
    assert set(tolls) == {
        "toll rw",
        *(f"toll {others}" for others in ("rbb", "rby", "rbg", "ryg", "bbw", "byw", "bgw", "ygw", "bbyg")),
    }


def test_15_chips_of_lands_pay_and_an_emptied_land_is_nobodys(table):
    t = table(held=["r", "g"], lands={2: (2, 2), 8: (1, 1), 14: (1, 2)})
    effects = t.do("roll 1 1", "toll r from 8 14")
    assert effects[2:5] == [
        "1 level.lowered 8 water land 1",
        "1 land.lost 8 water land",
        "1 level.lowered 14 wind land 1",
    ]
    assert (t.land(8), t.land(14), t.chips(2)) == ((None, 0), (1, 1), "rbyg")


def test_15_a_toll_that_lands_pay_leaves_the_hand_in_the_audit_as_it_was(table):
    t = table(held=["b", "g"], lands={2: (2, 1), 1: (1, 1)})
    before = t.state.scores()[0]
    t.do("roll 1 1", "toll - from 1")
    assert t.state.scores()[0] == before
    assert t.state.scores()[1].version == t.state.version


def test_15_only_own_lands_pay(table):
    t = table(held=["r", "g"], lands={2: (2, 2), 8: (2, 1), 14: (1, 1)})
    t.do("roll 1 1")
    assert "(manapani:15)" in t.cannot("toll r from 8")
    assert "(manapani:15)" in t.cannot("toll r from 14 14")


@cases("payment", ["=w", "=rr", "="])
def test_16_coloured_costs_are_paid_with_just_that_colour(table, payment):
    t = table("Fly", held=["yrrw"])
    assert set(t.broken(f"cast Fly {payment}")) == {"16"}
    assert t.force(f"cast Fly {payment}")[0] == "1 spell.cast Fly"


def test_16_lands_pay_for_no_card(table):
    t = table("Shield", held=["r"], lands={8: (1, 3)})
    assert "cast Shield" not in t.legal()
    assert "cannot give 1 blue" in t.cannot("cast Shield")


def test_25_one_world_spell_a_turn(table):
    t = table("Mana Mana", held=["r"])
    t.do("cast Mana r")
    assert set(t.broken("cast Mana r")) == {"25"}
    t.do("roll 1 1", "leave", "roll 1 1", "leave", "cast Mana r")


def test_26_fly_under_slow_is_twice_the_one_die(table):
    t = table("Fly", held=["ry"])
    t.state.slowed = True
    t.do("cast Fly")
    assert "1 pawn.moved 10 water land" in t.do("roll 5")


def test_27_a_colour_that_is_gone_panics_though_others_are_plenty(table):
    t = table(held=["bb", "b" * 6], chips=8, pawns=[8])
    effects = t.do("roll 1 1")
    assert effects[1:4] == ["1 panic.struck blue", "1 chips.halved blue 1", "2 chips.halved blue 3"]


@cases(
    ("held", "brings"),
    [(["bb", "r"], [1, 1, 1, 2]), (["bb", "r" * 8], [0, 0, 0, 1]), (["r" * 7, "r"], [0, 0, 0, 0])],
    ids=["no panic", "a panic", "a panic that ends the game"],
)
def test_28_a_way_brings_no_chip_where_there_is_a_panic(table, held, brings):
    """So chips that come are held against what can come: here two squares before a fire, and eight before a water."""
    t = table(held=held, pawns=[1], chips=8)
    for rolled, chips in zip(("1 1", "1 2", "3 4", "4 4"), brings, strict=True):
        move, twin = t.parse(f"roll {rolled}"), t.state.copy()
        (way,) = (event for event in t.ruleset.chances(t.state, move, ()) if event.kind == "way")
        assert way.gains[way.outcome] == (chips, 0)
        assert [effect.kind for effect in twin.apply(move)].count("chip.gained") == chips


def test_29_white_never_panics_and_colours_do_so_one_after_the_other(table):
    t = table("ManaPrism", held=["rrr", "y" * 8 + "g" * 8], chips=8)
    effects = t.do("cast ManaPrism rrr yyg")
    assert [effect for effect in effects if "panic" in effect] == ["1 panic.struck yellow", "1 panic.struck green"]


def test_30_nothing_is_played_after_the_end(table):
    t = table("Shield", held=["b", "r"])
    t.do("cast Shield")
    assert t.state.ending.reason == "no_mana"
    assert t.broken("1: roll 1 1") == {"30": "the game is over"}
    assert t.force("1: roll 1 1") == ["1 move.uncounted"]


def test_31_the_score_is_every_chip_in_every_place_at_every_moment(table):
    t = table(held=["rbw", "g"], lands={2: (1, 2), 8: (1, 3)})
    lines = [(line.seat, line.category, line.points, line.rule) for line in t.state.scores()]
    assert lines == [
        (0, "hand", 3, "manapani:31"),
        (0, "land", 2, "manapani:31"),
        (0, "land", 3, "manapani:31"),
        (1, "hand", 1, "manapani:31"),
    ]
    t.do("roll 6 6")
    (line,) = [line for line in t.state.scores() if line.category == "hand" and line.seat == 0]
    assert (line.points, line.version) == (5, t.state.version)


def test_32_who_has_nothing_left_after_a_lost_fight_pays_nothing_and_the_game_ends(table):
    t = table("FireGiant", "Gnome", held=["rrr", "g"], lands={2: (2, 4)})
    effects = t.do("roll 1 1", "attack 1", "defend 0", "reveal FireGiant /", "pay FireGiant r")
    assert "1 land.captured 2 fire land" in effects
    t = table("FireGiant", "Gnome", held=["rrr", "g"], lands={2: (2, 5)})
    effects = t.do("roll 1 1", "attack 1", "defend 0", "reveal FireGiant /", "pay FireGiant r")
    assert effects[-2:] == ["1 mana.exhausted", "2 game.won 6"]


@cases("element", LAND)
def test_20_a_lost_fight_costs_the_toll_and_there_is_no_second_fight(fight, element):
    t = fight(element, 2)
    assert not [line for line in t.legal() if line.startswith("attack")]
    assert t.broken("attack 0") == {
        "8": "a fight is for another's land that a player has just come to: now the toll is to be paid after the fight",
        "20": f"a toll of 2 is owed at {t.state.label(t.state.place)}: enter leave if it was not paid",
    }
    assert set(t.broken("leave")) == {"20"}


def test_17_the_defender_pays_after_the_attacker(fight):
    t = fight("fire", 1, "Kobold", "Skeleton")
    assert set(t.broken("2: pay Skeleton")) == {"17"}
    assert set(t.broken("2: done")) == {"17"}
    before = t.state.fight.side
    t.force("2: done")
    assert t.state.fight.side == before
    t.do("pay Kobold")
    assert t.legal() == ["pay Skeleton", "done"]


def test_17_what_was_laid_is_revealed_bit_by_bit_if_need_be(table):
    t = table("? ? ?", "? ?", lands={2: (2, 1)}, held=["rb"])
    t.do("roll 1 1", "attack 2", "defend 1")
    assert t.legal() == ["reveal ? ? / ?"]
    t.do("reveal Kobold ? / ?")
    assert t.legal() == ["reveal Kobold ? / ?"]
    assert "known to be Kobold, not Goblin" in t.cannot("reveal Goblin ? / ?")
    assert "2 cards were laid in attack, not 1" in t.cannot("reveal Kobold / ?")
    assert "of Bandit the box has 1 card" in t.cannot("reveal Kobold Bandit / Bandit")
    t.do("reveal ? Bandit / Treant")
    assert (t.hand(1), t.hand(2), t.state.due) == ("?", "?", "pay")


def test_17_a_card_that_is_turned_up_lies_open_before_all_are_noted(table, check):
    t = table("? ?", "? ?", lands={2: (2, 1)}, held=["rb"])
    t.do("roll 1 1", "attack 2", "defend 1", "reveal Bandit ? / ?")
    assert t.state.view(PUBLIC).hands[0].known == ["Bandit"]
    assert "of Bandit the box has 1 card" in t.cannot("2: hold Bandit")
    assert "player 1 holds Bandit, ?, not Kobold, Troll" in t.cannot("1: hold Kobold Troll")
    check(t.state)
    t.do("reveal ? Kobold / Treant")
    assert (t.hand(1), t.hand(2)) == ("", "?")
    check(t.state)


def test_17_what_was_laid_is_shown_no_more_when_the_game_ends_with_the_fight(fight):
    t = fight("fire", 1, "Merfolk", "", held=["bbr", ""])
    effects = t.do("pay Merfolk b")
    assert effects[-2:] == ["2 mana.exhausted", "1 game.won 2"]
    assert t.state.describe()["fight"] is None
    assert "face down" not in t.state.picture()
    t.rule("option name=level_drop value=after")


def test_18_what_cannot_be_cast_is_not_asked_for(fight):
    t = fight("wind", 1, "Treant Shield GreenDragon", "Fly")
    assert t.state.due == "toll"
    t = fight("wind", 1, "Treant Kobold")
    assert t.legal() == ["pay Kobold", "done"]
    assert set(t.broken("pay Treant")) == {"18"}


def test_17_all_laid_cards_are_discarded(fight):
    t = fight("fire", 1, "Kobold Treant", "Fly")
    t.do("pay Kobold")
    assert t.state.discards.known == ["Fly", "Kobold", "Treant"]


STEPS = {
    "turn": "now a spell, an exchange or the roll comes next",
    "gain": "now the Start brings a chip of a colour of choice",
    "land": "now the unowned land is to be taken or left",
    "own land": "now an own land can be strengthened",
    "fort": "now an own land can be strengthened",
    "foreign": "now the toll is to be paid, or the owner to be fought",
    "defend": "now the defender is to lay cards",
    "reveal": "now the laid cards are to be turned up",
    "pay": "now the scrolls are to be paid for",
    "effects": "now an effect is to be used",
    "toll": "now the toll is to be paid after the fight",
    "discard": "now there are too many cards in hand",
}
LINES = (
    *("1: roll 1 1", "1: go", "1: cast Mana r", "1: exchange rw", "1: gain r", "1: claim", "1: leave"),
    *("1: put 1 at 2", "1: toll r", "1: attack 1", "2: defend 1", "reveal Fly / Fly", "1: pay #9 =r"),
    *("1: done", "1: use #9", "1: discard Fly Fly"),
)
TIMELY = {
    "turn": "roll go cast exchange",
    "gain": "gain",
    "land": "claim leave",
    "own land": "put leave",
    "fort": "put leave",
    "foreign": "toll attack leave claim",
    "defend": "defend",
    "reveal": "reveal",
    "pay": "pay done",
    "effects": "use",
    "toll": "toll leave claim",
    "discard": "discard",
}


@pytest.fixture
def step(table):
    """A table of two at which a step is due in player 1's turn, with Gremlin and Bandit against two Kobolds."""

    def lay(due):
        lands = {2: (1 if due == "own land" else 2, 1), 7: (1, 1)}
        cards = "? " * (9 if due == "discard" else 2)
        pawns = {"fort": 4, "gain": 22, "discard": 23, "own land": 0, "land": 2}
        t = table(cards, "Kobold Kobold", lands=lands, held=["rrrbbyyyyyg", "rbyg"], pawns=[pawns.get(due, 0)])
        lines = [
            "roll 1 1",
            "attack 2",
            "defend 2",
            "reveal Gremlin Bandit / Kobold Kobold",
            "pay Gremlin",
            "pay Bandit",
        ]
        until = {"turn": 0, "foreign": 1, "defend": 2, "reveal": 3, "pay": 4, "effects": 6}
        t.do(*lines[: until.get(due, 1)])
        if due == "toll":
            t.do("attack 0", "defend 0")
        if due == "effects":
            t.do("done")
        if due == "discard":
            t.do("gain r", "leave")
        return t

    return lay


@cases("due", STEPS)
def test_4_a_move_out_of_step_is_told_what_is_wrong_and_then_the_step_that_is_due(step, due):
    t = step(due)
    for line in LINES:
        if line.removeprefix("1: ").removeprefix("2: ").split()[0] in TIMELY[due].split():
            continue
        move = t.parse(line)
        found = [breach.why for breach in t.state.breaches(move)] or [t.cannot(line)]
        wrong, _, now = found[0].partition(": ")
        assert now.startswith(STEPS[due])
        assert wrong not in ("", STEPS[due])


def test_3_the_cards_are_dealt_once(step):
    assert step("turn").cannot("start 1") == "the cards have been dealt already (manapani:3)"


def test_17_who_pays_follows_from_the_owner_of_the_card_and_when_it_was_due(table):
    """Player 2 attacks; at player 1's step the attacker's card is nobody else's, and comes too late for him."""
    t = table("Kobold", "Goblin Goblin", lands={2: (1, 1)}, held=["r", "rr"], pawns=[0, 0])
    t.do("roll 6 6", "2: roll 1 1", "attack 2", "defend 1", "reveal Goblin Goblin / Kobold")
    assert t.broken("1: pay Kobold") == {"17": "the attacker decides before the defender: player 2 pays first"}
    t.do("pay Goblin#1", "done")
    assert t.state.fight.side == 1
    assert t.broken("1: pay Goblin#2 =") == {}
    assert t.cannot("1: pay Goblin#2 =") == "Goblin #2 is player 2's (manapani:17)"
    assert t.broken("2: pay Goblin#2") == {"17": "the attacker decides before the defender: player 2 has paid"}
    t.force("2: pay Goblin#2")
    assert t.chips(2) == ""


def test_a2_a_white_chip_that_is_not_there_cannot_be_exchanged(table):
    t = table(held=["rrb"])
    assert t.broken("exchange rw") == {"A2": "two coloured chips are exchanged for a white one"}
    assert t.cannot("exchange rw") == "player 1 holds 2 red, 1 blue, and cannot give 1 red, 1 white (manapani:2)"
