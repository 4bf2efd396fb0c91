"""The process that serves the streams, in a thread: what time brings about, and what reaches its sockets."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from service.live import streams
from service.live.source import EventSource
from service.server.orders import SOCKET, Follow, StreamNotifier, Subscription, encode
from service.settings import Settings
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from service.server.orders import Form
    from tests.service.conftest import Api


class Served:
    """The streams of a folder, in a thread."""

    def __init__(self, folder: Path, path: Path, **settings: Any) -> None:
        self.path = path
        self._settings = Settings(data=folder, **settings)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        until(self._takes_orders)

    def _takes_orders(self) -> bool:
        with socket.socket(socket.AF_UNIX) as line:
            return line.connect_ex(str(self.path)) == 0

    def _run(self) -> None:
        desk = EventSource(self._settings.data)
        asyncio.set_event_loop(self._loop)
        self._task = self._loop.create_task(streams.serve(desk, self._settings, self.path))
        with closing(self._loop), closing(desk):
            try:
                self._loop.run_until_complete(self._task)
            except asyncio.CancelledError:
                self._loop.run_until_complete(asyncio.sleep(0.05))  # for the connections to be closed

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()

    def follow(self, game: str, form: Form = "sse", *, after: int = 0, who: str | None = None) -> socket.socket:
        """The other end of a connection that is handed over, for the public."""
        mine, theirs = socket.socketpair()
        mine.settimeout(PATIENCE)
        order = Follow(
            subscription=Subscription(game), viewpoint="public", form=form, after=after, who=who, head=b"HEAD\r\n\r\n"
        )
        with theirs, socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.path))
            socket.send_fds(line, [encode(order)], [theirs.fileno()])
        return mine

    def metric(self, name: str) -> float:
        with closing(StreamNotifier(str(self.path))) as line:
            lines = line.count().decode().splitlines()
        return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))


def read_to(connection: socket.socket, end: bytes) -> bytes:
    found = b""
    while end not in found:
        part = connection.recv(1 << 16)
        assert part, found
        found += part
    return found


@pytest.fixture
def serve(api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Served]]:
    """Serves streams beside the service, in which time flies. No news come from the service."""
    del api
    for name, value in {"TICK": 0.05, "HEARTBEAT": 3, "STALLED": 0.3, "EXPIRY": 2}.items():
        assert hasattr(streams, name)
        monkeypatch.setattr(streams, name, value)
    monkeypatch.setattr("service.live.listener.HEARTBEATS", {"sse": b":beat\n\n", "ndjson": b"beat\n"})
    monkeypatch.setattr("service.live.streams._take_files", lambda _: None)
    made: list[Served] = []

    def start(**settings: Any) -> Served:
        made.append(Served(tmp_path / "data", tmp_path / SOCKET, **settings))
        return made[-1]

    yield start
    for each in made:
        each.close()


@pytest.mark.parametrize("form", ["sse", "ndjson"])
def test_a_stream_shows_that_it_holds_where_nothing_happens(serve: Callable[..., Served], api: Api, form: Form) -> None:
    game = api.play()
    api.show(game)
    with serve().follow(game, form, after=2) as stream:
        read_to(stream, b"beat")


def test_an_entry_is_streamed_although_its_notice_was_lost(serve: Callable[..., Served], api: Api) -> None:
    game = api.play()
    api.show(game)
    with serve().follow(game, after=2) as stream:
        assert read_to(stream, b"id: 2\n\n").startswith(b"HEAD\r\n\r\nretry: ")
        assert api.record(game, "+").status_code == 201
        assert b"id: 3\nevent: entry\n" in read_to(stream, b"event: entry")


def test_who_takes_nothing_is_cut_after_a_while_and_nobody_else_is(serve: Callable[..., Served], api: Api) -> None:
    game = api.play()
    api.show(game)
    notes = [{"id": None, "type": "note.added", "data": {"text": "x" * 1900}}] * 300
    body = {"events": [note | {"id": str(uuid7())} for note in notes]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    served = serve()
    with served.follow(game, after=302) as quick, served.follow(game) as slow:
        until(lambda: served.metric("kifu_streams_cut_total") == 1)
        while slow.recv(1 << 16):  # what had been written, then the end
            pass
        read_to(quick, b"beat")
        assert served.metric("kifu_streams_open") == 1


def test_an_order_that_cannot_be_read_ends_with_its_connection(serve: Callable[..., Served], api: Api) -> None:
    game = api.play()
    api.show(game)
    served = serve()
    for content in (
        b"\0\0\0\3abc",
        b"\0\0\0\1\xc1",
        encode(Follow(subscription=Subscription(game), form="sse", after=0, who=None)),
    ):
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            line.connect(str(served.path))
            line.sendall(content)
            assert line.recv(1) == b""
    with served.follow(game) as stream:
        read_to(stream, b"id: 1\n")


def test_the_socket_is_for_nobody_else(serve: Callable[..., Served]) -> None:
    assert serve().path.stat().st_mode & 0o777 == 0o600


def test_a_line_to_nobody_takes_no_harm() -> None:
    for path in (None, "/nowhere/live.sock"):
        line = StreamNotifier(path)
        line.notify()
        line.forget("a game")
        assert line.count() == b""
        line.close()
