"""CHECK: what should hold on a sheet is asked about at once, and recorded all the same."""

from __future__ import annotations

import random
import time
from itertools import combinations, product

import msgspec
import pytest

from games.scoresheet import SCORESHEET
from games.scoresheet.moves import Enter
from games.scoresheet.moves.checking import failed_checks
from games.scoresheet.reading import read_for_keeping, read_template
from games.scoresheet.ready import READY
from games.scoresheet.work import CHECK_WORK
from tests.cases import cases
from tests.games.replaying import assert_replayed_as_judged

A = {"id": "a", "per": "round"}
B = {"id": "b", "per": "round", "counts": False}
SUM = {
    "holds": "sum(everyone(a)) == 10",
    "value": "sum(everyone(a))",
    "says": "10 are dealt; here are {value}",
    "ja": "10点のはずが{value}点です",
}


def test_check_1_a_line_that_cannot_be_is_asked_about_in_words(table):
    t = table(columns=[A], checks=[SUM])
    assert t.broken("r1 5 5 5") == {"CHECK-1": "10 are dealt; here are 15"}
    assert t.broken("r1 2 3 5") == {}


def test_check_1_it_is_made_as_soon_as_all_cells_are_there(table):
    t = table(columns=[A], checks=[SUM])
    t.do("r1 5 5 ?")
    assert t.broken("r1 p3 1") == {"CHECK-1": "10 are dealt; here are 11"}
    t.do("r1 p3 0")
    assert t.broken("r1 p1 6") == {"CHECK-1": "10 are dealt; here are 11"}


def test_check_1_what_happened_all_the_same_stands_and_is_asked_about_again_when_it_changes(table):
    t = table(columns=[A, B], checks=[SUM])
    t.force("r1 5 5 5")
    assert t.scores() == [5, 5, 5]
    assert t.broken("r1 b 1 1 1") == {}
    assert t.broken("r2 1 2 7") == {}
    assert t.broken("r1 p1 4") == {"CHECK-1": "10 are dealt; here are 14"}
    assert t.broken("r1 p1 0") == {}


def test_check_1_one_of_each_side_names_the_player(table):
    check = {"holds": "a <= b", "value": "b", "says": "more than the {value} bid"}
    t = table(columns=[A, B], checks=[check])
    t.do("r1 3 3 3")
    assert t.broken("r1 b 3 2 4") == {"CHECK-1": "p2: more than the 2 bid"}
    assert t.broken("r1 p1 b 2") == {"CHECK-1": "p1: more than the 2 bid"}


def test_check_1_a_column_has_one_of_its_own(table):
    t = table(columns=[{**A, "check": "a % 5 == 0"}, {"id": "w", "check": "w < 3"}])
    assert t.broken("r1 5 7 10") == {"CHECK-1": "p2: a: 7 cannot be"}
    assert t.broken("p1 w 4") == {"CHECK-1": "p1: w: 4 cannot be"}


def test_check_1_what_a_formula_makes_of_a_cell_is_looked_at(table):
    check = {"holds": "twice <= 10", "value": "twice", "says": "twice is {value}"}
    t = table(seats=1, columns=[A, {"id": "twice", "per": "round", "formula": "2 * a"}], checks=[check])
    assert t.broken("r1 6") == {"CHECK-1": "twice is 12"}


def test_check_1_what_all_share_is_checked_for_each(table):
    check = {"holds": "a <= dealt", "says": "too many"}
    t = table(columns=[A, {"id": "dealt", "per": "round", "shared": True, "counts": False}], checks=[check])
    t.do("r1 3 4 5")
    assert t.broken("r1 dealt 4") == {"CHECK-1": "p3: too many"}


def test_check_1_one_of_the_whole_game_is_made_at_the_end(table):
    check = {"holds": "sum(a) <= 10", "value": "sum(a)", "says": "{value} in all", "per": "game"}
    t = table(seats=2, columns=[A], checks=[check])
    t.do("r1 6 1", "r2 6 1")
    assert t.broken("end") == {"CHECK-1": "p1: 12 in all"}
    t.force("end")
    assert t.outcome.winners == (0,)


def test_check_1_a_value_that_cannot_be_computed_is_not_asked_about(table):
    t = table(seats=1, columns=[A], checks=[{"holds": "10 / a > 1", "says": "no"}])
    assert t.broken("r1 0") == {}
    assert t.broken("r1 20") == {"CHECK-1": "no"}


def test_check_1_it_can_look_at_the_cells_of_other_rounds(table):
    t = table(seats=1, columns=[A], checks=[{"holds": "total_before + a <= 9", "says": "bust"}])
    t.do("r1 5")
    assert t.broken("r2 5") == {"CHECK-1": "bust"}
    t = table(seats=1, columns=[A], checks=[{"holds": "a >= before(a, 1)", "says": "it never falls"}])
    t.do("r1 5")
    assert t.broken("r2 4") == {"CHECK-1": "it never falls"}


def test_check_1_one_that_is_made_at_the_end_alone_can_look_at_everything(table):
    columns = [A, {"id": "so_far", "per": "round", "formula": "sum(before(a)) + a", "counts": False}]
    t = table(seats=2, columns=columns, checks=[{"holds": "max(so_far) <= 9", "says": "bust", "per": "game"}])
    t.do("r1 5 5", "r2 5 4")
    assert t.broken("end") == {"CHECK-1": "p1: bust"}
    t.do("r1 p1 4")
    assert t.broken("end") == {}


@cases(
    ("fields", "field", "why"),
    [
        ({"checks": [{"holds": "a <", "says": "no"}]}, "checks[0].holds", "cannot be read"),
        ({"checks": [{"holds": "a", "says": "no", "value": "tin"}]}, "checks[0].value", "there is no tin"),
        ({"checks": [{"holds": "total_before < 9", "says": "no"}]}, "checks[0].holds", "looks at its own round"),
        ({"checks": [{"holds": "so_far < 9", "says": "no"}]}, "checks[0].holds", "looks at its own round"),
        ({"checks": [{"holds": "before(so_far, 1) < 9", "says": "no"}]}, "checks[0].holds", "looks at its own round"),
        (
            {"checks": [{"holds": "wood < max(so_far)", "says": "no", "per": "game"}]},
            "checks[0].holds",
            "looks at its own round",
        ),
        ({"checks": [{"holds": "a", "says": "no", "when": "x"}]}, "checks[0].when", "there is no option x"),
    ],
)
def test_check_1_one_that_cannot_be_is_refused(refused, fields, field, why):
    columns = [A, {"id": "wood"}, {"id": "so_far", "per": "round", "formula": "sum(before(a)) + a"}]
    found, said = refused(columns=columns, **fields)
    assert found == field
    assert why in said


def test_check_1_there_is_a_limit_to_what_is_checked_at_every_entry(refused):
    wide = "+".join(["sum(everyone(a))"] * 15)
    checks = [{"holds": f"{wide} < {number}", "says": "no"} for number in range(40)]
    assert "too much to check" in refused(seats=20, columns=[A], checks=checks)[1]
    assert CHECK_WORK < 10_000


def test_check_1_a_long_sheet_with_checks_is_replayed_in_a_moment():
    data = {"name": "Long", "columns": [A], "checks": [{**SUM, "holds": "sum(everyone(a)) >= 0"}]}
    state = SCORESHEET.open({}, data, 4)
    started = time.process_time()
    for number in range(1, 501):
        for seat in range(4):
            state.replay(Enter(seat=seat, column="a", round=number, value=1), number, lambda *_: None)
    assert time.process_time() - started < 5


EVERY_KIND = {
    "name": "Every kind",
    "target": 12,
    "columns": [
        A | {"default": 3},
        B,
        {"id": "shared", "per": "round", "shared": True, "counts": False},
        {"id": "wood", "default": 2},
        {"id": "clay", "counts": False},
    ],
    "checks": [
        {
            "holds": "sum(everyone(given(a))) < target",
            "value": "sum(everyone(given(a)))",
            "says": "{value} are too many",
        },
        {"holds": "given(a) + shared != round", "says": "no"},
        {"holds": "max(everyone(b)) < shared + sides", "says": "no"},
        {"holds": "given(b) < 3", "says": "no"},
        {"holds": "a <= given(b) + 4", "says": "no"},
        {"holds": "given(b) != 0 and min(everyone(given(a))) >= 0", "says": "no"},
        {"holds": "given(wood) + clay < 6 and count(everyone(given(clay))) == sides", "per": "game", "says": "no"},
    ],
}


def _judged_by_the_whole_sheet(state):
    """The same sheet, with no check that is simple."""
    found = state.copy()
    found.template = msgspec.structs.replace(state.template)
    vars(found.template)["checks_of"] = {
        place: tuple(msgspec.structs.replace(check, needs=None) for check in checks)
        for place, checks in state.template.checks_of.items()
    }
    return found


def _values(column, state, chance):
    """Some values of a line, by side: those that its checks speak of, and others."""
    numbers = [number for check in state.template.known_checks for number in check.holds.numbers]
    likely = [*column.labels.values(), 0, 1, 3, 4, 0.5, *(int(number) for number in numbers)]
    sides = [0] if column.shared else [side for side in range(state.sides) if chance.random() < 0.8]
    return [(side, chance.choice(likely) * chance.choice((1, 1, 1, -1))) for side in sides]


@pytest.mark.slow
def test_check_1_the_numbers_of_a_round_alone_say_what_the_whole_sheet_says():
    """Of all ready sheets, and of one with every kind of name that a simple check has."""
    chance, asked, simple = random.Random(30), 0, 0
    sheets = [({"template": name}, None) for name in READY for _ in range(2)] + [({}, EVERY_KIND)] * 60
    for options, components in sheets:
        state = SCORESHEET.open(options, components, 4)
        columns = [column for column in state.template.entered_columns if column.id in state.template.checked_columns]
        for column in columns * 2:
            number = None if column.per == "game" else chance.randint(1, 2)
            values = _values(column, state, chance)
            found = list(map(str, failed_checks(state, column, number, values)))
            assert found == list(map(str, failed_checks(_judged_by_the_whole_sheet(state), column, number, values)))
            asked += len(found)
            for side, value in values:
                state.put(column, number, side, value)
        simple += sum(check.needs is not None for check in state.template.known_checks)
    assert asked > 300
    assert simple > 300


def test_check_1_a_replayed_cell_is_flagged_as_it_was_judged(table):
    t = table(columns=[A], checks=[SUM])
    t.do("r1 5 4 ?")
    assert_replayed_as_judged(t.state, Enter(seat=2, column="a", round=1, value=7))
    assert_replayed_as_judged(t.state, Enter(seat=2, column="a", round=1, value=1))


# The ready sheets


CHECKED = {
    "tichu": (2, "r1 150 150", "the deal has 100 points, or 200 and 0 for a double victory; here are 300"),
    "cribbage": (2, "r1 hand 12 19", "p2: hand: 19 cannot be"),
    "yahtzee": (2, "threes 6 7", "p2: threes: 7 cannot be"),
    "yatzy": (2, "two_pairs 6 4", "p2: two pairs: 4 cannot be"),
    "generala": (2, "at_once yes yes", "only one player wins at once"),
    "seven_wonders_duel": (2, "military 0 7", "p2: military track: 7 cannot be"),
    "welcome_to": (2, "temps 7 5", "p2: temp agency: 5 cannot be"),
    "azul": (
        *(2, "rows 5 5", "lines 4 5", "colours 5 5"),
        "p1: five complete rows, columns or colours are a full wall, which has five of each",
    ),
    "seven_wonders": (
        *(3, "military 6 -3 10"),
        "a conflict brings one side 1, 3 or 5 and takes 1 from the other: together that is even, and here it is 13",
    ),
    "splendor": (3, "nobles 1 3 1", "there is one noble more than players; here are 5"),
    "lost_cities": (2, "r1 blue 8 55", "p2: blue: 55 cannot be"),
    "oh_hell": (4, "r1 tricks 4 5 4 1", "a hand of 14 tricks cannot be dealt from 52 cards"),
    "railroad_ink": (2, "exits 24 42", "p2: connected exits: 42 cannot be"),
    "harmonies": (2, "water 19 18", "p2: water: 18 cannot be"),
    "sagrada": (2, "tokens 6 7", "p2: a window gives six tokens at the most"),
    "scythe": (2, "stars 6 6", "p2: the game ends with the first sixth star: only one player has it"),
    "sea_salt_paper": (2, "mermaids yes yes", "there are four mermaids: only one player has them"),
    "stone_age": (
        *(2, "set_one 3 5", "set_two 1 6"),
        "p2: the first set has as many cultures as the second, or more",
    ),
    "tigris_and_euphrates": (2, "treasures 6 5", "there are ten treasures; here are 11"),
    "dominion": (2, "duchies 8 1", "two play with 8 duchies, others with 12; here are 9"),
    "dixit": (4, "r1 3 6 0 1", "3 points and a vote of each other player are the most; here are 6"),
    "arnak": (2, "overcome 9 7", "there are 15 guardians; here are 16"),
    "castles_of_burgundy": (3, "behind 1 3 3", "p3: no two players have the same place in turn order"),
    "cascadia": (
        *(2, "largest 6 5"),
        "five habitats bring 10 points of bonus for two players and 20 for more at the most; here are 11",
    ),
}
"""By ready sheet, how many play, entries that cannot be together by its rules, and what is said of the last one."""
MORE_CHECKED = [
    ("belote", 4, "r1 melds 20 10", "p2: announcements and belote: 10 cannot be"),
    ("jass", 4, "r1 melds 30 0", "p1: melds and marriage: 30 cannot be"),
    ("canasta", 4, "r1 threes 300 200", "there are four red threes in all"),
    ("catan+knights", 3, "metropolises 2 1 1", "there are three metropolises; here are 4"),
    ("catan+knights", 2, "cities 1 3", "metropolises 2 0", "p1: a metropolis stands on a city"),
    (
        *("concordia", 3, "magnus 1 2 2"),
        "p3: the Praefectus Magnus does not come to two players in the same turn",
    ),
    ("dixit", 4, "r1 3 3 3 2", "the votes of a turn do not bring 11 points together"),
    ("dixit", 4, "r1 0 2 2 3", "the votes of a turn do not bring 7 points together"),
    (
        *("dominion", 2, "estates 8 7"),
        "each player begins with 3 estates, and 8 or 12 more are in the supply; here are 15",
    ),
    ("dominion", 3, "colonies 5 5 3", "two play with 8 colonies, others with 12; here are 13"),
    ("five_hundred", 4, "r1 declares no no", "one team has bid"),
    ("flip_7", 3, "r1 plus 20 10 2", "the cards that add points are 30 together; here are 32"),
    ("flip_7", 3, "r1 times double double single", "there is one card that doubles"),
    (
        "flip_7",
        3,
        "r1 numbers 20 30 0",
        "r1 seven yes no no",
        "p1: seven different numbers are 21 points or more; here are 20",
    ),
    ("flip_7", 3, "r1 seven no no no", "r1 numbers 58 30 0", "p1: more than 57 points are seven numbers; here are 58"),
    ("french_tarot", 4, "r1 takes no no no no", "one player takes"),
    (
        "french_tarot",
        5,
        "r1 takes yes no no no no",
        "r1 partner yes no no no no",
        "p1: the taker is no partner of their own",
    ),
    (
        *("french_tarot", 4, "r1 bouts 3", "r1 cards 12"),
        "a bout has 4.5 of the 91 points: 12 cannot be with so many bouts",
    ),
    (
        "doppelkopf",
        4,
        "r1 5 -5 3 -3",
        "p4: two win what two lose, and a solo counts three times for its player: -3 cannot be",
    ),
    ("doppelkopf", 4, "r1 4 4 -2 -6", "two win what two lose, and a solo counts three times for its player"),
    ("doppelkopf", 4, "r1 2 -1 -1 -1", "what one side wins, the other loses; here are -1 left"),
    (
        "doppelkopf",
        5,
        "r1 5 -5 0 0 0",
        "p5: two win what two lose, and a solo counts three times for its player: 0 cannot be",
    ),
    ("ganz_schon_clever", 2, "yellow 30 12", "p2: yellow: 12 cannot be"),
    ("ganz_schon_clever", 2, "blue 29 30", "p2: blue: 30 cannot be"),
    ("ganz_schon_clever", 2, "green 28 29", "p2: green: 29 cannot be"),
    ("harmonies", 2, "mountains 2 1", "p2: mountains: 1 cannot be"),
    ("hearts", 4, "r1 20 20 20 18", "a deal has 26 points, or 26 for each of the others; here are 78"),
    ("hearts", 4, "r1 26 0 0 0", "one player took all of them: the others have 26 each"),
    ("hearts+minus", 4, "r1 -5 11 10 10", "a deal has 26 points, 26 for each of the others, or 26 off; here are 26"),
    ("hearts+minus", 4, "r1 -13 -13 0 0", "a deal has 26 points, 26 for each of the others, or 26 off; here are -26"),
    ("molkky", 2, "r1 0 5", "r2 0 0", "r3 0 0", "r4 5 5", "p1: who misses three times in a row drops out"),
    ("oh_hell", 4, "r1 bid 4 0 0 0", "r1 tricks 1 1 1 0", "p1: more is bid than there are tricks"),
    ("phase_10", 3, "r1 points 0 60 0", "p3: only one player goes out"),
    (
        *("phase_10", 2, "r1 phase yes no", "r1 points 0 45"),
        "p2: who has not completed the phase holds ten cards, which are 50 points or more; here are 45",
    ),
    ("puerto_rico+nobles", 3, "nobles 9 9 3", "there are 20 nobles; here are 21"),
    (
        "schafkopf",
        4,
        "r1 game sauspiel",
        "r1 plays yes no no no",
        "two play a Sauspiel, and one plays a solo; here are 1",
    ),
    ("schafkopf", 4, "r1 runners 1", "runners: 1 cannot be"),
    (
        "schafkopf",
        4,
        "r1 game sauspiel",
        "r1 runners 2",
        "runners count from three on, and two of them in a Wenz alone",
    ),
    ("skat", 4, "r1 20 0 -36 0", "only one player declares in a deal"),
    ("skat", 3, "r1 19 0 0", "p1: no game of Skat is worth 19"),
    ("skat", 3, "r1 0 280 0", "p2: no game of Skat is worth 280"),
    ("skat", 3, "r1 0 0 -560", "p3: a lost game counts twice its value: -560 cannot be"),
    ("skat_seeger", 3, "r1 0 280 0", "p2: no game of Skat is worth 280"),
    ("skat_seeger", 3, "r1 0 -18 0", "p2: a lost game counts twice its value: -18 cannot be"),
    ("skull_king", 2, "r1 bonus 30 15", "p2: bonus (if the bid is met): 15 cannot be"),
    ("terraforming_mars", 2, "awards 5 8", "p2: awards (points): 8 cannot be"),
    ("tichu", 4, "r1 calls 300 0", "p1: calls: 300 cannot be"),
    (
        *("tichu", 4, "r1 calls 100 200"),
        "only one player goes out first: one team at the most wins its calls",
    ),
    ("tichu", 4, "r1 200 0", "r1 calls 0 100", "p2: a team that suffers a double victory has not gone out first"),
    ("ticket_to_ride+nordic", 2, "nine yes yes", "there is one route of 9"),
    ("ticket_to_ride+germany", 2, "red 6 5", "there are ten passengers of each colour"),
    ("ticket_to_ride_europe", 2, "eight 1 1", "there is one route of 8; here are 2"),
    ("welcome_to", 2, "parks 42 38", "p2: parks: 38 cannot be"),
    ("welcome_to", 2, "pools 36 30", "p2: pools: 30 cannot be"),
    ("welcome_to", 2, "bis 28 2", "p2: bis (taken off): 2 cannot be"),
    ("welcome_to", 2, "refusals 5 4", "p2: permit refusals (taken off): 4 cannot be"),
    ("welcome_to+roundabouts", 2, "circles 8 5", "p2: roundabouts (taken off): 5 cannot be"),
]
"""More of them: some sheets with an option, and some with several checks."""


@cases("name", CHECKED)
def test_a_ready_sheet_asks_about_what_its_game_cannot_have(table, name):
    seats, *lines, why = CHECKED[name]
    t = table(name, seats)
    t.do(*lines[:-1])
    assert t.broken(lines[-1])["CHECK-1"] == why


@cases(("name", "seats", "lines"), [(name, seats, lines) for name, seats, *lines in MORE_CHECKED])
def test_each_check_of_a_ready_sheet_asks(table, name, seats, lines):
    *before, last, why = lines
    t = table(name, seats)
    t.do(*before)
    assert t.broken(last)["CHECK-1"] == why


def test_exactly_what_an_expedition_of_lost_cities_can_bring_is_not_asked_about(table):
    """Nor about 31, which cannot be, but stands in a golden game."""
    brought = {0} | {
        (sum(cards) - 20) * (1 + wagers) + (20 if len(cards) + wagers >= 8 else 0)
        for wagers in range(4)
        for number in range(10)
        for cards in combinations(range(2, 11), number)
        if wagers or cards
    }
    t = table("lost_cities", 2)
    assert {each for each in range(-80, 157) if not t.broken(f"r1 red {each} 0")} == brought | {31}


def test_exactly_what_no_turn_with_a_double_at_its_end_can_bring_is_asked_about_at_the_end_of_darts(table):
    darts = {0, 25, 50} | {each * times for each in range(1, 21) for times in (1, 2, 3)}
    doubles = {50} | {2 * each for each in range(1, 21)}
    thrown = {one + two + three for one in darts for two in darts for three in darts}
    finishes = {one + two + last for one in darts for two in darts for last in doubles}
    assert thrown - finishes == {0, 1, 159, 162, 165, 168, 171, 174, 177, 180}
    for left in sorted(thrown - {0}):
        t = table("darts_501+double_out", 2)
        t.do(f"p1 +{501 - left} before", f"r1 {left} 60")
        wanted = {} if left in finishes else {"CHECK-1": f"p1: no turn that ends with a double brings {left}"}
        assert t.broken("end") == wanted, left
    t = table("darts_501", 2)
    t.do("p1 +342 before", "r1 159 60")
    assert t.broken("end") == {}


def test_exactly_what_two_teams_or_a_solo_can_bring_is_not_asked_about_in_doppelkopf(table):
    t = table("doppelkopf", 4)
    for three in product(range(-3, 4), repeat=3):
        points = (*three, -sum(three))
        low, *middle, high = sorted(points)
        teams, solo = middle == [low, high] and high == -low, middle in ([low] * 2, [high] * 2)
        assert (not t.broken("r1 {} {} {} {}".format(*points))) == (teams or solo), points
    t = table("doppelkopf", 5)
    assert not any(t.broken(line) for line in ("r1 2 0 -2 2 -2", "r1 0 9 -3 -3 -3", "r1 0 0 0 0 0"))


@cases(("seats", "curses"), [(1, 10), (2, 10), (3, 20), (6, 50)])
def test_dominion_has_ten_curses_for_each_player_but_one(table, seats, curses):
    others = " 0" * (seats - 1)
    assert table("dominion", seats).broken(f"curses {curses}{others}") == {}
    assert table("dominion", seats).broken(f"curses {curses + 1}{others}").keys() == {"CHECK-1"}


UNCHECKED = {
    *("auction", "cooperative", "first_to_100", "plain", "rounds", "teams"),
    *("dune_imperium", "everdell", "golf", "golf_stableford", "great_western_trail", "hanabi", "kingdomino"),
    *("lords_of_waterdeep", "qwixx", "race_for_the_galaxy", "small_world", "table_football"),
    *("viticulture", "wingspan", "wyrmspan"),
}
"""The general ready sheets, and those of games where no rule is known that limits what is entered any further."""


def test_a_ready_sheet_has_the_checks_that_its_game_knows():
    assert {name for name, data in READY.items() if "check" not in str(data).replace("checked", "")} == UNCHECKED


@cases("name", sorted(READY))
def test_a_ready_sheet_says_its_checks_in_japanese_too(name):
    assert all(check.says.ja for check in read_template(READY[name]).known_checks)
    assert all("ja" in check for check in READY[name].get("checks", ()))


@cases("name", sorted(READY))
def test_a_game_can_be_opened_with_every_choice_of_a_ready_sheet(name):
    template = read_for_keeping(READY[name])
    for option in template.options:
        state = SCORESHEET.open({"template": f"{name}+{option.id}"}, None, 4)
        assert state.template.chosen == (option.id,)
        assert SCORESHEET.state.load(state.dump()) == state


@cases(("seats", "tricks"), [(4, 10), (7, 10), (8, 8)])
def test_a_round_of_skull_king_has_as_many_tricks_as_cards_can_be_dealt(table, seats, tricks):
    t = table("skull_king", seats)
    for number in range(1, 10):
        dealt = min(number, tricks)
        t.do(f"r{number} bid {dealt}" + " 0" * (seats - 1), f"r{number} tricks {dealt}" + " 0" * (seats - 1))
    t.do("r10 bid" + " 0" * seats)
    assert "CHECK-1" in t.broken(f"r10 tricks {18 - tricks}" + " 0" * (seats - 1))
    t.do(f"r10 tricks {tricks}" + " 0" * (seats - 1))
