"""The table as an SVG document: the ring of squares around source and fight, and the players below it."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from games import svg
from games.manapani import fights
from games.manapani.chips import words
from games.manapani.components import COLOURS, WHITE
from games.manapani.describe import has_sample_board, has_sample_deck
from games.manapani.ring import Ring
from games.manapani.turns import step_words
from games.words import count_and_noun, name, result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.manapani.state import Fight, LaidCard, ManapaniState

NO_BREAK = "\N{NO-BREAK SPACE}"
STATUS, PLAYER, KNOWN = 90, 156, 54
"""The heights of the line at the top, of each player's band, and of known cards in it."""
MOST_COLUMNS, LARGEST_CELL = 8, 142
MIDDLE_WIDTH, MIDDLE_HEIGHT = 640, 560
"""The part with the source and the fight: inside the ring if it is wide enough, else below it."""

GROUND, BAND, INK = "#2a2f3a", "#373d4b", "#14171f"
PAPER, MIST, GOLD, BACK = "#f7f1e1", "#c3cad8", "#ffc531", "#7a4a8c"
CHIPS = (
    ("#d8432f", "#fbfaf6"),
    ("#2f78c4", "#fbfaf6"),
    ("#f0c02c", "#14171f"),
    ("#3f9a4d", "#fbfaf6"),
    ("#f4f2ec", "#14171f"),
)
"""For each colour of chips, the drawn colour and a contrasting one."""
OUTLINES = ((3, 1.4, 0), None, (4, 1.22, 0), (4, 1.25, 45), (6, 1.1, 0))
"""The number of corners of each colour of chips, its size relative to a disc, and its rotation; None is a disc.

So colour is never the only difference: a flame's triangle, a drop, a kite, a field, and a hexagon for white.
"""
LANDS = (
    ("#f3c3b4", "#5d170c"),
    ("#bcd8f2", "#0e3257"),
    ("#f7e7a6", "#4f3d00"),
    ("#c2e3c2", "#12401a"),
    ("#d9d4e6", "#2a2140"),
)
"""For the squares of each element, and of none, the colour and a contrasting one."""
SEATS = (("#1b1d22", "#fbfaf6"), ("#fbfaf6", "#1b1d22"), ("#b3261e", "#fbfaf6"), ("#1c5fa8", "#fbfaf6"))
"""For each seat, the colour of its marks and a contrasting one."""


def draw(state: ManapaniState) -> str:
    """The whole table, as one self-contained document."""
    ring = Ring.for_squares(len(state.box.board), MOST_COLUMNS)
    cell = min(LARGEST_CELL, svg.WIDTH // ring.columns)
    track = ring.rows * cell
    inside = (ring.columns - 2) * cell >= MIDDLE_WIDTH and (ring.rows - 2) * cell >= MIDDLE_HEIGHT
    below = STATUS + track + (0 if inside else MIDDLE_HEIGHT)
    band = PLAYER + KNOWN * any(hand.known for hand in state.hands)
    height = below + band * state.seats + 8
    middle_top = STATUS + ((track - MIDDLE_HEIGHT) // 2 if inside else track)
    body = [
        svg.text_with_players(940, svg.text(30, 60, _moment(state).capitalize(), 38, PAPER, bold=True)),
        f'<g transform="translate({(svg.WIDTH - ring.columns * cell) // 2} {STATUS})">',
        *(part for place in range(len(state.box.board)) for part in _square(state, place, ring, cell)),
        "</g>",
        f'<g transform="translate({(svg.WIDTH - MIDDLE_WIDTH) // 2} {middle_top})">',
        *_middle(state),
        "</g>",
        *(part for seat in range(state.seats) for part in _player(state, seat, below + band * seat, band)),
    ]
    return svg.document(_title(state), _description(state), height, GROUND, body)


# In words


def _title(state: ManapaniState) -> str:
    return f"Manapani, {_moment(state)}, {' to '.join(map(str, state.totals()))} mana"


def _moment(state: ManapaniState) -> str:
    if state.ending:
        return result(state.ending, name)
    if not state.turn:
        return "before the first turn"
    seat = state.to_move()
    return f"turn {state.turn}, {name(state.active if seat is None else seat)} to act"


def _description(state: ManapaniState) -> str:
    sentences = [f"In the source: {words(state.source)}."]
    for place in state.box.lands:
        owner = state.owners[place]
        if owner is not None:
            sentences.append(f"{state.label(place)} is {name(owner)}'s, level {state.levels[place]}.")
    for seat, chips in enumerate(state.chips):
        where, cards = state.label(state.pawns[seat]), count_and_noun(len(state.hands[seat]), "card")
        sentences.append(f"{name(seat).capitalize()} stands on {where} and holds {words(chips)} and {cards}.")
    return " ".join([*sentences, *_invented(state)])


def _invented(state: ManapaniState) -> list[str]:
    """The names of the invented components."""
    parts = ["board"] * has_sample_board(state) + ["deck"] * has_sample_deck(state)
    return [f"Invented {' and '.join(parts)}: a sample."] if parts else []


# The track


def _square(state: ManapaniState, place: int, ring: Ring, size: int) -> Iterator[str]:
    square = state.box.board[place]
    column, row = ring.cell(place)
    x, y, inner = column * size + 4, row * size + 4, size - 8
    fill, ink = LANDS[state.box.colours[place]]
    owner = state.owners[place]
    stands = place in state.pawns and state.pawns[state.active] == place and state.turn > 0
    if square.kind != "land":
        fill, ink = ink, fill
    yield svg.group(state.label(place), f"place={place}" + "|type=claim|type=leave" * stands)
    yield svg.box(x, y, inner, inner, 14, fill, (GOLD, 6) if stands else None)
    yield svg.text(x + 10, y + 30, f"{place}", 26, ink, bold=True)
    yield svg.text(x + inner - 8, y + 30, square.element or "", 24, ink, anchor="end")
    if square.kind != "land":
        yield svg.text(x + inner // 2, y + 66, square.kind.capitalize(), 23, ink, anchor="middle")
    if owner is not None:
        yield from _ownership(state, place, x, y, size)
    yield from _pawns([seat for seat, pawn in enumerate(state.pawns) if pawn == place], x, y + inner, inner)
    yield "</g>"


def _ownership(state: ManapaniState, place: int, x: int, y: int, size: int) -> Iterator[str]:
    """The owner's mark on a land, and its chips."""
    owner, level = state.owners[place], state.levels[place]
    if owner is None:
        return
    fill, ink = SEATS[owner]
    yield svg.box(x + 6, y + 40, size - 20, 42, 10, fill)
    yield svg.text(x + 16, y + 71, f"P{owner + 1}", 28, ink, bold=True)
    yield _chip(x + size - 64, y + 61, 15, state.box.colours[place])
    yield svg.text(x + size - 29, y + 71, str(level), 30, ink, bold=True, anchor="middle")


def _pawns(seats: Sequence[int], x: int, bottom: int, width: int) -> Iterator[str]:
    step = min(38, width // max(1, len(seats)))
    for slot, seat in enumerate(seats):
        yield _mark(x + 24 + step * slot, bottom - 24, 19, seat)


# Source and fight


def _middle(state: ManapaniState) -> Iterator[str]:
    centre = MIDDLE_WIDTH // 2
    yield svg.text(centre, 36, "" if state.ending else step_words(state).capitalize(), 26, MIST, anchor="middle")
    yield svg.text(0, 86, "Mana source", 28, PAPER, bold=True)
    for colour, count in enumerate(state.source):
        x = 56 + 132 * colour
        yield svg.group(means=f"type=gain colour={COLOURS[colour]}") + _chip(x, 152, 44, colour)
        yield svg.text(x, 166, str(count), 42, CHIPS[colour][1], bold=True, anchor="middle") + "</g>"
    for colour, chip in enumerate(COLOURS):
        yield svg.text(56 + 132 * colour, 224, chip, 21, MIST, anchor="middle")
    yield svg.text(0, 248, f"Pile {state.pile}   Discards {len(state.discards)}", 28, PAPER)
    yield svg.text(MIDDLE_WIDTH, 248, _this_turn(state), 28, GOLD, bold=True, anchor="end")
    if state.fight and state.due != "toll":
        yield from _fight(state, state.fight, 274)
    for sentence in _invented(state):
        yield svg.text(centre, MIDDLE_HEIGHT - 14, sentence, 26, GOLD, anchor="middle")


def _this_turn(state: ManapaniState) -> str:
    """The spells of this turn, and the handicaps of the roll."""
    cast = [f"die set to {state.face}" if card == "Holy Dice" else card for card in state.spells]
    parts = [*cast, "one die" * state.slowed, "cannot move" * state.held]
    return ", ".join(part for part in parts if part)


def _fight(state: ManapaniState, fight: Fight, top: int) -> Iterator[str]:
    sums = fights.powers(state, fight)
    for side, seat in enumerate(fight.seats):
        y = top + 124 * side
        yield svg.box(0, y, MIDDLE_WIDTH, 114, 14, BAND)
        yield _mark(36, y + 32, 20, seat)
        yield svg.text(70, y + 42, fights.SIDES[side].capitalize(), 28, PAPER, bold=True)
        yield svg.text(MIDDLE_WIDTH - 20, y + 50, str(sums[side]), 42, GOLD, bold=True, anchor="end")
        cards = [(index, laid) for index, laid in enumerate(fight.cards) if laid.side == side]
        shown = ", ".join(_card_words(fight, index, laid) for index, laid in cards)
        shown = shown or f"{fight.counts[side] or 0} face down" * (not fight.cards and fight.counts[side] is not None)
        for line, part in enumerate(_wrapped(shown, 58, 3)):
            yield svg.text(20, y + 76 + 18 * line, part, 20, MIST)


def _card_words(fight: Fight, index: int, laid: LaidCard) -> str:
    """A revealed card with its condition."""
    notes = [f"X={laid.x}"] * bool(laid.x) + ["nullified"] * laid.void + ["halved"] * bool(laid.halved)
    notes += ["stolen"] * (laid.side != laid.origin) + ["unpaid"] * (not laid.live)
    return fights.label(fight, index) + (f" ({', '.join(notes)})" if notes else "")


def _wrapped(text: str, width: int, most: int) -> list[str]:
    """A list in lines of `width` characters. After `most` lines an ellipsis replaces the rest."""
    whole = re.sub("(?<!,) ", NO_BREAK, text)
    return [line.replace(NO_BREAK, " ") for line in textwrap.wrap(whole, width, max_lines=most, placeholder=" …")]


# The players


def _player(state: ManapaniState, seat: int, top: int, height: int) -> Iterator[str]:
    edge = (GOLD, 6) if state.to_move() == seat else None
    yield svg.box(8, top + 6, svg.WIDTH - 16, height - 12, 18, BAND, edge)
    yield _mark(54, top + 52, 28, seat)
    yield svg.player_name(seat, 190, svg.text(96, top + 64, name(seat).capitalize(), 34, PAPER, bold=True))
    yield svg.text(330, top + 66, str(state.totals()[seat]), 44, GOLD, bold=True, anchor="middle")
    yield svg.text(330, top + 98, "mana", 24, MIST, anchor="middle")
    for colour, count in enumerate(state.chips[seat]):
        x = 440 + 84 * colour
        yield _chip(x, top + 56, 30, colour) if count else ""
        ink = CHIPS[colour][1] if count else MIST
        yield svg.text(x, top + 68, str(count), 34, ink, bold=bool(count), anchor="middle")
    hand, hidden = state.hands[seat], len(state.face_down(seat))
    yield svg.box(872, top + 22, 96, 68, 10, BACK, (PAPER, 1))
    yield svg.text(920, top + 70, str(len(hand) - hidden), 40, PAPER, bold=True, anchor="middle")
    marks = ["one die next"] * state.slow[seat] + ["cannot move next"] * state.stuck[seat]
    yield svg.text(30, top + 128, f"on {state.label(state.pawns[seat])}", 26, MIST)
    yield svg.text(330, top + 128, " · ".join(marks), 26, GOLD)
    for line, part in enumerate(_wrapped(", ".join(hand.known), 72, 2)):
        yield svg.text(30, top + 160 + 28 * line, part, 24, PAPER)


# Parts


def _chip(x: int, y: int, radius: int, colour: int) -> str:
    fill, edge, outline = CHIPS[colour][0], INK if colour == WHITE else PAPER, OUTLINES[colour]
    if outline is None:
        return svg.disc(x, y, radius, fill, edge)
    corners, larger, turned = outline
    return svg.polygon(x, y, larger * radius, corners, turned, fill, edge)


def _mark(x: int, y: int, radius: int, seat: int) -> str:
    """A player's pawn or mark, with the number of the seat."""
    fill, ink = SEATS[seat]
    size = radius * 3 // 2
    return svg.disc(x, y, radius, fill, ink) + svg.text(
        x, y + size // 3, str(seat + 1), size, ink, bold=True, anchor="middle"
    )
