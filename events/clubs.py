"""The event types of clubs. A club is a record of its own in the log, as a game is; its types begin with `club.`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.types import EntryErased, EventData, Name, OneLine, Text, Uuid, Version

Role = Literal["member", "organiser"]
"""What a person is in a club. Organisers change it."""

Called = Annotated[OneLine, msgspec.Meta(min_length=1)]


class ClubData(EventData, frozen=True, kw_only=True):
    """The base class of the data of clubs' entries."""


class ClubFounded(ClubData, frozen=True, kw_only=True):
    """`club.founded`: the first entry of a club. Its founder is an organiser."""

    text_fields = ("name", "description")

    name: Called
    description: Text = ""
    founder: Uuid
    public: bool = False


class ClubChanged(ClubData, frozen=True, kw_only=True):
    """`club.changed`: another name or description, or who may see the club. What is left out stays."""

    text_fields = ("name", "description")

    name: Called | None = None
    description: Text | None = None
    public: bool | None = None


class MemberJoined(ClubData, frozen=True, kw_only=True):
    """`club.member_joined`: a person is a member from now on, or has another role."""

    player: Uuid
    role: Role = "member"


class MemberLeft(ClubData, frozen=True, kw_only=True):
    """`club.member_left`: a person is not a member any more."""

    player: Uuid


class HouseRulesSet(ClubData, frozen=True, kw_only=True):
    """`club.rules_set`: how the club plays a ruleset: its options, and house rules in words."""

    text_fields = ("text",)

    ruleset: Name
    options: dict[Name, bool | int | OneLine] = msgspec.field(default_factory=dict)
    text: Text = ""


class GameAttached(ClubData, frozen=True, kw_only=True):
    """`club.game_attached`: a game is one of the club's."""

    game: Uuid


class GameDetached(ClubData, frozen=True, kw_only=True):
    """`club.game_detached`: a game is not one of the club's any more."""

    game: Uuid


class ClubWithdrawn(ClubData, frozen=True, kw_only=True):
    """`club.withdrawn`: the entry of that version does not count. To withdraw a withdrawal brings it back."""

    text_fields = ("reason",)

    entry: Version
    reason: Text = ""


class ClubErased(EntryErased, frozen=True, kw_only=True):
    """`club.erased`: the texts of an entry were erased for good, as `entry.erased` says it of games."""


CLUB_FOUNDED = "club.founded"
"""The type of the first event of every club, and of no other one."""

CLUB_TYPES: dict[str, type[EventData]] = {
    CLUB_FOUNDED: ClubFounded,
    "club.changed": ClubChanged,
    "club.member_joined": MemberJoined,
    "club.member_left": MemberLeft,
    "club.rules_set": HouseRulesSet,
    "club.game_attached": GameAttached,
    "club.game_detached": GameDetached,
    "club.withdrawn": ClubWithdrawn,
    "club.erased": ClubErased,
}
"""The event types of clubs, with the current form of their data."""
