"""Seals stand in the public line of an entry for secret parts and for parts that can be erased.

A seal is the SHA-256 of 16 random bytes, the *salt*, and of the sealed *content*. The content is canonical JSON of some
members of the data, padded with spaces to 32, 64, 128 … bytes. The entry's hash covers its line, and so its seals. With
the salt and the content, a reader can check the seal. Without them, a reader learns nothing: a fact that was not noted
is sealed as well.

There are these seals:

* `record`: facts for the record itself only, in entries that can hide something
* `seat-N`: the same as seat N may know it
* `text`: free text, which can be erased
* `record.text`: free text with a hidden presence; its seal stands in the content of `record`

The sealed parts lie beside the line in one piece of bytes: for each seal its number, its form, and the input of its
hash. So no hash is stored, and a flipped bit in any of it is found with the entry's hash.
"""

from __future__ import annotations

import os
import re
from functools import cache, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

import msgspec

from events.encoding import encode_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from events.types import EventData

RECORD = "record"
TEXT = "text"
HIDDEN_TEXT = "record.text"

SALT = 16
"""Bytes of a salt."""

Part = Literal["text", "hidden"]
"""The erasable parts of an entry: its free text, or its hidden facts."""

NOTHING = b"{}"
"""The content of a seal behind which nothing was noted."""

_MEMBER = "sealed"
"""The member of a line, and of a content, that holds seals."""

_HASH = re.compile("[0-9a-f]{64}")
_LEAST = 32
_NOTHING = NOTHING.ljust(_LEAST)

_NUMBERS = {RECORD: 0, HIDDEN_TEXT: 1, TEXT: 255}
_INNER = _NUMBERS[HIDDEN_TEXT]
_TEXTS = (_INNER, _NUMBERS[TEXT])
_SEATS = 16
"""The number of the seal of seat 0; those of the other seats follow."""

_USUAL = bytes([0x91, 0x92, _NUMBERS[RECORD], 0xC4, SALT])
"""The beginning of the seals of most entries of games that hide something: one for the record, and its salt."""

_SALTS = 64
"""How many salts are asked for at once."""

_BARE = len(_USUAL) + SALT
"""Bytes of one seal behind which is nothing."""


class BadSealsError(ValueError):
    """Bytes that are not seals, or seals that do not match their content."""


class Erasure(msgspec.Struct, frozen=True):
    """The person who erased sealed content, and the time in milliseconds since 1970."""

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
    def inner_hashes(self) -> dict[str, str]:
        """The hashes of the seals in its content, by name. Raises `BadSealsError` for invalid hashes."""
        found = self.data.get(_MEMBER, {}) if self.name == RECORD else {}
        try:
            return {f"{self.name}.{name}": own for name, own in msgspec.convert(found, dict[str, str]).items()}
        except msgspec.ValidationError:
            raise BadSealsError("what is sealed in the record's content is not a hash") from None


def seat_seal(seat: int) -> str:
    """The name of the seal of what a seat may know."""
    return f"seat-{seat}"


def seal(name: str, members: Mapping[str, Any]) -> Seal:
    """Seal some members of an entry's data."""
    content, salt = encode_data(members), _salt()
    return Seal(name=name, hash=_hash(salt, content), salt=salt, content=content)


def opened_seal(name: str, salt: bytes, content: bytes) -> Seal:
    """The seal of a salt and an opened content. Raises `BadSealsError`."""
    if len(salt) != SALT:
        raise BadSealsError(f"a salt has {SALT} bytes, not {len(salt)}")
    _number(name)
    return Seal(name=name, hash=_hash(salt, content), salt=salt, content=content)


def seal_of_hash(name: str, own: str) -> Seal:
    """The closed seal with this hash. Raises `BadSealsError` for an invalid hash."""
    _number(name)
    if not _HASH.fullmatch(own):
        raise BadSealsError(f"the seal {name} is not a SHA-256")
    return Seal(name=name, hash=own)


def close(opened: Seal, erased: Erasure | None = None) -> Seal:
    """The seal without its content."""
    return Seal(name=opened.name, hash=opened.hash, erased=erased or opened.erased)


_salts: list[bytes] = []
"""Salts that nobody has had yet: to ask the system for many at once takes a fraction of the time."""

os.register_at_fork(after_in_child=_salts.clear)  # or two processes would have the same ones


def _salt() -> bytes:
    while True:
        try:
            return _salts.pop()
        except IndexError:
            block = os.urandom(SALT * _SALTS)
            _salts.extend(block[at : at + SALT] for at in range(0, len(block), SALT))


def _hash(salt: bytes, content: bytes) -> str:
    return sha256(salt + _padded(content)).hexdigest()


def _padded(content: bytes) -> bytes:
    return content.ljust(_LEAST if len(content) <= _LEAST else 1 << (len(content) - 1).bit_length())


@cache
def _name(number: int) -> str:
    return next((name for name, known in _NUMBERS.items() if known == number), seat_seal(number - _SEATS))


@cache
def _number(name: str) -> int:
    if name in _NUMBERS:
        return _NUMBERS[name]
    kind, _, seat = name.partition("-")
    if kind != "seat" or not seat.isdecimal() or str(int(seat)) != seat or int(seat) >= _NUMBERS[TEXT] - _SEATS:
        raise BadSealsError(f"there is no seal {name!r}")
    return _SEATS + int(seat)


def part_of(name: str) -> Part:
    """The erasable part behind a seal."""
    return "text" if name in (TEXT, HIDDEN_TEXT) else "hidden"


def erase(packed: bytes | None, what: Part, erasure: Erasure) -> bytes | None:
    """The seals after an erasure: without the entry's texts, or without what it hides. Raises `BadSealsError`."""
    kept = [each for each in unpack(packed) if what == "text" or each.name != HIDDEN_TEXT]
    return pack(close(each, erasure) if part_of(each.name) == what and not each.erased else each for each in kept)


def join(here: bytes | None, there: bytes | None) -> bytes | None:
    """Join the seals of one line from two places. A seal that is open in either place is open, an erased one is closed.

    An erasure in either place closes the part in both: a seat's seal holds a share of the record's, and a text inside
    hidden facts goes with them. The person who erased it `here` is believed first. Raises `BadSealsError`.
    """
    if here is None or there is None or (here == there and without_seals(here)):
        return here
    mine, others = ({each.name: each for each in unpack(packed)} for packed in (here, there))
    erased = {part_of(each.name): each.erased for each in (*others.values(), *mine.values()) if each.erased}
    names = (mine | others).keys() - ({HIDDEN_TEXT} if "hidden" in erased else set())
    return pack(_joined(mine.get(name), others.get(name), erased.get(part_of(name))) for name in names)


def _joined(mine: Seal | None, other: Seal | None, erasure: Erasure | None) -> Seal:
    """Join one seal of two places. It may be missing in one of them, and its part may be erased."""
    found = [each for each in (mine, other) if each]
    said = next((each for each in found if each.erased), None)
    opened = next((each for each in found if each.content is not None), None)
    if said:
        return said
    if opened:
        return close(opened, erasure) if erasure else opened
    return found[0]


def may_open(name: str, viewpoint: str) -> bool:
    """Whether what is behind a seal may be known from a viewpoint: `record`, `public` or `seat-N`."""
    return viewpoint == RECORD or name in (TEXT, viewpoint)


# What lies beside the line


class _StoredSeal(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One stored seal, in MessagePack.

    `key` is the salt. Behind it stands nothing (None), `content`, or the content of the record's seal (True). A closed
    seal (False) has its hash as `key`, the person and time of an erasure, and a checksum of them.
    """

    number: int
    key: bytes
    content: bytes | bool | None = None
    by: str = ""
    at: int = 0
    checksum: int = 0


def pack(seals: Iterable[Seal]) -> bytes | None:
    """Seals packed for storage beside a line; None without seals."""
    return _pack(sorted(seals, key=lambda each: _number(each.name)))


def _pack(ordered: Sequence[Seal]) -> bytes | None:
    if not ordered:
        return None
    known = ordered[0].content if ordered[0].name == RECORD else None
    return _encode([_packed(each, known) for each in ordered])


_encode = msgspec.msgpack.Encoder().encode


def _packed(each: Seal, known: bytes | None) -> list[Any]:
    number = _number(each.name)
    if each.erased:
        by, at = each.erased.by, each.erased.at
        return [number, bytes.fromhex(each.hash), False, by, at, crc32(f"{at} {by}".encode())]
    if each.content is None:
        return [number, bytes.fromhex(each.hash), False]
    if each.content == NOTHING:
        return [number, each.salt]
    return [number, each.salt, True if each.content == known and number else each.content]


def unpack(packed: bytes | None) -> tuple[Seal, ...]:
    """The seals stored beside a line. Raises `BadSealsError`."""
    return tuple(
        Seal(name=name, hash=key.hex(), erased=erased)
        if content is None
        else Seal(name=name, hash=_hash(key, content), salt=key, content=content)
        for name, key, content, erased in contents(packed)
    )


def contents(packed: bytes | None) -> Iterator[tuple[str, bytes, bytes | None, Erasure | None]]:
    """Each seal stored beside a line: name, salt, content, and who erased it.

    One that is closed has its hash in the place of the salt, and no content. Raises `BadSealsError`.
    """
    known = NOTHING
    for lying in _read(packed) if packed is not None else ():
        content = _content(lying, known)
        if content is None:
            yield _name(lying.number), lying.key, None, _erasure(lying)
        else:
            known = known if lying.number else content
            yield _name(lying.number), lying.key, content, None


def _read(packed: bytes) -> list[_StoredSeal]:
    try:
        return _lying(packed)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSealsError(f"these are not seals: {error}") from error


_lying = msgspec.msgpack.Decoder(list[_StoredSeal]).decode


def _content(lying: _StoredSeal, known: bytes) -> bytes | None:
    """The content of a seal, if that of the record has the content `known`; None if it is closed."""
    content = lying.content
    if content is None:
        return NOTHING
    if content is True:
        return known
    return content or None


def _erasure(lying: _StoredSeal) -> Erasure | None:
    if not (lying.by or lying.at or lying.checksum):
        return None
    if crc32(f"{lying.at} {lying.by}".encode()) != lying.checksum:
        raise BadSealsError("who erased it cannot be read")
    return Erasure(lying.by, lying.at)


# What the line says of them


def fragment(packed: bytes | None) -> str:
    """The member `sealed` of the line, with the comma before it; empty if nothing is sealed. Raises `BadSealsError`."""
    if packed is None:
        return ""
    if packed.startswith(_USUAL) and len(packed) == _BARE:
        return f',"sealed":{{"record":"{sha256(packed[len(_USUAL) :] + _NOTHING).hexdigest()}"}}'
    members, inner, known, padded = [], "", NOTHING, _NOTHING
    for lying in _read(packed):
        number, content = lying.number, lying.content
        if content is None:
            own = sha256(lying.key + _NOTHING).hexdigest()
        elif content is True:
            own = sha256(lying.key + padded).hexdigest()
        elif content:
            sealed = _padded(content)
            own = sha256(lying.key + sealed).hexdigest()
            if number == 0:
                known, padded = content, sealed
        else:
            own = lying.key.hex()
            known = known if number else b""
        if number == _INNER:
            inner = own
        else:
            members.append(f'"{_name(number)}":"{own}"')
    if inner and known and _inner(known) != {TEXT: inner}:
        raise BadSealsError("the seal of a text is not the one in the record's")
    return _told(members)


def _told(members: list[str]) -> str:
    return f',"{_MEMBER}":{{{",".join(members)}}}'


def _inner(content: bytes) -> object:
    """The seals that stand in the record's content."""
    return msgspec.json.decode(content).get(_MEMBER)


# The data, put together again


def without_seals(packed: bytes | None) -> bool:
    """Whether the seals of a checked entry hold nothing, as in most entries. Then its line is complete."""
    return packed is None or len(packed) == _BARE


def holds_nothing(packed: bytes | None) -> bool:
    """Whether the only seal is the open, empty seal of the record, as in most entries."""
    return packed is not None and len(packed) == _BARE and packed.startswith(_USUAL)


def bare_salt(packed: bytes) -> bytes:
    """The salt of seals that hold nothing."""
    return packed[len(_USUAL) :]


def of_ruleset_field(packed: bytes | None) -> bytes | None:
    """The content of the record's seal, if the only other seal is a seat's with the same content; else None.

    Most entries with hidden facts have this form. A look at the bytes costs a fifth of reading all seals.
    """
    if packed is None or not packed.startswith(_WITH_A_SEAT) or packed[_AT - 2] != _SHORT:
        return None
    end = _AT + packed[_AT - 1]
    return packed[_AT:end] if len(packed) == end + _OF_SEAT and packed[-1] == _SAME else None


_WITH_A_SEAT = bytes([0x92, 0x93, _NUMBERS[RECORD], 0xC4, SALT])
_SHORT, _SAME = 0xC4, 0xC3
_AT = len(_WITH_A_SEAT) + SALT + 2
"""The start of the content of the record's seal, behind the salt and its own length."""
_OF_SEAT = 1 + 1 + 2 + SALT + 1
"""Bytes of the seal of a seat that holds the same."""


@lru_cache(maxsize=4096)
def has_only(line: bytes, member: str) -> bool:
    """Whether the data of a line have this member only. Moves with hidden facts have few members."""
    return _members(line).keys() == {member}


def opened_data(body: bytes, packed: bytes | None) -> bytes:
    """The canonical JSON of an entry's data with all that is open of what was sealed. Raises `BadSealsError`."""
    if packed is None or without_seals(packed):
        return body
    record, shown, texts = NOTHING, list[bytes](), list[bytes]()
    for lying in _read(packed):
        content = lying.content
        if lying.number == 0:
            record = _content(lying, NOTHING) or b""
        elif isinstance(content, bytes):
            (texts if lying.number in _TEXTS else shown).append(content)
    found: list[bytes] = [*(() if record else shown), *([record] if record and record != NOTHING else ()), *texts]
    if not found:
        return body
    members = _members(body)
    if len(found) == 1 and members.keys() == _members(found[0]).keys():
        return found[0]  # nothing else is in the line, nor another seal in the content
    for content in found:
        members |= _members(content)
    members.pop(_MEMBER, None)
    together: bytes = encode_data(members)
    return together


_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def sealed_nothing() -> tuple[bytes, str]:
    """The seal of the record of an entry that could hide something, and does not, as it lies beside the line, and its
    `fragment`."""
    salt = _salt()
    return _USUAL + salt, f',"sealed":{{"record":"{sha256(salt + _NOTHING).hexdigest()}"}}'


def split_ruleset_field(body: bytes, words: str, shown: bytes, looks: Mapping[int, bytes]) -> tuple[bytes, bytes, str]:
    """As `split`, for an entry with only `words`. The line is canonical JSON, too.

    Most entries are like this: they hold only a move.
    """
    line = b'{"%b":%b}' % (words.encode(), shown)
    hidden = NOTHING if line == body else body
    padded, salt = _padded(hidden), _salt()
    lying: list[list[Any]] = [[0, salt, hidden] if hidden is body else [0, salt]]
    members = [f'"record":"{sha256(salt + padded).hexdigest()}"']
    for seat, look in looks.items():
        salt = _salt()
        if look == shown:
            lying.append([_SEATS + seat, salt])
            own = sha256(salt + _NOTHING).hexdigest()
        else:
            content = b'{"%b":%b}' % (words.encode(), look)
            same = content == hidden
            lying.append([_SEATS + seat, salt, True if same else content])
            own = sha256(salt + (padded if same else _padded(content))).hexdigest()
        members.append(f'"seat-{seat}":"{own}"')
    return line, _encode(lying), _told(members)


def split(
    data: Mapping[str, Any], form: EventData, views: tuple[bytes, Mapping[int, bytes]] | None, *, hides: bool
) -> tuple[dict[str, Any], bytes | None, str]:
    """The line's part of an entry's data, the seals of the rest as they lie beside it, and their `fragment`.

    `form` classifies the fields of the data. `views` is the look of the ruleset's field to everybody and to each
    informed seat, as canonical JSON. `hides` says whether the game can hide anything.
    """
    line, made = dict(data), list[Seal]()
    inner, plain = dict[str, Any](), dict[str, Any]()
    for name in form.text_fields:
        if name in line:
            (inner if hides and name in form.secret_fields else plain)[name] = line.pop(name)
    if hides:
        made += _hide(line, form, views, inner)
    if plain:
        made.append(seal(TEXT, plain))
    members = [f'"{each.name}":"{each.hash}"' for each in made if each.name != HIDDEN_TEXT]
    return line, _pack(made), _told(members) if members else ""


def _hide(
    line: dict[str, Any],
    form: EventData,
    views: tuple[bytes, Mapping[int, bytes]] | None,
    texts: dict[str, Any],
) -> Iterable[Seal]:
    """The seals of the secret parts, in their order. These parts are taken out of the line."""
    hidden, words, seats = dict[str, Any](), form.ruleset_field, {}
    for path in form.secret_fields:
        _take(line, hidden, path)
    if views:
        shown, looks = views
        if encode_data(line[words]) != shown:
            hidden[words], line[words] = line[words], msgspec.Raw(shown)
        seats = {seat: {words: msgspec.Raw(look)} if look != shown else {} for seat, look in looks.items()}
    of_texts = seal(HIDDEN_TEXT, texts) if texts else None
    if of_texts:
        hidden[_MEMBER] = {TEXT: of_texts.hash}
    yield seal(RECORD, hidden)
    if of_texts:
        yield of_texts
    for seat, look in seats.items():
        yield seal(seat_seal(seat), look)


def _take(line: dict[str, Any], hidden: dict[str, Any], path: str) -> None:
    """Hide a member, or a member of a member (`origin.hash`)."""
    name, _, inner = path.partition(".")
    if name not in line:
        return
    hidden[name] = line[name]
    if inner:
        line[name] = {field: value for field, value in line[name].items() if field != inner}
    else:
        del line[name]
