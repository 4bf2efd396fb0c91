"""The owner's token: made at first start, readable by the owner only, and asked for by every write.

Programs send it. A browser shows it once, when it logs in, and has a session from then on. Reading as the public sees a
game needs no token; the whole record, with the cards that somebody held hidden, does.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import current_app, request

from events import safekeeping
from service.problems import ProblemError
from service.settings import BadSettingError

if TYPE_CHECKING:
    from pathlib import Path

    from service.sessions import Sessions

FILE = "owner.token"
PREFIX = "kifu_owner_"
COOKIE = "kifu_session"
OWNER = "owner"
"""What the log calls the recorder who holds the owner's token."""

SHORTEST, LONGEST = 20, 512
_TOKEN = re.compile(rf"[\x21-\x7e]{{{SHORTEST},{LONGEST}}}")


class BadTokenError(BadSettingError):
    """The file of the owner's token holds none that could be used. The message names the file."""


def owner_token(folder: Path) -> str:
    """The owner's token of a data folder; made if there is none yet. For the process that has the log open.

    An empty file is what a crash can leave of one, and holds none. Raises `BadTokenError` for what is no token, and
    `OSError`.
    """
    path = folder / FILE
    token = stored_token(path)
    if not token:
        token = PREFIX + secrets.token_urlsafe(24)
        safekeeping.put(path, f"{token}\n".encode())
    return token


def stored_token(path: Path) -> str:
    """The token in a file, which nobody else may read from now on; empty if there is none. Raises `BadTokenError`."""
    try:
        token = safekeeping.get(path, LONGEST + 100).strip().decode("ascii", errors="replace")
    except safekeeping.NotAFileError:
        raise BadTokenError(f"{path} is not a file: remove it, and a token is made") from None
    except IsADirectoryError:
        raise BadTokenError(f"{path} is a folder, not a file: remove it, and a token is made") from None
    except OSError as error:
        raise BadTokenError(f"the owner's token in {path} cannot be read: {error.strerror}") from error
    if token and not _TOKEN.fullmatch(token):
        raise BadTokenError(
            f"{path} holds no token, which is {SHORTEST} to {LONGEST} visible ASCII characters without a blank: "
            "remove it, and one is made"
        )
    return token


def is_owner() -> bool:
    """Whether the request comes with the owner's token or a session. Raises `token-unknown` for any other."""
    header = request.headers.get("Authorization")
    if header is not None:
        if not opens(_bearer(header)):
            raise ProblemError("token-unknown", "this token does not open this service")
        return True
    session = request.cookies.get(COOKIE)
    if session is None:
        return False
    if not sessions().holds(session):
        raise ProblemError("token-unknown", "this session has ended, or began elsewhere")
    return True


def opens(token: str) -> bool:
    """Whether this is the owner's token."""
    known: str = current_app.config["OWNER_TOKEN"]
    return hmac.compare_digest(_digest(token), _digest(known))


def sessions() -> Sessions:
    """The sessions of this service."""
    found: Sessions = current_app.extensions["kifu-sessions"]
    return found


def need_owner() -> None:
    """Let the request through only if it is the owner's. Raises `token-needed`, `token-unknown`, `foreign-origin`."""
    if not is_owner():
        raise ProblemError("token-needed", f"{request.method} {request.path} needs the owner's token")
    if "Authorization" not in request.headers and request.method not in {"GET", "HEAD"}:
        _need_own_origin()


def _digest(text: str) -> bytes:
    """Of one length for every text, so that comparing two tells nothing about the length of either."""
    return sha256(text.encode(errors="replace")).digest()


def _bearer(header: str) -> str:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise ProblemError("token-unknown", "the Authorization header is not of the form `Bearer <token>`")
    return token.strip()


def _need_own_origin() -> None:
    """A cookie travels with requests of foreign pages, too: those must not write."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise ProblemError("foreign-origin", f"{origin} is not this service")
