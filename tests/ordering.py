"""The order of tests for several workers: long tests begin first, and short ones fill the rest of the time.

Each worker of xdist begins with a part of the list, and all parts have the same length. A worker that is done takes
half of what another one has left, from the end of its part. So half of the parts begin with pages, and the others with
programs. A browser starts once for each of the first half, and no worker is alone with its pages at the end.

Among pages and programs the smallest files come first: they have the longest tests. A test of many hosts takes half a
minute, and one of a command a tenth of a second. If the long ones came last, one worker would still be busy with them
while the others had nothing left to take.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pytest

Files = list[list["pytest.Item"]]


def dealt(
    items: Sequence[pytest.Item],
    workers: int,
    *,
    is_page: Callable[[pytest.Item], bool],
    is_long: Callable[[pytest.Item], bool],
) -> list[pytest.Item]:
    """Divide the tests into parts for the workers. The tests of a file stay together, in their order."""
    files = [list(found) for _, found in itertools.groupby(items, lambda item: item.path)]
    pages = [file for file in files if any(map(is_page, file))]
    others = [file for file in files if not any(map(is_page, file))]
    programs = [file for file in others if 2 * sum(map(is_long, file)) >= len(file)]
    quick = itertools.chain.from_iterable(file for file in others if 2 * sum(map(is_long, file)) < len(file))
    half = (workers + 1) // 2
    result: list[pytest.Item] = []
    for number, begun in enumerate([*_hands(pages, half), *_hands(programs, workers - half)], start=1):
        result += begun
        result += itertools.islice(quick, max(0, len(items) * number // workers - len(result)))
    return [*result, *quick]


def _hands(files: Iterable[list[pytest.Item]], count: int) -> list[list[pytest.Item]]:
    """Divide the files into `count` parts, with about the same number of tests in each and the smallest file first."""
    hands: list[list[pytest.Item]] = [[] for _ in range(count)]
    for file in sorted(files, key=len, reverse=True):
        hand = min(hands, key=len)
        hand[:0] = file
    return hands
