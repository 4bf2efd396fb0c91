"""Plays from BoardGameGeek itself: page by page, with the user's own token."""

from __future__ import annotations

import itertools
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import httpx

from service import __version__
from service.exchange.incoming import bgg
from service.exchange.incoming.plays import MOST_PLAYS, BadFileError, parse_whole
from service.languages import gettext
from service.languages.plain import translated
from service.problems.waiting import seconds_to_wait
from service.server import hosts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from service.settings import Settings

BUSY = {202, 429, 500, 502, 503, 504}
"""Statuses after which the same request is sent again: the answer is being made, or the server is overloaded."""

PATIENCE = 180.0
"""Seconds in which a page has to come."""

SILENCE = 30.0
"""Seconds without a byte after which a request is given up."""

PAUSE = 2.0
"""Seconds between two requests. The pause doubles while the server is busy."""

LONGEST_PAUSE = 30.0

LARGEST_PAGE = 16 << 20
"""Bytes of a page, at most. A page has 100 plays."""


class BggError(Exception):
    """BoardGameGeek gives no plays: why, and what to do about it."""

    def __init__(self, why: str, advice: str = "") -> None:
        super().__init__(why)
        self.advice = advice


class Wanted(NamedTuple):
    """The plays to fetch: those of a user, from the day `first` to the day `last` (ISO 8601) if they are given."""

    user: str
    first: str | None = None
    last: str | None = None

    def query(self, page: int) -> dict[str, str]:
        """The query of a page, counted from 1."""
        asked = {"username": self.user, "mindate": self.first, "maxdate": self.last, "page": str(page)}
        return {name: value for name, value in asked.items() if value}


class Page(NamedTuple):
    """A page: its XML, the number of its plays, and of all plays if the page has it."""

    content: bytes
    plays: int
    total: int | None


class BggApi:
    """The API of BoardGameGeek, or of a mirror. `notify` gets a line whenever it has to wait.

    A page has to come within `patience` seconds. Raises `BggError`.
    """

    def __init__(self, settings: Settings, notify: Callable[[str], None], patience: float = PATIENCE) -> None:
        self._base = _base(settings.bgg_url)
        self._headers = {
            "Authorization": f"Bearer {_token(settings.bgg_token)}",
            "User-Agent": f"kifu/{__version__}",
            "Accept-Encoding": "identity",
        }
        self._notify, self._patience = notify, patience

    def pages(self, wanted: Wanted) -> Iterator[tuple[Page, int]]:
        """The pages with plays, each with the number of plays so far. Raises `BggError`."""
        count, before = 0, b""
        with self._client() as http:
            for number in itertools.count(1):
                page = self._page(http, wanted.query(number))
                if page.plays and page.content == before:
                    raise BggError(gettext("BoardGameGeek sent the same page again"))
                count, before = count + page.plays, page.content
                if count > MOST_PLAYS:
                    raise _too_many()
                if page.plays:
                    yield page, count
                if not page.plays or (page.total is not None and count >= page.total):
                    return
                time.sleep(PAUSE)

    def _client(self) -> httpx.Client:
        local = hosts.resolves_to_loopback(self._base.host)
        return httpx.Client(base_url=self._base, headers=self._headers, timeout=SILENCE, trust_env=not local)

    def _page(self, http: httpx.Client, query: dict[str, str]) -> Page:
        """A page. Waits and asks again while the server is busy. Raises `BggError`."""
        end, pause = time.monotonic() + self._patience, PAUSE
        while True:
            with _explained(), http.stream("GET", "plays", params=query) as answer:
                if answer.status_code not in BUSY:
                    _check(answer.status_code)
                    return _read(_body(answer, end))
                status, asked = answer.status_code, seconds_to_wait(answer.headers.get("Retry-After"))
            wait = max(asked or 0, pause)
            if time.monotonic() + wait > end:
                raise _wait_error(status, asked)
            self._notify(
                gettext(
                    "BoardGameGeek has no answer yet (%(status)s). Trying again in %(seconds)s s …",
                    status=status,
                    seconds=f"{wait:g}",
                )
            )
            time.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)


def _token(text: str) -> str:
    """The token as it is sent. No error names it."""
    token = text.strip()
    if not token:
        raise BggError(gettext("there is no token for BoardGameGeek"), _how_to_get_a_token())
    if not (token.isascii() and token.isprintable()):
        raise BggError(gettext("KIFU_BGG_TOKEN holds characters that no token has"))
    return token


def _how_to_get_a_token() -> str:
    return gettext("Get one at %(url)s, and give it in the environment as KIFU_BGG_TOKEN.", url=bgg.REGISTER)


def _base(text: str) -> httpx.URL:
    """The address of the API: the token goes over HTTPS, or stays on this machine."""
    try:
        url = httpx.URL(text)
        good = url.scheme == "https" or (url.scheme == "http" and hosts.resolves_to_loopback(url.host))
    except (httpx.InvalidURL, UnicodeError):
        good = False
    if not good or not url.host or url.userinfo:
        raise BggError(
            gettext("KIFU_BGG_URL is not an https address"), gettext("Without it, BoardGameGeek itself is asked.")
        )
    return url


@contextmanager
def _explained() -> Iterator[None]:
    """Turn failures of the connection into `BggError`."""
    try:
        yield
    except httpx.TransportError as error:
        why = gettext("it took too long") if isinstance(error, httpx.TimeoutException) else str(error)
        raise BggError(
            gettext("no answer from BoardGameGeek: %(why)s", why=why or type(error).__name__),
            gettext("Is there a network? You can repeat the command: no play is imported twice."),
        ) from error


def _check(status: int) -> None:
    """Raise `BggError` for an answer without plays."""
    if status == 401:
        raise BggError(gettext("BoardGameGeek does not accept the token (401)"), _how_to_get_a_token())
    if status == 403:
        raise BggError(gettext("BoardGameGeek does not let this token read plays (403)"), _how_to_get_a_token())
    if status != 200:
        raise BggError(
            gettext("BoardGameGeek answers with status %(status)s", status=status),
            gettext("Check the name of the user, and KIFU_BGG_URL if it is set."),
        )


def _too_many() -> BggError:
    return BggError(
        gettext("the user has more than %(most)s plays", most=f"{MOST_PLAYS:,}"),
        gettext("Fetch them in several parts, with --from and --to."),
    )


def _wait_error(status: int, asked: int | None) -> BggError:
    if asked:
        why = gettext("BoardGameGeek asks to wait %(seconds)s seconds (%(status)s)", seconds=asked, status=status)
    else:
        why = gettext("BoardGameGeek has no answer yet (%(status)s)", status=status)
    return BggError(why, gettext("Repeat the command later: no play is imported twice."))


def _body(answer: httpx.Response, end: float) -> bytes:
    """The whole page as it was sent, within time and size."""
    found = bytearray()
    for piece in answer.iter_raw():
        found += piece
        if len(found) > LARGEST_PAGE:
            raise BggError(gettext("a page of BoardGameGeek has more than %(most)s MB", most=LARGEST_PAGE >> 20))
        if time.monotonic() > end:
            raise BggError(gettext("no answer from BoardGameGeek: %(why)s", why=gettext("it took too long")))
    return bytes(found)


def _read(content: bytes) -> Page:
    """Parse a page of XML. Raises `BggError` for anything else."""
    try:
        root = bgg.root_of(content)
    except BadFileError as error:
        why = gettext("BoardGameGeek's answer holds no plays: %(why)s", why=translated(str(error)))
        raise BggError(why) from error
    if root.tag == bgg.PLAYS:
        return Page(content, len(root.findall(bgg.PLAY)), parse_whole(root.get("total", "")))
    if "invalid object or user" in "".join(root.itertext()).lower():
        raise BggError(gettext("BoardGameGeek does not know this user"))
    raise BggError(gettext("BoardGameGeek's answer holds no plays"))
