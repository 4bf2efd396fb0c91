"""PostgreSQL over TLS: with an authority in the URL, a client accepts only servers with its certificates.

The tests' server was built without TLS. So a relay before it does what such a server does: it is asked, in the words of
the protocol, whether it will, and shakes hands.
"""

from __future__ import annotations

import select
import socket
import socketserver
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
import pytest

from events.errors import LogUnreachableError
from events.postgres import PostgresLog, PostgresReader
from service.server.authority import certificate_file
from tests.events.stores import Postgres
from tests.service.server.test_authority import Made

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator
    from pathlib import Path

REQUEST = bytes.fromhex("0000000804d2162f")
"""With what a client asks for TLS."""


@pytest.fixture
def store(postgres):
    opened = Postgres()
    yield opened
    opened.clean()


@pytest.fixture
def secured(path, tmp_path) -> Iterator[int]:
    """The port at which the database is `localhost`, by the word of the folder's authority, and is heard over TLS."""
    parts = psycopg.conninfo.conninfo_to_dict(path)
    with Relay(f"{parts['host']}/.s.PGSQL.5432", Made(tmp_path).certificates.context) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield listening.server_address[1]
        listening.shutdown()
        thread.join()


class Relay(socketserver.ThreadingTCPServer):
    """Leads connections, over TLS, to a server's socket."""

    def __init__(self, server: str, context: ssl.SSLContext) -> None:
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)
        self._server, self._context = server, context

    def finish_request(self, request: socket.socket, *_: object) -> None:
        """Lead one until either side ends. A client that does not trust the certificate goes away."""
        assert request.recv(len(REQUEST)) == REQUEST
        request.sendall(b"S")
        with (
            suppress(OSError),
            self._context.wrap_socket(request, server_side=True) as host,
            socket.socket(socket.AF_UNIX) as server,
        ):
            server.connect(self._server)
            ends = {host: server, server: host}
            while True:
                for source in [host] if host.pending() else select.select(ends, [], [])[0]:
                    if not (data := source.recv(1 << 16)):
                        return
                    ends[source].sendall(data)


def test_a_log_is_kept_over_tls_only_with_a_server_that_the_authority_vouches_for(path, secured, make, tmp_path):
    parts, another = psycopg.conninfo.conninfo_to_dict(path), tmp_path / "another"
    Made(another)

    def url(host: str, authority: Path) -> str:
        where = f"{parts['user']}@{host}:{secured}/{parts['dbname']}?hostaddr=127.0.0.1"
        return f"postgresql://{where}&sslmode=verify-full&sslrootcert={certificate_file(authority)}"

    with PostgresLog(url("localhost", tmp_path)) as log:
        game = make.game(log, 5)
        with log._database.connection() as connection:
            assert connection.pgconn.ssl_in_use
    with PostgresReader(path) as reader:
        assert reader.head(game).version == 6
    for host, authority, why in (
        ("another.example", tmp_path, "does not match host name"),
        ("localhost", another, "verify failed"),
    ):
        with pytest.raises(LogUnreachableError, match=why):
            PostgresReader(url(host, authority))
