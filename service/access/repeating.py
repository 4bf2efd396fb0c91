"""Repeated requests: one that makes something without an id of the client is carried out once.

A repeated request with the same `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) gets the same answer,
byte for byte, for a week. An answer can hold a secret that is shown once. So the stored answer can only be read with
the key, and only a digest of the key is kept.
"""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from flask import Response, request

from events.event import now_ms
from service.access.gate import require_principal
from service.access.store import StoredAnswer
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.sharing import KeyLocks
    from service.access.store import Store

HEADER = "Idempotency-Key"
ANSWER_LIFETIME = 7 * 86_400
"""Seconds that an answer is kept."""

_KEY = re.compile(
    r'"(?P<quoted>[\x20\x21\x23-\x5b\x5d-\x7e]{16,255})"|(?P<bare>[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{16,255})'
)
"""A string of RFC 9651 that is long enough not to be anybody else's, too; or without its quotes, as many send it."""


def answer_once(
    store: Store,
    keys: KeyLocks,
    name: str,
    content: dict[str, Any],
    execute: Callable[[], Response],
    *,
    key_of_form: str | None = None,
) -> Response:
    """The answer to a request of the operation `name`; a repeated request gets its first answer again.

    The form of a page has its key in a field, and not in the header. Raises `bad-request` for a malformed key,
    `key-reused` for one of another request, `still-running` while the first is being answered.
    """
    header = key_of_form or request.headers.get(HEADER)
    if header is None:
        return execute()
    found = _KEY.fullmatch(header.strip())
    if found is None:
        message = 'not 16 to 255 visible ASCII characters, such as "0199d2f3-6a00-7000-8000-000000000001"'
        raise ProblemError("bad-request", f"{HEADER}: {message}", errors=[{"field": HEADER, "message": message}])
    key = (found["quoted"] or found["bare"]).encode()
    digest = sha256(b"\0".join((require_principal().id.encode(), name.encode(), key))).digest()
    asked = sha256(msgspec.json.encode(content)).digest()
    with keys.try_lock(digest) as first:
        if not first:
            raise ProblemError("still-running", gettext("a request with this Idempotency-Key is still running"))
        return _stored_answer(store.stored_answer(digest), asked, key) or _first(store, digest, asked, key, execute)


def _stored_answer(kept: StoredAnswer | None, asked: bytes, key: bytes) -> Response | None:
    if kept is None:
        return None
    if kept.asked != asked:
        raise ProblemError("key-reused", gettext("this Idempotency-Key was used for another request"))
    try:
        content = _lock(key).decrypt(kept.sealed)
    except InvalidToken:
        return None
    return Response(content, kept.status, content_type="application/json", headers={"Cache-Control": "no-store"})


def _first(store: Store, digest: bytes, asked: bytes, key: bytes, execute: Callable[[], Response]) -> Response:
    response = execute()
    if response.status_code < 300:
        sealed = _lock(key).encrypt(response.get_data())
        ends = now_ms() + ANSWER_LIFETIME * 1000
        store.keep_answer(digest, StoredAnswer(asked=asked, status=response.status_code, sealed=sealed, ends=ends))
    return response


def _lock(key: bytes) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(sha256(b"kifu answer\0" + key).digest()))
