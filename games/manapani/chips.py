"""Chips: gains from the source and mana panics, payments to the source or a player, and the ways to pay."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from operator import add, gt
from typing import TYPE_CHECKING

from games.contract import Effect
from games.errors import ImpossibleError
from games.manapani.components import COLOURS, COSTS, WHITE
from games.words import Sentence, join_by_and

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.manapani.components import Cost
    from games.manapani.state import ManapaniState

Payment = tuple[tuple[str, ...], tuple[int, ...]]
"""Chips from hand by colour, and the places of lands that give one chip each."""


def tally(chips: Sequence[str]) -> list[int]:
    """The number of chips of each colour."""
    return list(map(chips.count, COLOURS))


def words(chips: Sequence[int]) -> str:
    """Counted chips in words: `2 red, 1 white`."""
    return ", ".join([f"{count} {colour}" for count, colour in zip(chips, COLOURS, strict=True) if count]) or "nothing"


def single_chips(counted: Sequence[int]) -> tuple[str, ...]:
    """Counted chips as a list of single chips."""
    chips: tuple[str, ...] = ()
    for count, colour in zip(counted, COLOURS, strict=True):
        if count:
            chips += (colour,) * count
    return chips


# Gaining


def gain(state: ManapaniState, seat: int, colour: int, rule: str) -> list[Effect]:
    """Gain a chip from the source. Without such a chip a panic follows, if the colour can panic (manapani:27)."""
    if not state.source[colour]:
        return _panic(state, seat, colour)
    move(state, seat, colour, 1)
    if colour == WHITE and not state.source[WHITE]:
        state.taker, state.taken = seat, state.version
    return [Effect("chip.gained", rule, seat, (COLOURS[colour],), 1)]


def move(state: ManapaniState, seat: int, colour: int, count: int) -> None:
    """Move chips from the source to a hand; back for a negative number."""
    state.source[colour] -= count
    state.chips[seat][colour] += count
    state.hand_since[seat] = state.version


def _panic(state: ManapaniState, seat: int, colour: int) -> list[Effect]:
    """Halve all chips of a colour, in hands and on lands. The player who would have gained gets none (manapani:28).

    Several panics happen one after the other (manapani:29).
    """
    effects = [Effect("panic.struck", "manapani:27", seat, (COLOURS[colour],))]
    for owner, chips in enumerate(state.chips):
        lost = chips[colour] - chips[colour] // 2
        if lost:
            move(state, owner, colour, -lost)
            effects.append(Effect("chips.halved", "manapani:28", owner, (COLOURS[colour],), lost))
    for place in state.box.lands:
        if state.levels[place] and state.box.colours[place] == colour:
            effects += lower_level(state, place, state.levels[place] - state.levels[place] // 2, "manapani:28")
    return effects


# Lands


def set_level(state: ManapaniState, place: int, level: int) -> None:
    """Set the number of chips on a land. The caller moves the chips."""
    state.levels[place] = level
    state.land_since[place] = state.version


def lower_level(state: ManapaniState, place: int, count: int, rule: str) -> list[Effect]:
    """Return chips of a land to the source."""
    state.source[state.box.colours[place]] += count
    return take_off(state, place, count, rule)


def take_off(state: ManapaniState, place: int, count: int, rule: str) -> list[Effect]:
    """Take chips off a land. A land without chips loses its owner (manapani:15)."""
    owner = state.owners[place]
    set_level(state, place, state.levels[place] - count)
    effects = [Effect("level.lowered", rule, owner, (state.label(place),), count)]
    if not state.levels[place]:
        state.owners[place] = None
        effects.append(Effect("land.lost", "manapani:15", owner, (state.label(place),)))
    return effects


# Costs of cards


def require_chips(state: ManapaniState, seat: int, chips: Sequence[str]) -> list[int]:
    """Require that a player holds the chips, and return them counted. Raises `ImpossibleError`."""
    counted = tally(chips)
    if any(map(gt, counted, state.chips[seat])):
        held = words(state.chips[seat])
        raise ImpossibleError(
            "{name} holds {held}, and cannot give {words}",
            "manapani:2",
            name=state.seat_name(seat),
            held=held,
            words=words(counted),
        )
    return counted


def require_cost(state: ManapaniState, seat: int, chips: Sequence[str]) -> list[int]:
    """Require that a player holds a payment, and return it counted. Raises `ImpossibleError`, with help for typing."""
    counted = tally(chips)
    if any(map(gt, counted, state.chips[seat])):
        raise ImpossibleError(
            "{name} holds {held}, and cannot give {words}: enter = and what was paid, or = alone",
            "manapani:16",
            name=state.seat_name(seat),
            held=words(state.chips[seat]),
            words=words(counted),
        )
    return counted


def spend(state: ManapaniState, seat: int, counted: Sequence[int]) -> None:
    """Return chips of a hand to the source, which gets all costs (manapani:A6)."""
    for colour, count in enumerate(counted):
        if count:
            move(state, seat, colour, -count)


def excess_payment(cost: Cost, counted: Sequence[int]) -> int | None:
    """The number of chips beyond the coloured ones of a cost; None if some of those are missing (manapani:16)."""
    if any(map(gt, cost.pips, counted)):
        return None
    return sum(counted) - sum(cost.pips)


def is_proper(cost: Cost, counted: Sequence[int]) -> bool:
    """Whether chips are exactly the cost of a card: its coloured ones, and any others (manapani:16)."""
    rest = excess_payment(cost, counted)
    return rest is not None and (rest >= 0 if cost.x else rest == cost.generic)


def cost_words(cost: Cost) -> str:
    """A cost in words."""
    parts = [words((*cost.pips, 0))] if any(cost.pips) else []
    parts += [Sentence("{count} of any colour", count=cost.generic)] * bool(cost.generic)
    parts += [Sentence("X of any colour")] * cost.x
    return join_by_and(parts) if parts else "nothing"


def payments(held: Sequence[int], cost: Cost) -> Iterator[tuple[str, ...]]:
    """The ways to pay a cost, the sensible one first.

    With an X there is one way for each value, up to all chips left (manapani:B25). The sensible way uses the most
    plentiful colours, and white last.
    """
    left = list(held)
    for colour, wanted in enumerate(cost.pips):
        left[colour] -= wanted
        if left[colour] < 0:
            return
    if cost.x:
        for x in range(sum(left) + 1):
            yield _paid(cost, most_plentiful(left, x))
        return
    if sum(left) < cost.generic:
        return
    first = most_plentiful(left, cost.generic)
    yield _paid(cost, first)
    for chosen in combinations_with_replacement(range(len(COLOURS)), cost.generic):
        counted = list(map(chosen.count, range(len(COLOURS))))
        if counted != first and not any(map(gt, counted, left)):
            yield _paid(cost, counted)


def _paid(cost: Cost, generic: Sequence[int]) -> tuple[str, ...]:
    return single_chips(list(map(add, (*cost.pips, 0), generic)))


def most_plentiful(held: Sequence[int], count: int) -> list[int]:
    """The `count` most plentiful chips of those held, counted by colour; white last."""
    left, taken = list(held), [0] * len(COLOURS)
    for _ in range(count):
        most = max(left[:WHITE])
        colour = left.index(most) if most > 0 else WHITE
        left[colour] -= 1
        taken[colour] += 1
    return taken


def affords(held: Sequence[int], card: str) -> bool:
    """Whether the held chips can pay for a card."""
    cost = COSTS[card]
    return sum(held) >= sum(cost.pips) + cost.generic and not any(map(gt, cost.pips, held))


# Tolls


def toll_value(counted: Sequence[int], colour: int) -> int:
    """The value of chips for a toll in a colour: 1 for that colour and white, 1 for two others (manapani:14)."""
    full = counted[colour] + counted[WHITE]
    return full + (sum(counted) - full) // 2


def is_minimal(counted: Sequence[int], colour: int, toll: int) -> bool:
    """Whether chips pay the toll, and none of them is superfluous (manapani:A10)."""
    others = sum(counted) - counted[colour] - counted[WHITE]
    return others % 2 == 0 and toll_value(counted, colour) == toll


def available_chips(state: ManapaniState, seat: int) -> list[int]:
    """All chips of a player by colour, in hand and on lands."""
    counted = state.chips[seat].copy()
    for place in state.lands_of(seat):
        counted[state.box.colours[place]] += state.levels[place]
    return counted


def is_everything(state: ManapaniState, seat: int, chips: Sequence[str], lands: Sequence[int]) -> bool:
    """Whether a player hands over all chips (manapani:A8)."""
    own = {place: state.levels[place] for place in state.lands_of(seat)}
    return tally(chips) == state.chips[seat] and Counter(lands) == own


def ways_to_pay_toll(state: ManapaniState, seat: int, colour: int, toll: int) -> Iterator[Payment]:
    """Every choice of colours that pays a toll, those with the fewest chips first.

    Within a colour, chips from hand come first, then chips from lands, each from the land with the highest level. A
    player who cannot pay in full hands over everything (manapani:A8), and the rest is not received (manapani:32). A
    player who can pay only with chips from lands must do so (manapani:A9).
    """
    all_chips, held = available_chips(state, seat), state.chips[seat]
    if toll_value(all_chips, colour) < toll:
        lands = tuple(place for place in state.lands_of(seat) for _ in range(state.levels[place]))
        yield single_chips(held), lands
        return
    own = [(place, state.box.colours[place]) for place in state.lands_of(seat)]
    for pairs in range(toll + 1):  # with each pair of others there is one more chip
        ways = list(_compositions(all_chips, colour, toll, pairs))
        if len(ways) > 1:
            ways.sort(key=lambda counted: sum(map(min, counted, held)), reverse=True)
        for counted in ways:
            yield _sourced(state, seat, own, counted)


def _compositions(most: Sequence[int], colour: int, toll: int, pairs: int) -> Iterator[list[int]]:
    """Every way to make up a toll with `pairs` pairs of other colours, limited to `most`; counted by colour."""
    others = [other for other in range(WHITE) if other != colour]
    for chosen in combinations_with_replacement(others, 2 * pairs):
        counted = list(map(chosen.count, range(len(COLOURS))))
        if not any(map(gt, counted, most)):
            for white in range(min(most[WHITE], toll - pairs) + 1):
                if toll - pairs - white <= most[colour]:
                    counted[colour], counted[WHITE] = toll - pairs - white, white
                    yield counted.copy()


def _sourced(state: ManapaniState, seat: int, own: Sequence[tuple[int, int]], counted: Sequence[int]) -> Payment:
    """A payment of these colours: from hand as far as possible, then from the `own` lands with their colours."""
    hand, lands = list(map(min, counted, state.chips[seat])), list[int]()
    for colour, wanted in enumerate(counted):
        if wanted > hand[colour]:
            levels = {place: state.levels[place] for place, of in own if of == colour}
            for _ in range(wanted - hand[colour]):
                highest = max(levels, key=levels.__getitem__)
                levels[highest] -= 1
                lands.append(highest)
    return single_chips(hand), tuple(sorted(lands))
