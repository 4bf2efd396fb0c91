"""Listeners: the connections of streams."""

from __future__ import annotations

import asyncio
import random
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from service.live.source import ListenerCursor

if TYPE_CHECKING:
    from service.live.source import StreamPage
    from service.live.streams import Streams
    from service.server.orders import Follow

RETRY, SPREAD = 2000, 1000
"""Milliseconds after which a browser connects again, and those added at random, so that not all come at once."""

VANISHED = 30_000
"""Milliseconds until a connection ends if the other end does not confirm what it is sent."""

HEARTBEATS = {"sse": b":\n\n", "ndjson": b"\n"}


class Listener(asyncio.Protocol):
    """A connection of a stream, written up to `after`.

    It is told more only when it has taken all that came before, so that nobody has more waiting for them than a page.
    `since` is since when it has not; it is `live` once it has been told all there was when it came.
    """

    __slots__ = ("_order", "_streams", "_transport", "after", "live", "since", "slot")

    def __init__(self, streams: Streams, order: Follow) -> None:
        self._streams, self._order = streams, order
        self._transport: asyncio.Transport
        self.after = order.after
        self.since: float | None = None
        self.slot = 0
        self.live = False

    @property
    def subject(self) -> str | None:
        """The id of the followed analysis or game; None for all games."""
        return self._order.subscription.analysis or self._order.subscription.game

    @property
    def of_analysis(self) -> bool:
        """Whether an analysis is followed."""
        return self._order.subscription.analysis is not None

    @property
    def counts_for(self) -> str | None:
        """The person or address that it counts for."""
        return self._order.who

    @property
    def language(self) -> str:
        """The language of the message that ends the stream."""
        return self._order.language

    @property
    def cursor(self) -> ListenerCursor:
        """Its cursor: what it gets next."""
        order = self._order
        return ListenerCursor(order.subscription, order.viewpoint, order.form, self.after, order.language)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the answer, unless there are too many streams."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the types only
        self._transport = transport
        transport.set_write_buffer_limits(0)
        connection = transport.get_extra_info("socket")
        if sys.platform == "linux" and connection.family != socket.AF_UNIX:
            with suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, VANISHED)
        refusal = self._streams.join(self)
        if refusal:
            transport.write(refusal)
            transport.close()
            return
        start = b""
        if self._order.form == "sse":  # a browser that loses the connection before the first event asks on from here
            start = b"retry: %d\nid: %d\n\n" % (RETRY + random.randrange(SPREAD), self.after)  # noqa: S311
        transport.write(self._order.head + start)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        """See `asyncio.Protocol`: the client has gone, or the connection was closed here."""
        self._streams.leave(self)

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`: the client does not take what was written."""
        self.since = asyncio.get_running_loop().time()

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`: the client has taken what was written."""
        self.since = None
        self._streams.serve_again(self)

    def write_page(self, page: StreamPage) -> None:
        """Write a page. The stream ends if it is the last one."""
        self.after = page.reached
        if page.content:
            self._transport.write(page.content)
        if page.last:
            self._transport.close()

    def send_heartbeat(self) -> None:
        """Write a heartbeat."""
        if self.since is None:
            self._transport.write(HEARTBEATS[self._order.form])

    def end_now(self) -> None:
        """End the connection at once."""
        self._transport.abort()
