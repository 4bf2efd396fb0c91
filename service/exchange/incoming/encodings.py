"""How files of people are encoded: UTF-8, UTF-16, or what Japanese and western programs write."""

from __future__ import annotations

import re
from contextlib import suppress

from service.exchange.incoming.plays import BadFileError

_SIGNS = re.compile(rb"([\x81-\x9f][\x40-\x7e\x80-\xfc])|[\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]")
"""A sign of Shift_JIS beyond ASCII. Kana and usual characters are of the group; western letters are read as others."""
SAMPLE = 1 << 20
"""Bytes of a file that tell how it is encoded."""
_SHIFTED = re.compile(rb"\x1b\$[@B]")
"""How Japanese begins in ISO-2022-JP, which is all of ASCII."""
MOST_WIDE = 10
"""Of so many characters of UTF-16 one is of ASCII at least, as separators and digits are: every second byte is 0."""


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, UTF-16, or what spreadsheets and editors write. Raises `BadFileError`."""
    return content.decode(encoding_of(content))


def encoding_of(content: bytes) -> str:
    """How a file is encoded: UTF-8, UTF-16, or what Japanese and western programs write.

    Western letters stand alone, so that no Japanese encoding has them in this order. Raises `BadFileError`.
    """
    wide = utf16_of(content)
    for encoding in (wide,) if wide else _narrow(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return encoding
    line = _first_odd_line(content.decode(wide or "utf-8", errors="replace"))
    why = "its letters are neither in UTF-8 nor in UTF-16, Shift_JIS or Windows-1252"
    raise BadFileError(f"line {line}: {why}")


def _narrow(content: bytes) -> tuple[str, ...]:
    """The encodings that a file without wide letters can be in, the likely ones first."""
    shifted = ("iso2022_jp",) if _SHIFTED.search(content[:SAMPLE]) else ()
    others = ("cp932", "euc_jp", "cp1252") if _is_shift_jis(content) else ("euc_jp", "cp1252", "cp932")
    return (*shifted, "utf-8-sig", *others)


def _first_odd_line(text: str) -> int:
    """The number of the first line with a letter that could not be read, or with a NUL."""
    end = min(at for sign in ("\ufffd", "\0") if (at := text.find(sign)) >= 0)
    return 1 + max(text.count("\n", 0, end), text.count("\r", 0, end))


def utf16_of(content: bytes) -> str | None:
    """The encoding of a file in UTF-16; None for another file. Without a mark, every second byte is often 0."""
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return "utf-16"
    big, little = (content[at:SAMPLE:2].count(0) for at in (0, 1))
    if max(big, little) > 3 * min(big, little) and 2 * MOST_WIDE * max(big, little) > len(content[:SAMPLE]):
        return "utf-16-be" if big > little else "utf-16-le"
    return None


def in_utf8(content: bytes) -> bytes:
    """A file in UTF-16, in UTF-8; others, and broken ones, as they are."""
    with suppress(UnicodeDecodeError):
        if encoding := utf16_of(content):
            return content.decode(encoding).encode()
    return content


def _is_shift_jis(content: bytes) -> bool:
    """Whether bytes beyond ASCII are rather kana and usual characters than western letters."""
    found = [sign[1] is not None for sign in _SIGNS.finditer(content[:SAMPLE])]
    return 2 * sum(found) > len(found)
