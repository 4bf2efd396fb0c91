"""Moving a record from a folder to PostgreSQL, and back: the same entries at the same places, with any interruption."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from uuid_utils import uuid7

from events.errors import LogError, MovedError
from events.event import NewEvent
from events.postgres import PostgresLog, PostgresReader, verify
from events.sqlite import LOG, SqliteLog, SqliteReader
from events.tree.tree import KEY
from service import moving
from service.access.chain import Mark
from service.access.heads import HeadFile
from service.app import create_app
from service.cli.commands import kifu as command
from service.databases import Access
from service.settings import Settings
from tests.service.conftest import DEAL, UNLIMITED, Api
from tests.service.receiver import Courier, Receiver, status
from tests.service.webhooks.test_webhooks import deliveries, go, make
from tests.service.webhooks.test_webhooks import note as record_note
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result


@contextmanager
def served(folder: Path, database_url: str = "", **more: Any) -> Iterator[Api]:
    app = create_app(Settings(data=folder, database_url=database_url, **UNLIMITED, **more))
    try:
        yield Api(app)
    finally:
        app.close()


@contextmanager
def opened_courier(folder: Path, database_url: str = "") -> Iterator[Courier]:
    """What delivers webhooks."""
    courier = Courier(Settings(data=folder, database_url=database_url, webhook_private=True, **UNLIMITED))
    try:
        yield courier
    finally:
        courier.close()


def kifu(folder: Path, *words: object, database_url: str = "") -> Result:
    settings = {"KIFU_DATA": str(folder), "KIFU_DATABASE_URL": database_url}
    return CliRunner().invoke(command, list(map(str, words)), env=settings)


def seen(api: Api, game: str) -> dict[str, Any]:
    """What a service says of itself and a game."""
    api.catch_up()
    found = {
        path: api.get(path).get_json()
        for path in ("/v1/feed", "/v1/games", "/v1/players?q=", "/v1/trail", "/v1/rulesets/kahuna/components")
    }
    export = api.get(f"/v1/games/{game}/export").data.splitlines()[1:]
    health = api.get("/v1/health").get_json()
    return found | {
        "export": export,
        "state": api.get(f"/v1/games/{game}/state").get_json(),
        "status": health["status"],
    }


def note() -> NewEvent:
    return NewEvent(id=str(uuid7()), type="note.added", data={"text": "a note"})


def opening() -> NewEvent:
    data = {"ruleset": "kahuna", "revision": 1, "seats": [{}, {}]}
    return NewEvent(id=str(uuid7()), type="game.opened", data=data)


def fill(folder: Path, games: int = 3, each: int = 5) -> None:
    """Entries of several games by turns."""
    with SqliteLog(folder / LOG) as log:
        ids = [str(uuid7()) for _ in range(games)]
        for game in ids:
            log.append(game, [opening()], expected=0, recorder="owner")
        for version in range(1, each + 1):
            for game in ids:
                log.append(game, [note()], expected=version, recorder="owner")


@pytest.mark.slow
@pytest.mark.empty_database
def test_a_folder_that_moved_is_what_it_was_and_comes_back_so(tmp_path: Path, database: str) -> None:
    person, gone, data = str(uuid7()), str(uuid7()), tmp_path / "data"
    with served(data) as api:
        for each, name in ((person, "Ada"), (gone, "Bob")):
            api.request("PUT", f"/v1/players/{each}", json={"name": name})
        assert api.request("DELETE", f"/v1/players/{gone}").status_code == 204
        game = api.open(seats=[{"player": person}, {"player": gone}], title="Sunday")
        api.record(game, DEAL, "black: a-h")
        api.show(game)
        people = api.app.context.archive.log.people
        for each in (str(uuid7()), again := str(uuid7())):
            people.merge(each, person, by="owner")
        people.split(again, by="owner")
        merged = people.merge_records()
        api.play()
        token = api.let_in("viewer", person=person).token
        before = seen(api, game)
        before.pop("/v1/trail")
        erased = api.app.context.archive.log.people.all_records()
    moved = kifu(data, "move", "--to", database)
    assert moved.exit_code == 0, moved.output
    assert "Moved and proved" in moved.stdout
    assert not (data / LOG).exists()
    with served(data, database) as api:
        after = seen(api, game)
        assert {name: after[name] for name in before} == before
        assert api.app.context.archive.log.people.all_records() == erased
        assert api.app.context.archive.log.people.merge_records() == merged
        api.token = token
        assert api.get("/v1/token").status_code == 200
        api.token = api.app.context.owner_token
        assert (
            api.record(game, api.get(f"/v1/games/{game}/moves").get_json()["moves"][0]["notation"]).status_code == 201
        )
        before = seen(api, game)
        before.pop("/v1/trail")
        signed = api.get("/v1/tree/checkpoint").text.split("\n")[:3]
    back = kifu(data, "move", "--to", tmp_path / "back", database_url=database)
    assert back.exit_code == 0, back.output
    with pytest.raises(LogError, match=f"was moved to {tmp_path / 'back'}"):
        create_app(Settings(data=data, database_url=database))
    with served(tmp_path / "back") as api:
        assert api.get("/v1/tree/checkpoint").text.split("\n")[:3] == signed
        after = seen(api, game)
        assert {name: after[name] for name in before} == before
        assert api.app.context.archive.log.people.merge_records() == merged
        api.token = token
        assert api.get("/v1/token").status_code == 200
    assert kifu(tmp_path / "back", "verify").stdout.startswith("Sound")
    again = kifu(tmp_path / "back", "move", "--to", database)
    assert again.exit_code == 0, again.output
    with served(data, database) as api:
        assert api.get(f"/v1/games/{game}").status_code == 200


def test_commands_refuse_a_database_that_was_moved_and_name_the_new_place(tmp_path: Path, database: str) -> None:
    host, there = tmp_path / "host", tmp_path / "there"
    with served(host, database) as api:
        api.open()
    for _ in range(2):  # a move that was interrupted at its very end is gone on with
        moved = kifu(host, "move", "--to", there, database_url=database)
        assert moved.exit_code == 0, moved.output
    other, copy = tmp_path / "other", tmp_path / "copy"
    asked = (["move", "--to", other], ["verify"], ["backup", copy], ["rebuild"], ["access"], ["games"], ["tree", "key"])
    for words in asked:
        refused = kifu(host, *words, database_url=database)
        assert refused.exit_code == 1, words
        assert f"was moved to {there}: " in " ".join(refused.stderr.split()), words
    assert not other.exists()
    assert not copy.exists()
    with PostgresReader(database, moved=True) as reader:
        assert reader.notice("moved") == str(there)


@pytest.mark.slow
def test_a_database_is_not_moved_without_its_signed_tree(tmp_path: Path, database: str) -> None:
    with served(tmp_path / "host", database) as api:
        api.open()
    refused = kifu(tmp_path / "none", "move", "--to", tmp_path / "back", database_url=database)
    assert refused.exit_code != 0
    assert "the signed tree of the record is not in" in refused.stderr
    assert not (tmp_path / "back").exists()
    begun = kifu(tmp_path / "none", "tree", "restart", "--yes", database_url=database)
    assert begun.exit_code == 0, begun.output
    moved = kifu(tmp_path / "none", "move", "--to", tmp_path / "back", database_url=database)
    assert moved.exit_code == 0, moved.output


@pytest.mark.slow
def test_endpoints_are_told_on_where_they_had_been_told_before_the_move(tmp_path: Path, database: str) -> None:
    data, back, url = tmp_path / "data", tmp_path / "back", database
    with closing(Receiver()) as receiver:
        with served(data, webhook_private=True) as api:
            made = make(api, receiver)
            game = api.open()
            with opened_courier(data) as courier:
                go(api, courier)
            receiver.answer = status(500)
            record_note(api, game)
            with opened_courier(data) as courier:
                go(api, courier)
            before = deliveries(api, made)
            assert [each["state"] for each in before] == ["waiting", "delivered"]
        assert kifu(data, "move", "--to", url).exit_code == 0
        assert not (data / "webhooks.db").exists()
        receiver.answer = status(204)
        with served(data, url, webhook_private=True) as api:
            assert deliveries(api, made) == before
            record_note(api, game)
            with opened_courier(data, url) as courier:
                go(api, courier)
                go(api, courier, 60)
            after = deliveries(api, made)
            assert len({each["id"] for each in after}) == 3
        assert kifu(data, "move", "--to", back, database_url=url).exit_code == 0
        with served(back, webhook_private=True) as api:
            assert deliveries(api, made) == after
            record_note(api, game)
            with opened_courier(back) as courier:
                go(api, courier)
        entries = [posted.summary()[1:] for posted in receiver.arrived]
        assert entries == [(1, 1), (2, 2), (2, 2), (3, 3), (4, 4)]
        assert receiver.arrived[1].id == receiver.arrived[2].id


@pytest.mark.empty_database
def test_it_is_copied_beside_a_running_service_and_cut_over_when_that_has_ended(tmp_path: Path, database: str) -> None:
    fill(tmp_path)
    log = SqliteLog(tmp_path / LOG)
    (game, *_) = (head.game for head in log.heads())
    copied = kifu(tmp_path, "move", "--to", database, "--copy")
    assert "18 of them new" in copied.stdout, copied.output
    log.append(game, [note()], expected=6, recorder="owner")
    refused = kifu(tmp_path, "move", "--to", database, "--patience", "0")
    assert refused.exit_code == 1
    assert "copied, but not switched over" in refused.stderr
    assert (tmp_path / LOG).exists()
    results: list[Result] = []
    mover = threading.Thread(target=lambda: results.append(kifu(tmp_path, "move", "--to", database)))
    mover.start()
    log.append(game, [note()], expected=7, recorder="owner")
    log.erase(game, 3, "text", "owner")
    last = log.append(game, [note()], expected=9, recorder="owner").events[-1]
    whole = list(log.feed())
    log.close()
    mover.join(60)
    assert results[0].exit_code == 0, results[0].output
    with PostgresReader(database) as reader:
        assert list(reader.feed()) == [(place, event) for place, event in whole]
        assert reader.head(game).hash == last.hash
    assert verify(database).sound
    again = kifu(tmp_path, "move", "--to", database)
    assert again.exit_code == 1
    assert "was moved already" in again.stderr


def test_what_is_erased_after_it_was_copied_is_erased_in_the_copy(tmp_path: Path, database: str) -> None:
    fill(tmp_path)
    kifu(tmp_path, "move", "--to", database, "--copy")
    with SqliteLog(tmp_path / LOG) as log:
        game = next(log.heads()).game
        erased = log.erase(game, 2, "text", "owner")
    assert kifu(tmp_path, "move", "--to", database).exit_code == 0
    with PostgresReader(database) as reader:
        assert next(reader.read(game, 1, 2)) == erased


@pytest.mark.parametrize("where", ["copy", "feed", "restore", "heads", "aside", "access", "beside", "arrived"])
@pytest.mark.slow
def test_a_move_that_is_interrupted_anywhere_is_gone_on_with(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(moving, "BATCH", 4)
    fill(tmp_path)
    with SqliteReader(tmp_path / LOG) as reader:
        whole = list(reader.feed())
    places = {
        "copy": (PostgresLog, "copy"),
        "feed": (PostgresLog, "feed"),
        "restore": (type(PostgresLog(database).components), "restore"),
        "heads": (PostgresLog, "heads"),
        "access": (Access, "move"),
        "aside": (moving, "_put_aside"),
        "beside": (moving.databases, "put_aside"),
        "arrived": (moving, "allow_use"),
    }
    owner, name = places[where]
    real, calls = getattr(owner, name), []

    def stop(*arguments: Any) -> Any:
        calls.append(name)
        if len(calls) == (3 if where == "copy" else 1):
            raise KeyboardInterrupt
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, stop)
        patch.setattr(moving, "_post_moved", lambda *_: None)  # as after a kill: nothing is tidied up
        assert kifu(tmp_path, "move", "--to", database).exit_code != 0
    left = where in {"access", "beside", "arrived"}
    assert (tmp_path / LOG).exists() == (not left)
    assert starts(tmp_path) == (not left)
    with pytest.raises(MovedError, match=f"was moved to {tmp_path}: serve it from there"):
        PostgresReader(database)
    moved = kifu(tmp_path, "move", "--to", database)
    assert moved.exit_code == 0, moved.output
    with PostgresReader(database) as reader:
        assert list(reader.feed()) == whole
    assert not (tmp_path / LOG).exists()
    again = kifu(tmp_path, "move", "--to", database)
    assert again.exit_code == 1
    assert "was moved already" in again.stderr


def starts(folder: Path) -> bool:
    """Whether a service starts on a folder. One that refuses leaves no file there."""
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    before = {path.name for path in copy.iterdir()}
    try:
        create_app(Settings(data=copy, **UNLIMITED)).close()
    except MovedError:
        assert {path.name for path in copy.iterdir()} == before
        return False
    else:
        return True
    finally:
        shutil.rmtree(copy)


@pytest.mark.parametrize("where", ["copy", "heads", "tree", "access", "arrived"])
@pytest.mark.slow
def test_a_move_to_a_folder_that_is_interrupted_anywhere_makes_no_second_key(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    host, folder = tmp_path / "host", tmp_path / "folder"
    with served(host, database) as api:
        game = api.play("black: a-h")
        api.catch_up()
    key = (host / KEY).read_bytes()
    owner, name = {
        "copy": (SqliteLog, "copy"),
        "heads": (SqliteLog, "heads"),
        "tree": (moving, "take_tree"),
        "access": (Access, "move"),
        "arrived": (moving, "allow_use"),
    }[where]

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, stop)
        patch.setattr(moving, "allow_use", stop)  # as after a kill: nothing is tidied up
        assert kifu(host, "move", "--to", folder, database_url=database).exit_code != 0
    assert not starts(folder)
    assert kifu(host, "move", "--to", folder, database_url=database).exit_code == 0
    assert (folder / KEY).read_bytes() == key
    with pytest.raises(MovedError):
        create_app(Settings(data=host, database_url=database))
    with served(folder) as api:
        assert api.get(f"/v1/games/{game}").status_code == 200
        api.catch_up()
        assert api.app.context.tree.stopped is None


def test_half_a_backup_of_a_database_cannot_be_served(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path / "host", database) as api:
        api.play("black: a-h")
    copy = tmp_path / "backup"

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(moving, "complete", stop)
        patch.setattr(moving, "allow_use", stop)
        assert kifu(tmp_path / "host", "backup", copy, database_url=database).exit_code != 0
    assert not starts(copy)


def test_a_target_that_holds_another_record_is_left_alone(tmp_path: Path, database: str) -> None:
    with PostgresLog(database) as log:
        log.append(str(uuid7()), [opening(), note()], expected=0, recorder="owner")
        before = list(log.feed())
    fill(tmp_path)
    refused = kifu(tmp_path, "move", "--to", database)
    assert refused.exit_code == 1
    assert "holds another record" in refused.stderr
    with PostgresReader(database) as reader:
        assert list(reader.feed()) == before
    assert (tmp_path / LOG).exists()


def test_a_record_that_is_damaged_is_not_moved(tmp_path: Path, database: str) -> None:
    fill(tmp_path)
    (tmp_path / LOG).with_name(f"{LOG}-wal").unlink(missing_ok=True)
    content = (tmp_path / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(content.replace(b"a note", b"A note", 1))
    refused = kifu(tmp_path, "move", "--to", database)
    assert refused.exit_code == 1
    assert "damaged" in refused.stderr or "missing" in refused.stderr
    assert (tmp_path / LOG).exists()


@pytest.mark.slow
def test_what_is_damaged_beside_the_record_is_damaged_after_moves_and_in_a_backup(
    tmp_path: Path, database: str
) -> None:
    data, back = tmp_path / "data", tmp_path / "back"
    fill(data)
    with SqliteLog(data / LOG) as log:
        log.people.put(ada := str(uuid7()), "Ada")
        log.people.put(str(uuid7()), "Bo")
        log.people.merge(str(uuid7()), ada, by="owner")
        log.components.put("kahuna", "mine", {"islands": 12})
    with closing(sqlite3.connect(data / LOG)) as connection, connection:
        connection.execute("drop trigger merge_no_update")
        for change in (
            "update person set name = cast(x'ff0041' as text) where name = 'Bo'",
            "update person set name = 'Adb' where name = 'Ada'",
            "update component set name = cast(x'ff' as text)",
            "update merge set person = x'00', by = cast(x'00ff' as text)",
        ):
            assert connection.execute(change).rowcount == 1, change
    found = damages(kifu(data, "verify", data))
    assert len(found) == 4
    assert kifu(data, "move", "--to", database).exit_code == 0
    assert damages(kifu(data, "verify", database_url=database)) == found
    assert kifu(data, "backup", tmp_path / "copy", database_url=database).exit_code == 0
    assert damages(kifu(data, "verify", tmp_path / "copy")) == found
    assert kifu(data, "move", "--to", back, database_url=database).exit_code == 0
    assert damages(kifu(data, "verify", back)) == found


def damages(verified: Result) -> list[str]:
    assert verified.exit_code == 1, verified.output
    return sorted(line for line in verified.output.splitlines() if line.startswith("unreadable"))


def test_the_backup_of_a_database_is_a_folder_that_can_be_served(tmp_path: Path, database: str) -> None:
    with served(tmp_path / "data", database) as api:
        game = api.play("black: a-h")
        api.show(game)
        before = seen(api, game)
        copied = kifu(tmp_path / "data", "backup", tmp_path / "copy", database_url=database)
        assert copied.exit_code == 0, copied.output
        assert "Copied and proved 1 record" in copied.stdout
    with served(tmp_path / "copy") as api:
        after = seen(api, game)
        assert {name: after[name] for name in before if name != "/v1/trail"} == {
            name: before[name] for name in before if name != "/v1/trail"
        }
        assert api.access.level(game) == "public"
    assert kifu(tmp_path / "copy", "verify").stdout.startswith("Sound")


@pytest.mark.slow
def test_a_database_that_lost_changes_of_access_is_not_copied(tmp_path: Path, database: str) -> None:
    """The copy would have no head that tells of them."""
    with served(tmp_path / "data", database) as api:
        api.play()
    HeadFile(tmp_path / "data").put(Mark(99, bytes(32)))
    for words in (("backup", tmp_path / "copy"), ("move", "--to", tmp_path / "copy")):
        refused = kifu(tmp_path / "data", *words, database_url=database)
        assert refused.exit_code == 1
        assert "later revocations are missing" in refused.stderr
    assert not (tmp_path / "copy").exists()


@pytest.mark.slow
def test_a_database_is_backed_up_while_others_record(tmp_path: Path, database: str) -> None:
    with PostgresLog(database) as log:
        game, version, ended = str(uuid7()), 1, threading.Event()
        log.append(game, [opening()], expected=0, recorder="owner")

        def write() -> None:
            nonlocal version
            while not ended.is_set():
                version = log.append(game, [note()], expected=version, recorder="owner").events[-1].version

        writer = threading.Thread(target=write)
        writer.start()
        try:
            (tmp_path / "data").mkdir()
            with served(tmp_path / "data", database):
                until(lambda: version > 1)
                copied = kifu(tmp_path / "data", "backup", tmp_path / "copy", database_url=database)
        finally:
            ended.set()
            writer.join()
        assert copied.exit_code == 0, copied.output
        with SqliteReader(tmp_path / "copy" / LOG) as reader:
            fed = [event for _, event in reader.feed()]
        assert fed
        assert fed == [event for _, event in log.feed(0, len(fed))]
