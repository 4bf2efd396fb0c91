"""What `make test` leaves to `make soak`: of a test that is tried with many things, those that add least.

Only where each of them runs the same code for the same promise, and a browser or a service makes it dear. Every
ruleset, kind of page, role and fault stays in the short run at least once, somewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests import tiers

if TYPE_CHECKING:
    from collections.abc import Iterable


def some(every: Iterable[Any], *kept: Any) -> list[Any]:
    """The parameters of a test. The short run tries those that are kept, and the long run all of them."""
    every = list(every)
    assert set(kept) <= set(every), "what is kept has to be there"
    tried = every if tiers.SOAK else [each for each in every if each in kept]
    return [
        pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=() if each in kept else pytest.mark.soak)
        for each in tried
    ]


def examples(count: int, **more: Any) -> settings:
    """How many examples of a property the short run tries. The long run tries many times as many."""
    return settings(max_examples=count * (tiers.AT_LENGTH if tiers.SOAK else 1), deadline=None, **more)
