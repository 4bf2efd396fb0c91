"""Lines that people type, and what they are told where a line makes no sense."""

from __future__ import annotations

import pytest

from games.catan_cards import CATAN_CARDS
from games.catan_cards.components import Land
from games.catan_cards.moves import Build, Draw, End, Gain, Lay, Merchant, Road, Strike, Trade
from games.catan_cards.notation import HELP, parse
from games.catan_cards.payments import OFFERED
from games.errors import NotationError
from tests.cases import cases


def why(t, text: str) -> str:
    with pytest.raises(NotationError) as error:
        parse(t.state, text)
    return error.value.why


@cases(
    ("line", "move"),
    [
        ("gain ku", Gain(seat=0, at="1ku")),
        ("GAIN　ｋｕ", Gain(seat=0, at="1ku")),
        ("ga ore", Gain(seat=0, at="1mu")),
        ("gain ore 2", Gain(seat=0, at="1mu")),
        ("gain a6", Gain(seat=0, at="1od")),
        ("trade mu > ku", Trade(seat=0, give=("1mu",), get="1ku")),
        ("trade 3 ore > ku", Trade(seat=0, give=("1mu",) * 3, get="1ku")),
        ("trade 2 ore > ku", Trade(seat=0, give=("1mu",) * 2, get="1ku")),
        ("trade o > g", Trade(seat=0, give=("1mu",) * 3, get="1ku")),
        ("road l", Road(seat=0, side="left", pay=("1kd", "1md", "1md"))),
        ("road left (md kd)", Road(seat=0, side="left", pay=("1md", "1kd"))),
        ("build gotz nu ()", Build(seat=0, card="Gotz Ironfist", at="1nu1")),
        ("build The Black Knight nu2 ()", Build(seat=0, card="The Black Knight", at="1nu2")),
        ("build brickfl lu ()", Build(seat=0, card="Brick Fleet", at="1lu2")),
        ("2: draw 3", Draw(seat=1, stack=3)),
        ("draw 3 herb", Draw(seat=0, stack=3, card="Herb Woman")),
        ("search 2 ? (od od)", Draw(seat=0, stack=2, search=True, pay=("1od", "1od"))),
        ("strike otto", Strike(seat=0, at="2lu1")),
        ("strike 2lu", Strike(seat=0, at="2lu1")),
        ("play mer ku > kd = od > 2od", Merchant(seat=0, take=("2ku",), take_to=("1kd",), give="1od", give_to="2od")),
    ],
)
def test_a_line_is_read(table, line, move):
    t = table("1lu1 Smithy, 2lu1 Otto the Berserker", stocks="1mu 3, 1md 2")
    assert parse(t.state, line) == move


def test_the_starting_regions_are_typed_short(new):
    t = new()
    t.do("start 1")
    move = parse(t.state, "lay g1o2w3/l4b5a6")
    assert isinstance(move, Lay)
    assert [str(land) for land in move.regions] == ["grain 1", "ore 2", "wool 3", "lumber 4", "brick 5", "gold 6"]


@cases(
    ("line", "reason"),
    [
        ("jump", "expected a move here: start, lay"),
        ("gain", "expected a region here"),
        ("gain ore", "which region? mu 1, qu 0"),
        ("trade ore > ku", "which regions give 3 ore? mu 1, qu 0"),
        ("trade mu", "> and the region that gains"),
        ("road up", "expected a side here: left, right"),
        ("trade 3 ore 2 > ku", "which regions give 3 ore"),
        ("trade 3 > ku", "expected a resource here"),
        ("take 2ku > ku mu", "the move ends here"),
        ("pick 1 Abbey Spy Scout Karl", "the move ends here"),
        ("confiscate 1 Abbey Spy Scout", "the move ends here"),
        ("play Merchant 2ku > ku = mu ou > 2mu 2ou", "the move ends here"),
        ("play Bishop", "a counter only answers the opponent's card: counter Bishop"),
        ("draw 6", "the number of a stack from 1 to 5"),
        ("draw 3 Brick", "expected a card here: brickfactory, brickfleet"),
        (
            "hold 1 Abbey",
            "a card here: alchemist, arsonist, bishop, blackknight, brigands, caravan, herbwoman, merchant, … (+36)",
        ),
        ("roll noise 3", "a face of the event die"),
        ("roll trade 7", "a number from 1 to 6"),
        ("build Abbey ku", "expected a site here"),
        ("build Church nu", "that costs 2 ore, 2 grain, 1 brick, and there is not enough: ore (mu 1, qu 0);"),
        ("city k", "expected a column with a settlement here: l, n, p"),
        ("strike Otto", "no such card lies there"),
        ("regions ore", "a number from 1 to 6"),
        ("end now", "the move ends here"),
        ("3: end", "expected player 1 or 2 here"),
        ("show ?", "expected names of cards here"),
    ],
)
def test_a_line_that_makes_no_sense_says_what_could_stand_there(table, line, reason):
    t = table()
    t.state.principalities[0].roads.append("o")
    t.state.principalities[0].stocks["1mu"] = 1
    t.do("settlement right", "regions ore4 grain4")
    t.state.principalities[0].stocks["1ku"] = 0
    t.state.principalities[0].stocks["1md"] = 1
    assert reason in why(t, line)


def test_a_payment_is_left_out_where_there_is_one_way_and_asked_for_where_there_is_a_choice(table):
    t = table(stocks="1md 2")
    assert "road left" in t.legal()
    own = t.state.principalities[0]
    own.regions["1qu"], own.stocks["1qu"] = own.regions["1md"], 1
    listed = [line for line in t.legal() if line.startswith("road left")]
    assert listed == ["road left (kd md md)", "road left (kd md qu)"]
    assert "which regions pay 1 lumber, 2 brick" in why(t, "road left")


def test_a_search_that_cannot_be_paid_says_so_and_else_what_could_pay(table):
    t = table("1lu1 Town Hall", cities="1l", hands=("?", "???"), stocks="1ou 0, 1kd 0, 1md 0, 1od 0")
    assert (
        why(t, "search 3")
        == "which regions pay 1 resource, in parentheses? grain (ku 1); ore (mu 1); () if nothing was paid"
    )
    assert "that costs 1 resource, not 2" in t.broken("search 3 (ku mu)").values()
    t.state.principalities[0].sites.clear()
    t.state.principalities[0].stocks |= {"1ku": 0}
    assert why(t, "search 3") == "that costs 2 resources, and there is not enough: ore (mu 1); () if nothing was paid"


def test_a_way_to_pay_is_found_at_once_however_many_there_are(table):
    t = table(components={"cards": {"Smithy": {"cost": {"ore": 9, "wool": 9, "brick": 9}}}})
    own = t.state.principalities[0]
    for number, place in enumerate(f"1{letter}{side}" for letter in "acegiqsuwy" for side in "ud"):
        own.regions[place], own.stocks[place] = Land(("ore", "wool", "brick")[number % 3], 1), 3
    assert sum(line.startswith("build Smithy lu") for line in t.legal()) == OFFERED
    assert "which regions pay 9 ore, 9 wool, 9 brick" in why(t, "build Smithy lu")


def test_the_first_number_of_a_duel_is_its_die(act):
    t = act("2lu1 Smithy", hands=("Arsonist, ??", "???"))
    t.do("play Arsonist", "counter -", "4")
    assert t.state.pending[0].kind == "strike"


def test_every_move_is_in_the_help():
    shown = {line.split()[0] for line in HELP.splitlines()}
    read = CATAN_CARDS.write.__globals__["_READ"]
    assert set(read) <= shown


def test_blanks_offer_regions_and_cards(new):
    t = new()
    t.do("start 1")
    (move,) = t.state.legal_moves()
    assert len(t.state.blanks(move)) == 6
    assert len(t.state.blanks(move)[0].choices) == 12
    t.do("lay g1 o2 w3 l4 b5 a6")
    (move,) = t.state.legal_moves()
    assert "grain2" in t.state.blanks(move)[0].choices
    assert "grain1" not in t.state.blanks(move)[0].choices
    t.do("lay g2 o3 w4 l5 b6 a1")
    move = next(t.state.legal_moves())
    assert [len(blank.choices) for blank in t.state.blanks(move)] == [44] * 3
    t.do("pick 1 Karl ? ?")
    move = next(t.state.legal_moves())
    assert "Karl" not in t.state.blanks(move)[0].choices


def test_blanks_of_a_conflict_offer_what_the_victim_can_hold(table):
    t = table("1lu1 Otto the Berserker", hands=("Karl the Strong, ??", "Caravan, Scout"))
    t.state.tokens[0], t.state.phase, t.state.production = 0, "roll", 0
    t.do("roll event 6", "event Conflict")
    move = next(t.state.legal_moves())
    assert [blank.choices for blank in t.state.blanks(move)] == [("Caravan", "Scout")] * 2


@cases(
    "text",
    [
        f"play Caravan {'ku ' * 31} > mu",
        f"play Caravan ku > {'mu ' * 31}",
        f"play Merchant {'2ku ' * 31} > ku = mu > 2mu",
        f"trade {'ku ' * 31} > mu",
        "trade 31 ore > ku",
        f"road left ({'ku ' * 31})",
        "confiscate 1 Spy Spy Spy",
        f"show {'Spy ' * 13}",
        f"hold {'Spy ' * 13}",
        "pick 1 Spy Spy Spy Spy",
        "start 1 13 13 12 12 12 0 0",
        "start 1 100",
    ],
)
def test_a_list_longer_than_a_move_can_have_is_refused_with_a_place(act, text):
    with pytest.raises(NotationError) as error:
        act().parse(text)
    assert 0 < error.value.at < len(text)


def test_a_move_names_its_player_only_out_of_turn(table):
    t = table()
    assert t.state.notation(End(seat=0)) == "end"
    assert t.state.notation(End(seat=1)) == "2: end"
    assert not any(":" in line for line in t.legal())
