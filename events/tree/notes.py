"""Signed notes after C2SP `signed-note`: text with Ed25519 signatures, and keys that are named.

Checkpoints are such notes (`tlog-checkpoint`); a witness puts its cosignature beside the log's (`tlog-cosignature`).
"""

from __future__ import annotations

import re
import struct
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha256

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = 1
"""The type of a key that signs notes."""
COSIGNATURE = 4
"""The type of a key that cosigns checkpoints: what it signs says when."""

SIGNATURES = 100
"""Signatures that a note can have."""

_LINE = "— "
_NAME = re.compile(r"[^\s+\x00-\x1f\x7f]+")
_SECRET = "PRIVATE+KEY"  # noqa: S105 - it says what follows
_TIME = struct.Struct(">Q")
_LATEST = 2**63 - 1


class BadNoteError(ValueError):
    """Not a signed note, not a key, or not signed by a known key."""


class Verifier(msgspec.Struct, frozen=True):
    """A public key with its name and type; `str` gives it as one line that can be handed on."""

    name: str
    kind: int
    key: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that stand before this key's signatures."""
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.key).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_text(bytes([self.kind]) + self.key)}"


class Signature(msgspec.Struct, frozen=True):
    """A line below a note: the name of a key, its id, and what it signed."""

    name: str
    id: bytes
    content: bytes

    def __str__(self) -> str:
        return f"{_LINE}{self.name} {_text(self.id + self.content)}\n"


class Note(msgspec.Struct, frozen=True):
    """A text that ends in a newline, and its signatures, which nobody has checked."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(map(str, self.signatures))

    def signed_by(self, verifier: Verifier) -> int | None:
        """When this key signed the note: seconds since 1970 for a cosignature, 0 for a signature, None if it did not.

        Raises `BadNoteError` for a false signature under its name.
        """
        times = [_checked(self, one, verifier) for one in self.signatures if _is_of(one, verifier)]
        return max(times, default=None)

    def cosigned(self, more: Signature) -> Note:
        """The note with this signature, which replaces an older one of the same key."""
        others = [one for one in self.signatures if (one.name, one.id) != (more.name, more.id)]
        return Note(self.text, (*others, more))


class Signer:
    """A private key with its name and type."""

    def __init__(self, name: str, kind: int, seed: bytes) -> None:
        if not _NAME.fullmatch(name):
            raise BadNoteError(f"{name!r} is not a name for a key: it contains a space or a plus")
        if kind not in {ED25519, COSIGNATURE} or len(seed) != 32:
            raise BadNoteError("that is not an Ed25519 key")
        self._seed, self._key = seed, Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = Verifier(name, kind, self._key.public_key().public_bytes_raw())

    @classmethod
    def generate(cls, name: str, kind: int = ED25519) -> Signer:
        """A new key."""
        return cls(name, kind, Ed25519PrivateKey.generate().private_bytes_raw())

    def sign(self, text: str, now: int = 0) -> Signature:
        """Sign a note's text. A cosignature includes the time `now`, in seconds since 1970."""
        verifier = self.verifier
        if verifier.kind == COSIGNATURE:
            content = _TIME.pack(now) + self._key.sign(_cosigned(text, now))
        else:
            content = self._key.sign(text.encode())
        return Signature(verifier.name, verifier.id, content)

    def secret_line(self) -> str:
        """The private key as one line. Keep it secret."""
        verifier = self.verifier
        return f"{_SECRET}+{verifier.name}+{verifier.id.hex()}+{_text(bytes([verifier.kind]) + self._seed)}"


def parse_note(text: str) -> Note:
    """The note in a text. Raises `BadNoteError`."""
    body, gap, lines = text.rpartition("\n\n")
    if not gap or not lines.endswith("\n") or re.search(r"[\x00-\x09\x0b-\x1f]", text):
        raise BadNoteError("that is not a signed note")
    signatures = lines[:-1].split("\n")
    if len(signatures) > SIGNATURES:
        raise BadNoteError("the note has too many signatures")
    return Note(body + "\n", tuple(map(parse_signature, signatures)))


def parse_signature(line: str) -> Signature:
    """The signature in a line. Raises `BadNoteError`."""
    name, _, content = line.removeprefix(_LINE).partition(" ")
    signed = unpack(content)
    if not line.startswith(_LINE) or not _NAME.fullmatch(name) or len(signed) < 5:
        raise BadNoteError(f"{line[:80]!r} is not a signature of a note")
    return Signature(name, signed[:4], signed[4:])


def parse_verifier(line: str) -> Verifier:
    """The key in a line such as `name+0123abcd+AQ…`. Raises `BadNoteError`."""
    name, id_, key = _parts(line, 3)
    verifier = Verifier(name, key[0], key[1:])
    if verifier.kind not in {ED25519, COSIGNATURE} or len(verifier.key) != 32 or verifier.id.hex() != id_:
        raise BadNoteError("that is not a key: its id does not match it")
    try:
        Ed25519PublicKey.from_public_bytes(verifier.key)
    except ValueError as error:
        raise BadNoteError(f"that is not an Ed25519 key: {error}") from None
    return verifier


def parse_signer(line: str) -> Signer:
    """The private key in a line from `Signer.secret`. Raises `BadNoteError`."""
    if not line.startswith(_SECRET + "+"):
        raise BadNoteError("that is not a private key")
    name, id_, key = _parts(line.removeprefix(_SECRET + "+"), 3)
    signer = Signer(name, key[0], key[1:])
    if signer.verifier.id.hex() != id_:
        raise BadNoteError("the private key does not match its id")
    return signer


def _parts(line: str, count: int) -> tuple[str, str, bytes]:
    parts = line.strip().split("+", count - 1)
    if len(parts) != count or not _NAME.fullmatch(parts[0]):
        raise BadNoteError("that is not a key of the form name+id+key")
    key = unpack(parts[2])
    if not key:
        raise BadNoteError("the key is empty")
    return parts[0], parts[1], key


def _is_of(signature: Signature, verifier: Verifier) -> bool:
    return (signature.name, signature.id) == (verifier.name, verifier.id)


def _checked(note: Note, signature: Signature, verifier: Verifier) -> int:
    """Check a signature of that key. Returns its time if it has one. Raises `BadNoteError`."""
    content, signed, now = signature.content, note.text.encode(), 0
    try:
        if verifier.kind == COSIGNATURE:
            now, content = _TIME.unpack_from(content)[0], content[_TIME.size :]
            signed = _cosigned(note.text, now)
        Ed25519PublicKey.from_public_bytes(verifier.key).verify(content, signed)
    except (InvalidSignature, struct.error):
        raise BadNoteError(f"the signature of {verifier.name} is false") from None
    if now > _LATEST:
        raise BadNoteError(f"the signature of {verifier.name} has no time")
    return now


def _cosigned(text: str, now: int) -> bytes:
    """The text that a cosigner signs."""
    return f"cosignature/v1\ntime {now}\n{text}".encode()


def _text(content: bytes) -> str:
    return b64encode(content).decode()


def unpack(text: str) -> bytes:
    """The bytes of a text in Base64, in its only valid form. Raises `BadNoteError`."""
    try:
        found = b64decode(text, validate=True)
    except (Base64Error, ValueError):
        found = b""
    if _text(found) != text:
        raise BadNoteError(f"{text[:80]!r} is not Base64")
    return found
