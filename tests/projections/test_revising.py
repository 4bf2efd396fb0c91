"""A game goes by the revision of the rules that it was opened with, until it is moved on to a newer one."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from games.contract import RECORD
from games.examination.plays import random_game, random_game_with_rulings
from games.playout import playout
from games.rulesets import RULESETS
from projections.audit import audit
from projections.checkpoints import load_checkpoint
from projections.errors import RulesetMissingError
from projections.history import Segment
from projections.rebuild import rebuild
from projections.replaying import games_without_ruleset
from projections.revising import compare_revisions
from projections.selfaudit import differences
from projections.timeline import timeline
from projections.views import CHECKPOINT
from tests.sticks import STICKS, before_the_newest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.contract import State
    from projections.archive import Archive, ReadingArchive
    from projections.fold import Fold
    from tests.projections.conftest import Recorder

SEEDS = range(12)
MOVED = {"revision": 2, "from": 1}


@pytest.fixture(autouse=True)
def sticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "sticks", STICKS)


@pytest.fixture
def keeping() -> Iterator[Callable[[int], None]]:
    """Let the ruleset keep what was since another revision."""
    yield lambda since: object.__setattr__(STICKS, "oldest_revision", since)
    object.__setattr__(STICKS, "oldest_revision", 1)


def played(table: Recorder, seed: int = 1, most: int = 99, revision: int = 1) -> str:
    """A random game, or its first moves, by the rules of a revision."""
    game = table.open(ruleset="sticks", revision=revision)
    for number, (move, _) in enumerate(playout(STICKS.open({}, None, 2, revision), random.Random(seed))):
        if number < most:
            table.add(game, "move.made", {"move": STICKS.move_data(move)})
    return game


def by_hand(table: Recorder, game: str, version: int, revision: int) -> State:
    """The moves of a game without corrections, applied to a state of a revision."""
    state: State = STICKS.open({}, None, 2, revision)
    for event in table.archive.log.read(game, 1, version):
        if event.type == "move.made":
            state.apply(STICKS.read_move(event.data["move"]), event.version)
    return state


def told(fold: Fold) -> Any:
    """All that the rules say of a game."""
    return fold.state.dump(), fold.irregular, audit(fold)


@pytest.mark.parametrize("seed", SEEDS)
def test_before_it_is_moved_on_every_version_is_what_the_pinned_revision_says(table: Recorder, seed: int) -> None:
    game = played(table, seed)
    for version in range(1, table.archive.folds.current(game).version + 1):
        fold = table.archive.folds.at(game, version)
        assert (fold.revision, fold.state.dump()) == (1, by_hand(table, game, version, 1).dump())
        assert fold.irregular == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_after_it_the_whole_game_is_what_the_new_revision_says_and_the_past_stays(table: Recorder, seed: int) -> None:
    game = played(table, seed)
    folds = table.archive.folds
    last = folds.current(game).version
    past = [told(folds.at(game, version)) for version in range(1, last + 1)]
    table.add(game, "revision.adopted", MOVED)
    fold = folds.current(game)
    assert (fold.revision, fold.adopted) == (2, (last + 1, 2))
    assert fold.state.dump() == by_hand(table, game, last, 2).dump()
    assert fold.totals() != past[-1][2].scores
    assert [told(folds.at(game, version)) for version in range(1, last + 1)] == past
    (then,) = timeline(folds, game, last + 1, last, 1, RECORD)
    assert (then.type, then.revision, then.from_) == ("revision.adopted", 2, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_moved_on_and_back_again_is_as_it_was(table: Recorder, seed: int) -> None:
    game = played(table, seed, 9)
    folds = table.archive.folds
    before = folds.current(game)
    adopted = table.add(game, "revision.adopted", MOVED)
    table.withdraw(game, adopted.version)
    after = folds.current(game)
    assert (after.revision, after.adopted, after.state.dump()) == (1, None, before.state.dump())
    table.withdraw(game, after.version)
    assert folds.current(game).revision == 2
    assert Segment.of_game(list(table.archive.log.read(game))).run_to_end().dump() == folds.current(game).dump()


@pytest.mark.parametrize("seed", SEEDS[:4])
@pytest.mark.slow
def test_however_it_is_folded_a_game_is_the_same(
    table: Recorder, reopen: Callable[[], ReadingArchive], seed: int
) -> None:
    """From zero, from checkpoints, page by page, after a restart and a rebuild: with anything before and after it."""
    chance, game = random.Random(seed), played(table, seed, 8)
    adoptions = list[int]()
    for number in range(90):
        version = table.archive.folds.fold_until_error(game).version
        if number in (20, 60):
            adoptions.append(table.add(game, "revision.adopted", MOVED).version)
        elif number == 40 and chance.random() < 0.5:
            table.withdraw(game, adoptions[-1])
        elif chance.random() < 0.1:
            table.withdraw(game, chance.choice([entry for entry in range(2, version) if entry not in adoptions]))
        else:
            table.add(game, "note.added", {"text": f"note {number}"})
        table.projector.catch_up()
    record = list(table.archive.log.read(game))
    for archive in (table.archive, reopen()):
        for version in range(1, len(record) + 1):
            whole = Segment.of_game(record[:version])
            assert archive.folds.at(game, version).dump() == whole.run_to_end().dump()
    rebuild(table.archive.log, table.archive.views)
    assert table.archive.folds.current(game).revision == 2
    assert list(differences(table.archive.log, table.archive.views, game)) == []


def test_a_checkpoint_is_one_of_the_revision_that_the_game_goes_by(table: Recorder) -> None:
    game = played(table, most=6)
    table.add(game, "revision.adopted", MOVED)
    table.projector.catch_up()
    db, folds = table.archive.views.db, table.archive.folds
    rebuild(table.archive.log, table.archive.views)
    db = table.archive.views.db
    saved = load_checkpoint(db, game, 99)
    assert saved is not None
    assert (saved.revision, saved.dump()) == (2, folds.current(game).dump())
    assert db.execute(f"select count(*) from {CHECKPOINT} where game = ?", [game]).fetchone()[0] >= 1


def test_a_checkpoint_by_rules_that_are_kept_no_more_is_not_used(
    table: Recorder, reopen: Callable[[], ReadingArchive], keeping: Callable[[int], None]
) -> None:
    game = played(table, most=6)
    rebuild(table.archive.log, table.archive.views)
    assert load_checkpoint(table.archive.views.db, game, 99) is not None
    keeping(2)
    assert load_checkpoint(table.archive.views.db, game, 99) is None
    fold = reopen().folds.current(game)
    assert (fold.revision, fold.pinned_revision, fold.state.dump()) == (2, 1, by_hand(table, game, 7, 2).dump())


def test_a_game_that_was_moved_on_is_not_readable_where_the_new_rules_are_not(
    table: Recorder, reopen: Callable[[], ReadingArchive]
) -> None:
    game = played(table, most=4)
    before = table.archive.folds.current(game).dump()
    table.add(game, "revision.adopted", MOVED)
    with before_the_newest():
        other = reopen()
        with pytest.raises(RulesetMissingError, match="sticks, revision 2, is installed here in revision 1"):
            other.folds.current(game)
        assert other.folds.at(game, 5).dump() == before
    assert table.archive.folds.current(game).revision == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_told_of_the_newest_revision_is_what_comes_of_adopting_it(table: Recorder, seed: int) -> None:
    game = played(table, seed)
    folds = table.archive.folds
    before, found = folds.current(game), compare_revisions(folds, game)
    assert folds.current(game).dump() == before.dump()
    assert (found.revision, found.newest, found.changes, found.has_differences) == (1, 2, [STICKS.changes[1]], True)
    table.add(game, "revision.adopted", MOVED)
    after = folds.current(game)
    assert (found.scores, found.outcome) == (before.totals(), before.outcome())
    assert (found.scores_after, found.outcome_after) == (after.totals(), after.outcome())
    irregular = {
        each.version: tuple(breach.rule for breach in each.after.irregular)
        for each in found.entries
        if each.after.irregular
    }
    assert irregular == after.irregular
    was, now = ({line.version: line for line in each.state.scores()} for each in (before, after))
    changed = {version for version in was if was[version].points != now[version].points}
    kinds = {
        version for each in found.entries for version in [each.version] if each.before.effects != each.after.effects
    }
    assert {each.version for each in found.entries} == changed | irregular.keys() | kinds
    assert not compare_revisions(folds, game).has_differences


def test_among_whole_games_a_score_an_effect_and_a_breach_are_told(table: Recorder) -> None:
    found = [each for seed in SEEDS for each in compare_revisions(table.archive.folds, played(table, seed)).entries]
    assert any(each.before.points != each.after.points for each in found)
    assert {effect.kind for each in found for effect in each.after.effects} >= {"heap.told"}
    assert {breach.rule for each in found for breach in each.after.irregular} == {"sticks:TURN-3"}


def test_of_many_entries_the_first_ones_are_told_and_the_others_counted(table: Recorder) -> None:
    game, folds = played(table), table.archive.folds
    whole, first = compare_revisions(folds, game), compare_revisions(folds, game, RECORD, 2)
    assert (first.entries, first.entries_left_out) == (whole.entries[:2], len(whole.entries) - 2)
    assert (whole.entries_left_out, first.scores_after) == (0, whole.scores_after)


def test_a_game_of_the_newest_revision_is_told_nothing_of(table: Recorder, archive: Archive) -> None:
    found = compare_revisions(archive.folds, played(table, revision=2))
    assert (found.revision, found.newest, found.entries, found.has_differences) == (2, 2, [], False)


def test_a_ruleset_is_examined_by_every_revision_that_it_keeps() -> None:
    plays = [examined(STICKS, 0, seed) for seed in SEEDS for examined in (random_game, random_game_with_rulings)]
    assert {play.revision for play in plays} == {play.opening().revision for play in plays} == {1, 2}
    for play in plays:
        assert {step.after.revision for step in play.steps} == {play.revision}


def test_games_that_were_moved_on_to_rules_that_are_not_here_are_counted_as_not_replayed(table: Recorder) -> None:
    games = [played(table, seed, 3) for seed in (1, 2)]
    table.add(games[0], "revision.adopted", MOVED)
    records = [list(table.archive.log.read(game)) for game in games]
    assert games_without_ruleset(records) == {}
    with before_the_newest():
        assert games_without_ruleset(records) == {"sticks": 1}
