"""The request that is being answered, and what is noted of it, without the detour of `flask.request` and `flask.g`.

These are proxies. Each use of one costs ten times as much as a call of what finds the object behind it, and every
request has forty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import request
from flask.globals import _cv_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Request

current_request: Callable[[], Request] = request._get_current_object  # type: ignore[attr-defined]
"""The request that is being answered."""


def notes() -> dict[str, Any]:
    """What is noted of the request that is being answered, by name: the attributes of `flask.g`."""
    return vars(_cv_app.get().g)
