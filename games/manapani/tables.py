"""The table in rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.manapani import fights
from games.manapani.components import COLOURS
from games.tables import CARDS, HAND, NONE, PILE, PLAYER, POINTS, Table, cards
from games.words import Sentence

if TYPE_CHECKING:
    from games.manapani.state import Fight, ManapaniState

COLOUR_NAMES = (Sentence("Red"), Sentence("Blue"), Sentence("Yellow"), Sentence("Green"), Sentence("White"))
"""The columns of chips, in the order of the colours."""
KINDS = (
    *(Sentence("start"), Sentence("fort"), Sentence("sanctuary")),
    *(Sentence("fire land"), Sentence("water land"), Sentence("wind land"), Sentence("earth land")),
    *(Sentence("fire elemental"), Sentence("water elemental"), Sentence("wind elemental"), Sentence("earth elemental")),
)
"""The kinds of places."""
SIDES = (Sentence("Attacker"), Sentence("Defender"))


def tables(state: ManapaniState) -> list[Table]:
    """The places in the direction of play, the current fight, the players, the source and the cards."""
    fight = state.fight if state.due != "toll" else None
    return [_places(state), *([_fight(state, fight)] if fight else []), _players(state), _chips(state), _piles(state)]


def _places(state: ManapaniState) -> Table:
    columns = (Sentence("Place"), Sentence("Kind"), Sentence("Owner"), Sentence("Level"), Sentence("Who stands there"))
    rows = (_place(state, place) for place in range(len(state.box.board)))
    return Table(Sentence("Places in the direction of play"), columns, tuple(rows))


def _place(state: ManapaniState, place: int) -> tuple[str, ...]:
    owner = state.owners[place]
    land = place in state.box.lands
    return (
        str(place),
        KINDS[KINDS.index(str(state.box.board[place]))],
        NONE if owner is None else Sentence(state.seat_name(owner)),
        str(state.levels[place]) if land else NONE,
        _pawns_at(state, place),
    )


def _pawns_at(state: ManapaniState, place: int) -> str:
    names = [Sentence(state.seat_name(seat)) for seat, pawn in enumerate(state.pawns) if pawn == place]
    return _listed(names)


def _listed(names: list[Sentence]) -> str:
    if len(names) < 2:
        return names[0] if names else NONE
    return Sentence("{first}, {others}", first=names[0], others=_listed(names[1:]))


def _fight(state: ManapaniState, fight: Fight) -> Table:
    columns = (Sentence("Side"), PLAYER, Sentence("Power"), CARDS)
    powers = fights.powers(state, fight)
    rows = tuple(
        (SIDES[side], Sentence(state.seat_name(seat)), str(powers[side]), _laid(fight, side))
        for side, seat in enumerate(fight.seats)
    )
    return Table(Sentence("The fight for {place}", place=state.label(fight.place)), columns, rows)


def _laid(fight: Fight, side: int) -> str:
    shown = [fights.label(fight, index) for index, laid in enumerate(fight.cards) if laid.side == side]
    return cards(shown, 0 if shown else fight.counts[side] or 0)


def _players(state: ManapaniState) -> Table:
    columns = (PLAYER, POINTS, Sentence("Place"), HAND, *COLOUR_NAMES)
    rows = (
        (
            Sentence(state.seat_name(seat)),
            str(state.totals()[seat]),
            state.label(state.pawns[seat]),
            cards(state.hands[seat].known, state.hands[seat].unknown),
            *map(str, state.chips[seat]),
        )
        for seat in range(state.seats)
    )
    return Table(Sentence("Players and their chips"), columns, tuple(rows))


def _chips(state: ManapaniState) -> Table:
    rows = ((name, str(count)) for name, count in zip(COLOUR_NAMES[: len(COLOURS)], state.source, strict=True))
    return Table(Sentence("The mana source"), (Sentence("Colour"), Sentence("Chips")), tuple(rows))


def _piles(state: ManapaniState) -> Table:
    rows = (
        (Sentence("Draw pile"), str(state.pile)),
        (Sentence("Discards"), cards(state.discards.known, state.discards.unknown)),
    )
    return Table(CARDS, (PILE, CARDS), rows)
