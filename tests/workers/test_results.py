"""The store of results."""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from sqlite_utils import Database

from events.databases.files import prove
from events.errors import DamagedError, LogNewerError
from events.event import Head
from games.kahuna import KAHUNA
from games.words import in_english
from projections.audit import audit
from tests.newer import make_newer
from workers import jobs
from workers.jobs import make_snapshot, snapshot
from workers.results import WORK, Results, _create


def wrong(results: Results) -> list[str]:
    return list(prove(WORK, Path(results.db.name)))


def test_a_snapshot_is_the_audit_of_the_game_at_that_version(each_host: Any) -> None:
    game = each_host.record(each_host.played(1))
    head = each_host.archive.log.head(game)
    snapshot(str(each_host.folder), game, head.version)
    stored = each_host.results.find_snapshot(game, head.version)
    assert stored.audit == audit(each_host.archive.folds.current(game))
    assert (stored.hash, stored.revision) == (head.hash, stored.audit.revision)
    assert stored.audit.outcome
    assert sum(line.points for line in stored.audit.lines) == sum(stored.audit.scores)


def test_the_same_job_ten_times_at_once_stores_one_row(each_host: Any) -> None:
    game = each_host.record(each_host.played(2, 30))
    for opened in (jobs._results, jobs._folds):  # as a worker has them from its first job on
        opened(str(each_host.folder))
    together = threading.Barrier(10)

    def work() -> None:
        together.wait()
        snapshot(str(each_host.folder), game, 31)

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert each_host.rows() == 1
    assert each_host.versions(game) == [31]


def test_a_snapshot_that_is_made_again_stays_as_it_was(each_host: Any) -> None:
    game = each_host.record(each_host.played(3, 5))
    made = audit(each_host.archive.folds.current(game))
    assert each_host.results.keep_snapshot(made)
    first = each_host.results.find_snapshot(game, 6)
    assert not each_host.results.keep_snapshot(made)
    assert each_host.results.find_snapshot(game, 6) == first


def test_a_snapshot_of_another_past_is_replaced(each_host: Any) -> None:
    game = each_host.record(each_host.played(3, 5))
    made = audit(each_host.archive.folds.current(game))
    each_host.results.keep_snapshot(msgspec.structs.replace(made, hash="0" * 64, scores=[9, 9]))
    assert each_host.results.keep_snapshot(made)
    assert each_host.results.find_snapshot(game, 6).audit == made


def test_snapshots_are_listed_newest_first_and_page_by_page(each_host: Any) -> None:
    game = each_host.record(each_host.played(4, 6))
    other = each_host.record(each_host.played(5, 6))
    made = audit(each_host.archive.folds.current(game))
    for round_, version in enumerate((2, 5, 7)):
        each_host.results.keep_snapshot(msgspec.structs.replace(made, version=version), round_)
    snapshot(str(each_host.folder), other, 7)
    first = each_host.results.find_snapshots(game, None, 2)
    assert [found.version for found in first] == [7, 5]
    rest = each_host.results.find_snapshots(game, (first[-1].version, first[-1].revision), 2)
    assert [found.version for found in rest] == [2]
    assert each_host.results.find_snapshot(game, 3) is None


def test_a_long_game_keeps_fewer_of_its_older_snapshots(each_host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every snapshot is as large as the game is long: kept all, they would grow with the square of the game."""
    game = each_host.record(each_host.played(4, 6))
    made = audit(each_host.archive.folds.current(game))
    size = len(in_english(made))
    monkeypatch.setattr("workers.results.SNAPSHOTS", 5 * size)
    monkeypatch.setattr("workers.results.SNAPSHOTS_ENTRY", 0)
    for version in range(10, 300, 10):
        each_host.results.keep_snapshot(msgspec.structs.replace(made, version=version), round_=version)
    kept = each_host.versions(game)
    assert 5 <= len(kept) < 15
    assert max(kept) == 290
    assert sum(size * version // 290 for version in kept) <= 5 * size


def test_a_later_revision_of_the_rules_gets_a_snapshot_of_its_own(each_host: Any) -> None:
    game = each_host.record(each_host.played(4, 6))
    made = audit(each_host.archive.folds.current(game))
    later = msgspec.structs.replace(made, revision=made.revision + 1)
    assert each_host.results.keep_snapshot(made)
    assert each_host.results.keep_snapshot(later)
    assert each_host.results.find_snapshot(game, 7).revision == later.revision
    assert each_host.versions(game) == [7, 7]


def test_a_letter_counts_its_attempts_and_goes_when_the_work_is_done(each_host: Any) -> None:
    game = each_host.record(each_host.played(6, 3))
    each_host.results.put_dead_letter(game, 4, "first")
    each_host.results.put_dead_letter(game, 4, "second")
    (letter,) = each_host.results.find_dead_letters(None, 10)
    assert (letter.game, letter.version, letter.cause, letter.attempts) == (game, 4, "second", 2)
    snapshot(str(each_host.folder), game, 3)
    assert each_host.results.count_letters() == 1, "an older version does not make up for it"
    snapshot(str(each_host.folder), game, 4)
    assert each_host.results.count_letters() == 0


def test_letters_are_listed_newest_first_and_page_by_page(each_host: Any) -> None:
    for game in ("a", "b", "c"):
        each_host.results.put_dead_letter(game, 1, "why")
    first = each_host.results.find_dead_letters(None, 2)
    rest = each_host.results.find_dead_letters((first[-1].at, first[-1].game), 2)
    assert {letter.game for letter in [*first, *rest]} == {"a", "b", "c"}
    assert len(rest) == 1
    assert [letter.at for letter in [*first, *rest]] == sorted((letter.at for letter in [*first, *rest]), reverse=True)


def test_a_store_keeps_its_identity_and_another_one_has_its_own(tmp_path: Path) -> None:
    identities = []
    for name in ("a", "a", "b"):
        (tmp_path / name).mkdir(exist_ok=True)
        results = Results(tmp_path / name)
        identities.append(results.identity)
        results.close()
    assert identities[0] == identities[1] != identities[2]


def test_many_can_open_a_new_store_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(8)
    opened: list[Results] = []

    def work() -> None:
        together.wait()
        opened.append(Results(tmp_path))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 8
    assert len({results.identity for results in opened}) == 1
    for results in opened:
        results.close()


def test_a_store_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    Results(tmp_path).close()
    schema = make_newer(tmp_path / "work.db")
    with pytest.raises(LogNewerError, match=rf"work\.db has schema {schema}, .* newer"):
        Results(tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"not a database, by any segment of the imagination" * 100, b"SQLite format 3\0" * 99]
)
def test_garbage_in_the_place_of_the_store_is_made_anew(tmp_path: Path, content: bytes, caplog: Any) -> None:
    (tmp_path / "work.db").write_bytes(content)
    results = Results(tmp_path, proved=True)
    assert results.cursor() == (0, "")
    assert results.identity
    assert ("made anew" in caplog.text) == bool(content)
    results.close()


def kept(empty_host: Any) -> tuple[dict[tuple[str, int], Any], bytes]:
    """A store with the snapshots of some games: all of them, and the file's content at rest."""
    games = [empty_host.record(empty_host.played(seed, 12)) for seed in range(8)]
    for game in games:
        fold = empty_host.archive.folds.current(game)
        empty_host.results.keep_snapshot(audit(fold), 1)
    empty_host.results.set_cursor(empty_host.archive.log.position(), "some hash")
    empty_host.results.db.execute("pragma wal_checkpoint(truncate)")
    found = {
        (game, each.version): each.audit for game in games for each in empty_host.results.find_snapshots(game, None, 9)
    }
    return found, (empty_host.folder / "work.db").read_bytes()


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.slow
def test_no_flipped_bit_in_the_store_is_served(empty_host: Any, tmp_path: Path, running: bool) -> None:
    """What is not what was written is made again: when the store is opened, or when it is come upon."""
    chance, (found, content) = random.Random(5), kept(empty_host)
    folds, renewed = empty_host.archive.folds, 0
    for _ in range(60):
        folder = tmp_path / "flipped"
        folder.mkdir()
        bit = chance.randrange(len(content) * 8)
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        path = folder / "work.db"
        path.write_bytes(content if running else flipped)
        results = Results(folder, proved=True)
        results._remake = partial(make_snapshot, results, folds)
        if running:
            results.close()
            results.db._local.__dict__.clear()
            path.write_bytes(flipped)
        for (game, version), truth in found.items():
            for snapshot_ in results.find_snapshots(game, None, 9):
                assert (
                    snapshot_.audit
                    in {version: truth, snapshot_.version: audit(folds.at(game, snapshot_.version))}.values()
                )
            one = results.find_snapshot(game, version)
            assert one is None or one.audit == truth
        renewed += results.cursor()[0] == 0
        results.close()
        shutil.rmtree(folder)
    assert renewed  # some hit what SQLite needs


def test_a_store_that_is_made_anew_keeps_what_fits_and_its_name(empty_host: Any) -> None:
    found, _ = kept(empty_host)
    results, (game, version) = empty_host.results, next(iter(found))
    other = Results(empty_host.folder)
    identity = results.identity
    results.db.execute("update result set data = replace(data, 'ruleset', 'rulezet') where game = ?", [game])
    results.db.renew("it was damaged")
    assert {key for key in found if results.find_snapshot(*key)} == found.keys() - {(game, version)}
    assert results.cursor() == (0, "")
    assert other.cursor() == (0, "")
    with closing(Results(empty_host.folder)) as third:
        assert [third.identity, other.identity] == [identity] * 2
    other.db.renew("and so it was for the other")
    assert other.find_snapshot(*list(found)[-1])
    other.close()


def test_a_snapshot_that_is_not_what_was_written_is_made_again(empty_host: Any) -> None:
    found, _ = kept(empty_host)
    results, (game, version) = empty_host.results, next(iter(found))
    results.db.execute("update result set data = replace(data, 'ruleset', 'rulezet') where game = ?", [game])
    assert wrong(results) == [
        f"a row of result is not what was written: {game}, {version}, snapshot, , {KAHUNA.revision}"
    ]
    results._remake = lambda game, version: make_snapshot(results, empty_host.archive.folds, game, version)
    assert [each.audit for each in results.find_snapshots(game, None, 9)] == [found[game, version]]
    assert wrong(results) == []


@pytest.mark.parametrize("rounds", [True, False])
@pytest.mark.slow
def test_only_the_newest_snapshot_and_those_at_ends_of_rounds_are_kept(each_host: Any, rounds: bool) -> None:
    game = each_host.record(each_host.played(2))
    head = each_host.archive.log.head(game).version
    ends, before = {head}, 0
    for version in range(1, head + 1):
        fold = each_host.archive.folds.at(game, version)
        now = fold.state.round if rounds else 0
        each_host.results.keep_snapshot(audit(fold), now)
        if now != before or fold.outcome():
            ends |= {version - 1, version} if now else {version - 1}
        before = now
    kept = set(each_host.versions(game))
    assert head in kept
    assert kept == ends - {0}
    assert len(kept) < 10 if rounds else len(kept) == 2
    stale = each_host.results.keep_snapshot(audit(each_host.archive.folds.at(game, head - 2)), before)
    assert stale
    assert set(each_host.versions(game)) == kept


def test_work_is_done_though_its_snapshot_gave_way_to_a_later_one(each_host: Any) -> None:
    game = each_host.record(each_host.played(1, 9))
    heads = [Head(game, event.version, event.hash) for event in each_host.archive.log.read(game)]
    for version in (10, 8, 9):
        snapshot(str(each_host.folder), game, version)
    assert each_host.versions(game) == [10, 8]
    for head in heads:
        assert each_host.results.done([head]) == {game}
    assert each_host.results.done([Head(game, 11, "")]) == set()
    assert each_host.results.done([Head(game, 10, "of another past")]) == set()


def test_results_of_entries_that_were_lost_are_forgotten_and_no_others(each_host: Any) -> None:
    """One of a game that is gone, one of another past, one after the end; the benefit of the doubt for a damaged."""
    games = [each_host.record(each_host.played(seed, 9)) for seed in range(3)]
    for game in games:
        snapshot(str(each_host.folder), game, 10)
    made = each_host.results.find_snapshot(games[0], 10).audit
    for lost in ({"game": str(uuid4())}, {"version": 11}, {"version": 9, "hash": "0" * 64}):
        each_host.results.keep_snapshot(msgspec.structs.replace(made, **lost), lost.get("version", 0))
    each_host.archive.log._damage[games[2]] = DamagedError(games[2], 4, "a flipped bit")
    assert each_host.results.forget_lost(each_host.archive.log) == 3
    assert [each_host.versions(game) for game in games] == [[10], [10], [10]]


def test_the_snapshots_of_an_older_release_are_thinned_and_get_checksums(empty_host: Any, tmp_path: Path) -> None:
    game = empty_host.record(empty_host.played(1, 9))
    folds = empty_host.archive.folds
    with closing(sqlite3.connect(tmp_path / "work.db")) as db, db:
        old = Database(db)
        _create.__wrapped__(old) if hasattr(_create, "__wrapped__") else _create(old)
        for version in range(1, 11):
            made = audit(folds.at(game, version))
            row = [game, version, "snapshot", "", made.revision, made.hash, 1, msgspec.json.encode(made).decode()]
            db.execute("insert into result values (?, ?, ?, ?, ?, ?, ?, ?)", row)
        old.table("_sqlite_migrations").insert(
            {"migration_set": "kifu.work", "name": "1: results, dead letters, cursor, identity", "applied_at": "x"},
            pk="name",
        )
        db.execute("pragma user_version = 1")
    db.close()
    results = Results(tmp_path)
    assert [(each.version, each.audit) for each in results.find_snapshots(game, None, 100)] == [
        (10, audit(folds.current(game)))
    ]
    assert wrong(results) == []
    results.close()


def test_a_snapshot_in_the_database_that_is_not_what_was_written_is_made_again(
    database: str, tmp_path: Path, open_host: Any
) -> None:
    host = open_host(tmp_path, database_url=database)
    game = host.record(host.played(1, 9))
    made = audit(host.archive.folds.current(game))
    host.results.keep_snapshot(made)
    host.results.change("update result set data = replace(data, 'ruleset', 'rulezet')", [])
    host.results._remake = lambda game, version: make_snapshot(host.results, host.archive.folds, game, version)
    assert [each.audit for each in host.results.find_snapshots(game, None, 9)] == [made]


def test_the_results_of_all_hosts_are_the_same_rows(database: str, tmp_path: Path, open_host: Any) -> None:
    one, two = (open_host(tmp_path / name, database_url=database) for name in "ab")
    assert one.results.identity == two.results.identity, "they share a queue"
    game = one.record(one.played(1, 9))
    made = audit(one.archive.folds.current(game))
    assert one.results.keep_snapshot(made)
    assert not two.results.keep_snapshot(made)
    assert two.results.find_snapshot(game, 10).audit == made
    two.results.set_cursor(10, "x")
    assert one.results.cursor() == (10, "x")
    two.results.put_dead_letter(game, 10, "a cause")
    assert one.results.count_letters() == 1
