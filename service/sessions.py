"""Sessions: what a browser is given in place of the owner's token when it logs in, and loses when it logs out.

The data folder keeps only digests of them, whose key is the owner's token: so a new token ends them all.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
import time
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from events import safekeeping

if TYPE_CHECKING:
    from pathlib import Path

FILE = "sessions.json"
LIFETIME = 60 * 60 * 24 * 365
"""Seconds after which a session has ended by itself."""

MOST = 200
"""How many sessions there are at a time; one more ends the oldest."""

logger = logging.getLogger(__name__)


class Sessions:
    """The sessions of one service, kept in `path` so that they outlive it. Used by many threads at once."""

    def __init__(self, path: Path, token: str) -> None:
        self._path, self._key = path, token.encode()
        self._lock = threading.Lock()
        self._ends = self._load()
        self._owed = False

    def begin(self) -> str:
        """A new session. Where it cannot be written down it holds until the service is stopped."""
        session = secrets.token_urlsafe(24)
        with self._lock:
            now = int(time.time())
            kept = [(digest, end) for digest, end in self._ends.items() if end > now]
            self._ends = dict(kept[-MOST + 1 :]) | {self._digest(session): now + LIFETIME}
            self._owed = True
            try:
                self._save()
            except OSError as error:
                logger.warning("%s: a session cannot be kept: %s", self._path, error)
        return session

    def holds(self, session: str) -> bool:
        """Whether the session has begun here and not ended."""
        return self._ends.get(self._digest(session), 0) > time.time()

    def end(self, session: str) -> None:
        """End a session, in whatever browser a copy of it lies. Raises `OSError` if a restart would undo that."""
        with self._lock:
            self._owed |= self._ends.pop(self._digest(session), None) is not None
            self._save()

    def _digest(self, session: str) -> str:
        return hmac.new(self._key, session.encode(errors="replace"), sha256).hexdigest()

    def _load(self) -> dict[str, int]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, int])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            logger.warning("%s cannot be read, so everybody has to log in anew: %s", self._path, error)
            return {}

    def _save(self) -> None:
        """Write down what is not yet."""
        if self._owed:
            safekeeping.put(self._path, msgspec.json.encode(self._ends))
            self._owed = False
