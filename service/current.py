"""The request that is being answered, and what is noted of it, without the detour of `flask.request` and `flask.g`.

These are proxies. Each use of one costs ten times as much as a call of what finds the object behind it, and every
request has forty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import g, request

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Request

current_request: Callable[[], Request] = request._get_current_object  # type: ignore[attr-defined]
"""The request that is being answered."""
current_notes: Callable[[], Any] = g._get_current_object
"""What is noted of the request that is being answered: the attributes of `flask.g`."""
