from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from projections import projector
from projections.catalogue import Query, find_game, find_games
from projections.projector import Projector
from projections.rebuild import rebuild
from projections.views import CATALOGUE

if TYPE_CHECKING:
    from projections.archive import Archive
    from projections.fold import Fold
    from tests.projections.conftest import Recorder

ANNA = "00000000-0000-7000-8000-00000000000a"


def titles(archive: Archive, **query: object) -> list[str]:
    return [game.title for game in find_games(archive.views.db, Query(**query), None, 100)]  # type: ignore[arg-type]


@pytest.fixture
def listed(table: Recorder) -> Archive:
    table.open(title="Sunday in Osaka", place="Umeda")
    table.play(table.open(title="Finished 100%"), 1)
    table.open(title="日曜日の対局", seats=[{"player": ANNA}, {}])
    table.projector.catch_up()
    return table.archive


def test_games_are_listed_the_last_recorded_first(listed: Archive) -> None:
    assert titles(listed) == ["日曜日の対局", "Finished 100%", "Sunday in Osaka"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"text": "osaka"}, ["Sunday in Osaka"]),
        ({"text": "umed"}, ["Sunday in Osaka"]),
        ({"text": "日曜"}, ["日曜日の対局"]),
        ({"text": "100%"}, ["Finished 100%"]),
        ({"text": "カフナ", "status": "finished"}, ["Finished 100%"]),
        ({"text": "nobody", "players": frozenset({ANNA})}, ["日曜日の対局"]),
        ({"status": "playing"}, ["日曜日の対局", "Sunday in Osaka"]),
        ({"ruleset": "go"}, []),
        ({"text": "' or 1=1 --"}, []),
    ],
)
def test_games_are_found_by_words_people_ruleset_and_status(
    listed: Archive, query: dict[str, object], found: list[str]
) -> None:
    assert titles(listed, **query) == found


@pytest.mark.parametrize("length", [1, 4, 8, 36])
def test_games_are_found_by_the_beginning_or_the_end_of_their_id(table: Recorder, length: int) -> None:
    games = [table.open(title=str(number)) for number in range(5)]
    table.projector.catch_up()
    for part in (games[2][:length], games[2][-length:]):
        wanted = {str(number) for number, game in enumerate(games) if game.startswith(part) or game.endswith(part)}
        assert set(titles(table.archive, id=part)) == wanted


@pytest.mark.parametrize("part", ["0192", "a7f3", "01922f4e-aaaa-7000-8000-00000000000a"])
def test_finding_a_game_by_a_part_of_its_id_looks_at_no_other_game(listed: Archive, part: str) -> None:
    asked: list[str] = []
    listed.views.db.conn.set_trace_callback(asked.append)
    find_games(listed.views.db, Query(id=part), None, 10)
    listed.views.db.conn.set_trace_callback(None)
    (query,) = [statement for statement in asked if statement.startswith("select")]
    plan = [step for *_, step in listed.views.db.execute(f"explain query plan {query}")]
    assert any("game_by_end" in step for step in plan)
    assert not [step for step in plan if step.startswith("SCAN") and CATALOGUE in step.split()], plan


def test_pages_of_the_list_meet_without_gap_or_overlap(table: Recorder) -> None:
    for number in range(7):
        table.open(title=str(number))
    table.projector.catch_up()
    before, seen = None, []
    while page := find_games(table.archive.views.db, Query(), before, 3):
        seen += [game.title for game in page]
        before = (page[-1].last_at, page[-1].game)
    assert seen == list("6543210")


def test_a_running_projector_lists_an_entry_soon_after_it_is_stored(table: Recorder) -> None:
    thread = threading.Thread(target=table.projector.run)
    thread.start()
    try:
        game = table.open(title="now")
        deadline = time.monotonic() + 20
        while find_game(table.archive.views.db, game) is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
    finally:
        table.projector.stop()
        thread.join()


def test_a_poison_game_is_marked_with_its_cause_and_the_others_go_on(table: Recorder) -> None:
    poison = table.open(title="poison")
    table.add(poison, "move.made", {"move": {"type": "decline", "seat": 0}})
    table.open(title="sound")
    table.projector.catch_up()
    row = find_game(table.archive.views.db, poison)
    assert row is not None
    assert row.status == "unreadable"
    assert str(row.reason).endswith("entry 2 cannot be replayed")  # why, may tell what is hidden
    assert titles(table.archive, status="playing") == ["sound"]
    table.withdraw(poison, 2)
    table.projector.catch_up()
    assert titles(table.archive, status="unreadable") == []


def test_read_models_of_another_log_are_made_anew(table: Recorder) -> None:
    """The data folder was restored from a backup: the log is shorter than what was projected from it."""
    table.open(title="here")
    table.projector.catch_up()
    with table.archive.views.transaction() as db:
        db.execute("update cursor set position = 99, hash = 'elsewhere'")
        db.execute("update game set title = 'of another log'")
    Projector(table.archive.log, table.archive.folds, table.archive.views).catch_up()
    assert titles(table.archive) == ["here"]


def test_a_rebuild_gives_what_was_there_and_names_what_had_drifted(table: Recorder) -> None:
    games = [table.open(title=f"game {number}") for number in range(3)]
    for seed, game in enumerate(games):
        table.play(game, seed)
        for number in range(70):
            table.add(game, "note.added", {"text": str(number)})
        table.withdraw(game, 150)
        table.projector.catch_up()
    archive = table.archive
    before = find_games(archive.views.db, Query(), None, 10)
    assert rebuild(archive.log, archive.views).drifted == []
    assert find_games(archive.views.db, Query(), None, 10) == before
    with archive.views.transaction() as db:
        db.execute("update game set scores = '[9,9]' where game = ?", [games[1]])
    rebuilt = rebuild(archive.log, archive.views)
    assert rebuilt.drifted == [games[1]]
    assert (rebuilt.games, rebuilt.unreadable) == (3, {})
    assert find_games(archive.views.db, Query(), None, 10) == before


def test_reads_and_appends_go_on_while_the_read_models_are_rebuilt(table: Recorder) -> None:
    games = [table.open(title=f"game {number}") for number in range(4)]
    for seed, game in enumerate(games):
        table.play(game, seed)
    table.projector.catch_up()
    stop = threading.Event()
    failures: list[Exception] = []
    reads = [0]

    def read() -> None:
        while not stop.is_set():
            try:
                assert len(find_games(table.archive.views.db, Query(), None, 10)) >= len(games)
                table.archive.folds.at(games[0], 50)
                reads[0] += 1
            except Exception as error:  # noqa: BLE001
                failures.append(error)
                return

    follow = threading.Thread(target=table.projector.run)
    readers = [threading.Thread(target=read) for _ in range(3)]
    for thread in (follow, *readers):
        thread.start()
    for round_ in range(5):
        table.open(title=f"meanwhile {round_}")
        rebuild(table.archive.log, table.archive.views)
    stop.set()
    table.projector.stop()
    for thread in (follow, *readers):
        thread.join()
    assert failures == []
    assert reads[0] > 0
    table.projector.catch_up()
    assert len(titles(table.archive)) == len(games) + 5


def test_a_row_never_goes_back_to_an_older_state_of_its_game(table: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads bring the read models up to date; the first one has folded the game, and then has to wait."""
    current, folded, go_on = table.archive.folds.current, threading.Event(), threading.Event()

    def slowly(game: str) -> Fold:
        fold = current(game)
        if not folded.is_set():
            folded.set()
            assert go_on.wait(10)
        return fold

    written: list[int] = []
    monkeypatch.setattr(table.archive.folds, "current", slowly)
    monkeypatch.setattr(projector, "list_folds", lambda _, folds: written.extend(fold.version for fold in folds))
    game = table.open()
    threads = [threading.Thread(target=table.projector.catch_up) for _ in range(2)]
    threads[0].start()
    assert folded.wait(10)
    table.play(game, moves=3)
    threads[1].start()
    threads[1].join(0.3)
    go_on.set()
    for thread in threads:
        thread.join()
    assert written == sorted(written)
    assert written[-1] == 4
