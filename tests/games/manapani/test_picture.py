"""The picture and the sketch show what lies on the table, and say it in words."""

from __future__ import annotations

from itertools import pairwise

from games.manapani import MANAPANI
from games.manapani.components import COLOURS, SAMPLE
from games.manapani.picture import CHIPS
from games.manapani.ring import Ring
from games.sketch import as_text
from tests.cases import cases
from tests.games.drawn import SVG, Drawn

drawn = Drawn(MANAPANI)


def square(state, label: str) -> list[str]:
    """The words on a square."""
    (group,) = (element for element in drawn.picture(state).iter(f"{SVG}g") if element.get("data-at") == label)
    return [element.text for element in group.iter(f"{SVG}text")]


def test_every_square_is_shown_with_its_number_and_kind(table):
    t = table(held=["b"])
    assert square(t.state, "1 fire land") == ["1", "fire"]
    assert square(t.state, "9 water elemental") == ["9", "water", "Elemental"]
    assert square(t.state, "18 fort") == ["18", "Fort"]
    assert len(drawn.places(t.state)) == 24


def test_lands_have_their_owner_level_and_pawns(table):
    t = table(held=["b"], lands={2: (2, 3)}, pawns=[2, 2])
    assert square(t.state, "2 fire land") == ["2", "fire", "P2", "3", "1", "2"]


def test_a_square_that_is_tapped_can_be_read(table):
    t = table(held=["rb"], lands={2: (1, 1)}, pawns=[4])
    t.do("roll 1 1")
    for label in drawn.places(t.state):
        assert t.state.parse(f"put 1 at {label}").place == int(label.split()[0])


def test_the_source_and_the_hands_are_shown_as_counts(table):
    t = table("Kobold ? ?", "? ?", held=["rrrbw", "g"])
    shown = drawn.words(t.state)
    at = shown.index("Mana source")
    assert shown[at + 1 : at + 6] == ["17", "19", "20", "19", "19"]
    assert "Kobold" in shown
    at = shown.index("Player 1")
    assert shown[at : at + 9] == ["Player 1", "5", "mana", "3", "1", "0", "0", "1", "3"]


def sketch_of(shape) -> tuple[str, str]:
    """The form of a chip without its place, size and colour: what it has corners, and whether one of them is up."""
    if shape.tag == f"{SVG}circle":
        return "disc", ""
    points = [tuple(map(float, point.split(","))) for point in shape.attrib["points"].split()]
    return f"{len(points)} corners", str([y for _, y in points].count(min(y for _, y in points)))


def test_chips_of_no_two_colours_are_told_apart_by_colour_alone(table):
    """In the source, in hands and on lands: each colour has a form of its own, and its name stands at the source."""
    t = table(held=["rrrbbyyggw"], lands={2: (1, 1), 8: (1, 2), 14: (1, 3), 20: (1, 4)})
    forms: dict[str, set[tuple[str, str]]] = {}
    for element in drawn.picture(t.state).iter():
        if element.get("fill") in {fill for fill, _ in CHIPS} and element.tag in (f"{SVG}circle", f"{SVG}polygon"):
            forms.setdefault(element.attrib["fill"], set()).add(sketch_of(element))
    assert len(forms) == len({form for found in forms.values() for form in found}) == len(COLOURS)
    assert set(COLOURS) <= set(drawn.words(t.state))


def test_a_fight_is_shown_as_it_stands(fight, table):
    t = fight("fire", 1, "Kobold Gremlin Salamander", "Minotaur SnowGiant")
    t.do("pay Kobold", "pay Gremlin", "pay Salamander bb", "pay SnowGiant", "pay Minotaur b")
    shown = " ".join(drawn.words(t.state))
    assert "Kobold, Gremlin, Salamander (X=2)" in shown
    text = as_text(t.state.sketch())
    assert "attack   3  Kobold Gremlin Salamander" in text
    assert "defence  6  Minotaur Snow Giant" in text
    t = table("? ?", "?", lands={2: (2, 1)})
    t.do("roll 1 1", "attack 2")
    assert "2 face down" in drawn.words(t.state)


def test_the_cards_of_a_large_fight_are_shown_as_far_as_they_fit(fight):
    cards = "FireGiant FireGiant GreenDragon Guardian SnowGiant Hurricane"
    shown = " ".join(drawn.words(fight("fire", 1, cards, "Kobold").state))
    assert "Fire Giant #1 (unpaid), Fire Giant #2 (unpaid), Green Dragon" in shown
    assert "Hurricane (unpaid)" in shown
    assert "…" not in shown
    assert "…" in " ".join(drawn.words(fight("fire", 1, f"{cards} RedDragon Salamander Kobold", "").state))


def test_what_awaits_a_player_is_said(table):
    t = table("Slow", held=["gb"])
    t.do("cast Slow 2")
    t.state.stuck[0] = True
    assert {"one die next", "cannot move next", "Slow"} <= set(drawn.words(t.state))


def test_the_title_says_how_it_stands(table, new):
    t = table("Shield", held=["b", "rr"])
    assert "<title>Manapani, turn 1, player 1 to act, 1 to 2 mana</title>" in t.state.picture()
    assert "before the first turn" in new().state.picture()
    t.do("cast Shield")
    assert "Player 2 won" in drawn.words(t.state)


@cases(
    ("components", "told"),
    [
        (SAMPLE, "Invented board and deck: a sample."),
        (SAMPLE | {"deck": SAMPLE["deck"] | {"Troll": 3}}, "Invented board: a sample."),
        (SAMPLE | {"board": ["start", "fire land", "fort"]}, "Invented deck: a sample."),
        ({"board": ["start", "fire land", "fort"], "deck": SAMPLE["deck"] | {"Troll": 3}}, None),
    ],
)
def test_what_is_made_up_is_shown_as_such(new, components, told):
    state = new(2, components).state
    shown = [text for text in drawn.words(state) if "Invented" in text]
    assert shown == ([told] if told else [])
    assert ("Invented" in as_text(state.sketch())) is (told is not None)


def test_a_sketch_fits_a_terminal(table):
    t = table(
        "Kobold " * 2 + "SnowGiant RedDragon GreenDragon HellPlant",
        lands={23: (2, 5)},
        held=["rrrrrbbbbbyyyyygggggwwwww", "b"],
    )
    text = as_text(t.state.sketch())
    assert max(map(len, text.splitlines())) <= 80
    assert "23 earth" in text
    assert "P2 ooooo" in text
    assert "Source red 15  blue 14  yellow 15" in text


def test_pawns_in_a_sketch_hide_no_level(table):
    t = table("", "", "", "", lands={8: (2, 5)}, held=["b"], pawns=[8] * 4)
    lines = as_text(t.state.sketch()).splitlines()
    (at,) = (index for index, line in enumerate(lines) if "8 water" in line)
    assert [line.strip() for line in lines[at + 1 : at + 3]] == ["P2 ooooo", "1234"]


@cases("most", [7, 8])
@cases("squares", [2, 3, 5, 8, 13, 23, 24, 25, 40, 99, 100])
def test_a_track_of_any_length_is_a_ring_of_neighbours(squares, most):
    ring = Ring.for_squares(squares, most)
    cells = [ring.cell(place) for place in range(squares)]
    assert len(set(cells)) == squares
    assert all(0 <= column < ring.columns <= most and 0 <= row < ring.rows for column, row in cells)
    assert all(abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1 for one, two in pairwise(cells))


@cases("squares", [2, 9, 60, 100])
def test_boards_of_any_length_are_drawn(new, squares):
    board = ["start", "fort", *["fire land"] * (squares - 2)] if squares > 2 else ["start", "fire land"]
    deck = SAMPLE["deck"] | {"Brave Attack": 0}
    state = new(4, {"board": board, "deck": deck}).state
    assert len(drawn.places(state)) == squares
    assert max(map(len, as_text(state.sketch()).splitlines())) <= 80
