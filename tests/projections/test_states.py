from __future__ import annotations

import random
import zlib
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from events.errors import GameUnknownError
from events.event import timestamp
from games.contract import PUBLIC, RECORD, Viewpoint
from games.errors import RuleBrokenError
from projections.archive import Archive
from projections.checkpoints import STRIDE, load_checkpoint, save_checkpoint
from projections.errors import FoldError, VersionUnknownError
from projections.fold import Fold
from projections.folds import Folds
from projections.history import Corrections, Segment
from projections.timeline import timeline
from projections.views import CHECKPOINT
from tests.choosing import soak_except
from tests.projections.conftest import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.archive import ReadingArchive


def from_zero(archive: ReadingArchive, game: str, version: int) -> bytes:
    """The game folded from its first entry, with nothing kept from before."""
    return Segment.of_game(list(archive.log.read(game, 0, version))).run_to_end().dump()


@pytest.mark.parametrize(
    ("taken", "told"),
    [
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:00:00-14:00", "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_day_of_play_that_an_older_release_took_has_a_date_in_utc(
    table: Recorder, archive: ReadingArchive, taken: str, told: str
) -> None:
    (opening,) = archive.log.read(table.open())
    assert timestamp(Fold.start(replace(opening, happened_at=taken)).played_at) == told


def dump_at(archive: ReadingArchive, game: str, version: int) -> bytes:
    return archive.folds.at(game, version).dump()


def said(
    ask: Callable[[ReadingArchive, str, int], bytes], archive: ReadingArchive, game: str, version: int
) -> bytes | str:
    """The answer, or why there is none: a withdrawal that was taken back left entries that did not fit meanwhile."""
    try:
        return ask(archive, game, version)
    except FoldError as error:
        return str(error)


@pytest.mark.parametrize("seed", soak_except(range(4), 0, 1))
@pytest.mark.slow
def test_every_version_is_the_fold_from_zero(table: Recorder, seed: int, reopen: Callable[[], ReadingArchive]) -> None:
    """Every way to a state: from memory, from a checkpoint, in another process, with withdrawals."""
    archive, chance = table.archive, random.Random(seed)
    game = table.open()
    table.play(game, seed)
    for _ in range(6):
        head = archive.folds.current(game)
        events = list(archive.log.read(game))
        void = Corrections(events).taken_out
        table.withdraw(game, chance.choice([event.version for event in events[1:] if event.version not in void]))
        if chance.random() < 0.5:
            table.projector.catch_up()
        if isinstance(said(dump_at, archive, game, head.version + 1), str):
            table.withdraw(game, head.version + 1)
    table.projector.catch_up()
    last = archive.folds.current(game).version
    for version in [*chance.sample(range(1, last), 12), last]:
        truth = said(from_zero, archive, game, version)
        assert said(dump_at, archive, game, version) == truth
        assert said(dump_at, reopen(), game, version) == truth


def test_a_dumped_fold_loads_as_it_was(table: Recorder) -> None:
    game = table.open(title="Test")
    table.play(game, 3)
    fold = table.archive.folds.current(game)
    loaded = Fold.load(game, fold.version, fold.hash, fold.dump())
    assert loaded.dump() == fold.dump()
    assert (loaded.opened, loaded.irregular, loaded.outcome()) == (fold.opened, fold.irregular, fold.outcome())


def test_a_long_game_is_read_from_its_checkpoint(table: Recorder, reopen: Callable[[], ReadingArchive]) -> None:
    game = table.open()
    table.play(game, 4)
    for number in range(2 * STRIDE):
        table.add(game, "note.added", {"text": f"note {number}"})
    table.projector.catch_up()
    fresh = reopen()
    head = fresh.log.head(game)
    assert head is not None
    saved = load_checkpoint(fresh.views.db, game, head.version)
    assert saved is not None
    assert head.version - saved.version < STRIDE
    read: list[int] = []
    stream = fresh.log.read
    fresh.log.read = lambda game, after=0, until=None: (read.append(after), stream(game, after, until))[1]  # type: ignore[method-assign]
    fresh.folds.current(game)
    assert read == [saved.version - 1]  # its own entry proves the checkpoint


@pytest.mark.parametrize(
    "falsified",
    [
        "version = version + 1",
        "hash = 'another', version = version - 1",
        "data = zeroblob(length(data))",
        "revision = 0",
    ],
)
def test_a_false_checkpoint_is_not_believed(
    table: Recorder, reopen: Callable[[], ReadingArchive], falsified: str
) -> None:
    """One of another past (the record was restored from a backup), one with a flipped bit, one of older rules."""
    game = table.open()
    table.play(game, 4)
    table.projector.catch_up()
    with table.archive.views.transaction() as db:
        newest = "version = (select max(version) from checkpoint)"
        assert db.execute(f"update checkpoint set {falsified} where {newest}").rowcount == 1
    table.add(game, "note.added", {"text": "and on"})
    fresh = reopen().folds.current(game)
    assert fresh.dump() == from_zero(table.archive, game, fresh.version)


def test_a_checkpoint_of_states_in_another_form_is_passed_over(
    table: Recorder, reopen: Callable[[], ReadingArchive]
) -> None:
    game = table.open()
    table.play(game, 4)
    table.projector.catch_up()
    with table.archive.views.transaction() as db:
        rows = db.execute("select game, version, hash, revision, data from checkpoint").fetchall()
        for *place, data in rows:
            states = zlib.decompress(data)
            older = zlib.compress(states.replace(b'"round"', b'"lap"'))
            assert zlib.decompress(older) != states
            checksum = zlib.crc32(repr((*place, older)).encode())
            db.execute("update checkpoint set data = ?, checksum = ? where version = ?", [older, checksum, place[1]])
    table.add(game, "note.added", {"text": "and on"})
    fresh = reopen().folds.current(game)
    assert fresh.dump() == from_zero(table.archive, game, fresh.version)


def test_a_fold_handed_out_does_not_change_when_the_game_goes_on(table: Recorder) -> None:
    game = table.open()
    table.play(game, 2, moves=10)
    before = table.archive.folds.current(game)
    dumped = before.dump()
    table.withdraw(game, before.version)
    assert table.archive.folds.current(game).version == before.version + 1
    assert before.dump() == dumped


def test_unknown_games_and_versions_are_named(table: Recorder) -> None:
    game = table.open()
    with pytest.raises(GameUnknownError, match="no game 0000"):
        table.archive.folds.current("00000000-0000-7000-8000-000000000000")
    with pytest.raises(VersionUnknownError, match="has versions 1 to 1, not 2"):
        table.archive.folds.at(game, 2)


@pytest.mark.parametrize("seed", soak_except(range(4), 0, 1))
def test_corrections_say_which_of_them_change_what_was_recorded_up_to_a_version(table: Recorder, seed: int) -> None:
    """Of the later ones, those that name an entry up to there; some of them are withdrawn themselves."""
    chance, game = random.Random(seed), table.open()
    named: dict[int, int] = {}
    for head in range(1, 31):
        entry = chance.randrange(2, head + 1) if head > 1 and chance.random() < 0.4 else 0
        if entry:
            named[head + 1] = entry
            table.withdraw(game, entry)
        else:
            table.add(game, "note.added", {"text": "x"})
    corrections = Corrections(table.archive.log.read(game))
    assert corrections.earliest() == min(named.values())
    assert set(corrections.taken_out) & set(named), "some are withdrawn"
    for version in range(1, 32):
        changing = [by for by, entry in named.items() if entry <= version < by]
        assert corrections.unchanged_since(version) == (not changing)
        assert corrections.changing(version) == [by for by in changing if by not in corrections.taken_out]


def test_a_withdrawn_withdrawal_counts_no_more(table: Recorder) -> None:
    game = table.open()
    table.play(game, 1, moves=6)
    whole = table.archive.folds.current(game)
    state = whole.state.dump()
    table.withdraw(game, whole.version)
    without = table.archive.folds.current(game)
    assert without.state.dump() != state
    table.withdraw(game, without.version)
    again = table.archive.folds.current(game)
    assert again.state.dump() == state


@pytest.mark.parametrize("at", ["its own version", "later"])
def test_a_checkpoint_of_another_past_is_not_believed_even_at_its_own_version(
    table: Recorder, reopen: Callable[[], ReadingArchive], at: str
) -> None:
    """The record was cut short and went another way since: another entry stands where the checkpoint was saved."""
    archive, game, other = table.archive, table.open(), table.open()
    table.play(game, 5, moves=42)
    table.play(other, 6, moves=42)
    false = archive.folds.current(other).copy()
    assert false.totals() != archive.folds.current(game).totals()
    false.game = game
    with archive.views.transaction() as db:
        save_checkpoint(db, false)
    if at == "later":
        table.add(game, "note.added", {"text": "and on"})
    version = archive.folds.current(game).version
    assert dump_at(reopen(), game, version) == from_zero(archive, game, version)
    last = timeline(reopen().folds, game, version, version - 1, 1, RECORD)
    assert last == timeline(archive.folds, game, version, 0, version, RECORD)[-1:]


def test_nothing_in_memory_is_of_a_log_that_was_replaced_since(
    table: Recorder, archive: ReadingArchive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that reads goes on over a restored log: first as many entries, then more, and all are other ones."""
    game, folds = table.open(), archive.folds
    table.play(game, 2, moves=30)
    table.withdraw(game, 31)
    folds.current(game)
    timeline(folds, game, 32, 0, 20, RECORD)
    with Archive(tmp_path / "restored") as restored:
        again = Recorder(restored)
        again.play(again.open(game=game), 4, moves=31)
        monkeypatch.setattr(folds, "_log", restored.log)
        assert folds.current(game).dump() == from_zero(restored, game, 32)
        for text in ("and", "on"):
            again.add(game, "note.added", {"text": text})
        whole = timeline(restored.folds, game, 34, 0, 34, RECORD)
        for read in (list(restored.log.read(game, 20, 34)), []):
            assert timeline(folds, game, 34, 20, 14, RECORD, read=read) == whole[20:]


@pytest.mark.parametrize("older", [0, 1])
def test_a_checkpoint_of_older_rules_is_not_believed_although_it_is_whole(
    table: Recorder, reopen: Callable[[], ReadingArchive], older: int
) -> None:
    """It says another state than the record. The same checkpoint by the rules of this release would be believed."""
    archive, game, other = table.archive, table.open(), table.open()
    table.play(game, 5, moves=10)
    table.play(other, 6, moves=10)
    true, false = archive.folds.current(game), archive.folds.current(other).dump()
    with archive.views.transaction() as db:
        made_by = true.ruleset.revision - older
        CHECKPOINT.put(db, (game, true.version, true.hash, made_by, zlib.compress(false)))
    assert dump_at(reopen(), game, true.version) == (true.dump() if older else false)


@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.slow
def test_every_past_state_of_a_game_that_came_at_once_is_near_a_checkpoint(
    table: Recorder, reopen: Callable[[], ReadingArchive], seed: int
) -> None:
    """Imported games are projected when all of their entries are there; corrections can name the earliest ones."""
    archive, game = table.archive, table.open()
    table.play(game, seed)
    for number in range(2 * STRIDE):
        table.add(game, "note.added", {"text": f"note {number}"})
    table.withdraw(game, archive.folds.current(game).version - STRIDE)
    for number in range(STRIDE):
        table.add(game, "note.added", {"text": f"note {number}"})
    table.projector.catch_up()
    fresh, head = reopen(), archive.folds.current(game).version
    read: list[int] = []
    stream = fresh.log.read
    fresh.log.read = lambda game, after=0, until=None: (read.append(after), stream(game, after, until))[1]  # type: ignore[method-assign]
    for version in range(1, head + 1):
        saved = load_checkpoint(fresh.views.db, game, version)
        assert version - (saved.version if saved else 1) < 2 * STRIDE
    for version in (STRIDE, STRIDE + 1, 2 * STRIDE, head - 1, head):
        assert dump_at(fresh, game, version) == from_zero(archive, game, version)
    assert min(read[-3:]) > STRIDE


@pytest.mark.slow
def test_the_state_right_behind_every_entry_is_that_of_the_record_as_it_counts(table: Recorder) -> None:
    """For every place of checkpoints: before the entry, right after it, and at the very entry."""
    archive, game = table.archive, table.open()
    table.play(game, 5, moves=STRIDE + 20)
    table.withdraw(game, archive.folds.current(game).version)
    for number in range(STRIDE):
        table.add(game, "note.added", {"text": f"note {number}"})
    table.projector.catch_up()
    events = list(archive.log.read(game))
    segment = Segment.of_game(events)
    truth = {1: segment.fold.dump()}
    for event in segment.in_play_order():
        segment.replay((event,))
        segment.fold.advance(event)
        truth[event.version] = segment.fold.dump()
    for entry, dump in truth.items():
        fold, version = archive.folds.right_after(game, entry)
        assert (fold.version, version) == (entry, len(events))
        assert fold.dump() == dump
    for entry in (0, len(events) + 1):
        with pytest.raises(VersionUnknownError):
            archive.folds.right_after(game, entry)


def test_a_moment_is_also_that_of_the_record_as_it_counted_at_a_version(table: Recorder) -> None:
    """After each kind of correction the moment of before can be looked at, and it is that of a record cut there."""
    archive, game = table.archive, table.open()
    table.play(game, 5, moves=20)
    first = archive.log.head(game)
    assert first
    known = {version: dump_at(archive, game, version) for version in (8, first.version)}
    withdrawn = table.withdraw(game, first.version)
    table.add(game, "entry.withdrawn", {"entry": 8, "withdraw": list(range(9, first.version))})
    folds = archive.folds
    for entry, dump in known.items():
        fold, version = folds.right_after(game, entry, first.version)
        assert (fold.dump(), fold.version, version) == (dump, entry, first.version)
        assert folds.right_after(game, entry)[0].state != fold.state
    assert folds.right_after(game, 8, withdrawn.version)[0].dump() == known[8]
    assert folds.right_after(game, first.version, withdrawn.version)[0].state != folds.at(game, first.version).state
    for entry, version in ((first.version + 1, first.version), (1, withdrawn.version + 2)):
        with pytest.raises(VersionUnknownError):
            folds.right_after(game, entry, version)


def test_what_cannot_be_seen_to_break_a_rule_is_irregular_to_those_only_who_can(
    table: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a game that hides cards each irregular entry says who can know; of one that hides nothing all can."""
    archive, game, rules = table.archive, table.open(), ("kahuna:CARD-2",)
    table.play(game, 3, moves=12)
    current = archive.folds.current(game)
    move, version = next(iter(current.state.legal_moves())), current.version + 1
    for hides in (True, False):
        monkeypatch.setitem(vars(current.ruleset), "hides_information", hides)
        fold = current.copy()
        fold.play_judged(version, move, [RuleBrokenError(*rules, "by what nobody sees")])
        assert fold.irregular[version] == rules
        assert fold.hidden_irregular == ({version: ((),) * (fold.seats + 1)} if hides else {})
        for viewpoint in (PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)):
            assert fold.irregular_from(viewpoint) == ({} if hides else {version: rules})
        assert fold.irregular_from(RECORD) == {version: rules}


def test_the_states_of_so_many_games_are_kept_and_no_more(table: Recorder) -> None:
    """The memory of a service does not grow with the games that were ever looked at."""
    archive = table.archive
    folds = Folds(archive.log, archive.views, capacity=2)
    games = [table.open() for _ in range(3)]
    for game in games:
        folds.current(game)
    folded = [folds.current(game) for game in games[1:]]
    assert [folds.current(game) for game in games[1:]] == folded, "the last are the same objects"
    assert folds.current(games[0]).dump() == from_zero(archive, games[0], 1)
    assert folds.current(games[1]) is not folded[0], "the oldest made room"
