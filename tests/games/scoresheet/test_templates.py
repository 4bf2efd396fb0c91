"""The ready templates, and that a game keeps the one that it was opened with."""

from __future__ import annotations

import msgspec
import pytest

from games import transcript
from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.reading import read_template
from games.scoresheet.ready import PLAIN, READY
from games.scoresheet.template import (
    Beside,
    Check,
    Column,
    Marker,
    Settings,
    Source,
    Stop,
    Team,
    Template,
    TemplateOption,
    TieBreaker,
)
from tests import goldens
from tests.cases import cases
from tests.documents import ROOT

NAMES = sorted(READY)


def test_what_people_expect_is_ready():
    expected = {"plain", "rounds", "golf", "hearts", "first_to_100", "win_loss_draw", "cooperative", "ranking", "teams"}
    assert expected <= READY.keys()
    assert sum(bool(read_template(data).formulas) for data in READY.values()) >= 3


@cases("name", NAMES)
def test_a_ready_template_is_data_that_can_be_embedded(name):
    data = SCORESHEET.components({"template": name})
    kept = msgspec.json.decode(msgspec.json.encode(data))
    assert SCORESHEET.open({"template": name}, kept, 4) == SCORESHEET.open({"template": name}, None, 4)


def test_every_ready_template_has_a_recorded_game():
    opened = [transcript.opening(SCORESHEET, recording) for recording in goldens.games(SCORESHEET).values()]
    played = {game.options.get("template", PLAIN) for game in opened if game.components is None}
    assert set(NAMES) <= played


def test_a_game_keeps_its_template_when_the_ready_one_changes(monkeypatch):
    kept = SCORESHEET.components({"template": "golf"})
    monkeypatch.setitem(READY, "golf", READY["plain"])
    assert SCORESHEET.open({"template": "golf"}, kept, 2).template.name == "Golf"
    assert SCORESHEET.open({"template": "golf"}, None, 2).template.name == "Plain points"


@cases("kind", [Template, Column, Team, TieBreaker, Check, Stop, Source, TemplateOption, Beside, Settings, Marker])
def test_every_field_of_a_template_is_explained(kind):
    explained = SCORESHEET.rulebook["scoresheet:SHEET-1"].text
    assert all(f"`{name}`" in explained for name in kind.__struct_fields__)


def test_a_template_is_written_as_it_was_read():
    for data in READY.values():
        template = read_template(data)
        assert msgspec.convert(msgspec.to_builtins(template), Template) == template


FARM = {
    "fields": (0, -1, 1, -1, 2, 1, 3, 2, 4, 3, 5, 4, 9, 4),
    "pastures": (0, -1, 1, 1, 2, 2, 3, 3, 4, 4, 7, 4),
    "grain": (0, -1, 1, 1, 3, 1, 4, 2, 5, 2, 6, 3, 7, 3, 8, 4, 20, 4),
    "vegetables": (0, -1, 1, 1, 2, 2, 3, 3, 4, 4, 9, 4),
    "sheep": (0, -1, 1, 1, 3, 1, 4, 2, 6, 3, 7, 3, 8, 4),
    "boar": (0, -1, 1, 1, 2, 1, 3, 2, 4, 2, 5, 3, 6, 3, 7, 4),
    "cattle": (0, -1, 1, 1, 2, 2, 3, 2, 4, 3, 5, 3, 6, 4),
    "unused": (0, 0, 4, -4),
    "stables": (0, 0, 4, 4),
    "clay_rooms": (0, 0, 3, 3),
    "stone_rooms": (0, 0, 3, 6),
    "family": (2, 6, 5, 15),
    "begging": (0, 0, 2, -6),
    "cards": (7, 7),
    "bonus": (3, 3),
    "supplies": (9, 0),
}
"""Of each column of the farm: what is entered, and the points that it brings."""
FARM_DEFAULTS = {"vegetables": -1, "boar": -1, "cattle": -1}
"""What empty cells bring that nobody has to fill in."""


@cases("column", FARM)
def test_the_whole_farm_is_scored(table, column):
    assert set(FARM) == {entered.id for entered in read_template(READY["farm"]).entered_columns}
    for value, points in zip(FARM[column][::2], FARM[column][1::2], strict=True):
        t = table("farm", 1)
        t.do(f"{column} {value}")
        others = sum(lost for other, lost in FARM_DEFAULTS.items() if other != column)
        assert t.scores() == [points + others]


TOTALS: dict[str, tuple[int, ...]] = {
    "seven_wonders": (61, 46, 53),
    "wingspan": (89, 84),
    "terraforming_mars": (83, 83),
    "ticket_to_ride": (114, 97),
    "ticket_to_ride_europe": (127, 131),
    "carcassonne": (87, 77, 65),
    "azul": (72, 66),
    "cascadia": (83, 79),
    "everdell": (57, 57),
    "great_western_trail": (84, 66),
    "splendor": (15, 15),
    "catan": (10, 6, 6),
    "dominion": (32, 32),
    "kingdomino": (59, 62),
    "sagrada": (47, 47),
    "qwixx": (69, 67),
    "yahtzee": (346, 192),
    "farkle": (10050, 8350),
    "skat": (24, -28, 72),
    "skat_seeger": (114, -28, 162),
    "doppelkopf": (-2, 12, -4, -6),
    "skull_king": (230, 350, -100),
    "oh_hell": (21, 21, 11),
    "spades": (500, 110, 500, 110),
    "rummy": (103, 42, 0),
    "rummikub": (8, 13, -21),
    "canasta": (5390, 1895, 5390, 1895),
    "cribbage": (121, 113),
    "tichu": (1040, 60, 1040, 60),
    "bridge": (850, 2050, 850, 2050),
    "mahjong_riichi": (27000, 6000, 12000, -45000),
    "mahjong_chinese": (20, 40, -36, -24),
    "scrabble": (114, 97),
    "go": (67, 67),
    "chess": (0, 0),
    "darts_501": (501, 385),
    "bowling": (167, 133),
    "golf_stableford": (38, 18),
    "table_football": (2, 1, 2, 1),
    "table_tennis": (3, 1),
    "petanque": (13, 4, 13, 4),
    "uno": (505, 210, 0),
    "phase_10": (100, 50),
    "six_nimmt": (41, 24, 73),
    "lost_cities": (80, 19),
    "patchwork": (20, 20),
    "sushi_go": (33, 33, 23, 30),
    "scythe": (96, 68, 39),
    "puerto_rico": (50, 50, 44),
    "stone_age": (179, 162),
    "lords_of_waterdeep": (131, 131),
    "race_for_the_galaxy": (49, 44),
    "concordia": (105, 95),
    "dixit": (30, 20, 11, 12),
    "euchre": (10, 3, 10, 3),
    "dominoes": (110, 21, 0),
    "koi_koi": (32, 27),
    "hanabi": (0, 0, 0),
    "skyjo": (57, 78, 131),
    "flip_7": (201, 162, 153),
    "seven_wonders_duel": (66, 51),
    "french_tarot": (239, -189, -25, -25),
    "ganz_schon_clever": (274, 206),
    "jass": (464, 177, 464, 177),
    "belote": (1008, 366, 1008, 366),
    "gin_rummy": (298, 52),
    "harmonies": (112, 98),
    "molkky": (50, 28),
    "wyrmspan": (80, 80),
    "calico": (72, 64),
    "railroad_ink": (49, 45),
    "cartographers": (84, 71),
    "love_letter": (5, 1, 0),
    "arnak": (59, 56),
    "castles_of_burgundy": (174, 173),
    "welcome_to": (113, 113),
    "sea_salt_paper": (44, 31),
    "viticulture": (19, 22),
    "backgammon": (5, 1),
    "rook": (310, 50, 310, 50),
    "pinochle": (122, -40, 122, -40),
    "five_hundred": (-80, 90, -80, 90),
    "tigris_and_euphrates": (7, 8),
    "dune_imperium": (10, 10, 8),
    "schafkopf": (170, -410, 170, 70),
    "takenoko": (30, 30),
    "cabo": (59, 27, 101),
    "small_world": (92, 87, 95),
    "yatzy": (69 + 50 + 12 + 22 + 18 + 24 + 15 + 20 + 28 + 20 + 50, 60 + 10 + 14 + 9 + 0 + 0 + 0 + 19 + 17 + 0),
    "generala": (48 + 20 + 35 + 40, 60 + 25 + 45, 41 + 30 + 40 + 60),
}
"""What the recorded game of each ready template comes to, reckoned by hand with the rules of that game at hand."""


@cases("name", TOTALS)
@pytest.mark.slow
def test_the_recorded_game_of_a_template_comes_to_what_was_reckoned_by_hand(name):
    *_, last = transcript.replay(SCORESHEET, goldens.games(SCORESHEET)[name])
    assert (last.state.template, tuple(last.state.totals())) == (read_template(READY[name]), TOTALS[name])
    assert last.state.outcome() is not None


def test_the_games_that_people_play_are_ready():
    """Of the sheets that are a game's own, and not a way to keep any score."""
    assert len(TOTALS.keys() | {"farm", "golf", "hearts", "wizard"}) >= 40
    assert TOTALS.keys() <= READY.keys()


@cases("name", NAMES)
def test_a_ready_template_and_its_columns_have_japanese_names(name):
    template = read_template(READY[name])
    found = [template.ja, *(column.ja for column in template.columns)]
    assert all(found), found
    assert len({column.title for column in template.columns}) == len(template.columns)


GENERAL = {"auction", "cooperative", "first_to_100", "plain", "ranking", "rounds", "teams", "win_loss_draw"}
"""Ready sheets that are no game's own, so that there are no rules to hold them against."""


def test_a_template_names_the_rules_that_it_was_held_against_if_it_was():
    sourced = {name for name, data in READY.items() if read_template(data).sources}
    assert sourced == READY.keys() - GENERAL
    assert all(name in sourced for name, data in READY.items() if read_template(data).checked)


WORKED: dict[str, tuple[str, tuple[str, ...], tuple[int, ...]]] = {
    "azul, the three bonuses": ("azul", ("track 30 30", "rows 2 0", "lines 1 0", "colours 0 1"), (41, 40)),
    "cascadia, Jade's environment": (
        "cascadia",
        (
            *("bears 11 0", "elk 14 0", "salmon 12 0", "hawks 11 0", "foxes 11 0", "mountains 6 0", "forests 4 0"),
            *("prairies 7 0", "wetlands 8 0", "rivers 5 0", "largest 7 0", "tokens 2 0"),
        ),
        (98, 0),
    ),
    "concordia, the final scoring": (
        "concordia",
        ("vesta 3 0", "jupiter 18 0", "saturn 28 0", "mercury 16 0", "mars 30 0", "minerva 12 0", "p1 card yes"),
        (114, 0),
    ),
    "patchwork, Doris and Andrea": ("patchwork", ("buttons 14 18", "open 5 2", "p1 special yes"), (11, 14)),
    "terraforming mars, Stanley": (
        "terraforming_mars",
        ("rating 38 20", "awards 5 0", "milestones 1 0", "greenery 3 0", "cities 5 0", "cards 8 0"),
        (64, 20),
    ),
    "7 wonders, one of each and one more": (
        "seven_wonders",
        ("compasses 1 0", "gears 2 0", "tablets 1 0", "coins 10 0"),
        (1 + 4 + 1 + 7 + 3, 0),
    ),
    "lost cities, five cards with a wager, and eight cards": (
        "lost_cities",
        (f"r1 yellow {(5 + 6 + 7 + 8 + 9 - 20) * 2} {2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 - 20 + 20}",),
        (30, 44),
    ),
    "ticket to ride, one route of each length": (
        "ticket_to_ride",
        tuple(f"{length} 1 0" for length in ("one", "two", "three", "four", "five", "six")),
        (1 + 2 + 4 + 7 + 10 + 15, 0),
    ),
    "ticket to ride europe, stations at four points": (
        "ticket_to_ride_europe",
        ("eight 1 0", "stations 2 3"),
        (29, 12),
    ),
    "scythe, popularity of the middle": (
        "scythe",
        ("coins 0 0", "popularity 7 0", "stars 6 0", "territories 3 0", "pairs 2 0"),
        (6 * 4 + 3 * 3 + 2 * 2, 0),
    ),
    "waterdeep, a point for two gold": ("lords_of_waterdeep", ("track 10 0", "adventurers 3 0", "gold 5 0"), (15, 0)),
    "great western trail, a point for five dollars": ("great_western_trail", ("dollars 14 0",), (2, 0)),
    "sushi go, puddings": ("sushi_go", ("r1 5 5", "puddings 3 1"), (11, 5)),
    "spades, bid 7 and take 9, or 6": (
        "spades",
        ("r1 bid 7 4", "r1 tricks 9 4", "r2 bid 7 7", "r2 tricks 6 7"),
        (2, 110),
    ),
    "hearts, shooting the moon": ("hearts", ("r1 0 26",), (0, 26)),
    "oh hell, three met and three missed": ("oh_hell", ("r1 3 3", "r1 tricks 3 4"), (13, 0)),
    "canasta, one of each and going out": (
        "canasta",
        (
            "r1 natural 1 0",
            "r1 mixed 1 0",
            "r1 p1 going_out yes",
            "r1 melded 120 50",
            "r1 held 0 35",
            "r1 p2 threes 100",
        ),
        (1020, 115),
    ),
    "skat, a grand of 96 won, and one of 48 lost": ("skat_seeger", ("r1 96 0", "r2 0 -96"), (176, -146)),
    "stableford, on the target, two under and two over": (
        "golf_stableford",
        ("r1 par 4", "r1 strokes 4 2", "r2 par 4", "r2 strokes 6 5"),
        (2, 4 + 1),
    ),
    "table tennis, 11 to 9 and 12 to 10": ("table_tennis", ("r1 11 9", "r2 12 10", "r3 3 11"), (2, 1)),
    "phase 10, a low card, a high one, a skip and a wild": (
        "phase_10",
        ("r1 phase yes no", f"r1 points 0 {5 + 10 + 15 + 25}"),
        (0, 55),
    ),
    "wizard, a bid of none and one of one": ("wizard", ("r1 0 1", "r1 tricks 0 1"), (20, 20 + 10)),
    "6 nimmt, a row of 10, 11, 55, 5 and 1": ("six_nimmt", (f"r1 {3 + 5 + 7 + 2 + 1} 0",), (18, 0)),
    "uno, a wild draw four, a 2 and a skip": ("uno", (f"r1 {50 + 2 + 20} 0",), (72, 0)),
    "dixit, found by some, with a vote for one's own card": ("dixit", (f"r1 3 {3 + 1}",), (3, 4)),
    "carcassonne, a road of three tiles and a farm at four cities": (
        "carcassonne",
        ("track 0 0", "roads 3 0", "supplied 4 0"),
        (3 + 12, 0),
    ),
    "petanque, three boules nearer than the best of the others": ("petanque", ("r1 3 0",), (3, 0)),
    "kingdomino, three squares with two crowns, and six with none": (
        "kingdomino",
        (f"properties {3 * 2} {6 * 0}",),
        (6, 0),
    ),
    "skyjo, who ended with -4 against -5": ("skyjo", ("r1 -4 -5", "r1 p1 ended yes"), (-4, -5)),
    "skyjo, who ended with as many": ("skyjo", ("r1 6 6", "r1 p1 ended yes"), (12, 6)),
    "flip 7, the multiplier comes before the bonus": (
        "flip_7",
        ("r1 20 0", "r1 p1 times double", "r1 p1 plus 4", "r1 p1 seven yes"),
        (20 * 2 + 4 + 15, 0),
    ),
    "7 wonders duel, three coins are a point": ("seven_wonders_duel", ("coins 8 2", "wonders 3 3"), (3 + 2, 3)),
    "tarot, a garde of 76 with the petit of the taker": (
        "french_tarot",
        ("r1 contract garde", "r1 bouts 2", "r1 cards 54", "r1 petit takers_side", "r1 p1 takes yes"),
        (96, -96),
    ),
    "tarot, the same with the petit of the defence": (
        "french_tarot",
        ("r1 contract garde", "r1 bouts 2", "r1 cards 54", "r1 petit defence", "r1 p1 takes yes"),
        (56, -56),
    ),
    "tarot, half a point over is a whole one": (
        "french_tarot",
        ("r1 contract garde", "r1 bouts 2", "r1 cards 41.5", "r1 p1 takes yes"),
        (52, -52),
    ),
    "tarot, half a point under is a whole one": (
        "french_tarot",
        ("r1 contract petite", "r1 bouts 2", "r1 cards 40.5", "r1 p1 takes yes"),
        (-26, 26),
    ),
    "ganz schön clever, a fox is worth the least area": (
        "ganz_schon_clever",
        ("yellow 20 0", "blue 11 0", "green 15 0", "orange 14 0", "purple 12 0", "foxes 2 0"),
        (20 + 11 + 15 + 14 + 12 + 2 * 11, 0),
    ),
    "jass, all tricks": ("jass", ("r1 157 0", "r1 p1 match yes"), (257, 0)),
    "jass, shields with multipliers": ("jass+long", ("r1 factor 2", "r1 100 57"), (200, 114)),
    "belote, all tricks and belote": ("belote", ("r1 252 0", "r1 melds 20 0"), (272, 0)),
    "gin rummy, 3 against 11, and an undercut of 3 by 1": (
        "gin_rummy",
        ("r1 3 11", "r1 ends knock no", "r2 3 1", "r2 ends knock no"),
        (8 + 25, 27 + 25),
    ),
    "harmonies, a field and a building": ("harmonies", ("field_count 1 0", "building_count 0 1"), (5, 5)),
    "mölkky, one over and back to 25": (
        "molkky",
        tuple(f"r{n} {p} 0" for n, p in enumerate((12, 12, 12, 12, 3), 1)),
        (25, 0),
    ),
    "wyrmspan, four other items": ("wyrmspan", ("items 7 3", "coins 2 0"), (1 + 2, 0)),
    "calico, six buttons and the rainbow": ("calico", ("buttons 6 5", "rainbow 1 0"), (21, 15)),
    "cartographers, a coin and two spaces beside monsters": (
        "cartographers",
        ("spring first 4 0", "spring coins 1 0", "spring beside 2 0"),
        (3, 0),
    ),
    "arnak, a guardian and a fear card": ("arnak", ("overcome 1 0", "fears 0 1"), (5, -1)),
    "burgundy, three workers": ("castles_of_burgundy", ("worker_tiles 3 0", "goods 2 0"), (1 + 2, 0)),
    "backgammon, a gammon with the cube at 2": ("backgammon", ("r1 gammon no", "r1 cube 2"), (4, 0)),
    "rook, a bid that was missed": ("rook", ("r1 bid 90 0", "r1 taken 80 40"), (-90, 40)),
    "pinochle, less than 20 counters": (
        "pinochle",
        ("r1 bid 50 0", "r1 meld 30 40", "r1 counters 35 15"),
        (65, 0),
    ),
    "500, eight hearts": (
        "five_hundred",
        ("r1 level 8", "r1 strain hearts", "r1 declares yes no", "r1 tricks 8 2"),
        (300, 20),
    ),
    "500, ten without trumps, missed": (
        "five_hundred",
        ("r1 level 10", "r1 strain notrump", "r1 declares yes no", "r1 tricks 9 1"),
        (-520, 10),
    ),
    "500, an open misere pays nothing to the defenders": (
        "five_hundred",
        ("r1 strain open_misere", "r1 declares yes no", "r1 tricks 0 10"),
        (500, 0),
    ),
    "500, a misere that took a trick": (
        "five_hundred",
        ("r1 strain misere", "r1 declares yes no", "r1 tricks 1 9"),
        (-250, 0),
    ),
    "500, all ten tricks of seven spades, and of nine": (
        "five_hundred",
        (
            *("r1 level 7", "r1 strain spades", "r1 declares yes no", "r1 tricks 10 0"),
            *("r2 level 9", "r2 strain spades", "r2 declares no yes", "r2 tricks 0 10"),
        ),
        (250, 340),
    ),
    "stone age, four greens, and cards with people": (
        "stone_age",
        (
            *("track 0 0", "set_one 4 0", "set_two 1 0", "fields 3 0", "farmers 2 0", "tools 4 0", "toolmakers 1 0"),
            *("huts 3 0", "builders 2 0", "people 5 5", "shamans 1 0", "resources 6 0"),
        ),
        (4 * 4 + 1 + 3 * 2 + 4 * 1 + 3 * 2 + 5 * 1 + 6, 0),
    ),
    "wingspan, the most nectar and the second": ("wingspan+oceania", ("forest 6 3",), (5, 2)),
    "wingspan, two with the most nectar": ("wingspan+oceania", ("wetland 4 4",), (3, 3)),
    "wingspan, nectar of one alone, and of nobody": ("wingspan+oceania", ("forest 1 0", "grassland 0 0"), (5, 0)),
    "wingspan, the duet tokens of the example": ("wingspan+duet", ("duets 4 3",), (4, 3)),
    "7 wonders, debts and the first in three naval conflicts": (
        "seven_wonders+cities+armada",
        (f"naval {3 + 5 + 7} {-1 - 2 - 3}", f"debts {1 + 5} 0"),
        (15 - 6, -6),
    ),
    "7 wonders, a penalty that could not be paid in the third age": ("seven_wonders+edifice", ("debts 5 0",), (-5, 0)),
    "ticket to ride usa 1910, 15 points for most tickets": ("ticket_to_ride+usa_1910", ("tickets_done 8 10",), (0, 15)),
    "ticket to ride, mega game": ("ticket_to_ride+mega", ("tickets_done 8 10", "p1 longest yes"), (10, 15)),
    "ticket to ride nordic, the long route and as many tickets": (
        "ticket_to_ride+nordic",
        ("p1 nine yes", "tickets_done 5 5"),
        (27 + 10, 10),
    ),
    "ticket to ride germany, level in red, ahead in blue": (
        "ticket_to_ride+germany",
        ("seven 1 0", "tickets_done 3 4", "red 2 2", "blue 3 1", "white 1 0"),
        (18 + 20 + 20 + 20, 15 + 20 + 10),
    ),
    "ticket to ride märklin, merchandise": (
        "ticket_to_ride+marklin",
        ("merchandise 18 0", "tickets_done 1 4"),
        (18, 10),
    ),
    "ticket to ride india, five tickets of the grand tour, and two": (
        "ticket_to_ride+india",
        ("grand_tours 5 2",),
        (40, 10),
    ),
    "catan seafarers, a settlement on a small island": (
        "catan+seafarers",
        ("settlements 3 2", "cities 0 0", "islands 2 0"),
        (5, 2),
    ),
    "carcassonne, as many sacks of grain, and a pig": (
        "carcassonne+traders",
        ("track 0 0", "supplied 2 0", "pig 2 0", "wine 1 5", "grain 3 3", "cloth 4 0"),
        (2 * 4 + 10 + 10, 10 + 10),
    ),
    "concordia venus, the final scoring": (
        "concordia+venus",
        (
            "vesta 3 0",
            "jupiter 18 0",
            "saturn 28 0",
            "venus 20 0",
            "mercury 16 0",
            "mars 30 0",
            "minerva 12 0",
            "p1 card yes",
        ),
        (134, 0),
    ),
    "skull king, the rascal's example of a direct hit and a glancing blow": (
        "skull_king+rascal",
        (
            *("r1 0 0", "r1 tricks 0 1", "r2 0 0", "r2 tricks 0 2"),
            *("r3 0 1", "r3 tricks 0 1", "r4 1 0", "r4 tricks 1 1"),
        ),
        (10 + 20 + 30 + 40, 5 + 0 + 30 + 20),
    ),
    "skull king, zero met in the seventh round": (
        "skull_king",
        tuple(f"r{n} {text}" for n in range(1, 8) for text in ("0 0", f"tricks 0 {n}")),
        (10 * (1 + 2 + 3 + 4 + 5 + 6 + 7), -10 * (1 + 2 + 3 + 4 + 5 + 6 + 7)),
    ),
    "lost cities, a sixth expedition": ("lost_cities+sixth", ("r1 purple 30 -20",), (30, -20)),
    "kingdomino, quests in place of the bonuses": ("kingdomino+giants", ("properties 6 6", "quests 20 0"), (26, 6)),
    "puerto rico, nobles": ("puerto_rico+nobles", ("nobles 5 0",), (5, 0)),
    "takenoko, the emperor": ("takenoko", ("plots 4 4", "p1 emperor yes"), (6, 4)),
    "cabo, who calls and is not the lowest": ("cabo", ("r1 9 4", "r1 p1 called yes"), (19, 4)),
    "dominion, an estate, a duchy, a province and a curse": (
        "dominion",
        ("estates 1 0", "duchies 1 0", "provinces 1 0", "curses 0 1"),
        (1 + 3 + 6, -1),
    ),
    "dominoes, blocked with 4 against 11": ("dominoes", ("r1 4 11",), (11 - 4, 0)),
    "dominoes, blocked with as many": ("dominoes", ("r1 4 4",), (0, 0)),
    "farkle, three ones": ("farkle", ("r1 1000 0",), (1000, 0)),
    "go, 18 against 17 and komi": ("go", ("territory 18 17", "p2 komi 6.5"), (18, 17 + 6)),
    "qwixx, six crosses and a miss": ("qwixx", ("red 6 0", "misses 1 0"), (21 - 5, 0)),
    "skull king, three announced and two taken": ("skull_king", ("r1 bid 3 0", "r1 tricks 2 0"), (-10, 10)),
    "table football, 5 to 3": ("table_football", ("r1 5 3",), (1, 0)),
    "backgammon, a match to 3 by a gammon and a single game": (
        "backgammon+three",
        ("r1 no gammon", "r2 no single_game"),
        (0, 3),
    ),
    "backgammon, a match to 7 by a backgammon with the cube at 2, and a single game": (
        "backgammon+seven",
        ("r1 backgammon no", "r1 cube 2", "r2 single_game no"),
        (7, 0),
    ),
    "backgammon, a match to 11 by a gammon with the cube at 4, a backgammon, and 2 for the other": (
        "backgammon+eleven",
        ("r1 gammon no", "r1 cube 4", "r2 no gammon", "r3 backgammon no"),
        (11, 2),
    ),
    "belote to 501, two deals of 162 and one of all tricks": (
        "belote+short",
        ("r1 162 0", "r2 0 162", "r3 252 0", "r4 100 62", "r4 melds 20 0"),
        (162 + 252 + 100 + 20, 162 + 62),
    ),
    "harmonies, a spirit card": (
        "harmonies+spirits",
        ("trees 7 3", "field_count 2 1", "water 8 5", "animals 12 14", "spirit 6 0"),
        (7 + 10 + 8 + 12 + 6, 3 + 5 + 5 + 14),
    ),
    "love letter, a spy beside the winner, and the winner's own": (
        "love_letter+spies",
        ("r1 1 1", "r2 2 0", "r3 0 1", "r4 2 0", "r5 1 0"),
        (6, 2),
    ),
    "skull king, a trick that a kraken took": (
        "skull_king+kraken",
        ("r1 1 0", "r1 tricks 0 0", "r2 1 0", "r2 tricks 1 0"),
        (-10 + 20, 10 + 20),
    ),
    "terraforming mars, a chairman who leads two parties, and a leader": (
        "terraforming_mars+turmoil",
        ("rating 30 30", "milestones 1 0", "awards 0 5", f"politics {1 + 2} 1"),
        (30 + 5 + 3, 30 + 5 + 1),
    ),
    "welcome to, two roundabouts, a bis and a refusal": (
        "welcome_to+roundabouts",
        (
            "plans 10 6",
            "parks 12 12",
            "pools 9 9",
            "temps 7 4",
            "estates 20 20",
            "bis 1 0",
            "refusals 3 0",
            "circles 8 0",
        ),
        (10 + 12 + 9 + 7 + 20 - 1 - 3 - 8, 6 + 12 + 9 + 4 + 20),
    ),
    "wizard, a trick that a bomb took": (
        "wizard+bomb",
        ("r1 0 0 1", "r1 tricks 0 0 0", "r2 1 0 0", "r2 tricks 1 0 0", "r3 0 1 1", "r3 tricks 0 2 0"),
        (20 + 30 + 20, 20 + 20 - 10, -10 + 20 - 10),
    ),
    "wingspan, with the European birds on the same sheet": (
        "wingspan+europe",
        ("birds 30 28", "bonus 4 7", "goals 9 9", "eggs 10 8", "cached 2 3", "tucked 5 4"),
        (30 + 4 + 9 + 10 + 2 + 5, 28 + 7 + 9 + 8 + 3 + 4),
    ),
    "carcassonne, a road at an inn and a city with a cathedral on the track": (
        "carcassonne+inns",
        (f"track {3 * 2 + 5 * 3} 4", "roads 0 2", "cities 0 0", "supplied 1 0"),
        (6 + 15 + 3, 4 + 2),
    ),
    "agricola, the revised edition scores as the first": (
        "farm+revised",
        ("fields 5 0", "pastures 1 0", "grain 3 0", "sheep 4 1", "unused 0 2", "family 3 2", "supplies 4 9"),
        (4 + 1 + 1 + 2 - 3 + 9, -1 - 1 - 1 + 1 - 3 - 2 + 6),
    ),
    "rummikub, three with twenty": ("rummikub", ("r1 0 20",), (20, -20)),
    "rummikub, nobody can play any more": ("rummikub", ("r1 12 5 30",), (-7, 7 + 25, -25)),
    "catan, Siobhán reveals her cards": (
        "catan",
        ("settlements 2 2", "cities 2 1", "p1 road yes", "cards 2 0"),
        (10, 4),
    ),
    "splendor, the prestige of nobles counts": ("splendor", ("cards 12 14", "nobles 1 0", "bought 14 15"), (15, 14)),
    "wingspan, two are level at the goal for 5 and 2": (
        "wingspan",
        ("birds 20 20", f"goals {(5 + 2) // 2} {(5 + 2) // 2}", "eggs 4 2", "cached 1 0", "tucked 0 2", "bonus 3 0"),
        (20 + 3 + 4 + 1 + 3, 20 + 3 + 2 + 2),
    ),
    "scrabble, who went out has the letters of the others": (
        "scrabble",
        ("r1 30 20 25", "tiles 0 8 1"),
        (30 + 8 + 1, 20 - 8, 25 - 1),
    ),
    "scrabble, nobody went out": ("scrabble", ("r1 30 20", "tiles 3 8"), (30 - 3, 20 - 8)),
    "yahtzee, three of each number, and three fours": (
        "yahtzee",
        (
            *("ones 3 0", "twos 6 0", "threes 9 0", "fours 12 12", "fives 15 0", "sixes 18 0", "three_kind 0 0"),
            *("four_kind 0 0", "full_house yes no", "small yes no", "large no no", "yahtzee yes no", "chance 0 0"),
            "further 1 1",
        ),
        (63 + 35 + 25 + 30 + 50 + 100, 12),
    ),
    "wizard, the three hands of the sample play": (
        "wizard",
        (
            *("r1 0 1 1", "r1 tricks 0 0 1", "r2 2 0 0", "r2 tricks 1 0 1"),
            *("r3 0 2 1", "r3 tricks 1 2 0"),
        ),
        (20 - 10 - 10, -10 + 20 + 40, 30 - 10 - 10),
    ),
    "cribbage, three fives and the right jack": ("cribbage", ("r1 pegs 0 2", "r1 hand 29 0", "r1 crib 0 4"), (29, 6)),
    "farm, a field, a pasture and two grain": (
        "farm",
        ("fields 2 0", "pastures 1 0", "grain 3 0", "sheep 4 0", "unused 0 2", "family 2 2"),
        (1 + 1 + 1 - 1 + 2 - 1 - 1 + 6, -7 - 2 + 6),
    ),
}
"""What the rules that a sheet names work out themselves, or say of one case, with what is entered for it."""


@cases("case", WORKED)
def test_what_the_rules_work_out_comes_to_the_same_on_the_sheet(table, case):
    name, lines, totals = WORKED[case]
    assert READY[name.partition("+")[0]]["sources"], name
    t = table(name, len(totals))
    for line in lines:
        t.force(line)
    t.force("end")
    assert tuple(t.scores()) == totals


def test_ties_are_broken_as_the_map_says(table):
    for name, lines in (
        ("nordic", ["path 20 21"]),
        ("germany", ["red 0 1", "tickets 20 0"]),
        ("marklin", ["merchandise 0 18", "tickets 18 0"]),
    ):
        t = table(f"ticket_to_ride+{name}", 2)
        t.do("tickets_done 3 3", *lines, "end")
        assert (t.outcome.ranks, t.outcome.reason) == ((2, 1), "tie_breaker"), name


TIES = {
    "arnak": ("first_at_temple 0 1",),
    "cabo": ("r1 60 61", "r2 50 49"),
    "calico": ("goals 0 0", "cats 0 0", "buttons 0 0", "cat_tokens 2 3"),
    "cartographers": ("r1 first 3 2", "r1 beside 1 0"),
    "castles_of_burgundy": ("empty 3 2",),
    "harmonies": ("cubes 4 5",),
    "sea_salt_paper": ("r1 40 40", "behind 1 2"),
    "railroad_ink": ("exits 2 0", "open_ends 2 0"),
    "small_world": ("tokens 5 6",),
    "sagrada": ("own 5 5", "tokens 2 2", "behind 1 2"),
    "ganz_schon_clever": ("yellow 12 10", "blue 18 19", "green 0 0", "orange 29 30", "purple 5 5", "foxes 0 0"),
    "viticulture": ("points 20 20", "lira 4 4", "wine 3 5"),
    "welcome_to": ("completed 6 6", "single 1 2"),
}
"""Of sheets with as many points for both, what the rule book breaks the tie by: the second one wins."""


@cases("name", TIES)
def test_a_tie_is_broken_as_the_rule_book_says(table, name):
    t = table(name, 2)
    for line in TIES[name]:
        t.force(line)
    t.force("end")
    assert len(set(t.scores())) == 1
    assert (t.outcome.ranks, t.outcome.reason) == ((2, 1), "tie_breaker")


def test_rummikub_is_won_by_games_if_that_is_chosen_and_by_points_among_those_who_won_as_many(table):
    t = table("rummikub+games", 2)
    t.do("r1 0 5", "r2 0 5", "r3 30 0", "end")
    assert (t.scores(), t.outcome.winners, t.outcome.reason) == ([-20, 20], (0,), "ranking")
    t = table("rummikub+games", 2)
    t.do("r1 0 5", "r2 30 0", "end")
    assert (t.outcome.winners, t.outcome.reason) == ((1,), "tie_breaker")


@pytest.mark.parametrize(("name", "target"), [("uno", 500), ("rummy", 100)])
def test_where_each_scores_what_is_held_the_fewest_win(table, name, target):
    t = table(f"{name}+held", 3)
    assert t.broken("r1 5 7 9") == {"CHECK-1": "who goes out has nothing left"}
    t.do(f"r1 0 {target // 2} 20", f"r2 30 {target} 0")
    assert (t.end().winners, t.scores()) == ((2,), [30, target // 2 + target, 20])


def test_only_one_player_has_used_all_tiles_of_scrabble(table):
    t = table("scrabble", 3)
    t.do("r1 30 20 25")
    assert "only one player has no tiles left" in t.broken("tiles 0 0 3")["CHECK-1"]


def test_exactly_100_at_cabo_is_50_once_and_kamikaze_brings_the_others_50(table):
    t = table("cabo", 2)
    t.do("r1 90 3", "r2 10 0")
    assert t.scores() == [50, 3]
    t.do("r3 50 0")
    assert t.scores() == [100, 3]
    assert "END-2" in t.broken("end")
    t.do("r4 50 0", "r4 p1 kamikaze yes")
    assert t.scores() == [100, 53]


def test_options_of_one_group_are_not_chosen_together():
    for chosen, why in (("nordic+india", "nordic and india cannot both"), ("mega+mega", "mega stands here twice")):
        with pytest.raises(BadOpeningError, match=why) as refused:
            SCORESHEET.open({"template": f"ticket_to_ride+{chosen}"}, None, 2)
        assert refused.value.field == "options.template"


@cases(
    ("chosen", "target"),
    [
        ("", 10),
        ("+knights", 13),
        ("+seafarers", 14),
        ("+knights+seafarers", 17),
        ("+seafarers+knights", 17),
        ("+knights+seafarers+sixteen", 16),
        ("+five_six+knights+seafarers", 17),
    ],
)
def test_catan_ends_at_the_points_of_its_expansions_together(table, chosen, target):
    """As Catan Universe has new shores: 14, and 17 with Cities & Knights. What the table chose by itself goes first."""
    assert table(f"catan{chosen}", 3).state.template.target == target


@pytest.mark.parametrize("other", ["a", "c"])
def test_an_option_sets_something_beside_another_option_that_there_is(refused, other):
    first = {"id": "a", "name": "a", "beside": [{"option": "b", "sets": {}}, {"option": other, "sets": {}}]}
    found = refused(options=[first, {"id": "b", "name": "b"}])
    assert found == ("options[0].beside[1].option", f"there is no other option {other}")


def test_an_unknown_option_is_refused_with_those_that_there_are():
    with pytest.raises(BadOpeningError, match="has no such option; it has leaders, cities, armada, edifice"):
        SCORESHEET.open({"template": "seven_wonders+nectar"}, None, 4)


def test_a_column_is_there_with_one_of_several_options(table):
    columns = [{"id": "a"}, {"id": "b", "when": ["x", "y"]}, {"id": "c", "unless": ["x", "y"]}]
    options = [{"id": name, "name": name} for name in "xyz"]
    for chosen, there in (([], "ac"), (["x"], "ab"), (["y", "z"], "ab"), (["z"], "ac")):
        t = table(columns=columns, options=options, chosen=chosen)
        assert "".join(column.id for column in t.state.template.columns) == there


@cases(
    ("fields", "field"),
    [
        ({"columns": [{"id": "a", "when": ["x", "w"]}]}, "columns[0].when"),
        ({"columns": [{"id": "a", "unless": []}]}, "columns[0].unless"),
        ({"chosen": ["x", "y"]}, "chosen"),
    ],
)
def test_what_options_cannot_be_is_refused(refused, fields, field):
    options = [{"id": name, "name": name, "group": "one"} for name in "xy"]
    assert refused(options=options, **fields)[0] == field


def test_an_unknown_chosen_option_is_refused_with_those_to_choose_from_if_there_are_any(refused):
    options = [{"id": name, "name": name} for name in "xy"]
    assert refused(options=options, chosen=["z"]) == ("chosen[0]", "there is no option z; choose one of x, y")
    assert refused(chosen=["z"]) == ("chosen[0]", "there is no option z")


RIICHI = (
    ("mahjong_riichi", "45000 33000 25000 17000", (30000, 8000, -10000, -28000)),
    ("mahjong_riichi", "40000 40000 25000 15000", (20000, 20000, -10000, -30000)),
    ("mahjong_riichi+oka", "42000 28000 20000 10000", (47000, 3000, -15000, -35000)),
    ("mahjong_riichi+oka", "30000 30000 30000 10000", (11667, 11667, 11667, -35000)),
)
"""Final points of a game of riichi, and its scores: less 30,000, with 15, 5, -5 and -15 by place, and the oka."""


@cases(("name", "final", "scores"), RIICHI)
def test_the_scores_of_riichi_come_to_nothing_together(table, name, final, scores):
    t = table(name, 4)
    t.do(f"r1 {final}")
    assert tuple(t.scores()) == scores
    assert abs(sum(scores)) <= 2, "what cannot be shared by three"


def test_four_mermaids_and_a_victory_at_once_win_with_any_points(table):
    for name, lines in (
        ("sea_salt_paper", ("r1 30 5", "p2 mermaids yes")),
        ("seven_wonders_duel", ("civilian 30 5", "supremacy none scientific_supremacy")),
    ):
        t = table(name, 2)
        t.do(*lines, "end")
        assert t.outcome.winners == (1,), name


def test_tarot_of_five_has_a_partner_who_shares(table):
    t = table("french_tarot", 5)
    t.do("r1 contract petite", "r1 bouts 3", "r1 cards 40", "r1 handful double_handful", "r1 p1 takes yes")
    t.do("r1 p4 partner yes")
    stake = 25 + 4 + 30
    assert t.scores() == [2 * stake, -stake, -stake, stake, -stake]
    assert "CHECK-1" in table("french_tarot", 4).broken("r1 p2 partner yes")


def test_half_points_of_tarot_leave_nothing_over(table):
    for cards, each in ((41.5, 26), (40.5, -26)):
        t = table("french_tarot", 5)
        t.do("r1 contract petite", "r1 bouts 2", f"r1 cards {cards}", "r1 p1 takes yes", "r1 p4 partner yes")
        assert t.scores() == [2 * each, -each, -each, each, -each]


TOKENS = [
    *(("", seats, needed) for seats, needed in ((2, 7), (3, 5), (4, 4))),
    *(("+spies", seats, needed) for seats, needed in ((2, 6), (3, 5), (4, 4), (5, 3), (6, 3))),
]
"""How many tokens of affection win, by the edition and the number of players."""


@cases(("edition", "seats", "needed"), TOKENS)
def test_love_letter_takes_as_many_tokens_as_players_need(table, edition, seats, needed):
    t, (won, lost) = table(f"love_letter{edition}", seats), ("1", " 0") if edition else ("yes", " no")
    for number in range(1, needed + 1):
        assert "END-2" in t.broken("end")
        t.do(f"r{number} {won}" + lost * (seats - 1))
    t.do("end")
    assert t.outcome.winners == (0,)


@pytest.mark.parametrize(
    ("name", "column", "taken"),
    [("skull_king+kraken", "tricks", "1 0"), ("wizard+bomb", "tricks", "1 0")],
)
def test_a_trick_that_nobody_has_is_asked_about_unless_the_option_says_that_it_can_be(table, name, column, taken):
    for chosen, asked in ((name, False), (name.partition("+")[0], True)):
        t = table(chosen, 2)
        t.force("r1 1 0")
        t.force(f"r1 {column} 1 0")
        t.do("r2 1 0")
        assert ("CHECK-1" in t.broken(f"r2 {column} {taken}")) is asked
    assert "CHECK-1" in t.broken("r2 tricks 3 0"), "more than are dealt"


def test_supplies_break_a_tie_of_agricola_in_the_revised_edition_alone(table):
    for name, ranks in (("farm+revised", (2, 1)), ("farm", (1, 1))):
        t = table(name, 2)
        for line in ("fields 2 2", "pastures 1 1", "grain 1 1", "sheep 1 1", "unused 0 0", "family 2 2"):
            t.do(line)
        t.do("supplies 3 4", "end")
        assert t.outcome.ranks == ranks, name


def test_treasures_go_to_the_colours_in_which_they_help(table):
    """And the next weakest colours break ties: the sums of the two, three and four weakest say which are more."""
    t = table("tigris_and_euphrates", 1)
    for red, green, blue, black, treasures in (
        *((3, 5, 9, 9, 4), (0, 0, 0, 0, 10), (7, 1, 2, 8, 3), (5, 5, 5, 5, 0), (0, 1, 1, 9, 2), (3, 3, 3, 9, 2)),
        *((4, 1, 4, 6, 6), (2, 2, 2, 2, 3), (0, 9, 9, 9, 1), (1, 2, 3, 4, 5), (6, 0, 5, 1, 7), (8, 8, 0, 0, 9)),
    ):
        for line in (f"red {red}", f"green {green}", f"blue {blue}", f"black {black}", f"treasures {treasures}"):
            t.do(line)
        cubes = [red, green, blue, black]
        for _ in range(treasures):
            cubes[cubes.index(min(cubes))] += 1
        cubes.sort()
        assert t.scores() == [cubes[0]]
        assert t.cells("weakest_two") + t.cells("weakest_three") + t.cells("all_four") == [
            sum(cubes[:2]),
            sum(cubes[:3]),
            sum(cubes),
        ]


def test_the_next_weakest_colour_breaks_a_tie(table):
    t = table("tigris_and_euphrates", 2)
    t.do("red 4 4", "green 5 6", "blue 9 6", "black 9 6", "treasures 0 0")
    assert (t.end().winners, t.outcome.reason) == ((1,), "tie_breaker")


BUSTS = (
    ("darts_501", "180 180 131 20", 491),
    ("darts_501+double_out", "180 180 137 3", 497),
    ("darts_501+double_out", "180 180 109 33 32", 501),
)
"""Turns at darts, with what they come to: 10 left and 20 hit, 4 left and 3 hit, 32 left and too much, then 32."""


@cases(("name", "turns", "total"), BUSTS)
def test_a_bust_at_darts_brings_nothing(table, name, turns, total):
    t = table(name, 1)
    for number, points in enumerate(turns.split(), 1):
        t.do(f"r{number} {points}")
    assert t.scores() == [total]


@pytest.mark.parametrize(("lines", "winners"), [("result win loss", (0,)), ("result draw draw", (0, 1))])
def test_chess_is_won_by_mate_and_drawn_by_stalemate(table, lines, winners):
    t = table("chess", 2)
    t.do(lines, "how mate" if winners == (0,) else "how stalemate", "end")
    assert t.outcome.winners == winners


def test_all_bulls_heads_of_6_nimmt_are_171():
    def heads(card):
        return 7 if card == 55 else 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1

    assert sum(map(heads, range(1, 105))) == 171
    assert "<= 171" in READY["six_nimmt"]["checks"][0]["holds"]


UNDERTRICKS = {"undoubled": (50, 100, 150, 200, 250), "doubled_once": (100, 300, 500, 800, 1100)}
VULNERABLE = {"undoubled": (100, 200, 300, 400, 500), "doubled_once": (200, 500, 800, 1100, 1400)}
"""What one to five undertricks cost."""


@cases("words", ["vul", "not_vul"])
@cases("doubled", ["undoubled", "doubled_once", "redoubled"])
def test_undertricks_at_bridge_cost_what_the_law_says(table, words, doubled):
    costs = VULNERABLE if words == "vul" else UNDERTRICKS
    known = costs.get(doubled) or tuple(2 * cost for cost in costs["doubled_once"])
    for down, cost in enumerate(known, 1):
        t = table("bridge", 4)
        for line in ("level 4", "strain spades", f"doubled {doubled}", f"tricks {10 - down}", "declares yes no"):
            t.do(f"r1 {line}")
        t.do(f"r1 vulnerable {words} not_vul")
        assert t.scores() == [0, cost, 0, cost]


MADE = (
    ("1 clubs undoubled 7 not_vul", 70),
    ("1 notrump undoubled 8 not_vul", 120),
    ("2 spades undoubled 10 vul", 170),
    ("5 diamonds undoubled 11 vul", 600),
    ("6 hearts undoubled 12 not_vul", 980),
    ("7 diamonds undoubled 13 not_vul", 1440),
    ("7 notrump undoubled 13 vul", 2220),
    ("2 hearts doubled_once 9 not_vul", 570),
    ("1 notrump redoubled 8 vul", 1160),
)


@cases(("deal", "points"), MADE)
def test_contracts_at_bridge_bring_what_the_law_says(table, deal, points):
    level, strain, doubled, tricks, vulnerable = deal.split()
    t = table("bridge", 4)
    t.do(f"r1 level {level}")
    for line in (f"strain {strain}", f"doubled {doubled}", f"tricks {tricks}", "declares yes no"):
        t.do(f"r1 {line}")
    t.do(f"r1 vulnerable {vulnerable} vul")
    assert t.scores() == [points, 0, points, 0]


def test_a_template_has_a_name_and_an_option_shows_it():
    (option,) = SCORESHEET.options
    assert [option.choice_name(choice) for choice in option.choices] == [READY[name]["name"] for name in option.choices]


# The games that people play most


PLAYED_MOST = {
    "catan": "catan, Siobhán reveals her cards",
    "ticket_to_ride": "ticket to ride, one route of each length",
    "carcassonne": "carcassonne, a road of three tiles and a farm at four cities",
    "farm": "farm, a field, a pasture and two grain",
    "dominion": "dominion, an estate, a duchy, a province and a curse",
    "seven_wonders": "7 wonders, one of each and one more",
    "splendor": "splendor, the prestige of nobles counts",
    "terraforming_mars": "terraforming mars, Stanley",
    "azul": "azul, the three bonuses",
    "wingspan": "wingspan, two are level at the goal for 5 and 2",
    "uno": "uno, a wild draw four, a 2 and a skip",
    "scrabble": "scrabble, who went out has the letters of the others",
    "yahtzee": "yahtzee, three of each number, and three fours",
    "rummikub": "rummikub, nobody can play any more",
    "phase_10": "phase 10, a low card, a high one, a skip and a wild",
    "cribbage": "cribbage, three fives and the right jack",
    "hearts": "hearts, shooting the moon",
    "spades": "spades, bid 7 and take 9, or 6",
    "wizard": "wizard, the three hands of the sample play",
    "skat_seeger": "skat, a grand of 96 won, and one of 48 lost",
}
"""The twenty sheets of docs/sheets.md, each with the example of its rules that is worked out here."""


def test_each_of_the_twenty_games_played_most_has_a_worked_example():
    assert len(PLAYED_MOST) == 20
    for name, case in PLAYED_MOST.items():
        assert WORKED[case][0] == name
        assert any("url" in source or "year" in source for source in READY[name]["sources"]), name


def test_the_documents_list_the_twenty_games_and_their_examples():
    text = (ROOT / "docs" / "sheets.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for name, case in PLAYED_MOST.items():
        assert any(f"(`{name}`)" in row and case in row for row in rows), name


def test_teams_of_tichu_that_are_level_at_the_target_play_one_more_deal(table):
    t = table("tichu", 4)
    t.do(*(f"r{number} 50 50" for number in range(1, 21)))
    assert t.scores()[:2] == [1000, 1000]
    assert "END-2" in t.broken("end")
    t.do("r21 60 40", "end")
    assert t.outcome.winners == (0, 2)


def test_players_of_flip_7_who_are_level_at_the_target_play_one_more_round(table):
    t = table("flip_7", 3)
    for number in range(1, 5):
        t.do(f"r{number} numbers 50 50 40")
    assert t.broken("end")["END-2"] == "the first are level: one more round decides, or stop the game early"
    t.do("r5 numbers 0 0 50")
    assert t.end().winners == (2,), "who was behind plays on, too"


def test_60_cards_end_wizard(table):
    t = table("wizard", 6)
    for number in range(1, 11):
        t.do(f"r{number} 0 0 0 0 0 0", f"r{number} tricks {number} 0 0 0 0 0")
    t.do("r11 0 0 0 0 0 0")
    assert t.broken("r11 tricks 11 0 0 0 0 0") == {"CHECK-1": "60 cards are not enough for round 11"}


def test_six_fireworks_of_hanabi_have_30_cards(table):
    assert table("hanabi", 2).broken("points 30")
    assert not table("hanabi+multicolour", 2).broken("points 30")
