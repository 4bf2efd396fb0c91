"""What is known for minutes: by all processes that serve, by one alone where there is no Redis, and never on disk."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.access import passing
from service.access.passing import ExpiringStore
from tests.waiting import until
from workers.queue import connect

AWAY = "unix:///nowhere/s"


@pytest.fixture(params=[pytest.param("redis", marks=pytest.mark.programs), "memory", "away"])
def url(request: pytest.FixtureRequest) -> str:
    """A Redis, none, and one that does not answer."""
    return (
        str(request.getfixturevalue("redis_url")) if request.param == "redis" else ["", AWAY][request.param == "away"]
    )


def test_what_is_changed_is_known_from_then_on_however_the_block_ended(url: str) -> None:
    known = ExpiringStore(url, "numbers", int, 60)
    with known.open() as numbers:
        assert numbers == {}
        numbers["one"] = 1
    with pytest.raises(KeyError), known.open() as numbers:  # noqa: PT012
        numbers["two"] = 2
        del numbers["three"]
    with known.open() as numbers:
        assert numbers == {"one": 1, "two": 2}
        del numbers["one"]
    with known.open() as numbers:
        assert numbers == {"two": 2}


def test_nobody_changes_it_while_somebody_has_it_open(url: str) -> None:
    known = ExpiringStore(url, "numbers", int, 60)
    others = [known, known] if url in {"", AWAY} else [ExpiringStore(url, "numbers", int, 60) for _ in range(4)]

    def count(which: int) -> None:
        with others[which % len(others)].open() as numbers:
            found = numbers.get("counted", 0)
            time.sleep(0.001)
            numbers["counted"] = found + 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(40)))
    with known.open() as numbers:
        assert numbers == {"counted": 40}


def test_all_processes_know_it_until_its_time_is_over(redis_url: str) -> None:
    one, two, other = (ExpiringStore(redis_url, name, int, 60) for name in ("numbers", "numbers", "others"))
    with one.open() as numbers:
        numbers["one"] = 1
    with two.open() as numbers, other.open() as others:
        assert (numbers, others) == ({"one": 1}, {})
    with ExpiringStore(redis_url, "numbers", int, 1).open() as numbers:
        numbers["two"] = 2

    def is_over() -> bool:
        with two.open() as numbers:
            return numbers == {}

    until(is_over)


def test_somebody_who_ended_with_it_open_holds_nobody_up_for_long(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passing, "LOCK_SECONDS", 0.2)
    connect(redis_url).set("kifu:passing:numbers:lock", "of one that was killed", px=200)
    known = ExpiringStore(redis_url, "numbers", int, 60)
    with known.open() as numbers:
        numbers["one"] = 1
    with ExpiringStore(redis_url, "numbers", int, 60).open() as numbers:
        assert numbers == {"one": 1}


def test_a_redis_that_comes_back_is_used_again(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "REDIS_RETRY", 0.0)
    known = ExpiringStore(AWAY, "numbers", int, 60)
    with known.open() as numbers:
        numbers["one"] = 1
    monkeypatch.setattr(known, "_redis", connect(redis_url))
    with known.open() as numbers:
        numbers["two"] = 2
    with ExpiringStore(redis_url, "numbers", int, 60).open() as numbers:
        assert numbers == {"two": 2}
