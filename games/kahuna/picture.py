"""The table as an SVG document: the board, the row and the hands, legible on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.kahuna.components import ANCHORAGES, ENDS, ISLANDS, LINES, PLACES, SEAS, members, owner
from games.kahuna.state import SEATS
from games.words import count_and_noun, result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.hidden import Hand
    from games.kahuna.state import KahunaState

STATUS, BOARD, CARDS, HAND = 90, 900, 180, 150
"""The heights of the bands from top to bottom; there are two hands."""
HEIGHT = STATUS + BOARD + CARDS + 2 * HAND

SEA, SHALLOWS, FOAM = "#1c7293", "#2b8aab", "#bfe3ea"
SAND, LAND, INK = "#e9d8a6", "#9cc069", "#10222b"
PAPER, BACK, GOLD = "#fbf6e6", "#b5553c", "#ffc531"
COLOURS = (("#15191c", "#f4f1e8"), ("#f7f4ea", "#15191c"))
"""By seat: the colour of its pieces, and a contrasting colour."""


def draw(state: KahunaState) -> str:
    """The whole table as one self-contained document."""
    body = [
        *_status(state),
        f'<g transform="translate(0 {STATUS})">',
        *_sea(),
        *_lines(state),
        *_ships(state),
        *_islands(state),
        "</g>",
        *_row(state, STATUS + BOARD),
        *_hand(state, 0, STATUS + BOARD + CARDS),
        *_hand(state, 1, STATUS + BOARD + CARDS + HAND),
    ]
    return svg.document(_title(state), _description(state), HEIGHT, INK, body)


# In words


def _title(state: KahunaState) -> str:
    black, white = state.totals()
    return f"Kahuna, {_moment(state)}, {black} to {white} points"


def _moment(state: KahunaState) -> str:
    if state.ending:
        return result(state.ending, SEATS.__getitem__)
    if state.due:
        return f"round {state.round}, the row is to be laid out" if state.round else "before the deal"
    last = ", last turns" if state.last_turns else ""
    return f"round {state.round}{last}, {SEATS[state.active]} {'must draw' if state.must_draw else 'to move'}"


def _description(state: KahunaState) -> str:
    sentences = []
    for seat, name in enumerate(SEATS):
        held = ", ".join(ISLANDS[island] for island in members(state.stones[seat])) or "no island"
        bridges = count_and_noun(state.bridges[seat].bit_count(), "bridge")
        cards = count_and_noun(len(state.hands[seat]), "card")
        sentences.append(f"{name.title()} holds {held} with {bridges} and has {cards}.")
        if state.ships[seat]:
            sentences.append(f"Its ships are in {', '.join(SEAS[sea] for sea in members(state.ships[seat]))}.")
    row = ", ".join(card or "a card not noted" for card in state.row) or "empty"
    return f"{' '.join(sentences)} The row: {row}. The deck: {count_and_noun(state.deck, 'card')}."


# Above the board


def _status(state: KahunaState) -> Iterator[str]:
    yield svg.text_with_players(660, svg.text(30, 58, _moment(state).capitalize(), 38, PAPER, bold=True))
    for seat, points in enumerate(state.totals()):
        x = 740 + 135 * seat
        yield _stone(x, 45, 24, seat)
        yield svg.text(x + 38, 59, str(points), 42, PAPER, bold=True)


# The board


def _sea() -> Iterator[str]:
    yield f'<rect width="{svg.WIDTH}" height="{BOARD}" fill="{SEA}"/>'
    yield f'<g fill="{SHALLOWS}">'
    for x, y in PLACES:
        yield f'<circle cx="{x}" cy="{y}" r="74"/>'
    yield "</g>"


def _lines(state: KahunaState) -> Iterator[str]:
    taken = state.bridges[0] | state.bridges[1]
    yield f'<g stroke="{FOAM}" stroke-width="8" stroke-linecap="round" stroke-dasharray="0 20">'
    for line in range(len(ENDS)):
        if not taken >> line & 1:
            yield _stroke(line)
    yield "</g>"
    for seat, (colour, contrast) in enumerate(COLOURS):
        for width, stroke, dashes in ((24, contrast, ""), (18, colour, ""), (10, contrast, ' stroke-dasharray="3 13"')):
            yield f'<g stroke="{stroke}" stroke-width="{width}"{dashes}>'
            for line in members(state.bridges[seat]):
                yield _stroke(line)
            yield "</g>"


def _stroke(line: int) -> str:
    (x1, y1), (x2, y2) = (PLACES[end] for end in ENDS[line])
    return f'<line data-at="{LINES[line]}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _islands(state: KahunaState) -> Iterator[str]:
    for island, (x, y) in enumerate(PLACES):
        yield f'{svg.group(ISLANDS[island])}<circle cx="{x}" cy="{y}" r="58" fill="{SAND}"/>'
        holder = owner(state.stones, island)
        ink, spaces = INK, state.spaces(island)
        if holder is None:
            yield f'<circle cx="{x}" cy="{y}" r="51" fill="{LAND}"/>'
        else:
            yield _stone(x, y, 50, holder)
            ink = COLOURS[holder][1]
        yield svg.text(x, y + 3, ISLANDS[island], 29, ink, bold=True, anchor="middle")
        yield svg.text(x, y + 31, f"{spaces // 2 + 1} of {spaces}", 24, ink, anchor="middle")
        yield "</g>"


def _ships(state: KahunaState) -> Iterator[str]:
    """The anchorages of all seas and the ships, in a game with ships."""
    if not state.options.seafarer:
        return
    yield f'<g fill="{SHALLOWS}">'
    for sea, (x, y) in enumerate(ANCHORAGES):
        yield f'<circle data-at="{SEAS[sea]}" cx="{x}" cy="{y}" r="26"/>'
    yield "</g>"
    for seat, (colour, contrast) in enumerate(COLOURS):
        for sea in members(state.ships[seat]):
            x, y = ANCHORAGES[sea]
            yield (
                f'<g data-at="{SEAS[sea]}" transform="translate({x} {y}) scale(.9)" fill="{colour}" '
                f'stroke="{contrast}" stroke-width="3" stroke-linejoin="round">'
                '<path d="M-32 10H32L20 30H-20Z"/><path d="M-4 4V-34L26 4Z"/><path d="M-12 4V-22L-28 4Z"/></g>'
            )


# The cards


def _row(state: KahunaState, top: int) -> Iterator[str]:
    yield f'<rect y="{top}" width="{svg.WIDTH}" height="{CARDS}" fill="#264653"/>'
    yield svg.text(30, top + 42, "Row", 28, FOAM)
    for place, card in enumerate(state.row):
        yield from _card(30 + 165 * place, top + 58, 150, card, f"type=take card={card}" if card else "type=take")
    yield svg.text(560, top + 42, "Deck", 28, FOAM)
    if state.deck:
        yield svg.group(means="type=draw")
        for offset in range(min(3, state.deck)):
            yield _cover(560 + 6 * offset, top + 58 - 4 * offset, 150)
        yield svg.text(647, top + 118, str(state.deck), 44, PAPER, bold=True, anchor="middle") + "</g>"
    discarded = len(state.played) + sum(len(pile) for pile in state.buried)
    yield svg.text(770, top + 42, "Discarded", 28, FOAM)
    yield svg.text(770, top + 122, str(discarded), 44, FOAM, bold=True)


def _hand(state: KahunaState, seat: int, top: int) -> Iterator[str]:
    hand = state.hands[seat]
    if state.to_move() == seat:
        yield svg.box(8, top + 6, svg.WIDTH - 16, HAND - 12, 18, "#33545f", (GOLD, 6))
    yield _stone(62, top + 54, 28, seat)
    yield svg.player_name(seat, 125, svg.text(100, top + 65, SEATS[seat].title(), 34, PAPER, bold=True))
    yield svg.text(30, top + 118, count_and_noun(state.bridges[seat].bit_count(), "bridge"), 27, FOAM)
    yield from _fan(hand, 232, top + 27)


def _fan(hand: Hand, left: int, top: int) -> Iterator[str]:
    """The cards of a hand side by side, closer together the more there are."""
    cards: Sequence[str | None] = [*hand.known, *[None] * hand.unknown]
    step = min(152, (svg.WIDTH - left - 160) // max(1, len(cards) - 1))
    for place, card in enumerate(cards):
        yield from _card(left + step * place, top, 144, card) if card else _back(left + step * place, top, 144)


def _card(x: int, y: int, width: int, card: str | None, means: str | None = None) -> Iterator[str]:
    yield svg.group(card, means)
    yield svg.box(x, y, width, 96, 10, PAPER, (INK, 2))
    yield svg.box(x + 6, y + 6, width - 12, 84, 6, SAND)
    yield svg.text(x + width // 2, y + 60, card or "?", 36, INK, bold=True, anchor="middle")
    yield "</g>"


def _back(x: int, y: int, width: int) -> Iterator[str]:
    yield svg.group(means="type=discard") + _cover(x, y, width)
    middle = x + width // 2
    yield (
        f'<path d="M{middle - 34} {y + 48}L{middle} {y + 22}L{middle + 34} {y + 48}L{middle} {y + 74}Z" fill="none" '
        f'stroke="{PAPER}" stroke-width="4" opacity=".55"/></g>'
    )


def _cover(x: int, y: int, width: int) -> str:
    return svg.box(x, y, width, 96, 10, BACK, (PAPER, 3))


# Pieces


def _stone(x: int, y: int, radius: int, seat: int) -> str:
    return svg.disc(x, y, radius, *COLOURS[seat])
