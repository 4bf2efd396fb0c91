"""The journal: what the processes of a service say of what happens, as text for people or as JSON, a line each."""

from __future__ import annotations

import logging
import os
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from workers.host import host_name

FORM = "KIFU_LOG"
"""The environment variable that says how: `text` or `json`."""

FIELDS = "fields"
"""The name under which a record carries fields of its own, as `logger.info(…, extra={FIELDS: {…}})`."""

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered."""

_SECRET = re.compile(r"(kifu_[a-z]{3}_|whsec_|/s/)[0-9A-Za-z+=-]+|(?<=://)[^/@\s]*:[^/@\s]*(?=@)")


def begin(process: str) -> None:
    """Have this process say in the form of the environment what happens; `process` is what it is called."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(process) if is_json() else TextLines("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it tells the whole address of each webhook


def is_json() -> bool:
    """Whether lines are JSON."""
    return os.environ.get(FORM) == "json"


def line_of(process: str, text: str) -> str:
    """A line of a process, with its name before it; one that is JSON already stays what it is."""
    if not is_json():
        return f"{process:<6} | {text}"
    if text.startswith("{") and text.endswith("}"):
        return text
    record = logging.LogRecord(process, logging.INFO, "", 0, text, None, None)
    return JsonLines(process).format(record)


class TextLines(logging.Formatter):
    """A line of text for each record, and the trace of an unexpected error. Nothing that opens anything."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """A line of JSON for each record: when, how bad, which host and process, what. Nothing that opens anything."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process, self._host = process, ""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "host": self._host_name(),
            "process": self._process,
            "pid": record.process,
            "message": record.getMessage(),
        }
        if REQUEST.get():
            line["request"] = REQUEST.get()
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return without_secrets(msgspec.json.encode(line).decode())

    def _host_name(self) -> str:
        """What this host is called; nothing as long as the folder that says so cannot be read."""
        if not self._host and (folder := os.environ.get("KIFU_DATA")):
            try:
                self._host = host_name(Path(folder))
            except OSError:
                return ""
        return self._host


def without_secrets(text: str) -> str:
    """The text without tokens, codes, keys and passwords."""
    return _SECRET.sub(lambda found: f"{found[1] or ''}…", text)
