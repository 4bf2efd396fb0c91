"""The tree over a log: it grows, survives, is proved, and never signs what contradicts itself."""

from __future__ import annotations

import random
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from events.sqlite import SqliteLog, SqliteReader
from events.tree import merkle
from events.tree import tree as tree_module
from events.tree.checkpoints import Signed, open_checkpoint
from events.tree.copying import copy_tree
from events.tree.notes import COSIGNATURE, Signer
from events.tree.receipts import parse_receipt
from events.tree.tiles import WIDTH, BadTileError, Frontier, Tiles
from events.tree.tree import FOLDER, HEAD, KEY, NotGrownError, Tree, TreeDamagedError, TreeStoppedError, restart
from tests import warm
from tests.events.stores import sqlite_alone

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

store = pytest.fixture(sqlite_alone)


def fill(log: SqliteLog, make, count: int, games: int = 3) -> list[str]:
    """So many entries, of a few games by turns."""
    opened = [make.game(log) for _ in range(games)]
    per = (count - games) // games
    for first in range(0, per, 100):
        for game in opened:
            moves = make.moves(min(100, per - first))
            log.append(game, moves, expected=1 + first, recorder="owner")
    rest = count - games - per * games
    if rest:
        log.append(opened[0], make.moves(rest), expected=1 + per, recorder="owner")
    return opened


def leaves(log) -> list[bytes]:
    return [merkle.leaf_hash(bytes.fromhex(event.hash)) for _, event in log.feed()]


def root_of(leaves: list[bytes]) -> bytes:
    edge = Frontier()
    list(edge.extend(leaves))
    return edge.root


def grown(folder: Path, log) -> Tree:
    tree = Tree(folder, log, grows=True)
    tree.grow()
    return tree


@pytest.fixture
def folder(path) -> Path:
    return path.parent


def test_the_tree_has_the_entries_of_the_feed_in_their_order(folder, log, make):
    tree = grown(folder, log)
    assert (tree.size, tree.checkpoint().checkpoint.root) == (0, merkle.EMPTY)
    games = fill(log, make, 600)
    assert tree.grow()
    assert not tree.grow()
    assert (tree.size, tree.checkpoint().checkpoint.root) == (600, root_of(leaves(log)))
    log.append(games[1], [make.move()], expected=log.head(games[1]).version, recorder="owner")
    assert tree.grow()
    assert (tree.size, tree.checkpoint().checkpoint.root) == (601, root_of(leaves(log)))


def test_an_entry_that_readers_see_before_the_log_has_counted_it_is_not_missing(folder, log, make, monkeypatch):
    fill(log, make, 5)
    tree = grown(folder, log)
    with monkeypatch.context() as behind:
        behind.setattr(log._writer, "position", 4)
        assert not tree.grow()
    assert tree.stopped is None
    fill(log, make, 3)
    assert tree.grow()
    assert tree.size == 8


def test_a_log_that_loses_its_end_while_it_is_open_is_signed_no_more(folder, log, make, monkeypatch):
    fill(log, make, 5)
    tree, kept = grown(folder, log), list(log.hashes(0, 4))
    monkeypatch.setattr(log, "position", lambda: 4)
    monkeypatch.setattr(log, "hashes", lambda after, limit: iter(kept[after : after + limit]))
    assert not tree.grow()
    assert tree.stopped == "the log ends at position 4, and 5 were signed"


def test_a_receipt_is_of_the_cosigned_tree_if_that_has_the_entry(folder, log, make):
    fill(log, make, 10)
    tree = grown(folder, log)
    cosigned = tree.checkpoint()
    witness = Signer.generate("witness", COSIGNATURE)
    tree.keep_cosignatures(cosigned, [witness.sign(cosigned.note.text, 1)])
    fill(log, make, 10)
    tree.grow()
    assert tree.checkpoint() == tree.signed, "a witness has not seen it yet"
    receipts = [tree.receipt(index, hash_) for index, (_, hash_) in enumerate(log.hashes())]
    assert [receipt.check(tree.verifier).checkpoint.size for receipt in receipts] == 10 * [10] + 10 * [20]


def test_lines_beside_the_log_stay_in_the_checkpoint_while_nobody_knows_others(folder, log, make):
    lines: list[str] = []
    tree = Tree(folder, log, grows=True, beside=lambda: tuple(lines))
    for known, signed in (("one",), ("one",)), ((), ("one",)), (("two",), ("two",)):
        lines[:] = known
        fill(log, make, 3)
        assert tree.grow()
        assert tree.checkpoint().checkpoint.more == signed
        assert not tree.grow()


@pytest.mark.slow
def test_every_entry_has_a_receipt_that_proves_it_offline(folder, log, make):
    fill(log, make, 300)
    tree = grown(folder, log)
    for position, event in log.feed():
        assert log.position_of(event.game, event.version) == (position, bytes.fromhex(event.hash))
        receipt = parse_receipt(str(tree.receipt(position - 1, bytes.fromhex(event.hash))))
        assert receipt.check(tree.verifier).checkpoint.size == 300
        assert receipt.hash.hex() == event.hash
    with pytest.raises(NotGrownError, match="has 300 entries, not 301"):
        tree.receipt(300, bytes(32))


def test_a_tree_that_grew_is_proved_to_have_only_grown(folder, log, make):
    tree = grown(folder, log)
    seen: list[Signed] = []
    for _ in range(6):
        fill(log, make, 97)
        tree.grow()
        seen.append(tree.checkpoint())
    for older in seen:
        for newer in seen[seen.index(older) :]:
            one, other = older.checkpoint, newer.checkpoint
            size, proof = tree.consistency(one.size, other.size)
            merkle.check_consistency(one.size, size, one.root, other.root, proof)
    assert tree.consistency(0)[0] == 582
    with pytest.raises(NotGrownError):
        tree.consistency(1, 583)
    with pytest.raises(ValueError, match="cannot have grown"):
        tree.consistency(2, 1)


def test_tiles_and_entries_are_those_of_the_standard(folder, log, make):
    fill(log, make, 300)
    tree = grown(folder, log)
    found = leaves(log)
    assert tree.tile(0, 0, WIDTH) == b"".join(found[:WIDTH])
    assert tree.tile(0, 1, 44) == b"".join(found[WIDTH:])
    assert tree.tile(0, 1, 7) == b"".join(found[WIDTH : WIDTH + 7])
    assert tree.tile(1, 0, 1) == root_of(found[:WIDTH])
    bundle = tree.entries(1, 44)
    assert bundle == b"".join(
        b"\0\x20" + bytes.fromhex(event.hash) for position, event in log.feed() if position > WIDTH
    )
    for level, number, width in ((0, 1, 45), (0, 2, 1), (1, 0, 2), (2, 0, 1), (40, 0, 1), (0, 10**30, 1)):
        with pytest.raises(BadTileError):
            tree.tile(level, number, width)


def test_a_tree_opened_again_goes_on_with_its_key_and_signs_nothing_twice(folder, path, make):
    with SqliteLog(path) as log:
        fill(log, make, 300)
        before = grown(folder, log)
    with SqliteLog(path) as log:
        again = Tree(folder, log, grows=True)
        assert (again.checkpoint(), again.verifier) == (before.checkpoint(), before.verifier)
        assert not again.grow()
        fill(log, make, 300)
        assert again.grow()
        assert again.checkpoint().checkpoint.root == root_of(leaves(log))


def test_the_key_is_its_owners_alone(folder, log):
    tree = grown(folder, log)
    assert (folder / "tree.key").stat().st_mode & 0o777 == 0o600
    assert str(tree.verifier).startswith("kifu/")
    (folder / "tree.key").chmod(0o644)
    Tree(folder, log)
    assert (folder / "tree.key").stat().st_mode & 0o777 == 0o600


# What is damaged


def flip(path: Path, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def tile_files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "tree" / "tile").rglob("*") if path.is_file())


def test_a_flipped_bit_in_a_tile_is_named_and_made_anew_from_the_log(folder, log, make, caplog):
    fill(log, make, 700)
    root = grown(folder, log).checkpoint().checkpoint.root
    chance = random.Random(3)
    for file in tile_files(folder):
        whole = file.read_bytes()
        flip(file, chance.randrange(len(whole) * 8))
        name = file.relative_to(folder / "tree").as_posix()
        assert Tree(folder, log).examine().tiles == [name]
        tree = grown(folder, log)
        assert name in caplog.text
        assert file.read_bytes() == whole
        assert (tree.examine().sound, tree.checkpoint().checkpoint.root) == (True, root)


@pytest.mark.parametrize("what", ["torn", "gone", "flipped"])
def test_what_needs_a_damaged_tile_is_refused_until_it_is_made_anew(folder, log, make, what):
    fill(log, make, 700)
    tree = grown(folder, log)
    hashes = [hash_ for _, hash_ in log.hashes()]
    file = folder / "tree/tile/0/001"
    if what == "torn":
        file.write_bytes(file.read_bytes()[:777])
    elif what == "gone":
        file.unlink()
    else:
        flip(file, 5)
    with pytest.raises(TreeDamagedError):
        tree.receipt(300, hashes[300])
    with pytest.raises(TreeDamagedError):
        tree.consistency(300)
    assert not tree.grow()
    tree.receipt(300, hashes[300])


def test_a_proof_between_two_older_trees_is_not_made_of_a_damaged_leaf_that_the_older_one_lacks(folder, log, make):
    """The proof holds in itself: only the root that was signed shows that the newer tree is another one."""
    fill(log, make, 700)
    tree = grown(folder, log)
    flip(folder / "tree/tile/0/002", (590 - 2 * WIDTH) * merkle.SIZE * 8)
    with pytest.raises(TreeDamagedError):
        tree.consistency(520, 600)


def test_a_tree_without_any_tiles_is_made_anew_with_the_same_root(folder, log, make):
    fill(log, make, 700)
    root = grown(folder, log).checkpoint().checkpoint.root
    for file in tile_files(folder):
        file.unlink()
    found = Tree(folder, log).repair()
    assert (len(found.tiles), found.contradicted) == (4, None)
    tree = Tree(folder, log)
    assert (tree.examine().sound, tree.checkpoint().checkpoint.root) == (True, root)


def test_a_damaged_checkpoint_is_noticed_and_the_one_before_is_gone_on_from(folder, log, make, caplog):
    tree = grown(folder, log)
    for _ in range(2):
        fill(log, make, 50)
        tree.grow()
    flip(folder / "tree/checkpoint", 400)
    again = grown(folder, log)
    assert "not what was signed" in caplog.text
    assert (again.stopped, again.size, again.examine().sound) == (None, 100, True)
    for name in ("checkpoint", "checkpoint.before"):
        flip(folder / "tree" / name, 400)
    assert "checkpoint of the tree is missing" in (grown(folder, log).stopped or "")


def test_a_bit_flipped_on_the_way_to_the_disk_is_never_signed(folder, log, make, monkeypatch):
    """What is signed was read back and goes on from the last checkpoint."""
    fill(log, make, 600)
    tree = grown(folder, log)
    fill(log, make, 100)
    write = Tiles.write

    def flipping(tiles, level, number, content):
        write(tiles, level, number, bytes([content[0] ^ 1]) + content[1:])

    monkeypatch.setattr(Tiles, "write", flipping)
    with pytest.raises(TreeDamagedError):
        tree.grow()
    assert tree.size == 600
    monkeypatch.undo()
    assert tree.grow()
    assert (tree.size, tree.examine().sound) == (700, True)


KILLED = """
import os, signal, sys
from pathlib import Path
from events.sqlite import SqliteReader
from events.tree import tree as module, tiles
from events import safekeeping

count = int(sys.argv[2])
def dying(work):
    def run(*arguments, **more):
        global count
        count -= 1
        if count == 0 and work.__name__ == "write":
            path = arguments[0].folder / arguments[0].name(*arguments[1:3])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(arguments[3][:len(arguments[3]) // 3])  # torn
        if count == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(*arguments, **more)
    return run

tiles.Tiles.write = dying(tiles.Tiles.write)
safekeeping.put = dying(safekeeping.put)
safekeeping.sync_folder = dying(safekeeping.sync_folder)
folder = Path(sys.argv[1])
module.Tree(folder, SqliteReader(folder / "kifu.db"), grows=True).grow()
"""


@pytest.mark.programs
def test_a_tree_killed_at_any_moment_goes_on_and_has_the_same_root(folder, path, make):
    with SqliteLog(path) as log:
        fill(log, make, 520)
    last = 0
    for moment in range(1, 30):
        done = warm.run([sys.executable, "-c", KILLED, str(folder), str(moment)])
        with SqliteReader(path) as log:
            tree = Tree(folder, log)
            assert (tree.stopped, tree.size >= last) == (None, True)
            last = tree.size
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    else:
        raise AssertionError("it never came to its end")
    assert moment > 3
    with SqliteLog(path) as log:
        tree = grown(folder, log)
        assert (tree.size, tree.checkpoint().checkpoint.root) == (520, root_of(leaves(log)))
        assert tree.examine().sound


# What is false


def test_a_log_that_was_cut_is_noticed_and_nothing_more_is_signed(folder, path, make, tamper):
    with SqliteLog(path) as log:
        fill(log, make, 600)
        signed = grown(folder, log).checkpoint()
    tamper("delete from event where seq > 590")
    path.with_name("kifu.db.heads").unlink()
    with SqliteLog(path) as log:
        tree = grown(folder, log)
        assert tree.stopped == "the log is not what was signed: the entry at position 591 is missing"
        assert tree.examine().contradicted == tree.stopped
        fill(log, make, 100)
        assert not tree.grow()
        assert tree.checkpoint() == signed
    with SqliteLog(path) as log:  # longer than it was signed, and another one
        tree = grown(folder, log)
        assert "the entry at position 591 (version 1 of game" in (tree.stopped or "")
        assert tree.checkpoint() == signed


def test_a_running_tree_notices_that_its_log_was_cut(folder, log, make, path):
    import sqlite3

    games = fill(log, make, 512)
    tree = grown(folder, log)
    connection = sqlite3.connect(path)
    connection.execute("drop trigger event_no_delete")
    connection.execute("delete from event where seq > 500")
    connection.commit()
    connection.close()
    make.game(log)
    assert games
    assert not tree.grow()
    assert tree.stopped == "the entry at position 501 is missing in the log"
    assert tree.size == 512


def rewritten(source: Path, target: Path, change: Callable[[list], list]) -> None:
    """Another log with the entries of one, changed, and every hash of every chain computed anew."""
    from msgspec.structs import replace

    from events.canonical import GENESIS, canonical, digest

    with SqliteReader(source) as old, SqliteLog(target) as new:
        ends: dict[str, tuple[int, str]] = {}
        for event in change([event for _, event in old.feed()]):
            version, prev = ends.get(event.game, (0, GENESIS))
            made = replace(event, version=version + 1, prev=prev)
            made = replace(made, hash=digest(canonical(made)))
            new.adopt([made])
            ends[event.game] = made.version, made.hash


def edited(events: list) -> list:
    from msgspec.structs import replace

    at = next(at for at in range(5, len(events)) if events[at].type == "move.made")
    return [*events[:at], replace(events[at], recorder="somebody"), *events[at + 1 :]]


def reordered(events: list) -> list:
    """Two entries of different games change places; each chain stays as it was."""
    at = next(at for at in range(5, len(events) - 1) if events[at].game != events[at + 1].game)
    return [*events[:at], events[at + 1], events[at], *events[at + 2 :]]


FALSE = {
    "rewrote": edited,
    "dropped": lambda events: events[:40] + events[41:],
    "dropped the last": lambda events: events[:-1],
    "reordered": reordered,
}
"""Changes of a log with correct hashes afterwards."""


@pytest.mark.parametrize("what", FALSE)
def test_a_log_with_all_hashes_computed_anew_is_still_not_what_was_signed(folder, path, make, what, tmp_path):
    with SqliteLog(path) as log:
        fill(log, make, 60)
        grown(folder, log)
    other = tmp_path / "other" / "kifu.db"
    rewritten(path, other, FALSE[what])
    (folder / "tree").rename(other.parent / "tree")
    (folder / "tree.key").rename(other.parent / "tree.key")
    with SqliteLog(other) as log:
        tree = grown(other.parent, log)
        assert (tree.stopped or "").startswith("the log is not what was signed: the entry at position ")
        assert tree.size == 60


# A long tree


@pytest.fixture
def long(monkeypatch):
    """Every tree is a long one."""
    monkeypatch.setattr(tree_module, "LONG", 0)
    monkeypatch.setattr(tree_module, "PORTION", 1)


def counted(log, monkeypatch) -> list[int]:
    """The positions of the hashes that a tree reads from now on."""
    read, hashes = [], log.hashes

    def listen(*more):
        for position, hash_ in hashes(*more):
            read.append(position)
            yield position, hash_

    monkeypatch.setattr(log, "hashes", listen)
    return read


@pytest.mark.parametrize("size", [5, 256, 300, 512, 1000])
def test_a_long_tree_goes_on_at_once_and_is_proved_from_the_whole_log_beside(
    folder, path, make, long, monkeypatch, size
):
    with SqliteLog(path) as log:
        games = fill(log, make, size)
        before = grown(folder, log).checkpoint()
        make.game(log, 2)
        log.append(games[1], make.moves(2), expected=log.head(games[1]).version, recorder="owner")
    with SqliteLog(path) as log:
        read = counted(log, monkeypatch)
        tree = Tree(folder, log, grows=True)
        assert tree.grow()
        assert (tree.stopped, tree.size) == (None, size + 5)
        assert len(read) <= 3 * WIDTH + 5, "the last tile, what is new, and a portion of the rest"
        tree.consistency(before.checkpoint.size)
        assert tree.checkpoint().checkpoint.root == root_of(leaves(log))
        for _ in range(10):
            tree.grow()
        assert {*range(1, size + 1)} <= {*read}
        assert tree.stopped is None
        count = len(read)
        tree.grow()
        assert len(read) == count, "once"


@pytest.mark.parametrize("what", FALSE)
@pytest.mark.slow
def test_a_long_tree_over_a_log_that_is_another_one_is_stopped(folder, path, make, what, tmp_path, long):
    """Before it signs anything, or, where only entries of different games changed places, soon after."""
    with SqliteLog(path) as log:
        fill(log, make, 600)
        signed = grown(folder, log).checkpoint()
    other = tmp_path / "other" / "kifu.db"
    rewritten(path, other, FALSE[what])
    (folder / "tree").rename(other.parent / "tree")
    (folder / "tree.key").rename(other.parent / "tree.key")
    with SqliteLog(other) as log:
        tree = grown(other.parent, log)
        if what == "reordered":
            make.game(log)
            for _ in range(5):
                tree.grow()
            tree.consistency(signed.checkpoint.size)
        else:
            assert tree.checkpoint() == signed
        assert (tree.stopped or "").startswith("the log is not what was signed: the entry at position ")


def test_a_long_tree_over_a_log_without_one_of_its_games_is_stopped(folder, path, make, tamper, long):
    """All its entries are gone, with its mark: each other game is as it was signed."""
    with SqliteLog(path) as log:
        fill(log, make, 400)
        signed = grown(folder, log).checkpoint()
    tamper("delete from event where game = 2", "delete from game where number = 2")
    path.with_name("kifu.db.heads").unlink()
    with SqliteLog(path) as log:
        tree = grown(folder, log)
        assert (tree.stopped or "").startswith("the log is not what was signed: the entry at position ")
        assert tree.checkpoint() == signed


@pytest.mark.parametrize("tile", ["0/000", "0/001", "0/002", "1/000"])
def test_a_damaged_tile_of_a_long_tree_is_made_anew(folder, path, make, long, tile):
    with SqliteLog(path) as log:
        fill(log, make, 600)
        root = grown(folder, log).checkpoint().checkpoint.root
    file = folder / "tree" / "tile" / tile
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    with SqliteLog(path) as log:
        tree = grown(folder, log)
        for _ in range(10):
            tree.grow()
        assert (tree.stopped, tree.checkpoint().checkpoint.root) == (None, root)
        assert file.read_bytes() == content


def test_a_tree_is_copied_while_it_grows_and_goes_on_elsewhere(folder, path, make, long, tmp_path):
    with SqliteLog(path) as log:
        games = fill(log, make, 600)
        tree = grown(folder, log)
        assert not copy_tree(tmp_path / "nothing", tmp_path / "new")
        assert copy_tree(folder, tmp_path / "new")
        assert not copy_tree(folder, tmp_path / "new"), "once"
        for game in games:
            log.append(game, make.moves(9), expected=log.head(game).version, recorder="owner")
        tree.grow()
        (tmp_path / "new" / KEY).write_bytes((folder / KEY).read_bytes())
        copy = Tree(tmp_path / "new", log, grows=True)
        assert copy.size == 600
        assert copy.grow()
        assert copy.checkpoint().checkpoint == tree.checkpoint().checkpoint


def test_an_owner_who_decides_begins_another_tree_with_another_key(folder, path, make, tamper):
    with SqliteLog(path) as log:
        games = fill(log, make, 300)
        old = grown(folder, log)
    tamper("delete from event where seq = 200")
    with SqliteLog(path) as log:
        assert "the entry at position 200 is missing" in (grown(folder, log).stopped or "")
        assert restart(folder, log) == folder / "tree.1"
        tree = grown(folder, log)
        assert (tree.stopped, tree.size, tree.examine().sound) == (None, 300, True)
        assert tree.verifier != old.verifier
        hashes = dict(log.hashes())
        assert (200 in hashes, len(hashes)) == (False, 299)
        tree.receipt(250, hashes[251]).check(tree.verifier)
        assert tree.entries(0, WIDTH).count(b"\0\0") >= 1
        fill(log, make, 10)
        assert tree.grow()
    aside = folder / "tree.1" / "tree" / "checkpoint"
    assert open_checkpoint(aside.read_text(), old.verifier).checkpoint.size == 300
    assert games


def test_a_tree_without_checkpoints_does_not_begin_again_with_the_key(folder, log, make):
    fill(log, make, 30)
    grown(folder, log)
    for what in ("checkpoint", "checkpoint.before"):
        (folder / "tree" / what).unlink(missing_ok=True)
    assert "checkpoint of the tree is missing" in (grown(folder, log).stopped or "")
    (folder / "tree").rename(folder / "elsewhere")
    assert "checkpoint of the tree is missing" in (grown(folder, log).stopped or "")


def test_a_damaged_tile_is_not_served(folder, log, make):
    fill(log, make, 700)
    tree = grown(folder, log)
    for level, number, width in ((0, 1, 256), (0, 2, 100), (1, 0, 2)):
        file = folder / "tree" / tree.tiles.name(level, number)
        whole = file.read_bytes()
        assert tree.tile(level, number, width) == whole[: width * 32]
        flip(file, 11)
        with pytest.raises(TreeDamagedError):
            tree.tile(level, number, width)
        tree.grow()
        assert (file.read_bytes(), tree.tile(level, number, width)) == (whole, whole[: width * 32])


@pytest.mark.parametrize("content", [None, b"", b"hello", b"PRIVATE+KEY+a+00+AA=="])
def test_a_key_that_is_gone_or_no_key_stops_the_tree_and_no_other_is_made(folder, log, make, content):
    fill(log, make, 30)
    grown(folder, log)
    key = folder / "tree.key"
    key.unlink()
    if content is not None:
        key.write_bytes(content)
    tree = grown(folder, log)
    assert tree.stopped
    with pytest.raises(TreeStoppedError):
        _ = tree.verifier
    assert (key.read_bytes() if key.exists() else None) == content


def test_the_owner_is_told_of_a_folder_in_place_of_the_key(folder, log):
    (folder / "tree.key").mkdir()
    assert "cannot be read" in (grown(folder, log).stopped or "")


def test_a_reader_does_not_start_a_tree(folder, log):
    tree = Tree(folder, log)
    assert (tree.size, tree.stopped, tree.grow(), (folder / "tree.key").exists()) == (0, None, False, False)
    with pytest.raises(TreeStoppedError):
        tree.checkpoint()


def test_a_tree_that_cannot_be_written_stops_nothing_else(folder, log, make, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    fill(log, make, 30)
    with monkeypatch.context() as patched:
        patched.setattr("events.safekeeping.put", full)
        assert "No space left" in (Tree(folder, log, grows=True).stopped or "")
    tree = grown(folder, log)
    fill(log, make, 30)
    with monkeypatch.context() as patched:
        patched.setattr("events.safekeeping.put", full)
        with pytest.raises(OSError, match="No space left"):
            tree.grow()
        assert tree.size == 30
    assert tree.grow()
    assert (tree.size, tree.examine().sound, Tree(folder, log).size) == (60, True, 60)


@pytest.mark.slow
def test_another_host_with_the_key_and_the_checkpoint_signs_the_same_tree(log, make, path, tmp_path):
    """The tree follows from the log: what two hosts with one key sign never contradicts itself."""
    fill(log, make, 700)
    one = Tree(tmp_path / "one", log, grows=True)
    one.grow()
    (tmp_path / "two" / FOLDER).mkdir(parents=True)
    for name in (KEY, f"{FOLDER}/{HEAD}"):
        (tmp_path / "two" / name).write_bytes((tmp_path / "one" / name).read_bytes())
    with SqliteReader(path) as reader:
        two = Tree(tmp_path / "two", reader, grows=True)
        for tree in (two, one, two):
            fill(log, make, 90)
            assert tree.grow()
            assert tree.stopped is None
        one.grow()
        assert str(one.verifier) == str(two.verifier)
        assert one.signed is not None
        assert two.signed is not None
        assert (one.size, one.signed.checkpoint.root) == (two.size, two.signed.checkpoint.root)
        assert two.examine().sound
        assert one.consistency(100, one.size) == two.consistency(100, one.size)
