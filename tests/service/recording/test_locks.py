"""Those who change the same thing wait for each other, and nobody waits for ever."""

from __future__ import annotations

import threading

import pytest

from service.recording import locks
from service.recording.locks import KeyedLocks, LockTimeoutError


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
