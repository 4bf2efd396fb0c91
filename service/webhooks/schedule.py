"""The schedule: when an undelivered message is sent again, and when it is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.webhooks.sending import Outcome

MINUTE, HOUR = 60, 3600

DELAYS = (0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
"""Seconds before each attempt, after the one before: three days in all."""

JITTER = 0.1
"""The part of a delay that is added or taken away at random, so that not all come back at once."""

THROTTLED = frozenset({429, 502, 503, 504})
"""Answers of a receiver that has too much to do: all that goes to it waits."""

THROTTLE = 60
"""Seconds that it is left alone if it does not say for how long."""

GONE = 410
"""The answer of a receiver that wants no more, ever."""


def next_delay(attempts: int, outcome: Outcome, chance: Callable[[], float]) -> int | None:
    """Milliseconds until the next attempt, after `attempts` failed ones; None if there is no next one.

    `chance` gives a number from 0 to 1.
    """
    if attempts >= len(DELAYS):
        return None
    delay = DELAYS[attempts] * (1 + JITTER * (2 * chance() - 1))
    return int(1000 * max(delay, outcome.wait or 0))


def pause(outcome: Outcome) -> int | None:
    """Milliseconds to pause for a receiver after this outcome; None without a pause."""
    if outcome.is_delivered or (outcome.wait is None and outcome.status not in THROTTLED):
        return None
    return 1000 * (THROTTLE if outcome.wait is None else outcome.wait)
