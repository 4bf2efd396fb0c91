"""The model of Plackett and Luce, for seats that play for themselves, and for teams.

It gives the numbers of openskill in a fraction of the time. openskill also takes weights and margins, which ratings
here do not have, and copies all ratings for each game. A correction of an old game rates all later games anew.
So the time of one game decides how soon ratings are right. The parameters are those of openskill.

Weng, Lin: A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 4.
"""

from __future__ import annotations

from math import erf, exp, sqrt
from typing import TYPE_CHECKING

from openskill.models import PlackettLuce

if TYPE_CHECKING:
    from collections.abc import Sequence

_MODEL = PlackettLuce()

MU, SIGMA = _MODEL.mu, _MODEL.sigma
"""The strength of somebody who has not played, and its uncertainty."""

_BETA_SQUARED, _TAU_SQUARED, _KAPPA = _MODEL.beta**2, _MODEL.tau**2, _MODEL.kappa


def chances_to_win(mus: Sequence[float], sigmas: Sequence[float]) -> list[float]:
    """The predicted chance of each of at least two seats to win; all chances add up to one.

    It is the mean chance to end before another seat, by the normal distribution.
    """
    seats, variances = len(mus), [2 * (_BETA_SQUARED + sigma * sigma) for sigma in sigmas]
    ahead = [0.0] * seats
    for one in range(seats):
        for other in range(one):
            lead = erf((mus[one] - mus[other]) / sqrt(variances[one] + variances[other]))
            ahead[one] += 1 + lead
            ahead[other] += 1 - lead
    return [each / (seats * (seats - 1)) for each in ahead]


def rate(mus: Sequence[float], sigmas: Sequence[float], ranks: Sequence[int]) -> tuple[list[float], list[float]]:
    """The strengths and the uncertainties of the seats after a game with these ranks; 1 is the best one.

    The outcome is a draw without putting back: the first rank out of all seats, the next one out of those behind it. In
    each draw a seat has the `share` of its strength.
    """
    variances = [sigma * sigma + _TAU_SQUARED for sigma in sigmas]
    c_squared = sum(variances) + len(ranks) * _BETA_SQUARED
    c = sqrt(c_squared)
    strengths = [exp(mu / c) for mu in mus]
    draws = _draws(strengths, ranks)
    after_mus, after_sigmas = list[float](), list[float]()
    for mu, variance, strength, rank in zip(mus, variances, strengths, ranks, strict=True):
        level, inverse, inverse_squared = draws[rank]
        omega = 1 / level - strength * inverse
        delta = strength * inverse - strength * strength * inverse_squared
        shrunk = max(1 - delta * variance * sqrt(variance) / (c_squared * c), _KAPPA)
        after_mus.append(mu + omega * variance / c)
        after_sigmas.append(sqrt(variance * shrunk))
    return after_mus, after_sigmas


def rate_teams(
    mus: Sequence[float], sigmas: Sequence[float], ranks: Sequence[int], teams: Sequence[int]
) -> tuple[list[float], list[float]]:
    """As `rate` where teams play: each is rated as one seat, as strong as its members together, with their best rank.

    Members share what their team gains, and what becomes certain, by their own uncertainty.
    """
    variances, members = [sigma * sigma + _TAU_SQUARED for sigma in sigmas], _members(teams)
    strengths = [sum(mus[seat] for seat in seats) for seats in members]
    spreads = [sum(variances[seat] for seat in seats) for seats in members]
    best = [min(ranks[seat] for seat in seats) for seats in members]
    rated = rate(strengths, [sqrt(spread - _TAU_SQUARED) for spread in spreads], best)
    after_mus, after_sigmas = [*mus], [*sigmas]
    for seats, strength, spread, mu, sigma in zip(members, strengths, spreads, *rated, strict=True):
        for seat in seats:
            part = variances[seat] / spread
            after_mus[seat] = mus[seat] + (mu - strength) * part
            after_sigmas[seat] = sqrt(variances[seat] * max(1 - (1 - sigma * sigma / spread) * part, _KAPPA))
    return after_mus, after_sigmas


def team_chances(mus: Sequence[float], sigmas: Sequence[float], teams: Sequence[int]) -> list[float]:
    """The predicted chance of each seat to win where at least two teams play: its part of the chance of its team."""
    members, found = _members(teams), [0.0] * len(teams)
    strengths = [sum(mus[seat] for seat in seats) for seats in members]
    spreads = [sqrt(sum(sigmas[seat] ** 2 for seat in seats)) for seats in members]
    for seats, chance in zip(members, chances_to_win(strengths, spreads), strict=True):
        for seat in seats:
            found[seat] = chance / len(seats)
    return found


def _members(teams: Sequence[int]) -> list[list[int]]:
    """The seats of each team."""
    return [[seat for seat, each in enumerate(teams) if each == team] for team in sorted({*teams})]


def _draws(strengths: Sequence[float], ranks: Sequence[int]) -> dict[int, tuple[int, float, float]]:
    """For each rank its seats, and the sums, over the draws until it, of 1 / total strength and of its square."""
    total, inverse, squared = 0.0, 0.0, 0.0
    totals = dict.fromkeys(sorted(ranks), 0.0)
    for strength, rank in zip(strengths, ranks, strict=True):
        totals[rank] += strength
    for rank in reversed(totals):
        total += totals[rank]
        totals[rank] = total
    draws = {}
    for rank, total in totals.items():
        inverse += 1 / total
        squared += 1 / (total * total)
        draws[rank] = ranks.count(rank), inverse, squared
    return draws
