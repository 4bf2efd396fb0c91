"""The owner's token: made at first start, readable by the owner only, and asked for by every write.

Reading as the public sees a game needs no token; the whole record, with the cards that somebody held hidden, does.
"""

from __future__ import annotations

import hmac
import os
import secrets
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import current_app, request

from service.problems import ProblemError

if TYPE_CHECKING:
    from pathlib import Path

FILE = "owner.token"
PREFIX = "kifu_owner_"
COOKIE = "kifu_token"
OWNER = "owner"
"""What the log calls the recorder who holds the owner's token."""


def owner_token(folder: Path) -> str:
    """The owner's token of a data folder; made, and stored with mode 600, if there is none yet."""
    path = folder / FILE
    token = PREFIX + secrets.token_urlsafe(24)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token


def is_owner() -> bool:
    """Whether the request comes with the owner's token. Raises `token-unknown` for any other token."""
    sent = _sent()
    if sent is None:
        return False
    if not opens(sent):
        raise ProblemError("token-unknown", "this token does not open this service")
    return True


def opens(token: str) -> bool:
    """Whether this is the owner's token."""
    return hmac.compare_digest(token.encode(), current_app.config["OWNER_TOKEN"].encode())


def need_owner() -> None:
    """Let the request through only with the owner's token. Raises `token-needed`, `token-unknown`, `foreign-origin`."""
    if not is_owner():
        found = ProblemError("token-needed", f"{request.method} {request.path} needs the owner's token")
        found.headers["WWW-Authenticate"] = 'Bearer realm="kifu"'
        raise found
    if "Authorization" not in request.headers and request.method not in {"GET", "HEAD"}:
        _need_own_origin()


def _sent() -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return request.cookies.get(COOKIE)
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise ProblemError("token-unknown", "the Authorization header is not of the form `Bearer <token>`")
    return token.strip()


def _need_own_origin() -> None:
    """A cookie travels with requests of foreign pages, too: those must not write."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise ProblemError("foreign-origin", f"{origin} is not this service")
