"""Retries over a broken connection. Every write is safe to repeat, because its ids are made here."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from service.cli.shell import screen
from service.cli.shell.client import UnreachableError
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

SECONDS = 5.0
"""How long a command goes on trying, if it is not told."""


def with_retries(send: Callable[[], T], seconds: float = SECONDS) -> T:
    """Call `send`, with retries for some seconds. Returns its result. Raises `UnreachableError` when they are over."""
    deadline, pause = time.monotonic() + seconds, 0.5
    while True:
        try:
            return send()
        except UnreachableError as error:
            if time.monotonic() + pause > deadline:
                raise
            screen.warn(f"{error}", gettext("Trying again …"))
            time.sleep(pause)
            pause = min(2 * pause, 5.0)
