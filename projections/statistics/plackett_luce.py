"""The model of Plackett and Luce for games in which every seat is rated by itself.

It gives the numbers of openskill in a fraction of the time. openskill also takes teams, weights and margins, which
ratings here do not have, and copies all ratings for each game. A correction of an old game rates all later games anew.
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
