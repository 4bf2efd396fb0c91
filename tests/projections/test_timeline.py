from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

from events import ndjson
from events.schemas import SCHEMAS
from games.contract import PUBLIC, RECORD, Effect, Viewpoint
from games.kahuna import KAHUNA
from games.words import Sentence
from projections import checkpoints, projector
from projections.checkpoints import STRIDE
from projections.folds import Folds
from projections.history import Segment
from projections.timeline import Entry, explain, stream_timeline, timeline
from projections.undoing import Reversal
from tests import goldens
from tests.choosing import soak_except

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.event import Event
    from games.contract import Viewpoint as Point
    from projections.archive import ReadingArchive
    from tests.projections.conftest import Recorder


CORPUS = sorted((goldens.FOLDER / "events").glob("*.ndjson"))
"""Records with every type of entry."""


def test_the_timeline_has_a_field_for_everything_that_an_entry_says() -> None:
    for path in CORPUS:
        for event in map(ndjson.parse_event, path.read_bytes().splitlines()[1:]):
            unknown = SCHEMAS.read(event).summary().keys() - set(Entry.__struct_fields__)
            assert not unknown, f"{event.type}: name {unknown} in Entry of projections/timeline.py"


def whole(table: Recorder, game: str, viewpoint: Point = RECORD, page: int = 1000) -> list[Entry]:
    head = table.archive.log.head(game)
    assert head is not None
    entries: list[Entry] = []
    while len(entries) < head.version:
        entries += timeline(table.archive.folds, game, head.version, len(entries), page, viewpoint)
    return entries


@pytest.mark.slow
def test_the_timeline_tells_every_entry_and_the_scores_after_it(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4)
    entries = whole(table, game)
    fold = table.archive.folds.current(game)
    assert [entry.version for entry in entries] == list(range(1, fold.version + 1))
    assert entries[-1].scores == fold.totals()
    assert entries[-1].outcome == fold.outcome()
    assert entries[-1].outcome is not None
    for entry in entries[1:]:
        assert entry.notation
        assert entry.effects
        assert all(effect.text and effect.rule in fold.ruleset.rulebook for effect in entry.effects)
        assert entry.scores == table.archive.folds.at(game, entry.version).totals()


@pytest.mark.parametrize("page", [1, 7, 64])
def test_pages_of_the_timeline_are_the_whole_of_it(table: Recorder, page: int) -> None:
    game = table.open()
    table.play(game, 4, moves=70)
    table.withdraw(game, 71)
    table.projector.catch_up()
    assert whole(table, game, page=page) == whole(table, game)


def test_what_was_withdrawn_stays_and_says_by_what(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=12)
    last = table.archive.folds.current(game).version
    correction = table.withdraw(game, last)
    entries = whole(table, game)
    assert entries[last - 1].withdrawn_by == correction.version
    assert entries[last - 1].effects == []
    assert entries[last - 1].notation
    assert (entries[-1].type, entries[-1].entry) == ("entry.withdrawn", last)


def test_a_broken_rule_is_told_with_its_reason(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=1)
    seat = table.archive.folds.current(game).state.to_move()
    assert seat is not None
    table.add(
        game,
        "move.made",
        {"move": {"type": "decline", "seat": 1 - seat}, "override": {"reason": "nobody noticed"}},
    )
    entry = whole(table, game)[-1]
    assert [breach.rule for breach in entry.irregular] == ["kahuna:SET-2"]
    assert entry.override == "nobody noticed"
    assert table.archive.folds.current(game).irregular == {entry.version: ("kahuna:SET-2",)}


@pytest.mark.parametrize("viewpoint", [PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1)])
def test_a_timeline_tells_no_card_that_was_not_seen_from_there(table: Recorder, viewpoint: Point) -> None:
    """Two records that differ only in what was drawn unseen read the same from where it was not seen."""
    found: list[list[object]] = []
    for drawn in ("KAHU", "LALE"):
        game = table.open()
        table.add(game, "move.made", {"move": {"type": "deal", "starts": 0, "row": ["BARI", "COCO", "DUDA"]}})
        table.add(game, "move.made", {"move": {"type": "draw", "seat": 0, "card": drawn}})
        table.add(game, "move.made", {"move": {"type": "draw", "seat": 1}})
        table.add(game, "move.made", {"move": {"type": "discard", "seat": 0, "count": 1, "cards": [drawn]}})
        found.append([(e.move, e.notation, e.effects, e.irregular) for e in whole(table, game, viewpoint)])
    assert (found[0] == found[1]) == (viewpoint.seat != 0)


VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=str)
def test_without_effects_an_entry_tells_all_else_as_it_does_with_them(table: Recorder, viewpoint: Point) -> None:
    """With rules that were broken in view and by a hidden card, a ruling, and entries that were taken back and kept."""
    game, folds = table.open(), table.archive.folds
    table.add(game, "move.made", {"move": {"type": "deal", "starts": 0, "row": ["BARI", "COCO", "DUDA"]}})
    for card in ("KAHU", "KAHU", "LALE"):
        drawn = {"type": "draw", "seat": 0, "card": card}
        table.add(game, "move.made", {"move": drawn, "override": {"reason": "so it was"}})
    table.add(game, "move.made", {"move": {"type": "decline", "seat": 1}, "override": {"reason": "nobody noticed"}})
    table.add(game, "ruling.given", {"reason": "agreed", "after": 5, "keep": [6]})
    table.withdraw(game, 4)
    head = folds.current(game).version
    told = timeline(folds, game, head, 0, head, viewpoint, standings=False)
    bare = list(stream_timeline(folds, game, head, 0, head, viewpoint, standings=False, effects=False))
    assert bare == [structs.replace(entry, effects=[]) for entry in told]
    assert any(entry.effects for entry in told)
    assert any(entry.irregular for entry in told)


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=str)
@pytest.mark.parametrize("sails", [False, True], ids=["", "with a move that cannot be"])
def test_moves_that_nobody_corrected_are_told_alike_with_effects_and_without(
    table: Recorder, viewpoint: Point, sails: bool
) -> None:
    """Also one that breaks a rule and nobody excused, and one that is excused."""
    game, folds = table.open(), table.archive.folds
    table.add(game, "move.made", {"move": {"type": "deal", "starts": 0}})
    for line in ("ALOA-BARI", "BARI-COCO"):
        table.add(game, "move.made", {"move": {"type": "build", "seat": 0, "line": line, "card": "BARI"}})
    if sails:
        sail = {"type": "sail", "seat": 0, "sea": "ALOA-BARI-COCO", "to": "ALOA-BARI-DUDA"}
        table.add(game, "move.made", {"move": sail})
    table.add(game, "move.made", {"move": {"type": "decline", "seat": 0}})
    table.add(game, "move.made", {"move": {"type": "decline", "seat": 0}, "override": {"reason": "nobody noticed"}})
    table.add(game, "note.added", {"text": "so it was"})
    head = folds.fold_until_error(game).version
    told = timeline(folds, game, head, 0, head, viewpoint, standings=False)
    bare = list(stream_timeline(folds, game, head, 0, head, viewpoint, standings=False, effects=False))
    assert bare == [structs.replace(entry, effects=[]) for entry in told]
    assert any(entry.irregular for entry in told) != sails
    assert any(entry.unreplayable for entry in told) == sails


def test_what_can_be_known_from_a_viewpoint_is_found_once_for_an_entry(
    table: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, folds = table.open(), table.archive.folds
    table.play(game, 4, moves=20)
    looks, view = [], KAHUNA.state.view
    monkeypatch.setattr(
        KAHUNA.state, "view", lambda state, viewpoint: looks.append(viewpoint) or view(state, viewpoint)
    )
    timeline(folds, game, 21, 0, 21, PUBLIC)
    assert looks == [PUBLIC] * 20


def test_every_entry_says_its_place_and_what_takes_it_back_or_lets_it_count_again(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=3)
    table.projector.catch_up()
    ruling = table.add(game, "ruling.given", {"reason": "seen", "after": 2})
    table.add(game, "note.added", {"text": "the cat"})
    table.add(game, "ruling.given", {"reason": "seen, too", "after": 2})
    withdrawn = table.withdraw(game, 4)
    entries = whole(table, game)
    assert [entry.place for entry in entries] == [1, 2, 5, 6, 3, 7, 4, 8]
    assert whole(table, game, page=1) == entries
    assert entries[0].undo is None
    assert entries[4].undo == Reversal(ruling.version, "ruling.revoked", {"ruling": ruling.version})
    assert (entries[3].undo, entries[3].redo) == (None, Reversal(4, "entry.withdrawn", {"entry": withdrawn.version}))
    assert entries[7].undo == Reversal(8, "entry.withdrawn", {"entry": 8})


def test_an_entry_that_was_kept_names_the_correction(table: Recorder) -> None:
    game = table.open()
    table.play(game, 4, moves=2)
    turn = table.archive.folds.current(game).state.to_move()
    table.add(game, "move.made", {"move": {"type": "decline", "seat": 1 - (turn or 0)}})
    correction = table.add(game, "ruling.given", {"reason": "agreed", "after": 3, "keep": [4]})
    entries = whole(table, game)
    assert [entry.kept_by for entry in entries] == [None, None, None, correction.version, None]


@pytest.mark.parametrize("corrected", [False, True])
def test_a_page_of_a_timeline_reads_no_more_than_it_shows(table: Recorder, corrected: bool) -> None:
    """Once what corrects a game is known: a page in its middle neither begins at its opening nor goes to its end."""
    archive, game = table.archive, table.open()
    table.play(game, 5)
    for number in range(4 * STRIDE):
        table.add(game, "note.added", {"text": f"note {number}"})
    if corrected:
        table.withdraw(game, 3 * STRIDE)
    table.projector.catch_up()
    head = archive.folds.current(game).version
    whole = timeline(archive.folds, game, head, 0, head, RECORD)
    read: list[tuple[int, int]] = []
    stream = archive.log.read
    archive.log.read = lambda game, after=0, until=None: (read.append((after, until)), stream(game, after, until))[1]  # type: ignore[method-assign]
    for after in (0, 1, 2 * STRIDE + 5, 3 * STRIDE - 1, 3 * STRIDE + 5, head - 5):
        read.clear()
        assert timeline(archive.folds, game, head, after, 10, RECORD) == whole[after : after + 10]
        for start, until in read:
            assert until <= max(after + 10, head if start == head else 0)
            assert corrected or after - start <= 2 * STRIDE or start == head


def corrected(table: Recorder, game: str, chance: random.Random) -> None:
    """Withdraw an entry, or let one count again, or say that a move happened earlier, as the rules allow or not."""
    head = table.archive.log.head(game)
    assert head is not None
    entry = chance.randrange(2, head.version + 1)
    if chance.random() < 0.8:
        table.add(game, "note.added", {"text": f"at {head.version}"})
    elif chance.random() < 0.8:
        table.add(game, "entry.withdrawn", {"entry": entry, "keep": [], "withdraw": []})
    else:
        move = {"type": "pass", "seat": 0}
        table.add(game, "entry.inserted", {"after": entry, "move": move})


@pytest.mark.parametrize("seed", soak_except(range(6), 0))
@pytest.mark.slow
def test_pages_that_go_on_from_memory_are_those_of_a_process_that_has_just_started(
    table: Recorder, reopen: Callable[[], ReadingArchive], seed: int
) -> None:
    """Several follow a game page by page, from several points of view, while it is played, corrected and erased."""
    chance = random.Random(seed)
    games = [table.open() for _ in range(3)]
    for game in games:
        table.play(game, seed, 60)
    folds = table.archive.folds
    reached = {(game, viewpoint): 0 for game in games for viewpoint in (RECORD, PUBLIC, Viewpoint("seat", 0))}
    for _ in range(60):
        game, viewpoint = place = chance.choice([*reached])
        head = table.archive.log.head(game)
        assert head is not None
        page = chance.choice([1, 2, 5, 20])
        after = reached[place]
        read = list(table.archive.log.read(game, after, after + page)) if chance.random() < 0.5 else []
        told = timeline(folds, game, head.version, after, page, viewpoint, read=read)
        fresh = timeline(reopen().folds, game, head.version, reached[place], page, viewpoint)
        assert told == fresh
        reached[place] = told[-1].version if told and chance.random() < 0.95 else 0
        if chance.random() < 0.3:
            corrected(table, chance.choice(games), chance)


@pytest.mark.parametrize("seed", soak_except(range(12), 0, 1))
@pytest.mark.slow
def test_pages_from_checkpoints_are_those_of_the_whole_at_every_version(
    table: Recorder, reopen: Callable[[], ReadingArchive], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """A short game has a checkpoint at each third entry, and corrections before and after each of them.

    An earlier version is told without the corrections that came later, though they are in memory.
    """
    for module in (checkpoints, projector):
        monkeypatch.setattr(module, "STRIDE", 3)
    monkeypatch.setattr(checkpoints, "BYTES_PER_ENTRY", 10_000)
    monkeypatch.setattr(checkpoints, "WRITTEN_BYTES_PER_ENTRY", 10_000)
    chance, game = random.Random(seed), table.open()
    table.play(game, seed, 20)
    table.projector.catch_up()
    for head in range(21, 33):
        if chance.random() < 0.5:
            table.withdraw(game, chance.randrange(2, head + 1))
        else:
            corrected(table, game, chance)
        table.projector.catch_up()
    fresh = reopen()
    head = fresh.folds.fold_until_error(game).version
    saved = [checkpoint.version for checkpoint in checkpoints.checkpoints_of(fresh.views.db, game)]
    assert len(saved) > 4
    whole = timeline(fresh.folds, game, head, 0, head, RECORD)
    for after in range(1, head):
        started = Folds(fresh.log, fresh.views)
        assert timeline(started, game, head, after, 2, RECORD) == whole[after : after + 2]
    for then in range(head, 0, -1):
        started = Folds(fresh.log, fresh.views)
        assert timeline(fresh.folds, game, then, 0, then, RECORD) == timeline(started, game, then, 0, then, RECORD)


def test_a_reader_of_many_games_in_turns_folds_nothing_twice(table: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    """One who catches up with the feed meets the games of an evening in turns."""
    games = [table.open() for _ in range(5)]
    for game in games:
        table.play(game, 1, 40)
    folded: list[int] = []
    replay = Segment.replay
    monkeypatch.setattr(Segment, "replay", lambda self, events: replay(self, [*map(counted, events)]))

    def counted(event: Event) -> Event:
        folded.append(event.version)
        return event

    for after in range(41):
        for game in games:
            (entry,) = timeline(table.archive.folds, game, 41, after, 1, RECORD)
            assert entry.version == after + 1
    assert not folded


def test_entries_that_were_read_are_not_read_again_if_they_follow_the_page_before(
    table: Recorder, reopen: Callable[[], ReadingArchive], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, log, folds = table.open(), table.archive.log, table.archive.folds
    table.play(game, 1, 40)
    timeline(folds, game, 41, 0, 10, RECORD)
    following, later = list(log.read(game, 10, 20)), list(log.read(game, 25, 30))
    read, again = log.read, list[object]()
    monkeypatch.setattr(log, "read", lambda *span: again.append(span) or read(*span))
    told = timeline(folds, game, 41, 10, 10, RECORD, read=following)
    assert not again
    assert told == timeline(reopen().folds, game, 41, 10, 10, RECORD)
    assert timeline(folds, game, 41, 20, 10, RECORD, read=later) == timeline(reopen().folds, game, 41, 20, 10, RECORD)
    assert again


def test_what_was_erased_is_in_no_page_that_goes_on(table: Recorder) -> None:
    game = table.open()
    table.play(game, 1, 10)
    table.add(game, "note.added", {"text": "a secret"})
    folds = table.archive.folds
    timeline(folds, game, 12, 0, 12, RECORD)
    assert folds._pages
    table.archive.log.erase(game, 12, "text", "ann")
    folds.forget(game)
    assert not folds._pages
    assert timeline(folds, game, 13, 11, 1, RECORD)[0].text != "a secret"


def test_effects_that_read_alike_in_english_keep_the_words_of_their_own() -> None:
    places: list[str] = ["2 cards", Sentence("{number} cards", number=2), Sentence("{two} cards", two=2)]
    effects = [Effect("card.taken", "kahuna:DRAW-1", 0, (place,)) for place in places]
    assert effects[0] == effects[1] == effects[2]
    for _ in range(2):
        found = [explain(KAHUNA, effect).text for effect in effects]
        assert found == ["Black took 2 cards from the row"] * 3
        assert all(isinstance(text, Sentence) and text.of == "kahuna" for text in found)
        said = [text.values["at"] for text in found if isinstance(text, Sentence)]
        assert [(type(each), getattr(each, "text", "")) for each in said] == [
            (str, ""),
            (Sentence, "{number} cards"),
            (Sentence, "{two} cards"),
        ]


@pytest.mark.parametrize("page", [40, 200])
def test_a_process_that_has_just_started_reads_a_game_once_for_its_first_page(
    table: Recorder, reopen: Callable[[], ReadingArchive], page: int
) -> None:
    """It has to know all corrections, and keeps the entries of the page on the way."""
    game = table.open()
    table.play(game, 4, moves=70)
    table.withdraw(game, 71)
    table.projector.catch_up()
    fresh, read = reopen(), list[int]()
    stored = fresh.log.read

    def counted(*span: Any) -> Iterator[Event]:
        for event in stored(*span):
            read.append(event.version)
            yield event

    fresh.log.read = counted  # type: ignore[method-assign]
    assert timeline(fresh.folds, game, 72, 0, page, RECORD) == whole(table, game)[:page]
    assert sorted(read) == [1, *range(1, 73)]  # the opening is told from a look of its own
