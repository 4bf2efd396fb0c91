"""Is it allowed? Every rule that a move would break, and every move that breaks none."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from games.errors import RuleBrokenError
from games.verraeter.components import ACTIONS, COPIES, HAND_LIMIT, HOUSES, PLACES, POSTS, bounds
from games.verraeter.conflict import conquest
from games.verraeter.effects import alternating, is_time, step_words
from games.verraeter.moves import (
    Aside,
    Choose,
    Draw,
    Hold,
    Lands,
    Lay,
    Points,
    Put,
    Reveal,
    Site,
    Skip,
    Start,
    Turn,
    VerraeterMove,
)
from games.verraeter.rounds import excess, to_move
from games.verraeter.state import UNSEEN
from games.words import name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.verraeter.state import VerraeterState


def breaches(state: VerraeterState, move: VerraeterMove) -> Iterator[RuleBrokenError]:
    """Every rule that the move would break."""
    if move.seat is not None and move.seat >= len(state.houses):
        return
    if state.outcome and type(move) is not Hold:
        yield RuleBrokenError(state.outcome.rule, "the game is over")
    if not is_time(state, move):
        return
    check = _CHECKS.get(type(move))
    if check:
        yield from check(state, move)


def _start(state: VerraeterState, move: Start) -> Iterator[RuleBrokenError]:
    if move.starts >= state.seats or len(move.houses) != state.seats:
        return
    if move.houses[move.starts] != "Eagle":
        yield RuleBrokenError("verraeter:3", f"{name(move.starts)} starts and must belong to Eagle")
    if state.options.alternating_allegiance and list(move.houses) != alternating(state.seats, move.starts):
        yield RuleBrokenError("verraeter:A1", "the houses do not alternate from the start player on")


def _lands(state: VerraeterState, move: Lands) -> Iterator[RuleBrokenError]:
    before = zip(state.lands, state.owners, strict=True)
    sides = [(new.land, new.house) if new else old for new, old in zip(move.lands, before, strict=True)]
    told = {(laid.land, laid.house) for laid, known in zip(move.lands, state.lands, strict=True) if laid and not known}
    for land, house in dict.fromkeys(sides):
        if (land, house) in told and sides.count((land, house)) > 1:
            yield RuleBrokenError("verraeter:5", f"both lands {land} lie with {house} up: one of each house begins")


def _put(state: VerraeterState, move: Put) -> Iterator[RuleBrokenError]:
    if state.due == "estates":
        yield from _turns(state, move.seat, "verraeter:7")
        if move.side == "post":
            yield RuleBrokenError("verraeter:7", "in the setup a card comes into play as an estate")
        return
    yield from _builder(state, move.seat)
    if move.side == "post":
        yield from _posts(state, move.seat)


def _turn(state: VerraeterState, move: Turn) -> Iterator[RuleBrokenError]:
    yield from _builder(state, move.seat)
    held = state.holdings[move.place]
    if held and held.seat != move.seat:
        yield RuleBrokenError("verraeter:20", f"the card at {state.label(move.place)} is {name(held.seat)}'s")
    if held and held.side == "estate":
        yield from _posts(state, held.seat)


def _skip(state: VerraeterState, move: Skip) -> Iterator[RuleBrokenError]:
    yield from _builder(state, move.seat)


def _builder(state: VerraeterState, seat: int) -> Iterator[RuleBrokenError]:
    if state.due != "build":
        yield RuleBrokenError("verraeter:20", f"{name(seat)} is not asked to build: now {step_words(state)}")
        return
    builder = state.actor("Builder")
    if builder is not None and builder != seat:
        yield RuleBrokenError("verraeter:20", f"{name(builder)} is the Builder, not {name(seat)}")


def _posts(state: VerraeterState, seat: int) -> Iterator[RuleBrokenError]:
    if state.in_play(seat, "post") >= POSTS:
        yield RuleBrokenError("verraeter:21", f"{name(seat)} has {POSTS} trading posts in play already")


def _site(state: VerraeterState, move: Site) -> Iterator[RuleBrokenError]:
    if move.seat != state.strategy:
        yield RuleBrokenError("verraeter:11", f"{name(state.strategy)} holds the strategy card, not {name(move.seat)}")


def _lay(state: VerraeterState, move: Lay) -> Iterator[RuleBrokenError]:
    if state.laid[move.seat] is not None:
        yield RuleBrokenError("verraeter:13", f"{name(move.seat)} has laid already")
    else:
        yield from _turns(state, move.seat, "verraeter:13")
    yield from _drawn(state, move.seat, move.cards)


def _hold(state: VerraeterState, move: Hold) -> Iterator[RuleBrokenError]:
    yield from _drawn(state, move.seat, move.cards)


def _drawn(state: VerraeterState, seat: int, cards: Sequence[str]) -> Iterator[RuleBrokenError]:
    """Whether cards are where they cannot be since the discards were shuffled."""
    if state.hands[seat].can_hold(cards) and not state.can_have(seat, cards):
        why = f"by what lay in the discards when they were shuffled {name(seat)} cannot hold {' '.join(cards)}"
        yield RuleBrokenError("verraeter:A17", why)


def _turns(state: VerraeterState, seat: int, rule: str) -> Iterator[RuleBrokenError]:
    """Going round the table from the start player on."""
    turn = to_move(state)
    if turn is not None and turn != seat:
        yield RuleBrokenError(rule, f"it is {name(turn)}'s turn, not {name(seat)}'s")


def _points(state: VerraeterState, move: Points) -> Iterator[RuleBrokenError]:
    won = conquest(state)
    if won is None:
        return
    land, winners = state.lands[won.place], len(state.members(won.winner))
    worth = state.known_worth(land)
    least, most = bounds(worth, winners)
    if worth[winners - 1] not in (None, move.points):
        why = f"{land} brought {worth[winners - 1]} to each of {winners} winners before"
        yield RuleBrokenError("verraeter:A33", f"{why}, not {move.points}")
    elif not least <= move.points <= most:
        why = f"{land} brings {least} to {most} to each of {winners} winners after what was read of it before"
        yield RuleBrokenError("verraeter:A33", f"{why}, not {move.points}")


def _draw(state: VerraeterState, move: Draw) -> Iterator[RuleBrokenError]:
    if move.seat != state.draws[0][0]:
        return
    limit, count = excess(state), len(move.discards)
    if count > limit:
        yield RuleBrokenError("verraeter:A13", f"{name(move.seat)} can discard {limit} before this draw, not {count}")
    elif state.options.strict_overflow and 0 < count < limit:
        yield RuleBrokenError("verraeter:A28", f"{name(move.seat)} discards all {limit} cards too many, or none")
    yield from _drawn(state, move.seat, move.discards)


_CHECKS: dict[type[VerraeterMove], Callable[[VerraeterState, Any], Iterator[RuleBrokenError]]] = {
    Start: _start,
    Lands: _lands,
    Put: _put,
    Turn: _turn,
    Skip: _skip,
    Site: _site,
    Lay: _lay,
    Points: _points,
    Draw: _draw,
    Hold: _hold,
}


def legal_moves(state: VerraeterState) -> Iterator[VerraeterMove]:
    """Every legal move, with what chance decides left open.

    Noting what one holds is always allowed and never listed.
    """
    find = _LEGAL.get(state.due or "")
    if find:
        yield from find(state)


def _starts(state: VerraeterState) -> Iterator[VerraeterMove]:
    for starts in range(state.seats):
        if state.options.alternating_allegiance:
            yield Start(starts=starts)
            continue
        for houses in product(HOUSES, repeat=state.seats):
            if houses[starts] == "Eagle":
                yield Start(starts=starts, houses=houses)


def _circle(_: VerraeterState) -> Iterator[VerraeterMove]:
    yield Lands(lands=(None,) * PLACES)


def _estates(state: VerraeterState) -> Iterator[VerraeterMove]:
    seat = to_move(state)
    for place, held in enumerate(state.holdings):
        if held is None and seat is not None:
            yield Put(seat=seat, place=place)


def _sites(state: VerraeterState) -> Iterator[VerraeterMove]:
    for place in state.borders():
        yield Site(seat=state.strategy, place=place)


def _lays(state: VerraeterState) -> Iterator[VerraeterMove]:
    seat = to_move(state)
    if seat is not None:
        for cards in _possible(state, seat, HAND_LIMIT):
            yield Lay(seat=seat, cards=cards)
    yield from _notes(state)


def _possible(state: VerraeterState, seat: int, most: int) -> list[tuple[str, ...]]:
    """Every choice of cards, up to so many, that a hand can hold, as far as is known; the fewest first."""
    hand = state.hands[seat]
    found: list[tuple[tuple[str, ...], int]] = [((), hand.unknown)]
    for card in COPIES:
        known = hand.known.count(card)
        able = known + (min(hand.unknown, state.at_large(card)) if hand.unknown else 0)
        runs = [((card,) * count, max(0, count - known)) for count in range(able, -1, -1)]
        found = [
            (cards + run, unknown - lacking)
            for cards, unknown in found
            for run, lacking in runs
            if lacking <= unknown and len(cards) + len(run) <= most
        ]
    chosen = sorted((cards for cards, _ in found), key=len)
    return list(filter(state.shuffled.test(seat, hand), chosen)) if state.shuffled else chosen


def _notes(state: VerraeterState) -> Iterator[VerraeterMove]:
    """The action cards that can be noted before they are revealed."""
    free = [action for action in ACTIONS if action not in state.choices and action != state.aside]
    for seat in state.order():
        if state.choices[seat] is None:
            for action in free:
                yield Choose(seat=seat, action=action)
    if state.aside is None:
        for action in free:
            yield Aside(seat=state.start, action=action)


def _reveals(state: VerraeterState) -> Iterator[VerraeterMove]:
    noted = [(seat, chosen) for seat, chosen in enumerate(state.choices) if chosen not in (None, UNSEEN)]
    for actions in permutations([action for action in ACTIONS if action != state.aside], state.seats):
        if not noted or all(actions[seat] == chosen for seat, chosen in noted):
            yield Reveal(actions=actions)
    yield from _notes(state)


def _readings(state: VerraeterState) -> Iterator[VerraeterMove]:
    won = conquest(state)
    if won is not None:
        least, most = bounds(state.known_worth(state.lands[won.place]), len(state.members(won.winner)))
        for points in range(least, most + 1):
            yield Points(points=points)


def _builds(state: VerraeterState) -> Iterator[VerraeterMove]:
    seat = state.actor("Builder")
    if seat is None:
        return
    posts = state.in_play(seat, "post") < POSTS
    for place, held in enumerate(state.holdings):
        if held is None and state.reserve(seat):
            yield Put(seat=seat, place=place)
            if posts:
                yield Put(seat=seat, place=place, side="post")
        elif held and held.seat == seat and (posts or held.side == "post"):
            yield Turn(seat=seat, place=place)
    yield Skip(seat=seat)


def _draws(state: VerraeterState) -> Iterator[VerraeterMove]:
    limit = excess(state)
    seat, _ = state.draws[0]
    for cards in _possible(state, seat, limit):
        if not state.options.strict_overflow or len(cards) in (0, limit):
            yield Draw(seat=seat, discards=cards)


_LEGAL: dict[str, Callable[[VerraeterState], Iterator[VerraeterMove]]] = {
    "start": _starts,
    "lands": _circle,
    "estates": _estates,
    "site": _sites,
    "lay": _lays,
    "reveal": _reveals,
    "points": _readings,
    "build": _builds,
    "draw": _draws,
}
