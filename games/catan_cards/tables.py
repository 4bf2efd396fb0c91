"""The table in rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.catan_cards.components import short_name
from games.catan_cards.principality import column, offset
from games.catan_cards.scoring import TOKENS, commerce, strength, tournament
from games.tables import CARDS, HAND, NONE, PILE, PLAYER, POINTS, Table, cards
from games.words import Sentence

if TYPE_CHECKING:
    from games.catan_cards.principality import Principality
    from games.catan_cards.state import CatanCardsState

ROWS = {
    "u2": Sentence("Outer sites above"),
    "u1": Sentence("Above the line"),
    "line": Sentence("The line"),
    "d1": Sentence("Below the line"),
    "d2": Sentence("Outer sites below"),
}
"""The rows of a principality from top to bottom, as sites are named by them."""
CENTRES = {"settlement": Sentence("settlement"), "city": Sentence("city")}
FREE, ROAD = Sentence("free site"), Sentence("road")


def tables(state: CatanCardsState) -> list[Table]:
    """Both principalities column by column, the players, and the stacks."""
    return [*(_principality(state, seat) for seat in (0, 1)), _players(state), _stacks(state)]


def _principality(state: CatanCardsState, seat: int) -> Table:
    own = state.principalities[seat]
    letters = columns(own)
    used = [row for row in ROWS if row[-1] != "2" or any(_site(own, f"{seat + 1}{letter}{row}") for letter in letters)]
    rows = ((ROWS[row], *(_cell(own, f"{seat + 1}{letter}", row) for letter in letters)) for row in used)
    heads = (Sentence("column {letter}", letter=letter) for letter in letters)
    caption = Sentence("Principality of {name}", name=state.seat_name(seat))
    return Table(caption, (Sentence("Row"), *heads), tuple(rows))


def columns(own: Principality) -> list[str]:
    """Every column of a principality, from the leftmost card to the rightmost."""
    used = [offset(place[1]) for place in own.regions] + [offset(letter) for letter in (*own.line, *own.roads)]
    return [column(x) for x in range(min(used), max(used) + 1)] if used else []


def _cell(own: Principality, at: str, row: str) -> str:
    letter = at[1]
    if row == "line":
        return ROAD if letter in own.roads else CENTRES.get(own.line.get(letter, ""), NONE)
    if letter in own.line:
        return _site(own, f"{at}{row}") or NONE
    place = f"{at}{row[0]}"
    if row.endswith("2") or place not in own.regions:
        return NONE
    land = own.regions[place]
    return Sentence(
        "{resource} {number}, stock {stock}", resource=land.resource, number=land.number, stock=own.stocks[place]
    )


def _site(own: Principality, site: str) -> str | None:
    """The card on a site; None if it is empty."""
    if site in own.sites:
        return short_name(own.sites[site])
    centre = own.line.get(site[1])
    return FREE if centre and (site.endswith("1") or centre == "city") else None


def _players(state: CatanCardsState) -> Table:
    heads = (
        PLAYER,
        POINTS,
        Sentence("Strength"),
        Sentence("Commerce"),
        Sentence("Tournament points"),
        Sentence("Tokens"),
        Sentence("Cards in hand"),
        HAND,
    )
    return Table(Sentence("Players"), heads, tuple(_player(state, seat) for seat in (0, 1)))


def _player(state: CatanCardsState, seat: int) -> tuple[str, ...]:
    hand = state.hands[seat]
    return (
        Sentence(state.seat_name(seat)),
        str(state.points[seat]),
        str(strength(state, seat)),
        str(commerce(state, seat)),
        str(tournament(state, seat)),
        cards([token for token, holder in zip(TOKENS, state.tokens, strict=True) if holder == seat]),
        Sentence("{count} of {limit}", count=len(hand), limit=state.limits[seat]),
        cards([short_name(card) for card in hand.known], hand.unknown),
    )


def _stacks(state: CatanCardsState) -> Table:
    rows = [
        (Sentence("stack {number}", number=number), str(stack.size)) for number, stack in enumerate(state.stacks, 1)
    ]
    if state.events:
        rows.append((Sentence("newest event"), state.events[-1] or cards((), 1)))
    rows += [(Sentence("left: {thing}", thing=thing), str(count)) for thing, count in state.supply.items()]
    rows.append((Sentence("Used up"), cards([*map(short_name, state.spent)])))
    return Table(Sentence("Stacks, and what is left to build"), (PILE, CARDS), tuple(rows))
