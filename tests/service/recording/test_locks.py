"""Those who change the same thing wait for each other, and nobody waits for ever."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from events.event import NewEvent
from projections.clubs import fold_club
from service.recording import locks
from service.recording.founded import record_in
from service.recording.judging import Draft, Judge
from service.recording.locks import KeyedLocks, LockTimeoutError, OvertakenError
from service.recording.permits import Permit
from service.recording.recorder import record

if TYPE_CHECKING:
    from projections.archive import Archive
    from projections.fold import Fold
    from tests.service.conftest import Api


def test_one_key_is_held_by_one_at_a_time_and_other_keys_are_free() -> None:
    keyed, order = KeyedLocks(), list[str]()
    inside, leave = threading.Event(), threading.Event()

    def first() -> None:
        with keyed.holding("a"):
            inside.set()
            leave.wait()
            order.append("first")

    def second() -> None:
        with keyed.holding("a"):
            order.append("second")

    threads = [threading.Thread(target=first)]
    threads[0].start()
    inside.wait()
    threads.append(threading.Thread(target=second))
    threads[1].start()
    with keyed.holding("b"):
        order.append("other")
    leave.set()
    for thread in threads:
        thread.join()
    assert order == ["other", "first", "second"]


def test_a_lock_that_does_not_come_lets_go_of_those_that_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "LOCK_TIMEOUT", 0.01)
    keyed = KeyedLocks()
    with keyed.holding("b"):
        with pytest.raises(LockTimeoutError), keyed.holding("c", "b", "a"):
            raise AssertionError("it is held by somebody else")
        with keyed.holding("a", "c"):
            pass
    with keyed.holding("a", "b", "b", "c"):
        pass


def test_an_error_inside_lets_go_and_a_key_is_forgotten() -> None:
    keyed = KeyedLocks()
    with pytest.raises(ZeroDivisionError), keyed.holding("a"):
        1 / 0  # noqa: B018
    with keyed.holding("a"):
        pass
    assert not keyed._locks


class Rival(Permit):
    """Everything is permitted, but another process stores an entry while each one is judged."""

    def __init__(self) -> None:
        self.whole = True

    def judge(self, archive: Archive, base: Fold, *, dry_run: bool) -> Judge:  # noqa: ARG002 - as its caller has it
        judge = Judge(archive, base)
        entry = NewEvent(id=str(uuid7()), type="note.added", data={"text": "."})
        archive.log.append(base.game, [entry], expected=base.version, recorder="another")
        return judge

    def check_type(self, index: int, draft: Draft) -> None:
        pass

    def check_correction(self, index: int, entry: object, recorded: int) -> None:
        pass

    def note_refusal(self) -> None:
        pass


def test_a_sender_without_a_version_is_never_told_that_it_is_stale(api: Api) -> None:
    """Another process can be faster each time. The sender can do nothing but send it again."""
    game, archive = api.open(), api.app.context.archive
    draft = Draft(id=str(uuid7()), type="note.added", data={"text": "Tea."})
    with pytest.raises(OvertakenError) as failed:
        record(archive, game, [draft], expected=None, recorder="one", permit=Rival())
    problem = failed.value.problem()
    assert (problem.kind.status, problem.headers["Retry-After"]) == (503, "1")
    assert record(archive, game, [draft], expected=None, recorder="one")[0].version == 2 + locks.ATTEMPTS


def test_the_same_holds_in_a_club(api: Api) -> None:
    club = str(uuid7())
    assert api.post("/v1/clubs", {"id": club, "name": "Friday"}).status_code == 201
    archive = api.app.context.archive

    def store(_: object) -> None:
        entry = NewEvent(id=str(uuid7()), type="club.changed", data={"description": "."})
        archive.log.append(club, [entry], expected=archive.log.head(club).version, recorder="another")

    event = NewEvent(id=str(uuid7()), type="club.changed", data={"name": "Monday"})
    with pytest.raises(OvertakenError):
        record_in(archive, club, event, fold_club, recorder="one", check=store)
