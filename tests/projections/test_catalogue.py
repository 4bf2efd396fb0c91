from __future__ import annotations

import os
import pathlib
import random
import re
import shutil
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events.errors import DamagedError, LogBusyError
from events.event import NewEvent
from events.stores import read_log
from projections import projector
from projections.archive import Archive
from projections.catalogue.lookups import find_game
from projections.catalogue.pages import find_games, find_page
from projections.catalogue.proof import prove_catalogue
from projections.catalogue.queries import CatalogueViewer, Query
from projections.checkpoints import STRIDE
from projections.errors import ViewsDamagedError
from projections.fold import Fold
from projections.folds import Folds
from projections.projector import Projector, Rebuilding
from projections.rebuild import rebuild
from projections.rebuild_games import TABLES, HelperLostError, ProofError
from projections.views import CATALOGUE, PLAYERS_TABLE, SEARCH_TABLE, Views, cursor
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from projections.catalogue.rows import Listed
    from tests.projections.conftest import Recorder

ANNA = "00000000-0000-7000-8000-00000000000a"
EVERY = Query()


def titles(archive: Archive, **query: object) -> list[str]:
    return [game.title for game in find_games(archive.views.db, Query(**query), None, 100)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        *(("Kahuna", 3), ("カフナ", 3), ("kahuna", 3), (" ＫＡＨＵＮＡ　", 3), ("ｶﾌﾅ", 3)),
        *(("Kahun", 0), ("UNO", 0), ("%", 0), (" ", 0), ("' or 1", 0), ("Sunday in Osaka", 0)),
    ],
)
def test_games_are_found_by_the_name_of_what_was_played(listed: Archive, name: str, found: int) -> None:
    assert len(titles(listed, name=name)) == found


@pytest.mark.parametrize(
    ("words", "found"), [("0%", 1), ("100%", 1), ("%", 1), ("d_100", 0), ("1_0", 0), ("_", 0), ("%%", 0), ("\0", 0)]
)
def test_signs_are_no_wildcards_of_a_search(listed: Archive, words: str, found: int) -> None:
    assert len(titles(listed, text=words)) == found


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
    for limit in (1, 2, 3, 6, 7, 8):
        assert list(pages(table.archive, limit)) == list("6543210")


@pytest.mark.parametrize("seen_by", [None, CatalogueViewer(frozenset({ANNA}))])
def test_games_are_listed_by_when_they_were_played_page_by_page(
    table: Recorder, seen_by: CatalogueViewer | None
) -> None:
    """Of games of one moment the last opened comes first, and a later entry moves none."""
    when = ("1969-07-20", "2024-08-01", "2031-01-01", "2024-08-01", "2024-08-02")
    games = [
        table.open(title=str(number), happened_at=f"{day}T12:00:00+00:00", seats=[{"player": ANNA}, {}])
        for number, day in enumerate(when)
    ]
    table.projector.catch_up()
    query = Query(order="played", seen_by=seen_by)
    for limit in (1, 2, 3, 5, 6):
        assert list(pages(table.archive, limit, query)) == list("24310")
    table.play(games[0], 1)
    table.projector.catch_up()
    assert list(pages(table.archive, 9, query)) == list("24310")
    assert [game.title for game in find_games(table.archive.views.db, Query(), None, 1)] == ["0"]


def test_a_game_of_an_earlier_day_that_is_opened_meanwhile_is_not_missed(table: Recorder) -> None:
    for number in range(4):
        table.open(title=str(number), happened_at=f"2024-08-0{number + 1}T12:00:00+00:00")
    table.projector.catch_up()
    seen = list[str]()
    for title in pages(table.archive, 2, Query(order="played")):
        seen.append(title)
        if len(seen) == 2:
            table.open(title="late", happened_at="2025-01-01T12:00:00+00:00")
            table.projector.catch_up()
    assert seen == ["3", "2", "1", "0", "late"]


def pages(archive: Archive, limit: int, query: Query = EVERY) -> Iterator[str]:
    """The titles of all games, page by page."""
    page, place = find_page(archive.views.db, query, None, limit)
    while True:
        assert 1 <= len(page) <= limit
        yield from (game.title for game in page)
        if place is None:
            return
        page, place = find_page(archive.views.db, query, place, limit)


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_no_game_is_missed_by_one_who_goes_through_the_list_while_others_write(table: Recorder, limit: int) -> None:
    """A game with a new entry moves to the front, past the reader; it comes again at the end."""
    games = [table.open(title=str(number)) for number in range(9)]
    table.projector.catch_up()
    seen: list[str] = []
    moved = iter([games[0], games[3], games[0], games[8]])
    for title in pages(table.archive, limit):
        seen.append(title)
        if len(seen) % limit == 0 and (game := next(moved, None)):
            table.add(game, "note.added", {"text": "moved"})
            table.projector.catch_up()
    assert set(seen) == set("012345678")
    assert len(seen) <= 9 + 4


@pytest.mark.parametrize(
    "query",
    [
        *({"status": "playing"}, {"ruleset": "kahuna"}, {"origin": ANNA}, {"seen_by": CatalogueViewer()}, {}),
        {"status": "playing", "order": "played"},
        {"ruleset": "kahuna", "order": "played"},
        {"seen_by": CatalogueViewer(), "order": "played"},
        {"order": "played"},
    ],
)
def test_a_page_of_the_list_looks_at_no_more_games_than_it_shows(listed: Archive, query: dict[str, Any]) -> None:
    asked: list[str] = []
    listed.views.db.conn.set_trace_callback(asked.append)
    find_page(listed.views.db, Query(**query), None, 10)
    listed.views.db.conn.set_trace_callback(None)
    (question,) = [statement for statement in asked if re.search("order by (last|played)_at desc", statement)]
    plan = " ".join(step for *_, step in listed.views.db.execute(f"explain query plan {question}"))
    assert "USING INDEX" in plan
    assert "B-TREE" not in plan, "sorted after all were found"
    assert not query.keys() - {"order"} or "SEARCH" in plan


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


def test_a_poison_game_is_marked_with_its_cause_and_logged_and_the_others_go_on(
    table: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    poison = table.open(title="poison")
    table.add(poison, "move.made", {"move": {"type": "decline", "seat": 0}})
    table.open(title="sound")
    table.projector.catch_up()
    row = find_game(table.archive.views.db, poison)
    assert row is not None
    assert row.status == "unreadable"
    assert str(row.reason).endswith("entry 2 cannot be replayed")  # why, may tell what is hidden
    assert titles(table.archive, status="playing") == ["sound"]
    assert [record.getMessage() for record in caplog.records if poison in record.getMessage()]
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


def test_read_models_of_the_same_log_are_gone_on_with(table: Recorder, caplog: pytest.LogCaptureFixture) -> None:
    table.open(title="here")
    table.projector.catch_up()
    table.open(title="and there")
    Projector(table.archive.log, table.archive.folds, table.archive.views).catch_up()
    assert titles(table.archive) == ["and there", "here"]
    assert "made anew" not in caplog.text


def test_read_models_of_a_log_of_the_same_length_are_made_anew(table: Recorder, tmp_path: Path) -> None:
    table.open(title="of another log")
    table.projector.catch_up()
    views = table.archive.views
    with Archive(tmp_path / "restored") as restored:
        type(table)(restored).open(title="here")
        Projector(restored.log, Folds(restored.log, views), views).catch_up()
    assert titles(table.archive) == ["here"]


@pytest.mark.slow
def test_a_rebuild_gives_what_was_there_and_names_what_had_drifted(table: Recorder) -> None:
    games = [table.open(title=f"game {number}") for number in range(3)]
    for seed, game in enumerate(games, 2):
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


@pytest.mark.slow
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
    until(lambda: reads[0] or failures)
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
    as_far, folded, go_on = table.archive.folds.fold_until_error, threading.Event(), threading.Event()

    def slowly(game: str) -> Fold:
        fold = as_far(game)
        if not folded.is_set():
            folded.set()
            assert go_on.wait(10)
        return fold

    written: list[int] = []
    monkeypatch.setattr(table.archive.folds, "fold_until_error", slowly)
    monkeypatch.setattr(projector, "list_folds", lambda _, folds, __: written.extend(fold.version for fold in folds))
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


@pytest.mark.slow
def test_every_row_is_right_when_many_have_opened_games_and_gone_on(table: Recorder) -> None:
    """32 connections open games and make an entry each, while the projector follows: no update is lost for ever."""
    log, games = table.archive.log, list[str]()
    follow = threading.Thread(target=table.projector.run)
    follow.start()

    def play(_: int) -> None:
        for _ in range(20):
            game = table.open()
            table.add(game, "note.added", {"text": "and on"})
            games.append(game)

    with ThreadPoolExecutor(32) as pool:
        list(pool.map(play, range(32)))
    deadline = time.monotonic() + 60
    while cursor(table.archive.views.db)[0] < log.position():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    table.projector.stop()
    follow.join()
    versions = {row.game: row.version for row in find_games(table.archive.views.db, Query(), None, 1000)}
    assert versions == dict.fromkeys(games, 2)


# Damage


def flip(path: Path, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def at_rest(archive: Archive) -> Path:
    """The file of the read models, with nothing beside it."""
    (path,) = archive.views.db.execute("select file from pragma_database_list where name = 'main'").fetchone()
    archive.views.db.execute("pragma wal_checkpoint(truncate)")
    return pathlib.Path(path)


def look(archive: Archive, queries: list[Query]) -> list[list[Listed]]:
    return [find_games(archive.views.db, query, None, 100) for query in queries]


@pytest.mark.parametrize(
    "change",
    [f"update {SEARCH_TABLE} set text = 'elsewhere'", f"delete from {SEARCH_TABLE}", f"delete from {PLAYERS_TABLE}"],
)
def test_what_a_game_is_found_by_is_proved(table: Recorder, change: str) -> None:
    table.open(title="An afternoon", seats=[{"player": ANNA}, {}])
    table.projector.catch_up()
    db = table.archive.views.db
    prove_catalogue(db)
    db.execute(change)
    with pytest.raises(ViewsDamagedError, match=r"search words of game .* are not what was written"):
        prove_catalogue(db)


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.slow
def test_no_flipped_bit_in_the_read_models_is_served(table: Recorder, tmp_path: Path, running: bool) -> None:
    """What is not what was written is made again, at the start or when it is come upon; the lists are true then."""
    chance, archive = random.Random(3), table.archive
    for number in range(30):
        table.open(title=f"Game {number} of the afternoon", place="Umeda", seats=[{"player": ANNA}, {}])
    table.projector.catch_up()
    queries = [
        Query(),
        Query(text="afternoon"),
        Query(players=frozenset({ANNA}), text="nobody"),
        Query(status="playing"),
        Query(name="Kahuna"),
    ]
    truth = look(archive, queries)
    path = at_rest(archive)
    content = path.read_bytes()
    made_anew = 0
    for _ in range(90):
        folder = tmp_path / "flipped"
        shutil.copytree(path.parent, folder)
        copy = folder / path.name
        copy.write_bytes(content)
        for rest in ("-wal", "-shm"):
            copy.with_name(copy.name + rest).unlink(missing_ok=True)
        flip(copy, chance.randrange(len(content) * 8))
        views = Views(folder, create=True)
        projector = Projector(archive.log, Folds(archive.log, views), views)
        projector._proved = running  # the bit flips after the proof
        try:
            projector.catch_up()
            assert projector.wait(0)
            seen = [find_games(views.db, query, None, 100) for query in queries]
        except (sqlite3.DatabaseError, ViewsDamagedError) as error:
            assert running
            projector.doubt(error)
            assert projector.rebuilding is not None
            projector.catch_up()
            seen = [find_games(views.db, query, None, 100) for query in queries]
        if running:  # nothing false is shown; that something is left out is found by the next proof
            assert all(row in rows for found, rows in zip(seen, truth, strict=True) for row in found)
        else:
            assert seen == truth
        made_anew += (folder / "current").read_text() != path.name
        views.close()
        shutil.rmtree(folder)
    assert made_anew > 3


@pytest.mark.parametrize("name", ["current", "current as a folder", "database", "folder", "cursor"])
def test_garbage_in_the_read_models_stops_nothing(
    table: Recorder, tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    game = table.open(title="here")
    table.projector.catch_up()
    path, archive = at_rest(table.archive), table.archive
    folder = tmp_path / "garbage"
    shutil.copytree(path.parent, folder)
    pointer = folder / "current"
    match name:
        case "current":
            pointer.write_bytes(b"\xff\x00../../etc/passwd")
        case "current as a folder":
            pointer.unlink()
            (pointer / "in it").mkdir(parents=True)
        case "database":
            (folder / path.name).write_bytes(b"garbage" * 1000)
        case "folder":
            shutil.rmtree(folder)
            folder.write_bytes(b"garbage")
        case "cursor":
            with closing(sqlite3.connect(folder / path.name)) as db, db:
                db.execute("update cursor set position = 'x'")
            db.close()
    (folder / "0000x.db").write_bytes(b"") if folder.is_dir() else None
    views = Views(folder, create=True)
    projector = Projector(archive.log, Folds(archive.log, views), views)
    projector.catch_up()
    row = find_game(views.db, game)
    assert row is not None
    assert row.title == "here"
    assert "made anew" in caplog.text or name == "folder"
    views.close()


def test_read_models_are_not_believed_before_they_are_as_far_as_the_log_was(table: Recorder) -> None:
    for number in range(5):
        table.open(title=str(number))
    archive = table.archive
    projector = Projector(archive.log, archive.folds, archive.views)
    assert not projector.wait(0)
    assert projector.rebuilding == Rebuilding(0, 5, 1)
    projector.catch_up()
    assert projector.wait(0)
    assert projector.rebuilding is None
    assert projector.position == 5
    projector.doubt("of it")
    assert not projector.wait(0)
    assert find_games(archive.views.db, Query(), None, 10)
    projector.catch_up()
    assert projector.wait(0)
    assert len(find_games(archive.views.db, Query(), None, 10)) == 5


def test_entries_of_a_game_in_memory_are_not_read_to_list_it(table: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    game = table.open(title="Sunday in Osaka")
    table.play(game, 1, 3)
    table.projector.catch_up()
    for text in ("more tea", "and cake"):
        table.add(game, "note.added", {"text": text})
    head = table.archive.folds.current(game).version
    for reading in ("read", "feed"):
        monkeypatch.setattr(table.archive.log, reading, None)
    table.projector.catch_up()
    assert table.projector.position == head
    row = find_game(table.archive.views.db, game)
    assert row is not None
    assert row.version == head


def test_the_projector_rests_longer_after_a_long_look(table: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests need the interpreter: on a busy feed, more entries of a game become one row."""
    monkeypatch.setattr(projector, "LONGEST_PAUSE", 1000.0)
    following, waited = table.projector, list[float]()
    monkeypatch.setattr(following._stop, "wait", waited.append)
    following.wake()
    for taken in (0.0, 20.0):
        following._rest(taken)
    short, long = waited
    assert short == projector.PAUSE
    assert projector.PAUSE < long <= projector.REST * 20.0


def test_a_rebuild_goes_as_far_as_the_log_and_saves_checkpoints_along_the_way(table: Recorder) -> None:
    """What follows it goes on from there; a damaged game is listed as unreadable, the others as they are."""
    archive, result = table.archive, list[int]()
    games = [table.open(title=str(number)) for number in range(3)]
    damaged, *sound = games
    for seed, game in enumerate(games):
        table.play(game, seed)
        for number in range(2 * STRIDE):
            table.add(game, "note.added", {"text": str(number)})
    archive.log._damage[damaged] = DamagedError(damaged, 4, "a flipped bit")  # type: ignore[attr-defined]
    rebuilt = rebuild(archive.log, archive.views, result.append)
    entries = [len(list(archive.log.read(game))) for game in sound]
    assert (rebuilt.games, rebuilt.events, rebuilt.drifted) == (2, sum(entries), sound)
    assert result == [entries[0], sum(entries)]
    assert rebuilt.unreadable == {damaged: f"game {damaged} is damaged at version 4: a flipped bit"}
    *_, (position, last) = archive.log.feed()
    assert cursor(archive.views.db) == (position, last.hash)
    rows = {row.game: (row.status, row.version) for row in find_games(archive.views.db, Query(), None, 10)}
    assert rows == {game: ("finished", count) for game, count in zip(sound, entries, strict=True)} | {
        damaged: ("unreadable", 0)
    }
    saved = archive.views.db.execute("select game, version from checkpoint order by version").fetchall()
    for game, count in zip(sound, entries, strict=True):
        assert [version for each, version in saved if each == game] == [*range(1 + STRIDE, count, STRIDE), count]


@pytest.fixture
def shared_rebuild(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have two processes rebuild any log, a game or two at a time."""
    monkeypatch.setattr("projections.rebuild.POOL_FROM", 0)
    monkeypatch.setattr("projections.rebuild.usable_processors", lambda: 2)
    monkeypatch.setattr("projections.rebuild_games.SHARE", 200)


@pytest.mark.usefixtures("shared_rebuild")
@pytest.mark.slow
def test_a_rebuild_by_several_processes_writes_what_one_writes(table: Recorder, tmp_path: Path) -> None:
    archive, told = table.archive, list[int]()
    for seed in range(5):
        table.play(table.open(title=f"Table {seed}", seats=[{"player": ANNA}, {}]), seed)
    club = str(uuid7())
    founding = NewEvent(id=club, type="club.founded", data={"name": "The Meeples", "founder": ANNA})
    archive.log.append(club, [founding], expected=0, recorder="tests")
    rebuild(archive.log, archive.views)
    alone = rebuild(archive.log, archive.views)
    before = {name: archive.views.db.execute(f"select * from {name}").fetchall() for name in TABLES}
    together = rebuild(archive.log, archive.views, told.append, partial(read_log, tmp_path / "data"))
    assert (together, len(told)) == (alone, 3)
    assert told[-1] == archive.log.position() == together.events
    for name, rows in before.items():
        assert sorted(rows, key=repr) == sorted(archive.views.db.execute(f"select * from {name}").fetchall(), key=repr)
    assert titles(archive, text="table 3") == ["Table 3"]


@pytest.mark.usefixtures("shared_rebuild")
@pytest.mark.slow
def test_a_rebuild_that_loses_its_helpers_leaves_the_old_read_models(table: Recorder) -> None:
    archive = table.archive
    table.open(title="Sunday in Osaka")
    table.projector.catch_up()
    with pytest.raises(HelperLostError):
        rebuild(archive.log, archive.views, None, partial(os._exit, 1))
    assert titles(archive) == ["Sunday in Osaka"]
    assert len(list((archive.folder / "views").glob("[0-9]*.db"))) == 1


def test_a_rebuild_of_an_empty_log_leaves_out_nothing_that_comes_after_it(table: Recorder) -> None:
    archive = table.archive
    rebuild(archive.log, archive.views)
    assert cursor(archive.views.db) == (0, "")
    games = [table.open(title=str(number)) for number in range(2)]
    table.projector.catch_up()
    assert {row.game for row in find_games(archive.views.db, Query(), None, 10)} == set(games)


def test_what_a_long_read_keeps_of_what_was_erased_is_told_and_goes_when_it_is_over(
    table: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.views.WIPE_PATIENCE", 50)
    archive = table.archive
    game = table.open(title="Rumpelstilz")
    table.projector.catch_up()
    (file,) = [row[2] for row in archive.views.db.execute("pragma database_list") if row[1] == "main"]
    reading = sqlite3.connect(file, isolation_level=None)
    reading.execute("begin")
    reading.execute("select count(*) from game").fetchone()
    with pytest.raises(LogBusyError, match="a read still keeps its bytes"):
        table.projector.forget(game)
    reading.execute("rollback")
    reading.close()
    table.projector.forget(game)


def test_a_rebuild_that_would_not_give_back_the_fold_from_zero_is_refused(
    table: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.open(title="true")
    table.play(game, 1)
    table.projector.catch_up()
    archive, before = table.archive, table.archive.views.db.execute("select * from game").fetchall()
    with monkeypatch.context() as patched:
        patched.setattr("projections.rebuild_games.list_folds", lambda *_: None)
        with pytest.raises(ProofError, match="differs from a full replay"):
            rebuild(archive.log, archive.views)
    with monkeypatch.context() as patched:
        load = Fold.load
        patched.setattr(Fold, "load", lambda *saved: falsified(load(*saved)))
        with pytest.raises(ProofError, match="differs from a full replay"):
            rebuild(archive.log, archive.views)
    assert archive.views.db.execute("select * from game").fetchall() == before


def falsified(fold: Fold) -> Fold:
    fold.closed = "abandoned"
    return fold


def test_a_look_at_the_feed_ends_though_entries_keep_coming(table: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    game, taken = table.open(), list[set[str]]()
    project = Projector._project

    def project_beside_others(self: Projector, games: set[str], *more: Any) -> None:
        assert len(taken) < 3
        taken.append(set(games))
        table.add(game, "note.added", {"text": "meanwhile"})
        project(self, games, *more)

    monkeypatch.setattr(Projector, "_project", project_beside_others)
    assert table.projector.catch_up() == 1
    assert taken == [{game}]
    assert table.projector.catch_up() == 2
