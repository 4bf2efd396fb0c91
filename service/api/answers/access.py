"""Access: tokens, invitations, apps, links and roles."""

from __future__ import annotations

from typing import Literal

import msgspec

from service.api.answers.webhooks import WebhookInfo


class TokenInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A token or a session, without its secret: its person, the most that it may do, and how long.

    `kind` is `own` (the owner's), `dev` (a device of a person), `app` (a program) or `ses` (a session). Without
    `scopes` it may do all that the person may, without `games` everywhere. `app` is what the log calls the program.
    """

    id: str
    kind: str
    name: str
    person: str
    person_name: str | None
    app: str | None
    scopes: list[str] | None
    games: list[str] | None
    begun_at: str
    used_on: str | None
    ends_at: str | None


class TokenList(msgspec.Struct, frozen=True):
    """Valid tokens and sessions."""

    tokens: list[TokenInfo]


class GameReadInfo(msgspec.Struct, frozen=True):
    """A game that was read with a token, first on `first_on` and last on `last_on`.

    `game` is null if all games were read at once, for example by the feed.
    """

    token: str
    game: str | None
    title: str | None
    first_on: str
    last_on: str


class TokenFamily(msgspec.Struct, frozen=True):
    """What was made with a token, directly or in turn, and still works; and the games that these have read."""

    tokens: list[TokenInfo]
    links: list[LinkInfo]
    webhooks: list[WebhookInfo]
    reads: list[GameReadInfo]


class MadeToken(msgspec.Struct, frozen=True):
    """A new token. Only this answer shows it."""

    token: str
    info: TokenInfo


class GameRoleInfo(msgspec.Struct, frozen=True):
    """The role of somebody in a game, and what they may do there."""

    game: str
    role: str | None
    seats: list[int]
    scopes: list[str]


class WhoAmI(msgspec.Struct, frozen=True):
    """The caller: their token, their role on the service, and what they may do there and in single games."""

    token: TokenInfo
    role: str | None
    scopes: list[str]
    games: list[GameRoleInfo]


class TestedToken(msgspec.Struct, frozen=True):
    """A valid token of this service."""

    person: str
    scopes: list[str]
    ends_at: str | None


class TestedTokens(msgspec.Struct, frozen=True):
    """The rights of tokens; null for invalid ones."""

    tokens: dict[str, TestedToken | None]


class LoginLink(msgspec.Struct, frozen=True):
    """An address that logs a browser in, once, before `ends_at`.

    It is a `path` under this service. Phones reach the service at the URL `base`, as far as it knows.
    """

    path: str
    ends_at: str
    base: str = ""


class InvitationInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An open invitation: its person, the game and seat or the club and role, and its end.

    `code` is what to type at `/join`. After a restart of the service it is null, and only the link works.
    """

    id: str
    player: str
    name: str | None
    game: str | None
    seat: int | None
    club: str | None = None
    role: Literal["member", "organiser"] | None = None
    code: str | None
    begun_at: str
    ends_at: str
    by: str


class InvitationList(msgspec.Struct, frozen=True):
    """Open invitations."""

    invitations: list[InvitationInfo]


class MadeInvitation(msgspec.Struct, frozen=True):
    """A new invitation: its address, which only this answer shows.

    It is a `path` under this service. Phones reach the service at the URL `base`, as far as it knows.
    """

    path: str
    ends_at: str
    info: InvitationInfo
    base: str = ""


class DeviceAuthorization(msgspec.Struct, frozen=True):
    """The code that a device shows, and the one that it asks with every `interval` seconds (RFC 8628)."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class AccessToken(msgspec.Struct, frozen=True):
    """The token of a device (RFC 6749). Only this answer shows it."""

    access_token: str
    token_type: str
    expires_in: int
    scope: str


class OAuthFailure(msgspec.Struct, frozen=True):
    """An OAuth error (RFC 6749)."""

    error: str
    error_description: str


class AuthorizationServer(msgspec.Struct, frozen=True):
    """The OAuth metadata of this service (RFC 8414)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    device_authorization_endpoint: str
    grant_types_supported: list[str]
    response_types_supported: list[str]
    response_modes_supported: list[str]
    code_challenge_methods_supported: list[str]
    authorization_response_iss_parameter_supported: bool
    scopes_supported: list[str]
    token_endpoint_auth_methods_supported: list[str]


class LinkInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A share link, without its secret: the `seat` that it shows the game from, and the version `at` if it shows only
    one.
    """

    id: str
    game: str
    name: str
    seat: str
    at: int | None
    begun_at: str
    ends_at: str
    opened: int
    by: str


class LinkList(msgspec.Struct, frozen=True):
    """Share links of games, and the titles of these games by id, if they have one."""

    links: list[LinkInfo]
    titles: dict[str, str]


class MadeLink(msgspec.Struct, frozen=True):
    """A new share link: its address under this service. Only this answer shows it."""

    path: str
    info: LinkInfo


class RoleInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The granted role of a person, if any, and seats to play; since when, and who granted it."""

    player: str
    name: str | None
    role: str | None
    seats: list[int]
    since: str
    by: str


class RoleList(msgspec.Struct, frozen=True):
    """Granted roles."""

    roles: list[RoleInfo]


class GameVisibility(msgspec.Struct, frozen=True):
    """Who may see a game: `private`, `link` or `public`; `since` when, if it was ever set."""

    game: str
    visibility: str
    since: str | None
