"""The table as an SVG document: player 2's principality, the stacks in the middle, and player 1's below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import svg
from games.catan_cards.components import ACTIONS, KNIGHTS, LANDS, RED, STORE, short_name
from games.catan_cards.scoring import TOKENS, commerce, strength, tournament
from games.catan_cards.steps import step_words
from games.catan_cards.tables import columns
from games.words import name, result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.catan_cards.components import Land, Resource
    from games.catan_cards.principality import Principality
    from games.catan_cards.state import CatanCardsState

STATUS, HEAD, HAND, MIDDLE = 90, 130, 120, 220
"""The heights of the bands: the status, each player's head and a row of a hand, and the stacks between the players."""
EDGE, GAP = 12, 6
WIDEST, ROW = 190, 150
"""The greatest width of a card, and the height of a row of cards."""
SMALLEST = 18
"""The smallest font size of a card's name."""
HELD = 5
"""The number of cards of a hand in a row."""
LEAST, FINGER = 420, 56
"""The least width in pixels to read and tap everything, and the width of a column of a principality."""

GROUND, BAND, INK = "#3a4a2f", "#2b3823", "#171e12"
PAPER, MIST, GOLD, BACK = "#f7f1e1", "#cdd8bf", "#ffc531", "#6a4a34"
FREE = "#4a5b3d"
YELLOW, GREEN, CRIMSON = "#f5df85", "#cfe3b4", "#f0bfae"
ROAD, STONE, CASTLE, ROOF = "#b89a6a", "#e9dfc8", "#7d2f3a", "#a2502c"
INKS: dict[Resource, tuple[str, str]] = {
    "grain": ("#ecc94b", INK),
    "ore": ("#8d99a6", INK),
    "wool": ("#a9d46f", INK),
    "lumber": ("#2f6b3c", PAPER),
    "brick": ("#b5532f", PAPER),
    "gold": ("#f3e08a", INK),
}
"""For each resource, the colour of its regions and a contrasting one."""


def draw(state: CatanCardsState) -> str:
    """The whole table, as one self-contained document."""
    body, top = [*_status(state)], STATUS
    for seat in (1, 0):
        drawn, height = _player(state, seat)
        band = [f'<g transform="translate(0 {top})">', *drawn, "</g>"]
        body += [svg.current(band)] if state.to_move() == seat else band
        top += height
        if seat == 1:
            body += [f'<g transform="translate(0 {top})">', *_middle(state), "</g>"]
            top += MIDDLE
    return svg.document(_title(state), _description(state), top, INK, body, _least(state))


def _least(state: CatanCardsState) -> int:
    """The least width in pixels: a longer principality needs more."""
    widest = max(len(columns(own)) for own in state.principalities)
    return max(LEAST, FINGER * svg.WIDTH // _wide(widest))


def _wide(count: int) -> int:
    """The width of a column, if there are `count` of them."""
    return min(WIDEST, (svg.WIDTH - 2 * EDGE) // max(1, count))


# In words


def _title(state: CatanCardsState) -> str:
    return f"The Settlers of Catan Card Game, {_moment(state)}, {state.points[0]} to {state.points[1]} points"


def _moment(state: CatanCardsState) -> str:
    if state.ending:
        return result(state.ending, name)
    turns = state.turns[state.active]
    return f"turn {turns} of {name(state.active)}" if turns else "setup"


def _description(state: CatanCardsState) -> str:
    sentences = [f"{step_words(state).capitalize()}."]
    for seat, own in enumerate(state.principalities):
        who = name(seat).capitalize()
        sentences.append(f"{who} holds {len(state.hands[seat])} cards and has {state.points[seat]} points.")
        sentences += [f"{who}: {land} at {at[1:]} holds {own.stocks[at]}." for at, land in own.regions.items()]
        sentences += [f"{who}: {centre} in column {at}." for at, centre in sorted(own.line.items())]
        sentences += [f"{who}: {card} at {at[1:]}." for at, card in sorted(own.sites.items())]
    sentences += [
        f"{name(holder).capitalize()} has the {token} token."
        for token, holder in zip(TOKENS, state.tokens, strict=True)
        if holder is not None
    ]
    return " ".join(sentences)


# Above and between the players


def _status(state: CatanCardsState) -> Iterator[str]:
    yield svg.text_with_players(760, svg.text(30, 42, _moment(state).capitalize(), 36, PAPER, bold=True))
    if state.ending is None:
        yield svg.text_with_players(760, svg.text(30, 76, step_words(state).capitalize(), 25, MIST))
    if state.ending is None and (state.production or state.alchemist):
        yield svg.text(svg.WIDTH - 30, 54, _dice(state), 36, GOLD, bold=True, anchor="end")


def _dice(state: CatanCardsState) -> str:
    return f"{state.face} {state.production}" if state.production else f"Alchemist {state.alchemist}"


def _middle(state: CatanCardsState) -> Iterator[str]:
    """The five stacks of expansion cards, the event stack, and the rest of the supply."""
    yield f'<rect width="{svg.WIDTH}" height="{MIDDLE}" fill="{BAND}"/>'
    for number, stack in enumerate(state.stacks, 1):
        x = 24 + 120 * (number - 1)
        yield svg.group(means=f"stack={number}") + _card(x, 20, 112, 130, BACK)
        yield svg.text(x + 56, 62, f"stack {number}", 24, MIST, anchor="middle")
        yield svg.text(x + 56, 120, str(stack.size), 46, PAPER, bold=True, anchor="middle") + "</g>"
    yield svg.group(means="type=event") + _card(634, 20, 150, 130, "#2f5f8a")
    yield svg.text(709, 62, "events", 24, PAPER, anchor="middle")
    last = state.events[-1] if state.events else ""
    if last:
        yield svg.lines(709, 100, last.split(), _fit(last.split(), 150, 26), PAPER)
    yield "</g>"
    for line, (thing, count) in enumerate(state.supply.items()):
        plural = "cities" if thing == "city" else f"{thing}s"
        yield svg.text(804, 52 + 40 * line, f"{plural} {count}", 25, PAPER)
    yield svg.text(30, 194, f"Used up: {' '.join(map(short_name, state.spent[-6:])) or '–'}", 24, MIST)


# A player


def _player(state: CatanCardsState, seat: int) -> tuple[list[str], int]:
    """A player's band, and its height."""
    own, hand = state.principalities[seat], state.hands[seat]
    cards = [*hand.known, *[None] * hand.unknown]
    rows = max(1, (len(cards) + HELD - 1) // HELD)
    top = HEAD + HAND * rows
    heights, letters = _rows(own), columns(own)
    height = top + sum(heights.values()) + 2 * EDGE
    drawn = [f'<rect width="{svg.WIDTH}" height="{height}" fill="{GROUND}"/>']
    drawn += [*_head(state, seat), *_held(cards, HEAD)]
    wide = _wide(len(letters))
    left = (svg.WIDTH - wide * len(letters)) // 2
    y = top + EDGE
    for row, high in heights.items():
        for index, letter in enumerate(letters):
            drawn += _cell(own, f"{seat + 1}{letter}", row, (left + wide * index, y, wide - GAP, high - GAP))
        y += high
    return drawn, height


def _rows(own: Principality) -> dict[str, int]:
    """The rows from top to bottom with their heights; outer sites only with a city."""
    if not own.regions:
        return {}
    outer = "city" in own.line.values() or any(site[3] == "2" for site in own.sites)
    rows = {"u2": ROW - 30, "u1": ROW, "line": ROW - 30, "d1": ROW, "d2": ROW - 30}
    return rows if outer else {row: high for row, high in rows.items() if not row.endswith("2")}


def _head(state: CatanCardsState, seat: int) -> Iterator[str]:
    edge = GOLD if state.to_move() == seat else BAND
    yield svg.box(8, 8, svg.WIDTH - 16, HEAD - 16, 16, BAND, (edge, 5))
    yield svg.player_name(seat, 180, svg.text(30, 56, name(seat).capitalize(), 34, PAPER, bold=True))
    yield svg.text(250, 60, str(state.points[seat]), 46, GOLD, bold=True, anchor="middle")
    yield svg.text(284, 56, f"of {state.options.target}", 26, MIST)
    x = 400
    for token, holder in zip(TOKENS, state.tokens, strict=True):
        if holder == seat:
            yield svg.box(x, 24, 250, 42, 21, GOLD)
            yield svg.text(x + 125, 54, f"{token} token", 26, INK, bold=True, anchor="middle")
            x += 265
    sums = (
        f"Strength {strength(state, seat)} · Commerce {commerce(state, seat)} · "
        f"Tournament {tournament(state, seat)} · Hand {len(state.hands[seat])} of {state.limits[seat]}"
    )
    yield svg.text(30, 102, sums, 27, MIST)


def _held(cards: list[str | None], top: int) -> Iterator[str]:
    wide = (svg.WIDTH - 2 * 20) // HELD
    for index, card in enumerate(cards):
        x, y = 20 + wide * (index % HELD), top + HAND * (index // HELD)
        fill, ink = (_paper(card), INK) if card else (BACK, PAPER)
        yield svg.group(card)
        yield _card(x, y + 2, wide - 10, HAND - 10, fill)
        words = short_name(card) if card else "?"
        size = _fit([words], wide - 10, 30)
        yield svg.text(x + (wide - 10) // 2, y + HAND // 2 + 8, words, size, ink, bold=True, anchor="middle")
        yield "</g>"


def _paper(card: str) -> str:
    if card in RED:
        return CRIMSON
    return YELLOW if card in ACTIONS else GREEN


# The principality, cell by cell


Cell = tuple[int, int, int, int]
"""The left edge, the top edge, the width and the height."""


def _cell(own: Principality, at: str, row: str, cell: Cell) -> Iterator[str]:
    """The card in one column of one row."""
    letter = at[1]
    if row == "line":
        yield from _centre(own, letter, cell)
    elif letter in own.line:
        site = f"{at}{row}"
        if site in own.sites:
            yield from _expansion(site, own.sites[site], cell)
        elif row.endswith("1") or own.line[letter] == "city":
            yield svg.group(site) + _card(*cell, FREE)
            yield svg.text(cell[0] + cell[2] // 2, cell[1] + cell[3] // 2 + 8, site[1:], 24, MIST, anchor="middle")
            yield "</g>"
    elif row.endswith("1") and (place := f"{at}{row[0]}") in own.regions:
        yield from _region(place, own.regions[place], own.stocks[place], cell)


def _region(place: str, land: Land, stock: int, cell: Cell) -> Iterator[str]:
    x, y, wide, high = cell
    fill, ink = INKS[land.resource]
    middle = x + wide // 2
    yield svg.group(place) + _card(*cell, fill)
    yield svg.text(x + 8, y + 32, place[1:], 24 if wide > 100 else 20, ink)
    yield svg.text(x + wide - 10, y + 38, str(land.number), 38, ink, bold=True, anchor="end")
    yield svg.text(middle, y + 76, land.resource, _fit([land.resource], wide, 30), ink, bold=True, anchor="middle")
    radius = min(15, wide // 8)
    for index in range(STORE):
        across = middle + (index - 1) * (2 * radius + 6)
        yield svg.disc(across, y + high - 30, radius, ink if index < stock else "none", ink)
    yield f"<title>{LANDS[land.resource]} {land.number}, {stock} {land.resource}</title></g>"


def _centre(own: Principality, letter: str, cell: Cell) -> Iterator[str]:
    x, y, wide, high = cell
    middle = x + wide // 2
    if letter in own.roads:
        yield svg.box(x - GAP, y + high // 2 - 16, wide + 2 * GAP, 32, 8, ROAD)
    elif letter in own.line:
        city = own.line[letter] == "city"
        yield svg.group() + _card(*cell, STONE)
        shape, fill = (_castle, CASTLE) if city else (_house, ROOF)
        yield f'<path d="{shape(middle, y + 72)}" fill="{fill}"/>'
        words = f"{own.line[letter]} {letter}" if wide > 170 else letter
        yield svg.text(middle, y + high - 12, words, 25, INK, bold=True, anchor="middle") + "</g>"


def _house(x: int, y: int) -> str:
    return f"M{x - 26} {y}v-30l26 -24l26 24v30z"


def _castle(x: int, y: int) -> str:
    return f"M{x - 34} {y}v-60h14v12h12v-12h16v12h12v-12h14v60z"


def _expansion(site: str, card: str, cell: Cell) -> Iterator[str]:
    x, y, wide, high = cell
    yield svg.group(site) + _card(*cell, _paper(card))
    words = [short_name(card)] if card in KNIGHTS or card.startswith("The ") else card.split()
    size = _fit(words, wide, 26)
    if size < SMALLEST:  # a long name on a narrow card reads upwards
        size, across, down = _fit([short_name(card)], high - 40, 26), x + wide // 2 + 8, y + high - 36
        upwards = svg.text(across, down, short_name(card), size, INK, bold=True)
        yield f'<g transform="rotate(-90 {across} {down})">{upwards}</g>'
    else:
        yield svg.lines(x + wide // 2, y + 46, words, size, INK)
    yield svg.text(x + wide // 2, y + high - 14, site[1:], 22, "#5a6350", anchor="middle") + "</g>"


# Parts


def _fit(words: list[str], wide: int, most: int) -> int:
    """The font size at which the longest word fits on a card."""
    return min(most, 14 * wide // (5 * max(map(_half_letters, words))))


def _half_letters(word: str) -> int:
    """The length of a word in halves of a letter. M and W are as wide as one and a half."""
    return 2 * len(word) + sum(map(word.upper().count, "MW"))


def _card(x: int, y: int, wide: int, high: int, fill: str) -> str:
    return svg.box(x, y, wide, high, 12, fill, (INK, 2))
