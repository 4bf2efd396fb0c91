"""Checkpoints after C2SP `tlog-checkpoint`: the name of a tree, its size, and its root."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import TYPE_CHECKING

import msgspec

from events.tree import merkle
from events.tree.notes import BadNoteError, Note, parse_note, unpack

if TYPE_CHECKING:
    from events.tree.notes import Verifier

LARGEST = 2**62
"""No tree has more leaves."""

_NUMBER = re.compile("0|[1-9][0-9]{0,18}")


class Checkpoint(msgspec.Struct, frozen=True):
    """A tree at one moment, as its log signs it. `origin` is the log's name, `more` are its extension lines."""

    origin: str
    size: int
    root: bytes
    more: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in (self.origin, self.size, b64encode(self.root).decode(), *self.more))


class Signed(msgspec.Struct, frozen=True):
    """A checkpoint, and its signed note."""

    checkpoint: Checkpoint
    note: Note


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint in a note's text. Its extension lines are not interpreted. Raises `BadNoteError`."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise BadNoteError("this is not a checkpoint: a checkpoint has three lines or more")
    size = parse_number(lines[1])
    root = unpack(lines[2])
    if len(root) != merkle.SIZE:
        raise BadNoteError("the root of the checkpoint is not a SHA-256")
    return Checkpoint(lines[0], size, root, tuple(lines[3:-1]))


def parse_number(text: str) -> int:
    """A size or an index of a tree, from its text. Raises `BadNoteError`."""
    if not _NUMBER.fullmatch(text) or int(text) > LARGEST:
        raise BadNoteError(f"{text[:40]!r} is not a number of leaves")
    return int(text)


def open_checkpoint(text: str, verifier: Verifier) -> Signed:
    """The checkpoint in a signed note, if that log has signed it, under its own name. Raises `BadNoteError`."""
    note = parse_note(text)
    checkpoint = parse_checkpoint(note.text)
    if checkpoint.origin != verifier.name:
        raise BadNoteError(f"that is a checkpoint of {checkpoint.origin[:80]!r}, not of {verifier.name}")
    if note.signed_by(verifier) is None:
        raise BadNoteError(f"this checkpoint is not signed with the known key of {verifier.name}")
    return Signed(checkpoint, note)
