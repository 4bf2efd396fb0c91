"""The client: the HTTP API as typed calls."""

from __future__ import annotations

import ssl
import time
from contextlib import contextmanager
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import httpx
import msgspec

from events import limits
from projections.errors import Conflict
from service.api.answers.access import OAuthFailure
from service.languages import gettext, locale
from service.problems.kinds import MEDIA_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

JSON, NDJSON, BYTES = "application/json", "application/x-ndjson", "application/octet-stream"

SILENCE = 40.0
"""Seconds without a sign of life after which a stream is taken for lost: one comes every 15 seconds."""

LARGEST = limits.IMPORT
"""Bytes of an answer that is read whole, at most. No record is imported that has more."""

LONGEST_LINE = limits.EXPORT_HEADER
"""Bytes of a line of a stream, at most."""

GATEWAY = {502, 503, 504}
"""What stands between answers so when the service itself cannot, or has too much to do."""


class FieldError(msgspec.Struct, frozen=True):
    """The fault of one field of a request."""

    field: str
    message: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem in an answer of the service (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    advice: str = ""
    rule: str | None = None
    at: int | None = None
    line: int | None = None
    errors: list[FieldError] = []
    conflicts: list[Conflict] = []
    impossible: str | None = None

    @property
    def name(self) -> str:
        """The kind of problem: the last part of its type."""
        return self.type.rpartition("/")[2]


class RefusedError(Exception):
    """The service answered with a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail or problem.title)
        self.problem = problem


class UnreachableError(Exception):
    """Nobody answered, or the connection broke off. With `unsure` the request may have been carried out."""

    def __init__(self, where: str, why: str, *, unsure: bool) -> None:
        super().__init__(gettext("no answer from %(where)s: %(why)s", where=where, why=why))
        self.unsure = unsure


class BadAddressError(UnreachableError):
    """An address that leads to no service: it does not begin with http:// or https://, or is not whole."""


class UntrustedError(UnreachableError):
    """The certificate of the service is not trusted, or is for another name."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(where, gettext("its certificate is not trusted: %(why)s", why=why), unsure=False)


class NotGrantedError(Exception):
    """The service gives no token, or not yet: see the OAuth `error`."""

    def __init__(self, answer: OAuthFailure) -> None:
        super().__init__(answer.error_description)
        self.error = answer.error


class UnexpectedAnswerError(Exception):
    """The answer is not from a Kifu service, or from an incompatible release."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(gettext("%(where)s is not a Kifu service: %(why)s", where=where, why=why))


class Connection(NamedTuple):
    """An open connection to a service. `where` names the service for people."""

    http: httpx.Client
    where: str


class Client:
    """One service. It connects at the first request, so a command can check its arguments before.

    A connected client is safe to share between threads. Every call raises `RefusedError`, `UnreachableError`,
    `UnexpectedAnswerError`.
    """

    def __init__(self, connect: Callable[[], Connection], language: str | None = None) -> None:
        """Answers come in this language, or in that of the command line."""
        self._connect, self._headers = connect, {"Accept-Language": language or locale()}
        self._hours, self._deadline = 0.0, inf

    @cached_property
    def connection(self) -> Connection:
        """The connection to the service."""
        return self._connect()

    @property
    def where(self) -> str:
        """The service, for people."""
        return self.connection.where

    def end_after(self, hours: float) -> None:
        """Read no answers after this number of hours."""
        self._hours, self._deadline = hours, time.monotonic() + hours * 3600

    def get(self, path: str, kind: type[T], /, **query: object) -> T:
        """The answer at `path`. Query parameters that are None are left out."""
        return self._decoded(self.fetch(path, **query), kind)

    def fetch(self, path: str, **query: object) -> bytes:
        """The bytes at `path`."""
        return self._request("GET", path, query)[0]

    def send(
        self,
        method: str,
        path: str,
        kind: type[T],
        body: dict[str, Any] | bytes | None = None,
        *,
        media: str = JSON,
        headers: dict[str, str] | None = None,
        **query: object,
    ) -> T:
        """The answer to a request with a body: an object sent as JSON, or bytes of the type `media`."""
        content = msgspec.json.encode(body) if isinstance(body, dict) else body
        more = {} if content is None else {"Content-Type": media}
        answer, _ = self._request(method, path, query, content=content, headers=(headers or {}) | more)
        return self._decoded(answer or b"null", kind)

    def form(self, path: str, kind: type[T], fields: dict[str, str]) -> T:
        """The answer to an OAuth form. Raises `NotGrantedError`, too."""
        with self._answer("POST", path, data=fields) as answer:
            content = self._whole(answer)
        if answer.status_code == 400 and answer.headers.get("Content-Type") == JSON:
            raise NotGrantedError(self._decoded(content, OAuthFailure))
        self._check(answer, content)
        return self._decoded(content, kind)

    def import_file(self, content: bytes, kind: type[T], media: str, **query: object) -> tuple[T, list[int]]:
        """Import a file. Returns the answer, and the number of new entries of each game."""
        answer, headers = self._request("POST", "/v1/imports", query, content=content, headers={"Content-Type": media})
        new = headers.get("Kifu-New-Entries", "0")
        try:
            return self._decoded(answer, kind), [int(count) for count in new.split(",")]
        except ValueError as error:
            raise UnexpectedAnswerError(self.where, str(error)) from error

    def import_plays(self, content: bytes, kind: type[T], **query: object) -> T:
        """Import a part of a file of plays."""
        headers = {"Content-Type": BYTES}
        answer, _ = self._request("POST", "/v1/imports/plays", query, content=content, headers=headers)
        return self._decoded(answer, kind)

    def take_table(self, game: str, content: bytes, kind: type[T], **query: object) -> T:
        """Take a table of a spreadsheet onto a score sheet."""
        headers = {"Content-Type": BYTES}
        answer, _ = self._request("POST", f"/v1/games/{game}/table", query, content=content, headers=headers)
        return self._decoded(answer, kind)

    @contextmanager
    def stream(self, path: str, **query: object) -> Iterator[Iterator[bytes]]:
        """The content at `path`, piece by piece."""
        with self._streamed(path, query) as answer:
            yield self._pieces(answer)

    @contextmanager
    def page(self, path: str, **query: object) -> Iterator[tuple[Iterator[bytes], str | None]]:
        """A page of the content at `path`, piece by piece, and the `after` of the next page; None for the last."""
        with self._streamed(path, query) as answer:
            yield self._pieces(answer), self._following(answer)

    def _following(self, answer: httpx.Response) -> str | None:
        """The `after` of the next page; None without one."""
        link = answer.links.get("next")
        if link is None:
            return None
        after: str | None = httpx.URL(link.get("url", "")).params.get("after")
        if after is None or after == answer.request.url.params.get("after"):
            raise UnexpectedAnswerError(self.where, gettext("its next page repeats this one"))
        return after

    @contextmanager
    def _streamed(self, path: str, query: dict[str, object], **more: Any) -> Iterator[httpx.Response]:
        with self._answer("GET", path, params=_parameters(query), **more) as answer:
            self._check(answer, self._whole(answer) if answer.is_error else b"")
            yield answer

    @contextmanager
    def lines(self, path: str, **query: object) -> Iterator[Iterator[bytes]]:
        """The content at `path`, line by line, without line ends."""
        with self.stream(path, **query) as pieces:
            yield self._lines(pieces)

    @contextmanager
    def follow(self, path: str, kind: type[T]) -> Iterator[Iterator[T]]:
        """The events of the stream at `path`, of one kind, as they come, until it ends."""
        headers, patience = {"Accept": NDJSON}, httpx.Timeout(SILENCE)
        with self._streamed(path, {}, headers=headers, timeout=patience) as answer:
            yield (self._decoded(line, kind) for line in self._lines(self._pieces(answer)) if line)

    def _request(self, method: str, path: str, query: dict[str, object], **more: Any) -> tuple[bytes, httpx.Headers]:
        """The content and the headers of an answer."""
        with self._answer(method, path, params=_parameters(query), **more) as answer:
            content = self._whole(answer)
        self._check(answer, content)
        return content, answer.headers

    @contextmanager
    def _answer(self, method: str, path: str, **more: Any) -> Iterator[httpx.Response]:
        """An answer with unread content. Repeated compression is refused: its size has no limit."""
        writes, http = method != "GET", self.connection.http
        headers = self._headers | more.pop("headers", {})
        self._check_time()
        with self._translated(writes=writes), http.stream(method, path, headers=headers, **more) as answer:
            if "," in (packed := answer.headers.get("Content-Encoding", "")):
                raise UnexpectedAnswerError(
                    self.where, gettext("its answer is compressed more than once: %(how)s", how=packed)
                )
            yield answer

    def _pieces(self, answer: httpx.Response) -> Iterator[bytes]:
        """The content of an answer as it comes, until time is up."""
        for piece in answer.iter_bytes():
            self._check_time()
            yield piece

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            why = gettext("it has not ended after %(hours)s hours", hours=f"{self._hours:g}")
            raise UnreachableError(self.where, why, unsure=False)

    def _whole(self, answer: httpx.Response) -> bytes:
        """The whole content. Raises `UnexpectedAnswerError` if it is larger than any answer."""
        found = bytearray()
        for piece in self._pieces(answer):
            found += piece
            if len(found) > LARGEST:
                why = gettext("its answer has more than %(most)s bytes", most=LARGEST)
                raise UnexpectedAnswerError(self.where, why)
        return bytes(found)

    def _lines(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The lines of a content. Raises `UnexpectedAnswerError` for a line that is too long."""
        rest = b""
        for piece in pieces:
            *lines, rest = (rest + piece).split(b"\n")
            if len(rest) > LONGEST_LINE:
                why = gettext("a line of its answer has more than %(most)s bytes", most=LONGEST_LINE)
                raise UnexpectedAnswerError(self.where, why)
            yield from lines
        if rest:
            yield rest

    @contextmanager
    def _translated(self, *, writes: bool) -> Iterator[None]:
        try:
            yield
        except httpx.DecodingError as error:
            raise UnexpectedAnswerError(self.where, str(error)) from error
        except (httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            begun = isinstance(error, httpx.InvalidURL)
            why = str(error) if begun else gettext("an address begins with http:// or https://")
            raise BadAddressError(self.where, why, unsure=False) from error
        except httpx.TransportError as error:
            if distrust := _certificate_error(error):
                raise UntrustedError(self.where, distrust) from error
            why = gettext("it took too long") if isinstance(error, httpx.TimeoutException) else str(error)
            unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
            raise UnreachableError(self.where, why or type(error).__name__, unsure=writes and not unsent) from error

    def _check(self, answer: httpx.Response, content: bytes) -> None:
        if answer.is_success:
            return
        why = gettext(
            "it answers %(status_code)s %(reason_phrase)s",
            status_code=answer.status_code,
            reason_phrase=answer.reason_phrase,
        )
        told = answer.headers.get("Content-Type", "").startswith(MEDIA_TYPE)
        if answer.status_code in GATEWAY:
            why = f"{why}: {self._decoded(content, Problem).detail}" if told else why
            raise UnreachableError(self.where, why, unsure=answer.request.method != "GET")
        if told:
            raise RefusedError(self._decoded(content, Problem))
        raise UnexpectedAnswerError(self.where, why)

    def _decoded(self, content: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(content, type=kind)
        except (ValueError, RecursionError) as error:
            raise UnexpectedAnswerError(self.where, str(error)) from error


def _certificate_error(error: BaseException | None) -> str | None:
    """The error for an untrusted certificate, if that is why the connection failed."""
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return str(error.verify_message) if error else None


def _parameters(query: dict[str, object]) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in query.items()
        if value is not None
    }
