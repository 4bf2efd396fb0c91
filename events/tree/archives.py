"""Archives of a log: its key signs the manifest of an archive that was written here.

A signed note of two lines: the name of the log with `/archive`, and the SHA-256 of the manifest in hexadecimal. No
checkpoint begins so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.tree.notes import BadNoteError, Note, parse_note

if TYPE_CHECKING:
    from events.tree.notes import Signer, Verifier


def sign_manifest(signer: Signer, digest: str) -> Note:
    """The signed note for the manifest of an archive that was written here."""
    text = _text(signer.verifier, digest)
    return Note(text, (signer.sign(text),))


def check_manifest(text: str, verifier: Verifier, digest: str) -> None:
    """Check that a note is for this manifest, and signed by this log. Raises `BadNoteError`."""
    note = parse_note(text)
    if note.text != _text(verifier, digest):
        raise BadNoteError("the manifest is not the one that was signed")
    if note.signed_by(verifier) is None:
        raise BadNoteError(f"the manifest is not signed with the known key of {verifier.name}")


def _text(verifier: Verifier, digest: str) -> str:
    return f"{verifier.name}/archive\n{digest}\n"
