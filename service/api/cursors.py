"""Cursors: a place in a list or in the feed, as an opaque word that clients send back."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from msgspec.json import Decoder

T = TypeVar("T")


def encode(place: Any) -> str:
    """The cursor of a place."""
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode()


def decode(cursor: str, form: Decoder[T]) -> T:
    """The place of a cursor. Raises `ValueError` for an invalid one."""
    try:
        return form.decode(base64.b64decode(cursor.encode(), b"-_", validate=True))
    except (binascii.Error, msgspec.MsgspecError, UnicodeError) as error:
        raise ValueError("not a cursor from this list") from error
