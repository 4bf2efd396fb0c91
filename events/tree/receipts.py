"""Receipts after C2SP `tlog-proof`: an entry's place in the tree, its proof, and the checkpoint, as one small file."""

from __future__ import annotations

from base64 import b64encode

import msgspec

from events.tree import merkle
from events.tree.checkpoints import Signed, open_checkpoint, parse_checkpoint, parse_number
from events.tree.notes import COSIGNATURE, BadNoteError, Note, Verifier, parse_note, parse_verifier, unpack

HEADER = "c2sp.org/tlog-proof@v1"
ENDING = ".tlog-proof"
"""The suffix of a file with a receipt."""
LONGEST = 64 * 1024
"""Bytes of a receipt."""


class Receipt(msgspec.Struct, frozen=True):
    """The offline proof that an entry is in a tree. `hash` is the entry's own: the leaf is made of it.

    `verifier` is the claimed key of the checkpoint. A reader who knows the log's key compares them.
    """

    hash: bytes
    index: int
    proof: tuple[bytes, ...]
    note: Note
    verifier: Verifier

    def __str__(self) -> str:
        hashes = "".join(f"{b64encode(hash_).decode()}\n" for hash_ in self.proof)
        extra = b64encode(self.hash + str(self.verifier).encode()).decode()
        return f"{HEADER}\nextra {extra}\nindex {self.index}\n{hashes}\n{self.note}"

    def check(self, verifier: Verifier) -> Signed:
        """Check that the entry is in the tree, and that this key has signed the tree. Returns the checkpoint.

        Raises `BadNoteError`, `merkle.BadProofError`.
        """
        if self.verifier != verifier:
            raise BadNoteError(f"the receipt is of the log with the key {self.verifier}, not {verifier}")
        signed = open_checkpoint(str(self.note), verifier)
        checkpoint = signed.checkpoint
        merkle.check_inclusion(merkle.leaf_hash(self.hash), self.index, checkpoint.size, self.proof, checkpoint.root)
        return signed

    def cosigned_at(self, witness: Verifier) -> int:
        """When a witness cosigned the checkpoint, in seconds since 1970. Raises `BadNoteError` if it did not."""
        at = self.note.signed_by(witness) if witness.kind == COSIGNATURE else None
        if at is None:
            raise BadNoteError(f"the witness {witness.name} has not cosigned it")
        return at


def parse_receipt(text: str) -> Receipt:
    """The receipt in a file, unchecked. Raises `BadNoteError`."""
    head, gap, note = text.partition("\n\n")
    lines = head.split("\n")
    if len(text) > LONGEST or not gap or len(lines) < 3 or lines[0] != HEADER:
        raise BadNoteError("that is not a receipt of an entry")
    extra, index = lines[1].removeprefix("extra "), lines[2].removeprefix("index ")
    if extra == lines[1] or index == lines[2]:
        raise BadNoteError("the receipt does not name its entry, or the entry's place in the tree")
    about = unpack(extra)
    proof = tuple(map(unpack, lines[3:]))
    if any(len(hash_) != merkle.SIZE for hash_ in (about[: merkle.SIZE], *proof)):
        raise BadNoteError("the receipt has a hash that is not a SHA-256")
    verifier = parse_verifier(about[merkle.SIZE :].decode(errors="replace"))
    parsed = parse_note(note)
    parse_checkpoint(parsed.text)
    return Receipt(about[: merkle.SIZE], parse_number(index), proof, parsed, verifier)
