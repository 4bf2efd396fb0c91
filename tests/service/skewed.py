"""The service on a host with a clock that is wrong by `KIFU_TEST_SKEW` seconds."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from service import app

if TYPE_CHECKING:
    from service.app import Application
    from service.settings import Settings


def create_app(settings: Settings | None = None) -> Application:
    """Set the clock of this process, and make the application."""
    skew, seconds, nanoseconds = int(os.environ["KIFU_TEST_SKEW"]), time.time, time.time_ns
    time.time = lambda: seconds() + skew
    time.time_ns = lambda: nanoseconds() + skew * 10**9
    return app.create_app(settings)
