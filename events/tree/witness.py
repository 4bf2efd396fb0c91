"""A witness remembers what a log signed, checks that it only grew, and cosigns it (C2SP `tlog-cosignature`).

For each log it keeps the first and the last checkpoint, with its own cosignatures, and the log's key, in a folder of
its own. Two checkpoints of one log that contradict one another are kept as evidence: both bear the log's signature.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from events import safekeeping
from events.privacy import make_private
from events.tree import merkle
from events.tree.checkpoints import Signed, open_checkpoint
from events.tree.notes import COSIGNATURE, BadNoteError, Note, Signer, Verifier, parse_signer, parse_verifier

if TYPE_CHECKING:
    from pathlib import Path

KEY = "witness.key"
"""The file with the key that cosigns."""
LOG_KEY, FIRST, LAST, EVIDENCE = "key", "first", "checkpoint", "evidence"
LONGEST = 1 << 20

T = TypeVar("T")

ConsistencyProver = Callable[[int, int], list[bytes]]
"""Asks the log for the proof that its tree of the second size begins as that of the first."""


class ContradictionError(Exception):
    """The log contradicts what it signed before. `evidence` is the file with both checkpoints, if there are two."""

    def __init__(self, why: str, evidence: Path | None = None) -> None:
        super().__init__(why)
        self.evidence = evidence


class BadMemoryError(Exception):
    """A file of the memory is missing, or was changed."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(why)
        self.path = path


class SeenCheckpoints(NamedTuple):
    """The checkpoints that a witness has seen: the one before (None at first), and the newly cosigned one."""

    before: Signed | None
    now: Signed


class Witness:
    """The memory of a witness, in a folder. One process at a time."""

    def __init__(self, folder: Path) -> None:
        """Open the memory, begun with a key if there is none. Raises `OSError`, `BadMemoryError`."""
        make_private()
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        line = safekeeping.get(folder / KEY, LONGEST).decode("ascii", errors="replace").strip()
        if line:
            self._signer = _parsed(folder / KEY, lambda: parse_signer(line))
        else:
            self._signer = Signer.generate(f"kifu-witness/{secrets.token_hex(8)}", COSIGNATURE)
            safekeeping.put(folder / KEY, f"{self._signer.secret_line()}\n".encode())
        if self._signer.verifier.kind != COSIGNATURE:
            raise BadMemoryError(folder / KEY, "it is not a key that cosigns")

    @property
    def verifier(self) -> Verifier:
        """The key of the cosignatures."""
        return self._signer.verifier

    def known_key(self, place: str) -> Verifier | None:
        """The known key of the log at an address, if the witness has seen it before. Raises `BadMemoryError`."""
        path = self._place_folder(place) / LOG_KEY
        line = _content(path)
        return _parsed(path, lambda: parse_verifier(line)) if line else None

    def last_checkpoint(self, place: str) -> Signed | None:
        """The last cosigned checkpoint of the log at an address. Raises `BadMemoryError`."""
        return self._checkpoint(place, LAST)

    def first_size(self, place: str) -> int:
        """The number of entries when the log at an address was first seen. Raises `BadMemoryError`."""
        first = self._checkpoint(place, FIRST)
        return first.checkpoint.size if first else 0

    def _checkpoint(self, place: str, name: str) -> Signed | None:
        path, known = self._place_folder(place) / name, self.known_key(place)
        text = _content(path)
        if known is None and not text:
            return None
        if known is None or not text:
            raise BadMemoryError(path if known else path.with_name(LOG_KEY), "it is missing")
        signed = _parsed(path, lambda: open_checkpoint(text, known))
        if _parsed(path, lambda: signed.note.signed_by(self.verifier)) is None:
            raise BadMemoryError(path, f"{self.verifier.name} has not cosigned this")
        return signed

    def check_and_cosign(
        self, place: str, key: Verifier, offered: str, prove: ConsistencyProver, now: int
    ) -> SeenCheckpoints:
        """Check a checkpoint of the log at an address against the earlier ones, then cosign and store it.

        `now` is the time in seconds since 1970. Raises `ContradictionError`, `BadNoteError`, `BadMemoryError`,
        and what `prove` raises.
        """
        known, before = self.known_key(place), self.last_checkpoint(place)
        if known is not None and known != key:
            raise ContradictionError(f"the log at {place} has the key {key}, and had {known}")
        signed = open_checkpoint(offered, key)
        if before is not None:
            self.compare(place, before, signed, prove)
        note = signed.note.cosigned(self._signer.sign(signed.note.text, now))
        self._place_folder(place).mkdir(parents=True, exist_ok=True)
        if known is None:
            safekeeping.put(self._place_folder(place) / LOG_KEY, f"{key}\n".encode())
        if not (self._place_folder(place) / FIRST).exists():  # a memory of an older release has none
            safekeeping.put(self._place_folder(place) / FIRST, str(before.note if before else note).encode())
        safekeeping.put(self._place_folder(place) / LAST, str(note).encode())
        return SeenCheckpoints(before, Signed(signed.checkpoint, note))

    def compare(self, place: str, before: Signed, offered: Signed, prove: ConsistencyProver) -> None:
        """Check that a checkpoint extends an earlier one of the same log. Raises `ContradictionError`."""
        old, new = before.checkpoint, offered.checkpoint
        if new.size < old.size:
            why = f"it offers an older tree, of {new.size} entries, and had signed {old.size}"
            raise ContradictionError(why, self._keep(place, before.note, offered.note))
        try:
            proof = [] if old.size in {0, new.size} else prove(old.size, new.size)
            merkle.check_consistency(old.size, new.size, old.root, new.root, proof)
        except merkle.BadProofError:
            if old.size == new.size:
                why = f"it contradicts itself: two trees of {new.size} entries with different roots, both signed"
            else:
                why = f"its {new.size} entries do not begin with the {old.size} that it had signed"
            raise ContradictionError(why, self._keep(place, before.note, offered.note)) from None

    def _keep(self, place: str, *notes: Note) -> Path:
        """Store notes that contradict one another."""
        content = "\n".join(map(str, notes)).encode()
        self._place_folder(place).mkdir(parents=True, exist_ok=True)
        path = self._place_folder(place) / f"{EVIDENCE}-{sha256(content).hexdigest()[:12]}"
        safekeeping.put(path, content)
        return path

    def _place_folder(self, place: str) -> Path:
        return self._folder / sha256(place.encode()).hexdigest()[:32]


def _content(path: Path) -> str:
    """The text of a file of the memory; empty if there is none."""
    return safekeeping.get(path, LONGEST).decode(errors="replace")


def _parsed(path: Path, parse: Callable[[], T]) -> T:
    """The parsed content of a file of the memory. Raises `BadMemoryError`."""
    try:
        return parse()
    except BadNoteError as error:
        raise BadMemoryError(path, str(error)) from error
