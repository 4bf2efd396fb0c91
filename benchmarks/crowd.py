"""Entries from 500 connections at once, from one machine. Each sends its next entry right after an answer.

Nobody has so many at one table: it is what a server of many clubs sees at its worst. A refused request (503) comes
again when the answer says. The figure is how long the stored entries took.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from benchmarks.http import length_of, request, serve
from benchmarks.table import Row

if TYPE_CHECKING:
    from benchmarks.http import Served

CONNECTIONS = 500
SECONDS = 15.0


class Crowd:
    """Phones that record notes in their own games until `end`. Collects the seconds of each entry, and the refusals."""

    def __init__(self, served: Served, end: float) -> None:
        self._served, self._end = served, end
        self.taken: list[float] = []
        self.refused = 0

    async def phone(self, chance: random.Random) -> None:
        """Record notes over one connection until the end."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._served.port)
        game = str(uuid7())
        opening = request("/v1/games", {"id": game, "ruleset": "kahuna"}, self._served.token)
        while await _ask(reader, writer, opening) != 201:
            await asyncio.sleep(chance.uniform(0.5, 1.5))
        while time.monotonic() < self._end:
            note = {"id": str(uuid7()), "type": "note.added", "data": {"text": "x"}}
            await self._enter(
                reader, writer, request(f"/v1/games/{game}/events", {"events": [note]}, self._served.token), chance
            )
        writer.close()

    async def _enter(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, entry: bytes, chance: random.Random
    ) -> None:
        """Send an entry again until it is accepted."""
        while time.monotonic() < self._end:
            sent = time.perf_counter()
            status = await _ask(reader, writer, entry)
            if status == 201:
                self.taken.append(time.perf_counter() - sent)
                return
            if status != 503:
                raise RuntimeError(f"an entry was answered with {status}")
            self.refused += 1
            await asyncio.sleep(chance.uniform(1.0, 1.5))


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, content: bytes) -> int:
    """Send a request and read its answer. Returns the status."""
    writer.write(content)
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(length_of(head))
    return int(head[9:12])


async def _gather(served: Served) -> Crowd:
    crowd = Crowd(served, time.monotonic() + SECONDS)
    await asyncio.gather(*(crowd.phone(random.Random(seed)) for seed in range(CONNECTIONS)))
    return crowd


def run() -> list[Row]:
    """The rows of this benchmark."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        process, served = serve(Path(folder), KIFU_CONNECTIONS=str(2 * CONNECTIONS))
        try:
            crowd = asyncio.run(_gather(served))
        finally:
            process.terminate()
            process.wait()
    taken = sorted(crowd.taken)
    p99 = taken[int(len(taken) * 0.99)] * 1000
    return [
        Row(f"entries of {CONNECTIONS} connections", len(taken) / SECONDS, "entries/s"),
        Row(f"entries of {CONNECTIONS} connections, p99", p99, "ms", target="<= 300"),
        Row(f"refused, of {CONNECTIONS} connections", crowd.refused / SECONDS, "answers/s"),
    ]
