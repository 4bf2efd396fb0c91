"""Lines of a written game for entries that are neither a move nor a ruling in its place: `#` and a word for the kind.

    BARI-DUDA
    #3 replaced by #5
    #claim #3 Black=2 White=0 ! the sheet on the table
    #replace #3 : BARI-COCO ! misread
    #5
    #seat White "Chiyo"
    #close finished

`#3` alone names the entry above, so that others can refer to it. `#1` is the opening. The fate of the entry may follow,
for readers. An entry has words, then after ` : ` text in the notation of the game, and after `!` the reason or the
text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from games.errors import TranscriptError

HASH = "#"
"""The sign that begins these lines."""

EXAMPLES = {
    "note": "#note #3 bookmark ! the turning point",
    "claim": '#claim #3 {first}=2 {last}=? : {first} "bonus" 2 ! our sheet',
    "seat": '#seat {last} "Chiyo" ! Ben had to leave',
    "close": "#close finished",
    "reopen": "#reopen ! a move was forgotten",
    "withdraw": "#withdraw #3 ! it did not happen",
    "replace": "#replace #3 : MOVE ! misread",
    "insert": "#insert #3 : MOVE ! forgotten",
    "reveal": "#reveal #3 : MOVE",
    "ruling": '#ruling #3 referee="Dora" : points seat={first} points=1 ! slow play',
    "revoke": "#revoke #3 ! nobody heard it",
    "revision": "#revision 2 ! newer rules",
}
"""An example line for each word. `{first}` and `{last}` are seats, and `MOVE` is any move."""

CORRECTIONS = frozenset({"withdraw", "replace", "insert", "reveal", "ruling", "revoke", "revision"})
"""The words of entries that change earlier entries. Only a record keeps both."""

_NAME = re.compile(r"#([1-9][0-9]{0,15})(?: (replaced|withdrawn) by #([1-9][0-9]{0,15}))?")
_WORD = re.compile(r"#([a-z]+)(?!\S)")
_PART = re.compile(r'[ \t]+((?:[^\s"!;]|"(?:[^"\\]|\\.)*")+)(?!\S)')
_NOTATION = ":"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class Name(NamedTuple):
    """The number of an entry for references, and its fate: `replaced` or `withdrawn`, `by` another entry."""

    number: int
    fate: str = ""
    by: int = 0


def read_name(line: str, number: int) -> Name | None:
    """Read a line that names the entry above; None if it does not. Raises `TranscriptError`."""
    if not line[1:2].isdigit():
        return None
    found = _NAME.fullmatch(line)
    if not found:
        raise TranscriptError(number, f"the entry above is named with # and a number, not with {line}")
    return Name(int(found[1]), found[2] or "", int(found[3] or 0))


def write_name(name: Name) -> str:
    """The line for a name."""
    return f"#{name.number} {name.fate} by #{name.by}" if name.fate else f"#{name.number}"


def read_line(line: str, number: int) -> tuple[int, str, tuple[str, ...]]:
    """Read an entry: the offset of its notation in the line, its word, and its further words.

    Raises `TranscriptError`.
    """
    found = _WORD.match(line)
    if not found or found[1] not in EXAMPLES:
        known = ", ".join(f"#{word}" for word in EXAMPLES)
        raise TranscriptError(number, f"after # stands the number of the entry above, or one of these: {known}")
    word, at, words = found[1], found.end(), list[str]()
    while part := _PART.match(line, at):
        at = part.end()
        if part[1] == _NOTATION:
            return at, word, tuple(words)
        words.append(part[1])
    if rest := line[at:].strip():
        if rest[0] not in "!;":
            raise TranscriptError(number, f"{rest} cannot be read: the quotation marks do not match")
        at = line.index(rest, at)
    return at, word, tuple(words)


def write_line(word: str, words: tuple[str, ...], notation: str) -> str:
    """An entry as a line, without its reason."""
    return " ".join([f"#{word}", *words, *([_NOTATION, notation] if notation else [])])


def quoted(text: str) -> str:
    """A text as a JSON string without quotation marks inside."""
    return '"' + msgspec.json.encode(text).decode()[1:-1].replace('\\"', "\\u0022") + '"'


def decoded(text: str, number: int) -> str:
    """The text of a JSON string; any other text unchanged. Raises `TranscriptError`."""
    if not _STRING.fullmatch(text):
        return text
    try:
        return msgspec.json.decode(text, type=str)
    except msgspec.DecodeError as error:
        raise TranscriptError(number, f"{text} is no JSON string: {error}") from None
