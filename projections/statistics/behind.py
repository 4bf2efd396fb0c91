"""The games behind a figure. A figure has a name, its `about`, and this finds the games that it counts."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from projections.statistics.moves import broken_by, sharing_seats
from projections.statistics.people import COMPARED, rank_comparison, streak_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from projections.statistics.digests import Digest
    from projections.statistics.moves import Played
    from projections.statistics.results import Result

    Test = Callable[[Result, Sequence[int]], bool]

OF_OTHERS = (*COMPARED, "met", "beside", "beside-won")
"""Those about another person."""

OF_MOVES = ("points", "opening", "variant", "irregular", "luck", "opening-won", "variant-won")
NAMED = (*OF_MOVES, "seat", "seat-won", "month", "scores", *OF_OTHERS)
"""Those with a name behind a colon; the moves of games tell those of moves."""

MOVES_NAMELESS = ("corrected", "timed")
STREAKS = ("streak-won", "streak-lost")
"""What results in a row tell, and not those of single games."""

NAMELESS = (*MOVES_NAMELESS, "against", "won", "together", "together-won", *STREAKS)

CLASS = re.compile("(-?[0-9]{1,15}):(-?[0-9]{1,15})")
"""A class of scores, as `scores` names it: the least points, and the most."""


def is_about(text: str) -> bool:
    """Whether a text is a valid `about` of a figure."""
    what, colon, name = text.partition(":")
    if what == "scores" and not CLASS.fullmatch(name):
        return False
    return what in (NAMED if colon else NAMELESS)


def needs_moves(about: str) -> bool:
    """Whether the games behind a figure are found by their moves, and not by their results alone."""
    return about.partition(":")[0] in (*OF_MOVES, *MOVES_NAMELESS)


def results_about(about: str, games: Sequence[Result], player: str | None = None) -> Sequence[Result]:
    """The games behind a figure from results, of a person or of everybody; all games for an empty `about`.

    They are in the order of play.
    """
    if about in STREAKS:
        return _streak(games, player, won=about == "streak-won")
    if not about:
        return games
    test = _test_of(about)
    if player is None:
        return [each for each in games if test(each, ())]
    return [each for each in games if test(each, each.seats_of(player))]


def _streak(games: Sequence[Result], player: str | None, *, won: bool) -> list[Result]:
    own = [(each, each.seats_of(player)) for each in games if player and each.against_others]
    against = [(each, seats) for each, seats in own if seats]
    places = streak_of([not each.winners.isdisjoint(seats) for each, seats in against], result=won)
    return [against[place][0] for place in places]


def _test_of(about: str) -> Test:
    """Whether a result is behind the figure, from the seats of the person; from all seats if these are none."""
    what, _, name = about.partition(":")
    if what == "month":
        return lambda game, _: game.day[:7] == name
    if what == "scores":
        low, high = map(int, name.split(":"))
        return lambda game, own: any(low <= game.scores[seat] <= high for seat in own or range(len(game.scores)))
    if what in OF_OTHERS:
        return partial(_is_with, what, name)
    if what.startswith("together"):
        return lambda game, _: game.together and (bool(game.winners) or what == "together")
    if what.startswith("seat"):
        return partial(_is_of_seat, int(name) if re.fullmatch("[0-9]{1,3}", name) else -1, won=what == "seat-won")
    if what == "won":
        return lambda game, own: game.against_others and not game.winners.isdisjoint(own or range(len(game.seats)))
    return lambda game, _: game.against_others


def _is_of_seat(seat: int, game: Result, own: Sequence[int], *, won: bool) -> bool:
    if seat not in (own or range(len(game.seats))):
        return False
    return (seat in game.winners or not won) and game.against_others


def _is_with(what: str, other: str, game: Result, own: Sequence[int]) -> bool:
    """Whether the person was on another one's side, or met them and ended before, behind or level."""
    theirs = game.seats_of(other)
    if not own or not theirs or not set(own).isdisjoint(theirs):
        return False
    if game.is_on_side(own, theirs):
        return what == "beside" or (what == "beside-won" and not game.winners.isdisjoint(own))
    return what == "met" or what == COMPARED[rank_comparison(game, min(game.ranks[seat] for seat in own), other)]


def moves_about(about: str, games: Sequence[Played]) -> list[Result]:
    """The games behind a figure from moves, among those that are read."""
    what, _, name = about.partition(":")
    return [each.result for each in games if each.digest and _is_behind(what, name, each, each.digest)]


def _is_behind(what: str, name: str, played: Played, digest: Digest) -> bool:
    if what == "luck":
        return any(each.kind == name and each.n for each in played.luck_counts())
    if what == "points":
        return any(name in seat.points for seat in played.digests())
    if what == "irregular":
        return name in broken_by(played)
    if what == "timed":
        return any(seat.timed for seat in played.digests())
    if what == "corrected":
        return digest.corrections > 0
    group, _, wins = what.partition("-")
    if name != (digest.opening if group == "opening" else digest.variant):
        return False
    return not wins or not played.result.winners.isdisjoint(sharing_seats(played))
