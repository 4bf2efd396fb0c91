"""Places where a test can kill the process, as a power cut would.

`KIFU_FAILPOINT=name` kills at the first time that the point is reached, `KIFU_FAILPOINT=name:3` at the third. Without
the variable nothing is looked at.
"""

from __future__ import annotations

import itertools
import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

POINTS = (
    "tables.migrated",
    "append.begin",
    "append.inserted",
    "append.committed",
    "append.headed",
    "append.kept",
    "checkpoint.begin",
    "checkpoint.synced",
    "checkpoint.end",
    "heads.compacted",
)
"""Every point there is, in the order in which a log's life passes them."""

_name, _, _count = os.environ.get("KIFU_FAILPOINT", "").partition(":")
_fatal = int(_count or 1)
_reached = itertools.count(1)


def _kill(point: str) -> None:
    if point == _name and next(_reached) == _fatal:
        os.kill(os.getpid(), signal.SIGKILL)


ignore: Callable[[str], object] = bool
"""Nothing is armed. It is no function in Python: each append passes four points."""

reach: Callable[[str], object] = _kill if _name else ignore
"""Pass a point, or die there."""
