"""Secrets: the form of tokens. It reveals typing errors at once, and scanners can find a leaked token by it."""

from __future__ import annotations

import re
import secrets
from hashlib import sha256
from zlib import crc32

PREFIX = "kifu_"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM, _SUM = 30, 6

FORM = re.compile(rf"{PREFIX}([a-z]{{3}})_([0-9A-Za-z]{{{_RANDOM}}})([0-9A-Za-z]{{{_SUM}}})")
"""`kifu_<kind>_`, thirty characters that are random, six that are their checksum."""

KINDS = {
    "own": "the owner's token, which lies in the data folder",
    "dev": "a device of a person: a phone, a tablet, a command line",
    "app": "a program's, made by a person",
    "ses": "a browser's session",
}
"""Every kind of secret that opens something, by the letters that it begins with."""


def make(kind: str) -> str:
    """A new secret of a kind. Nobody can guess its 178 bits, so a plain digest of it can be stored."""
    body = f"{kind}_{''.join(secrets.choice(DIGITS) for _ in range(_RANDOM))}"
    return f"{PREFIX}{body}{_checksum(body)}"


def kind_of(text: str) -> str | None:
    """The kind of a secret, one of `KINDS` or of a code; None for a text that cannot be a secret."""
    found = FORM.fullmatch(text)
    if not found or _checksum(f"{found[1]}_{found[2]}") != found[3]:
        return None
    return found[1]


def digest(text: str) -> bytes:
    """The digest of a secret, which is stored and looked up."""
    return sha256(text.encode(errors="replace")).digest()


def _checksum(body: str) -> str:
    """The CRC32 in six digits to the base of 62."""
    number, found = crc32(body.encode()), ""
    for _ in range(_SUM):
        number, digit = divmod(number, len(DIGITS))
        found = DIGITS[digit] + found
    return found
