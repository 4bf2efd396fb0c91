"""Detecting the encoding of files: UTF-8, UTF-16, or the common Japanese and western encodings."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import filterfalse

from service.exchange.incoming.plays import BadFileError

ZIP = b"PK\x03\x04"
"""The first bytes of a zip file, and so of a spreadsheet."""
_SIGNS = re.compile(rb"([\x81-\x9f][\x40-\x7e\x80-\xfc])|[\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]")
"""A Shift_JIS character beyond ASCII. The group matches kana and common characters, but no western letters."""
SAMPLE = 1 << 20
"""The bytes of a file that are examined for its encoding."""
_SHIFTED = re.compile(rb"\x1b\$[@B]")
"""The escape sequences before Japanese text in ISO-2022-JP, which is pure ASCII."""
_NO_TEXT = "it has a character that no text has (NUL)"
MOST_WIDE = 10
"""One character in this many is ASCII in UTF-16 text, for example a separator or a digit: every second byte is 0."""


RARE = 100
"""At most one character in this many is a NUL that got into a text by mistake. In other files there are more."""


def decoded(content: bytes) -> str:
    """Decode a file: UTF-8, UTF-16, or a common encoding of spreadsheets and editors. Raises `BadFileError`."""
    return content.decode(encoding_of(content))


def encoding_of(content: bytes) -> str:
    """Detect the encoding of a file: UTF-8, UTF-16, or a common Japanese or western one.

    Western letters beyond ASCII stand alone, so they are not valid in Japanese encodings. Raises `BadFileError`.
    """
    if content.startswith(ZIP):
        raise BadFileError("it is a spreadsheet or another zip file; save the table as CSV")
    wide = utf16_of(content)
    for encoding in (wide,) if wide else _byte_encodings(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "cp1252" and _has_lines_in_utf8(content):
            break  # it has letters of both
        if "\0" not in text or (encoding == "utf-8-sig" and text.count("\0") * RARE < len(text)):
            return encoding
    text = content.decode(wide or "utf-8", errors="replace")
    why = "its encoding is not UTF-8, UTF-16, Shift_JIS or Windows-1252" if "\ufffd" in text else _NO_TEXT
    line = _first_odd_line(text)
    raise BadFileError(f"line {line}: {why}", line)


def _has_lines_in_utf8(content: bytes) -> bool:
    """Whether some lines have letters beyond ASCII in UTF-8. As Windows-1252 they would be read as `Ã«` for `ë`."""
    return any(map(is_utf8, filterfalse(bytes.isascii, content.splitlines())))


def is_utf8(content: bytes) -> bool:
    """Whether some bytes can be read as UTF-8."""
    with suppress(UnicodeDecodeError):
        content.decode()
        return True
    return False


def _byte_encodings(content: bytes) -> tuple[str, ...]:
    """The possible encodings of a file that is not UTF-16, likely ones first."""
    shifted = ("iso2022_jp",) if _SHIFTED.search(content[:SAMPLE]) else ()
    others = ("cp932", "euc_jp", "cp1252") if _is_shift_jis(content) else ("euc_jp", "cp1252", "cp932")
    return (*shifted, "utf-8-sig", *others)


def _first_odd_line(text: str) -> int:
    """The number of the first line with a character that cannot be decoded, or a NUL."""
    end = min(at for sign in ("\ufffd", "\0") if (at := text.find(sign)) >= 0)
    return 1 + max(text.count("\n", 0, end), text.count("\r", 0, end))


def utf16_of(content: bytes) -> str | None:
    """The encoding of a UTF-16 file; None for another file. Without a byte order mark, every second byte is often 0."""
    if content.startswith(ZIP):
        return None
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return "utf-16"
    big, little = (content[at:SAMPLE:2].count(0) for at in (0, 1))
    if max(big, little) > 3 * min(big, little) and 2 * MOST_WIDE * max(big, little) > len(content[:SAMPLE]):
        return "utf-16-be" if big > little else "utf-16-le"
    return None


def in_utf8(content: bytes) -> bytes:
    """Convert a UTF-16 file to UTF-8. Other files, and broken ones, are returned unchanged."""
    with suppress(UnicodeDecodeError):
        if encoding := utf16_of(content):
            return content.decode(encoding).encode()
    return content


def _is_shift_jis(content: bytes) -> bool:
    """Whether bytes beyond ASCII look more like kana and common characters than western letters."""
    found = [sign[1] is not None for sign in _SIGNS.finditer(content[:SAMPLE])]
    return 2 * sum(found) > len(found)
