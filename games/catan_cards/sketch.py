"""The table as a drawing for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.catan_cards.components import short_name
from games.catan_cards.principality import SIDES, column, offset
from games.catan_cards.scoring import TOKENS, commerce, strength, tournament
from games.catan_cards.steps import step_words
from games.sketch import Canvas, Sketch, Span
from games.words import name, result

if TYPE_CHECKING:
    from games.catan_cards.components import Land
    from games.catan_cards.state import CatanCardsState

WIDTH = 80
LABEL = 10
"""The length of the longest label of a region."""
STEP = 9
"""The width in characters of a settlement with its road, if the line is short enough."""


def draw(state: CatanCardsState) -> Sketch:
    """Both principalities with stocks and expansions, and the known cards of hands."""
    return [
        [Span(_moment(state), state.to_move())],
        *(line for seat in (0, 1) for line in _player(state, seat)),
        [
            Span("Stacks ", "faint"),
            Span(" ".join(str(stack.size) for stack in state.stacks)),
            Span("  Supply ", "faint"),
            Span(", ".join(f"{count} {thing}" for thing, count in state.supply.items())),
        ],
    ]


def _moment(state: CatanCardsState) -> str:
    if state.ending:
        return result(state.ending, name).capitalize()
    dice = f" ({state.face} {state.production})" if state.production else ""
    return f"{name(state.active).capitalize()}, turn {state.turns[state.active]}{dice}: {step_words(state)}"


def _player(state: CatanCardsState, seat: int) -> Sketch:
    hand = state.hands[seat]
    held = [*(short_name(card) for card in hand.known), *["?"] * hand.unknown]
    tokens = [token for token, holder in zip(TOKENS, state.tokens, strict=True) if holder == seat]
    head = [
        Span(f"{name(seat).capitalize()}  {state.points[seat]} points", seat),
        Span("".join(f"  {token} token" for token in tokens)),
    ]
    sums = f"strength {strength(state, seat)}  commerce {commerce(state, seat)}  tournament {tournament(state, seat)}"
    hands = [Span(f"Hand {len(hand)} of {state.limits[seat]}  ", "faint"), *_wrapped(" ".join(held) or "-")]
    return [head, [Span(sums, "faint")], *_line(state, seat), hands, *_sites(state, seat)]


def _wrapped(text: str) -> list[Span]:
    return [Span(text if len(text) <= WIDTH - 16 else f"{text[: WIDTH - 17]}…")]


def _line(state: CatanCardsState, seat: int) -> Sketch:
    """The line from left to right, with regions above and below it. Dots are stocks."""
    own = state.principalities[seat]
    if not own.line:
        return []
    canvas, columns = Canvas(), [*map(offset, [*(place[1] for place in own.regions), *own.line, *own.roads])]
    first, last = min(columns), max(columns)
    width = min(STEP, (WIDTH - LABEL) // (last - first))
    for place, land in own.regions.items():
        x = (offset(place[1]) - first) * width
        top = 0 if place[2] == SIDES[0] else 3
        canvas.write(top, x, _label(place, land, 2 * width - 1))
        stock = own.stocks[place]
        canvas.write(top + 1, x, "●" * stock + "○" * (3 - stock), seat)
    for x in range(first, last + 1):
        letter = column(x)
        if letter in own.line:
            canvas.write(2, (x - first) * width, "CITY" if own.line[letter] == "city" else "sett", seat)
            canvas.write(2, (x - first) * width + 4, letter, "faint")
        elif letter in own.roads:
            canvas.write(2, (x - first) * width, "===", seat)
    return canvas.sketch()


def _label(place: str, land: Land, room: int) -> str:
    """A region's place, resource and number. The resource is cut to the room."""
    return f"{place[1:]} {land.resource[: room - 4]}{land.number}"


def _sites(state: CatanCardsState, seat: int) -> Sketch:
    """The expansions, on as many lines as needed."""
    lines, text = [], ""
    for site, card in sorted(state.principalities[seat].sites.items()):
        word = f"{site[1:]} {short_name(card)}"
        if text and len(text) + len(word) + 2 > WIDTH:
            lines.append([Span(text)])
            text = ""
        text += f"  {word}" if text else word
    return [*lines, [Span(text)]] if text else lines
