"""Points, the two tokens, and the winner."""

from __future__ import annotations

from operator import countOf
from typing import TYPE_CHECKING

from games import adjustments
from games.catan_cards.components import FLEETS, KNIGHTS
from games.catan_cards.principality import owner
from games.catan_cards.steps import SETUP
from games.contract import Effect, Outcome, ScoreLine

if TYPE_CHECKING:
    from games.catan_cards.state import CatanCardsState

ENDINGS = ("target", *adjustments.ENDINGS)
"""The reasons of endings: a player reached the points to win, or a ruling."""

TOKENS = ("knight", "windmill")
"""The tokens, in the order of `state.tokens`."""


def strength(state: CatanCardsState, seat: int) -> int:
    """The strength of a player's knights, plus 1 for each knight and Smithy (catan_cards:83, catan_cards:84)."""
    cards = state.principalities[seat].sites.values()
    total = sum(map(state.box.strength.__getitem__, cards))
    return total + countOf(cards, "Smithy") * sum(map(KNIGHTS.__contains__, cards)) if "Smithy" in cards else total


def tournament(state: CatanCardsState, seat: int) -> int:
    """The tournament points of a player's knights (catan_cards:22)."""
    return sum(map(state.box.tournament.__getitem__, state.principalities[seat].sites.values()))


def commerce(state: CatanCardsState, seat: int) -> int:
    """The commerce points of a player (catan_cards:95). The Harbor counts by catan_cards:90 and catan_cards:Q20."""
    cards, each = state.principalities[seat].sites.values(), state.box.commerce
    total = sum(map(each.__getitem__, cards))
    if "Harbor" in cards:
        own = 0 if each["Harbor"] else state.options.harbor_own_cp
        total += countOf(cards, "Harbor") * (own + sum(map(FLEETS.__contains__, cards)))
    return total


def score(state: CatanCardsState, seat: int, points: int, category: str, rule: str, note: str) -> None:
    """Add a line to the score audit."""
    state.points[seat] += points
    state.lines.append(ScoreLine(seat, points, category, rule, state.version, note))


def put_on(state: CatanCardsState, site: str, card: str, rule: str) -> None:
    """Put an expansion on a site, and add its points and hand limit."""
    seat = owner(site)
    state.principalities[seat].sites[site] = card
    _count(state, seat, card, 1, rule, f"{card} at {site[1:]}")


def take_off(state: CatanCardsState, site: str, rule: str) -> str:
    """Take an expansion off its site (catan_cards:47), and remove its points and hand limit."""
    card = state.principalities[owner(site)].sites.pop(site)
    _count(state, owner(site), card, -1, rule, f"{card} lost")
    return card


def _count(state: CatanCardsState, seat: int, card: str, sign: int, rule: str, note: str) -> None:
    """Add (`sign` 1) or remove (-1) an expansion's points and hand limit."""
    printed = state.box.cards[card]
    state.limits[seat] += sign * printed.hand
    if printed.points:
        score(state, seat, sign * printed.points, "building", rule, note)


def settle_tokens(state: CatanCardsState) -> list[Effect]:
    """Give the tokens to their holders after a change of the board (catan_cards:35)."""
    if state.phase in SETUP:
        return []
    effects = []
    strengths = strength(state, 0), strength(state, 1)
    if state.ruled[0] != strengths:
        state.ruled[0] = None
        if (strongest := _strongest(*strengths)) != state.tokens[0]:
            effects += _hand(state, 0, strongest, "catan_cards:31")
    sums = commerce(state, 0), commerce(state, 1)
    if state.ruled[1] != sums:
        state.ruled[1] = None
        if (busiest := _busiest(state, *sums)) != state.tokens[1]:
            effects += _hand(state, 1, busiest, "catan_cards:33")
    return effects


def _strongest(first: int, second: int) -> int | None:
    """The player with the higher strength; None on a tie (catan_cards:32)."""
    return None if first == second else int(first < second)


def _busiest(state: CatanCardsState, first: int, second: int) -> int | None:
    """The player with a city and more commerce points. Ties follow catan_cards:34 and catan_cards:Q6."""
    holder = state.tokens[1]
    if first == second:
        return holder if state.options.windmill_tie == "keep" else None
    leader = int(first < second)
    return leader if "city" in state.principalities[leader].line.values() else None


def _hand(state: CatanCardsState, token: int, holder: int | None, rule: str) -> list[Effect]:
    before, effects = state.tokens[token], []
    words = f"{TOKENS[token]} token"
    state.tokens[token] = holder
    if before is not None:
        score(state, before, -1, TOKENS[token], rule, f"{words} lost")
        effects.append(Effect("token.lost", rule, before, (words,)))
    if holder is not None:
        score(state, holder, 1, TOKENS[token], rule, f"{words} gained")
        effects.append(Effect("token.gained", rule, holder, (words,)))
    return effects


def decide(state: CatanCardsState) -> list[Effect]:
    """End the game if a player has won: only in the own turn, or at any time (catan_cards:Q13)."""
    target = state.options.target
    if state.ending or state.phase in SETUP:
        return []
    seats = [state.active] if state.options.win_on == "own_turn" else [state.active, 1 - state.active]
    for seat in seats:
        if state.points[seat] >= target:
            victory = Effect("game.won", "catan_cards:60", seat, count=state.points[seat])
            return [victory, *state.end(Outcome((1 + seat, 2 - seat), (seat,), "target", "catan_cards:60"))]
    return []
