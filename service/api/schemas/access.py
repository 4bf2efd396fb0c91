"""Access: tokens, invitations, apps, links, roles, and proof."""

from __future__ import annotations

from typing import Any

from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate, validates_schema

from events import limits
from events.types import END_OF_TEXT
from service.access.apps import CHALLENGE, VERIFIER
from service.access.scopes import ROLES, SCOPES
from service.api.schemas.fields import AfterQuery, EventId, LineField, NameField, Viewpoint, WholeNumber, version


class TrailQuery(AfterQuery):
    """A page of the trail."""

    order = fields.String(
        load_default="oldest",
        validate=validate.OneOf(["oldest", "newest"]),
        metadata={"description": "which lines come first"},
    )


class ConsistencyQuery(Schema):
    """Two sizes of the tree, the older one first."""

    older = WholeNumber(
        written=True,
        load_default=0,
        data_key="from",
        validate=validate.Range(0, limits.VERSION),
        metadata={"description": "how many entries the older tree has"},
    )
    newer = WholeNumber(
        written=True,
        load_default=None,
        data_key="to",
        validate=validate.Range(0, limits.VERSION),
        metadata={"description": "how many the newer tree has; as many as the last checkpoint if left out"},
    )

    @validates_schema
    def in_this_order(self, data: dict[str, Any], **_: Any) -> None:
        """The older one first."""
        if data.get("newer") is not None and data["newer"] < data.get("older", 0):
            raise ValidationError("not smaller than `from`", "to")


ROLE = validate.OneOf(list(ROLES))

MOST_DAYS = 3650
"""The longest that a token lasts."""


class TokenSchema(Schema):
    """A token to make."""

    name = NameField(required=True, metadata={"description": "what it is for"})
    role = fields.String(load_default=None, allow_none=True, validate=ROLE)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(list(SCOPES))),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "what it may do; in place of a role"},
    )
    games = fields.List(
        EventId(),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, 1000),
        metadata={"description": "the only games that it opens; all if left out"},
    )
    days = WholeNumber(
        written=False,
        load_default=365,
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "how long it lasts"},
    )
    person = EventId(
        load_default=None, allow_none=True, metadata={"description": "whose device it is for, if it is not one's own"}
    )

    @validates_schema
    def one_of_them(self, data: dict[str, Any], **_: Any) -> None:
        """A role, or scopes."""
        if data.get("role") and data.get("scopes"):
            raise ValidationError("give a role or scopes, not both", "scopes")


DEVICE_GRANT, CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code", "authorization_code"
"""The ways in which tokens are granted: to a device, and to an app that comes by a browser."""


class OAuthSchema(Schema):
    """A form of OAuth: unknown parameters are ignored."""

    class Meta:
        """Parameters of extensions are not an error."""

        unknown = EXCLUDE


def _client_id(what: str) -> fields.String:
    return NameField(
        required=True,
        metadata={"description": f"{what}; it is shown to the person who decides"},
    )


_SCOPE = fields.String(load_default=None, metadata={"description": "what it asks for, with blanks between them"})


class DeviceSchema(OAuthSchema):
    """A device that asks for a token."""

    client_id = _client_id("what the program calls itself")
    scope = _SCOPE


class AppSchema(OAuthSchema):
    """An app that asks for a token through a browser, and the redirect address."""

    client_id = _client_id("the app's address, or what it calls itself")
    redirect_uri = fields.String(required=True, validate=validate.Length(1, limits.TEXT))


class WantedSchema(OAuthSchema):
    """What an app asks for."""

    response_type = fields.String(required=True)
    scope = _SCOPE
    state = fields.String(load_default=None)
    code_challenge = fields.String(
        required=True,
        validate=validate.Regexp(
            f"^{CHALLENGE.pattern}{END_OF_TEXT}", error="not a SHA-256 in base64url: 43 characters"
        ),
    )
    code_challenge_method = fields.String(
        required=True, validate=validate.Equal("S256", error="the only code_challenge_method is S256")
    )


class GrantSchema(OAuthSchema):
    """A device that asks for its token, or an app that exchanges its code."""

    grant_type = fields.String(
        required=True, metadata={"description": f"`{CODE_GRANT}` of an app, or `{DEVICE_GRANT}` of a device"}
    )
    device_code = fields.String(load_default=None, metadata={"description": "the code that the device was given"})
    code = fields.String(load_default=None, metadata={"description": "the code that the app was given"})
    redirect_uri = fields.String(load_default=None, metadata={"description": "where the app was given it"})
    code_verifier = fields.String(
        load_default=None,
        validate=validate.Regexp(
            f"^{VERIFIER.pattern}{END_OF_TEXT}", error="not 43 to 128 letters, digits, or any of -._~"
        ),
        metadata={"description": "what its `code_challenge` was made of"},
    )
    client_id = fields.String(load_default=None, metadata={"description": "what it called itself then"})


class InvitationSchema(Schema):
    """The person to let in."""

    player = EventId(required=True, metadata={"format": "uuid", "description": "the person's id, lower case"})


class SeatInvitationSchema(Schema):
    """The seat for a phone, and the person."""

    seat = WholeNumber(written=False, required=True, validate=validate.Range(0), metadata={"description": "from 0 on"})
    player = EventId(
        load_default=None,
        allow_none=True,
        metadata={"format": "uuid", "description": "a person's id, lower case; if left out, the person who sits there"},
    )


class ClubInvitationSchema(Schema):
    """The role in a club for an invitation, and the name of a new person."""

    role = fields.String(load_default="member", validate=validate.OneOf(["member", "organiser"]))
    name = NameField(load_default=None, allow_none=True)


class MadeQuery(Schema):
    """What happens to the family of a token that ends."""

    made = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(["end", "keep"]),
        metadata={"description": "whether everything that was made with it ends or is kept"},
    )


class WhoseQuery(Schema):
    """The person to list tokens or endpoints of."""

    everybody = fields.Boolean(load_default=False, metadata={"description": "those of all people"})


class LinkSchema(Schema):
    """A share link to make."""

    seat = Viewpoint(
        load_default="public",
        metadata={"description": "from where it shows the game: `public`, `record` (all), or a seat"},
    )
    at = version("the game as it stood at this version; as it goes on if left out", written=False)
    name = LineField(load_default="", validate=validate.Length(max=limits.NAME))
    days = WholeNumber(
        written=False,
        load_default=30,
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "how long it lasts"},
    )


class RoleSchema(Schema):
    """A role on the service."""

    role = fields.String(required=True, validate=ROLE)


class GameRoleSchema(Schema):
    """A role in a game, or seats to play there."""

    role = fields.String(load_default=None, allow_none=True, validate=ROLE)
    seats = fields.List(
        WholeNumber(written=False, validate=validate.Range(0, limits.SEATS - 1)),
        load_default=list,
        validate=validate.Length(max=limits.SEATS),
        metadata={"description": "the seats that the person plays"},
    )

    @validates_schema
    def something(self, data: dict[str, Any], **_: Any) -> None:
        """A role, seats, or both."""
        if not data.get("role") and not data.get("seats"):
            raise ValidationError("give a role, or seats to play", "role")


class VisibilitySchema(Schema):
    """Who may see a game."""

    visibility = fields.String(required=True, validate=validate.OneOf(["private", "link", "public"]))
