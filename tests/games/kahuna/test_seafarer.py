"""SEA: ships in the inland seas."""

from __future__ import annotations

import pytest

from games.contract import ScoreLine
from games.errors import ImpossibleError, NotationError
from games.kahuna.components import COURSES, LINES, SEAS, SEAS_BESIDE, SIDES
from games.kahuna.moves import Launch, Sail
from tests.cases import cases

BDE, BEF, FGJ, EFJ = "BARI-DUDA-ELAI", "BARI-ELAI-FAAA", "FAAA-GOLA-JOJO", "ELAI-FAAA-JOJO"
FGJ_SIDES = "FAAA-GOLA FAAA-JOJO GOLA-JOJO"


@pytest.fixture
def sea(table):
    """A table with ships allowed."""

    def lay(**fields):
        return table(**{"seafarer": True, "hands": ("? ? ? ?", "? ? ? ?"), **fields})

    return lay


def holds(t, island: str) -> tuple[int, int]:
    """An island's spaces, and its majority."""
    found = t.state.describe()["islands"][island]
    return found["spaces"], found["majority"]


def test_the_seas_are_the_printed_ones():
    assert len(SEAS) == 16
    assert all(sides.bit_count() == 3 for sides in SIDES)
    assert len(COURSES) == 2 * 21
    coast = {LINES[line] for line, seas in enumerate(SEAS_BESIDE) if len(seas) == 1}
    assert coast == {"ALOA-BARI", "BARI-COCO", "COCO-KAHU", "KAHU-LALE", "HUNA-LALE", "ALOA-HUNA"}


def test_sea_1_a_sea_holds_one_ship_of_a_player(sea):
    t = sea(ships=(BDE, ""))
    assert t.cannot("bde bde") == f"black has a ship in {BDE} already (kahuna:SEA-1)"
    assert not any(line.startswith(f"{BDE} (") for line in t.legal())


def test_sea_1_without_the_option_there_are_no_ships(table):
    t = table(ships=(BDE, ""))
    for move in (
        Launch(seat=0, cards=("BARI", "ELAI", "FAAA"), sea=BEF),
        Sail(seat=0, sea=BDE, to=BEF),
    ):
        with pytest.raises(ImpossibleError, match="there are no ships in this game: seafarer is off"):
            t.state.apply(move)
    for text in ("b-e-f", "bef", "bde > bef", "BARI-ELAI-FAAA (BARI ELAI ELAI)", "white: bef > bde"):
        with pytest.raises(NotationError, match="there are no ships in this game: seafarer is off"):
            t.state.parse(text)
    assert not any(t.state.breaches(Launch(seat=0, cards=("LALE",) * 3, sea=BEF)))
    assert not any(">" in line or line.count("-") > 1 for line in t.legal())


@cases("cards", ["BARI DUDA ELAI", "BARI ELAI ELAI", "BARI BARI DUDA"])
def test_sea_2_each_card_names_one_of_the_seas_islands(sea, cards):
    t = sea()
    assert f"black ship.placed {BDE}" in t.do(f"BARI-DUDA-ELAI ({cards})")
    assert len(t.state.hands[0]) == 1


def test_sea_2_other_cards_are_refused(sea):
    assert sea().broken("bde bdf") == {"SEA-2": f"FAAA is not at {BDE}"}


@pytest.mark.parametrize("place", [BDE, BEF])
def test_sea_2_bari_and_twice_elai_fit_either_sea(sea, place):
    t = sea(hands=("BARI ELAI ELAI", "?"))
    assert {line for line in t.legal() if line.endswith("(BARI ELAI ELAI)")} == {
        f"{BDE} (BARI ELAI ELAI)",
        f"{BEF} (BARI ELAI ELAI)",
    }
    t.do(place)
    assert t.state.ships[0] == 1 << SEAS.index(place)


def test_sea_2_three_cards_count_as_three_plays(sea):
    t = sea(plays=3)
    assert set(t.broken("bde bde")) == {"PLAY-1"}
    assert not any(line.startswith(BDE) for line in t.legal())


@cases(("island", "before", "after"), [("BARI", (5, 3), (6, 4)), ("DUDA", (4, 3), (5, 3)), ("ELAI", (6, 4), (7, 4))])
def test_sea_3_a_ship_widens_its_islands(sea, island, before, after):
    t = sea()
    assert holds(t, island) == before
    effects = t.do("bde bde")
    assert f"spaces.changed {island} {after[0]}" in effects
    assert holds(t, island) == after


def test_sea_3_several_ships_add_up(sea):
    t = sea(ships=(BDE, BEF))
    assert holds(t, "ELAI") == (8, 5)
    assert holds(t, "BARI") == (7, 4)
    assert holds(t, "FAAA") == (6, 4)


def test_sea_3_a_ship_counts_as_an_own_bridge_on_each_island(sea):
    t = sea(black="BARI-COCO BARI-FAAA ALOA-BARI DUDA-HUNA ALOA-DUDA", ships=("", ""))
    assert (t.holder("BARI"), t.holder("DUDA")) == ("black", None)
    t.do("bde bde")
    assert (t.holder("BARI"), t.holder("DUDA")) == ("black", "black")


def test_sea_3_a_bridge_must_reach_the_larger_majority(sea):
    t = sea(black="BARI-COCO BARI-FAAA", ships=("", BDE))
    t.do("BARI-ALOA")
    assert t.holder("BARI") is None
    t.do("BARI-ELAI")
    assert t.holder("BARI") == "black"


def test_sea_4_the_opponent_can_lose_an_island_by_a_ship(sea):
    t = sea(white="BARI-COCO BARI-FAAA ALOA-BARI")
    assert "white island.lost BARI" in t.do("bde bde")


def test_sea_4_a_gain_by_a_ship_removes_the_opponents_bridges(sea):
    t = sea(black="DUDA-HUNA ALOA-DUDA", white="BARI-DUDA DUDA-ELAI")
    effects = t.do("bde bde")
    assert effects[-3:] == [
        "black island.gained DUDA",
        "white bridge.removed BARI-DUDA",
        "white bridge.removed DUDA-ELAI",
    ]


def test_sea_4_a_ship_that_goes_can_give_an_island_to_the_opponent(sea):
    t = sea(black="BARI-COCO", white="BARI-FAAA ALOA-BARI BARI-ELAI", ships=(BDE, ""))
    assert t.holder("BARI") is None
    assert "white island.gained BARI" in t.do("bde > deh")
    assert t.holder("BARI") == "white"


def test_sea_5_a_ship_moves_to_an_adjacent_sea_and_a_card_is_drawn(sea):
    t = sea(ships=(BDE, ""))
    assert t.do("bde > bef")[0] == f"black ship.moved {BDE} {BEF}"
    assert t.state.to_move() == 0
    t.do("+")
    assert t.state.to_move() == 1


def test_sea_5_an_opponents_bridge_blocks_and_an_own_one_does_not(sea):
    t = sea(black="DUDA-ELAI", white="BARI-ELAI", ships=(BDE, ""))
    assert t.broken("bde > bef") == {"SEA-5": "white's bridge on BARI-ELAI is in the way"}
    assert f"{BDE} > {BEF}" not in t.legal()
    t.do("bde > deh")


def test_sea_5_only_to_an_adjacent_sea(sea):
    t = sea(ships=(BDE, ""))
    assert t.broken("bde > fgj") == {"SEA-5": f"{FGJ} is not adjacent to {BDE}"}


def test_sea_5_no_card_may_have_been_played(sea):
    t = sea(ships=(BDE, ""))
    t.do("KAHU-LALE")
    assert t.broken("bde > bef") == {"SEA-5": "black has played a card in this turn"}
    assert not any(">" in line for line in t.legal())


@cases("line", ["KAHU-LALE", "x ALOA-BARI ab", "ikl ikl"])
def test_sea_5_no_card_is_played_afterwards(sea, line):
    t = sea(white="ALOA-BARI", ships=(BDE, ""))
    t.do("bde > bef")
    assert t.broken(line) == {"SEA-5": "black has moved a ship and plays no card in this turn"}
    assert not any(legal[0] in "Kx" or "-KAHU-" in legal for legal in t.legal())


def test_sea_5_one_ship_a_turn(sea):
    t = sea(ships=(f"{BDE} {FGJ}", ""))
    t.do("bde > bef")
    assert t.broken("fgj > gjk") == {"SEA-5": "black has moved a ship in this turn"}
    assert not any(">" in line for line in t.legal())


def test_sea_5_only_an_own_ship_moves_and_not_onto_another(sea):
    t = sea(ships=(f"{BDE} {BEF}", FGJ))
    assert "black has no ship in FAAA-GOLA-JOJO (kahuna:SEA-5)" in t.cannot("fgj > gjk")
    assert "black has a ship in BARI-ELAI-FAAA already (kahuna:SEA-1)" in t.cannot("bde > bef")


def test_sea_6_a_ship_replaces_the_opponents(sea):
    """The example: two FAAA and a GOLA."""
    t = sea(ships=(FGJ, ""), hands=("?", "FAAA FAAA GOLA"), active=1)
    effects = t.do("FAAA-GOLA-JOJO")
    assert effects[1:] == [f"white ship.placed {FGJ}", f"black ship.removed {FGJ}"]
    assert t.state.ships == [0, 1 << SEAS.index(FGJ)]


def test_sea_6_replacing_changes_no_number_of_spaces(sea):
    t = sea(black="COCO-GOLA GOLA-KAHU", white="FAAA-GOLA", ships=(FGJ, ""), active=1)
    assert t.holder("GOLA") == "black"
    effects = t.do("fgj fgj")
    assert "black island.lost GOLA" in effects
    assert not any("spaces.changed" in effect for effect in effects)


def test_sea_7_own_bridges_on_all_sides_remove_the_opponents_ship(sea):
    """The example: FAAA's bridge to GOLA closes the sea."""
    t = sea(black="", white="FAAA-JOJO GOLA-JOJO", ships=(FGJ, ""), active=1)
    effects = t.do("FAAA-GOLA")
    assert f"black ship.removed {FGJ}" in effects
    assert t.state.ships == [0, 0]


def test_sea_7_one_bridge_can_surround_two_ships(sea):
    t = sea(black="FAAA-GOLA GOLA-JOJO ELAI-FAAA ELAI-JOJO", ships=("", f"{FGJ} {EFJ}"))
    effects = t.do("FAAA-JOJO")
    assert [effect for effect in effects if "ship" in effect] == [
        f"white ship.removed {EFJ}",
        f"white ship.removed {FGJ}",
    ]


def test_sea_7_an_own_ship_stays(sea):
    t = sea(black="FAAA-JOJO GOLA-JOJO", ships=(FGJ, ""))
    t.do("FAAA-GOLA")
    assert t.state.ships[0]


def test_sea_7_a_bridge_built_after_a_removal_surrounds_too(sea):
    t = sea(black="FAAA-JOJO GOLA-JOJO", white="FAAA-GOLA", ships=("", FGJ), box_variant=True)
    assert f"white ship.removed {FGJ}" in t.do("x FAAA-GOLA (FAAA GOLA) =")


def test_sea_8_ships_that_collide_are_both_removed(sea):
    """The example: a ship is moved to the sea of FAAA, GOLA and JOJO."""
    t = sea(ships=(FGJ, EFJ), active=1)
    assert t.do("efj > fgj")[:3] == [
        f"white ship.moved {EFJ} {FGJ}",
        f"black ship.removed {FGJ}",
        f"white ship.removed {FGJ}",
    ]
    assert t.state.ships == [0, 0]
    assert holds(t, "FAAA") == (5, 3)


def test_sea_9_gaining_an_island_leaves_ships_where_they_are(sea):
    t = sea(black="BARI-COCO BARI-FAAA ALOA-BARI", ships=("", BDE))
    assert "black island.gained BARI" in t.do("BARI-ELAI")
    assert t.state.ships[1]


ENCLOSED = {"white": FGJ_SIDES}


def test_sea_10_stays(sea):
    t = sea(**ENCLOSED, ships=("", FGJ))
    t.do("fgj fgj")
    assert t.state.ships == [1 << SEAS.index(FGJ), 0]


def test_sea_10_both_removed(sea):
    t = sea(**ENCLOSED, ships=("", FGJ), replace_in_enclosed_sea="both_removed")
    effects = t.do("fgj fgj")
    assert effects[1:4] == [f"black ship.placed {FGJ}", f"white ship.removed {FGJ}", f"black ship.removed {FGJ}"]
    assert t.state.ships == [0, 0]
    assert "spaces.changed FAAA 5" in effects


@pytest.mark.parametrize("ships", [("", FGJ), ("", "")])
def test_sea_10_forbidden_also_where_the_sea_is_empty(sea, ships):
    t = sea(**ENCLOSED, ships=ships, replace_in_enclosed_sea="forbidden")
    assert t.broken("fgj fgj") == {"SEA-10": f"white's bridges enclose {FGJ}"}
    assert not any(line.startswith(FGJ) for line in t.legal())


def test_sea_10_says_nothing_of_seas_that_are_not_enclosed(sea):
    for choice in ("stays", "both_removed", "forbidden"):
        t = sea(white="FAAA-GOLA FAAA-JOJO", black="GOLA-JOJO", ships=("", FGJ), replace_in_enclosed_sea=choice)
        t.do("fgj fgj")
        assert t.state.ships == [1 << SEAS.index(FGJ), 0]


def test_sea_11_ships_are_no_bridges_for_losing(sea):
    t = sea(white="ELAI-HUNA", black="ALOA-BARI", ships=("", BDE), round=2)
    t.do("x ELAI-HUNA (ELAI HUNA)")
    assert t.state.outcome().reason == "last_bridge"
    t = sea(white="ELAI-HUNA", ships=(BDE, ""), round=2)
    t.do("+")
    assert t.state.outcome().reason == "no_bridge"


def test_sea_11_ships_are_no_bridges_for_breaking_a_tie(sea):
    t = sea(black="ALOA-BARI", white="KAHU-LALE", ships=(FGJ, ""), round=3, deck=0, last_turns=[0])
    t.do("-")
    assert t.state.outcome().reason == "draw"


def test_sea_11_under_opodopo_ships_count_among_spaces_and_own_ones_as_bridges(sea):
    t = sea(
        black="BARI-COCO BARI-FAAA ALOA-BARI",
        ships=(BDE, BEF),
        row="COCO",
        deck=0,
        scoring="opodopo",
    )
    assert t.holder("BARI") == "black"
    t.do("+COCO")
    assert t.state.scores()[0] == ScoreLine(0, 3, "round-1", "kahuna:OPO-1", 1, "BARI 3")


def test_sea_12_the_islands_on_the_line_that_is_crossed_do_not_change(sea):
    t = sea(ships=(BDE, ""))
    effects = t.do("bde > bef")
    assert effects == [f"black ship.moved {BDE} {BEF}", "spaces.changed DUDA 4", "spaces.changed FAAA 6"]


def test_sea_12_a_held_island_on_that_line_is_not_lost_on_the_way(sea):
    t = sea(black="BARI-COCO BARI-FAAA ALOA-BARI", ships=(BDE, ""))
    assert not any("BARI" in effect for effect in t.do("bde > bef")[1:])
    assert t.holder("BARI") == "black"


def test_sea_13_discarding_is_not_playing(sea):
    t = sea(ships=(BDE, ""))
    t.do("d1", "bde > bef", "d1", "+")


def test_sea_13_after_a_move_the_draw_is_not_optional(sea):
    t = sea(ships=(BDE, ""))
    t.do("bde > bef")
    assert t.broken("-") == {"SEA-13": "black has moved a ship and must draw"}
    assert "-" not in t.legal()


def test_sea_13_with_five_cards_nothing_is_drawn_which_counts_as_declining(sea):
    t = sea(ships=(BDE, ""), hands=("? ? ? ? ?", "?"))
    t.do("bde > bef")
    assert set(t.broken("+")) == {"DRAW-2"}
    assert "white draw.forced" in t.do("-")


def test_sea_13_a_player_who_must_draw_discards_first(sea):
    t = sea(ships=(BDE, ""), hands=("? ? ? ? ?", "?"), must_draw=True)
    t.do("bde > bef")
    assert set(t.broken("-")) == {"DRAW-3"}
    t.do("d1", "+")


def test_sea_14_a_ship_that_stays_is_not_taken_by_a_bridge_built_elsewhere(sea):
    t = sea(black=FGJ_SIDES, white="", ships=("", FGJ), hands=("? ? ? ?", "?"))
    t.do("KAHU-LALE", "FAAA-ELAI")
    assert t.state.ships[1]


def test_sea_14_a_side_that_is_built_anew_takes_it(sea):
    t = sea(black="FAAA-JOJO GOLA-JOJO", white="FAAA-GOLA", ships=("", FGJ))
    t.do("x FAAA-GOLA (FAAA GOLA)")
    assert t.state.ships[1]
    t.do("FAAA-GOLA")
    assert not t.state.ships[1]


def test_sea_15_both_removed_in_an_empty_sea_costs_the_cards_and_changes_nothing(sea):
    t = sea(**ENCLOSED, replace_in_enclosed_sea="both_removed")
    effects = t.do("fgj fgj")
    assert effects[1:] == [f"black ship.placed {FGJ}", f"black ship.removed {FGJ}"]
    assert len(t.state.hands[0]) == 1


def test_sea_15_the_box_variant_does_not_bar_ships(sea):
    t = sea(white="ALOA-BARI ALOA-HUNA", box_variant=True)
    t.do("abd abd")


def test_sea_15_a_ship_may_be_moved_in_a_last_turn_without_drawing(sea):
    t = sea(ships=(BDE, ""), black="ALOA-BARI", white="KAHU-LALE", round=3, deck=0, last_turns=[0], played=["COCO"] * 2)
    t.do("bde > bef", "-")
    assert t.state.outcome()


def test_sea_15_ships_do_not_run_out(sea):
    t = sea(ships=(" ".join(SEAS[1:]), ""))
    t.do("abd abd")
    assert t.state.ships[0].bit_count() == 16


def test_a_ship_that_is_removed_can_cost_the_opponent_the_last_bridge(sea):
    """White's last bridge goes when black gains DUDA by a ship."""
    t = sea(black="DUDA-HUNA ALOA-DUDA", white="BARI-DUDA", round=2)
    t.do("bde bde")
    assert t.state.outcome().reason == "last_bridge"


def test_the_moves_of_ships_are_written_and_read(sea):
    t = sea(ships=(BDE, ""))
    for text, written in {
        "b-d-e bde": f"{BDE} (BARI DUDA ELAI)",
        "EDB eeb": f"{BDE} (ELAI ELAI BARI)",
        "elai-bari-faaa (f e e)": f"{BEF} (FAAA ELAI ELAI)",
        "bde > feb": f"{BDE} > {BEF}",
        "w: b-d-e > b-e-f": f"white: {BDE} > {BEF}",
    }.items():
        assert t.state.notation(t.state.parse(text)) == written


@cases(
    ("text", "at", "why"),
    [
        ("b-d-k", 0, "no sea lies between BARI, DUDA, KAHU"),
        ("b-d-e", 5, "say which 3 cards were played"),
        ("b-d-e bd", 8, "expected 3 cards here"),
        ("bde >", 5, "expected an island here"),
        ("bde > b-d", 9, "a sea is named by its three islands"),
        ("bde > bef bef", 10, "the move ends here"),
    ],
)
def test_mistakes_with_seas_are_pointed_at(sea, text, at, why):
    t = sea()
    with pytest.raises(NotationError) as error:
        t.state.parse(text)
    assert error.value.at == at
    assert why in error.value.why


def test_ships_are_shown_in_picture_sketch_and_description(sea):
    t = sea(ships=(BDE, FGJ))
    assert "Its ships are in BARI-DUDA-ELAI." in t.state.picture()
    assert "4 of 6" in t.state.picture()
    assert t.state.describe()["ships"] == [[BDE], [FGJ]]
    drawn = "".join(span.text for line in t.state.sketch() for span in line)
    assert drawn.count("▲") == drawn.count("△") == 1
