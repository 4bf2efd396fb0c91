"""The gate: who asks, and whether the request is allowed. Every request that needs a permission passes it once."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, nullcontext, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol, TypeVar
from urllib.parse import unquote_plus

from events.errors import GameUnknownError, LogError
from events.event import timestamp
from service.access import links, secrets
from service.access.apps import Apps
from service.access.devices import Devices
from service.access.invitations import Invitations
from service.access.principals import NONE, STRANGER, principal
from service.access.scopes import HIDDEN
from service.access.store import SERVICE, AccessStoppedError, Read, StoreFullError
from service.current import current_notes, current_request
from service.languages import gettext
from service.problems.kinds import ProblemError
from service.server.hosts import network_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.merges import Merges
    from projections.clubs import Club
    from service.access.families import Family
    from service.access.limiting import Limits
    from service.access.needs import Need
    from service.access.principals import Permissions, Principal
    from service.access.scopes import Scopes
    from service.access.store import Credential, Level, Store

T = TypeVar("T")

GATE = "kifu.gate"
"""The key of the WSGI environment with the gate of the service that is asked."""

COOKIE = "kifu_session"
"""What the cookie of a session is called in plain HTTP. In HTTPS its name says to browsers that no other port and no
page in plain may have put it there."""

DAY = 86_400

CACHE_SIZE = 4096
"""How many of those who asked last, and of the games that were asked for, are kept in memory."""

READS_INTERVAL = 5.0
"""Seconds after which what was read is written down."""

REMEMBERED = 100_000
"""How many secrets that opened something are told from guesses."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Records(Protocol):
    """The questions of the gate about games and clubs."""

    def seats_of_people(self, game: str, people: frozenset[str]) -> frozenset[int] | None:
        """The seats that these people have in a game; None if they never sat there."""

    def opener(self, game: str) -> str | None:
        """The person who opened a game; None for a fork."""

    def is_game(self, record: str) -> bool | None:
        """Whether the record with this id is that of a game; None if there is none."""

    def find_club(self, club: str) -> Club | None:
        """The club with this id; None if there is none."""


class Gate:
    """Knows everybody's credentials and the games that are open. Used by many threads at once.

    `records` knows games and clubs, and `merges` the ids that people go by.
    What the store says is kept in memory until it changes.
    """

    def __init__(
        self,
        store: Store,
        owner_token: str,
        records: Records,
        limits: Limits,
        merges: Callable[[], Merges],
        redis_url: str = "",
    ) -> None:
        self.store, self.seated, self.limits, self.merges = store, records.seats_of_people, limits, merges
        self.find_club = records.find_club
        self._records, self._openers, self._kinds = records, dict[str, str | None](), dict[str, bool]()
        self.devices, self.apps = Devices(redis_url), Apps(store)
        self.invitations = Invitations(store, redis_url)
        self._codes = threading.Lock()
        self._owner = secrets.digest(owner_token)
        self._generation = store.generation
        self._known: dict[bytes, Principal] = {}
        self._opened: set[bytes] = set()
        """Digests of secrets that opened something: who has one of them is not guessing."""
        self._levels: dict[str, Level] = {}
        self._used: dict[str, int] = {}
        self._reads: dict[tuple[str, str], int] = {}
        """On which day a credential read a game last, as far as it is kept in memory."""
        self._unwritten_reads, self._written_at = list[Read](), 0.0
        self._reads_lock = threading.Lock()
        self._revoked: set[str] = set()
        self.renewed: set[str] = set()
        """The sessions that have got another secret: once each, however many requests come at that moment."""

    @property
    def stopped(self) -> str:
        """Why the service lets nobody in; None if it works."""
        self.store.generation  # noqa: B018 - it looks whether anything was changed
        return self.store.stopped

    def accept_owner_token(self, token: str) -> None:
        """Accept another token as the owner's, in any form."""
        self._owner = secrets.digest(token)

    def level(self, game: str) -> Level:
        """Who may see a game. While the store is not trusted, every game is private."""
        if self.store.stopped:
            return "private"
        self.keep_up()
        levels = self._levels  # what is read while it changes goes to those that are thrown away
        found = levels.get(game)
        if found is None:
            found = self.store.level(game)
            if len(levels) >= CACHE_SIZE:
                self._levels = {}
            levels[game] = found
        return found

    def show(self, game: str, level: Level, *, by: str) -> None:
        """Set who may see a game."""
        try:
            self.store.show(game, level, by=by)
        finally:
            self._levels = {}

    def permissions(self, who: Principal | None, game: str) -> Permissions:
        """What somebody may do with a game; `NONE` if they may not know that it exists."""
        if who is not None:
            found = who.permissions(game, self.seated)
            if found is not NONE:
                return (
                    found
                    if "games:share" in found.scopes or not self._has_opened(who, game)
                    else who.permissions_of_opener(found)
                )
        return STRANGER if self.level(game) != "private" else NONE

    def _has_opened(self, who: Principal, game: str) -> bool:
        """Whether somebody opened a game. The cached answer never changes."""
        if game not in self._openers:
            if len(self._openers) >= CACHE_SIZE:
                self._openers = {}
            try:
                self._openers[game] = self._records.opener(game)
            except LogError:  # it is damaged, or cannot be reached
                return False
        return self._openers[game] in who.people

    def refuse_other_record(self, game: str) -> None:
        """Refuse the id of a record that is not a game, like an unknown id. Raises `GameUnknownError`.

        What is looked up never changes.
        """
        found = self._kinds.get(game)
        if found is None:
            found = self._look_for_game(game)
        if found is False:
            raise GameUnknownError(game)

    def _look_for_game(self, game: str) -> bool | None:
        try:
            found = self._records.is_game(game)
        except LogError:  # it is damaged, or cannot be reached: who asks for it is told so
            return None
        if found is not None:
            if len(self._kinds) >= CACHE_SIZE:
                self._kinds = {}
            self._kinds[game] = found
        return found

    def reach(self, who: Principal) -> Scopes:
        """Everything that somebody may do in any game."""
        found = who.grantable_scopes
        for game in who.roles.games:
            found |= self.permissions(who, game).scopes
        return found

    def principal_of(self, secret: str, *, session: bool, guards: bool = True) -> Principal:
        """The principal of a secret. Raises `token-unknown`, and `quota-exceeded` if it `guards` against
        guessing.
        """
        self.keep_up()
        return self.known_principal(secret, session=session, guards=guards)

    def known_principal(self, secret: str, *, session: bool, guards: bool = True) -> Principal:
        """As `principal_of`, right after `keep_up`."""
        digest = secrets.digest(secret)
        known = self._known  # what is looked up while something changes goes to those that are thrown away
        found = known.get(digest)
        if found is None:
            found = self._look_up(secret, digest, guards=guards)
            if len(known) >= CACHE_SIZE:
                self._known = {}
            known[digest] = found
        credential, now = found.credential, time.time()
        if (credential.kind == "ses") is not session or credential.id in self._revoked:
            raise _unknown(session)
        if not credential.is_valid(int(now * 1000)):
            raise _over(credential)
        if self._used.get(credential.id) != (today := int(now) // DAY):
            self._use(credential, today)
        if self._unwritten_reads and time.monotonic() - self._written_at > READS_INTERVAL:
            self.write_reads()
        return found

    def note_read(self, who: Principal, game: str) -> None:
        """Note that somebody reads a game. It is stored a moment later, together with others."""
        key, today = (who.credential.id, game), int(time.time()) // DAY
        if self._reads.get(key) == today:
            return
        with self._reads_lock:
            if len(self._reads) >= CACHE_SIZE:
                self._reads = {}
            self._reads[key] = today
            self._unwritten_reads.append(Read(*key, today, today))

    def write_reads(self) -> None:
        """Store the noted reads."""
        with self._reads_lock:
            reads, self._unwritten_reads, self._written_at = self._unwritten_reads, [], time.monotonic()
        if reads:
            with suppress(StoreFullError):  # a full disk keeps nobody out
                self.store.note_reads(reads)

    def keep_up(self) -> None:
        """Empty the caches if this or another process changed anything. Raises `AccessStoppedError`."""
        generation = self.store.generation
        if self.store.fault is not None and (why := self.store.stopped):
            raise AccessStoppedError(why)
        if self._generation != generation:
            self._known, self._levels, self._generation = {}, {}, generation

    @contextmanager
    def limit_guessing(self) -> Iterator[None]:
        """Guard a lookup by somebody who may be guessing. Raises `quota-exceeded` first if they guessed too often."""
        address = request_network()
        self.limits.check("guesses", address)
        try:
            yield
        except ProblemError:
            self.limits.note("guesses", address)
            raise

    def find_by_code(self, code: str, find: Callable[[str], T | None]) -> T | None:
        """What `find` finds by a typed short code. Raises `quota-exceeded` before the lookup.

        A code can be guessed. So an address may mistype five in a minute, and all addresses together a thousand. Codes
        are tried one at a time, so that many at once are no way around the limit.
        """
        counted = {"codes": request_network(), "all-codes": ""}
        with self._codes:
            for policy, who in counted.items():
                self.limits.check(policy, who)
            found = find(code)
            if found is None:
                for policy, who in counted.items():
                    self.limits.note(policy, who)
        return found

    def end(self, credentials: list[str], *, by: str, why: str, family: Family | None = None) -> int:
        """End credentials. Returns how many were still open. Raises `StoreFullError` if a restart would undo that.

        A `family` ends with them.
        """
        links, webhooks = (family.links, family.webhooks) if family else ((), ())
        credentials = [*credentials, *(each.id for each in family.credentials)] if family else credentials
        try:
            return self.store.end(credentials, by=by, why=why, links=links, webhooks=webhooks)
        except StoreFullError:
            self._revoked.update(credentials)
            raise

    def _look_up(self, secret: str, digest: bytes, *, guards: bool) -> Principal:
        """Look up a secret. A malformed one is refused without a query."""
        kind = secrets.kind_of(secret)
        if kind is None and digest != self._owner:
            if secret.startswith(secrets.PREFIX) and secrets.FORM.fullmatch(secret) is None:
                raise ProblemError("token-unknown", gettext("the token is incomplete or mistyped"))
            raise _unknown(session=False)
        with self.limit_guessing() if guards and digest not in self._opened else nullcontext():
            credential = self.store.find(digest)
            if credential is None:
                raise _unknown(session=kind == "ses")
        if len(self._opened) >= REMEMBERED:
            self._opened = set()
        self._opened.add(digest)
        return principal(credential, self.store, self.merges())

    def _use(self, credential: Credential, today: int) -> None:
        if len(self._used) >= CACHE_SIZE:
            self._used = {}
        self._used[credential.id] = today
        if credential.used != today:
            self.store.note_use(credential.id, today)


def _unknown(session: bool) -> ProblemError:
    if session:
        return ProblemError("token-unknown", gettext("this session has ended, or it belongs to another service"))
    return ProblemError("token-unknown", gettext("this token is not valid for this service"))


def _over(credential: Credential) -> ProblemError:
    ended, session = credential.ended is not None, credential.kind == "ses"
    day = timestamp((credential.ended if ended else credential.ends) or 0)[:10]
    if session and ended:
        what = gettext("this session was revoked on %(day)s", day=day)
    elif session:
        what = gettext("this session has expired on %(day)s", day=day)
    elif ended:
        what = gettext("this token was revoked on %(day)s", day=day)
    else:
        what = gettext("this token has expired on %(day)s", day=day)
    return ProblemError("token-unknown", what)


def gate() -> Gate:
    """The gate of this service."""
    found: Gate = current_request().environ[GATE]
    return found


def request_network() -> str:
    """The network of the request, for limits."""
    return network_of(current_request().remote_addr or "")


def current_principal() -> Principal | None:
    """The principal of this request; None for a stranger. Raises `token-unknown` for a token or session that is not
    valid.
    """
    known = vars(current_notes())
    if "principal" not in known:
        known["principal"] = _principal()
    found: Principal | None = known["principal"]
    return found


def _principal() -> Principal | None:
    request = current_request()
    header = request.environ.get("HTTP_AUTHORIZATION")
    if header is not None:
        guard: Gate = request.environ[GATE]
        guard.keep_up()
        return guard.known_principal(_bearer(header), session=False)
    session = request.cookies.get(cookie_name()) if "HTTP_COOKIE" in request.environ else None
    return None if session is None else gate().principal_of(session, session=True)


def cookie_name() -> str:
    """The name of the session cookie in the answer to this request."""
    return f"__Host-{COOKIE}" if current_request().is_secure else COOKIE


def require_principal() -> Principal:
    """The principal of this request. Raises `token-needed` for a stranger."""
    who = current_principal()
    if who is None:
        request = current_request()
        method = "GET" if request.method == "HEAD" else request.method  # the answer has the length of a GET's
        raise ProblemError(
            "token-needed", gettext("%(method)s %(path)s requires a token", method=method, path=request.path)
        )
    return who


def permissions(game: str) -> Permissions:
    """What the caller may do with a game. Raises `GameUnknownError` if they may not know of it."""
    return _known_permissions(gate(), current_principal(), game)


def _known_permissions(guard: Gate, who: Principal | None, game: str) -> Permissions:
    found = guard.permissions(who, game)
    if found is NONE:
        raise GameUnknownError(game)
    return found


def admit(need: Need, game: str | None) -> None:
    """Check that the request is allowed.

    A caller who may not know of a game gets the same answer as for an unknown id. Raises `token-needed`,
    `token-unknown`, `scope-needed`, `foreign-origin`, `GameUnknownError`, `AccessStoppedError`.
    """
    guard = gate()
    who = _who_asks(guard, need)
    _count(guard, who)
    if game is not None:
        guard.refuse_other_record(game)
    if need.everybody and game is not None and (shared := links.permissions_of_named_link(guard, game)) is not None:
        current_notes().permissions = shared
        return
    if not need.everybody or who is not None:
        _admit_known(guard, need, who or require_principal(), game)
    elif game is not None:
        current_notes().permissions = permissions(game)


def _who_asks(guard: Gate, need: Need) -> Principal | None:
    """The principal of this request. None for a stranger, and for everybody while the store is not trusted, where
    strangers are allowed.
    """
    try:
        who = current_principal()
        if who is None and (why := guard.stopped):
            raise AccessStoppedError(why)
    except AccessStoppedError:
        if not need.always:
            raise
        who = current_notes().principal = None
    return who


def _count(guard: Gate, who: Principal | None) -> None:
    """Count the request, by the token or the address. A caller with the scope `admin` is not limited."""
    if who is not None and "admin" in who.service:
        return
    policy = "reads" if current_request().environ["REQUEST_METHOD"] in _SAFE else "writes"
    current_notes().left = guard.limits.count(policy, who.credential.id if who else request_network())


def _admit_known(guard: Gate, need: Need, who: Principal, game: str | None) -> None:
    environ = current_request().environ
    if "HTTP_AUTHORIZATION" not in environ and environ["REQUEST_METHOD"] not in _SAFE:
        require_own_origin()
        require_person_of_page(who, environ.get("HTTP_KIFU_PERSON"))
    if game is not None:
        current_notes().permissions = found = _known_permissions(guard, who, game)
        if need.scope not in found.scopes:
            raise missing_scope(need.scope, who, game)
        guard.note_read(who, game)
    elif not need.everybody and not need.known and need.scope not in who.service:
        raise missing_scope(need.scope, who, None)
    elif need.scope == HIDDEN:
        guard.note_read(who, SERVICE)
    if need.besides and need.besides not in who.service:
        raise missing_scope(need.besides, who, None)


def missing_scope(scope: str, who: Principal, game: str | None) -> ProblemError:
    """The problem for a caller without this scope."""
    allowed = who.credential.scopes
    if allowed is not None and scope not in allowed:
        why = gettext("this token was made without %(scope)s", scope=scope)
    elif game is None and who.credential.games is not None:
        why = gettext("this token is limited to some games, and this requires %(scope)s on the service", scope=scope)
    elif game:
        why = gettext("this requires %(scope)s in this game, and you do not have it", scope=scope)
    else:
        why = gettext("this requires %(scope)s, and you do not have it", scope=scope)
    return scope_problem(scope, why)


def scope_problem(scope: str, why: str) -> ProblemError:
    """The problem `scope-needed`, with the reason in words."""
    found = ProblemError("scope-needed", why, scope=scope)
    found.headers["WWW-Authenticate"] = f'Bearer realm="kifu", error="insufficient_scope", scope="{scope}"'
    return found


def current_permissions() -> Permissions:
    """What the caller may do with the game of this request."""
    found: Permissions = current_notes().permissions
    return found


def require_scope(scope: str) -> None:
    """Check that the caller has this scope in the game of this request. Raises `scope-needed`."""
    if scope not in current_permissions().scopes:
        raise missing_scope(scope, require_principal(), "game")


def current_recorder() -> str:
    """The caller's id in the log."""
    return require_principal().id


def refuse_secrets_in_address() -> None:
    """Refuse a secret in an address, because addresses stand in logs and histories. Raises `token-in-address`."""
    request = current_request()
    address = f"{request.path}?{request.query_string.decode(errors='replace')}"
    if "%" in address:
        address = unquote_plus(address)
    if secrets.PREFIX not in address:
        return
    if any(secrets.kind_of(found[0]) in secrets.KINDS for found in secrets.FORM.finditer(address)):
        current_notes().secret_address = True
        raise ProblemError(
            "token-in-address", gettext("the URL contains a token: others may have seen it, so revoke it")
        )


def _bearer(header: str) -> str:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise ProblemError("token-unknown", gettext("the Authorization header is not of the form `Bearer <token>`"))
    return token.strip()


def require_own_origin() -> None:
    """Refuse writes by foreign pages: their requests carry the cookie, too. Raises `foreign-origin`."""
    sent = current_request().headers
    origin, site = sent.get("Origin"), sent.get("Sec-Fetch-Site")
    if origin is not None and not _is_own(origin):
        raise ProblemError("foreign-origin", gettext("%(origin)s is not this service", origin=origin))
    if origin is None and site not in {None, "same-origin", "none"}:
        raise ProblemError("foreign-origin", gettext("the request came from a page of another origin"))


def require_person_of_page(who: Principal, named: str | None) -> None:
    """Check that the caller is the person of the page. Somebody else may have logged in while the page was open.

    A page names the person that it is for, by their tag, when it writes. Raises `token-unknown`.
    """
    if named is not None and named != browser_tag(who):
        raise ProblemError("token-unknown", gettext("somebody else has logged in since: load the page again"))


def browser_tag(who: Principal | None) -> str:
    """The tag of a person for browsers: the same in all their sessions, empty for a stranger."""
    if who is None or who.credential.kind != "ses":
        return ""
    return sha256(f"browser {who.person}".encode()).hexdigest()[:16]


def _is_own(origin: str) -> bool:
    """Whether an origin is this service. Over HTTPS a page in plain HTTP is foreign: anybody may have written it."""
    scheme, _, host = origin.partition("://")
    request = current_request()
    return bool(host) and host == request.host and (scheme == "https" or not request.is_secure)
