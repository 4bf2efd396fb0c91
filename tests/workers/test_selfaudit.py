"""The self-audit finds a planted fault of each kind, tells of none where there is none, and waits for all else."""

from __future__ import annotations

import random
import zlib
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec
import pytest

from events.sqlite import LOG
from games.contract import PUBLIC, RECORD
from games.kahuna.state import KahunaState
from games.rulesets import RULESETS
from projections.analyses.kinds import KINDS
from projections.archive import ReadingArchive
from projections.catalogue.rows import checksum_of
from projections.catalogue.writing import list_folds
from projections.projector import Projector
from projections.views import CATALOGUE, CHECKPOINT
from tests.events.stores import Sqlite
from tests.workers.conftest import event
from workers.analyses import Analyses
from workers.analysing import Analyst, subject_of
from workers.differences import SelfAudits, pause
from workers.jobs import make_snapshot
from workers.queue import PROVE_ID, open_queue, under_way
from workers.relay import Relay
from workers.results import ANALYSIS, RESULT
from workers.selfaudit import SelfAuditor

if TYPE_CHECKING:
    from sqlite_utils import Database

    from projections.selfaudit import Difference


class Audited:
    """A game with checkpoints, a row, a snapshot and analyses, and who proves it."""

    def __init__(self, host: Any) -> None:
        self.host, self.archive = host, host.archive
        self.game = host.record(host.played(4))
        Projector(self.archive.log, self.archive.folds, self.archive.views).catch_up()
        self.version = self.archive.log.head(self.game).version
        make_snapshot(host.results, self.archive.folds, self.game, self.version)
        analyses = Analyses(host.results)
        fold = self.archive.folds.current(self.game)
        asked = analyses.ask(subject_of(fold, KINDS["timeline"], {}, PUBLIC), "asked", "Aiko")
        Analyst(analyses, self.archive.folds, self.archive.log).run_for(asked.id, 60)
        self.audits = SelfAudits(host.results)
        self.auditor = SelfAuditor(self.archive, host.results, random.Random(1))

    @property
    def views(self) -> Database:
        found: Database = self.archive.views.db
        return found

    def prove(self) -> list[Difference]:
        """A proof by a process that opens the folder anew."""
        return self.auditor.prove(self.game)

    def kinds(self) -> set[str]:
        return {each.kind for each in self.prove()}


def record_sheet(host: Any) -> str:
    """A round of Spades, with points by formulas; the id of the game."""
    sheet = RULESETS["scoresheet"]
    options = sheet.check_options({"template": "spades"})
    state = sheet.open(options, None, 4)
    opened = {"ruleset": sheet.name, "revision": sheet.revision, "options": options, "seats": [{}] * 4}
    opened["components"] = sheet.components(options)
    events = [event("game.opened", **opened)]
    for text in ("bid 5 4", "tricks 7 6"):
        move = state.parse(text)
        events.append(event("move.made", move=sheet.move_data(move)))
        state.apply(move)
    found: str = host.record(events)
    return found


@pytest.fixture
def audited(empty_host: Any) -> Audited:
    return Audited(empty_host)


def test_a_sound_game_has_no_difference(audited: Audited) -> None:
    assert audited.views.execute("select count(*) from checkpoint").fetchone()[0] >= 1
    assert audited.prove() == []
    assert (audited.audits.differences(), audited.audits.proofs()) == ([], 1)


def change_checkpoint(audited: Audited) -> None:
    """A checkpoint of another state, with the checksum that fits it."""
    sql = "select version, hash, revision, data from checkpoint where game = ? order by version desc limit 1"
    version, hash_, revision, data = audited.views.execute(sql, [audited.game]).fetchone()
    state = zlib.decompress(data)
    other = zlib.compress(state.replace(b'"started_at":1', b'"started_at":2', 1))
    assert zlib.decompress(other) != state
    CHECKPOINT.put(audited.views, (audited.game, version, hash_, revision, other))


def make_row_stale(audited: Audited) -> None:
    """A row that was written well, of other scores."""
    row = next(audited.views.query(f"select * from {CATALOGUE} where game = ?", [audited.game]))
    row["scores"] = "[7,7]"
    audited.views.execute(
        f"update {CATALOGUE} set scores = ?, checksum = ? where game = ?",
        [row["scores"], checksum_of(row), audited.game],
    )


def make_snapshot_stale(audited: Audited) -> None:
    """A snapshot that was written well, of another audit."""

    def change(row: dict[str, Any]) -> dict[str, Any]:
        return {"data": row["data"].replace('"scores":[', '"scores":[9,', 1)}

    audited.host.results.db.run(lambda db: RESULT.change(db, change, "game = ?", [audited.game]))


def make_analysis_stale(audited: Audited) -> None:
    """An analysis that was written well, of another course."""
    analyses = Analyses(audited.host.results)
    (found,) = (each for each in analyses.of_game(audited.game, None, 9) if each.subject.kind == "timeline")
    audited.host.results.db.run(lambda db: ANALYSIS.change(db, {"status": "running"}, "id = ?", [found.id]))
    analyses.finish(found.id, {"standings": []})


def test_results_with_sentences_are_stored_in_english_and_compared(audited: Audited) -> None:
    game, analyses = record_sheet(audited.host), Analyses(audited.host.results)
    subject = subject_of(audited.archive.folds.current(game), KINDS["snapshot"], {}, RECORD)
    asked = analyses.ask(subject, "asked", "Aiko")
    Analyst(analyses, audited.archive.folds, audited.archive.log).run_for(asked.id, 60)
    made = analyses.find(asked.id)
    assert made is not None
    assert made.data is not None, made
    notes = [line["note"] for line in msgspec.json.decode(made.data)["lines"]]
    assert "r1 points = 10 * bid + tricks - bid if tricks >= bid else -10 * bid with bid 5, tricks 7" in notes
    Projector(audited.archive.log, audited.archive.folds, audited.archive.views).catch_up()
    assert audited.auditor.prove(game) == []
    other = {"data": made.data.replace("tricks 7", "tricks 8")}
    audited.host.results.db.run(lambda db: ANALYSIS.change(db, other, "id = ?", [asked.id]))
    assert {each.kind for each in audited.auditor.prove(game)} == {"analysis"}


@pytest.mark.parametrize(
    ("plant", "kinds"),
    [
        (change_checkpoint, {"checkpoint"}),
        (make_row_stale, {"catalogue"}),
        (make_snapshot_stale, {"snapshot"}),
        (make_analysis_stale, {"analysis"}),
    ],
)
def test_a_planted_fault_is_found_and_named_until_it_is_mended(audited: Audited, plant: Any, kinds: set[str]) -> None:
    plant(audited)
    assert audited.kinds() >= kinds
    named = audited.audits.differences()
    assert {each.subject for each in named} == {audited.game}
    audited.prove()
    assert audited.audits.differences() == named  # since when stays
    audited.host.results.change("delete from result", [])
    audited.host.results.change("delete from analysis", [])
    audited.views.execute("delete from checkpoint")
    fold = audited.archive.folds.current(audited.game)
    list_folds(audited.views, [fold], 99)
    assert (audited.prove(), audited.audits.differences()) == ([], [])


def test_an_entry_that_is_not_what_was_hashed_is_found(audited: Audited) -> None:
    audited.archive.close()
    changed = "cast(replace(data, 'move', 'mope') as blob)"
    Sqlite().tamper(audited.host.folder / LOG, f"update event set data = {changed} where version = 5")
    with ReadingArchive(audited.host.folder) as archive:
        (found,) = SelfAuditor(archive, audited.host.results).prove(audited.game)
    assert found.kind == "chain"
    assert audited.audits.differences()[0].subject == audited.game


def test_a_state_that_is_answered_otherwise_from_a_viewpoint_is_found(
    audited: Audited, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = KahunaState.load.__func__  # type: ignore[attr-defined]

    def load(kind: Any, data: Any) -> Any:
        state = loaded(kind, data)
        state.hands[0], state.hands[1] = state.hands[1], state.hands[0]
        return state

    monkeypatch.setattr(KahunaState, "load", classmethod(load))
    assert "answer" in audited.kinds()


@pytest.mark.slow
def test_a_wrong_rule_is_found_by_games_played_at_random(audited: Audited, monkeypatch: pytest.MonkeyPatch) -> None:
    assert audited.auditor.prove("kahuna") == []
    right = KahunaState.scores
    monkeypatch.setattr(KahunaState, "scores", lambda state: right(state)[:-1])
    found: list[Difference] = []
    for _ in range(40):
        found = audited.auditor.prove("kahuna")
        if found:
            break
    assert {each.kind for each in found} == {"rules"}
    (named,) = {each.subject for each in audited.audits.differences()}
    assert audited.auditor.prove(named)  # the same game breaks it again
    monkeypatch.undo()
    assert (audited.auditor.prove(named), audited.audits.differences()) == ([], [])


def test_the_budget_sets_the_pause_between_proofs(audited: Audited) -> None:
    assert pause(audited.audits, 36) == 100
    audited.audits.keep(str(uuid4()), [], 0.36)
    assert pause(audited.audits, 36) == pytest.approx(36)
    assert pause(audited.audits, 10**9) == 1


def test_a_step_proves_something_at_random(audited: Audited) -> None:
    make_row_stale(audited)
    for _ in range(60):
        audited.auditor.step()
        if audited.audits.differences():
            break
    assert {each.kind for each in audited.audits.differences()} == {"catalogue"}


def test_workers_prove_when_there_is_nothing_else_to_do(host: Any) -> None:
    host.record(host.played(3, 20))
    host.start("workers.relay", KIFU_AUDIT="36000000")
    host.start_worker()
    host.start_spare_worker()
    host.until(lambda: SelfAudits(host.results).proofs() >= 2)
    assert SelfAudits(host.results).differences() == []


def test_a_proof_waits_for_what_somebody_waits_for(host: Any) -> None:
    audited = Audited(host)
    relay = Relay(host.folder, host.redis, audit=10**9)
    analyses, fold = Analyses(host.results), audited.archive.folds.current(audited.game)
    asked = analyses.ask(subject_of(fold, KINDS["win-line"], {}, PUBLIC), "asked", "Aiko")
    spare = open_queue(host.results, host.redis, "spare")

    def queued() -> bool:
        relay._prove_at = relay._look_at = 0.0
        relay.step()
        return PROVE_ID in under_way(spare)

    for each in analyses.active(9):
        if each.id != asked.id:  # those that are made of a finished game in spare time
            analyses.cancel(each.id)
    assert not any(queued() for _ in range(3))
    analyses.cancel(asked.id)
    assert queued()
    relay.close()


def test_without_a_budget_nothing_is_proved(host: Any) -> None:
    relay = Relay(host.folder, host.redis, audit=0)
    assert relay._prove_at == float("inf")
    relay.close()
