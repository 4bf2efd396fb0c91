"""Witnesses catch a service that changed what it signed, though its owner has every key and made all hashes anew."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import httpx
import msgspec
import pytest
from uuid_utils import uuid7

from events.canonical import GENESIS, canonical, digest
from events.sqlite import SqliteLog, SqliteReader
from events.tree import merkle
from events.tree.checkpoints import Checkpoint
from events.tree.notes import Note, parse_note, parse_signer, parse_verifier
from events.tree.witness import ContradictionError, Witness
from projections.growing import TreeGrower
from service.app import create_app
from service.cli.proof import auditing, witness
from service.cli.proof.auditing import audit, read_exports
from service.cli.proof.witness import StandstillError, audit_after, watch
from service.cli.shell.client import Client, Connection, Problem, RefusedError
from service.cli.shell.failures import CommandError
from service.settings import Settings
from tests.service.conftest import Api

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from events.event import Event
    from service.cli.proof.auditing import Audit

URL = "https://club.example"


@contextmanager
def serving(folder: Path, database_url: str = "") -> Iterator[tuple[Api, Client]]:
    app = create_app(Settings(data=folder, database_url=database_url))
    headers = {"Authorization": f"Bearer {app.context.owner_token}"}
    try:
        with httpx.Client(transport=httpx.WSGITransport(app), base_url="http://localhost", headers=headers) as http:
            app.context.catch_up()
            yield Api(app), Client(lambda: Connection(http, URL))
    finally:
        app.close()


def play(api: Api, games: int = 2) -> None:
    for _ in range(games):
        api.play("ALOA-BARI", "ELAI-BARI")
    api.catch_up()


def edited(events: list[Event]) -> list[Event]:
    return [*events[:2], msgspec.structs.replace(events[2], recorder="somebody"), *events[3:]]


def reordered(events: list[Event]) -> list[Event]:
    at = next(at for at in range(1, len(events)) if events[at].game != events[at - 1].game)
    return [*events[: at - 1], events[at], events[at - 1], *events[at + 1 :]]


def without_a_game(events: list[Event]) -> list[Event]:
    return [event for event in events if event.game != events[-1].game]


CHANGES: dict[str, Callable[[list[Event]], list[Event]]] = {
    "rewrote an entry": edited,
    "dropped an entry": lambda events: events[:3] + events[4:],
    "dropped the last entry": lambda events: events[:-1],
    "dropped a game": without_a_game,
    "reordered": reordered,
}


def forge(source: Path, target: Path, change: Callable[[list[Event]], list[Event]]) -> None:
    """A data folder with another log, sound in itself, with the key of the first and a tree made by it."""
    target.mkdir()
    shutil.copy(source / "tree.key", target / "tree.key")
    signer = parse_signer((target / "tree.key").read_text())
    empty = str(Checkpoint(signer.verifier.name, 0, merkle.EMPTY))
    (target / "tree").mkdir()
    (target / "tree" / "checkpoint").write_text(str(Note(empty, (signer.sign(empty),))))
    ends: dict[str, tuple[int, str]] = {}
    with SqliteReader(source / "kifu.db") as old, SqliteLog(target / "kifu.db") as new:
        for event in change([event for _, event in old.feed()]):
            version, prev = ends.get(event.game, (0, GENESIS))
            made = msgspec.structs.replace(event, version=version + 1, prev=prev)
            made = msgspec.structs.replace(made, hash=digest(canonical(made)))
            new.adopt([made])
            ends[event.game] = made.version, made.hash


@pytest.fixture
def memory(tmp_path: Path) -> Witness:
    return Witness(tmp_path / "witness")


def test_a_service_that_only_grows_is_cosigned_each_time(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, client):
        sizes = []
        for games in (1, 2, 0, 3):
            play(api, games)
            before, now = watch(client, memory, URL, None)
            assert (before.checkpoint.size if before else 0) == (sizes[-1] if sizes else 0)
            sizes.append(now.checkpoint.size)
            cosigned = parse_note(str(now.note))
            assert cosigned.signed_by(memory.verifier), "it says when"
            known = memory.known_key(URL)
            assert known
            assert cosigned.signed_by(known) == 0
        assert sizes == [4, 12, 12, 24]
    again = Witness(tmp_path / "witness")
    assert again.verifier == memory.verifier
    last = again.last_checkpoint(URL)
    assert last
    assert last.checkpoint.size == 24


@pytest.mark.parametrize("longer", [False, True], ids=["as it was", "and went on"])
@pytest.mark.parametrize("what", CHANGES)
def test_a_service_that_changed_its_past_is_caught(tmp_path: Path, memory: Witness, what: str, longer: bool) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api)
        seen = watch(client, memory, URL, None).now
    forge(tmp_path / "club", tmp_path / "forged", CHANGES[what])
    with serving(tmp_path / "forged") as (api, client):
        assert api.app.context.tree.stopped is None, "the forger's own tree is sound"
        if longer:
            play(api, 3)
        with pytest.raises(ContradictionError) as caught:
            watch(client, memory, URL, None)
        offered = api.get("/v1/tree/checkpoint").text
    assert caught.value.evidence
    evidence = caught.value.evidence.read_text()
    assert str(seen.note) in evidence
    assert offered in evidence
    assert memory.last_checkpoint(URL) == seen, "what was caught is not cosigned"


def test_a_service_that_shows_two_faces_is_caught_by_two_witnesses_who_compare(tmp_path: Path) -> None:
    one, other = Witness(tmp_path / "one"), Witness(tmp_path / "other")
    with serving(tmp_path / "club") as (api, client):
        play(api)
        mine = watch(client, one, URL, None).now
    forge(tmp_path / "club", tmp_path / "face", CHANGES["rewrote an entry"])
    (tmp_path / "seen").write_text(str(mine.note))
    with serving(tmp_path / "face") as (api, client):
        watch(client, other, URL, None)
        with pytest.raises(ContradictionError, match="contradicts itself: two trees of 8 entries"):
            watch(client, other, URL, None, tmp_path / "seen")
        play(api)
        with pytest.raises(ContradictionError, match="its 16 entries do not begin with the 8"):
            watch(client, other, URL, None, tmp_path / "seen")


def test_a_witness_that_lags_catches_up_and_compares_with_one_who_does_not(tmp_path: Path) -> None:
    quick, late = Witness(tmp_path / "quick"), Witness(tmp_path / "late")
    with serving(tmp_path / "club") as (api, client):
        play(api)
        watch(client, late, URL, None)
        for _ in range(3):
            play(api)
            seen = watch(client, quick, URL, None).now
        play(api)
        (tmp_path / "seen").write_text(str(seen.note))
        before, now = watch(client, late, URL, None, tmp_path / "seen")
        assert before
        assert (before.checkpoint.size, seen.checkpoint.size, now.checkpoint.size) == (8, 32, 40)


def test_an_older_tree_is_not_taken_for_the_newest(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, _):
        play(api)
    shutil.copytree(tmp_path / "club", tmp_path / "older")
    with serving(tmp_path / "club") as (api, client):
        play(api)
        watch(client, memory, URL, None)
    with (
        serving(tmp_path / "older") as (_, client),
        pytest.raises(ContradictionError, match="an older tree, of 8 entries, and had signed 16"),
    ):
        watch(client, memory, URL, None)


def test_a_service_with_another_key_is_not_believed(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api)
        key = str(watch(client, memory, URL, None) and memory.known_key(URL))
    with serving(tmp_path / "another") as (api, client):
        play(api)
        with pytest.raises(CommandError, match="cannot be trusted"):
            watch(client, memory, URL, None)
        with pytest.raises(ContradictionError, match="and had kifu/"):
            watch(client, memory, URL, api.get("/v1/tree/key").text.strip())
        fresh = Witness(tmp_path / "fresh")
        with pytest.raises(CommandError, match="cannot be trusted"):
            watch(client, fresh, URL, key)
        with pytest.raises(CommandError, match="cannot be trusted"):
            watch(client, fresh, URL, "no key")
    assert parse_verifier(key) == memory.known_key(URL)


# A memory that is not what it was


def emptied(file: str) -> Callable[[Path, Path], object]:
    return lambda folder, _: (folder / file).write_bytes(b"")


def cut(file: str) -> Callable[[Path, Path], object]:
    return lambda folder, _: (folder / file).write_bytes((folder / file).read_bytes()[:-9])


def of_another(file: str) -> Callable[[Path, Path], object]:
    return lambda folder, other: shutil.copy(other / file, folder / file)


DAMAGES = {
    "no checkpoint": emptied("checkpoint"),
    "half a checkpoint": cut("checkpoint"),
    "a checkpoint of another service": of_another("checkpoint"),
    "no key of the service": emptied("key"),
    "half a key of the service": cut("key"),
    "a key of another service": of_another("key"),
    "no key of its own": emptied("../witness.key"),
    "half a key of its own": cut("../witness.key"),
    "a key of another witness": of_another("../witness.key"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_memory_that_was_damaged_is_not_taken_for_one_that_saw_nothing(tmp_path: Path, damage: str) -> None:
    for name in ("club", "other"):
        with serving(tmp_path / name) as (api, client):
            play(api)
            watch(client, Witness(tmp_path / f"witness of {name}"), URL, None)
    folder, other = ((next((tmp_path / f"witness of {name}").glob("*/key"))).parent for name in ("club", "other"))
    DAMAGES[damage](folder, other)
    left = (folder / "checkpoint").read_bytes(), (folder / "key").read_bytes()
    with serving(tmp_path / "club") as (_, client), pytest.raises(CommandError, match="cannot be used") as caught:
        watch(client, witness._open_witness(tmp_path / "witness of club"), URL, None)
    assert str(folder.parent) in str(caught.value), "it says which file"
    assert ((folder / "checkpoint").read_bytes(), (folder / "key").read_bytes()) == left


def test_a_memory_that_was_set_back_goes_on_from_there(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api)
        watch(client, memory, URL, None)
        shutil.copytree(tmp_path / "witness", tmp_path / "older")
        play(api)
        watch(client, memory, URL, None)
        before, now = watch(client, Witness(tmp_path / "older"), URL, None)
        assert before
        assert (before.checkpoint.size, now.checkpoint.size) == (8, 16)


def test_a_file_to_compare_with_has_to_be_of_the_service(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "other") as (api, client):
        play(api)
        (tmp_path / "seen").write_text(str(watch(client, Witness(tmp_path / "another"), URL, None).now.note))
    with serving(tmp_path / "club") as (api, client):
        play(api)
        for content in (None, "nothing"):
            if content:
                (tmp_path / "seen").write_text(content)
            with pytest.raises(CommandError, match="seen holds no checkpoint of this service"):
                watch(client, memory, URL, None, tmp_path / "seen")


# A tree that stands still


def test_a_tree_that_is_stopped_does_not_look_like_one_that_has_not_grown(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api)
        watch(client, memory, URL, None)
        api.app.context.tree.stopped = "the log is not what was signed"
        with pytest.raises(StandstillError, match="its tree is stopped: the log is not what was signed"):
            watch(client, memory, URL, None)


def test_a_tree_that_stands_still_while_the_log_grows_is_caught(
    tmp_path: Path, memory: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness, "PATIENCE", 0.0)
    monkeypatch.setattr(TreeGrower, "run", lambda _: None)  # the tree grows where the test says so
    with serving(tmp_path / "club") as (api, client):
        play(api)
        watch(client, memory, URL, None)
        api.play("ALOA-BARI")
        with pytest.raises(StandstillError, match="stopped at 8 entries, and its log has 11"):
            watch(client, memory, URL, None)
        api.catch_up()
        assert watch(client, memory, URL, None).now.checkpoint.size == 11


# Audits


def audited(client: Client, memory: Witness) -> Audit:
    return audit_after(client, memory, URL, None, watch(client, memory, URL, None))[1]


def test_every_leaf_is_in_an_export_that_its_reader_may_see(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api, 60)
        found = audited(client, memory)
        assert (found.size, found.accounted, found.left_out) == (240, 240, [])
        assert found.exit_code(whole=True) == 0


def test_entries_of_clubs_seasons_and_tournaments_are_accounted_for(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api, 1)
        club, season, cup = (str(uuid7()) for _ in range(3))
        assert api.post("/v1/clubs", {"id": club, "name": "Friday"}).status_code == 201
        assert api.post("/v1/seasons", {"id": season, "name": "Autumn", "club": club}).status_code == 201
        assert api.post("/v1/tournaments", {"id": cup, "name": "Cup"}).status_code == 201
        api.catch_up()
        found = audited(client, memory)
        assert (found.size, found.accounted, found.left_out) == (7, 7, [])
        assert found.exit_code(whole=True) == 0


def test_a_game_that_is_left_out_of_the_list_is_noticed(
    tmp_path: Path, memory: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the service says that its log has nothing, so that all of it would have come later."""
    with serving(tmp_path / "club") as (api, client):
        play(api, 3)
        listed = sorted(auditing.every_record(client), key=lambda each: each.id)
        monkeypatch.setattr(auditing, "every_record", lambda _: listed[1:])
        monkeypatch.setattr(witness, "end_of_log", lambda _: 0)
        found = audited(client, memory)
        assert (found.size, found.accounted, found.left_out) == (12, 8, [1, 2, 3, 4])
        assert (found.exit_code(whole=True), found.exit_code(whole=False)) == (1, 3)


def test_a_game_that_is_said_to_be_lost_was_there_when_the_tree_began(tmp_path: Path, memory: Witness) -> None:
    """An owner who takes a game out before it is signed can say that its places were lost, and the tree goes on."""
    folder, tree = tmp_path / "club", tmp_path / "club" / "tree"
    with serving(folder) as (api, client):
        play(api, 2)
        assert audited(client, memory).exit_code(whole=True) == 0
    shutil.copytree(tree, tmp_path / "before")
    with serving(folder) as (api, _):
        play(api, 2)
    shutil.rmtree(tree)
    shutil.move(tmp_path / "before", tree)
    leave_out(folder / "kifu.db", range(9, 13))
    (tree / "lost.json").write_text("[9,10,11,12]")
    with serving(folder) as (_, client):
        for _ in range(2):  # it does not forget
            found = audited(client, memory)
            assert (found.size, found.accounted, found.lost, found.left_out) == (16, 12, 0, [9, 10, 11, 12])
            assert found.exit_code(whole=True) == 1
        stranger = Witness(tmp_path / "stranger")  # who sees it for the first time
        found = audited(client, stranger)
        assert (found.accounted, found.lost, found.left_out) == (12, 4, [])


def leave_out(database: Path, positions: range) -> None:
    """Take a game out of a log, as somebody who knows how it is stored."""
    with closing(sqlite3.connect(database)) as connection, connection:
        triggers = connection.execute("select name from sqlite_master where type = 'trigger'").fetchall()
        for (name,) in triggers:
            connection.execute(f"drop trigger {name}")
        ((number,),) = connection.execute(
            "select distinct game from event where seq between ? and ?", (positions[0], positions[-1])
        )
        connection.execute("delete from event where game = ?", (number,))
        connection.execute("delete from game where number = ?", (number,))
    database.with_name(f"{database.name}.heads").unlink()


def test_a_leaf_that_stands_twice_accounts_for_one_entry() -> None:
    """So no game is replaced by another one unseen."""
    entries = dict.fromkeys((b"1", b"2"), "")
    assert list(auditing._leaves_without_entry([b"", b"1", b"2", b"1", b"", b"3"], entries, 1)) == [4, 5, 6]
    assert list(auditing._leaves_without_entry([b"", b"1", b"2", b"1", b"", b"3"], entries, 5)) == [4, 6]


def test_an_export_that_is_not_what_was_signed_is_caught(
    tmp_path: Path, memory: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path / "other") as (api, client):
        play(api, 1)
        (listed,) = auditing.every_record(client)
        foreign = listed.id
        content = auditing._export(client, listed)
    with serving(tmp_path / "club") as (api, client):
        play(api, 1)
        export = auditing._export
        monkeypatch.setattr(auditing, "_export", lambda *_: content)
        found = audited(client, memory)
        assert found.unsigned == [f"{foreign} {version}" for version in range(1, 5)]
        assert found.exit_code(whole=False) == 1
        monkeypatch.setattr(auditing, "_export", lambda *asked: export(*asked).replace(b"ALOA", b"ELAI"))
        found = audited(client, memory)
        assert (len(found.unsound), found.exit_code(whole=False)) == (1, 1)


def test_an_old_entry_with_a_time_to_come_is_named_and_is_no_forgery(
    tmp_path: Path, memory: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api, 1)
        (listed,) = auditing.every_record(client)
        monkeypatch.setattr("events.verification.now_ms", lambda: 0)
        found = audited(client, memory)
        assert (found.accounted, found.unsound, found.exit_code(whole=True)) == (4, {}, 0)
        assert "version 1, postdated: its time 20" in found.postdated[listed.id]
        export = auditing._export
        monkeypatch.setattr(auditing, "_export", lambda *asked: export(*asked).replace(b"ALOA", b"ELAI"))
        found = audited(client, memory)
        assert (found.postdated, len(found.unsound), found.exit_code(whole=False)) == ({}, 1, 1)


def test_a_game_that_was_asked_for_too_soon_does_not_count_as_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def export(*_: object) -> bytes:
        raise RefusedError(Problem(title="Too many requests", status=429))

    monkeypatch.setattr(auditing, "_export", export)
    with serving(tmp_path / "club") as (api, client):
        play(api, 1)
        with pytest.raises(RefusedError, match="Too many requests"):
            read_exports(client)


def test_leaves_that_come_while_the_exports_are_read_are_not_left_out(tmp_path: Path, memory: Witness) -> None:
    with serving(tmp_path / "club") as (api, client):
        play(api, 1)
        exports = read_exports(client)
        play(api, 1)
        found = audit(client, watch(client, memory, URL, None).now.checkpoint, exports, 4, 4)
        assert (found.size, found.accounted, found.later, found.left_out) == (8, 4, 4, [])
