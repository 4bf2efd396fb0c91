"""The store of results."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from projections.audit import audit
from workers.errors import WorkError, WorkNewerError
from workers.jobs import snapshot
from workers.results import Results

if TYPE_CHECKING:
    from pathlib import Path


def test_a_snapshot_is_the_audit_of_the_game_at_that_version(empty_shop: Any) -> None:
    game = empty_shop.record(empty_shop.played(1))
    head = empty_shop.archive.log.head(game)
    snapshot(str(empty_shop.folder), game, head.version)
    stored = empty_shop.results.find_snapshot(game, head.version)
    assert stored.audit == audit(empty_shop.archive.folds.current(game))
    assert (stored.hash, stored.revision) == (head.hash, stored.audit.revision)
    assert stored.audit.outcome
    assert sum(line.points for line in stored.audit.lines) == sum(stored.audit.scores)


def test_the_same_job_ten_times_at_once_stores_one_row(empty_shop: Any) -> None:
    game = empty_shop.record(empty_shop.played(2, 30))
    together = threading.Barrier(10)

    def work() -> None:
        together.wait()
        snapshot(str(empty_shop.folder), game, 31)

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert empty_shop.rows() == 1
    assert empty_shop.versions(game) == [31]


def test_a_snapshot_that_is_made_again_stays_as_it_was(empty_shop: Any) -> None:
    game = empty_shop.record(empty_shop.played(3, 5))
    made = audit(empty_shop.archive.folds.current(game))
    assert empty_shop.results.keep_snapshot(made)
    first = empty_shop.results.find_snapshot(game, 6)
    assert not empty_shop.results.keep_snapshot(made)
    assert empty_shop.results.find_snapshot(game, 6) == first


def test_a_snapshot_of_another_past_is_replaced(empty_shop: Any) -> None:
    game = empty_shop.record(empty_shop.played(3, 5))
    made = audit(empty_shop.archive.folds.current(game))
    empty_shop.results.keep_snapshot(msgspec.structs.replace(made, hash="0" * 64, scores=[9, 9]))
    assert empty_shop.results.keep_snapshot(made)
    assert empty_shop.results.find_snapshot(game, 6).audit == made


def test_snapshots_are_listed_newest_first_and_page_by_page(empty_shop: Any) -> None:
    game = empty_shop.record(empty_shop.played(4, 6))
    other = empty_shop.record(empty_shop.played(5, 6))
    for version in (2, 5, 7):
        snapshot(str(empty_shop.folder), game, version)
    snapshot(str(empty_shop.folder), other, 7)
    first = empty_shop.results.find_snapshots(game, None, 2)
    assert [found.version for found in first] == [7, 5]
    rest = empty_shop.results.find_snapshots(game, (first[-1].version, first[-1].revision), 2)
    assert [found.version for found in rest] == [2]
    assert empty_shop.results.find_snapshot(game, 3) is None


def test_a_later_revision_of_the_rules_gets_a_snapshot_of_its_own(empty_shop: Any) -> None:
    game = empty_shop.record(empty_shop.played(4, 6))
    made = audit(empty_shop.archive.folds.current(game))
    later = msgspec.structs.replace(made, revision=made.revision + 1)
    assert empty_shop.results.keep_snapshot(made)
    assert empty_shop.results.keep_snapshot(later)
    assert empty_shop.results.find_snapshot(game, 7).revision == later.revision
    assert empty_shop.versions(game) == [7, 7]


def test_a_letter_counts_its_attempts_and_goes_when_the_work_is_done(empty_shop: Any) -> None:
    game = empty_shop.record(empty_shop.played(6, 3))
    empty_shop.results.put_letter(game, 4, "first")
    empty_shop.results.put_letter(game, 4, "second")
    (letter,) = empty_shop.results.find_letters(None, 10)
    assert (letter.game, letter.version, letter.cause, letter.attempts) == (game, 4, "second", 2)
    snapshot(str(empty_shop.folder), game, 3)
    assert empty_shop.results.count_letters() == 1, "an older version does not make up for it"
    snapshot(str(empty_shop.folder), game, 4)
    assert empty_shop.results.count_letters() == 0


def test_letters_are_listed_newest_first_and_page_by_page(empty_shop: Any) -> None:
    for game in ("a", "b", "c"):
        empty_shop.results.put_letter(game, 1, "why")
    first = empty_shop.results.find_letters(None, 2)
    rest = empty_shop.results.find_letters((first[-1].at, first[-1].game), 2)
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
    with sqlite3.connect(tmp_path / "work.db") as connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    with pytest.raises(WorkNewerError, match=r"work\.db has schema 99, .* newer"):
        Results(tmp_path)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "work.db").write_text("not a database, by any stretch of the imagination" * 100)
    with pytest.raises(WorkError, match=r"work\.db cannot be opened"):
        Results(tmp_path)
