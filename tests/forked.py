"""Workers of pytest that start at once: forks of a process that has imported the service.

Each worker imported the service, and so did its warm process (`tests/warm.py`). Now one process imports it for all of
them. A worker is a program of that process, and forks its own warm process before it begins.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from execnet import gateway_io

from tests import warm

if TYPE_CHECKING:
    import pytest

INHERITED = "from tests import warm; warm.inherit()\n"
"""What a worker does before all else."""


class Forked(gateway_io.Popen2IOMaster):
    """A worker that is forked from the warm process, with its streams."""

    def __init__(self, args: list[str], execmodel: Any) -> None:
        *_, code = args
        command = [sys.executable, "-c", INHERITED + code]
        self.popen = found = warm.Popen(command, stdin=warm.PIPE, stdout=warm.PIPE)
        gateway_io.Popen2IO.__init__(self, found.stdin, found.stdout, execmodel)


def fork_workers(config: pytest.Config) -> None:
    """Fork the workers of a whole run. Those of a few files may need nothing of the service, and begin sooner alone."""
    whole = config.args_source is config.ArgsSource.TESTPATHS and not config.getoption("fast")
    if sys.platform == "linux" and whole and "KIFU_JITTER" not in os.environ:
        gateway_io.Popen2IOMaster = Forked
