"""The choice of parameters: `make test` runs the most useful ones of a test, and `make soak` all.

Only where each of them runs the same code for the same promise, and a browser or a service makes it dear. Every
ruleset, kind of page, role and fault stays in the short run at least once, somewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests import tiers

if TYPE_CHECKING:
    from collections.abc import Iterable


def soak_except(every: Iterable[Any], *kept: Any) -> list[Any]:
    """The parameters of a test: `kept` in the short run, and all of them in the long run."""
    every = list(every)
    assert set(kept) <= set(every), "what is kept has to be there"
    tried = every if tiers.SOAK else [each for each in every if each in kept]
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=() if each in kept else pytest.mark.soak)
        for each in tried
    ]


def short_or_soak(count: int, in_the_long_run: int) -> int:
    """How often something is tried in the short run, and how often in the long run."""
    return in_the_long_run if tiers.SOAK else count


def examples(count: int, **more: Any) -> settings:
    """The number of examples of a property in the short run. The long run multiplies it."""
    return settings(max_examples=count * (tiers.AT_LENGTH if tiers.SOAK else 1), deadline=None, **more)


def forget_constants() -> None:
    """Have Hypothesis draw no constants of the project's modules.

    It tries those of all modules that are imported by then. So an example would depend on the tests that ran before.
    To read them takes a twelfth of the time in which tests are collected, and more where it has not read them before.
    """
    providers.is_local_module_file = lambda _: False
