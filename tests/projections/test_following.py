"""The read models follow the log: what keeps them from it is logged, and tried again."""

from __future__ import annotations

import errno
import logging
from typing import TYPE_CHECKING

import pytest

from events.errors import LogUnreachableError

if TYPE_CHECKING:
    from tests.projections.conftest import Recorder


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (LogUnreachableError("the database does not answer"), "wait for the database: the database does not answer"),
        (OSError(errno.ENOSPC, "No space left"), "wait for room on the disk: [Errno 28] No space left"),
    ],
    ids=["database", "disk"],
)
def test_what_is_waited_for_is_named_once_and_without_a_traceback(
    table: Recorder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, said: str
) -> None:
    projector, tried = table.projector, list[int]()

    def fail() -> None:
        tried.append(1)
        if len(tried) == 3:
            projector.stop()
        raise error

    monkeypatch.setattr(projector, "catch_up", fail)
    monkeypatch.setattr(projector._stop, "wait", lambda _: None)
    projector.run()
    (told,) = [each for each in caplog.records if each.name == "projections.projector"]
    assert (told.levelno, told.message, told.exc_info) == (logging.WARNING, f"the read models {said}", None)
    assert len(tried) == 3
