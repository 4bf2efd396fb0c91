"""The web server: a connection answers call after call, even if the application fails."""

from __future__ import annotations

import json
import logging
import socket
import threading
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from events.errors import LogUnreachableError
from service.server import server, wire
from service.server.server import FrontConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENVIRON = {
    "REQUEST_METHOD": "GET",
    "PATH_INFO": "/s/kifu_lnk_secret",
    "QUERY_STRING": "",
    "SERVER_PROTOCOL": "HTTP/1.1",
}
OK = b"HTTP/1.1 200 OK\r\n"


class Odd(BaseException):
    """An exception that is no `Exception`."""


def answers(application: Callable[..., Any], calls: int, **more: Any) -> list[list[tuple[bytes, bytes]]]:
    """The frames that come for some calls, one after the other, over one lane."""
    ours, theirs = socket.socketpair()
    ours.settimeout(20)
    thread = threading.Thread(target=FrontConnection(application, theirs).serve)
    thread.start()
    found = []
    with ours:
        for _ in range(calls):
            ours.sendall(wire.encode_call(wire.Call(ENVIRON, close=False, **({"body": b""} | more))))
            frames, reader = list[tuple[bytes, bytes]](), wire.Frames()
            while not frames or frames[-1][0] not in wire.FINAL_FRAMES:
                frames += reader.feed(ours.recv(1 << 20))
            found.append(frames)
    thread.join(20)
    assert not thread.is_alive()
    return found


def raising(error: BaseException, *, at: str) -> Callable[..., Any]:
    """An application that fails at a place, and answers the second time."""
    calls = []

    def application(_: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        calls.append(None)
        if len(calls) > 1:
            start_response("200 OK", [("Content-Length", "2")])
            return [b"ok"]
        if at == "before":
            raise error
        length = {"length": "soon", "header": "1"}.get(at, "2")
        start_response(
            "200 \u68cb" if at == "status" else "200 OK", [] if at == "later" else [("Content-Length", length)]
        )
        return parts()

    def parts() -> Iterator[bytes]:
        if at == "later":
            yield b"x" * 70_000
        try:
            if at in {"parts", "later"}:
                raise error
            yield b"ok"
        finally:
            if at == "close":
                raise error

    return application


FAULTS = [
    ValueError("x"),
    OSError(28, "full"),
    SystemExit(1),
    KeyboardInterrupt(),
    GeneratorExit(),
    Odd(),
    MemoryError(),
]


@pytest.mark.parametrize("error", FAULTS)
@pytest.mark.parametrize("at", ["before", "parts", "length", "status"])
def test_every_exception_is_a_fault_with_an_id_in_the_journal(
    at: str, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        first, second = answers(raising(error, at=at), 2)
    ((kind, content),) = first
    assert kind == wire.WHOLE
    head, _, body = content.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 500 ")
    assert b"Content-Type: application/problem+json" in head
    result = json.loads(body)
    assert (result["type"], result["status"]) == ("/problems/internal", 500)
    assert f"fault {result['id']}: " in caplog.text
    assert "kifu_lnk_secret" not in caplog.messages[0]
    assert second[0][1].startswith(OK)


@pytest.mark.parametrize("error", FAULTS)
def test_an_answer_that_fails_on_its_way_breaks_off_and_the_lane_goes_on(error: BaseException) -> None:
    first, second = answers(raising(error, at="later"), 2)
    assert [kind for kind, _ in first] == [wire.BEGIN, wire.CHUNK, wire.BROKEN]
    assert second[0][1].startswith(OK)


def test_an_answer_that_breaks_off_without_its_database_is_a_line_and_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = answers(raising(LogUnreachableError("the database does not answer"), at="later"), 2)
    assert [kind for kind, _ in first] == [wire.BEGIN, wire.CHUNK, wire.BROKEN]
    assert second[0][1].startswith(OK)
    ((message, trace),) = [(each.getMessage(), each.exc_info) for each in caplog.records]
    assert message.endswith(" broke off: the database does not answer")
    assert "kifu_lnk_secret" not in message
    assert trace is None


def test_a_body_that_is_gone_is_a_fault_and_the_lane_goes_on() -> None:
    first, second = answers(raising(ValueError(), at="never"), 2, body=None, file="/nowhere/at/all")
    assert first[0][1].startswith(b"HTTP/1.1 500 ")
    assert second[0][1].startswith(b"HTTP/1.1 500 ")


def test_an_application_begins_before_it_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    done, app = list[str](), Mock()
    app.begin = lambda: done.append("begin")
    app.close = lambda: done.append("close")
    monkeypatch.setattr(server.process, "begin", lambda _: None)
    monkeypatch.setattr(server, "create", lambda _: app)
    monkeypatch.setattr(server, "serve", lambda *_: done.append("serve"))
    monkeypatch.setattr(server.signal, "signal", lambda *_: None)
    monkeypatch.setattr(server.os, "_exit", lambda _: None)
    monkeypatch.setattr(server.sys, "argv", ["server", "service.app:create_app", "web.sock"])
    server.main()
    assert done == ["begin", "serve", "close"]


def test_an_answer_tells_one_time_whether_the_application_tells_one_or_not() -> None:
    for told in ([], [("Date", "Thu, 01 May 2031 12:00:00 GMT")]):

        def app(_: dict[str, Any], start: Any, told: list[tuple[str, str]] = told) -> list[bytes]:
            start("200 OK", told)
            return []

        head = server.Answer(app, {}).head().decode()
        assert head.count("Date: ") == 1
        assert "2031" not in head
