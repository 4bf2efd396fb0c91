"""The journal: the log messages of the processes of a service, one per line, as text or as JSON."""

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
"""The environment variable for the format: `text` or `json`."""

FIELDS = "fields"
"""The attribute of a record for extra fields, as `logger.info(…, extra={FIELDS: {…}})`."""

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the current request."""

_SECRET = re.compile(r"(kifu_[a-z]{3}_|whsec_|/s/)[0-9A-Za-z+=-]+|(?<=://)[^/@\s]*:[^/@\s]*(?=@)")


def start_journal(process: str) -> None:
    """Set up logging in this process, in the format that the environment sets. `process` is its name in lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(process) if is_json() else TextLines("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it prints the full address of each webhook


def is_json() -> bool:
    """Whether the format is JSON."""
    return os.environ.get(FORM) == "json"


def line_of(process: str, text: str) -> str:
    """Format a line from a process, with its name in front. A line of JSON stays as it is."""
    if not is_json():
        return f"{process:<6} | {text}"
    if text.startswith("{") and text.endswith("}"):
        return text
    record = logging.LogRecord(process, logging.INFO, "", 0, text, None, None)
    return JsonLines(process).format(record)


class TextLines(logging.Formatter):
    """Formats each record as a line of text, with the trace of an unexpected error. Secrets are removed."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as text."""
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """Formats each record as a line of JSON: time, level, host, process, message. Secrets are removed."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self._process, self._host = process, ""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as a line of JSON."""
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
        """The name of this host; empty while its file cannot be read."""
        if not self._host and (folder := os.environ.get("KIFU_DATA")):
            try:
                self._host = host_name(Path(folder))
            except OSError:
                return ""
        return self._host


def without_secrets(text: str) -> str:
    """The text without tokens, codes, keys and passwords."""
    return _SECRET.sub(lambda found: f"{found[1] or ''}…", text)
