"""Sending: one attempt, to an address that was checked. Only the status of the answer counts."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from ipaddress import ip_address
from typing import TYPE_CHECKING

import httpx
import msgspec

from service import __version__
from service.problems.waiting import seconds_to_wait
from service.webhooks.addresses import RefusedError, check_address, checked_url, port_of

if TYPE_CHECKING:
    from service.webhooks.addresses import Address

TIMEOUT = 15.0
"""Seconds that an attempt may take, from the name's lookup to the answer."""

READ = 4096
"""Bytes of an answer's body that are read. Nothing of them is kept."""

READING = 1.0
"""Seconds that an answer is read."""

RESOLVERS = 64
"""Names that are looked up at once."""

NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Who is trusted where a URL needs nobody. To read all authorities takes 25 ms of processor time."""

logger = logging.getLogger(__name__)

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a name, for a port."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an attempt: a `status`, or an `error` instead.

    `wait` is the pause in seconds that the receiver asks for. `took` is in milliseconds.
    """

    status: int | None = None
    error: str | None = None
    wait: int | None = None
    took: int = 0

    @property
    def is_delivered(self) -> bool:
        """Whether the message was delivered."""
        return self.status is not None and 200 <= self.status < 300


class Sender:
    """Sends messages. `private` says whether private networks are open, `resolve` looks up names.

    An attempt may take `timeout` seconds.
    """

    def __init__(self, *, private: bool, resolve: Resolve | None = None, timeout: float = TIMEOUT) -> None:
        self._private, self.timeout = private, timeout
        self._resolve = resolve or self._look_up
        self._resolvers = ThreadPoolExecutor(RESOLVERS, "resolver")

    async def send(self, text: str, headers: Mapping[str, str], body: bytes) -> Outcome:
        """Post a message to a URL. Every failure is in the outcome."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(self.timeout):
                found = await self._post(checked_url(text, private=self._private), headers, body)
        except RefusedError as error:
            found = Outcome(error=f"refused: {error}")
        except (TimeoutError, httpx.ReadTimeout, httpx.WriteTimeout):
            found = Outcome(error=f"no answer within {self.timeout:g} s")
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as error:
            found = Outcome(error=_describe(error))
        except Exception as error:
            logger.exception("a message could not be sent to %s", text)
            found = Outcome(error=f"a fault of the service ({type(error).__name__})")
        return msgspec.structs.replace(found, took=int((time.monotonic() - began) * 1000))

    async def _post(self, url: httpx.URL, headers: Mapping[str, str], body: bytes) -> Outcome:
        """Try the addresses of the URL's name in turn. All of them have to pass the check."""
        addresses = await self._addresses(url)
        for address in addresses[:-1]:
            try:
                return await self._post_to(address, url, headers, body)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._post_to(addresses[-1], url, headers, body)

    async def _addresses(self, url: httpx.URL) -> list[Address]:
        """The addresses of the URL's name. All of them have to pass the check. Raises `RefusedError`.

        A name that is not known and one of an inner network get the same answer: it must not tell recorders which
        inner names there are, and what they mean. The service's own log says why.
        """
        try:
            found = dict.fromkeys(await self._resolve(url.host, port_of(url)))
            addresses = [ip_address(text.partition("%")[0]) for text in found]
            for address in addresses:
                check_address(url, address, private=self._private)
        except (socket.gaierror, UnicodeError, RefusedError) as error:
            logger.warning("no message is sent to %s: %s", url.host, error)
            addresses = []
        if not addresses:
            raise RefusedError(f"{url.host} has no address that messages may go to")
        return addresses

    async def _post_to(self, address: Address, url: httpx.URL, headers: Mapping[str, str], body: bytes) -> Outcome:
        """Post to this checked address, under the name in the URL. The name is not resolved again: it may change."""
        sent = {"Host": url.netloc.decode("ascii"), "User-Agent": f"Kifu/{__version__}", "Accept-Encoding": "identity"}
        client = httpx.AsyncClient(
            verify=self._tls if url.scheme == "https" else NOBODY,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(self.timeout, connect=self.timeout / 2),  # then another address gets its turn
            headers=sent,
        )
        request = client.build_request(
            "POST",
            url.copy_with(host=str(address)),
            headers=headers,
            content=body,
            extensions={"sni_hostname": url.raw_host.decode("ascii")},
        )
        async with client:
            answer = await client.send(request, stream=True)
            await _read(answer)
        return Outcome(status=answer.status_code, wait=seconds_to_wait(answer.headers.get("Retry-After")))

    async def _look_up(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._resolvers, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
        return [str(place[0]) for *_, place in found]

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return httpx.create_ssl_context()


async def _read(answer: httpx.Response) -> None:
    """Read the beginning of an answer's body, so that a receiver with a short answer can finish. The status counts in
    any case.
    """
    count = 0
    with suppress(httpx.HTTPError, TimeoutError):
        async with asyncio.timeout(READING):
            async for part in answer.aiter_raw(READ):
                count += len(part)
                if count >= READ:
                    break
    await answer.aclose()


def _describe(error: Exception) -> str:
    """The error for those who run the receiver. It names no address: see `_addresses`."""
    match error:
        case httpx.ConnectError() | httpx.ConnectTimeout():
            why = str(error) if "certificate" in str(error).lower() else ""
            return f"no connection: {why}"[:200] if why else "no connection"
        case httpx.RemoteProtocolError():
            return "the answer is not HTTP, or was broken off"
        case _:
            return str(error)[:200] or type(error).__name__
