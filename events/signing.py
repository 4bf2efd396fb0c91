"""Signing off: a player signs the head of a record on their own device. Its private key never leaves it.

The signed statement names the game, the version and the hash of the entry right before the signature, and the seat. So
a signature of another game, head or seat is invalid. The algorithm is Ed25519, or ECDSA over P-256 with SHA-256 in
browsers without it.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from events.types import RecordSigned

P256_HALF = 32
"""Bytes of each of the two numbers in a signature over P-256."""


class BadSignatureError(ValueError):
    """A signature that does not match its statement, or an invalid key."""


def statement(game: str, version: int, hash_: str, seat: int | None) -> bytes:
    """The signed statement: the record up to entry `version` with this hash."""
    place = "-" if seat is None else seat
    return f"kifu record\ngame {game}\nversion {version}\nhash {hash_}\nseat {place}\n".encode()


def fingerprint(key: str) -> str:
    """The beginning of the SHA-256 of a public key, so that people can distinguish keys."""
    return sha256(b64decode(key)).hexdigest()[:16]


def check(game: str, signed: RecordSigned) -> None:
    """Check that the key signed that head of the game. Raises `BadSignatureError`."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - it takes a tenth of a second, so only users pay

    content = statement(game, signed.version, signed.hash, signed.seat)
    try:
        key, signature = (b64decode(text, validate=True) for text in (signed.key, signed.signature))
        _check(signed.algorithm, key, signature, content)
    except (InvalidSignature, Base64Error) as error:
        raise BadSignatureError("the key did not sign this") from error
    except ValueError as error:
        raise BadSignatureError(f"no public key for {signed.algorithm}") from error


def _check(algorithm: str, key: bytes, signature: bytes, content: bytes) -> None:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils  # noqa: PLC0415
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415

    if algorithm == "ed25519":
        ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
        return
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    if len(signature) != 2 * P256_HALF:
        raise InvalidSignature
    halves = (int.from_bytes(signature[:P256_HALF]), int.from_bytes(signature[P256_HALF:]))
    point.verify(utils.encode_dss_signature(*halves), content, ec.ECDSA(SHA256()))
