"""Seals: what stands in the public line of an entry for what not everybody may know, or what can be erased.

A seal is the SHA-256 of 16 random bytes, the *salt*, and of the sealed *content*: canonical JSON of some of the data's
members, padded with spaces to 32, 64, 128 … bytes. The hash of the entry is made of its line, and so of its seals, and
whoever is shown the salt and the content can see that they are what was sealed. Who is not learns nothing: what was not
noted is sealed as well.

There are these seals:

* `record`: what only the record itself may know, of entries that can hold something hidden
* `seat-N`: the same as seat N may know it
* `text`: free text, which can be erased
* `record.text`: free text whose very presence is hidden; its seal stands in the content of `record`

What is sealed lies beside the line in one piece of bytes: for each seal its number, how it lies there, and what is
needed to make its hash again. So no hash is stored, and a bit that flips in any of it is found with the entry's.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

import msgspec

from events.encoding import encode_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

RECORD = "record"
TEXT = "text"
HIDDEN_TEXT = "record.text"

SALT = 16
"""Bytes of a salt."""

Part = Literal["text", "hidden"]
"""What can be erased of an entry: its free text, or what not everybody may know of it."""

NOTHING = b"{}"
"""The content of a seal behind which nothing was noted."""

_MEMBER = "sealed"
"""The member of a line, and of a content, that holds seals."""

_HASH = re.compile("[0-9a-f]{64}")
_LEAST = 32
_NOTHING = NOTHING.ljust(_LEAST)

_NUMBERS = {RECORD: 0, HIDDEN_TEXT: 1, TEXT: 255}
_NAMES = {number: name for name, number in _NUMBERS.items()}
_SEATS = 16
"""The number of the seal of seat 0; those of the other seats follow."""

_BARE, _CONTENT, _AS_RECORD, _CLOSED, _ERASED = range(5)
"""How a seal lies there: behind it is nothing, or this, or what is behind that of the record; or only its hash."""

_USUAL = bytes([_NUMBERS[RECORD], _BARE])
_USUAL_SIZE = len(_USUAL) + SALT
"""Most entries of games that hide something have one seal, behind which is nothing."""

_ERASURE = Struct(">QI")


class BadSealsError(ValueError):
    """Bytes that are no seals, or seals that are not what is said to be sealed."""


class Erasure(msgspec.Struct, frozen=True):
    """Who erased what was sealed, and when, in milliseconds since 1970."""

    by: str
    at: int


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """One seal: its `hash` in hex, and the salt and the content, unless it is closed. An `erased` one is closed."""

    name: str
    hash: str
    salt: bytes = b""
    content: bytes | None = None
    erased: Erasure | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The members behind it; none if it is closed."""
        return msgspec.json.decode(self.content) if self.content else {}

    @property
    def inner(self) -> dict[str, str]:
        """The hashes of the seals that stand in its content, by name. Raises `BadSealsError` for what are none."""
        found = self.data.get(_MEMBER, {}) if self.name == RECORD else {}
        try:
            return {f"{self.name}.{name}": own for name, own in msgspec.convert(found, dict[str, str]).items()}
        except msgspec.ValidationError:
            raise BadSealsError("what is sealed in the record's content is no hash") from None


def seat_seal(seat: int) -> str:
    """The name of the seal of what a seat may know."""
    return f"seat-{seat}"


def seal(name: str, members: Mapping[str, Any]) -> Seal:
    """Seal some members of an entry's data."""
    content, salt = encode_data(members), os.urandom(SALT)
    return Seal(name=name, hash=_hash(salt, content), salt=salt, content=content)


def reopen(name: str, salt: bytes, content: bytes) -> Seal:
    """The seal of a salt and a content that somebody was shown. Raises `BadSealsError`."""
    if len(salt) != SALT:
        raise BadSealsError(f"a salt has {SALT} bytes, not {len(salt)}")
    _number(name)
    return Seal(name=name, hash=_hash(salt, content), salt=salt, content=content)


def closed(name: str, own: str) -> Seal:
    """The seal with this hash. Raises `BadSealsError` for what is none."""
    _number(name)
    if not _HASH.fullmatch(own):
        raise BadSealsError(f"the seal {name} is no SHA-256")
    return Seal(name=name, hash=own)


def close(opened: Seal, erased: Erasure | None = None) -> Seal:
    """The seal without what is behind it."""
    return Seal(name=opened.name, hash=opened.hash, erased=erased or opened.erased)


def _hash(salt: bytes, content: bytes) -> str:
    return sha256(salt + _padded(content)).hexdigest()


def _padded(content: bytes) -> bytes:
    return content.ljust(_LEAST if len(content) <= _LEAST else 1 << (len(content) - 1).bit_length())


def _number(name: str) -> int:
    if name in _NUMBERS:
        return _NUMBERS[name]
    kind, _, seat = name.partition("-")
    if kind != "seat" or not seat.isdecimal() or str(int(seat)) != seat or int(seat) >= _NUMBERS[TEXT] - _SEATS:
        raise BadSealsError(f"there is no seal {name!r}")
    return _SEATS + int(seat)


def part_of(name: str) -> Part:
    """What can be erased that a seal stands for."""
    return "text" if name in (TEXT, HIDDEN_TEXT) else "hidden"


def erase(packed: bytes | None, what: Part, erasure: Erasure) -> bytes | None:
    """The seals with what can be erased of an entry gone: its texts, or what it hides. Raises `BadSealsError`."""
    kept = [each for each in unpack(packed) if what == "text" or each.name != HIDDEN_TEXT]
    return pack(close(each, erasure) if part_of(each.name) == what and not each.erased else each for each in kept)


def may_open(name: str, viewpoint: str) -> bool:
    """Whether what is behind a seal may be known from a viewpoint: `record`, `public` or `seat-N`."""
    return viewpoint == RECORD or name in (TEXT, viewpoint)


# What lies beside the line


def pack(seals: Iterable[Seal]) -> bytes | None:
    """Seals as they lie beside a line; None for none."""
    ordered = sorted(seals, key=lambda each: _number(each.name))
    known = next((each.content for each in ordered if each.name == RECORD), None)
    return b"".join(bytes([_number(each.name)]) + _packed(each, known) for each in ordered) or None


def _packed(each: Seal, known: bytes | None) -> bytes:
    if each.erased:
        by = each.erased.by.encode()
        about = each.erased.at.to_bytes(8) + len(by).to_bytes(2) + by
        return bytes([_ERASED]) + bytes.fromhex(each.hash) + about + crc32(about).to_bytes(4)
    if each.content is None:
        return bytes([_CLOSED]) + bytes.fromhex(each.hash)
    if each.content == NOTHING:
        return bytes([_BARE]) + each.salt
    if each.content == known and each.name != RECORD:
        return bytes([_AS_RECORD]) + each.salt
    return bytes([_CONTENT]) + each.salt + len(each.content).to_bytes(4) + each.content


def unpack(packed: bytes | None) -> tuple[Seal, ...]:
    """The seals that lie beside a line. Raises `BadSealsError`."""
    if not packed:
        return ()
    try:
        return tuple(_unpacked(packed))
    except (IndexError, KeyError, UnicodeDecodeError) as error:
        raise BadSealsError("these are no seals") from error


def _unpacked(packed: bytes) -> Iterator[Seal]:
    at, known = 0, NOTHING
    while at < len(packed):
        number, form = packed[at], packed[at + 1]
        name = _NAMES[number] if number in _NAMES else seat_seal(number - _SEATS)
        at += 2
        if form in (_CLOSED, _ERASED):
            own, at = _taken(packed, at, 32)
            erased = None
            if form == _ERASED:
                erased, at = _erasure(packed, at)
            yield Seal(name=name, hash=own.hex(), erased=erased)
            continue
        salt, at = _taken(packed, at, SALT)
        content = NOTHING if form == _BARE else known
        if form == _CONTENT:
            length, at = _taken(packed, at, 4)
            content, at = _taken(packed, at, int.from_bytes(length))
        elif form > _CONTENT and form != _AS_RECORD:
            raise BadSealsError(f"no seal lies in the form {form}")
        if name == RECORD:
            known = content
        yield Seal(name=name, hash=_hash(salt, content), salt=salt, content=content)


def _erasure(packed: bytes, at: int) -> tuple[Erasure, int]:
    begin = at
    when, at = _taken(packed, at, 8)
    length, at = _taken(packed, at, 2)
    by, at = _taken(packed, at, int.from_bytes(length))
    sum_, end = _taken(packed, at, 4)
    if crc32(packed[begin:at]).to_bytes(4) != sum_:
        raise BadSealsError("who erased it cannot be read")
    return Erasure(by.decode(), int.from_bytes(when)), end


def _taken(packed: bytes, at: int, count: int) -> tuple[bytes, int]:
    taken = packed[at : at + count]
    if len(taken) < count:
        raise BadSealsError("they break off")
    return taken, at + count


# What the line says of them


def fragment(packed: bytes | None) -> str:
    """The member `sealed` of the line, with the comma before it; empty if nothing is sealed. Raises `BadSealsError`."""
    if packed is None:
        return ""
    if len(packed) == _USUAL_SIZE and packed[: len(_USUAL)] == _USUAL:
        return f',"sealed":{{"record":"{sha256(packed[len(_USUAL) :] + _NOTHING).hexdigest()}"}}'
    return written(unpack(packed))


def written(seals: Sequence[Seal]) -> str:
    """As `fragment`, of seals. Raises `BadSealsError` where a seal within another is not the one that is open."""
    found = {each.name: each for each in seals}
    if inner := found.pop(HIDDEN_TEXT, None):
        outer = found.get(RECORD)
        if outer is None or (outer.content and outer.inner != {HIDDEN_TEXT: inner.hash}):
            raise BadSealsError("the seal of a text is not the one in the record's")
    members = ",".join(f'"{each.name}":"{each.hash}"' for each in found.values())
    return f',"{_MEMBER}":{{{members}}}'


# The data, put together again


def whole(body: bytes, packed: bytes | None) -> bytes:
    """The canonical JSON of an entry's data with all that is open of what was sealed. Raises `BadSealsError`."""
    if packed is None or (len(packed) == _USUAL_SIZE and packed[: len(_USUAL)] == _USUAL):
        return body
    found = {each.name: each for each in unpack(packed)}
    shown = [each for name, each in found.items() if name not in _NUMBERS]
    record = found.get(RECORD)
    members: dict[str, Any] = msgspec.json.decode(body)
    for each in (*(shown if record and record.content is None else ()), record, *map(found.get, (HIDDEN_TEXT, TEXT))):
        if each is not None:
            members |= each.data
    members.pop(_MEMBER, None)
    return encode_data(members)


def split(
    data: Mapping[str, Any],
    *,
    texts: Sequence[str],
    secrets: Sequence[str],
    words: str,
    public: Callable[[], tuple[Any, Mapping[int, Any]]] | None,
) -> tuple[dict[str, Any], list[Seal]]:
    """What of an entry's data stands in its line, and the seals of the rest.

    `texts` are the members that are free text. `public` says how the member `words` looks to everybody and to each seat
    that may know more, where there is something to hide; `secrets` are then the members that would tell of it.
    """
    line, seals, hidden = dict(data), list[Seal](), dict[str, Any]()
    words = words if words in data else ""
    hides = public is not None and bool(words or secrets)
    inner = {name: line.pop(name) for name in texts if hides and name in secrets and name in line}
    plain = {name: line.pop(name) for name in texts if name in line}
    if hides and public is not None:
        for name in secrets:
            _take(line, hidden, name)
        shown, seats = public() if words else (None, {})
        seen = {seat: {words: view} if view != shown else {} for seat, view in seats.items()}
        if words and line[words] != shown:
            hidden[words] = line[words]
            line[words] = shown
        if inner:
            seals.append(seal(HIDDEN_TEXT, inner))
            hidden[_MEMBER] = {TEXT: seals[0].hash}
        seals.append(seal(RECORD, hidden))
        seals += (seal(seat_seal(seat), members) for seat, members in seen.items())
    if plain:
        seals.append(seal(TEXT, plain))
    return line, seals


def _take(line: dict[str, Any], hidden: dict[str, Any], path: str) -> None:
    """Let a member, or a member of one (`origin.hash`), be hidden."""
    name, _, inner = path.partition(".")
    if name not in line:
        return
    hidden[name] = line[name]
    if inner:
        line[name] = {field: value for field, value in line[name].items() if field != inner}
    else:
        del line[name]
