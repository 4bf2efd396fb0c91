"""The table in rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kahuna.components import BRIDGES, ENDS, ISLANDS, LINES_AT, SEAS, SEAS_AT, members, owner
from games.kahuna.state import SEATS
from games.tables import CARDS, HAND, NONE, PILE, PLAYER, POINTS, Table, cards
from games.words import Sentence

if TYPE_CHECKING:
    from games.kahuna.state import KahunaState


def tables(state: KahunaState) -> list[Table]:
    """Each island with its owner and its bridges, both players, and the cards."""
    return [_islands(state), _players(state), _piles(state)]


def _islands(state: KahunaState) -> Table:
    sailed = any(state.ships)
    columns = (
        Sentence("Island"),
        Sentence("Owner"),
        *(Sentence("Bridges of {name}", name=name) for name in SEATS),
        Sentence("Free spaces"),
        *([Sentence("Ships")] if sailed else []),
    )
    rows = (_island(state, island, sailed=sailed) for island in range(len(ISLANDS)))
    return Table(Sentence("Islands, and where their bridges lead"), columns, tuple(rows))


def _island(state: KahunaState, island: int, *, sailed: bool) -> tuple[str, ...]:
    holder = owner(state.stones, island)
    around = LINES_AT[island]
    free = around & ~state.bridges[0] & ~state.bridges[1]
    cells = (
        ISLANDS[island],
        NONE if holder is None else Sentence(SEATS[holder]),
        *(_far_islands(island, bridges & around) for bridges in (*state.bridges, free)),
    )
    return (*cells, _ships(state, island)) if sailed else cells


def _far_islands(island: int, lines: int) -> str:
    """The islands at the other ends of lines."""
    ends = (ENDS[line] for line in members(lines))
    return cards([ISLANDS[b if a == island else a] for a, b in ends])


def _ships(state: KahunaState, island: int) -> str:
    black, white = (cards([SEAS[sea] for sea in members(ships & SEAS_AT[island])]) for ships in state.ships)
    if black is NONE or white is NONE:
        whose, seas = (SEATS[1], white) if black is NONE else (SEATS[0], black)
        return NONE if seas is NONE else Sentence("{name} in {seas}", name=whose, seas=seas)
    return Sentence("{name} in {seas}, {other} in {others}", name=SEATS[0], seas=black, other=SEATS[1], others=white)


def _players(state: KahunaState) -> Table:
    columns = (PLAYER, POINTS, Sentence("Islands"), Sentence("Bridges left"), HAND)
    totals = state.totals()
    rows = (
        (
            Sentence(name),
            str(totals[seat]),
            str(state.island_count(seat)),
            str(BRIDGES - state.bridges[seat].bit_count()),
            cards(state.hands[seat].known, state.hands[seat].unknown),
        )
        for seat, name in enumerate(SEATS)
    )
    return Table(Sentence("Players"), columns, tuple(rows))


def _piles(state: KahunaState) -> Table:
    row = [card for card in state.row if card]
    rows = (
        (Sentence("Row"), cards(row, len(state.row) - len(row))),
        (Sentence("Deck"), str(state.deck)),
        (Sentence("Discards"), cards(state.played, sum(map(len, state.buried)))),
    )
    return Table(CARDS, (PILE, CARDS), rows)
