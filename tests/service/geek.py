"""BoardGameGeek on the loopback: pages of plays, with answers in between that a test chooses."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN = "7c1e5a90-secret-of-ada"
"""The only token that is accepted."""

Answer = tuple[int, dict[str, str], bytes]
UNKNOWN = b"<?xml version='1.0' encoding='utf-8'?>\n<div class='messagebox error'>\n    Invalid object or user\n</div>"


def play(number: int, day: str = "2024-02-03", score: int = 88) -> str:
    return (
        f'<play id="{number}" date="{day}" quantity="1" length="60" incomplete="0" nowinstats="0" location="Home">'
        '<item name="Wingspan" objecttype="thing" objectid="266192"/><players>'
        f'<player username="ada" userid="1" name="Ada" score="{score}" win="1"/>'
        '<player username="" userid="0" name="Bo" score="49" win="0"/></players></play>'
    )


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that leaves in the middle of an answer is no error."""


class Geek:
    """A server with the plays of the user `ada`, `size` on each page.

    `instead` are answers that come first, in their order. `asked` are the queries that came with the token.
    """

    def __init__(self, count: int, size: int = 100) -> None:
        self.plays = [play(number) for number in range(1, count + 1)]
        self.size = size
        self.instead: list[Answer | Callable[[BaseHTTPRequestHandler], None]] = []
        self.asked: list[dict[str, str]] = []
        geek = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = urlsplit(self.path)
                query = dict(parse_qsl(path.query))
                if path.path != "/xmlapi2/plays" or self.headers["Authorization"] != f"Bearer {TOKEN}":
                    self.reply(401, {}, b"Unauthorized")
                    return
                geek.asked.append(query)
                found = geek.instead.pop(0) if geek.instead else geek.page(query)
                if isinstance(found, tuple):
                    self.reply(*found)
                else:
                    found(self)

            def reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(body))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/xmlapi2"
        threading.Thread(target=self._server.serve_forever, args=[0.02], daemon=True).start()

    def page(self, query: dict[str, str]) -> Answer:
        if query["username"] != "ada":
            return 200, {}, UNKNOWN
        begin = (int(query["page"]) - 1) * self.size
        shown = "".join(self.plays[begin : begin + self.size])
        head = f'<plays username="ada" userid="1" total="{len(self.plays)}" page="{query["page"]}">'
        return 200, {}, f'<?xml version="1.0" encoding="utf-8"?>{head}{shown}</plays>'.encode()

    @property
    def environment(self) -> dict[str, str]:
        return {"KIFU_BGG_URL": self.url, "KIFU_BGG_TOKEN": TOKEN}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
