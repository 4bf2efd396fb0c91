"""The store of access: what it promises, in the data folder and in PostgreSQL; and what hosts share in PostgreSQL."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec
import psycopg
import pytest
from uuid_utils import uuid7

from events import postgres
from events.databases.checksums import checksum
from events.databases.shared import prepare, prove_shared
from events.errors import LogError, LogNewerError, LogUnwritableError
from service.access import database as access_database
from service.access.chain import NOTHING, Mark
from service.access.database import MOVED, PostgresStore
from service.access.file import SqliteStore, contradictions
from service.access.heads import HeadFile
from service.access.reading import open_reader
from service.access.rows import _row
from service.access.store import AccessStoppedError, Code, Credential, Filter, Link, StoredAnswer, Webhook
from service.access.tables import ACCESS, CREDENTIAL
from service.databases import Access
from tests import postgres as server
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from service.access.store import Store

FAR = 2**42
FILE = ACCESS.file
PERSON, GAME = str(uuid7()), str(uuid7())


def credential(**more: Any) -> Credential:
    return Credential(**{"id": str(uuid7()), "kind": "tok", "person": PERSON, "begun": 1, "maker": PERSON} | more)


def webhook(**more: Any) -> Webhook:
    return Webhook(
        **{
            "id": str(uuid7()),
            "person": PERSON,
            "app": None,
            "credential": None,
            "scopes": frozenset({"webhooks:write"}),
            "url": "https://scores.example/kifu",
            "base": "https://kifu.example",
            "format": "standard",
            "description": "Punktetafel",
            "filter": Filter(rulesets=("kahuna",), people=(PERSON,)),
            "secret": "whsec_",
            "since": 7,
            "begun": 1,
            "maker": PERSON,
        }
        | more
    )


def digest(byte: int) -> bytes:
    return bytes([byte]) * 32


@pytest.fixture(params=["sqlite", "postgres", "citus"])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of the database of the store; empty for the one in the folder."""
    places = {"postgres": "database", "citus": "distributed_database"}
    return str(request.getfixturevalue(places[request.param])) if request.param in places else ""


@pytest.fixture
def opened(url: str, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the store, as often as is wanted."""
    found: list[Any] = []

    def open_it() -> Store:
        found.append(PostgresStore(url, tmp_path, "one") if url else SqliteStore(tmp_path))
        return found[-1]

    yield open_it
    for each in found:
        each.close()


@pytest.fixture
def store(opened: Callable[[], Store]) -> Store:
    return opened()


@pytest.fixture
def hosts(database: str, tmp_path: Path) -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """The stores of two hosts."""
    made = tuple(PostgresStore(database, tmp_path / name, name) for name in ("one", "two"))
    yield made
    for each in made:
        each.close()


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[tuple[SqliteStore, SqliteStore]]:
    """The stores of two processes that serve one data folder."""
    made = SqliteStore(tmp_path, shared=True), SqliteStore(tmp_path, shared=True)
    yield made
    for each in made:
        each.close()


def test_processes_of_one_folder_know_at_once_what_each_of_them_changed(
    processes: tuple[SqliteStore, SqliteStore],
) -> None:
    one, two = processes
    made = credential()
    for store, other, change in (
        (one, two, lambda: one.add(made, digest(1), by="a")),
        (two, one, lambda: two.end([made.id], by="a", why="lost")),
        (one, two, lambda: one.add(credential(), digest(2), by="a")),
    ):
        before = other.generation
        change()
        assert other.generation != before
        assert other.credential(made.id) == store.credential(made.id)
        assert (one.line, one.stopped) == (two.line, two.stopped)
    assert one.credential(made.id) is not None
    assert [step.what for step in two.trail(0, 9)] == ["credential.made", "credential.ended", "credential.made"]
    assert two.stopped == ""


def test_processes_of_one_folder_drop_what_a_stranger_wrote(
    processes: tuple[SqliteStore, SqliteStore], tmp_path: Path
) -> None:
    one, two = processes
    forged = credential()
    with closing(sqlite3.connect(tmp_path / FILE)) as stranger:
        CREDENTIAL.add(stranger, _row(forged, digest(3)))
        stranger.commit()
    one.add(credential(), digest(4), by="a")
    for store in (one, two):
        until(lambda store=store: store.generation and store.find(digest(3)) is None)
        assert store.find(digest(4)) is not None
        assert store.stopped == ""


# The contract


def test_endpoints_are_kept_changed_and_dropped(store: Store, opened: Callable[[], Store]) -> None:
    one, two = (
        webhook(),
        webhook(person=str(uuid7()), scopes=None, enabled=False, old_secret="old", old_ends=9, begun=2),
    )
    for each in (two, one):
        store.keep_webhook(each, by="a", what="webhook.made")
    assert opened().webhooks() == [one, two]
    assert store.webhooks([PERSON]) == [one]
    changed = msgspec.structs.replace(one, enabled=False, filter=Filter())
    store.keep_webhook(changed, by="a", what="webhook.changed")
    assert store.webhook(one.id) == changed
    assert [store.drop_webhook(one.id, by="a") for _ in range(2)] == [True, False]
    assert store.webhook(one.id) is None
    assert [step.what for step in store.trail(0, 9)] == [
        *("webhook.made", "webhook.made", "webhook.changed", "webhook.removed")
    ]


def test_an_endpoint_goes_on_with_the_credential_in_the_place_of_its_own(store: Store) -> None:
    old, new = credential(), credential()
    store.add(old, digest(1), by="a")
    made, other = webhook(credential=old.id), webhook(credential="other")
    for each in (made, other):
        store.keep_webhook(each, by="a", what="webhook.made")
    store.replace(old.id, new, digest(2), by="a", until=9)
    assert store.webhook(made.id) == msgspec.structs.replace(made, credential=new.id)
    assert store.webhook(other.id) == other


def test_a_question_about_no_people_has_an_empty_answer(store: Store) -> None:
    store.add(credential(), digest(1), by="a")
    store.keep_webhook(webhook(), by="a", what="webhook.made")
    assert (store.credentials([]), store.credentials([], "tok"), store.webhooks([])) == ([], [], [])
    assert len(store.credentials(kind="tok")) == len(store.credentials([PERSON, "other"], "tok")) == 1


def test_a_merge_is_in_the_trail_and_changes_the_generation(store: Store) -> None:
    before = store.generation
    store.note_identity(PERSON, "person.merged", by="a", into="b")
    assert store.generation != before
    (step,) = store.trail(0, 9)
    assert (step.what, step.person, step.more) == ("person.merged", PERSON, {"into": "b"})


def test_codes_of_a_purpose_are_told_and_withdrawn(store: Store) -> None:
    for byte, purpose, ends in [
        (1, "invitation", FAR),
        (2, "invitation", FAR),
        (3, "invitation", 9),
        (4, "consent", FAR),
    ]:
        code = Code(purpose=purpose, person=PERSON, made=byte, ends=ends, data={"id": f"i{byte}"})
        store.put_code(digest(byte), code, by="a")
    assert [code.data["id"] for code in store.codes("invitation")] == ["i1", "i2", "i3"]
    assert store.drop_code("invitation", "i1", by="a")
    assert not store.drop_code("invitation", "i1", by="a")
    assert not store.drop_code("invitation", "i3", by="a")  # it is over
    assert not store.drop_code("invitation", "i4", by="a")  # it is another purpose's
    assert store.take_code(digest(1), "invitation") is None
    assert store.take_code(digest(2), "invitation") is not None
    assert [(step.what, step.person) for step in store.trail(4, 9)] == [("invitation.withdrawn", PERSON)]


def test_codes_of_one_millisecond_are_told_in_the_order_of_their_ids(store: Store) -> None:
    for number in range(8):
        code = Code(purpose="invitation", person=PERSON, made=1, ends=FAR, data={"id": f"i{number}"})
        store.put_code(digest(99 - number), code, by="a")
    assert [code.data["id"] for code in store.codes("invitation")] == [f"i{number}" for number in range(8)]


def test_what_was_given_to_a_person_goes_with_their_names(store: Store) -> None:
    other = str(uuid7())
    for byte, person in enumerate([PERSON, other]):
        store.put_code(digest(byte), Code(purpose="pairing", person=person, made=1, ends=FAR), by="a")
        store.keep_webhook(webhook(person=person), by="a", what="webhook.made")
    store.forget_names(PERSON, by="a")
    assert [code.person for code in store.codes("pairing")] == [other]
    assert [each.person for each in store.webhooks()] == [other]


def test_the_trail_is_told_from_either_end(store: Store) -> None:
    for level in ("public", "link", "private", "public"):
        store.show(GAME, level, by="a")
    assert [step.number for step in store.trail(0, 2)] == [1, 2]
    assert [step.number for step in store.trail(2, 9)] == [3, 4]
    assert [step.number for step in store.trail(0, 3, newest=True)] == [4, 3, 2]
    assert [step.number for step in store.trail(2, 9, newest=True)] == [1]


def test_links_of_all_games_are_told(store: Store) -> None:
    for byte, game in enumerate([GAME, str(uuid7())]):
        link = Link(id=f"l{byte}", game=game, viewpoint="public", begun=byte, maker=PERSON, ends=FAR)
        store.add_link(link, digest(byte), by="a")
    assert [link.id for link in store.links()] == ["l0", "l1"]
    assert [link.id for link in store.links(GAME)] == ["l0"]


def test_a_reader_beside_the_store_is_told_what_changes(store: Store, url: str, tmp_path: Path) -> None:
    with closing(open_reader(tmp_path, url)) as reader:
        assert (reader.owner, reader.identity) == (store.owner, store.identity)
        assert reader.changed()
        assert not reader.changed()
        link = Link(id="l", game=GAME, viewpoint="public", begun=1, maker=PERSON, ends=FAR)
        store.add_link(link, digest(1), by="a")
        reader.changed()
        assert reader.links(GAME) == [link]
        store.end_link(GAME, "l", by="a")
        assert reader.changed()
        assert reader.links(GAME) == []
        store.show(GAME, "public", by="a")
        assert reader.changed()
        assert reader.level(GAME) == "public"


def test_a_reader_looks_into_the_file_that_took_the_place_of_a_damaged_one(tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    with closing(open_reader(tmp_path, "")) as reader:
        before = reader.identity
        for path in tmp_path.glob(f"{FILE}*"):
            path.rename(path.with_name(f"old-{path.name}"))
        assert reader.changed() in {True, False}  # it is being made anew: what was read is still there
        assert reader.identity == before
        with closing(SqliteStore(tmp_path)) as anew:
            assert reader.changed()
            assert reader.identity == anew.identity


def test_a_file_that_cannot_be_opened_or_is_locked_is_not_taken_for_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteStore(tmp_path).close()
    before = (tmp_path / FILE).read_bytes()
    index = tmp_path / f"{FILE}-shm"
    index.symlink_to(tmp_path / FILE)  # SQLite follows no link, so it cannot open it, as one of another user
    with pytest.raises(LogUnwritableError, match=r"access\.db cannot be written"):
        SqliteStore(tmp_path)
    index.unlink()
    monkeypatch.setattr("events.databases.files.TIMEOUT", 0.01)
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("pragma locking_mode = exclusive")
        other.execute("begin immediate")
        other.rollback()
        with pytest.raises(LogUnwritableError, match="database is locked"):
            SqliteStore(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before
    assert not [*tmp_path.glob("*.damaged*")]
    SqliteStore(tmp_path).close()


def test_the_file_of_another_user_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(tmp_path).close()
    index = tmp_path / f"{FILE}-shm"
    index.symlink_to(tmp_path / FILE)
    monkeypatch.setattr("os.access", lambda path, _: path != index)
    with pytest.raises(LogUnwritableError, match=r"access\.db-shm cannot be written: Permission denied"):
        SqliteStore(tmp_path)


@pytest.mark.empty_database
def test_a_reader_finds_no_store_where_there_is_none(tmp_path: Path, database: str) -> None:
    with pytest.raises(FileNotFoundError):
        open_reader(tmp_path, "")
    with pytest.raises(LogError, match="no tables kifu_access"):
        open_reader(tmp_path, database)


def test_what_was_kept_is_there_when_the_store_is_opened_again(store: Store, opened: Callable[[], Store]) -> None:
    whole = credential(app="app", name="Ōmura’s app", scopes=frozenset({"games:read"}), games=frozenset({GAME}), ends=9)
    plain = credential()
    store.add(whole, digest(1), by="a")
    store.add(plain, digest(2), by="a")
    store.grant(PERSON, GAME, "recorder", frozenset({0, 2}), by="a")
    store.grant(PERSON, "", "viewer", frozenset(), by="a")
    store.show(GAME, "public", by="a")
    link = Link(id="l", game=GAME, viewpoint="public", begun=1, maker=PERSON, ends=FAR)
    store.add_link(link, digest(3), by="a")
    store.note_opened("l")
    store.note_use(plain.id, 77)
    again = opened()
    assert (again.owner, again.identity) == (store.owner, store.identity)
    assert again.find(digest(1)) == whole
    assert again.credential(plain.id) == msgspec.structs.replace(plain, used=77)
    assert again.credentials([PERSON]) == [whole, msgspec.structs.replace(plain, used=77)]
    assert again.roles(PERSON).service == "viewer"
    assert again.roles(PERSON).games[GAME].seats == {0, 2}
    assert again.level(GAME) == "public"
    assert again.changes(0, 10) == [(1, GAME, True)]
    assert again.links(GAME) == [msgspec.structs.replace(link, opened=1)]
    assert again.app_names(["app", "none"]) == {"app": "Ōmura’s app"}
    assert [step.what for step in again.trail(0, 10)] == [
        *("credential.made", "credential.made", "role.given", "role.given", "game.shown", "link.made")
    ]


def test_a_role_that_is_given_is_returned_and_its_time_stays_when_it_is_given_again(store: Store) -> None:
    given = store.grant(PERSON, GAME, "recorder", frozenset({2, 0}), by="a")
    assert [given] == store.granted_roles(GAME)
    assert store.grant(PERSON, GAME, "recorder", frozenset({0, 2}), by="a") == given
    other = store.grant(PERSON, GAME, None, frozenset({1}), by="b")
    assert [other] == store.granted_roles(GAME)


def test_what_is_said_anew_takes_the_place_of_what_was_said(store: Store) -> None:
    store.grant(PERSON, GAME, "recorder", frozenset(), by="a")
    store.grant(PERSON, GAME, "referee", frozenset({1}), by="b")
    assert [(each.role, each.by) for each in store.granted_roles(GAME)] == [("referee", "b")]
    for level in ("public", "link", "private"):
        store.show(GAME, level, by="a")
    assert store.changes(0, 10) == [(3, GAME, False)]
    assert store.withdraw(PERSON, GAME, by="a")
    assert not store.withdraw(PERSON, GAME, by="a")


def test_what_was_ended_or_replaced_opens_no_longer(store: Store) -> None:
    old, new = credential(), credential()
    store.add(old, digest(1), by="a")
    store.replace(old.id, new, digest(2), by="a", until=5)
    assert [each.ends for each in (store.find(digest(1)), store.find(digest(2))) if each] == [5, None]
    assert store.end([new.id, "nobody"], by="a", why="x") == 1
    assert store.end([new.id], by="a", why="x") == 0
    found = store.find(digest(2))
    assert found is not None
    assert not found.is_valid(1)


def test_a_code_opens_once_while_others_try_it_too(store: Store, opened: Callable[[], Store]) -> None:
    store.put_code(digest(1), Code(purpose="login", person=PERSON, made=1, ends=FAR, data={"maker": "m"}), by="a")
    assert store.take_code(digest(1), "another") is store.find_code(digest(1), "another") is None
    found = store.find_code(digest(1), "login")
    assert found is not None, "it is not used up by being found"
    assert found.data == {"maker": "m"}
    stores, barrier, taken = [opened() for _ in range(3)], threading.Barrier(3), []

    def take(store: Store) -> None:
        barrier.wait()
        taken.append(store.take_code(digest(1), "login"))

    threads = [threading.Thread(target=take, args=[each]) for each in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [code.data for code in taken if code] == [{"maker": "m"}]
    store.put_code(digest(2), Code(purpose="login", person=PERSON, made=1, ends=2), by="a")
    assert store.find_code(digest(2), "login") is store.take_code(digest(2), "login") is None, "its time is over"


def test_an_answer_is_kept_until_its_time_is_over(store: Store) -> None:
    answer = StoredAnswer(asked=b"a", status=201, sealed=b"\0\xff", ends=FAR)
    store.keep_answer(digest(1), answer)
    assert store.stored_answer(digest(1)) == answer
    store.keep_answer(digest(2), msgspec.structs.replace(answer, ends=1))
    assert store.stored_answer(digest(2)) is None
    assert store.stored_answer(digest(3)) is None


def test_an_erased_persons_names_are_gone_and_their_credentials_ended(store: Store) -> None:
    kept = credential(kind="own", name="kept")
    store.add(credential(name="Anna"), digest(1), by="a")
    store.add(kept, digest(2), by="a")
    store.forget_names(PERSON, by="a")
    found = store.find(digest(1))
    assert found is not None
    assert (found.name, found.ended is None) == ("", False)
    assert store.find(digest(2)) == kept


def test_strange_values_find_nothing_and_break_nothing(store: Store) -> None:
    for text in ("\0", "a\0b", "' or 1=1 --", "%s", "?"):
        assert store.level(text) == "private"
        assert store.credential(text) is None
        assert store.granted_roles(text) == []
        assert store.links(text) == []


def test_every_change_of_what_is_kept_in_memory_is_another_generation(store: Store) -> None:
    def changes(act: Callable[[], Any]) -> bool:
        before = store.generation
        act()
        return store.generation != before

    token = credential()
    assert changes(lambda: store.add(token, digest(1), by="a"))
    assert changes(lambda: store.grant(PERSON, GAME, "viewer", frozenset(), by="a"))
    assert changes(lambda: store.show(GAME, "link", by="a"))
    assert changes(lambda: store.end([token.id], by="a", why="x"))
    assert not changes(lambda: store.keep_answer(digest(1), StoredAnswer(asked=b"", status=1, sealed=b"", ends=FAR)))


# Several hosts


def test_what_one_host_changes_the_other_one_knows(hosts: tuple[PostgresStore, PostgresStore]) -> None:
    one, two = hosts
    assert (one.owner, one.identity) == (two.owner, two.identity)
    token, before = credential(), two.generation
    one.add(token, digest(1), by="a")
    assert two.find(digest(1)) == token
    until(lambda: two.generation != before)
    before = one.generation
    two.end([token.id], by="b", why="lost")
    found = one.find(digest(1))
    assert found is not None
    assert found.ended is not None
    until(lambda: one.generation != before)


def test_the_trail_of_hosts_that_write_at_once_has_no_gap_and_no_number_twice(
    hosts: tuple[PostgresStore, PostgresStore],
) -> None:
    def write(store: PostgresStore, by: str) -> None:
        for _ in range(20):
            store.grant(str(uuid7()), GAME, "viewer", frozenset(), by=by)

    threads = [threading.Thread(target=write, args=[store, by]) for store in hosts for by in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [step.number for step in hosts[0].trail(0, 100)] == list(range(1, 81))
    assert len(hosts[1].granted_roles(GAME)) == 80


def test_a_connection_that_was_cut_costs_no_change(hosts: tuple[PostgresStore, PostgresStore], database: str) -> None:
    store = hosts[0]
    end = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() "
    for number in range(3):
        server.as_superuser(name_of(database), end + "and pid != pg_backend_pid()")
        store.add(credential(), digest(number), by="a")
    server.as_superuser(name_of(database), end + "and pid != pg_backend_pid()")
    assert len(store.credentials([PERSON])) == 3
    assert len(list(store.trail(0, 10))) == 3


def test_a_row_that_is_not_what_was_written_opens_nothing_and_is_found(
    hosts: tuple[PostgresStore, PostgresStore], database: str
) -> None:
    store = hosts[0]
    store.add(credential(), digest(1), by="a")
    assert list(prove_shared(ACCESS, database)) == []
    server.as_superuser(name_of(database), "update kifu_access.credential set scopes = null, person = 'somebody'")
    assert store.find(digest(1)) is None
    (finding,) = prove_shared(ACCESS, database)
    assert "a row of credential is not what was written" in finding


@pytest.mark.empty_database
def test_the_service_cannot_change_its_trail_and_needs_no_right_to_make_tables(database: str, tmp_path: Path) -> None:
    with psycopg.connect(server.url(name_of(database), "postgres"), autocommit=True) as superuser:
        superuser.execute("drop role if exists kifu_service")
        superuser.execute("create role kifu_service login")
    owner, service = database, database.replace("kifu@", "kifu_service@")
    with pytest.raises(LogUnwritableError):
        PostgresStore(service, tmp_path, "one")
    postgres.prepare(owner, "kifu_service")
    prepare(ACCESS, owner, "kifu_service")
    store = PostgresStore(service, tmp_path, "one")
    try:
        store.add(credential(), digest(1), by="a")
        store.put_code(digest(1), Code(purpose="x", person=PERSON, made=1, ends=FAR), by="a")
        assert store.take_code(digest(1), "x")
        for statement in ("update trail set number = 0 returning 1", "delete from trail returning 1"):
            with pytest.raises(LogError, match="permission denied"):
                store._db.execute(statement)
    finally:
        store.close()
        server.as_superuser(name_of(database), "drop owned by kifu_service", "drop role kifu_service")


def test_even_a_superuser_is_refused_to_change_the_trail(
    hosts: tuple[PostgresStore, PostgresStore], database: str
) -> None:
    hosts[0].add(credential(), digest(1), by="a")
    with psycopg.connect(server.url(name_of(database), "postgres"), autocommit=True) as superuser:
        for statement in ("delete from kifu_access.trail", "update kifu_access.trail set number = 9"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
                superuser.execute(statement)


def test_tables_of_a_newer_release_are_not_touched(database: str, tmp_path: Path) -> None:
    PostgresStore(database, tmp_path, "one").close()
    server.as_superuser(name_of(database), f"update kifu_access.house set schema = {ACCESS.release + 1}")
    with pytest.raises(LogNewerError):
        PostgresStore(database, tmp_path, "one")


def test_tables_of_an_older_release_get_what_is_new(database: str, tmp_path: Path) -> None:
    first = PostgresStore(database, tmp_path, "one")
    first.add(credential(), digest(1), by="a")
    first.close()
    server.as_superuser(
        name_of(database),
        "drop table kifu_access.link",
        "alter table kifu_access.credential drop column used",
        "update kifu_access.house set schema = 1",
    )
    again = PostgresStore(database, tmp_path, "one")
    try:
        assert again.identity == first.identity
        assert again.find(digest(1)) is not None
        assert again.links(GAME) == []
    finally:
        again.close()


# What a database loses

SAVED = ("credential", "trail", "chain", "house")


def save(database: str) -> None:
    tables = [f"create table saved_{table} as table kifu_access.{table}" for table in SAVED]
    server.as_superuser(name_of(database), *tables)


def restore(database: str) -> None:
    """The database as it was when it was saved, as after a recovery to that moment."""
    back = [
        statement
        for table in SAVED
        for statement in (
            f"delete from kifu_access.{table}",
            f"insert into kifu_access.{table} select * from saved_{table}",
        )
    ]
    server.as_superuser(name_of(database), "set session_replication_role = replica", *back)


def test_hosts_that_know_of_later_changes_let_nobody_in_by_a_database_that_lost_them(
    hosts: tuple[PostgresStore, PostgresStore], database: str, tmp_path: Path
) -> None:
    one, two = hosts
    token = credential()
    one.add(token, digest(1), by="a")
    save(database)
    one.end([token.id], by="a", why="lost")
    until(lambda: two.generation and HeadFile(tmp_path / "two").read() == HeadFile(tmp_path / "one").read())
    restore(database)
    for store in hosts:
        with pytest.raises(AccessStoppedError):
            store.grant(PERSON, GAME, "viewer", frozenset(), by="a")
        assert "later revocations are missing" in store.stopped
        with pytest.raises(AccessStoppedError):
            store.find(digest(1))
    assert "later revocations are missing" in next(access_database.contradictions(database, tmp_path / "one", NOTHING))
    with closing(PostgresStore(database, tmp_path / "two", "two")) as again:
        assert again.stopped
    with closing(open_reader(tmp_path / "two", database)) as reader, pytest.raises(AccessStoppedError):
        reader.credential(token.id)
    with closing(PostgresStore(database, tmp_path / "three", "three")) as new:
        assert not new.stopped, "it knows of nothing later"
    with closing(PostgresStore(database, tmp_path / "one", "one")) as command:
        command.accept(keeps=False)
    assert not one.stopped, "the owner has decided on this host"
    found = one.find(digest(1))
    assert found is not None
    assert found.ended is not None
    assert two.stopped, "and not on that one"
    with closing(PostgresStore(database, tmp_path / "two", "two")) as command:
        command.accept(keeps=True)
    assert not two.stopped
    for store in hosts:
        store.grant(PERSON, GAME, "viewer", frozenset(), by="a")
    assert list(access_database.contradictions(database, tmp_path / "one", NOTHING)) == []


def test_a_row_that_somebody_wrote_into_the_database_opens_nothing_once_a_host_starts(
    hosts: tuple[PostgresStore, PostgresStore], database: str, tmp_path: Path
) -> None:
    one, two = credential(), credential()
    for number, each in enumerate((one, two)):
        hosts[0].add(each, digest(number), by="a")
    hosts[0].end([one.id], by="a", why="lost")
    row = _row(one, digest(0))
    server.as_superuser(
        name_of(database),
        f"update kifu_access.credential set ended = null, checksum = {checksum(row)} where id = '{one.id}'",
    )
    (finding,) = access_database.contradictions(database, tmp_path / "one", NOTHING)
    assert finding == f"credential/{one.id} does not match the changes that were made"
    with closing(PostgresStore(database, tmp_path / "one", "one")) as again:
        assert (again.stopped, again.find(digest(0)), again.find(digest(1))) == ("", None, two)
        (step,) = again.trail(0, 1, newest=True)
        assert (step.what, step.more) == ("access.lost", {"rows": 1})
    assert list(access_database.contradictions(database, tmp_path / "one", NOTHING)) == []


def test_tables_of_a_release_without_chains_are_taken_as_they_are_once(
    hosts: tuple[PostgresStore, PostgresStore], database: str, tmp_path: Path
) -> None:
    hosts[0].add(credential(), digest(1), by="a")
    for each in hosts:
        (each._heads.path).unlink()
    server.as_superuser(name_of(database), "drop table kifu_access.chain", "update kifu_access.house set schema = 3")
    for _ in range(2):
        with closing(PostgresStore(database, tmp_path / "one", "one")) as again:
            assert again.find(digest(1)) is not None
            assert [step.what for step in again.trail(0, 9)] == ["credential.made", "access.adopted"]
    assert list(access_database.contradictions(database, tmp_path / "one", NOTHING)) == []


# A folder that comes to the database


def test_a_folder_brings_what_it_knew_into_the_database_once(database: str, tmp_path: Path) -> None:
    own = SqliteStore(tmp_path)
    own.add(credential(name="phone"), digest(1), by="a")
    own.add(credential(kind="own", person=own.owner), digest(2), by="kifu")
    own.add_link(Link(id="l", game=GAME, viewpoint="public", begun=1, maker=PERSON, ends=FAR), digest(3), by="a")
    own.note_opened("l")
    own.show(GAME, "public", by="a")
    own.close()
    for _ in range(2):
        store = PostgresStore(database, tmp_path, "one")
        try:
            assert (store.owner, store.identity) == (own.owner, own.identity)
            assert [each.name for each in store.credentials()] == ["phone", "one"]
            assert store.links(GAME)[0].opened == 1
            assert [step.number for step in store.trail(0, 10)] == [1, 2, 3, 4]
            assert (store.level(GAME), store.changes(0, 9)) == ("public", [(1, GAME, True)])
        finally:
            store.close()
        assert not (tmp_path / FILE).exists()
        assert (tmp_path / MOVED).exists()


def test_a_folder_that_was_interrupted_after_it_was_brought_in_is_only_put_aside(database: str, tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    PostgresStore(database, tmp_path, "one").close()
    (tmp_path / MOVED).rename(tmp_path / FILE)
    store = PostgresStore(database, tmp_path, "one")
    store.add(credential(), digest(1), by="a")
    store.close()
    (tmp_path / MOVED).rename(tmp_path / FILE)
    PostgresStore(database, tmp_path, "one").close()
    assert (tmp_path / MOVED).exists()


def test_the_chain_goes_along_to_the_database_and_back(database: str, tmp_path: Path) -> None:
    there, back = tmp_path / "there", tmp_path / "back"
    for folder in (there, back):
        folder.mkdir()
    token = credential()
    with closing(SqliteStore(there)) as own:
        own.add(token, digest(1), by="a")
        own.add(credential(kind="own", person=own.owner), digest(2), by="kifu")
        own.show(GAME, "public", by="a")
    with closing(PostgresStore(database, there, "one")) as store:
        store.end([token.id], by="a", why="lost")
        head = HeadFile(there).read()
    assert list(access_database.contradictions(database, there, NOTHING)) == []
    Access(ACCESS).move(database, back)
    assert HeadFile(back).read() == head
    assert list(contradictions(back, NOTHING)) == []
    with closing(SqliteStore(back)) as again:
        found = again.find(digest(1))
        assert found is not None
        assert (again.stopped, found.ended is None, again.level(GAME)) == ("", False, "public")


def test_a_folder_that_lost_changes_of_access_is_not_brought_in(database: str, tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as own:
        own.add(credential(), digest(1), by="a")
    HeadFile(tmp_path).put(Mark(99, digest(3)))
    with pytest.raises(LogError, match="later revocations are missing"):
        PostgresStore(database, tmp_path, "one")
    assert (tmp_path / FILE).exists()


def test_a_second_folder_that_knows_other_things_is_not_passed_over(database: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        own = SqliteStore(tmp_path / name)
        own.add(credential(kind="own", person=own.owner), digest(1), by="kifu")
        own.close()
    PostgresStore(database, tmp_path / "one", "one").close()
    with pytest.raises(LogError, match="others use already"):
        PostgresStore(database, tmp_path / "two", "two")
    assert (tmp_path / "two" / FILE).exists()


def name_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


def test_hosts_that_start_together_make_the_tables_once(database: str, tmp_path: Path) -> None:
    """The second must not alter tables that the first one uses already: each would wait for the other."""
    started, failed = threading.Barrier(4), []

    def start(name: str) -> None:
        started.wait()
        try:
            with closing(PostgresStore(database, tmp_path / name, name)) as store:
                for number in range(10):
                    store.add(credential(), name.encode() + digest(number)[len(name) :], by=name)
        except LogError as error:
            failed.append(error)

    threads = [threading.Thread(target=start, args=[name]) for name in ("one", "two", "three", "four")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert list(access_database.contradictions(database, tmp_path / "one", NOTHING)) == []
