"""The picture and the sketch show what lies on the table, and say it in words."""

from __future__ import annotations

import re

from games.catan_cards import CATAN_CARDS
from games.catan_cards.components import CARDS, Land, short_name
from games.catan_cards.notation import parse
from games.contract import PUBLIC
from games.sketch import as_text
from tests.games.drawn import Drawn

drawn = Drawn(CATAN_CARDS)

WIDTHS = {
    letter: width
    for width, letters in (
        *((320, "i"), (360, "l"), (400, "j"), (440, "I"), (490, "rt"), (510, "f"), (560, "J"), (580, "z"), (590, "s")),
        *((600, "v"), (610, "L"), (620, "x"), (640, "cy"), (660, "ak"), (670, "Fg"), (690, "e"), (700, "ETo")),
        *((720, "hnu"), (730, "Sbdpq"), (740, "Y"), (750, "Z"), (760, "KPRV"), (770, "B"), (780, "A"), (810, "C")),
        *((820, "X"), (840, "HN"), (850, "D"), (860, "GU"), (880, "O"), (900, "Qw"), (960, "m"), (1000, "MW")),
    )
    for letter in letters
}
"""The width of each letter in DejaVu Sans Bold, a wide font, in thousandths of the font size."""


def test_regions_show_number_resource_and_stock(table):
    t = table(stocks="1ku 3, 1od 0")
    shown = drawn.words(t.state)
    assert shown.count("grain") == shown.count("gold") == 2
    picture = t.state.picture()
    assert "<title>field 1, 3 grain</title>" in picture
    assert "<title>gold field 6, 0 gold</title>" in picture
    assert "Player 1: grain 1 at ku holds 3." in picture


def test_regions_sites_and_cards_can_be_tapped_and_typed(table):
    t = table("1lu1 Smithy", cities="1l", hands=("Abbey, ??", "???"))
    assert {"1ku", "2od", "1lu1", "1lu2", "1nd1", "Abbey"} <= set(drawn.places(t.state))
    assert "1nd2" not in drawn.places(t.state)
    t.state.phase, t.state.production = "roll", 0
    t.do("roll plenty 6")
    assert parse(t.state, "gain 1ku").at == "1ku"


def test_a_site_is_drawn_where_a_card_lies_irregularly(table):
    assert "1lu2" in drawn.places(table("1lu1 Smithy, 1lu2 Abbey").state)


def test_known_cards_are_named_and_unknown_ones_are_backs(table):
    t = table(hands=("Karl the Strong, ??", "??"))
    assert drawn.words(t.state).count("?") == 4
    assert "Karl" in drawn.words(t.state)
    assert "Karl" not in drawn.words(t.state.view(PUBLIC))


def test_points_tokens_and_sums_are_shown(table):
    t = table("1lu1 Karl the Strong, 1nu1 Ore Fleet", cities="1n")
    t.settle()
    shown = drawn.words(t.state)
    assert {"knight token", "windmill token"} <= set(shown)
    assert "Strength 7 · Commerce 1 · Tournament 1 · Hand 3 of 3" in shown
    assert "of 12" in shown


def test_the_dice_and_what_is_to_be_done_are_shown(table):
    t = table()
    t.state.phase, t.state.production = "roll", 0
    t.do("roll plenty 4")
    assert {"plenty 4", "Turn 1 of player 1", "A resource is to be chosen"} <= set(drawn.words(t.state))
    assert t.state.picture().count('stroke-width="5"') == 2


def test_the_winner_is_named(table):
    t = table(target=3)
    t.state.points = [4, 2]
    t.settle()
    assert "Player 1 won" in drawn.words(t.state)
    assert "player 1 won, 4 to 2 points" in t.state.picture()
    assert "Player 1 won" in as_text(t.state.sketch())


def test_a_draw_names_no_winner(table):
    t = table()
    t.rule("adjudge ranks=1,1")
    assert "A draw" in drawn.words(t.state)
    assert "A draw" in as_text(t.state.sketch())


def test_a_long_principality_fits_picture_and_terminal(table):
    t = table(cities="1l 1n")
    own = t.state.principalities[0]
    for side in ("right", "left", "right", "left", "right"):
        for place in own.stocks:
            own.stocks[place] = 3
        t.do(next(line for line in t.legal() if line.startswith(f"road {side}")))
        for place in own.stocks:
            own.stocks[place] = 3
        t.do(next(line for line in t.legal() if line.startswith(f"settlement {side}")), "regions gold3 ore4")
    lefts = [int(x) for x in re.findall(r'<rect x="(-?[0-9]+)"', t.state.picture())]
    assert min(lefts) >= 0
    text = as_text(t.state.sketch())
    assert max(map(len, text.splitlines())) <= 80
    assert "CITYn" in text
    own.regions = dict.fromkeys(own.regions, Land("lumber", 6))
    text = as_text(t.state.sketch())
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("lumbe") >= len(own.regions)


def test_an_empty_table_is_drawn(new):
    assert "setup" in new().state.picture()
    assert as_text(new().state.sketch())


def test_no_name_is_wider_than_its_card(table):
    """“HerbWoman” was, as its letters are wide."""
    wide = {}
    for card in CARDS:
        name = short_name(card)
        (size,) = re.findall(rf'font-size="(\d+)"[^>]*>{name}<', table(hands=(card, "??")).state.picture())
        wide[name] = int(size) * sum(map(WIDTHS.__getitem__, name)) / 1000
    assert {name: width for name, width in wide.items() if width > 182} == {}
