"""The table as an SVG document: the ring of lands with the conflict in its middle, and the players below it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from games import svg
from games.verraeter.components import LANDS, ROUNDS, SAMPLE_POINTS, House, border_label
from games.verraeter.conflict import strengths
from games.verraeter.rounds import step_words
from games.words import count_and_noun, name, result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.verraeter.state import Holding, Strength, VerraeterState

LEAST = 330
"""The least width in pixels to read and tap everything."""
STATUS, PLAYER, CARDS, LINE = 84, 100, 146, 52
"""The heights of the bands: the status, a player's head, a row of cards, and a line of the points."""
WIDE, HIGH = 250, 236
"""The width and height of a land. There are four in a row."""
RING = (*((x, 0) for x in range(4)), *((3, y) for y in range(1, 4)), *((x, 3) for x in (2, 1, 0)), (0, 2), (0, 1))
"""The column and the row of each place, clockwise from the corner at the top left."""
CARD = 133
"""The width and height of a supply card, large enough for a thumb."""
THUMB = 67
"""The radius of the tappable part of a border."""

GROUND, BAND, INK = "#27352b", "#31443a", "#14201a"
PAPER, MIST, GOLD, BACK = "#f7f1e1", "#c9d6c4", "#ffc531", "#8a4b38"
HOUSE: dict[House | None, tuple[str, str]] = {
    "Eagle": ("#efe3c0", "#1d2a22"),
    "Rose": ("#7d2238", "#fbeef0"),
    None: ("#56655c", "#f7f1e1"),
}
"""For each house, the colour of its cards and a contrasting one."""
SEATS = (("#1b1d22", "#fbfaf6"), ("#fbfaf6", "#1b1d22"), ("#c2452d", "#fbfaf6"), ("#2f6fab", "#fbfaf6"))
"""For each seat, the colour of its cards and a contrasting one."""


def draw(state: VerraeterState) -> str:
    """The whole table, as one self-contained document."""
    ring = [*_lands(state), *_sites(state), *_middle(state)]
    top = STATUS + 4 * HIGH + 8
    body = [
        *_status(state),
        f'<rect y="{STATUS}" width="{svg.WIDTH}" height="{4 * HIGH + 8}" fill="{GROUND}"/>',
        f'<g transform="translate(0 {STATUS + 4})">',
        *(ring if state.due in ("lay", "draw", None) else [svg.current(ring)]),
        "</g>",
    ]
    for seat in range(state.seats):
        band = [f'<g transform="translate(0 {top})">', *_player(state, seat), "</g>"]
        body += [svg.current(band)] if state.due in ("lay", "draw") and state.to_move() == seat else band
        top += _band(state, seat)
    body += _points(state, top)
    return svg.document(_title(state), _description(state), top + LINE * (len(LANDS) + 1) + 24, INK, body, LEAST)


# In words


def _title(state: VerraeterState) -> str:
    return f"Verräter, {_moment(state)}, {' to '.join(map(str, state.totals()))} points"


def _moment(state: VerraeterState) -> str:
    if state.ending:
        return result(state.ending, name)
    if not state.round:
        return "before the first round"
    seat = state.to_move()
    return f"round {state.round} of {ROUNDS[state.seats]}" + (f", {name(seat)} to act" if seat is not None else "")


def _description(state: VerraeterState) -> str:
    sentences = []
    for place, land in enumerate(state.lands):
        if land:
            held, owner = state.holdings[place], state.owners[place]
            card = f"Land {place + 1} is {land}, {owner} with {_kind(held.side)} of {name(held.seat)}." if held else ""
            sentences.append(card or f"Land {place + 1} is {land}, {owner}.")
    sentences += [f"{strength}." for strength in strengths(state) or ()]
    for seat, hand in enumerate(state.hands):
        sentences.append(
            f"{name(seat).capitalize()} belongs to {state.houses[seat]} and holds {count_and_noun(len(hand), 'card')}."
        )
    return " ".join(sentences)


def _kind(side: str) -> str:
    return "an estate" if side == "estate" else "a trading post"


# Above the ring


def _status(state: VerraeterState) -> Iterator[str]:
    yield svg.text_with_players(940, svg.text(30, 56, _moment(state).capitalize(), 38, PAPER, bold=True))


# The ring


def _centre(place: int) -> tuple[int, int]:
    """The middle of a land."""
    column, row = RING[place]
    return WIDE * column + WIDE // 2, HIGH * row + HIGH // 2


def _border_middle(place: int) -> tuple[int, int]:
    """The middle of the border between a land and the next one."""
    here, there = _centre(place), _centre((place + 1) % len(RING))
    return (here[0] + there[0]) // 2, (here[1] + there[1]) // 2


def _lands(state: VerraeterState) -> Iterator[str]:
    for place, land in enumerate(state.lands):
        x, y = (middle - side // 2 for middle, side in zip(_centre(place), (WIDE, HIGH), strict=True))
        fill, ink = HOUSE[state.owners[place]]
        yield svg.group(state.label(place) if land else None, f"type=put place={place}|type=turn place={place}")
        yield svg.box(x + 5, y + 5, WIDE - 10, HIGH - 10, 14, fill)
        yield svg.text(x + 22, y + 52, str(place + 1), 34, ink)
        yield svg.text(x + WIDE - 22, y + 58, str(LANDS[land]) if land else "?", 48, ink, bold=True, anchor="end")
        size = min(35, 320 // len(land or "?"))
        yield svg.text(x + WIDE // 2, y + 108, land or "?", size, ink, bold=True, anchor="middle")
        yield svg.text(x + WIDE // 2, y + 146, state.owners[place] or "?", 30, ink, anchor="middle")
        held = state.holdings[place]
        if held:
            yield from _holding(held, x, y + 160)
        yield "</g>"


def _holding(held: Holding, x: int, y: int) -> Iterator[str]:
    """The visible part of the card under a land."""
    fill, ink = SEATS[held.seat]
    words = "estate" if held.side == "estate" else "post"
    yield svg.box(x + 35, y, WIDE - 70, 58, 12 if held.side == "estate" else 29, fill, (PAPER, 3))
    yield svg.text(x + WIDE // 2, y + 41, f"{words} {held.seat + 1}", 32, ink, bold=True, anchor="middle")


def _sites(state: VerraeterState) -> Iterator[str]:
    """The borders at which a conflict is possible, or the border of the current one."""
    if state.due == "site":
        for place in state.borders():
            x, y = _border_middle(place)
            border = svg.group(border_label(place))
            yield f'{border}<circle cx="{x}" cy="{y}" r="{THUMB}" fill="{INK}" fill-opacity="0"/>'
            yield f'<circle cx="{x}" cy="{y}" r="27" fill="{BAND}" stroke="{GOLD}" stroke-width="6"/></g>'
    elif state.site is not None:
        x, y = _border_middle(state.site)
        yield f'{svg.group(border_label(state.site))}<circle cx="{x}" cy="{y}" r="36" fill="{GOLD}"/>'
        cross = f"M{x - 15} {y - 15}L{x + 15} {y + 15}M{x + 15} {y - 15}L{x - 15} {y + 15}"
        yield f'<path d="{cross}" stroke="{INK}" stroke-width="8"/></g>'


def _middle(state: VerraeterState) -> Iterator[str]:
    x, y = svg.WIDTH // 2, HIGH
    step = "" if state.ending else step_words(state).capitalize()
    if step:
        yield svg.lines(x, y + 66, textwrap.wrap(step, 27), 31, MIST, bold=False, leading=36)
    for row, strength in enumerate(strengths(state) or ()):
        yield from _sum(strength, y + 122 + 112 * row)
    yield svg.text(x, y + 384, f"Pile {state.pile}", 32, PAPER, anchor="middle")
    for row, line in enumerate(textwrap.wrap(f"Discards {' '.join(state.discards)}", 27)):
        yield svg.text(x, y + 420 + 32 * row, line, 29, MIST, anchor="middle")


def _sum(strength: Strength, top: int) -> Iterator[str]:
    fill, ink = HOUSE[strength.house]
    x = svg.WIDTH // 2
    yield svg.box(x - 200, top, 400, 102, 14, fill)
    words, _, parts = str(strength).partition(" = ")
    yield svg.text(x, top + 45, words, 40, ink, bold=True, anchor="middle")
    yield svg.text(x, top + 84, parts, min(30, 660 // len(parts)), ink, anchor="middle")


# The players


def _band(state: VerraeterState, seat: int) -> int:
    """The height of a player's band. Laid cards have a row of their own."""
    return PLAYER + CARDS * (bool(len(state.hands[seat])) + bool(state.laid[seat]))


def _player(state: VerraeterState, seat: int) -> Iterator[str]:
    edge = (GOLD, 6) if state.to_move() == seat else None
    yield svg.box(8, 6, svg.WIDTH - 16, _band(state, seat) - 12, 18, BAND, edge)
    yield svg.disc(54, 54, 26, *SEATS[seat])
    yield svg.player_name(seat, 190, svg.text(94, 66, name(seat).capitalize(), 36, PAPER, bold=True))
    yield svg.text(330, 68, str(state.totals()[seat]), 44, GOLD, bold=True, anchor="middle")
    fill, ink = HOUSE[state.houses[seat]]
    yield svg.box(380, 26, 120, 54, 10, fill)
    yield svg.text(440, 64, state.houses[seat], 32, ink, bold=True, anchor="middle")
    marks = [word for word, has in (("start", state.start == seat), ("strategy", state.strategy == seat)) if has]
    for row, mark in enumerate(marks):  # below each other, as the action beside them can be long
        yield svg.text(520, 64 + 18 * (2 * row + 1 - len(marks)), mark, 30, GOLD)
    action = state.actions[seat] if state.actions else _noted(state.choices[seat])
    yield svg.text(svg.WIDTH - 30, 64, action, 34, PAPER, bold=True, anchor="end")
    hand = state.hands[seat]
    yield from _cards([*hand.known, *[None] * hand.unknown], PLAYER - 8)
    laid = state.laid[seat]
    if laid:
        top = PLAYER - 8 + CARDS * bool(len(hand))
        yield from _cards(list(laid), top)
        yield svg.text(svg.WIDTH - 30, top + 80, "laid", 32, MIST, anchor="end")


def _noted(choice: str | None) -> str:
    """A noted action card that is still face down, in parentheses."""
    return f"({choice})" if choice else ""


def _cards(cards: list[str | None], top: int) -> Iterator[str]:
    for place, card in enumerate(cards):
        x = 24 + (CARD + 10) * place
        yield svg.group(card)
        yield svg.box(x, top, CARD, CARD, 12, PAPER if card else BACK, (INK, 2))
        middle, ink = x + CARD // 2, INK if card else PAPER
        yield svg.text(middle, top + 90, card or "?", 66, ink, bold=True, anchor="middle") + "</g>"


# The points of lands


def _points(state: VerraeterState, top: int) -> Iterator[str]:
    """The known points of each land for each number of winners."""
    title = "Invented points" if state.given == SAMPLE_POINTS else "Points"
    yield svg.text(30, top + 48, title, 32, MIST)
    winners = range(1, state.seats + 1)
    for count in winners:
        yield svg.text(220 + 170 * count, top + 48, count_and_noun(count, "winner"), 30, MIST, anchor="middle")
    for row, land in enumerate(LANDS, 1):
        y = top + 48 + LINE * row
        yield svg.text(30, y, land, 32, MIST)
        for count in winners:
            points = state.known_points(land, count)
            words = "–" if points is None else str(points)
            yield svg.text(220 + 170 * count, y, words, 34, PAPER, bold=points is not None, anchor="middle")
