"""Children of the supervisor: which of them count as failing."""

from __future__ import annotations

import asyncio

import pytest

from service.server import child
from service.server.child import Child


class Process:
    """A process that ends after some seconds of its clock."""

    def __init__(self, clock: list[float], life: float) -> None:
        self._clock, self._life = clock, life
        self.stdout = asyncio.StreamReader()
        self.stdout.feed_eof()
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def let_go(self) -> None:
        """Let it run: its life passes at once."""
        if not self.ended.done() and self._life:
            self._clock[0] += self._life
            self.ended.set_result(1)


class Forks:
    """Starts processes with given lives; the one after them stays."""

    def __init__(self, clock: list[float], lives: list[float]) -> None:
        self._clock, self._lives = clock, [*lives]
        self.stays = asyncio.Event()

    async def fork(self, *_: object) -> Process:
        """Start the next one."""
        life = self._lives.pop(0) if self._lives else 0.0
        if not life:
            self.stays.set()
        return Process(self._clock, life)


@pytest.mark.parametrize(
    ("lives", "age", "failing"),
    [
        ([1.0, 1.0], 0.0, False),
        ([1.0, 1.0, 1.0], 5.0, True),
        ([1.0, 1.0, 1.0], 11.0, False),
        ([15.0, 15.0, 15.0], 20.0, True),  # it ends again and again, though it seems to run well each time
        ([15.0, 15.0, 15.0], 31.0, False),
        ([3600.0, 3600.0, 3600.0], 1.0, False),
        ([3600.0, 1.0, 1.0], 1.0, False),
        ([3600.0, 1.0, 1.0, 1.0], 1.0, True),
    ],
)
def test_a_child_that_ends_again_and_again_is_failing_until_it_runs_for_longer(
    lives: list[float], age: float, failing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(child.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(child, "LONGEST_PAUSE", 0.0)
    monkeypatch.setattr(child, "FIRST_PAUSE", 0.0)

    async def use() -> str:
        forks, one = Forks(clock, lives), Child("worker", "workers.worker")
        keeping = one.start(forks)  # type: ignore[arg-type] - it only forks
        await forks.stays.wait()
        await asyncio.sleep(0)
        clock[0] += age
        why = one.why_failing
        keeping.cancel()
        return why

    assert asyncio.run(use()) == ("ended (exit code 1)" if failing else "")
