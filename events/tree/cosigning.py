"""Cosigning of checkpoints (C2SP `tlog-witness`): the witnesses, the requests, and the check of answers."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import msgspec

from events.tree.notes import COSIGNATURE, BadNoteError, Note, Verifier, parse_signature, parse_verifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.tree.notes import Signature


class Cosigner(msgspec.Struct, frozen=True):
    """A witness: its key, and its address without `/add-checkpoint`."""

    verifier: Verifier
    url: str


def parse_cosigners(text: str) -> tuple[Cosigner, ...]:
    """The witnesses in a file: a key and an address on each line. Raises `BadNoteError`, which names the line."""
    found: list[Cosigner] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            found.append(_cosigner(words))
        except BadNoteError as error:
            raise BadNoteError(f"line {number}: {error}") from None
    return tuple(found)


def _cosigner(words: Sequence[str]) -> Cosigner:
    if len(words) != 2:
        raise BadNoteError("write the key of a witness, a space, and its address")
    verifier, url = parse_verifier(words[0]), words[1].rstrip("/")
    if verifier.kind != COSIGNATURE:
        raise BadNoteError(f"the key of {verifier.name} does not cosign")
    if not url.startswith(("http://", "https://")):
        raise BadNoteError(f"{words[1][:80]!r} is not an address of http or https")
    return Cosigner(verifier, url)


def submission(old: int, proof: Sequence[bytes], note: Note) -> bytes:
    """The request to a witness: a checkpoint, and the proof that it extends the one that the witness knows."""
    hashes = "".join(f"{b64encode(hash_).decode()}\n" for hash_ in proof)
    return f"old {old}\n{hashes}\n{note}".encode()


def cosignatures(answer: str, note: Note, verifier: Verifier) -> list[Signature]:
    """The cosignatures of this witness in its answer. Those of other keys are left out.

    Raises `BadNoteError` if there is none, or one is false.
    """
    if len(lines := answer.removesuffix("\n").split("\n")) > 100:
        raise BadNoteError("the answer has too many signatures")
    given = tuple(map(parse_signature, lines))
    own = [each for each in given if Note(note.text, (each,)).signed_by(verifier) is not None]
    if not own:
        raise BadNoteError(f"{verifier.name} has not cosigned this")
    return own
