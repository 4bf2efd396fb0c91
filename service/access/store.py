"""The store of access, in any database: credentials, roles, visibility of games, and the trail of changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import msgspec

from events.errors import LogError
from service.access.scopes import Scopes
from service.languages import gettext
from service.problems.errors import ServiceError

if TYPE_CHECKING:
    from service.access.chain import Fault, Mark
    from service.access.principals import Roles

Level = Literal["private", "link", "public"]
"""Who may see a game: people who were let in (`private`), people who know its address (`link`), or everybody, also in
lists (`public`).
"""

PRIVATE: Level = "private"

SERVICE = ""
"""What stands in the place of a game where the service as a whole is meant."""

HOUSE = "kifu"
"""Who did what nobody asked for: the service itself."""


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    """A token or a session. Only the digest of its secret is stored.

    It belongs to `person`; `app` is the id of a program that acts for them with it. Without `scopes` it may do all that
    the person may, without `games` everywhere. Times are milliseconds since 1970, `used` the day, since then, on which
    it was last used; `maker` is who made it.
    """

    id: str
    kind: str
    person: str
    app: str | None = None
    name: str = ""
    scopes: Scopes | None = None
    games: frozenset[str] | None = None
    begun: int
    maker: str
    ends: int | None = None
    ended: int | None = None
    used: int | None = None

    def is_valid(self, now: int) -> bool:
        """Whether it gives access at this moment."""
        return self.ended is None and (self.ends is None or now < self.ends)


class GrantedRole(msgspec.Struct, frozen=True, kw_only=True):
    """What a person may do: a `role` in a game or, where `game` is empty, on the service; `seats` are theirs."""

    person: str
    game: str
    role: str | None
    seats: frozenset[int]
    since: int
    by: str


class SetVisibility(msgspec.Struct, frozen=True):
    """Who may see a game, since when, and who said so."""

    level: Level
    since: int
    by: str


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """A secret that works once: its `purpose`, its `person`, and more data."""

    purpose: str
    person: str
    made: int
    ends: int
    data: Mapping[str, Any] = {}


class StoredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The stored answer to a request, encrypted. `asked` is a digest of the request."""

    asked: bytes
    status: int
    sealed: bytes
    ends: int


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A share link: it shows a game from a `viewpoint`, as it stood `at` a version or as it goes on."""

    id: str
    game: str
    viewpoint: str
    at: int | None = None
    name: str = ""
    begun: int
    maker: str
    ends: int
    ended: int | None = None
    opened: int = 0

    def is_valid(self, now: int) -> bool:
        """Whether it gives access at this moment."""
        return self.ended is None and now < self.ends


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """The messages that an endpoint gets: of these games, people and rulesets, and of these types.

    None stands for all. A message must pass every condition.
    """

    games: tuple[str, ...] | None = None
    people: tuple[str, ...] | None = None
    rulesets: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint: a URL that gets messages about the games that `person` may see, or `app` for them.

    It works as long as the `credential` that made it opens, also after a rotation. Without a credential it belongs to
    the person, within `scopes`. `base` is the address of this service, for URLs in messages. `since` is the feed
    position where its messages begin. Messages are signed with `secret`, and until `old_ends` with `old_secret`, too.
    """

    id: str
    person: str
    app: str | None
    credential: str | None
    scopes: Scopes | None
    url: str
    base: str
    format: str
    description: str
    filter: Filter
    secret: str
    old_secret: str | None = None
    old_ends: int | None = None
    enabled: bool = True
    since: int
    begun: int
    maker: str


class MadeCredential(NamedTuple):
    """A credential, share link or endpoint that was made with the credential `of`.

    If `rotated`, it is a credential that replaced `of`.
    """

    id: str
    of: str
    rotated: bool


class Read(NamedTuple):
    """A game was read with a credential, first and last on these days. `SERVICE` means all games, through the feed."""

    credential: str
    game: str
    first: int
    last: int


class TrailLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the trail: who let whom do what, when. It holds ids; names can be erased."""

    number: int
    at: int
    by: str
    what: str
    person: str | None = None
    game: str | None = None
    credential: str | None = None
    more: Mapping[str, Any] = {}


class Store(Protocol):
    """The store of access. Safe to share between threads. A change is on disk when its method returns.

    Every change is noted in the trail in the same step. Damaged rows give no access. Changes raise
    `StoreFullError`.
    """

    owner: str
    """The person who owns the service."""
    identity: str
    """Which store it is: another one begins with changes of its own."""
    fault: Fault | None
    """Why it was not believed at the last look. `stopped` looks whether that has changed."""

    @property
    def unwritable(self) -> str:
        """The known reason why nothing can be changed, other than a full disk; empty without one."""

    @property
    def stopped(self) -> str:
        """Why the store is not trusted and cannot be changed; empty if it is trusted.

        While it is not empty, all other methods raise `AccessStoppedError`, except `changes`, which is empty.
        """

    @property
    def generation(self) -> int:
        """A number that changes with every credential, role, link or visibility of a game, so that caches expire.

        Changes of another host show within a tenth of a second.
        """

    @property
    def line(self) -> tuple[str, ...]:
        """The line about the store's changes for the signed tree, if there is one."""

    def hold_to(self, head: Mark) -> None:
        """Check that the store reaches a head that is known elsewhere. If not, it is `stopped`."""

    def accept(self, *, keeps: bool) -> int:
        """Accept the present rows as valid from now on. Without `keeps`, all rights end first.

        The number of this change is returned.
        """

    def find(self, digest: bytes) -> Credential | None:
        """The credential with this digest, whether it still opens or not."""

    def credential(self, id_: str) -> Credential | None:
        """The credential with this id."""

    def credentials(self, people: Collection[str] | None = None, kind: str | None = None) -> list[Credential]:
        """The credentials of these people, of all if none are named, that were not ended; the oldest first."""

    def add(self, credential: Credential, digest: bytes, *, by: str, using: str | None = None) -> None:
        """Add a new credential, and note `using` which other one it was made."""

    def replace(self, old: str, new: Credential, digest: bytes, *, by: str, until: int) -> None:
        """Add a new credential that replaces another one, which opens no longer than `until`."""

    def end(
        self, ids: list[str], *, by: str, why: str, links: Iterable[Link] = (), webhooks: Iterable[Webhook] = ()
    ) -> int:
        """End credentials, revoke `links`, and pause `webhooks`. Returns how many credentials were still open."""

    def made_credentials(self) -> list[MadeCredential]:
        """What each credential made, the oldest first. Older releases did not note everything."""

    def note_use(self, id_: str, day: int) -> None:
        """Store on which day a credential was used. A power cut can lose it. It is not part of the trail."""

    def note_reads(self, reads: Iterable[Read]) -> None:
        """Store what was read. A power cut can lose it. The last `READS` games of each credential are kept."""

    def reads(self, ids: Collection[str]) -> list[Read]:
        """What was read with these credentials, the last first."""

    def roles(self, person: str) -> Roles:
        """What a person may do."""

    def granted_roles(self, game: str | None = None, person: str | None = None) -> list[GrantedRole]:
        """The granted roles: all of them, or those in one game (or `SERVICE`), or of one person."""

    def grant(self, person: str, game: str, role: str | None, seats: frozenset[int], *, by: str) -> GrantedRole:
        """Set the role of a person in a game, or on the service, and return it. It replaces the earlier one."""

    def withdraw(self, person: str, game: str, *, by: str) -> bool:
        """Withdraw the role of a person in a game; False if there is none."""

    def level(self, game: str) -> Level:
        """Who may see a game."""

    def visibility_of(self, game: str) -> SetVisibility | None:
        """Who may see a game, if anybody has set it."""

    def show(self, game: str, level: Level, *, by: str) -> None:
        """Set who may see a game."""

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        """Changes of visibility: number, game, and whether it is public now. Only the last change of each game."""

    def app_names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names of apps, by their ids."""

    def put_code(self, digest: bytes, code: Code, *, by: str) -> None:
        """Store a code."""

    def find_code(self, digest: bytes, purpose: str) -> Code | None:
        """The meaning of a code, as `take_code` gives it. The code stays usable."""

    def take_code(self, digest: bytes, purpose: str) -> Code | None:
        """The meaning of a code, which is then used up; None for a code that is used, expired or unknown."""

    def codes(self, purpose: str) -> list[Code]:
        """The unused codes of a purpose, the oldest first. Some may have expired."""

    def drop_code(self, purpose: str, id_: str, *, by: str) -> bool:
        """Withdraw the code with this `id` in its `data`; False if there is none."""

    def stored_answer(self, digest: bytes) -> StoredAnswer | None:
        """The stored answer to a request, by the digest of its key."""

    def keep_answer(self, digest: bytes, answer: StoredAnswer) -> None:
        """Store the answer to a request."""

    def find_link(self, digest: bytes) -> Link | None:
        """The share link with this digest, whether it still opens or not."""

    def links(self, game: str | None = None) -> list[Link]:
        """The share links of a game, of all if none is named, that were not revoked, the oldest first."""

    def add_link(self, link: Link, digest: bytes, *, by: str, using: str | None = None) -> None:
        """Add a new share link, and note `using` which credential it was made."""

    def end_link(self, game: str, id_: str, *, by: str) -> bool:
        """Revoke a share link of a game; False if there is none."""

    def note_opened(self, id_: str) -> None:
        """Count that a share link was opened. It can be lost in a power cut."""

    def webhooks(self, people: Collection[str] | None = None) -> list[Webhook]:
        """The endpoints of these people, of all if none are named, the oldest first."""

    def webhook(self, id_: str) -> Webhook | None:
        """The endpoint with this id."""

    def keep_webhook(self, webhook: Webhook, *, by: str, what: str, using: str | None = None) -> None:
        """Add or replace an endpoint. `what` happened to it `using` which credential goes into the trail."""

    def drop_webhook(self, id_: str, *, by: str) -> bool:
        """Remove an endpoint; False if there is none."""

    def note(self, what: str, *, by: str, person: str, game: str, credential: str) -> None:
        """Note something in the trail that changes nothing else."""

    def note_identity(self, person: str, what: str, *, by: str, **more: Any) -> None:
        """Note a change of a person's identity in the trail, such as a merge. Cached results about them then expire."""

    def left_out(self) -> frozenset[str]:
        """The ids of people who are left out of public tables."""

    def leave_out(self, person: str, *, out: bool, by: str) -> None:
        """Leave a person out of public tables, or include them again."""

    def forget_names(self, person: str, *, by: str) -> None:
        """End all codes and credentials of a person but the owner's token, erase their names, drop their endpoints."""

    def relabel(self, changed: Callable[[str], str]) -> None:
        """Change the labels of all credentials, links and endpoints, ended ones, too. No byte of old ones is left."""

    def trail(self, after: int, limit: int, *, newest: bool = False) -> Iterator[TrailLine]:
        """The trail from a number on, or backwards from the `newest` line (or from below a number that is not 0)."""

    def close(self) -> None:
        """Close the files."""


READS = 1000
"""How many games are remembered as read with a credential."""


class EndedError(ServiceError):
    """The credential that should make something has just ended."""

    kind = "token-unknown"

    @property
    def detail(self) -> str:
        """The detail of the problem."""
        return gettext("this token was just revoked")


class AccessStoppedError(ServiceError, LogError):
    """The store has lost changes. The service lets nobody in until the owner decides."""

    kind = "access-stopped"


class StoreFullError(ServiceError):
    """The disk is full. Nothing was changed, or the change could not be noted beside the database."""

    kind = "storage-full"


class StoreUnwritableError(StoreFullError):
    """The file was moved or deleted, so a change would be lost with the process. Nothing was changed."""

    kind = "storage-unwritable"
