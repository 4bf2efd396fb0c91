"""Access only goes forward: what was revoked does not open again, even if its files are lost or put back."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from uuid_utils import uuid7

from events.databases.checksums import checksum
from events.databases.definition import Table
from events.databases.files import prove, reading
from events.errors import LogError
from service.access import heads
from service.access.chain import NOTHING, Fault, Mark, check_follows, links, next_link
from service.access.chain import Link as ChainLink
from service.access.chained import POINTS
from service.access.changes import row_digest
from service.access.file import SqliteStore, contradictions, copy
from service.access.heads import HEAD, HeadFile, head_in, line_of
from service.access.reading import SqliteReader, open_reader
from service.access.rows import _row
from service.access.store import AccessStoppedError, Code, Credential, Link, StoreFullError
from service.access.tables import ACCESS, CREDENTIAL, OWNERLESS, ROLE, TRAIL, migrations
from service.app import create_app
from service.settings import Settings
from tests import warm
from tests.service.conftest import Api
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[3]
FAR = 2**42
FILE = ACCESS.file
OLDER = "older"
FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm", HEAD)
ANNA, BEN, GAME, OTHER = (str(uuid7()) for _ in range(4))


def secret(number: int) -> bytes:
    return bytes([number]) * 32


def grant_all(store: SqliteStore) -> None:
    """Give what will be taken back, and what stays."""
    for number, person in ((1, ANNA), (2, BEN)):
        made = Credential(id=f"c{number}", kind="app", person=person, name="phone", begun=1, maker=store.owner)
        store.add(made, secret(number), by=store.owner)
        store.grant(person, GAME, "referee", frozenset({number}), by=store.owner)
        store.grant(person, "", "owner", frozenset(), by=store.owner)
        link = Link(id=f"l{number}", game=GAME, viewpoint="record", begun=1, maker=person, ends=FAR)
        store.add_link(link, secret(number + 10), by=person)
        store.put_code(secret(number + 20), Code(purpose="login", person=person, made=1, ends=FAR), by=person)
    store.show(GAME, "public", by=store.owner)
    store.show(OTHER, "public", by=store.owner)


def revoke_all(store: SqliteStore) -> None:
    store.end(["c1"], by=store.owner, why="lost")
    store.withdraw(ANNA, GAME, by=store.owner)
    store.withdraw(ANNA, "", by=store.owner)
    store.end_link(GAME, "l1", by=store.owner)
    assert store.take_code(secret(21), "login")
    store.show(GAME, "private", by=store.owner)


def open_again(store: SqliteStore) -> list[str]:
    """What was revoked and opens all the same."""
    now = time.time_ns() // 1_000_000
    credential, link = store.find(secret(1)), store.find_link(secret(11))
    found = {
        "token": credential is not None and credential.is_valid(now),
        "role": GAME in store.roles(ANNA).games or store.roles(ANNA).service is not None,
        "link": link is not None and link.is_valid(now),
        "code": store.take_code(secret(21), "login") is not None,
        "game": store.level(GAME) != "private",
    }
    return [name for name, holds in found.items() if holds]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a service that was killed after the last of it was revoked; in `older`, what they were before."""
    folder, kept = (tmp_path_factory.mktemp(name) for name in ("served", "killed"))
    store = SqliteStore(folder)
    grant_all(store)
    store.close()
    (kept / OLDER).mkdir()
    for name in (FILE, HEAD):
        shutil.copyfile(folder / name, kept / OLDER / name)
    with closing(SqliteStore(folder)) as store:
        revoke_all(store)
        for name in FILES:
            shutil.copyfile(folder / name, kept / name)
    return kept


@pytest.fixture
def folder(killed: Path, tmp_path: Path) -> Path:
    return shutil.copytree(killed, tmp_path / "data")


def flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def cut(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size))


def remove(path: Path, chance: random.Random) -> None:
    path.unlink()


def overwrite(path: Path, chance: random.Random) -> None:
    start, length = chance.randrange(path.stat().st_size), chance.choice([1, 64, 512, 4096])
    with path.open("r+b") as file:
        file.seek(start)
        file.write(chance.randbytes(length))


def lay_older(path: Path, chance: random.Random) -> None:
    """An older copy of the database in its place, as somebody restores one."""
    folder = path.parent
    shutil.copyfile(folder / OLDER / FILE, folder / FILE)
    for name in FILES[1:3]:
        if chance.random() < 0.7:
            (folder / name).unlink()


DAMAGES = (flip, cut, remove, overwrite, lay_older)


def damaged(killed: Path, target: Path, seed: int) -> str:
    """Put the files of the killed service into `target`, one of them damaged at random; how."""
    chance = random.Random(seed)
    shutil.copytree(killed, target)
    damage, name = chance.choice(DAMAGES), chance.choice(FILES)
    damage(target / name, chance)
    return f"{damage.__name__} {name} ({seed})"


def see_nothing_open(killed: Path, folder: Path, seeds: range) -> int:
    """Damage the files of the killed service in many ways; how many of them nobody was let in after."""
    stopped = 0
    for seed in seeds:
        target = folder / str(seed)
        how = damaged(killed, target, seed)
        named = [*contradictions(target, NOTHING), *(prove(ACCESS, target / FILE) if (target / FILE).exists() else ())]
        for _ in range(2):  # the second start finds what the first one has made of it
            with closing(SqliteStore(target)) as store:
                if not store.stopped:
                    assert open_again(store) == [], how
                else:
                    assert named, how
                    with pytest.raises(AccessStoppedError):
                        store.find(secret(2))
        stopped += bool(store.stopped)
        shutil.rmtree(target)
    return stopped


@pytest.mark.slow
def test_no_damage_opens_again_what_was_revoked(killed: Path, tmp_path: Path) -> None:
    assert see_nothing_open(killed, tmp_path, range(100)) > 20


@pytest.mark.soak
@pytest.mark.parametrize("part", range(8))
def test_no_damage_of_many_opens_again_what_was_revoked(killed: Path, tmp_path: Path, part: int) -> None:
    see_nothing_open(killed, tmp_path, range(1000 * (part + 1), 1000 * (part + 2)))


def test_what_is_sound_after_a_kill_is_believed(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        assert (store.stopped, open_again(store)) == ("", [])
        assert store.find(secret(2)) is not None
        assert store.roles(BEN).service == "owner"
        assert store.level(OTHER) == "public"
    assert list(contradictions(folder, NOTHING)) == []


def test_an_older_database_in_its_place_lets_nobody_in_until_the_owner_decides(folder: Path) -> None:
    for name in FILES[1:3]:
        (folder / name).unlink()
    shutil.copyfile(folder / OLDER / FILE, folder / FILE)
    (finding,) = contradictions(folder, NOTHING)
    assert "later revocations are missing" in finding
    with closing(SqliteStore(folder)) as store:
        assert store.stopped == finding
        asked: list[Callable[[], Any]] = [
            lambda: store.find(secret(2)),
            lambda: store.credential("c2"),
            store.credentials,
            lambda: store.roles(BEN),
            store.granted_roles,
            lambda: store.level(OTHER),
            lambda: store.find_link(secret(12)),
            store.links,
            store.webhooks,
            lambda: store.codes("login"),
            lambda: store.stored_answer(secret(1)),
            lambda: list(store.trail(0, 9)),
            lambda: store.take_code(secret(22), "login"),
            lambda: store.grant(BEN, GAME, "viewer", frozenset(), by="a"),
            lambda: store.end(["c2"], by="a", why="x"),
        ]
        for ask in asked:
            with pytest.raises(AccessStoppedError, match="later revocations are missing"):
                ask()
        assert (store.changes(0, 9), store.line) == ([], ())
    with closing(SqliteStore(folder)) as store:
        assert store.stopped, "a start decides nothing"


def test_the_owner_goes_on_with_what_is_there_by_a_change_of_its_own(folder: Path) -> None:
    head = HeadFile(folder).read()
    shutil.copyfile(folder / OLDER / FILE, folder / FILE)
    for name in FILES[1:3]:
        (folder / name).unlink()
    assert head is not None
    with closing(SqliteStore(folder)) as store:
        assert store.accept(keeps=True) == head.number + 1
        assert not store.stopped
        assert set(open_again(store)) == {"token", "role", "link", "code", "game"}, "that is what was asked for"
        (step,) = store.trail(0, 1, newest=True)
        assert (step.what, step.more["kept"], step.more["head"]) == ("access.accepted", True, head.number)
        revoke_all_again(store)
    with closing(SqliteStore(folder)) as store:
        assert (store.stopped, open_again(store)) == ("", [])
    assert list(contradictions(folder, head)) == [], "what was signed before is one of those that were lost"


def revoke_all_again(store: SqliteStore) -> None:
    store.end(["c1"], by=store.owner, why="lost")
    for game in (GAME, ""):
        store.withdraw(ANNA, game, by=store.owner)
    store.end_link(GAME, "l1", by=store.owner)
    store.show(GAME, "private", by=store.owner)


def test_the_owner_ends_and_closes_all_of_it(folder: Path) -> None:
    (folder / HEAD).unlink()
    with closing(SqliteStore(folder)) as store:
        assert "is missing or damaged" in store.stopped
        store.accept(keeps=False)
        assert open_again(store) == []
        assert (store.credentials(), store.links(), store.granted_roles(), store.codes("login")) == ([], [], [], [])
        assert store.level(OTHER) == "private"
        known = store.find(secret(2))
        assert known is not None
        assert known.ended is not None
    assert list(contradictions(folder, NOTHING)) == []


def test_a_decision_that_was_killed_before_it_was_taken_down_is_made_again(folder: Path) -> None:
    (folder / HEAD).rename(folder / "kept")
    with closing(SqliteStore(folder)) as store:
        store.accept(keeps=True)
    (folder / "kept").replace(folder / HEAD)
    with closing(SqliteStore(folder)) as store:
        assert store.stopped == "", "all that was taken down is in it"


# Rows that somebody wrote


def write(folder: Path, table: Table, key: str, **changed: Any) -> None:
    """Change a row as somebody does who knows of the checksums."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        ((*row, _),) = db.execute(f"select {table.names} from {table} where {key}").fetchall()
        found = dict(zip(table.columns, row, strict=True)) | changed
        names = ", ".join(f'"{name}" = ?' for name in (*table.columns, "checksum"))
        db.execute(f"update {table} set {names} where {key}", [*found.values(), checksum([*found.values()])])


def test_a_row_that_somebody_wrote_is_noticed_and_opens_nothing(folder: Path) -> None:
    write(folder, CREDENTIAL, "id = 'c1'", ended=None)
    write(folder, ROLE, f"person = '{BEN}' and game = '{GAME}'", role="owner")
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        row = (ANNA, "", "owner", "[]", 1, "x")
        db.execute(f"insert into role ({ROLE.names}) values (?, ?, ?, ?, ?, ?, ?)", [*row, checksum(row)])
    found = list(contradictions(folder, NOTHING))
    assert sorted(found) == [
        "credential/c1 does not match the changes that were made",
        *sorted(f"role/{key} does not match the changes that were made" for key in (f"{ANNA}/", f"{BEN}/{GAME}")),
    ]
    with closing(SqliteStore(folder)) as store:
        assert (store.stopped, open_again(store)) == ("", [])
        assert store.find(secret(1)) is None
        assert [game for game, _ in store.roles(BEN).games.items()] == []
        assert store.find(secret(2)) is not None, "the rest goes on"
        (step,) = store.trail(0, 1, newest=True)
        assert (step.what, step.more) == ("access.lost", {"rows": 3})
    assert (folder / ACCESS.aside_name).exists()
    assert list(contradictions(folder, NOTHING)) == []


def test_a_row_that_somebody_writes_under_the_service_is_dropped_within_a_moment(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        before = store.generation
        write(folder, CREDENTIAL, "id = 'c1'", ended=None)
        until(lambda: store.generation != before)
        assert (store.find(secret(1)), open_again(store)) == (None, [])


def test_a_row_that_is_gone_opens_nothing_and_is_noticed(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute("delete from role")
        db.execute("delete from code")
    assert len(list(contradictions(folder, NOTHING))) == 3
    with closing(SqliteStore(folder)) as store:
        assert (store.stopped, store.granted_roles()) == ("", [])
    assert list(contradictions(folder, NOTHING)) == []


def test_another_owner_lets_nobody_in(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute("update house set owner = ?", [ANNA])
    assert list(contradictions(folder, NOTHING)) == ["owner does not match the changes that were made"]
    with closing(SqliteStore(folder)) as store:
        assert store.stopped


@pytest.mark.parametrize("statement", ["delete from house", "insert into house select * from house"])
def test_a_store_without_an_owner_or_with_two_is_named(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute(statement)
    assert list(contradictions(folder, NOTHING)) == [OWNERLESS]
    with pytest.raises(LogError, match=OWNERLESS):
        SqliteReader(folder)
    with closing(SqliteStore(folder)) as store:  # it knows by the chain whether the owner is the one that it had
        assert bool(store.stopped) == statement.startswith("delete")
    assert OWNERLESS not in contradictions(folder, NOTHING)


@pytest.mark.parametrize(
    "statement",
    [
        "delete from chain",
        "delete from chain where number = (select max(number) from chain)",
        "delete from chain where number = 3",
        "update chain set changed = replace(changed, 'c1', 'c9')",
        "update chain set number = number + 1 where number = (select max(number) from chain)",
        "update chain set whole = 1 where number = (select max(number) from chain)",
    ],
)
def test_a_chain_that_somebody_changed_lets_nobody_in(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute(statement)
    assert list(contradictions(folder, NOTHING))
    with closing(SqliteStore(folder)) as store:
        assert store.stopped


def test_a_line_of_the_trail_that_somebody_changed_is_named_until_the_owner_accepts_it(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute("drop trigger trail_no_update")
    write(folder, TRAIL, "number = 3", by="somebody")
    for _ in range(2):
        assert list(contradictions(folder, NOTHING)) == ["trail/3 does not match the changes that were made"]
        with closing(SqliteStore(folder)) as store:
            assert not store.stopped
    with closing(SqliteStore(folder)) as store:
        store.accept(keeps=True)
    assert list(contradictions(folder, NOTHING)) == []


def test_a_store_is_not_believed_by_those_who_read_it_either(folder: Path) -> None:
    with closing(SqliteStore(folder)), closing(open_reader(folder, "")) as reader:
        assert reader.find(secret(2)) is not None
        for path in folder.glob(f"{FILE}*"):
            path.rename(path.with_name(f"old-{path.name}"))
        shutil.copyfile(folder / OLDER / FILE, folder / FILE)
        reader.changed()
        with pytest.raises(AccessStoppedError):
            reader.credential("c1")
    with closing(open_reader(folder, "")) as reader, pytest.raises(AccessStoppedError):
        reader.credential("c1")


def goes_on(last: ChainLink) -> ChainLink:
    return next_link(last.mark, {"a": "b"})


LATER: dict[str, Callable[[ChainLink], ChainLink | None]] = {
    "": goes_on,
    "other": lambda last: next_link(Mark(last.number - 1, last.prev), {"a": "b"}),
    "broken": lambda last: next_link(Mark(last.number, secret(1)), {"a": "b"}),
    "broken, forged": lambda last: goes_on(last)._replace(changed="{}"),
    "behind": lambda _: None,
}
"""What is written while somebody reads: a link, or the last one is removed."""


@pytest.mark.parametrize("kind", LATER)
def test_who_reads_believes_a_chain_as_long_as_it_goes_on_from_what_they_know(folder: Path, kind: str) -> None:
    with closing(open_reader(folder, "")) as reader, closing(reading(ACCESS, folder / FILE)) as rows:
        *_, last = links(rows, 1)
        made = LATER[kind](last)
        with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
            if made is None:
                db.execute("delete from chain where number = ?", [last.number])
            else:
                db.execute("insert or replace into chain values (?, ?, ?, ?, ?, ?)", [*made, checksum(made)])
        reader.changed()
        head, fault = check_follows(rows, last.mark)
        if made and not kind:
            assert (head, fault, reader.find(secret(2)) is not None) == (made.mark, None, True)
        else:
            assert (head, fault and fault.kind) == (last.mark, kind.partition(",")[0])
            with pytest.raises(AccessStoppedError):
                reader.find(secret(2))


# What is written when


def test_a_change_is_taken_down_before_it_is_acknowledged_and_a_full_disk_acknowledges_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore(tmp_path)) as store:
        grant_all(store)
        last = HeadFile(tmp_path).read()
        with monkeypatch.context() as full:
            full.setattr(heads.os, "pwrite", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
            with pytest.raises(StoreFullError, match=r"access\.head cannot be written"):
                store.end(["c1"], by="a", why="lost")
        assert HeadFile(tmp_path).read() == last
        store.end(["c2"], by="a", why="lost")
        now = HeadFile(tmp_path).read()
        assert last is not None
        assert now is not None
        assert now.number == last.number + 2
    with closing(SqliteStore(tmp_path)) as store:
        assert not store.stopped


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.programs
def test_a_kill_between_a_change_and_its_answer_is_no_damage(tmp_path: Path, point: str) -> None:
    for count in (1, 2, 7):
        assert run(tmp_path, KIFU_FAILPOINT=f"{point}:{count}") == -signal.SIGKILL
        with closing(SqliteStore(tmp_path)) as store:
            assert not store.stopped
        assert list(contradictions(tmp_path, NOTHING)) == []


def kill_at_random(folder: Path, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(kills):
        acknowledged = run_for(folder, chance.uniform(0.05, 0.4))
        assert list(contradictions(folder, NOTHING)) == []
        with closing(SqliteStore(folder)) as store:
            assert not store.stopped
            for id_ in acknowledged:
                found = store.credential(id_)
                assert found is not None
                assert found.ended is not None


@pytest.mark.programs
def test_kills_at_random_undo_no_revocation_and_shut_nobody_out(tmp_path: Path) -> None:
    kill_at_random(tmp_path, kills=4, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_kills_at_random_for_a_long_time_undo_no_revocation(tmp_path: Path, seed: int) -> None:
    kill_at_random(tmp_path, kills=50, seed=seed)


CHANGER = """
import sys
from pathlib import Path
from uuid_utils import uuid7
from service.access.file import SqliteStore
from service.access.store import Credential

store = SqliteStore(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    made = Credential(id=str(uuid7()), kind="app", person=store.owner, begun=1, maker="x")
    store.add(made, bytes(str(uuid7()), "ascii")[:32], by="x")
    store.end([made.id], by="x", why="x")
    print(made.id, flush=True)
"""


def changer(folder: Path, changes: int, **environment: str) -> subprocess.Popen[bytes]:
    return warm.Popen(
        [sys.executable, "-c", CHANGER, str(folder), str(changes)],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        stdout=subprocess.PIPE,
    )


def run(folder: Path, **environment: str) -> int:
    with changer(folder, 20, **environment) as process:
        process.communicate()
    return process.returncode


def run_for(folder: Path, seconds: float) -> list[str]:
    """Change for so long, then kill; what was acknowledged."""
    with changer(folder, 100_000) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        output = process.stdout.read().decode()
    return [line.strip() for line in output.splitlines(keepends=True) if line.endswith("\n")]


# Older stores, copies, and what rows are known by


def make_older(folder: Path) -> None:
    """Make a store what it was before there was a chain."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute("drop table chain")
        db.execute(f"delete from {migrations.migrations_table} where name like '%chain%'")
        db.execute("pragma user_version = 3")
    (folder / HEAD).unlink()


def test_a_store_of_an_older_release_is_taken_as_it_is_once_and_says_so(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    make_older(folder)
    assert list(contradictions(folder, NOTHING)) == [], "it is no worse than it was"
    for _ in range(2):
        with closing(SqliteStore(folder)) as store:
            assert (store.stopped, open_again(store)) == ("", [])
            assert store.find(secret(2)) is not None
            steps = [step for step in store.trail(0, 999) if step.what == "access.adopted"]
            assert [step.by for step in steps] == ["kifu"]
    assert sum("are taken as they are" in record.message for record in caplog.records) == 1
    assert not (folder / ACCESS.aside_name).exists()


def test_a_store_without_a_chain_in_the_place_of_one_that_has_it_lets_nobody_in(folder: Path, tmp_path: Path) -> None:
    old = shutil.copytree(folder, tmp_path / "old")
    make_older(old)
    for name in FILES[1:3]:
        (folder / name).unlink()
    shutil.copyfile(old / FILE, folder / FILE)
    with closing(SqliteStore(folder)) as store:
        assert store.stopped


def test_a_copy_of_the_store_has_its_head_and_one_that_is_not_believed_stays_so(folder: Path, tmp_path: Path) -> None:
    for name, fault in (("sound", False), ("behind", True)):
        (tmp_path / name).mkdir()
        if fault:
            HeadFile(folder).put(Mark(99, secret(1)))
        copy(folder / FILE, tmp_path / name / FILE)
        with closing(SqliteStore(tmp_path / name)) as store:
            assert bool(store.stopped) is fault
            if not fault:
                assert (open_again(store), HeadFile(tmp_path / name).read()) == ([], HeadFile(folder).read())


def test_one_more_column_changes_what_no_older_row_is_known_by() -> None:
    before = Table("role", {"id": str, "digest": bytes, "role": str}, key=("id",))
    later = Table("role", {"id": str, "a": int, "digest": bytes, "role": str}, key=("id",))
    known = row_digest(before, ["id", secret(1), "viewer"])
    assert row_digest(later, ["id", None, secret(1), "viewer"]) == known
    assert row_digest(later, ["id", 0, secret(1), "viewer"]) != known


def test_what_an_erased_name_was_cannot_be_guessed_from_the_chain(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as store:
        grant_all(store)
        known = store.credential("c1")
        store.forget_names(ANNA, by="a")
        assert known is not None
        row = _row(known, secret(1))
        other = _row(msgspec.structs.replace(known, name="somebody else"), secret(1))
        assert row_digest(CREDENTIAL, row) == row_digest(CREDENTIAL, other)


def test_the_head_never_goes_back_and_either_of_its_lines_will_do(tmp_path: Path) -> None:
    head = HeadFile(tmp_path)
    assert head.read() is None
    for number in (1, 7, 3):
        head.put(Mark(number, secret(number)))
    assert head.read() == Mark(7, secret(7))
    content = head.path.read_bytes()
    for start in (0, len(content) // 2):
        head.path.write_bytes(content[:start] + b"x" * 20 + content[start + 20 :])
        assert head.read() == Mark(7, secret(7))
    head.path.write_bytes(b"")
    assert head.read() is None
    assert head_in(["other", line_of(Mark(7, secret(7)))]) == Mark(7, secret(7))
    assert head_in(["other", f"{heads.LINE} 7 $", f"{heads.LINE} x AA=="]) == NOTHING


def test_a_head_that_cannot_be_read_is_named_and_stops_no_access(folder: Path) -> None:
    """As one of another user: it was called missing, and the owner was told to revoke everything."""
    content = (folder / HEAD).read_bytes()
    (folder / HEAD).unlink()
    (folder / HEAD).mkdir()
    for use in (SqliteStore, SqliteReader, lambda folder: list(contradictions(folder, NOTHING))):
        with pytest.raises(IsADirectoryError, match=HEAD):
            use(folder)
    (folder / HEAD).rmdir()
    (folder / HEAD).write_bytes(content)
    with closing(SqliteStore(folder)) as store:
        assert not store.stopped


# The service


class Served:
    """A service over a data folder, which can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._app: Any = None

    def start(self) -> Api:
        self.stop()
        self._app = create_app(Settings(data=self.folder))
        return Api(self._app)

    def stop(self) -> None:
        if self._app:
            self._app.close()
        self._app = None

    def keep(self, *names: str) -> None:
        for name in names:
            shutil.copyfile(self.folder / name, self.folder / f"{name}.older")

    def lay_back(self, *names: str) -> None:
        self.stop()
        for name in names:
            (self.folder / f"{name}.older").rename(self.folder / name)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.stop()


def test_a_service_with_a_store_behind_lets_nobody_in_and_says_so(served: Served) -> None:
    api = served.start()
    game = api.play()
    guest = api.let_in("recorder")
    api.show(game)
    api = served.start()
    served.keep(FILE, HEAD)
    assert api.request("DELETE", "/v1/token", headers={"Authorization": f"Bearer {guest.token}"}).status_code == 204
    api.show(game, "private")
    served.lay_back(FILE)
    api = served.start()
    for token in (api.token, guest.token, None):
        api.token = token
        for path in ("/v1/games", f"/v1/games/{game}", "/v1/token", "/v1/trail", f"/v1/games/{game}/state"):
            answer = api.get(path)
            assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/access-stopped"), path
        health = api.get("/v1/health").get_json()
        assert health["status"] == "access-stopped"
        assert "later revocations are missing" in health["access"]
        assert api.get("/problems/access-stopped").status_code == 200
        assert api.get("/").status_code == 503


def test_a_copy_of_all_files_of_access_is_noticed_by_the_signed_tree(served: Served) -> None:
    api = served.start()
    api.play()
    guest = api.let_in("recorder")
    api = served.start()
    served.keep(FILE, HEAD)
    assert api.get("/v1/tree/checkpoint").text.split("\n")[3].startswith(heads.LINE)
    before = api.get("/v1/tree/checkpoint").text  # a moment later the change may be signed already
    assert api.request("DELETE", "/v1/token", headers={"Authorization": f"Bearer {guest.token}"}).status_code == 204
    api.catch_up()
    after = api.get("/v1/tree/checkpoint").text
    assert before.split("\n")[1:3] == after.split("\n")[1:3], "it is the same tree"
    assert before != after, "with another change of access"
    served.lay_back(FILE, HEAD)
    assert api_status(served.start()) == "access-stopped"
    assert api_status(served.start()) == "access-stopped", "the older head is not signed again"


def api_status(api: Api) -> str:
    return str(api.get("/v1/health").get_json()["status"])


def test_every_fault_is_said_in_words() -> None:
    found = {str(Fault(kind, 3, 5)) for kind in ("behind", "other", "broken", "headless", "unmended")}
    assert len(found) == 5
