"""The tree of a data folder. It grows with the log, is signed, and proves what is in the log.

What it holds at index `i` is what the log stored at position `i + 1`. Its files say nothing that could not be made from
the log again, but for one: the last checkpoint that was signed. It judges the others, and the log. Where the log gives
another root than was signed, its past was changed, and nothing more is signed until somebody has decided what is to be.
"""

from __future__ import annotations

import logging
import secrets
import shutil
import threading
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from events import safekeeping
from events.errors import LogError
from events.safekeeping import sync_folder
from events.tree import merkle
from events.tree.archives import sign_manifest
from events.tree.checkpoints import LARGEST, Checkpoint, Signed, open_checkpoint
from events.tree.ends import UnprovenError, prove_by_ends
from events.tree.notes import ED25519, BadNoteError, Note, Signer, parse_signer
from events.tree.receipts import Receipt
from events.tree.tiles import WIDTH, BadTileError, Frontier, TileReader, Tiles, hashes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from events.event import LogEnd
    from events.log import LogReader
    from events.tree.notes import Signature, Verifier

FOLDER = "tree"
"""The folder of the tiles and the checkpoint in a data folder."""
KEY = "tree.key"
"""The file with the key that signs checkpoints."""

HEAD, BEFORE, COSIGNED, LOST = "checkpoint", "checkpoint.before", "checkpoint.cosigned", "lost.json"

LONGEST = 1 << 20
"""Bytes of a small file."""

LONG = 1_000_000
"""A longer tree is first proved by its tiles and the ends of records, and then from the whole log, beside all else."""

PORTION = 20
"""Tiles that are proved from the log between two looks at what is new."""

STEP = 1000
"""Leaves between two looks whether to go on."""

logger = logging.getLogger(__name__)


class TreeError(LogError):
    """The base class of the errors of the tree."""


class TreeStoppedError(TreeError):
    """The log contradicts the signed tree, or the key is gone. The owner has to decide."""


class TreeDamagedError(TreeError):
    """A tile is different from what was written. It is rebuilt from the log; then the request can be repeated."""


class NotGrownError(TreeError):
    """The tree does not have this entry yet."""

    def __init__(self, size: int, wanted: int) -> None:
        super().__init__(f"the tree has {size} entries, not {wanted}")
        self.size, self.wanted = size, wanted


class Examination(msgspec.Struct, frozen=True):
    """The comparison of the tree with the log: the names of different tiles, or the contradiction with the log."""

    size: int
    tiles: list[str]
    contradicted: str | None = None

    @property
    def sound(self) -> bool:
        """Whether there is no finding."""
        return not self.tiles and self.contradicted is None


class Interrupted(Exception):  # noqa: N818 - nothing went wrong
    """The caller ended the work."""


def always() -> bool:
    """Always go on."""
    return True


class Tree:
    """The tree over the log of a data folder. One process at a time grows it, and all may read it.

    `stopped` says why nothing more is signed, if so. `signed` is the last checkpoint, None if there is none, and
    `cosigned` the last one that a witness has cosigned.
    `damaged_tile_found` says whether a read tile was different from what was written.
    """

    def __init__(
        self,
        folder: Path,
        log: LogReader,
        *,
        grows: bool = False,
        beside: Callable[[], tuple[str, ...]] = tuple,
        shared_key: str = "",
    ) -> None:
        """Open the tree; one that `grows` is begun, with a key of its own, if there is none.

        What is kept `beside` the log can have lines in each checkpoint: those that it has not any more stay. The file
        `shared_key` has the key of several hosts, each with a folder of its own.
        """
        self._folder, self._log, self._beside = folder / FOLDER, log, beside
        self._key, self._is_shared = Path(shared_key) if shared_key else folder / KEY, bool(shared_key)
        self.tiles = Tiles(self._folder)
        self._edge: Frontier | None = None
        self._by_ends = True
        """Whether a long tree need not be proved from the whole log at once."""
        self._comparison: Iterator[None] | None = None
        """What is still to be proved from the log."""
        self._others: list[tuple[int, int]] = []
        """The tiles that were found to be others meanwhile."""
        self._level: tuple[LogEnd, int] | None = None
        """How far log and tree were when both were last found to be equally long."""
        self._growing = threading.Lock()
        self._signer: Signer | None = None
        self._lost: frozenset[int] = frozenset()
        self._kept = False
        """Whether the last checkpoint stands where it should."""
        self._stamp: tuple[int, ...] | None = None
        self.signed: Signed | None = None
        self.cosigned: Signed | None = None
        self.stopped: str | None = None
        self.damaged_tile_found = False
        self._try_to_open(grows)

    def _try_to_open(self, grows: bool) -> None:
        self._stamp = self._stamped()
        try:
            self._open(grows)
        except (TreeStoppedError, BadNoteError) as error:
            self.stopped = str(error)
        except OSError as error:
            self.stopped = f"the tree cannot be opened: {error}"

    def reload(self) -> None:
        """Load the checkpoint that another process has signed since, if any."""
        if self._stamped() not in (None, self._stamp):
            with self._growing:
                self._edge = None
                self._try_to_open(grows=False)

    def _stamped(self) -> tuple[int, ...] | None:
        """A stamp that changes with every signature; None while the file is replaced."""
        try:
            found = (self._folder / HEAD).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, *safekeeping.identity(self._folder / COSIGNED)

    def recheck_tiles(self) -> None:
        """Compare the tiles with the log when the tree next grows: a reader found a damaged one."""
        self._edge, self._by_ends = None, False

    # What it is

    @property
    def size(self) -> int:
        """The number of entries of the last checkpoint."""
        return self.signed.checkpoint.size if self.signed else 0

    @property
    def verifier(self) -> Verifier:
        """The public key of the checkpoints. Raises `TreeStoppedError`."""
        if self._signer is None:
            raise TreeStoppedError(self.stopped or "no tree was begun")
        return self._signer.verifier

    def sign_manifest(self, digest: str) -> Note:
        """The signed note for an archive of this log, by the SHA-256 of its manifest. Raises `TreeStoppedError`."""
        if self._signer is None or self.stopped is not None:
            raise TreeStoppedError(self.stopped or "no tree was begun")
        return sign_manifest(self._signer, digest)

    def checkpoint(self) -> Signed:
        """The last checkpoint, with its cosignatures. Raises `TreeStoppedError` if there is none."""
        if self.signed is None:
            raise TreeStoppedError(self.stopped or "no checkpoint was signed")
        cosigned = self.cosigned
        return cosigned if cosigned and cosigned.note.text == self.signed.note.text else self.signed

    def keep_cosignatures(self, signed: Signed, more: Sequence[Signature]) -> None:
        """Store a checkpoint of this tree with the cosignatures of witnesses. Raises `OSError`."""
        note = signed.note
        for signature in more:
            note = note.cosigned(signature)
        safekeeping.put(self._folder / COSIGNED, str(note).encode())
        self.cosigned = Signed(signed.checkpoint, note)

    @property
    def is_proven(self) -> bool:
        """Whether the log was proved against the signed tree since the tree was opened."""
        return self._edge is not None

    # What it proves

    def receipt(self, index: int, hash_: bytes) -> Receipt:
        """The proof that the entry with this hash is at `index`, in the tree of the last checkpoint.

        It is the last cosigned one if that has the entry. Raises `NotGrownError`, `TreeDamagedError`,
        `TreeStoppedError`.
        """
        signed, verifier, cosigned = self.checkpoint(), self.verifier, self.cosigned
        if index >= signed.checkpoint.size:
            raise NotGrownError(signed.checkpoint.size, index + 1)
        signed = cosigned if cosigned and index < cosigned.checkpoint.size else signed
        size, root = signed.checkpoint.size, signed.checkpoint.root
        try:
            proof = merkle.inclusion(index, size, TileReader(self.tiles, size))
            merkle.check_inclusion(merkle.leaf_hash(hash_), index, size, proof, root)
        except (BadTileError, merkle.BadProofError) as error:
            raise self._tile_error(error) from error
        return Receipt(hash_, index, tuple(proof), signed.note, verifier)

    def consistency(self, old: int, new: int | None = None) -> tuple[int, list[bytes]]:
        """The proof that the tree only grew, and the size of the newer one. Without `new` it is the last checkpoint.

        Raises `NotGrownError`, `TreeDamagedError`, `TreeStoppedError`, and `ValueError` for `old > new`.
        """
        checkpoint = self.checkpoint().checkpoint
        size = checkpoint.size if new is None else new
        if max(old, size) > checkpoint.size:
            raise NotGrownError(checkpoint.size, max(old, size))
        reading = TileReader(self.tiles, checkpoint.size)
        try:
            proof = merkle.consistency(old, size, reading)
            root = merkle.root(size, reading)
            merkle.check_consistency(old, size, merkle.root(old, reading), root, proof)
            further = merkle.consistency(size, checkpoint.size, reading)
            merkle.check_consistency(size, checkpoint.size, root, checkpoint.root, further)
        except (BadTileError, merkle.BadProofError) as error:
            raise self._tile_error(error) from error
        return size, proof

    def tile(self, level: int, number: int, width: int) -> bytes:
        """The hashes of a tile of the tree. Raises `BadTileError` if there is no such tile, `TreeDamagedError`."""
        if level > 7 or (number * WIDTH + width) << (8 * level) > self.size:
            raise BadTileError(f"{self.tiles.name(level, number)} is not {width} hashes wide in a tree of {self.size}")
        try:
            self._check_tile(level, number)
            return self.tiles.read(level, number, width)
        except BadTileError as error:
            raise self._tile_error(error) from error

    def _check_tile(self, level: int, number: int) -> None:
        """Check a tile against the tiles above it before others keep it.

        Raises `BadTileError`.
        """
        checkpoint = self.checkpoint().checkpoint
        if (number + 1) * WIDTH << (8 * level) > checkpoint.size:  # it is open: the root stands above it
            true = merkle.root(checkpoint.size, TileReader(self.tiles, checkpoint.size)) == checkpoint.root
        else:
            above, place = divmod(number, WIDTH)
            true = self.tiles.read(level + 1, above, place + 1)[-merkle.SIZE :] == merkle.subtree_hash(
                self.tiles.read(level, number)
            )
        if not true:
            raise BadTileError(f"{self.tiles.name(level, number)} is not what was written")

    def entries(self, number: int, width: int) -> bytes:
        """The entries of a tile of leaves, each after its length in two bytes. A lost entry is empty.

        Raises `BadTileError` if there is no such tile, `TreeDamagedError`, `LogError`.
        """
        leaves = hashes_of(self.tile(0, number, width))
        found = list(self._entries(number * WIDTH, number * WIDTH + width))
        if list(map(merkle.leaf_hash, found)) != leaves:
            raise self._tile_error("the entries are not those of the tile")
        return b"".join(len(entry).to_bytes(2) + entry for entry in found)

    # How it grows

    def grow(self, go_on: Callable[[], bool] = always) -> bool:
        """Add the new entries of the log, and sign the tree and its extra lines. True if there was anything new.

        The tree itself is proved first, once. Raises `LogError`, `OSError`; it can be tried again then.
        """
        with self._growing:
            return self._grown(go_on)

    def _grown(self, go_on: Callable[[], bool]) -> bool:
        if self.stopped is not None or self._signer is None:
            return False
        try:
            if self._edge is None:
                self._begin_growing(go_on)
            self._compare_on()
            return self._grow(self._signer, go_on)
        except Interrupted:
            self._edge = None
            return False
        except TreeStoppedError as error:
            self.stopped = str(error)
            return False
        except BaseException:
            self._edge = None  # it may be ahead of what is on disk
            raise

    def _grow(self, signer: Signer, go_on: Callable[[], bool]) -> bool:
        edge, end = self._edge, self._log.recent_end()
        if edge is None:
            return False
        position = edge.size if (end, edge.size) == self._level else self._log_end(edge.size)
        if position == edge.size:
            self._level = end, edge.size
            return self._sign_lines(signer, edge)
        if position < edge.size:
            raise TreeStoppedError(f"the log ends at position {position}, and {edge.size} were signed")
        before = edge.size
        self._refuse_changed(edge)
        for level, number, tile in edge.extend(self._leaves(before, None, go_on)):
            self.tiles.write(level, number, tile)
        if edge.size == before:
            return False
        for level, number, tile in edge.open_tiles():
            self.tiles.write(level, number, tile)
        self._sign(signer, edge)
        return True

    def _log_end(self, size: int) -> int:
        """The position of the newest entry. Readers can see an entry a moment before the log has counted it."""
        counted = self._log.position()
        uncounted = self._log.hashes(counted, size - counted) if counted < size else ()
        return max((position for position, _ in uncounted), default=counted)

    def _lines(self) -> tuple[str, ...]:
        """The extra lines of the next checkpoint."""
        return self._beside() or (self.signed.checkpoint.more if self.signed else ())

    def _sign_lines(self, signer: Signer, edge: Frontier) -> bool:
        """Sign the same tree again if its extra lines have changed. True if they have."""
        if self.signed is None or self._lines() == self.signed.checkpoint.more:
            return False
        self._sign(signer, edge)
        return True

    def _refuse_changed(self, edge: Frontier) -> None:
        """Check that the log still ends as the tree does. Raises `TreeStoppedError`."""
        first = edge.size - len(edge.leaves)
        if list(self._leaves(first, edge.size)) != edge.leaves:
            raise TreeStoppedError("the last entries of the log are not those that were signed")

    def _sign(self, signer: Signer, edge: Frontier) -> None:
        """Sign the tree, after a proof from the files that it extends the last signed one."""
        checkpoint = Checkpoint(signer.verifier.name, edge.size, edge.root, self._lines())
        if self.signed is not None:
            try:
                self._check_growth(self.signed.checkpoint, checkpoint)
            except (BadTileError, merkle.BadProofError) as error:
                raise self._tile_error(error) from error
        text = str(checkpoint)
        signed = Signed(checkpoint, Note(text, (signer.sign(text),)))
        if self._kept:
            (self._folder / HEAD).replace(self._folder / BEFORE)
            self._kept = False
        safekeeping.put(self._folder / HEAD, str(signed.note).encode())
        self.signed, self._kept = signed, True

    def _check_growth(self, old: Checkpoint, new: Checkpoint) -> None:
        """Check by the tiles that a tree extends an older one. Raises `BadTileError`, `merkle.BadProofError`."""
        proof = merkle.consistency(old.size, new.size, TileReader(self.tiles, new.size))
        merkle.check_consistency(old.size, new.size, old.root, new.root, proof)

    # How it is proved

    def examine(self, go_on: Callable[[], bool] = always) -> Examination:
        """Rebuild the tree from the log and compare it with the signed checkpoint and the tiles.

        Nothing is changed. Raises `LogError`.
        """
        if self.stopped is not None or self.signed is None:
            return Examination(self.size, [], self.stopped)
        try:
            _, others = self._rebuild_and_compare(go_on)
        except TreeStoppedError as error:
            return Examination(self.size, [], str(error))
        return Examination(self.size, [self.tiles.name(*each) for each in others])

    def repair(self, go_on: Callable[[], bool] = always) -> Examination:
        """As `examine`, and rewrite different tiles. Raises `LogError`, `OSError`."""
        found = self.examine(go_on)
        if found.tiles:
            self._make_sure(go_on)
        return found

    def _begin_growing(self, go_on: Callable[[], bool]) -> None:
        """Prove the tree before it grows. Raises `TreeStoppedError`, `Interrupted`, `LogError`."""
        if self.signed is None or self.size <= LONG or not self._by_ends:
            self._make_sure(go_on)
            return
        try:
            self._edge = prove_by_ends(self.tiles, self.signed.checkpoint, self._log, len(self._lost), go_on)
            self._others = []
            self._comparison = self._compare_tiles(Frontier(), self._others, always)
        except UnprovenError as error:
            logger.warning("the tree is proved from the whole log: %s", error)
            self._by_ends = False
            self._make_sure(go_on)

    def _compare_on(self) -> None:
        """Prove some more of the tree from the log. Raises `TreeStoppedError`, `LogError`."""
        if self._comparison and sum(1 for _ in islice(self._comparison, PORTION)) < PORTION:
            self._comparison = None
            if self._others:
                self.recheck_tiles()

    def _make_sure(self, go_on: Callable[[], bool]) -> None:
        """Prove the signed tree, and rewrite tiles that differ from the log.

        Raises `TreeStoppedError`, `LogError`.
        """
        edge, others = self._rebuild_and_compare(go_on)
        if others:
            names = ", ".join(self.tiles.name(*each) for each in others[:5])
            logger.warning("%d tiles of the tree are made anew from the log: %s", len(others), names)
            edge = Frontier()
            for level, number, tile in self._all(edge, go_on):
                if (level, number) in others:
                    self.tiles.write(level, number, tile)
        self._edge = edge

    def _rebuild_and_compare(self, go_on: Callable[[], bool]) -> tuple[Frontier, list[tuple[int, int]]]:
        """The tree of the last checkpoint rebuilt from the log, and the tiles that differ in the files.

        Raises `TreeStoppedError` if its root is not the signed one.
        """
        edge = Frontier()
        others: list[tuple[int, int]] = []
        for _ in self._compare_tiles(edge, others, go_on):
            pass
        return edge, others

    def _compare_tiles(
        self, edge: Frontier, others: list[tuple[int, int]], go_on: Callable[[], bool]
    ) -> Iterator[None]:
        """Rebuild the tree of the last checkpoint from the log, tile by tile, and note the tiles that differ.

        Raises `TreeStoppedError` if its root is not the signed one.
        """
        signed = self.signed
        try:
            for level, number, tile in self._all(edge, go_on):
                if self._stored(level, number, len(tile) // merkle.SIZE) != tile:
                    others.append((level, number))
                yield
        except _MissingError as missing:
            raise TreeStoppedError(
                f"the log is not what was signed: the entry at position {missing.position} is missing"
            ) from None
        if signed is not None and edge.root != signed.checkpoint.root:
            raise TreeStoppedError(f"the log is not what was signed: {self._first_difference(others)}")

    def _all(self, edge: Frontier, go_on: Callable[[], bool]) -> Iterator[tuple[int, int, bytes]]:
        """Every tile of the tree of the last checkpoint, rebuilt from the log."""
        yield from edge.extend(self._leaves(0, self.size, go_on))
        yield from edge.open_tiles()

    def _stored(self, level: int, number: int, width: int) -> bytes:
        try:
            return self.tiles.read(level, number, width)
        except BadTileError:
            return b""

    def _first_difference(self, others: list[tuple[int, int]]) -> str:
        """The first entry that differs from the signed one, if the tiles of leaves show it."""
        for number in (number for level, number in others if level == 0):
            first = number * WIDTH
            width = min(WIDTH, self.size - first)
            stored = hashes_of(self._stored(0, number, width))
            for index, leaf in enumerate(self._leaves(first, first + width), first):
                if len(stored) > index - first and stored[index - first] != leaf:
                    return f"the entry at position {index + 1}{self._named(index)} is another one"
        return "it gives another root"

    def _named(self, index: int) -> str:
        for position, event in self._log.feed(index, 1):
            if position == index + 1:
                return f" (version {event.version} of game {event.game})"
        return ""

    # What the log gives

    def _leaves(self, start: int, end: int | None, go_on: Callable[[], bool] = always) -> Iterator[bytes]:
        """The hashes of the leaves `start <= index < end`. Raises `TreeStoppedError`, `Interrupted`, `LogError`."""
        return map(merkle.leaf_hash, self._entries(start, end, go_on))

    def _entries(self, start: int, end: int | None, go_on: Callable[[], bool] = always) -> Iterator[bytes]:
        """The hashes of the entries `start <= index < end`; empty for lost ones.

        Raises `_MissingError` for an entry that is not there, and `Interrupted`.
        """
        index, last = start, LARGEST if end is None else end
        for position, hash_ in self._log.hashes(start, None if end is None else end - start):
            if index % STEP == 0 and not go_on():
                raise Interrupted
            while index < position - 1 and index < last:
                yield self._empty(index)
                index += 1
            if index >= last:
                return
            yield hash_
            index += 1
        while end is not None and index < end:
            yield self._empty(index)
            index += 1

    def _empty(self, index: int) -> bytes:
        if index + 1 not in self._lost:
            raise _MissingError(index + 1)
        return b""

    # How it is opened

    def _open(self, grows: bool) -> None:
        if grows:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.tiles.restrict_to_owner()
        self._lost = self._load_lost()
        signer = self._load_key()
        if signer is None and not self._is_new():
            raise TreeStoppedError(f"the key that signed the tree is missing: {self._key}")
        if grows and self._is_shared and self._is_new():
            self._begin_shared()
        elif signer is not None:
            self._signer, self.signed = signer, self._load_checkpoint(signer.verifier)
            self.cosigned = self._load_cosigned(self.signed, signer.verifier)
        elif grows:
            self._begin()

    def _begin(self) -> None:
        """Begin a tree with a new key. The key is stored after the checkpoint, so a stored key has signed something."""
        signer = Signer.generate(f"kifu/{secrets.token_hex(8)}", ED25519)
        self._sign(signer, Frontier())
        safekeeping.put(self._key, f"{signer.secret_line()}\n".encode())
        self._signer = signer

    def _begin_shared(self) -> None:
        """Begin the tree of a new folder with the key of other hosts, which the first of them makes."""
        made = Signer.generate(f"kifu/{secrets.token_hex(8)}", ED25519)
        safekeeping.put_once(self._key, f"{made.secret_line()}\n".encode())
        signer = self._load_key()
        if signer is None:
            raise TreeStoppedError(f"the key in {self._key} is empty")
        self._sign(signer, Frontier())
        self._signer = signer

    def _is_new(self) -> bool:
        """Whether no tree with an entry was ever signed here, judged by the files."""
        head = safekeeping.get(self._folder / HEAD, LONGEST).split(b"\n")
        return head[1:2] in ([], [b"0"]) and not any((self._folder / name).exists() for name in (BEFORE, "tile"))

    def _load_key(self) -> Signer | None:
        """The key, None without one. Raises `TreeStoppedError`, `BadNoteError`."""
        try:
            line = safekeeping.get(self._key, LONGEST).decode("ascii", errors="replace").strip()
        except OSError as error:
            raise TreeStoppedError(f"the key in {self._key} cannot be read: {error.strerror}") from error
        return parse_signer(line) if line else None

    def _load_lost(self) -> frozenset[int]:
        """The positions of the entries that were lost when the tree was begun. Raises `TreeStoppedError`."""
        if not (self._folder / LOST).exists():
            return frozenset()
        try:
            return msgspec.json.decode((self._folder / LOST).read_bytes(), type=frozenset[int])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise TreeStoppedError(f"it is not known which entries were lost before the tree began: {error}") from None

    def _load_checkpoint(self, verifier: Verifier) -> Signed:
        """The last signed checkpoint or, if its file is damaged, the one before.

        Raises `TreeStoppedError` if both are gone or false.
        """
        for name in (HEAD, BEFORE):
            try:
                signed = open_checkpoint((self._folder / name).read_bytes().decode(), verifier)
                self._kept = name == HEAD
                return signed
            except FileNotFoundError:
                continue
            except (BadNoteError, UnicodeDecodeError, OSError) as error:
                logger.warning("the %s of the tree is not what was signed: %s", name, error)
        raise TreeStoppedError("the checkpoint of the tree is missing, or it is not the signed one")

    def _load_cosigned(self, signed: Signed, verifier: Verifier) -> Signed | None:
        """The last checkpoint with cosignatures that this tree extends, if any."""
        text = safekeeping.get(self._folder / COSIGNED, LONGEST)
        if not text:
            return None
        try:
            found = open_checkpoint(text.decode(), verifier)
            self._check_growth(found.checkpoint, signed.checkpoint)
        except (BadNoteError, BadTileError, ValueError) as error:
            logger.warning("the cosigned checkpoint of the tree is left out: %s", error)
            return None
        return found

    def _tile_error(self, why: object) -> TreeError:
        if self.stopped is not None:
            return TreeStoppedError(self.stopped)  # nothing is made anew any more: to ask again would not help
        self.recheck_tiles()
        self.damaged_tile_found = True
        return TreeDamagedError(f"the tree is made anew: {why}")


class _MissingError(TreeStoppedError):
    def __init__(self, position: int) -> None:
        super().__init__(f"the entry at position {position} is missing in the log")
        self.position = position


def restart(folder: Path, log: LogReader, shared_key: str = "") -> Path | None:
    """Begin another tree over the log, with another key. Set the old one aside, and return its folder.

    Entries that the log lost are empty in the new one. To be called with the log in hand. Raises `OSError`, `LogError`.
    """
    aside = None
    old = [path for path in (Path(shared_key) if shared_key else folder / KEY, folder / FOLDER) if path.exists()]
    if old:
        aside = next(path for number in range(1, 1 << 20) if not (path := folder / f"{FOLDER}.{number}").exists())
        aside.mkdir(mode=0o700)
        for path in old:
            shutil.move(path, aside / path.name)
    lost: list[int] = []
    last = 0
    for position, _ in log.hashes():
        lost += range(last + 1, position)
        last = position
    (folder / FOLDER).mkdir(mode=0o700, parents=True)
    safekeeping.put(folder / FOLDER / LOST, msgspec.json.encode(lost))
    sync_folder(folder)
    return aside
