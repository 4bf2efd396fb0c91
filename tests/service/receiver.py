"""A receiver of webhooks on the loopback with answers that a test chooses, and a deliverer with a clock that a test
moves.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import standardwebhooks

from service.webhooks.deliverer import Deliverer
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Coroutine

    from service.settings import Settings
    from service.webhooks.sending import Sender


class Posted:
    """A message as it arrived."""

    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path, self.headers, self.body = path, headers, body
        self.id = headers.get("webhook-id", "")

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    def summary(self) -> tuple[str, int, int]:
        """The content of the message: its type and its entries."""
        return self.json["type"], self.json["data"]["from"], self.json["data"]["to"]

    def is_signed_with(self, secret: str) -> bool:
        try:
            standardwebhooks.Webhook(secret).verify(self.body, self.headers)
        except standardwebhooks.WebhookVerificationError:
            return False
        return True


def status(code: int, **headers: str) -> Callable[[BaseHTTPRequestHandler, Posted], None]:
    """An answer with a status and these headers, without a body."""

    def answer(handler: BaseHTTPRequestHandler, _: Posted) -> None:
        handler.send_response(code)
        for name, value in ({"Content-Length": "0"} | headers).items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()

    return answer


class Receiver:
    """A server that receives messages, and answers them by `answer`."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.arrived: list[Posted] = []
        self.answer = status(204)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(length := int(self.headers["Content-Length"]))
                if len(body) < length:  # its sender was killed
                    self.close_connection = True
                    return
                posted = Posted(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                receiver.arrived.append(posted)
                try:
                    receiver.answer(self, posted)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://{host}:{self.port}/hook"
        threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True).start()

    def serve_tls(self, context: ssl.SSLContext) -> None:
        """Accept messages over TLS from now on."""
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def wait(self, count: int) -> list[Posted]:
        """Wait for `count` messages; all that arrived."""
        end = time.monotonic() + PATIENCE
        while len(self.arrived) < count:
            assert time.monotonic() < end, [posted.json for posted in self.arrived]
            time.sleep(0.01)
        return self.arrived

    def summaries(self) -> list[tuple[str, int, int]]:
        return [posted.summary() for posted in self.arrived]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = time.time_ns() // 1_000_000

    def __call__(self) -> int:
        return self.now


class Courier:
    """A deliverer in this process. A test sets when it runs, and its clock."""

    def __init__(self, settings: Settings, sender: Sender | None = None) -> None:
        self.clock = Clock()
        self._settings, self._sender = settings, sender
        self._runner = asyncio.Runner()
        self._thread = ThreadPoolExecutor(1)  # a loop of its own: the thread of the tests may drive a browser
        self.deliverer = self._start()

    def _start(self) -> Deliverer:
        return Deliverer(self._settings, clock=self.clock, chance=lambda: 0.5, sender=self._sender)

    def go(self, later: float = 5.0) -> None:
        """Move the clock by `later` seconds, and deliver everything due."""
        self.derive()
        self.clock.now += int(later * 1000)
        self._run(self._go())

    def derive(self) -> None:
        """Derive messages from the log until there are no more."""

        async def derive() -> None:
            while self.deliverer.step():
                pass
            await self.deliverer.wait_until_sent()

        self._run(derive())

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        self._thread.submit(self._runner.run, work).result()

    async def _go(self) -> None:
        while True:
            more = self.deliverer.step()
            if not more and not self.deliverer.is_sending:
                return
            await self.deliverer.wait_until_sent()

    def restart(self) -> None:
        """Replace the deliverer with a new one over the same data folder."""
        self.deliverer.close()
        self.deliverer = self._start()

    def close(self) -> None:
        self.deliverer.close()
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()
