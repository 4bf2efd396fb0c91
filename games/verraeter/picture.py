"""The table as an SVG document: the circle of lands with the conflict in its middle, and the players below it."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from games import svg
from games.verraeter.components import LANDS, PLACES, ROUNDS, SAMPLE_POINTS, House, border
from games.verraeter.conflict import strengths
from games.verraeter.rounds import step_words
from games.words import counted, name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.verraeter.state import Holding, Strength, VerraeterState

STATUS, CIRCLE, PLAYER, TABLE = 90, 1060, 150, 250
"""The heights of the bands from top to bottom; there is a band for each player."""

CENTRE = (svg.WIDTH // 2, CIRCLE // 2)
RADIUS, INNER = 400, 270
"""How far from the centre the lands and the places of the conflict lie."""

GROUND, BAND, INK = "#27352b", "#31443a", "#14201a"
PAPER, MIST, GOLD, BACK = "#f7f1e1", "#c9d6c4", "#ffc531", "#8a4b38"
HOUSE: dict[House | None, tuple[str, str]] = {
    "Eagle": ("#efe3c0", "#1d2a22"),
    "Rose": ("#7d2238", "#fbeef0"),
    None: ("#56655c", "#f7f1e1"),
}
"""Of each house: the colour of its cards, and one that stands out against it."""
SEATS = (("#1b1d22", "#fbfaf6"), ("#fbfaf6", "#1b1d22"), ("#c2452d", "#fbfaf6"), ("#2f6fab", "#fbfaf6"))
"""Of each seat: the colour of its cards, and one that stands out against it."""


def draw(state: VerraeterState) -> str:
    """The whole table, as one document without anything outside it."""
    top = STATUS + CIRCLE
    bottom = top + PLAYER * state.seats
    height = bottom + TABLE
    body = [
        *_status(state),
        f'<rect y="{STATUS}" width="{svg.WIDTH}" height="{CIRCLE}" fill="{GROUND}"/>',
        f'<g transform="translate(0 {STATUS})">',
        *_lands(state),
        *_sites(state),
        *_middle(state),
        "</g>",
        *(part for seat in range(state.seats) for part in _player(state, seat, top + PLAYER * seat)),
        *_points(state, bottom),
    ]
    return svg.document(_title(state), _description(state), height, INK, body)


# In words


def _title(state: VerraeterState) -> str:
    return f"Verräter, {_moment(state)}, {' to '.join(map(str, state.totals()))} points"


def _moment(state: VerraeterState) -> str:
    if state.ending:
        return f"{' and '.join(name(seat) for seat in state.ending.winners)} won"
    if not state.round:
        return "before the first round"
    seat = state.to_move()
    return f"round {state.round} of {ROUNDS[state.seats]}" + (f", {name(seat)} to act" if seat is not None else "")


def _description(state: VerraeterState) -> str:
    sentences = []
    for place, land in enumerate(state.lands):
        if land:
            held = state.holdings[place]
            card = f" with {_kind(held.side)} of {name(held.seat)}" if held else ""
            sentences.append(f"Land {place + 1} is {land}, {state.owners[place]}{card}.")
    sentences += [f"{strength}." for strength in strengths(state) or ()]
    for seat, hand in enumerate(state.hands):
        sentences.append(
            f"{name(seat).capitalize()} belongs to {state.houses[seat]} and holds {counted(len(hand), 'card')}."
        )
    return " ".join(sentences)


def _kind(side: str) -> str:
    return "an estate" if side == "estate" else "a trading post"


# Above the circle


def _status(state: VerraeterState) -> Iterator[str]:
    yield svg.telling(940, svg.text(30, 58, _moment(state).capitalize(), 36, PAPER, bold=True))


# The circle


def _spot(place: float, radius: int) -> tuple[int, int]:
    """A point at a place in the circle; place 0 lies right of the top."""
    angle = 2 * pi * (place + 0.5) / PLACES
    return round(CENTRE[0] + radius * sin(angle)), round(CENTRE[1] - radius * cos(angle))


def _lands(state: VerraeterState) -> Iterator[str]:
    for place, land in enumerate(state.lands):
        x, y = _spot(place, RADIUS)
        fill, ink = HOUSE[state.owners[place]]
        held = state.holdings[place]
        if held:
            yield from _estate(held, place)
        yield svg.group(state.label(place) if land else None, f"type=put place={place}|type=turn place={place}")
        yield svg.box(x - 78, y - 58, 156, 116, 14, fill)
        yield svg.text(x, y - 26, f"{place + 1} · {state.owners[place] or '?'}", 22, ink, anchor="middle")
        yield svg.text(x, y + 6, land or "?", 24, ink, bold=True, anchor="middle")
        yield svg.text(x, y + 46, str(LANDS[land]) if land else "?", 38, ink, bold=True, anchor="middle")
        yield "</g>"


def _estate(held: Holding, place: int) -> Iterator[str]:
    """A card that looks out from under a land, on the side away from the middle."""
    x, y = _spot(place, RADIUS)
    y += 84 if y > CENTRE[1] else -84
    fill, ink = SEATS[held.seat]
    words = "estate" if held.side == "estate" else "post"
    yield svg.box(x - 48, y - 28, 96, 56, 12 if held.side == "estate" else 28, fill, (PAPER, 3))
    yield svg.text(x, y + 9, words, 26, ink, bold=True, anchor="middle")


def _sites(state: VerraeterState) -> Iterator[str]:
    """The borders at which the conflict can be, or is."""
    if state.due == "site":
        for place in state.borders():
            x, y = _spot(place + 0.5, INNER)
            yield svg.group(border(place))
            yield f'<circle cx="{x}" cy="{y}" r="32" fill="{BAND}" stroke="{GOLD}" stroke-width="4"/>'
            yield svg.text(x, y + 8, border(place), 22, PAPER, anchor="middle") + "</g>"
    elif state.site is not None:
        x, y = _spot(state.site + 0.5, INNER)
        yield f'{svg.group(border(state.site))}<circle cx="{x}" cy="{y}" r="40" fill="{GOLD}"/>'
        cross = f"M{x - 17} {y - 17}L{x + 17} {y + 17}M{x + 17} {y - 17}L{x - 17} {y + 17}"
        yield f'<path d="{cross}" stroke="{INK}" stroke-width="8"/></g>'


def _middle(state: VerraeterState) -> Iterator[str]:
    x, y = CENTRE
    yield svg.text(x, y - 108, "" if state.ending else step_words(state).capitalize(), 21, MIST, anchor="middle")
    for row, strength in enumerate(strengths(state) or ()):
        yield from _sum(strength, y - 66 + 88 * row)
    yield svg.text(x, y + 140, f"Pile {state.pile}", 28, PAPER, anchor="middle")
    yield svg.text(x, y + 176, f"Discards {' '.join(state.discards)}", 22, MIST, anchor="middle")


def _sum(strength: Strength, top: int) -> Iterator[str]:
    fill, ink = HOUSE[strength.house]
    x = CENTRE[0]
    yield svg.box(x - 205, top, 410, 78, 14, fill)
    words, _, parts = str(strength).partition(" = ")
    yield svg.text(x, top + 33, words, 32, ink, bold=True, anchor="middle")
    yield svg.text(x, top + 64, parts, 22, ink, anchor="middle")


# The players


def _player(state: VerraeterState, seat: int, top: int) -> Iterator[str]:
    edge = (GOLD, 6) if state.to_move() == seat else None
    yield svg.box(8, top + 6, svg.WIDTH - 16, PLAYER - 12, 18, BAND, edge)
    yield _mark(52, top + 46, 24, seat)
    yield svg.named(seat, 150, svg.text(90, top + 58, name(seat).capitalize(), 32, PAPER, bold=True))
    yield svg.text(276, top + 58, str(state.totals()[seat]), 38, GOLD, bold=True, anchor="middle")
    fill, ink = HOUSE[state.houses[seat]]
    yield svg.box(30, top + 84, 110, 44, 10, fill)
    yield svg.text(85, top + 115, state.houses[seat], 26, ink, bold=True, anchor="middle")
    marks = [word for word, has in (("start", state.start == seat), ("strategy", state.strategy == seat)) if has]
    yield svg.text(154, top + 115, " · ".join(marks), 22, GOLD)
    hand = state.hands[seat]
    yield from _cards([*hand.known, *[None] * hand.unknown], 330, top + 22)
    laid = state.laid[seat]
    if laid:
        yield svg.text(668, top + 44, "laid", 22, MIST)
        yield from _cards(list(laid), 668, top + 54, 72)
    action = state.actions[seat] if state.actions else _noted(state.choices[seat])
    yield svg.text(330, top + 130, action, 26, PAPER, bold=True)


def _noted(choice: str | None) -> str:
    """An action card that still lies face down."""
    return f"({choice})" if choice else ""


def _cards(cards: list[str | None], left: int, top: int, height: int = 76) -> Iterator[str]:
    for place, card in enumerate(cards):
        x = left + 62 * place
        yield svg.group(card)
        yield svg.box(x, top, 54, height, 8, PAPER if card else BACK, (INK, 2))
        yield svg.text(x + 27, top + 51, card or "?", 36, INK if card else PAPER, bold=True, anchor="middle") + "</g>"


def _mark(x: int, y: int, radius: int, seat: int) -> str:
    return svg.disc(x, y, radius, *SEATS[seat])


# What the lands are worth


def _points(state: VerraeterState, top: int) -> Iterator[str]:
    """The points of the lands for so many winners, as far as they are known."""
    title = "Invented points" if state.given == SAMPLE_POINTS else "Points"
    yield svg.text(30, top + 40, title, 24, MIST)
    for column, land in enumerate(LANDS):
        yield svg.text(310 + 125 * column, top + 40, land, 22, MIST, anchor="middle")
    for winners in range(1, state.seats + 1):
        y = top + 40 + 46 * winners
        yield svg.text(30, y, counted(winners, "winner"), 24, MIST)
        for column, land in enumerate(LANDS):
            points = state.known_points(land, winners)
            words = "–" if points is None else str(points)
            yield svg.text(310 + 125 * column, y, words, 28, PAPER, bold=points is not None, anchor="middle")


# Words
