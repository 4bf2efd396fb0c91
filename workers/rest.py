"""Work in spare time pauses while a person records."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from events.log import LogReader

REST_VARIABLE = "KIFU_REST"
"""The environment variable for the seconds of pause after each entry."""

SECONDS = 30.0


def is_recording(log: LogReader) -> bool:
    """Whether an entry was stored within the pause."""
    for _, event in log.feed(max(log.position() - 1, 0), 1):
        age = time.time() - event.recorded_at / 1000
        return 0 <= age < float(os.environ.get(REST_VARIABLE, SECONDS))
    return False
