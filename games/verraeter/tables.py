"""The table in rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.tables import CARDS, HAND, NONE, PILE, PLAYER, POINTS, Table, cards
from games.verraeter.components import LANDS, PLACES
from games.verraeter.conflict import strengths
from games.verraeter.state import UNSEEN
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from games.verraeter.state import Holding, VerraeterState

FACE_DOWN = Sentence("chosen, face down")
SIDES = {"estate": Sentence("estate of {name}"), "post": Sentence("trading post of {name}")}


def tables(state: VerraeterState) -> list[Table]:
    """The circle of lands, the current conflict, the players, the cards, and the points of lands."""
    return [_lands(state), *_conflict(state), _players(state), _piles(state), _worth(state)]


def _lands(state: VerraeterState) -> Table:
    columns = (Sentence("Land"), Sentence("House"), Sentence("Strength"), Sentence("Card under it"), CONFLICT)
    return Table(Sentence("The circle of lands, clockwise"), columns, tuple(_land(state, at) for at in range(PLACES)))


CONFLICT = Sentence("Conflict")


def _land(state: VerraeterState, place: int) -> tuple[str, ...]:
    land, house, site = state.lands[place], state.owners[place], state.site
    fought = site is not None and place in (site, (site + 1) % PLACES)
    return (
        f"{place + 1} {land or UNSEEN}",
        house or UNSEEN,
        str(LANDS[land]) if land else UNSEEN,
        _held(state, state.holdings[place]),
        Sentence("here") if fought else NONE,
    )


def _held(state: VerraeterState, held: Holding | None) -> str:
    return Sentence(SIDES[held.side].text, name=state.seat_name(held.seat)) if held else NONE


def _conflict(state: VerraeterState) -> list[Table]:
    sides = strengths(state)
    if not sides:
        return []
    rows = (
        (
            side.house,
            str(side.total),
            state.label(side.place),
            str(side.land),
            str(side.cards),
            cards(side.diplomats),
        )
        for side in sides
    )
    columns = (Sentence("House"), Sentence("Sum"), Sentence("Land"), Sentence("Strength"), CARDS, Sentence("Diplomats"))
    return [Table(CONFLICT, columns, tuple(rows))]


def _players(state: VerraeterState) -> Table:
    columns = (
        PLAYER,
        Sentence("House"),
        POINTS,
        HAND,
        Sentence("Laid"),
        Sentence("Action"),
        Sentence("Role"),
        Sentence("Cards in reserve"),
    )
    return Table(Sentence("Players"), columns, tuple(_player(state, seat) for seat in range(state.seats)))


def _player(state: VerraeterState, seat: int) -> tuple[str, ...]:
    hand, laid = state.hands[seat], state.laid[seat]
    return (
        Sentence(state.seat_name(seat)),
        state.houses[seat],
        str(state.totals()[seat]),
        cards(hand.known, hand.unknown),
        Sentence("not yet") if laid is None else cards(laid),
        _action(state, seat),
        _role(state, seat),
        str(state.reserve(seat)),
    )


def _action(state: VerraeterState, seat: int) -> str:
    if state.actions:
        return state.actions[seat]
    chosen = state.choices[seat]
    if chosen is None:
        return NONE
    return FACE_DOWN if chosen == UNSEEN else Sentence("{action}, face down", action=chosen)


def _role(state: VerraeterState, seat: int) -> str:
    if seat == state.start:
        return Sentence("start player and strategy card") if seat == state.strategy else Sentence("start player")
    return Sentence("strategy card") if seat == state.strategy else NONE


def _piles(state: VerraeterState) -> Table:
    rows = (
        (Sentence("Draw pile"), str(state.pile)),
        (Sentence("Discards"), cards(state.discards)),
    )
    return Table(CARDS, (PILE, CARDS), rows)


def _worth(state: VerraeterState) -> Table:
    """The known points of each land, by the number of winners."""
    winners = range(1, state.seats + 1)
    rows = ((land, *(_points(state.known_points(land, count)) for count in winners)) for land in LANDS)
    columns = (Sentence("Land"), *(count_and_noun(count, "winner") for count in winners))
    return Table(Sentence("Points of the lands for each winner"), columns, tuple(rows))


def _points(points: int | None) -> str:
    return UNSEEN if points is None else str(points)
