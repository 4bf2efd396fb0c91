"""Every card does what its rule says. There is a test for each, named after it."""

from __future__ import annotations

import re
import sys

import pytest

from games.manapani import MANAPANI
from games.manapani.components import CARDS, COSTS, ELEMENTS, SCROLLS
from tests.cases import cases
from tests.games.manapani.conftest import LAND

RICH = "rrrrrbbbbbyyyyygggggw"


@pytest.fixture
def power(fight):
    """The power of one card on its own, in attack or defence; None if it cannot be cast."""

    def count(card: str, element: str, *, attacking: bool, payment: str = "") -> int | None:
        level = 1
        t = fight(element, level, *([card, ""] if attacking else ["", card]))
        if t.state.due != "pay":
            return None
        effects = t.do(f"pay {card} {payment}".strip())
        words = next(effect for effect in effects if "power.counted" in effect and ("attack" in effect) == attacking)
        return int(words.split()[-1]) - (0 if attacking else level)

    return count


@pytest.fixture
def everywhere(power):
    """The powers in attack, by element of the land, and in defence."""

    def count(card: str, payment: str = "") -> tuple[list[int | None], int | None]:
        attacks = [power(card, element, attacking=True, payment=payment) for element in ELEMENTS]
        (defence,) = {power(card, element, attacking=False, payment=payment) for element in ELEMENTS}
        return attacks, defence

    return count


@pytest.fixture
def costs(fight):
    """Whether a scroll is cast for these chips."""

    def pay(card: str, paid: str) -> bool:
        t = fight("fire", 1, "", card)
        return not t.broken(f"pay {card} ={paid}")

    return pay


def cast(t, line: str) -> list[str]:
    """Cast a world spell and say what followed, without the card and its payment."""
    effects = t.do(f"cast {line}")
    return [effect for effect in effects if "spell.cast" not in effect and "chips.paid" not in effect]


# Scrolls


def test_kobold(everywhere, costs):
    assert everywhere("Kobold") == ([1, 1, 1, 1], 1)
    assert costs("Kobold", "")


def test_goblin(everywhere, costs):
    assert everywhere("Goblin") == ([1, 2, 1, 1], 1)
    assert costs("Goblin", "r")
    assert not costs("Goblin", "w")


def test_minotaur(everywhere, costs):
    assert everywhere("Minotaur", "w") == ([2, 2, 2, 2], 2)
    assert costs("Minotaur", "rb")
    assert not costs("Minotaur", "bb")


def test_salamander(everywhere, costs):
    assert everywhere("Salamander", "yyw") == ([3, 4, 3, 3], 3)
    assert everywhere("Salamander", "0") == ([0, 1, 0, 0], 0)
    assert costs("Salamander", "r")
    assert not costs("Salamander", "bb")


def test_hellhound(everywhere, costs, fight):
    assert everywhere("Hellhound") == ([0, 0, 0, 0], 0)
    assert costs("Hellhound", "rr")
    t = fight("water", 5, "Hellhound")
    assert "1 fight.won 8 water land" in t.do("pay Hellhound")
    assert t.land(8) == (1, 5)
    t = fight("wind", 1, "Hellhound")
    assert "2 fight.won 14 wind land" in t.do("pay Hellhound")
    t = fight("water", 1, "Kobold", "Hellhound")
    t.do("pay Kobold")
    assert "1 fight.won 8 water land" in t.do("pay Hellhound")


def test_fire_giant(everywhere, costs):
    assert everywhere("FireGiant", "b") == ([4, 4, 4, 4], 4)
    assert costs("FireGiant", "rrr")
    assert not costs("FireGiant", "rbb")


def test_red_dragon(everywhere, costs, fight):
    assert everywhere("RedDragon") == ([6, 6, 6, 6], 6)
    assert costs("RedDragon", "rrr")
    t = fight("water", 5, "RedDragon")
    effects = t.do("pay RedDragon")
    assert "2 level.lowered 8 water land 3" in effects
    assert "2 power.counted defence 2" in effects
    assert t.land(8) == (1, 2)
    assert t.state.source[1] == 20 - 10 - 2


def test_skeleton(everywhere, costs):
    assert everywhere("Skeleton") == ([1, 1, 1, 1], 1)
    assert costs("Skeleton", "")


def test_banshee(everywhere, costs):
    assert everywhere("Banshee") == ([2, 1, 1, 1], 1)
    assert costs("Banshee", "b")


def test_merfolk(everywhere, costs):
    assert everywhere("Merfolk", "b") == ([2, 2, 2, 2], 2)
    assert costs("Merfolk", "bw")
    assert not costs("Merfolk", "ww")


def test_specter(everywhere, costs, fight):
    assert everywhere("Specter") == ([0, 0, 0, 0], 0)
    assert costs("Specter", "bb")
    t = fight("fire", 2, "Specter")
    effects = t.do("pay Specter")
    assert "2 level.lowered 2 fire land 1" in effects
    assert "2 power.counted defence 1" in effects
    assert t.state.due == "toll"
    assert "1 toll.paid 1 red 1" in t.do("toll r")


def test_lizardman(everywhere, costs):
    assert everywhere("Lizardman") == ([3, None, None, 3], 3)
    assert costs("Lizardman", "bb")


def test_kraken(everywhere, costs):
    assert everywhere("Kraken", "wr") == ([3, 3, 3, 3], 3)
    assert costs("Kraken", "byg")


def test_snow_giant(everywhere, costs, fight):
    assert everywhere("SnowGiant") == ([3, 3, 3, 3], 3)
    assert costs("SnowGiant", "bbb")
    t = fight("wind", 1, "SnowGiant Minotaur", "Minotaur Kobold Skeleton")
    t.do("pay SnowGiant", "pay Minotaur b", "pay Minotaur b", "pay Kobold")
    effects = t.do("pay Skeleton")
    assert [effect for effect in effects if "nullified" in effect] == [
        "2 scroll.nullified Minotaur #3",
        "2 scroll.nullified Kobold",
    ]
    assert "1 power.counted attack 5" in effects
    assert "2 power.counted defence 2" in effects


def test_grassrunner(everywhere, costs):
    assert everywhere("Grassrunner") == ([1, 1, 1, 1], 1)
    assert costs("Grassrunner", "")


def test_hornet(everywhere, costs):
    assert everywhere("Hornet", "r") == ([2, 2, 2, 2], 2)
    assert costs("Hornet", "yw")


def test_hurricane(everywhere, costs):
    assert everywhere("Hurricane", "rr") == ([3, 3, 3, None], 2)
    assert everywhere("Hurricane", "0") == ([1, 1, 1, None], 0)
    assert costs("Hurricane", "ywwrg")


def test_garuda(everywhere, costs):
    assert everywhere("Garuda", "ry") == ([3, 3, 3, 3], 3)
    assert costs("Garuda", "yyy")


def test_djinn(everywhere, costs):
    assert everywhere("Djinn", "r") == ([4, 4, 4, 4], 4)
    assert costs("Djinn", "yyw")


def test_gremlin(everywhere, costs, fight):
    assert everywhere("Gremlin") == ([0, 0, 0, 0], 0)
    assert costs("Gremlin", "y")
    t = fight("wind", 1, "Gremlin Kobold", "Troll Kobold")
    t.do("pay Gremlin", "pay Kobold", "pay Troll rr", "pay Kobold")
    assert t.legal() == ["use Gremlin Troll", "use Gremlin Kobold#4"]
    effects = t.do("use Gremlin Troll")
    assert effects[0] == "1 power.halved Troll"
    assert "2 power.counted defence 3" in effects


def test_bandit(everywhere, costs, fight):
    assert everywhere("Bandit") == ([0, 0, 0, 0], 0)
    assert costs("Bandit", "yyy")
    t = fight("wind", 1, "Bandit", "FireGiant Kobold")
    t.do("pay Bandit", "done")
    assert t.legal() == ["use Bandit FireGiant", "use Bandit Kobold"]
    effects = t.do("use Bandit FireGiant")
    assert effects[0] == "1 scroll.stolen Fire Giant"
    assert "1 power.counted attack 4" in effects


def test_gnome(everywhere, costs):
    assert everywhere("Gnome") == ([1, 1, 1, 1], 1)
    assert costs("Gnome", "")


def test_treant(everywhere, costs):
    assert everywhere("Treant") == ([None, None, None, None], 2)
    assert costs("Treant", "g")


def test_dwarf(everywhere, costs):
    assert everywhere("Dwarf", "r") == ([2, 2, 2, 2], 2)
    assert costs("Dwarf", "gb")


def test_hell_plant(everywhere, costs, fight):
    assert everywhere("HellPlant") == ([None, None, None, None], 0)
    assert costs("HellPlant", "gg")
    t = fight("fire", 1, "", "HellPlant")
    assert "1 pawn.held" in t.do("pay HellPlant")
    t.do("toll r", "roll 6 6")  # player 2 comes to the sanctuary
    assert t.legal()[0] == "go"
    assert "1 pawn.stopped" in t.do("go")
    assert t.at(1) == 2


def test_troll(everywhere, costs):
    assert everywhere("Troll", "rb") == ([3, 3, 3, 3], 3)
    assert costs("Troll", "gww")


def test_guardian(everywhere, costs):
    assert everywhere("Guardian", "b") == ([2, 2, 2, 2], 6)
    assert costs("Guardian", "ggg")


def test_green_dragon(everywhere, costs):
    assert everywhere("GreenDragon") == ([5, 5, None, 5], 5)
    assert costs("GreenDragon", "ggg")
    assert not costs("GreenDragon", "gggg")


# World spells


def test_mana(table):
    t = table("Mana Mana", held=["rb"])
    assert cast(t, "Mana y") == ["1 chip.gained yellow 1"]
    assert t.chips(1) == "rby"
    t = table("Mana", held=["rb"])
    assert t.broken("cast Mana w") == {"CARD-29": "Mana brings no white chip"}


def test_holy_dice(table):
    t = table("HolyDice", held=["rb"])
    assert cast(t, "HolyDice 6 b") == ["1 die.set 6"]
    assert t.legal()[0] == "roll ?"
    assert "1 pawn.moved 7 water land" in t.do("roll 1")
    assert t.chips(1) == "rr"  # the generic cost took blue, and elemental 3 brought red


def test_mana_prism(table):
    t = table("ManaPrism", held=["rrb"])
    assert cast(t, "ManaPrism rrb yyg") == [
        "1 chips.returned 2 red, 1 blue 3",
        "1 chip.gained yellow 1",
        "1 chip.gained yellow 1",
        "1 chip.gained green 1",
    ]
    assert t.chips(1) == "yyg"


def test_brave_attack(table):
    t = table("BraveAttack", held=["rb"], pawns=[1])
    effects = cast(t, "BraveAttack")
    assert effects == ["1 chip.gained red 1", "1 pawn.moved 6 fort"]
    assert (t.at(1), t.chips(1), t.state.active) == (6, "rb", 0)
    assert "CARD-32" in t.broken("roll 1 1")
    assert t.do("go")[0] == "1 pawn.stopped"
    assert t.state.active == 1


def test_shield(table):
    t = table("Shield", "?", held=["rb", "r"], lands={2: (2, 3)})
    assert cast(t, "Shield") == []
    t.do("roll 1 1")
    assert "leave" in t.legal()
    assert "1 toll.waived 2 fire land" in t.do("leave")
    assert (t.chips(1), t.chips(2)) == ("r", "r")


def test_fly(table):
    t = table("Fly", held=["ry"])
    assert cast(t, "Fly") == []
    assert "1 pawn.moved 14 wind land" in t.do("roll 3 4")


def test_slow(table):
    t = table("Slow", held=["rg"])
    assert cast(t, "Slow 2") == ["2 player.slowed"]
    t.do("roll 1 1", "leave")
    assert t.legal()[0] == "roll ?"
    assert "CARD-35" in t.broken("roll 1 1")
    t.do("roll 1", "leave", "roll 1 1", "leave")
    assert t.legal()[0] == "roll ? ?"


def test_drain_magic(table):
    t = table("DrainMagic", held=["rrrr"], lands={8: (2, 2)})
    assert cast(t, "DrainMagic 8 rrr") == ["2 level.lowered 8 water land 1", "1 chip.taken blue 1"]
    assert (t.land(8), t.chips(1)) == ((2, 1), "rb")


def test_armageddon(table):
    t = table("Armageddon", held=["rbygw", "w"], lands={2: (1, 1), 8: (2, 3)})
    assert cast(t, "Armageddon") == [
        "1 level.lowered 2 fire land 1",
        "1 land.lost 2 fire land",
        "2 level.lowered 8 water land 1",
    ]
    assert (t.land(2), t.land(8), t.chips(1)) == ((None, 0), (2, 2), "w")
    assert t.state.source == [20, 18, 20, 20, 18]


# All of them


@cases("card", CARDS)
def test_every_card_has_its_test(card):
    assert f"test_{card.replace(' ', '_').lower()}" in dir(sys.modules[__name__])


@cases("number", range(1, 38))
def test_the_rule_of_a_card_states_its_cost_and_power(number):
    rule = MANAPANI.rulebook[f"manapani:CARD-{number}"]
    card, cost = rule.en, COSTS[rule.en]
    assert card == CARDS[number - 1]
    pips = [
        f"{count} {colour}"
        for count, colour in zip(cost.pips, ("red", "blue", "yellow", "green"), strict=True)
        if count
    ]
    rest = [f"{cost.generic} of any colour"] * bool(cost.generic) + ["X"] * cost.x
    stated = re.search(r"Cost (.+?)\.", rule.text)[1]
    assert re.split(", | and ", stated) == (pips + rest or ["0"])
    if card in SCROLLS:
        power = "X" if SCROLLS[card].x else str(SCROLLS[card].power)
        power += " + 1" if SCROLLS[card].x and SCROLLS[card].power else ""
        assert f"Power {power}." in rule.text
        assert f"Scroll of {SCROLLS[card].element}." in rule.text


def test_each_element_has_seven_scrolls():
    assert [sum(scroll.element == element for scroll in SCROLLS.values()) for element in ELEMENTS] == [7] * 4
    assert set(LAND) == set(ELEMENTS)
